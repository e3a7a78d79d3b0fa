"""Returns the length of its token."""
import json
import sys

json.dump({"success": True, "data": {"length": len(json.load(sys.stdin)["token"])}}, sys.stdout)
