#!/usr/bin/env python3
"""Runs command-line cases and compares all that they print:  run.py [--update] [--program FILE]... CASE|FOLDER...

A case is a text file NAME.t.  Lines that begin with two spaces are a session; all others are prose for the reader.

    A file that is not there is named, and nothing runs.
      $ writ run com.example.text.stats --input missing.json
      ! writ: missing.json: No such file or directory
      [71]

`  $ ` begins a command, `  > ` goes on with it (here-documents too).  It is run by `sh -c`, without standard input.
Below it stand its standard output, then its standard error, each line of that marked `! `, then `[N]` when the exit
status N is not 0.  Every line must match, and none may be missing or left over.  Lines that vary:

    … (re)      the rest of the line is a regular expression for the whole line (after `! `, for standard error)
    … (glob)    `*` stands for any text, `?` for one character
    ...         alone on its line: any number of lines (`! ...` on standard error)
    … (no-eol)  the last line has no line end

Bytes that are not UTF-8, and control characters, are shown as \\xNN.  The first lines of a case may say what it needs:

    requires: pdftotext tesseract       programs; `root` and `ordinary` stand for the user that runs the tests
    timeout: 30                         seconds for each command (20 when nothing is said)

Every case has a working folder of its own, into which the folder NAME/ beside NAME.t is copied if there is one, a HOME
of its own ($HOME, empty, no XDG_* but XDG_RUNTIME_DIR), LANG=C.UTF-8 and TZ=UTC.  $TREE is the root of the sources,
$SHARED the folder of shared data (may be missing).  The folder of each --program comes first in PATH.  In a Markdown
file (README.md) the sessions are the blocks fenced by ```console runnable, without the two spaces; each block is a
case, and what precedes `$ ` in it is not allowed.  Programs that it needs stand behind: ```console runnable git.  One
that begins ```console runnable continued goes on with the case before it.  In a line of output `…` stands for any text,
for readers are not to see (glob).  The folder documents/NAME/ beside this program is copied for NAME.md.

`--update` writes what was printed into the case, keeping the varying lines that match.  TAP on standard output.
"""
import argparse
import difflib
import fnmatch
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap  # noqa: E402 (its folder is only known now)

TREE = os.path.dirname(os.path.dirname(HERE))
OUTPUT_BYTES_MAX = 1 << 20


class Step:
    """One command with the lines expected below it."""

    def __init__(self, command, line):
        self.command = command
        self.line = line
        self.expected = []
        self.printed = []


class Case:
    """A session: `head` holds what it needs, `parts` its prose (strings) and its steps, in order."""

    def __init__(self, title, path):
        self.title, self.path = title, path
        self.head, self.parts = {}, []

    @property
    def steps(self):
        return [part for part in self.parts if isinstance(part, Step)]


def add_line(case, number, line):
    """Adds one line of a session: a command, its continuation, or what is expected below it."""
    step = case.parts[-1] if case.parts and isinstance(case.parts[-1], Step) else None
    if line.startswith("$ "):
        case.parts.append(Step(line[2:], number))
    elif step is None:
        raise ValueError("%s:%d: output without a command above it" % (case.path, number))
    elif (line == ">" or line.startswith("> ")) and not step.expected:
        step.command += "\n" + line[2:]
    else:
        step.expected.append(line)


def read_case(path):
    case = Case(os.path.splitext(os.path.basename(path))[0], path)
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    in_head = True
    for number, line in enumerate(lines, 1):
        found = re.match(r"(requires|timeout):\s*(.*)", line) if in_head else None
        if found:
            case.head[found.group(1)] = found.group(2).split()
        else:
            in_head = False
        if line.startswith("  "):
            add_line(case, number, line[2:])
        else:
            case.parts.append(line)
    return [case]


def read_markdown(path):
    """The runnable blocks of a Markdown file, each a case."""
    cases, inside = [], False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            fence = re.fullmatch(r"```console runnable((?: \S+)*)", line.strip()) if not inside else None
            words = fence.group(1).split() if fence else []
            if words == ["continued"] and cases:
                inside = True
            elif fence:
                cases.append(Case("%s, block %d" % (os.path.basename(path), len(cases) + 1), path))
                cases[-1].head["requires"] = words
                inside = True
            elif inside and line.strip() == "```":
                inside = False
            elif inside:
                is_output = not line.startswith(("$ ", "> "))
                add_line(cases[-1], number, line.replace("…", "*") + " (glob)" if is_output and "…" in line else line)
    return cases


def shown(raw):
    """Bytes as lines of text that can stand in a case."""
    text = raw.decode("utf-8", "backslashreplace")
    text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda found: "\\x%02x" % ord(found.group()), text)
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += " (no-eol)"
    return lines


def line_matches(expected, printed):
    if expected == printed:
        return True
    if expected.startswith("! ") != printed.startswith("! "):
        return False
    if expected.startswith("! "):
        expected, printed = expected[2:], printed[2:]
    if expected.endswith(" (re)"):
        return re.fullmatch(expected[:-5], printed) is not None
    if expected.endswith(" (glob)"):
        # Only * and ? are special, so that JSON's brackets can stand as they are.
        return fnmatch.fnmatchcase(printed, expected[:-7].replace("[", "[[]"))
    return False


def align(expected, printed):
    """Pairs each printed line with the expected line that it matches, or returns None.  `...` takes any lines."""
    if not expected:
        return [] if not printed else None
    if expected[0] in ("...", "! ..."):
        marked = expected[0].startswith("! ")
        for taken in range(len(printed) + 1):
            if taken and printed[taken - 1].startswith("! ") != marked:
                return None
            rest = align(expected[1:], printed[taken:])
            if rest is not None:
                return [expected[0]] + rest
        return None
    if not printed or not line_matches(expected[0], printed[0]):
        return None
    rest = align(expected[1:], printed[1:])
    return None if rest is None else [expected[0]] + rest


def run_step(step, folder, environment, timeout):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(["sh", "-c", step.command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        out.seek(0)
        err.seek(0)
        step.printed = shown(out.read(OUTPUT_BYTES_MAX))
        step.printed += ["! " + line for line in shown(err.read(OUTPUT_BYTES_MAX))]
    if status is None:
        step.printed.append("[still running after %d s]" % timeout)
    elif status:
        step.printed.append("[%d]" % status)


def missing_need(case):
    """Why this case cannot run here, or None."""
    for need in case.head.get("requires", []):
        if need in ("root", "ordinary"):
            if (os.geteuid() == 0) != (need == "root"):
                return "needs to be run as %s" % ("root" if need == "root" else "an ordinary user")
        elif not shutil.which(need):
            return "%s is not installed" % need
    return None


def run_case(case, programs):
    """Runs every step; returns the faults as differences."""
    place = os.path.realpath(tempfile.mkdtemp(prefix="writ-cli-"))
    try:
        folder, home, runtime = (os.path.join(place, name) for name in ("work", "home", "run"))
        for path in (folder, home, runtime):
            os.mkdir(path, 0o700)
        files = os.path.splitext(case.path)[0]
        if not case.path.endswith(".t"):
            files = os.path.join(HERE, "documents", os.path.basename(files))
        if os.path.isdir(files):
            shutil.copytree(files, folder, symlinks=True, dirs_exist_ok=True)
        path = ":".join([os.path.dirname(os.path.abspath(program)) for program in programs] + [os.environ["PATH"]])
        kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        environment = dict(kept, PATH=path, HOME=home, XDG_RUNTIME_DIR=runtime, TMPDIR=os.environ.get("TMPDIR", "/tmp"),
                           LANG="C.UTF-8", TZ="UTC", TREE=TREE, SHARED=os.path.join(os.path.dirname(TREE), "shared"))
        timeout = float(case.head.get("timeout", ["20"])[0]) * (4 if "ASAN_OPTIONS" in kept else 1)
        faults = []
        for step in case.steps:
            run_step(step, folder, environment, timeout)
            step.printed = [line.replace(place, "$PLACE") for line in step.printed]
            if align(step.expected, step.printed) is None:
                difference = difflib.unified_diff(step.expected, step.printed, "expected", "printed", lineterm="", n=20)
                faults.append("%s:%d: $ %s\n%s" % (case.path, step.line, step.command, "\n".join(list(difference)[2:])))
        return faults
    finally:
        shutil.rmtree(place, ignore_errors=True)


def updated(step):
    """The lines to expect from now on: what was printed, with the varying lines that still match kept."""
    if align(step.expected, step.printed) is not None:
        return step.expected
    varying = [line for line in step.expected if line.endswith((" (re)", " (glob)"))]
    return [next((line for line in varying if line_matches(line, printed)), printed) for printed in step.printed]


def write_case(case):
    lines = []
    for part in case.parts:
        if isinstance(part, Step):
            command = part.command.split("\n")
            lines += ["  $ " + command[0]] + [("  > " + line).rstrip() for line in command[1:]]
            lines += ["  " + line for line in updated(part)]
        else:
            lines.append(part)
    with open(case.path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("cases", nargs="+")
    arguments = parser.parse_args()
    paths = []
    for path in arguments.cases:
        if os.path.isdir(path):
            paths += sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".t"))
        else:
            paths.append(path)
    tap = Tap()
    for path in paths:
        for case in read_case(path) if path.endswith(".t") else read_markdown(path):
            need = missing_need(case)
            if need:
                tap.skip(case.title, need)
                continue
            faults = run_case(case, arguments.program)
            if not case.steps:
                faults.append("%s: no command in it" % case.path)
            if arguments.update and path.endswith(".t"):
                write_case(case)
            tap.case(case.title, faults)
    tap.done()


if __name__ == "__main__":
    main()
