#!/usr/bin/env python3
"""`make install` and `make uninstall`.

usage: install.py install BUILD-FOLDER PREFIX DESTDIR
       install.py uninstall PREFIX DESTDIR               (DESTDIR "": the prefix itself)

What is installed is made in a folder of its own by `meson install` and then put in place file by file, each by a
rename, so that a program in use is never half written.  A list of it stays below the prefix: from it `uninstall` knows
what to take away without a build, and the next `install` knows what an older version brought and a newer one no longer
does.  Files that are not in the list are never touched; a folder goes when it is empty and `install` had made it.
"""
import os
import shutil
import stat
import subprocess
import sys
import tempfile

LIST = "lib/writ/installed-files"
HEADER = "# What `make install` put below this prefix; `make uninstall` takes it away. A slash ends the folders it made.\n"
LIST_BYTES_MAX = 1 << 20


class Refusal(Exception):
    """One sentence for the person."""


def read_list(root):
    """(files, folders) of what an earlier install put below `root`, relative to it; both empty when there was none."""
    path = os.path.join(root, LIST)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(LIST_BYTES_MAX + 1)
    except FileNotFoundError:
        return set(), set()
    names = [name for name in text.split("\n") if name and not name.startswith("#")]
    for name in names:
        steps = name.rstrip("/").split("/")
        above = name.endswith("/") and set(steps) == {".."}  # a folder above the prefix, removed only when empty
        if len(text) > LIST_BYTES_MAX or name.startswith("/") or (".." in steps and not above):
            raise Refusal("%s is damaged (%s): remove the files of writ by hand" % (path, name[:80]))
    return {name for name in names if not name.endswith("/")}, {name for name in names if name.endswith("/")}


def write_list(root, files, folders):
    put(root, LIST, (HEADER + "".join(name + "\n" for name in sorted(files | folders))).encode(), 0o644)


def put(root, name, content, mode, times=None):
    """Writes a file beside its place and renames it there."""
    target = os.path.join(root, name)
    if os.path.isdir(target) and not os.path.islink(target):
        raise Refusal("%s is a folder, and a file of writ belongs there" % target)
    try:
        handle, temporary = tempfile.mkstemp(prefix=".writ-", dir=os.path.dirname(target))
    except OSError as error:
        raise OSError(error.errno, error.strerror, target) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, mode)
        if times:
            os.utime(temporary, ns=times)
        os.rename(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def make_folders(root, name):
    """Makes the folder `name` of `root` and those above it; yields the ones that were missing, as the list names them."""
    missing, path = [], os.path.normpath(os.path.join(root, name))
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for path in reversed(missing):
        os.mkdir(path)
        os.chmod(path, 0o755)
        yield os.path.relpath(path, root) + "/"


def depth(folder):
    """How far below the prefix a folder of the list is; negative above it."""
    steps = os.path.normpath(folder).split("/")
    return -len(steps) if steps[0] == ".." else 0 if steps == ["."] else len(steps)


def remove(root, files, folders):
    """Removes the files, then those folders that are empty; returns how many files were there."""
    count = 0
    for name in sorted(files):
        try:
            os.unlink(os.path.join(root, name))
            count += 1
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            pass  # not ours any more
    for name in sorted(folders, key=depth, reverse=True):
        try:
            os.rmdir(os.path.normpath(os.path.join(root, name)))
        except OSError:
            pass  # gone, or others have something in it
    return count


def staged_files(stage):
    return sorted(os.path.relpath(os.path.join(folder, name), stage)
                  for folder, _, names in os.walk(stage) for name in names)


def install(build, prefix, root):
    with tempfile.TemporaryDirectory(prefix="writ-install-") as place:
        done = subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", place],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            raise Refusal("the build in %s does not install:\n%s" % (build, done.stdout.strip()))
        if os.geteuid() == 0:  # after `sudo make install` the log must not be in its owner's way
            owner = os.stat(build)
            os.chown(os.path.join(build, "meson-logs", "install-log.txt"), owner.st_uid, owner.st_gid,
                     follow_symlinks=False)
        stage = place + prefix
        new = set(staged_files(stage)) | {LIST}
        old, folders = read_list(root)
        try:
            for name in sorted(new):
                folders.update(make_folders(root, os.path.dirname(name)))
        finally:  # from here on `uninstall` can take away whatever is in place when this is cut short
            if os.path.isdir(os.path.join(root, os.path.dirname(LIST))):
                write_list(root, old | new, folders)
        for name in sorted(new - {LIST}):
            with open(os.path.join(stage, name), "rb") as file:
                status = os.fstat(file.fileno())
                put(root, name, file.read(), 0o755 if status.st_mode & stat.S_IXUSR else 0o644,
                    (status.st_atime_ns, status.st_mtime_ns))
        remove(root, old - new, folders)
        folders = {name for name in folders if os.path.isdir(os.path.join(root, name))}
        write_list(root, new, folders)


def tell_installed(prefix, destination):
    program = destination + os.path.join(prefix, "bin", "writ")
    print("writ is in %s" % program)
    found = shutil.which("writ")
    if not destination and (not found or os.path.realpath(found) != os.path.realpath(program)):
        print("A shell finds %s as `writ`; put %s first in PATH for this one." % (found, os.path.dirname(program))
              if found else "No shell finds it yet; this lets it: export PATH=\"%s:$PATH\"" % os.path.dirname(program))


def uninstall(prefix, root):
    files, folders = read_list(root)
    if not files:
        raise Refusal("nothing is installed below %s: there is no %s (name the PREFIX and DESTDIR that it was installed "
                      "to)" % (root, os.path.join(root, LIST)))
    # The list goes last, so that what was cut short can be done again.
    count = remove(root, files - {LIST}, set())
    count += remove(root, {LIST}, folders)
    print("%d files of writ removed from %s; skills, settings and records of yours are kept" % (count, root))


def main():
    verb, *words = sys.argv[1:]
    build = words.pop(0) if verb == "install" else None
    prefix, destination = words
    os.umask(0o022)
    if not os.path.isabs(prefix):
        raise Refusal("PREFIX has to be an absolute path, and `%s` is none" % prefix)
    prefix, destination = os.path.normpath(prefix), os.path.abspath(destination) if destination else ""
    root = os.path.normpath(destination + prefix)
    if build:
        install(build, prefix, root)
        tell_installed(prefix, destination)
    else:
        uninstall(prefix, root)


try:
    main()
except Refusal as refusal:
    sys.exit(str(refusal))
except PermissionError as error:
    sys.exit("%s: %s. Run it as root, or install below a folder of yours: make install PREFIX=$HOME/.local"
             % (error.filename, error.strerror))
except OSError as error:
    sys.exit("%s: %s" % (error.filename, error.strerror))
