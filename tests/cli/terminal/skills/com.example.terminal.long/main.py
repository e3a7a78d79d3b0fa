"""Waits as long as it is told, or without end."""
import json
import sys
import time

seconds = json.load(sys.stdin)["seconds"]
while seconds == 0:
    time.sleep(60)
time.sleep(seconds)
json.dump({"success": True, "data": {}}, sys.stdout)
