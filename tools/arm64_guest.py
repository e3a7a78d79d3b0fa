#!/usr/bin/env python3
"""Runs tests inside the machine of tools/arm64_machine.py:  arm64_guest.py LIST

Prints a line of JSON for each test of the list and each user, after a mark that the kernel's own lines do not have.
"""
import json
import os
import sys

import test

VARIANT = "sanitize"  # the one with the longest times: every instruction is emulated
OUTPUT_TOLD_BYTES = 8000


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        wanted = json.load(file)
    os.umask(0o022)
    environment = {"PATH": test.SYSTEM_PATH, "LANG": "C.UTF-8", "CMOCKA_MESSAGE_OUTPUT": "TAP",
                   "PYTHONDONTWRITEBYTECODE": "1", "WRIT_TREE": os.getcwd()}
    for user, (uid, tests) in wanted["users"].items():
        for entry, result, _ in test.run_all(tests, VARIANT, uid, environment):
            told = result._replace(output=result.output[-OUTPUT_TOLD_BYTES:])
            print("\n" + wanted["mark"] + json.dumps({"user": user, "name": entry["name"], "result": told}), flush=True)


main()
