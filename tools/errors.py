#!/usr/bin/env python3
"""Writes docs/errors.md from src/base/error.h:  tools/errors.py [--check]

The header's table is the one place where a class, its exit status and its meaning are written; the page is printed from
it, and `--check` says (exit status 1) when the page is no longer what the header gives.
"""
import os
import re
import sys
import textwrap

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(TREE, "docs", "errors.md")
ROW = re.compile(r'X\((\w+),\s*"([^"]+)",\s*(\d+),\s*"([^"]+)"\)')
HEAD = """# Errors

Every failure has a class, written `area:what`, and every class an exit status of its own, so that a script or a monitor
can tell them apart without reading the sentence beside them. With `--json` the class stands in `error.class`; without
it, the command prints one line on standard error. It ends with the status below in either case; 0 means that the call
succeeded. `test`, `lint`, `doctor`, `audit verify` and `schema check` end with 1 when what they look at is not in
order, and `schema check` with 2 when the schema is not.

The outcome of a call says more than its class: `refused` means that the program was never started, `failed` that it ran
and did not do its work, `unknown` that nobody can tell.

(This page is printed from `src/base/error.h` by `tools/errors.py`; change it there.)

| class | exit status | what it means |
| --- | --- | --- |
"""
TAIL = "Reserved, for nothing in this version ends with them yet: %s."


def rows():
    with open(os.path.join(TREE, "src", "base", "error.h"), encoding="utf-8") as file:
        return ROW.findall(file.read())


def reserved():
    """The classes that nothing in src/ gives, in the order of the page."""
    given = set()
    for folder, _, names in os.walk(os.path.join(TREE, "src")):
        for name in names:
            if name.endswith(".c"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    given.update(re.findall(r"\bWRIT_([A-Z_]+)\b", file.read()))
    return [row[1] for row in sorted(rows(), key=lambda row: int(row[2])) if row[0] not in given]


def page():
    by_status = sorted(rows(), key=lambda row: int(row[2]))
    text = HEAD + "".join("| `%s` | %s | %s |\n" % row[1:] for row in by_status)
    names = ", ".join("`%s`" % name for name in reserved())
    return text + ("\n" + textwrap.fill(TAIL % names, 120, break_on_hyphens=False) + "\n" if names else "")


def main():
    text = page()
    if sys.argv[1:] == ["--check"]:
        with open(PAGE, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit("docs/errors.md is not what src/base/error.h gives; run tools/errors.py")
        return
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
