#!/usr/bin/env python3
"""`make deb`: a Debian package of this tree, made with dpkg-deb alone:  tools/deb.py [--dynamic] [FOLDER]

The package lies in FOLDER (build-deb) afterwards and its path is the last line printed.  It is the same bytes from the
same commit on the same distribution: times are those of the commit (or SOURCE_DATE_EPOCH), owners are root, compression
runs in one thread, and flags of the caller's environment stay outside.

The program is linked statically where the libraries allow it, so that one package serves every Debian of its processor;
a dynamic one (--dynamic) gets its dependencies from dpkg-shlibdeps.  What a static program was made of is named in
Built-Using, and the terms of each part are in the package.  No script of the package runs when it is installed
or removed.
"""
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from email.utils import formatdate

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAINTAINER = "The writ project <writ@example.invalid>"  # a package needs an address; this one leads nowhere
DOCUMENTS = "usr/share/doc/writ"
# What the shipped skills need, by the names that their contracts use.
PACKAGES_OF = {
    "python": ["python3"],
    "git": ["git"],
    "pdftotext": ["poppler-utils"],
    "/usr/share/poppler": ["poppler-data"],
    "tesseract": ["tesseract-ocr"],
    "/usr/share/tesseract-ocr": ["tesseract-ocr-eng", "tesseract-ocr-chi-sim"],
    "native": [],
}
PROGRAMS = ["usr/bin/writ", "usr/lib/writ/skills/*/main"]
STATIC_LIBRARIES = ["libyaml.a", "libpcre2-8.a", "libsodium.a", "libutf8proc.a", "libc.a"]
DESCRIPTION = """Description: runs the programs behind agent skills under a contract
 A skill is a folder with a program and a contract that says what the program
 takes, what it gives back and which files and programs it may touch. writ
 checks the input, runs the program in a sandbox that holds nothing else,
 checks what comes out, and keeps a record of every call that cannot be
 changed unnoticed.
 .
 Three skills are shipped: text from PDF files and images, what two commits
 of a git repository differ in, and statistics of a text.
"""
OVERRIDES = """# What a skill is made of lies in its folder: its guide for models, and the samples that its tests read.
writ: package-contains-documentation-outside-usr-share-doc [usr/lib/writ/skills/*]
writ: image-file-in-usr-lib [usr/lib/writ/skills/*]
# The program of a skill that runs in a sandbox in which no library is.
writ: statically-linked-binary [usr/lib/writ/skills/*/main]
"""
OVERRIDES_STATIC = """# One package serves every release of its processor: the libraries have other names in each.  The checker
# takes a static program that can lie anywhere (static-pie) for a library; what is linked is named in Built-Using,
# and its terms are in /usr/share/doc/writ/libraries.
writ: shared-library-lacks-prerequisites [usr/bin/writ]
writ: embedded-library libyaml [usr/bin/writ]
"""


class Refusal(Exception):
    """One sentence for the person."""


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                          cwd=options.pop("cwd", TREE), **options)
    if done.returncode:
        raise Refusal("%s:\n%s%s" % (" ".join(command[:3]), done.stdout[-4000:], done.stderr[-4000:]))
    return done.stdout


def source_time():
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdigit():
        return int(given)
    if os.path.exists(os.path.join(TREE, ".git")):
        return int(run("git", "-c", "safe.directory=*", "log", "-1", "--format=%ct"))
    raise Refusal("this tree is no clone, so nobody knows when it was made: set SOURCE_DATE_EPOCH to seconds since 1970")


def environment_for(epoch):
    """The caller's, without what would change how things are compiled."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "CC") if name in os.environ}
    return dict(kept, LC_ALL="C.UTF-8", SOURCE_DATE_EPOCH=str(epoch), DPKG_DEB_THREADS_MAX="1")


def build(folder, is_dynamic, environment):
    """Builds and stages; returns the staged root and the version."""
    meson, stage = os.path.join(folder, "meson"), os.path.join(folder, "stage")
    run("tools/configure.sh", meson, "--prefix=/usr", "-Dtests=disabled", "-Dwerror=false",
        "-Dstatic_program=" + ("disabled" if is_dynamic else "auto"), env=environment)
    run("ninja", "-C", meson, env=environment)
    shutil.rmtree(stage, ignore_errors=True)
    run("meson", "install", "-C", meson, "--no-rebuild", "--quiet", "--destdir", stage, env=environment)
    for name in PROGRAMS:
        for path in glob.glob(os.path.join(stage, name)):
            run("strip", "--strip-unneeded", "--remove-section=.comment", path)
    return stage, json.loads(run("meson", "introspect", "--projectinfo", meson))["version"]


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder)
                  for name in names)


def write(stage, name, content, mode=0o644):
    path = os.path.join(stage, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    os.chmod(path, mode)


def compress(content):
    return gzip.compress(content if isinstance(content, bytes) else content.encode(), compresslevel=9, mtime=0)


def recommended(stage):
    """The packages that the shipped skills need, asked from their contracts by the program that was just built."""
    packages = set()
    skills = os.path.join(stage, "usr/lib/writ/skills")
    with tempfile.TemporaryDirectory() as home:
        for skill in sorted(os.listdir(skills)):
            asked = subprocess.run([os.path.join(stage, "usr/bin/writ"), "doctor", os.path.join(skills, skill), "--json"],
                                   stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=home,
                                   env={"HOME": home, "PATH": os.environ["PATH"]})
            for need in json.loads(asked.stdout)["needs"]:
                if need["name"] not in PACKAGES_OF:
                    raise Refusal("%s needs %s, and tools/deb.py does not know which package brings it"
                                  % (skill, need["name"]))
                packages.update(PACKAGES_OF[need["name"]])
    return sorted(packages)


def is_static(program):
    return "(NEEDED)" not in run("readelf", "--dynamic", program)


def shared_dependencies(program):
    with tempfile.TemporaryDirectory() as place:
        os.mkdir(os.path.join(place, "debian"))
        write(place, "debian/control", "Source: writ\n\nPackage: writ\nArchitecture: any\n")
        text = run("dpkg-shlibdeps", "-O", program, cwd=place)
    return re.search(r"^shlibs:Depends=(.*)$", text, re.M).group(1)


def static_parts(stage):
    """Adds the terms of each library that is part of a program; returns the value of Built-Using."""
    sources = set()
    compiler = os.environ.get("CC", "cc")
    for library in STATIC_LIBRARIES:
        path = run(compiler, "-print-file-name=" + library).strip()
        try:
            owner = run("dpkg-query", "--search", os.path.realpath(path)).split(": ")[0]
        except Refusal:
            raise Refusal("%s is of no package, so its terms are unknown; build the package with the libraries of "
                          "the distribution" % path) from None
        sources.add(run("dpkg-query", "--show", "--showformat=${source:Package} (= ${source:Version})", owner))
        with open("/usr/share/doc/%s/copyright" % owner.split(":")[0], "rb") as file:
            write(stage, "%s/libraries/%s.copyright" % (DOCUMENTS, library.partition(".")[0]), file.read())
    return ", ".join(sorted(sources))


def changelog(version, epoch):
    """The newest part of CHANGELOG.md in Debian's form."""
    with open(os.path.join(TREE, "CHANGELOG.md"), encoding="utf-8") as file:
        newest = re.split(r"^## .*\n", file.read(), flags=re.M)[1]
    entries = []
    for paragraph in re.split(r"\n\n|\n(?=- )", newest.strip()):
        words = " ".join(paragraph.removeprefix("- ").split())
        entries.append(textwrap.fill(words, 76, initial_indent="  * ", subsequent_indent="    ", break_long_words=False,
                                     break_on_hyphens=False))
    return "writ (%s) unstable; urgency=medium\n\n%s\n\n -- %s  %s\n" % (
        version, "\n".join(entries), MAINTAINER, formatdate(epoch))


def copyright_text(epoch):
    return """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: writ
Comment: The programs contain the libraries that the control field
 Built-Using names; their own terms are in
 /usr/share/doc/writ/libraries.

Files: *
Copyright: %d The writ project
License: Apache-2.0
 On Debian systems the whole text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
""" % time.gmtime(epoch).tm_year


def arrange(stage, version, epoch):
    """From what `make install` puts in place to what Debian's policy asks for."""
    site = os.path.join(stage, "usr/share/zsh/site-functions")
    if os.path.isdir(site):  # Debian's zsh looks for what packages bring elsewhere
        os.rename(site, os.path.join(stage, "usr/share/zsh/vendor-completions"))
    for name in files_below(os.path.join(stage, "usr/share/man")):
        path = os.path.join(stage, "usr/share/man", name)
        with open(path, "rb") as file:
            write(stage, os.path.relpath(path, stage) + ".gz", compress(file.read()))
        os.unlink(path)
    licence = os.path.join(stage, DOCUMENTS, "LICENSE")
    os.unlink(licence)
    os.symlink("../../common-licenses/Apache-2.0", licence)
    write(stage, DOCUMENTS + "/changelog.gz", compress(changelog(version, epoch)))
    write(stage, DOCUMENTS + "/copyright", copyright_text(epoch))


def control(stage, version, fields):
    size_kib = sum(-(-os.lstat(os.path.join(stage, name)).st_size // 1024) for name in files_below(stage))
    size_kib += sum(1 for _ in os.walk(stage))
    architecture = run("dpkg", "--print-architecture").strip()
    known = {"Package": "writ", "Version": version, "Architecture": architecture, "Maintainer": MAINTAINER,
             "Installed-Size": str(size_kib), "Section": "utils", "Priority": "optional"}
    lines = ["%s: %s" % (name, value) for name, value in {**known, **fields}.items() if value]
    return "\n".join(lines) + "\n" + DESCRIPTION


def settle(stage, epoch):
    """Every mode as policy wants it, every time that of the source."""
    for folder, folders, names in os.walk(stage, topdown=False):
        for name in names + folders:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755 if os.path.isdir(path) or os.stat(path).st_mode & 0o100 else 0o644)
            os.utime(path, (epoch, epoch), follow_symlinks=False)
    os.chmod(stage, 0o755)
    os.utime(stage, (epoch, epoch))


def main():
    words = [word for word in sys.argv[1:] if word != "--dynamic"]
    folder = os.path.abspath(words[0] if words else os.path.join(TREE, "build-deb"))
    os.umask(0o022)
    epoch = source_time()
    environment = environment_for(epoch)
    os.makedirs(folder, exist_ok=True)
    stage, version = build(folder, "--dynamic" in sys.argv, environment)
    fields = {"Recommends": ", ".join(recommended(stage)), "Suggests": "bash-completion, gcc, libc6-dev"}
    arrange(stage, version, epoch)
    overrides, program = OVERRIDES, os.path.join(stage, "usr/bin/writ")
    if is_static(program):
        fields["Built-Using"] = static_parts(stage)
        overrides += OVERRIDES_STATIC
    else:
        fields["Depends"] = shared_dependencies(program)
    write(stage, "usr/share/lintian/overrides/writ", overrides)
    sums = []
    for name in files_below(stage):
        path = os.path.join(stage, name)
        if not os.path.islink(path):
            with open(path, "rb") as file:
                sums.append("%s  %s\n" % (hashlib.md5(file.read()).hexdigest(), name))
    text = control(stage, version, fields)
    write(stage, "DEBIAN/md5sums", "".join(sums))
    write(stage, "DEBIAN/control", text)
    settle(stage, epoch)
    architecture = re.search(r"^Architecture: (.*)$", text, re.M).group(1)
    package = os.path.join(folder, "writ_%s_%s.deb" % (version, architecture))
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", stage, package, env=environment)
    shutil.rmtree(stage)
    print(package)


try:
    main()
except Refusal as refusal:
    sys.exit(str(refusal))
