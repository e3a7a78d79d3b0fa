#!/usr/bin/env python3
"""Counts the lines and words of a text file: one JSON document on standard input, one on standard output.

The input satisfies the schema in skill.yaml, defaults filled in; writ has seen to that, and looks at the output the same
way. The file is there because the caller named it; no other file of theirs is. What goes to standard error is for
people: it is shown when a call fails.
"""
import json
import sys


def count(path, skip_blank):
    lines = words = 0
    with open(path, "rb") as file:
        for line in file:
            if b"\0" in line:
                raise ValueError("this is no text: it holds a NUL byte")
            if line.strip() or not skip_blank:
                lines += 1
            words += len(line.split())
    return {"lines": lines, "words": words}


def main():
    given = json.load(sys.stdin)
    try:
        answer = {"success": True, "data": count(given["file"], given["skip_blank"])}
    except OSError as error:
        answer = {"success": False, "error": "the file cannot be read: %s" % error.strerror}
    except ValueError as error:
        answer = {"success": False, "error": str(error)}
    json.dump(answer, sys.stdout)


main()
