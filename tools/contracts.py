#!/usr/bin/env python3
"""Writes the tables of docs/contracts.md from the field tables in src/skill/:  tools/contracts.py [--check]

The tables that read skill.yaml are the one place where a field, its form and its meaning are written.  They are printed
between the two marks in the page; `--check` says (exit status 1) when the page is no longer what they give.
"""
import glob
import os
import re

import printed_page

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(TREE, "docs", "contracts.md")
MARKS = ("<!-- fields: printed by tools/contracts.py -->\n", "<!-- end of fields -->\n")
TEXT = r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'
ROW = re.compile(r'\{("[^"]+"),.*?,\s*(true|false),\s*(%s),\s*(%s)\}' % (TEXT, TEXT), re.S)
FIELDS = re.compile(r"static const struct contract_field (\w+)\[\] = \{\n(.*?)\n\};", re.S)
TABLE = re.compile(r'const struct contract_table (\w+) = \{"([^"]*)",\s*(\w+),')
TITLES = {"": "The contract", "operations.NAME": "`operations`, each by its name"}


def joined(literal):
    """The text of one C string literal, or of several in a row."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)).replace('\\"', '"').replace("\\\\", "\\")


def tables():
    """(path, rows) in the order of the program's own list; a row is name, required, form, meaning."""
    source = ""
    for name in sorted(glob.glob(os.path.join(TREE, "src", "skill", "contract_*.c"))):
        with open(name, encoding="utf-8") as file:
            source += file.read()
    fields = {name: [(joined(row[0]), row[1] == "true", joined(row[2]), joined(row[3])) for row in ROW.findall(body)]
              for name, body in FIELDS.findall(source)}
    by_name = {name: (path, fields[rows]) for name, path, rows in TABLE.findall(source)}
    order = re.findall(r"&(\w+)", re.search(r"all_tables\[\] = \{(.*?)\};", source, re.S).group(1))
    return [by_name[name] for name in order]


def page(text):
    lines = []
    for path, rows in tables():
        lines.append("### %s\n\n| field | | form | meaning |\n| --- | --- | --- | --- |" % TITLES.get(path, "`%s`" % path))
        lines += ["| `%s` | %s | %s | %s |" % (name, "required" if required else "", form.replace("|", "\\|"), meaning)
                  for name, required, form, meaning in rows]
        lines.append("")
    return printed_page.replace_between(text, MARKS, "\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    printed_page.main(PAGE, page, "src/skill")
