#!/usr/bin/env python3
"""`make install` puts the program, whole skills and all documents in place, and `make uninstall` leaves nothing of it
behind and everything else where it was.
usage: check_install.py BUILD-FOLDER
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sources import TREE, all_files  # noqa: E402
from tap import Tap  # noqa: E402

sys.path.insert(0, os.path.join(TREE, "tools"))
import install_files  # noqa: E402

LIST = "lib/writ/installed-files"


def all_below(folder):
    """Files and folders (with a slash), relative to `folder`."""
    return sorted(os.path.relpath(os.path.join(place, name), folder) + end for place, folders, files in os.walk(folder)
                  for names, end in ((folders, "/"), (files, "")) for name in names)


def files_below(folder):
    return [name for name in all_below(folder) if not name.endswith("/")]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def run(*words):
    return subprocess.run([sys.executable, "-B", os.path.join(TREE, "tools", "install.py"), *words],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def done(result):
    return [] if result.returncode == 0 else [result.stdout]


def refused(result, *words):
    one_line = len(result.stdout.strip().splitlines()) == 1
    return [] if result.returncode == 1 and one_line and all(word in result.stdout for word in words) else [
        "exit status %d: %s" % (result.returncode, result.stdout)]


def wanted_files():
    """What has to be installed below the prefix, and in words of its own: the lists of tools/ are what is tested."""
    names = all_files()
    wanted = ["bin/writ", "share/pkgconfig/writ.pc", "share/doc/writ/LICENSE", LIST]
    wanted += ["lib/writ/" + name for name in names if name.startswith("skills/")]
    wanted += ["lib/writ/" + name[:-2] for name in names if name.startswith("skills/") and name.endswith("/main.c")]
    wanted += ["share/doc/writ/" + name for name in names
               if name.endswith(".md") and name.count("/") == name.startswith("docs/")]
    wanted += ["share/man/man%s/%s" % (name[-1], os.path.basename(name)) for name in names if name.startswith("docs/man/")]
    return wanted


def check_present(tap, root):
    present = files_below(root)
    tap.case("every file of the program, the skills and the documents is there, and no other",
             sorted(set(wanted_files()) ^ {name for name in present if not name.startswith((
                 "share/bash-completion/", "share/zsh/", "share/fish/"))}))
    tap.case("nothing installed can be changed by others, and all of it can be read by them",
             [name for name in all_below(root) if os.stat(os.path.join(root, name)).st_mode & 0o022
              or os.stat(os.path.join(root, name)).st_mode & 0o444 != 0o444])
    modes = {"bin/writ": 0o755, "lib/writ/skills/com.example.text.stats/main": 0o755}
    tap.case("programs can be run", [name for name, mode in modes.items()
                                     if os.stat(os.path.join(root, name)).st_mode & 0o777 != mode])
    skill = os.path.join(root, "lib/writ/skills/com.example.text.stats")
    tap.case("a skill's program is not older than its source, or the first call would build it",
             [] if os.stat(skill + "/main").st_mtime_ns >= os.stat(skill + "/main.c").st_mtime_ns else [skill])


def check_pkg_config(tap, root, prefix):
    folder = os.path.join(root, "share/pkgconfig")
    for name, value in (("prefix", prefix), ("bindir", prefix + "/bin"), ("datadir", prefix + "/share"),
                        ("skillsdir", prefix + "/lib/writ/skills")):
        found = subprocess.run(["pkg-config", "--variable=" + name, "writ"], stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, PKG_CONFIG_PATH=folder)).stdout.strip().replace("\\", "")
        tap.case("pkg-config knows " + name, [] if found == value else [found])


def main():
    tap = Tap()
    build = sys.argv[1]
    junk = [".hidden", "skills/a/.main.c.swp", "skills/a/main.py~", "skills/a/__pycache__/main.pyc", "skills/a/x.orig"]
    tap.case("control: what editors and interpreters leave is known",
             [name for name in junk if not install_files.JUNK.search(name)]
             + [name for name in all_files() if name.startswith("skills/") and install_files.JUNK.search(name)])
    with tempfile.TemporaryDirectory() as copy:
        for name in all_files():
            os.makedirs(os.path.join(copy, os.path.dirname(name)), exist_ok=True)
            shutil.copyfile(os.path.join(TREE, name), os.path.join(copy, name))
        for name in junk + ["skills/com.example.text.stats/main", "build/README.md"]:
            write(os.path.join(copy, name), "junk\n")
        places = [{name: install_files.place_of(name, "lib", "share", "man") for name in install_files.files_of_tree(tree)}
                  for tree in (TREE, copy)]
        kept = [{name for name, place in each.items() if place} for each in places]
        tap.case("a tree that is no clone installs the same files", sorted(kept[0] ^ kept[1]))
    options = subprocess.run(["meson", "introspect", "--buildoptions", build], check=True, stdout=subprocess.PIPE).stdout
    prefix = next(option["value"] for option in json.loads(options) if option["name"] == "prefix")

    with tempfile.TemporaryDirectory() as place:
        destination = os.path.join(place, "a place's \"own\"")
        root = destination + prefix
        tap.case("the build installs", done(run("install", build, prefix, destination)))
        check_present(tap, root)
        check_pkg_config(tap, root, prefix)
        before = {name: os.stat(os.path.join(root, name)).st_ino for name in files_below(root)}
        tap.case("a second install puts the same there anew", done(run("install", build, prefix, destination))
                 + [name for name in files_below(root) if before.get(name) == os.stat(os.path.join(root, name)).st_ino])
        tap.case("the build folder is not needed to uninstall", done(run("uninstall", prefix, destination)))
        tap.case("nothing is left, not even the folders", all_below(place))
        tap.case("a second uninstall says that there is nothing",
                 refused(run("uninstall", prefix, destination), "nothing is installed", "PREFIX"))

        # Folders that were there before, others' files in them, and what a person put among the skills.
        kept = ["bin/other", "share/doc/other/README", "lib/writ/skills/com.example.mine/skill.yaml", "share/man/man1/o.1"]
        for name in kept:
            write(os.path.join(root, name), "mine\n")
        os.makedirs(os.path.join(root, "share/pkgconfig"))
        shared = all_below(place)
        tap.case("the build installs among others", done(run("install", build, prefix, destination)))
        # As an older version would have left it: a file that this one does not bring.
        write(os.path.join(root, "share/doc/writ/old/OLD.md"), "old\n")
        write(os.path.join(root, "share/doc/writ/NOTES"), "a person's\n")
        with open(os.path.join(root, LIST), "a", encoding="utf-8") as file:
            file.write("share/doc/writ/old/OLD.md\nshare/doc/writ/old/\n")
        tap.case("a newer version takes away what only the older one had",
                 done(run("install", build, prefix, destination))
                 + [name for name in all_below(root) if name.startswith("share/doc/writ/old")])
        tap.case("the build uninstalls among others", done(run("uninstall", prefix, destination)))
        own = os.path.join(os.path.relpath(root, place), "share/doc/writ/")
        tap.case("what others had is still there, empty folders too, and nothing else",
                 sorted((set(shared) | {own, own + "NOTES"}) ^ set(all_below(place))))

        write(os.path.join(root, "share/doc/writ/LICENSE/file"), "in the way\n")
        tap.case("a folder where a file belongs is told",
                 refused(run("install", build, prefix, destination), "share/doc/writ/LICENSE"))
        tap.case("an install that was cut short can be taken away", done(run("uninstall", prefix, destination)))
        for line in ("../../etc/passwd", "/etc/passwd", "share/../../x"):
            write(os.path.join(root, LIST), "bin/other\n" + line + "\n")
            tap.case("a list that leads elsewhere is refused: " + line,
                     refused(run("uninstall", prefix, destination), "damaged")
                     + [name for name in ("bin/other",) if not os.path.exists(os.path.join(root, name))])
        tap.case("a relative prefix is refused", refused(run("uninstall", "here", ""), "absolute"))
    tap.done()


main()
