#!/usr/bin/env python3
"""Writes the table in docs/configuration.md from src/skill/settings.h:  tools/settings.py [--check]

The header's table is the one place where a setting's name, default, bounds and meaning are written.  `--check` says
(exit status 1) when the page no longer has what the header gives.
"""
import os
import re

import printed_page

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(TREE, "docs", "configuration.md")
ROW = re.compile(r'X\((\w+), "([^"]+)", (\w+), "([^"]*)", "([^"]*)", ([^"]+), "([^"]+)", "([^"]+)"\)')
BEGIN, END = "<!-- from src/skill/settings.h by tools/settings.py -->\n", "<!-- end -->\n"
UNITS = {"WRIT_SETTING_MINUTE": 60000, "WRIT_SETTING_MIB": 1 << 20}


def number(text):
    """The value of a C expression of numbers, products and shifts."""
    for name, value in UNITS.items():
        text = text.replace(name, str(value))
    text = re.sub(r"UINT64_C\((\d+)\)", r"\1", text)
    if not re.fullmatch(r"[\d\s*()<]+", text):
        raise ValueError("no number: " + text)
    return eval(text, {"__builtins__": {}})


def size(value):
    for unit, name in ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB")):
        if value % unit == 0:
            return "%d %s" % (value // unit, name)
    return "%d B" % value


def duration(value):
    for unit, name in ((3600000, "h"), (60000, "min"), (1000, "s")):
        if value % unit == 0:
            return "%d %s" % (value // unit, name)
    return "%d ms" % value


def values(kind, choices, bounds):
    least, most = (number(part) for part in bounds.rsplit(", ", 1))
    if kind == "CHOICE":
        return ", ".join("`%s`" % word for word in choices.split("|"))
    if kind == "COUNT":
        return "%d to %d" % (least, most)
    print_value = size if kind == "SIZE" else duration
    return "`none`, or %s to %s" % (print_value(least), print_value(most))


def rows():
    with open(os.path.join(TREE, "src", "skill", "settings.h"), encoding="utf-8") as file:
        text = re.sub(r"\s*\\\n\s*", " ", file.read())
    return [(name, default, values(kind, choices, bounds), meaning, used_by)
            for _, name, kind, default, choices, bounds, meaning, used_by in ROW.findall(text)]


def table():
    return "| setting | default | takes | what it does | used by |\n| --- | --- | --- | --- | --- |\n" + "".join(
        "| `%s` | `%s` | %s | %s | %s |\n" % row for row in rows())


def page(text):
    return printed_page.replace_between(text, (BEGIN, END), table())


if __name__ == "__main__":
    printed_page.main(PAGE, page, "src/skill/settings.h")
