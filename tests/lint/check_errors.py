#!/usr/bin/env python3
"""docs/errors.md lists every class of error.h with its exit status and its sentence, and nothing else; and for each that
can come, what it usually comes from and what to do (S4.5)."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import errors  # noqa: E402
from sources import read  # noqa: E402
from tap import Tap  # noqa: E402


def main():
    tap = Tap()
    rows, text = errors.rows(), read("docs/errors.md")
    tap.case("each row of WRIT_CODES is understood",
             [] if rows and len(rows) == len(re.findall(r"^    X\(", read("src/base/error.h"), re.M)) else ["not all are"])
    listed = re.findall(r"^\| `([^`]+)` \| (\d+) \| (.+) \|$", text, re.M)
    tap.case("each class is in the page with its exit status and meaning",
             ["%s (%s): %s" % row[1:] for row in rows if row[1:] not in listed])
    tap.case("the page lists no other class", ["%s" % row[0] for row in listed if row not in [row[1:] for row in rows]])
    tap.case("the page is what the header gives", [] if text == errors.page(text) else ["run tools/errors.py"])
    advice = re.findall(r"^\| `([^`]+)` \| ([^|]{10,}) \| ([^|]{10,}) \|$", text, re.M)
    wanted = {row[1] for row in rows} - set(errors.reserved())
    told = [row[0] for row in advice if not row[1].isdigit()]
    tap.case("each class that can come has its cause and the next step, once",
             sorted(wanted ^ set(told)) + sorted({name for name in told if told.count(name) > 1}))
    for title, index in (("class", 1), ("exit status", 2)):
        values = [row[index] for row in rows]
        tap.case("no two have one %s" % title, sorted({value for value in values if values.count(value) > 1}))
    tap.done()


main()
