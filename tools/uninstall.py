#!/usr/bin/env python3
"""Removes what `make install` put in place:  tools/uninstall.py BUILD-FOLDER [DESTDIR]

Only files that this build would install are touched, and a folder only when it is writ's own or has become empty.
"""
import json
import os
import shutil
import subprocess
import sys


def main():
    folder = sys.argv[1]
    destination = sys.argv[2] if len(sys.argv) > 2 else ""
    listing = subprocess.run(["meson", "introspect", "--installed", folder], check=True, stdout=subprocess.PIPE)
    for path in sorted(json.loads(listing.stdout).values()):
        path = destination + path
        if os.path.islink(path) or os.path.isfile(path):
            os.unlink(path)
        elif os.path.isdir(path):
            shutil.rmtree(path)
        else:
            continue
        print("removed", path)
        parent = os.path.dirname(path)
        while os.path.basename(parent) == "writ" and not os.listdir(parent):
            os.rmdir(parent)
            parent = os.path.dirname(parent)


main()
