#!/usr/bin/env python3
"""Completion in real shells on a real pseudo-terminal:  test.py PROGRAM

A line is typed, Tab is pressed, and the line is run with `words` in place of writ, a function that prints each of its
arguments: what a shell has put into the line is told by what it then takes it for, so bad quoting shows as bad words.
A shell that is not installed is skipped, and said to be.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
from tap import Tap  # noqa: E402 (its folder is only known now)

SKILLS = os.path.join(HERE, "skills")
DEADLINE_SECONDS = 60
HOSTILE = ["$(touch pwned)", "`touch pwned`", "a b;touch pwned", "it's", "终端", "é$(touch pwned)", "r';touch pwned;'"]

# `words` prints its arguments, each between marks that no prompt holds.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "PS1='READY>'; PS2='MORE>'; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; "
             "bind 'set completion-query-items 0'; bind 'set page-completions off'; "
             "words() { printf '{%s}' \"$@\"; echo '{end}'; }; source <(writ completion bash)\n"),
    "zsh": (["zsh", "-f", "-i"],
            "PS1='READY>'; PS2='MORE>'; unsetopt zle_bracketed_paste prompt_sp; bindkey -e; autoload -U compinit; compinit -u -D; "
            "LISTMAX=1000; words() { printf '{%s}' \"$@\"; echo '{end}' }; source <(writ completion zsh)\n"),
}


class Shell:
    """An interactive shell that waits at its prompt."""

    def __init__(self, name, folder, environment):
        argv, setup = SHELLS[name]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(argv[0], argv, environment)
        self.seen = b""
        os.write(self.fd, setup.encode())
        # The set-up line is echoed with the prompt's text in quotes; a prompt stands alone.
        self.wait(rb"(?:^|[\r\n])(?:\x1b\[[0-9;?]*[a-zA-Z])*READY>")

    def wait(self, pattern):
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not re.search(pattern, self.seen):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                raise TimeoutError("%r did not come; there was %r" % (pattern, self.seen[-2000:]))
            self.seen += os.read(self.fd, 65536)
        found = re.search(pattern, self.seen)
        self.seen = self.seen[found.end():]
        return found

    def complete(self, line):
        """The words that the line has after Tab, when run with `words`; None when a quote is open at its end, and
        then the shell waits for more."""
        os.write(self.fd, ("writ " + line + "\t").encode())
        # To the line's start, over `writ`, and run; the shell reads these only after it has completed.
        os.write(self.fd, b"\x01\x1bd" + b"words" + b"\r")
        found = self.wait(rb"\{(?:[^{}]*\}\{)*end\}|MORE>")
        if found.group(0) == b"MORE>":
            return None
        self.wait(rb"READY>")
        return found.group(0).decode()[1:-1].split("}{")[:-1]

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


CASES = [
    ("a command", "aud", ["audit"]),
    ("the second word of a command", "schema ch", ["schema", "check"]),
    ("an option", "list --js", ["list", "--json"]),
    ("an option's choice", "audit --outcome su", ["audit", "--outcome", "succeeded"]),
    ("a choice joined to its option", "audit --outcome=su", ["audit", "--outcome=succeeded"]),
    ("a class, whose name has a colon", "audit --class input:i", ["audit", "--class", "input:invalid"]),
    ("an id", "show com.example.text", ["show", "com.example.text.stats"]),
    ("an id after an option", "run --skills skills com.example.h", ["run", "--skills", "skills", "com.example.hostile.words"]),
    ("a version", "run com.example.text.stats@", ["run", "com.example.text.stats@1.0.0"]),
    ("a field of a skill", "run com.example.text.stats --te", ["run", "com.example.text.stats", "--text"]),
    ("a file, for a field that a permission opens", "run --skills skills com.example.hostile.words --file one",
     ["run", "--skills", "skills", "com.example.hostile.words", "--file", "one file.txt"]),
    ("a folder", "lint fold", ["lint", "folder/"]),
    ("a folder joined to its option", "list --skills=fold", ["list", "--skills=folder/"]),
    ("a skill by its folder", "run ./fold", ["run", "./folder/"]),
    ("nothing where nothing is known", "run com.example.no.such --x y", ["run", "com.example.no.such", "--x", "y"]),
]


def check_shell(tap, name, folder, environment):
    if not shutil.which(SHELLS[name][0][0]):
        tap.skip(name, "there is no %s here" % name)
        return
    shell = Shell(name, folder, environment)
    for title, line, wanted in CASES:
        # zsh takes the slash of a folder away again when the line is run.
        words = [word.rstrip("/") for word in shell.complete(line)]
        tap.case("%s: %s" % (name, title), [] if words == [word.rstrip("/") for word in wanted] else ["%r gave %r" % (line, words)])
    for word, typed in zip(HOSTILE, ["\\$", "\\`", "a", "i", "终", "é", "r"]):
        words = shell.complete("run --skills skills com.example.hostile.words --word " + typed)
        tap.case("%s: %s is one word that runs nothing" % (name, word),
                 [] if words[-1:] == [word] else ["gave %r" % words])
    shell.close()
    # In the plainest locale bash can write such a word with escapes alone, which mean nothing within quotes.
    for locale in ("C.UTF-8", "C"):
        faults = []
        for quote in ('"', "'", "$'", "x'y'\""):
            for word, start in (("é$(touch pwned)", "é"), ("r';touch pwned;'", "r")):
                shell = Shell(name, folder, {**environment, "LC_ALL": locale})
                words = shell.complete("run --skills skills com.example.hostile.words --word " + quote + start)
                shell.close()
                if words and words[-1] not in (word, start) and len(quote) == 1:
                    faults.append("%r gave %r" % (quote + start, words))
        tap.case("%s: %s: within quotes a choice is itself or is not offered" % (name, locale), faults)
    shell = Shell(name, folder, environment)
    with open(os.path.join(folder, "writ"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\ntouch pwned\n")
    os.chmod(os.path.join(folder, "writ"), 0o755)
    os.write(shell.fd, b"./writ aud\t")
    shell.wait(b"audit")
    tap.case("%s: nothing was run" % name, os.path.exists(os.path.join(folder, "pwned")) and ["a choice was obeyed"] or [])
    shell.close()


def check_fish(tap, folder, environment):
    if not shutil.which("fish"):
        tap.skip("fish", "there is no fish here")
        return
    for title, line, wanted in CASES:
        script = "writ completion fish | source; complete -C 'writ %s'" % line
        printed = subprocess.run(["fish", "--no-config", "-c", script], cwd=folder, env=environment, check=True,
                                 capture_output=True, text=True).stdout
        words = [answer.split("\t")[0] for answer in printed.splitlines()]
        last = wanted[-1]
        found = last in words or title.startswith("nothing")
        tap.case("fish: %s" % title, [] if found else ["%r gave %r" % (line, words)])


def ask(environment, folder, *words):
    run = subprocess.run(["writ", "complete", "--", *words], cwd=folder, env=environment, capture_output=True, text=True,
                         check=True)
    return run.stdout.splitlines()


def check_answers(tap, folder, environment):
    answers = ask(environment, folder, "run", "--skills", "skills", "com.example.hostile.words", "--word", "")
    tap.case("what is no word on one line is not offered",
             [] if [a.split("\t")[0] for a in answers] == ["words"] + HOSTILE else [answers])
    answers = ask(environment, folder, "run", "--skills", "skills", "com.example.hostile.words", "--wo")
    tap.case("a meaning cannot steer the terminal", [] if answers == ["words", "--word\tA word with"] else [answers])
    # What lies behind an empty word in memory is the environment.
    answers = ask({"xn": "", **environment}, folder, "run", "--skills", "skills", "com.example.hostile.words", "")
    tap.case("what follows an empty word is not read", [] if not any("--no-" in a for a in answers) else [answers])
    answers = ask(environment, folder, "run", "--skills", "skills", "com.example.hostile.words", "--n")
    tap.case("a switch has a negation", [] if answers == ["words", "--no-bold\tWhether it is bold."] else [answers])
    answers = ask(environment, folder, "run", "com.example.hostile.words", "--wo")
    tap.case("a skill that is not found has no fields", [] if answers == ["words"] else [answers])
    faults = []
    for words in ([""], ["--"], ["-"], ["--color"], ["--color", ""], ["--color="], ["--nonsense="], ["run", "--skills"],
                  ["run", "@", "--"], ["run", "/", "--x="], ["run", "--", "x", "--"], ["help", "a", "b", "c", ""], ["-q"],
                  ["run", "com.example.text.stats", "--text="], ["complete", ""], ["\udcff".encode("utf8", "surrogateescape"), ""]):
        run = subprocess.run(["writ", "complete", "--", *words], cwd=folder, env=environment, capture_output=True)
        if run.returncode != 0 or run.stderr or run.stdout.split(b"\n")[0] not in (b"words", b"files", b"folders"):
            faults.append("%r: %r" % (words, run))
    tap.case("odd lines have an answer too", faults)
    os.makedirs(os.path.join(folder, "project", ".writ"))
    shutil.copytree(SKILLS, os.path.join(folder, "project", ".writ", "skills"))
    answers = ask(environment, os.path.join(folder, "project"), "run", "com.example.h")
    tap.case("a project that is not trusted offers nothing", [] if answers == ["folders"] else [answers])


def main():
    tap = Tap()
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.path.dirname(program) + ":" + os.environ["PATH"], "HOME": os.path.join(folder, "home"),
                       "TERM": "xterm", "LANG": "C.UTF-8", "HISTFILE": "", "XDG_RUNTIME_DIR": folder}
        os.mkdir(os.path.join(folder, "home"))
        work = os.path.join(folder, "work")
        shutil.copytree(SKILLS, os.path.join(work, "skills"))
        os.mkdir(os.path.join(work, "folder"))
        with open(os.path.join(work, "one file.txt"), "w", encoding="utf-8"):
            pass
        check_answers(tap, work, environment)
        for name in SHELLS:
            check_shell(tap, name, work, environment)
        check_fish(tap, work, environment)
    tap.done()


main()
