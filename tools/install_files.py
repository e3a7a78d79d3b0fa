#!/usr/bin/env python3
"""Puts in place what is not compiled: skills, documents, man pages, completions.  `meson install` runs it.

usage: install_files.py SKILLSDIR DATADIR MANDIR [SKILL-ID=PROGRAM]...     (folders relative to the prefix)

It looks at the tree when it runs, so a new document or a new file of a skill needs no row anywhere.  What git ignores
and what editors leave behind stays out; the programs of skills in C come from the build folder, for the one beside the
source is made for this machine by hand.
"""
import os
import re
import shutil
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
JUNK = re.compile(r"(^|/)(\.[^/]*|#[^/]*#|__pycache__/.*|[^/]*(~|\.(orig|rej|bak|pyc|o)))$")
COMPLETIONS = {"bash": "bash-completion/completions/writ", "zsh": "zsh/site-functions/_writ",
               "fish": "fish/vendor_completions.d/writ.fish"}


def files_of_tree(tree=TREE):
    """Every file of the tree, relative to it: what git tracks or would; all that is there when this is no clone, or when
    there is no git."""
    if os.path.exists(os.path.join(tree, ".git")) and shutil.which("git"):
        listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", tree, "ls-files", "-z", "--cached", "--others",
                                  "--exclude-standard"], check=True, stdout=subprocess.PIPE).stdout.decode()
        names = {name for name in listing.split("\0") if name and os.path.isfile(os.path.join(tree, name))}
    else:
        names = {os.path.relpath(os.path.join(folder, name), tree)
                 for top in ("skills", "docs", "src/cli/completion") for folder, _, files in os.walk(os.path.join(tree, top))
                 for name in files}
        names.update(name for name in os.listdir(tree) if os.path.isfile(os.path.join(tree, name)))
    return sorted(name for name in names if not JUNK.search(name))


def place_of(name, skillsdir, datadir, mandir):
    """Where a file of the tree is installed below the prefix; None: it is not."""
    top, _, rest = name.partition("/")
    if top == "skills" and rest:
        folder, base = os.path.split(name)
        is_built = base == "main" and os.path.exists(os.path.join(TREE, folder, "main.c"))
        return None if is_built else os.path.join(skillsdir, rest)
    if re.fullmatch(r"docs/man/[^/]+\.[1-8]", name):
        return os.path.join(mandir, "man" + name[-1], os.path.basename(name))
    shell = re.fullmatch(r"src/cli/completion/writ\.(\w+)", name)
    if shell:
        return os.path.join(datadir, COMPLETIONS[shell.group(1)])
    # As in the tree, so that the links from one document to the next hold.
    if name == "LICENSE" or re.fullmatch(r"(docs/)?[^/]+\.md", name):
        return os.path.join(datadir, "doc", "writ", name)
    return None


def put(source, target, mode):
    os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
    if os.path.lexists(target):
        os.unlink(target)
    shutil.copyfile(source, target)
    shutil.copystat(source, target)
    os.chmod(target, mode)


def main():
    skillsdir, datadir, mandir, *programs = sys.argv[1:]
    prefix = os.environ["MESON_INSTALL_DESTDIR_PREFIX"]
    os.umask(0o022)
    for name in files_of_tree():
        place = place_of(name, skillsdir, datadir, mandir)
        if place:
            source = os.path.join(TREE, name)
            put(source, os.path.join(prefix, place), 0o755 if os.stat(source).st_mode & 0o100 else 0o644)
    for program in programs:
        skill, _, source = program.partition("=")
        target = os.path.join(prefix, skillsdir, skill, "main")
        put(source, target, 0o755)
        os.utime(target)  # newer than its source, or the first call would build it anew


if __name__ == "__main__":
    main()
