#!/usr/bin/env python3
"""docs/configuration.md lists every setting of src/skill/settings.h as the header has it, and each one is asked for."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import settings  # noqa: E402
from sources import c_files, read  # noqa: E402
from tap import Tap  # noqa: E402


def main():
    tap = Tap()
    rows, text = settings.rows(), read("docs/configuration.md")
    ids = re.findall(r"^    X\((\w+),", read("src/skill/settings.h"), re.M)
    tap.case("each row of WRIT_SETTINGS is understood", [] if rows and len(rows) == len(ids) else ["not all are"])
    tap.case("the page has what the header gives", [] if settings.page(text) == text else ["run tools/settings.py"])
    users = "".join(read(name) for name in c_files(".c") if name.startswith(("src/run/", "src/cli/")))
    tap.case("each setting is used", ["%s is asked for nowhere" % one for one in ids
                                      if not re.search(r"\bWRIT_SETTING_%s\b" % one, users)])
    tap.done()


main()
