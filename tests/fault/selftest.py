#!/usr/bin/env python3
"""Proves that inject.py can fail: small commands that bear a failing call badly must each be found, and one that bears
it well must pass."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from tap import Tap  # noqa: E402

# What stands in @F is read by `cat`; each shell around it makes another mistake of its failure.
CASES = (
    ("a command that tells its failure passes", "cat @F", None),
    ("success with wrong output is found", "cat @F; exit 0", "but prints b''"),
    ("an exit status that is not documented is found", "cat @F || exit 9", "exit status 9 is not documented"),
    ("a failure without a word is found", "cat @F 2>/dev/null", "without a word"),
    ("a crash is found", "cat @F || kill -SEGV $$", "ended by signal 11 (SIGSEGV)"),
    ("a crash of a child that is still the command is found",
     "cat @F && exit 0; (kill -SEGV $(exec sh -c 'echo $PPID'); :); exit 1", "a process crashed"),
    ("a command that never ends is found", "until cat @F; do :; done >/dev/null", "still running after"),
    ("a process that is left behind is found", "cat @F || { sleep 60 & exit 1; }", "still running after"),
)


def run(command, *options):
    done = subprocess.run([sys.executable, os.path.join(HERE, "inject.py"), "--seconds", "3", "--status", "0,1",
                           "--started", "openat.*probe", *options, "--", "sh", "-c", command],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        probe = os.path.join(folder, "probe")
        with open(probe, "w", encoding="ascii") as file:
            file.write("hello\n")
        # ENOENT is the last of openat's sampled errors and meets the file itself, which cat opens last.
        for title, command, wanted in CASES:
            status, text = run(command.replace("@F", probe), "--only", "openat")
            if "# SKIP" in text:
                print("# skipped: " + text.split("# SKIP", 1)[1].strip())
                tap.skip(title, "faults cannot be injected here")
                continue
            ok = status == 0 if wanted is None else status == 1 and wanted in text
            tap.case(title, [] if ok else [text])
        status, text = run("cat %s; cat %s >&2" % (probe, probe), "--only", "openat", "--after", "test -e @H/nothing")
        if "# SKIP" not in text:
            tap.case("a bad state afterwards is found", [] if status == 1 and "afterwards `" in text else [text])
        status, text = run("cat %s || echo hello" % probe, "--only", "openat", "--guard", "openat")
        if "# SKIP" not in text:
            tap.case("success without a protection is found",
                     [] if status == 1 and "although a protection failed" in text else [text])
        status, text = run("date +%N", "--only", "openat")
        if "# SKIP" not in text:
            tap.case("a command that prints something else each time is refused",
                     [] if status == 1 and "the second time it ends with" in text else [text])
    tap.done()


if __name__ == "__main__":
    main()
