#!/usr/bin/env python3
"""The runner of command-line cases, tried on cases that must pass and cases that must not."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap  # noqa: E402 (its folder is only known now)

# title, case file, what the runner must say of it: "ok", "not ok" or "SKIP"
CASES = [
    ("matching output", "  $ echo a; echo b\n  a\n  b\n", "ok"),
    ("other output", "  $ echo a\n  b\n", "not ok"),
    ("missing output", "  $ true\n  a\n", "not ok"),
    ("left over output", "  $ echo a; echo b\n  a\n", "not ok"),
    ("standard error apart", "  $ echo a >&2; echo b\n  b\n  ! a\n", "ok"),
    ("standard error is no standard output", "  $ echo a >&2\n  a\n", "not ok"),
    ("an exit status", "  $ exit 3\n  [3]\n", "ok"),
    ("an exit status nobody expected", "  $ exit 3\n", "not ok"),
    ("an exit status that did not come", "  $ true\n  [3]\n", "not ok"),
    ("a regular expression", "  $ echo 'took 12 ms'\n  took \\d+ ms (re)\n", "ok"),
    ("a regular expression for the whole line", "  $ echo 'it took 12 ms'\n  took \\d+ ms (re)\n", "not ok"),
    ("a glob with brackets", "  $ echo '[1, 2]'\n  [1, *] (glob)\n", "ok"),
    ("any lines", "  $ seq 9\n  1\n  ...\n  9\n", "ok"),
    ("any lines, and one that is not among them", "  $ seq 9\n  1\n  ...\n  10\n", "not ok"),
    ("no end of line", "  $ printf a\n  a (no-eol)\n", "ok"),
    ("bytes that are not text", "  $ printf '\\377\\001\\n'\n  \\xff\\x01\n", "ok"),
    ("a here-document", "  $ cat <<END\n  > a\n  >\n  > b\n  > END\n  a\n  \n  b\n", "ok"),
    ("files stay between commands", "  $ echo a >f\n  $ cat f\n  a\n", "ok"),
    ("a home of its own", "  $ test \"$HOME\" != \"$TREE\" && ls -A \"$HOME\"\n", "ok"),
    ("standard input is empty", "  $ cat\n", "ok"),
    ("a command that hangs", "timeout: 0.2\n  $ sleep 60\n", "not ok"),
    ("a program that is not there", "requires: no-such-program\n  $ true\n", "SKIP"),
    ("a case without a command", "Only words.\n", "not ok"),
]
MARKDOWN = "# t\n```console\n$ false\n```\n```console runnable\n$ echo a\na\n```\n```console runnable\n$ echo a\nb\n```\n"
MARKDOWN += "```console runnable no-such-program sh\n$ echo a\na\n```\n"
MARKDOWN += "```console runnable\n$ echo 'a [1] b'\na […] b\n```\n```console runnable\n$ echo abc\na…d\n```\n"
MARKDOWN += "```console runnable\n$ echo a >f\n```\nThen:\n```console runnable continued\n$ cat f\na\n```\n"


def run(*arguments):
    done = subprocess.run([sys.executable, os.path.join(HERE, "run.py"), *arguments], stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.t")
        for title, text, wanted in CASES:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            status, printed = run(path)
            first = printed.split("\n")[0]
            found = "SKIP" if "# SKIP" in first else "not ok" if first.startswith("not ok") else "ok"
            good = found == wanted and (status != 0) == (wanted == "not ok")
            tap.case(title, [] if good else ["wanted %s, exit status %d and:\n%s" % (wanted, status, printed)])

        os.mkdir(os.path.join(folder, "case"))
        with open(os.path.join(folder, "case", "data.txt"), "w", encoding="utf-8") as file:
            file.write("from beside\n")
        with open(path, "w", encoding="utf-8") as file:
            file.write("Prose.\n  $ cat data.txt; echo 5 ms\n  old\n  \\d+ ms (re)\n")
        run("--update", path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        tap.case("an update keeps prose and varying lines, and copies the folder beside",
                 [] if text == "Prose.\n  $ cat data.txt; echo 5 ms\n  from beside\n  \\d+ ms (re)\n" else [text])

        path = os.path.join(folder, "README.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(MARKDOWN)
        status, printed = run(path)
        verdicts = [line.split(" - ")[0] for line in printed.split("\n") if line.startswith(("ok", "not ok"))]
        tap.case("runnable blocks of a Markdown file",
                 [] if verdicts == ["ok 1", "not ok 2", "ok 3", "ok 4", "not ok 5", "ok 6"] and status and "SKIP" in printed else [printed])
    tap.done()


main()
