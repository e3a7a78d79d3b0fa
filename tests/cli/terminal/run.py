#!/usr/bin/env python3
"""Runs cases in which a person sits at a terminal:  run.py [--program FILE] [--only TEXT] [CASES.py]...

A case is a function of a file case_TOPIC.py in this folder; its docstring is its title, its argument a Place.

    def a_list_fits_the_terminal(place):
        '''No line of `writ list` is longer than the terminal is wide.'''
        terminal = place.writ("list", columns=40)
        terminal.expect("com.example.text.stats")
        terminal.ends(0)

To add one, write such a function; nothing has to be registered.  terminal.py says what a terminal can do and screen.py
what can be asked of its screen; `check(condition, what)` is for everything else.  Every wait has a deadline that only a
program that hangs can reach: a case waits for what is printed, never for a time.

A case has a working folder and a home of its own ($HOME, empty, no XDG_* but XDG_RUNTIME_DIR), TERM=xterm-256color,
LANG=C.UTF-8 and TZ=UTC, and the folder of the program first in PATH.  skills/ beside this file holds skills for cases.
TAP on standard output.
"""
import argparse
import importlib.util
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, HERE)
from tap import Tap  # noqa: E402 (its folder is only known now)
from terminal import PATIENCE_SECONDS, Fault, Terminal  # noqa: E402

TREE = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))


class Place:
    """Where one case happens."""

    tree = TREE
    skills = os.path.join(HERE, "skills")

    def __init__(self, program):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="writ-terminal-"))
        self.folder, self.home, runtime = (os.path.join(self.root, name) for name in ("work", "home", "run"))
        for path in (self.folder, self.home, runtime):
            os.mkdir(path, 0o700)
        kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        path = os.environ["PATH"]
        if program:
            path = os.path.dirname(os.path.abspath(program)) + ":" + path
        self.environment = dict(kept, PATH=path, HOME=self.home, XDG_RUNTIME_DIR=runtime, TERM="xterm-256color",
                                TMPDIR=os.environ.get("TMPDIR", "/tmp"), LANG="C.UTF-8", TZ="UTC", TREE=TREE)
        self.terminals = []

    def start(self, *arguments, env=None, **how):
        """A program in a new terminal; `env` over the environment (None takes a name away)."""
        environment = dict(self.environment, **(env or {}))
        environment = {name: value for name, value in environment.items() if value is not None}
        terminal = Terminal(list(arguments), self.folder, environment, **how)
        self.terminals.append(terminal)
        return terminal

    def writ(self, *arguments, **how):
        return self.start("writ", *arguments, **how)

    def run(self, name, *arguments, **how):
        """`writ run` of a skill in skills/."""
        return self.writ("run", "--skills", self.skills, name, *arguments, **how)

    def output(self, *arguments):
        """Standard output of a program that runs without a terminal."""
        done = subprocess.run(arguments, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_SECONDS)
        return done.stdout.decode("utf-8", "replace")

    def processes(self, word):
        """The command lines that name both this place and the word."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % number, encoding="utf-8", errors="replace") as file:
                    line = file.read()
            except OSError:  # gone meanwhile
                continue
            if self.root in line and word in line:
                found.append(line)
        return found

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def close(self):
        for terminal in self.terminals:
            terminal.close()
        shutil.rmtree(self.root, ignore_errors=True)


def load(path):
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [case for case in vars(module).values()
            if inspect.isfunction(case) and case.__module__ == name and case.__doc__ and not case.__name__.startswith("_")]


def run_case(case, program):
    """The faults of one case."""
    place = Place(program)
    try:
        case(place)
        return []
    except Fault as fault:
        where = [frame for frame in traceback.extract_tb(fault.__traceback__) if "case_" in frame.filename]
        return ["%s:%d: %s" % (os.path.basename(where[-1].filename), where[-1].lineno, fault) if where else str(fault)]
    except Exception:  # the case itself is at fault; the others go on
        return [traceback.format_exc()]
    finally:
        place.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program")
    parser.add_argument("--only", help="only cases whose name or title holds this text")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    files = arguments.files or [os.path.join(HERE, name) for name in sorted(os.listdir(HERE))
                                if name.startswith("case_") and name.endswith(".py")]
    tap = Tap()
    for path in files:
        for case in load(path):
            title = "%s: %s" % (os.path.basename(path)[5:-3], inspect.getdoc(case).split("\n")[0])
            if arguments.only and arguments.only not in title and arguments.only not in case.__name__:
                continue
            tap.case(title, run_case(case, arguments.program))
    tap.done()


if __name__ == "__main__":
    main()
