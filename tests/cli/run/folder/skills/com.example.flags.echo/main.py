import json
import sys

json.dump({"success": True, "data": json.load(sys.stdin)}, sys.stdout)
