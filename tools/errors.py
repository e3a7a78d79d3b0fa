#!/usr/bin/env python3
"""Writes the table of docs/errors.md from src/base/error.h:  tools/errors.py [--check]

The header's table is the one place where a class, its exit status and its meaning are written.  It is printed between
the two marks in the page, and `--check` says (exit status 1) when the page is no longer what the header gives.
"""
import os
import re
import sys
import textwrap

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
    start, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
    return text[:start] + "\n" + printed + "\n" + text[end:]


def main():
    with open(PAGE, encoding="utf-8") as file:
        old = file.read()
    new = page(old)
    if sys.argv[1:] == ["--check"]:
        sys.exit("docs/errors.md is not what src/base/error.h gives; run tools/errors.py" if new != old else 0)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(new)


if __name__ == "__main__":
    main()
