#!/usr/bin/env python3
"""Where writ does not run, configuring stops with one sentence that says so, before anything is compiled.
usage: check_platforms.py BUILD-FOLDER
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sources import TREE  # noqa: E402
from tap import Tap  # noqa: E402

# The compiler is this machine's: what is asked is what meson.build says, not what a compiler would.
CROSS = """[binaries]
c = 'cc'
ar = 'ar'
pkgconfig = 'pkg-config'
[properties]
needs_exe_wrapper = true
[host_machine]
system = '%s'
cpu_family = '%s'
cpu = '%s'
endian = 'little'
"""
PLACES = [("linux", "riscv64", ["x86_64", "aarch64"]), ("linux", "x86", ["x86_64", "aarch64"]),
          ("darwin", "aarch64", ["Linux", "macOS is not supported yet"]), ("windows", "x86_64", ["Linux", "WSL2"]),
          ("freebsd", "x86_64", ["Linux"])]


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as place:
        for system, processor, words in PLACES:
            cross, folder = os.path.join(place, "cross.ini"), os.path.join(place, system + processor)
            with open(cross, "w", encoding="utf-8") as file:
                file.write(CROSS % (system, processor, processor))
            asked = subprocess.run(["meson", "setup", folder, TREE, "--cross-file", cross], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
            error = re.findall(r"ERROR: (.*)", asked.stdout)
            tap.case("%s on %s is refused with its sentence" % (system, processor),
                     [] if asked.returncode and len(error) == 1 and all(word in error[0] for word in words)
                     and "problem encountered" in error[0].lower() else [asked.stdout[-1500:]])
    tap.done()


main()
