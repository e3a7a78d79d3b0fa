#!/usr/bin/env python3
"""The test driver counts what really happened: a test that ends early, hangs or contradicts itself has failed."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import test as driver  # noqa: E402
from tap import Tap  # noqa: E402

# title, exit status (None: had to be ended), output, passed, failed, skipped
CASES = [
    ("TAP that passes", 0, "1..2\nok 1 - a\nok 2 - b\n", 2, 0, 0),
    ("TAP with a failure", 1, "1..2\nok 1 - a\nnot ok 2 - b\n", 1, 1, 0),
    ("TAP with a skip", 0, "1..1\nok 1 - a # SKIP no data\n", 0, 0, 1),
    ("two plans, as of two cmocka groups", 0, "1..1\nok 1 - a\n1..1\nok 1 - b\n", 2, 0, 0),
    ("TAP that ends early with status 0", 0, "1..3\nok 1 - a\n", 1, 1, 0),
    ("TAP that ends by a signal", -11, "1..3\nok 1 - a\n", 1, 1, 0),
    ("a failed case and status 0", 0, "1..1\nnot ok 1 - a\n", 0, 2, 0),
    ("all cases pass and a bad status, as of a leak", 23, "1..1\nok 1 - a\n", 1, 1, 0),
    ("a program that hangs", None, "1..1\nok 1 - a\n", 1, 1, 0),
    ("no TAP, status 0", 0, "fine\n", 1, 0, 0),
    ("no TAP, status 1", 1, "broken\n", 0, 1, 0),
    ("no TAP, status 77", 77, "no data\n", 0, 0, 1),
    ("unittest that passes", 0, "...\n---\nRan 3 tests in 0.1s\n\nOK (skipped=1)\n", 2, 0, 1),
    ("unittest that fails", 1, "FAIL: a (b)\n---\nRan 3 tests in 0.1s\n\nFAILED (failures=1)\n", 2, 1, 0),
    ("unittest with nothing in it", 5, "\n---\nRan 0 tests in 0.0s\n\nOK\n", 0, 1, 0),
]


def main():
    tap = Tap()
    for title, status, text, *wanted in CASES:
        result = driver.count_cases({"name": "t"}, status, text)
        found = [result.passed, result.failed, result.skipped]
        tap.case(title, [] if found == wanted else ["passed, failed, skipped: wanted %s, got %s" % (wanted, found)])
    result = driver.count_cases({"name": "t"}, 0, "1..1\nok 1 - a # SKIP\n# skipped: no shared data\n")
    tap.case("the reason of a skip is what was printed about it",
             [] if "no shared data" in result.skips[0] else result.skips)
    tap.case("a closed folder above a file is seen", [] if driver.readable_by_all("/etc/passwd")
             and not driver.readable_by_all("/proc/self/environ") else ["wrong about /etc/passwd or /proc"])
    tap.done()


main()
