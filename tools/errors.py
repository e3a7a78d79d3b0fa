#!/usr/bin/env python3
"""Writes the table of docs/errors.md from src/base/error.h:  tools/errors.py [--check]

The header's table is the one place where a class, its exit status and its meaning are written.  It is printed between
the two marks in the page, and `--check` says (exit status 1) when the page is no longer what the header gives.
"""
import os
import re
import textwrap

import printed_page

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(TREE, "docs", "errors.md")
ROW = re.compile(r'X\((\w+),\s*"([^"]+)",\s*(\d+),\s*"([^"]+)"\)')
MARKS = ("<!-- classes: printed by tools/errors.py -->\n", "<!-- end of classes -->\n")
HEAD = "| class | exit status | what it means |\n| --- | --- | --- |\n"
TAIL = "Reserved, for nothing in this version ends with them yet: %s."


def rows():
    with open(os.path.join(TREE, "src", "base", "error.h"), encoding="utf-8") as file:
        return ROW.findall(file.read())


def reserved():
    """The classes that nothing in src/ gives, in the order of the page."""
    given = set()
    for folder, _, names in os.walk(os.path.join(TREE, "src")):
        for name in names:
            if name.endswith(".c") and name != "hints.c":  # which has a word for every class
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    given.update(re.findall(r"\bWRIT_([A-Z_]+)\b", file.read()))
    return [row[1] for row in sorted(rows(), key=lambda row: int(row[2])) if row[0] not in given]


def page(text):
    by_status = sorted(rows(), key=lambda row: int(row[2]))
    printed = HEAD + "".join("| `%s` | %s | %s |\n" % row[1:] for row in by_status)
    names = ", ".join("`%s`" % name for name in reserved())
    printed += "\n" + textwrap.fill(TAIL % names, 120, break_on_hyphens=False) + "\n" if names else ""
    return printed_page.replace_between(text, MARKS, "\n" + printed + "\n")


if __name__ == "__main__":
    printed_page.main(PAGE, page, "src/base/error.h")
