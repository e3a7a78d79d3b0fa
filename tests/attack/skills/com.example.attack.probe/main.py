#!/usr/bin/env python3
"""Runs the text of its input: everything that a hostile skill could do, it is told by the test."""
import json
import sys

data = json.load(sys.stdin)
space = {"data": data, "answer": None}
try:
    exec(data["code"], space)
    print(json.dumps({"success": True, "data": {"answer": space["answer"]}}))
except Exception as fault:
    print(json.dumps({"success": False, "data": {}, "error": "%s: %s" % (type(fault).__name__, fault)}))
