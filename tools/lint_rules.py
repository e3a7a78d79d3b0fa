#!/usr/bin/env python3
"""Writes the table of docs/lint.md from the rules in src/skill/lint.h:  tools/lint_rules.py [--check]

The header's table is the one place where a rule, its severity, its sentences and whether it can be fixed are written.
They are printed between the two marks in the page; `--check` says (exit status 1) when the page is no longer that.
"""
import os
import re

import printed_page

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(TREE, "docs", "lint.md")
MARKS = ("<!-- rules: printed by tools/lint_rules.py -->\n", "<!-- end of rules -->\n")
TEXT = r'"(?:[^"\\]|\\.)*"(?:\s*\\?\s*"(?:[^"\\]|\\.)*")*'
ROW = re.compile(r'X\((\w+),\s*\\?\s*"([a-z-]+)",\s*(\w+),\s*"(\w+)",\s*\\?\s*(%s),\s*\\?\s*(%s)\)' % (TEXT, TEXT), re.S)
FIX = {"never": "", "safe": "`--fix`", "unsafe": "`--unsafe-fixes`"}


def joined(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"')


def rules():
    """(name, severity, fix, what is wrong, the mend) of each row."""
    with open(os.path.join(TREE, "src", "skill", "lint.h"), encoding="utf-8") as file:
        source = file.read()
    return [(name, severity.lower(), fix, joined(summary), joined(mend))
            for _, name, severity, fix, summary, mend in ROW.findall(source)]


def page(text):
    rows = ["| `%s` | %s | %s | %s | %s |" % (name, severity, FIX[fix], summary, mend)
            for name, severity, fix, summary, mend in rules()]
    head = "\n| rule | severity | mended by | what is wrong | the mend |\n| --- | --- | --- | --- | --- |\n"
    return printed_page.replace_between(text, MARKS, head + "\n".join(rows) + "\n\n")


if __name__ == "__main__":
    printed_page.main(PAGE, page, "src/skill/lint.h")
