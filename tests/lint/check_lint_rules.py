#!/usr/bin/env python3
"""docs/lint.md lists every rule of src/skill/lint.h with its severity and its sentences, and nothing else; so does the
program.  usage: check_lint_rules.py BUILD-FOLDER"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import lint_rules  # noqa: E402
from sources import read  # noqa: E402
from tap import Tap  # noqa: E402


def main():
    tap = Tap()
    rows, text = lint_rules.rules(), read("docs/lint.md")
    printed = subprocess.run([os.path.join(sys.argv[1], "writ"), "lint", "--rules", "--json"], check=True,
                             stdout=subprocess.PIPE).stdout
    told = [(rule["name"], rule["severity"], rule["fix"], rule["summary"], rule["help"])
            for rule in json.loads(printed)["rules"]]
    tap.case("each row of WRIT_LINT_RULES is understood, and the program tells it",
             ["%s" % row[0] for row in set(rows) ^ set(told)] if rows else ["none is"])
    tap.case("the page is what the header gives", [] if text == lint_rules.page(text) else ["run tools/lint_rules.py"])
    tap.case("rules go from errors to notes",
             [] if [row[1] for row in rows] == sorted((row[1] for row in rows), key=["error", "warning", "note"].index)
             else ["they do not"])
    tap.case("names are there once", [name for name, *_ in rows if [row[0] for row in rows].count(name) > 1])
    tap.done()


main()
