#!/usr/bin/env python3
"""`make install` puts the program and whole skills in place, and `make uninstall` leaves nothing behind.
usage: check_install.py BUILD-FOLDER
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sources import TREE, all_files  # noqa: E402
from tap import Tap  # noqa: E402


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder)
                  for name in names)


def main():
    tap = Tap()
    build = sys.argv[1]
    with tempfile.TemporaryDirectory() as destination:
        installed = subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir",
                                    destination], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        tap.case("the build installs", [] if installed.returncode == 0 else [installed.stdout])
        present = files_below(destination)
        wanted = ["bin/writ"] + ["share/writ/" + name for name in all_files() if name.startswith("skills/")]
        tap.case("the program and every file of the shipped skills are there",
                 [name for name in wanted if not any(path.endswith("/" + name) for path in present)])
        loose = [path for path in present if os.stat(os.path.join(destination, path)).st_mode & 0o022]
        tap.case("nothing installed can be changed by others", loose)
        removed = subprocess.run([sys.executable, "-B", os.path.join(TREE, "tools", "uninstall.py"), build, destination],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        tap.case("the build uninstalls", [] if removed.returncode == 0 else [removed.stdout])
        tap.case("nothing is left", files_below(destination)
                 + [place for place, _, _ in os.walk(destination) if os.path.basename(place) == "writ"])
    tap.done()


main()
