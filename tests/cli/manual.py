#!/usr/bin/env python3
"""docs/cli.md and docs/man are what the command table gives, and a formatter takes them:  manual.py PROGRAM"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import manual  # noqa: E402 (its folder is only known now)
from tap import Tap  # noqa: E402

# A page has no date, so that it is the same from every build; and its lines are as long as its sentences.
PASSED_OVER = ("STYLE: input text line longer", "WARNING: missing date")


def main():
    tap = Tap()
    table = manual.read_table(os.path.abspath(sys.argv[1]))
    tap.case("the pages are what the table gives", ["docs/%s; run tools/manual.py" % path for path in manual.stale(table)])
    hostile = {"name": "x y", "group": "use skills", "usage": ".TH ID|DIR", "summary": "'a\\b\"-- `c` <d>", "details": ".SH e\n'f",
               "examples": [{"line": "writ \\n 'x'", "meaning": ".g"}], "options": [{"name": "o", "letter": "x",
                                                                                    "value": "A|B", "help": ".h"}]}
    printed = dict(table, commands=table["commands"] + [hostile])
    for formatter in (["mandoc", "-T", "lint"], ["man", "--warnings", "-l", "-"]):
        if not shutil.which(formatter[0]):
            tap.skip("%s takes the pages" % formatter[0], "there is no %s here" % formatter[0])
            continue
        faults = []
        for path, text in manual.pages(printed).items():
            if not path.endswith(".1"):
                continue
            done = subprocess.run(formatter, input=text.encode(), capture_output=True, check=False,
                                  env=dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="80"))
            said = (done.stdout if formatter[0] == "mandoc" else b"") + done.stderr
            faults += ["%s: %s" % (path, line) for line in said.decode().splitlines()
                       if not any(words in line for words in PASSED_OVER)]
        tap.case("%s takes the pages" % formatter[0], faults)
    tap.done()


main()
