#!/usr/bin/env python3
"""Each thing of the house has what belongs to it (house.py), and each of these checks notices when it has not.
usage: check_house.py BUILD-FOLDER
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import house  # noqa: E402
from tap import Tap  # noqa: E402


def main():
    tap = Tap()
    tree = house.Tree.of_project(os.path.join(sys.argv[1], "writ"))
    for function, controls in house.CHECKS:
        title = function.__name__.replace("_", " ")
        faults = function(tree)
        passed = ["control %d passed" % number for number, control in enumerate(controls, 1)
                  if len(function(control(tree))) <= len(faults)]
        tap.case("control: %s" % title, passed if controls else ["there is none"])
        tap.case(title, faults)
    tap.done()


main()
