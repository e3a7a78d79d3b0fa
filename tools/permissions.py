#!/usr/bin/env python3
"""Writes the closed places into docs/permissions.md from src/skill/closed_places.c and src/run/never_written.c:
tools/permissions.py [--check]

Those tables are the one place where such a path is written.  They are printed between the two marks in the page;
`--check` says (exit status 1) when the page is no longer what they give.
"""
import os
import re
import textwrap

import printed_page

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(TREE, "docs", "permissions.md")
MARKS = ("<!-- places: printed by tools/permissions.py -->\n", "<!-- end of places -->\n")
# title, file, table, what is put before each path
LISTS = (
    ("On the machine", "src/skill/closed_places.c", "granted_on_system", ""),
    ("In the caller's home, for root in every person's", "src/skill/closed_places.c", "granted_in_home", "~/"),
    ("May be read and is never written, on the machine", "src/skill/closed_places.c", "written_on_system", ""),
    ("May be read and is never written, in the caller's home", "src/run/never_written.c", "in_home", "~/"),
)


def places(file, table):
    """(group, paths) of a table; the comments in it name its groups, before the first one there is none."""
    with open(os.path.join(TREE, file), encoding="utf-8") as source:
        body = re.search(r"^static const char \*const %s\[\] = \{(.*?)^\};" % table, source.read(), re.M | re.S).group(1)
    groups = [("", [])]
    for comment, path in re.findall(r'/\* (.*?) \*/|"([^"]+)"', body):
        if comment:
            groups.append((comment, []))
        else:
            groups[-1][1].append(path)
    return [group for group in groups if group[1]]


def item(title, paths, prefix, indent):
    line = "%s- %s: %s." % (indent, title, ", ".join("`%s%s`" % (prefix, path) for path in paths))
    return "\n".join(textwrap.wrap(line, 120, subsequent_indent=indent + "  ", break_long_words=False,
                                   break_on_hyphens=False)) + "\n"


def page(text):
    printed = ""
    for title, file, table, prefix in LISTS:
        groups = places(file, table)
        if len(groups) > 1:
            printed += "- %s:\n" % title
        for group, paths in groups:
            printed += item(group or title, paths, prefix, "  " if len(groups) > 1 else "")
    return printed_page.replace_between(text, MARKS, "\n" + printed + "\n")


if __name__ == "__main__":
    printed_page.main(PAGE, page, "the tables")
