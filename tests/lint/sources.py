"""The files that the lints look at."""
import os
import re
import subprocess

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = re.compile(r"(^|/)(\.git|\.cache|__pycache__|build[^/]*)$")


def read(name):
    with open(os.path.join(TREE, name), encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def all_files():
    """Every file of the project relative to its root: what git knows or would, or all that is there without git."""
    if os.path.exists(os.path.join(TREE, ".git")):
        listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", TREE, "ls-files", "-z", "--cached", "--others",
                                  "--exclude-standard"], check=True, stdout=subprocess.PIPE).stdout.decode()
        return sorted(name for name in listing.split("\0") if name and os.path.isfile(os.path.join(TREE, name)))
    names = []
    for folder, folders, files in os.walk(TREE):
        folders[:] = [name for name in folders if not SKIPPED.search(name)]
        names += [os.path.relpath(os.path.join(folder, name), TREE) for name in files]
    return sorted(names)


def c_files(*suffixes):
    return [name for name in all_files() if name.endswith(suffixes or (".c", ".h"))]
