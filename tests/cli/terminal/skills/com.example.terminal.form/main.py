"""Returns its input."""
import json
import sys

json.dump({"success": True, "data": json.load(sys.stdin)}, sys.stdout, ensure_ascii=False)
