#!/usr/bin/env python3
"""docs/contracts.md lists every field that src/skill/ reads, with its form and meaning, and nothing else (S4.1)."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import contracts  # noqa: E402
from sources import all_files, read  # noqa: E402
from tap import Tap  # noqa: E402


def main():
    tap = Tap()
    tables, text = contracts.tables(), read("docs/contracts.md")
    sources = "".join(read(name) for name in all_files() if re.match(r"src/skill/contract_\w+\.c$", name))
    written = len(re.findall(r"^const struct contract_table ", sources, re.M))
    tap.case("each table of fields is in the program's list and understood",
             [] if len(tables) == written and all(rows for _, rows in tables) else ["%d of %d" % (len(tables), written)])
    bodies = "\n".join(body for _, body in contracts.FIELDS.findall(sources))
    written, understood = len(re.findall(r"^    \{\"", bodies, re.M)), sum(len(rows) for _, rows in tables)
    tap.case("each row is understood", [] if written == understood else ["%d of %d" % (understood, written)])
    tap.case("the page is what the tables give", [] if text == contracts.page(text) else ["run tools/contracts.py"])
    tap.done()


main()
