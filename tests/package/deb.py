#!/usr/bin/env python3
"""`make test-deb`: what installing writ does to a machine, from beginning to end.

usage: deb.py [PACKAGE]       (without one it is made first, as by `make deb`)

In copies of the tree: `make install` as an ordinary user, used and taken away again; the package built twice under
different circumstances, and once dynamic.  Then the package itself: its control data, its checker lintian, and its life
in a clean root of each Debian: installed, used by root and by an ordinary user, removed, purged, and a list of all
files before and after; then installed with what it recommends, and every skill's own tests.  The roots are made by debootstrap and kept in build-roots/, where they are renewed after a week;
only that needs the network.  A root is entered by pivot_root, for in a chroot the kernel makes no user namespaces.

The last line is `N passed, N failed, N skipped`.
"""
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TREE, "tools"))
import test as driver  # noqa: E402

SUITES = ["bookworm", "trixie"]
ROOTS = os.path.join(TREE, "build-roots")
ROOT_SECONDS_MAX = 7 * 86400
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PERSON = 1000
# Run with the root, then the user and the command; everything that starts in it ends with it.
ENTER = """set -e
root=$1 uid=$2 home=$3
shift 3
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --rbind /dev dev
mount --rbind /sys sys
mkdir -p .old
pivot_root . .old
umount -l .old
rmdir .old
cd "$home"
exec env -i HOME="$home" PATH=%s LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    setpriv --reuid "$uid" --regid "$uid" --clear-groups -- "$@"
""" % PATH
# What the package system keeps for itself, whatever was installed.
NOT_COMPARED = re.compile(r"(var/log/.*|var/cache/(apt|ldconfig|debconf)/.*|var/lib/apt/.*|var/lib/dpkg/(status|available|lock"
                          r"|triggers/.*|status-old|available-old|diversions.*|statoverride.*)|(proc|sys|dev)/.*"
                          r"|etc/(resolv.conf|hosts))$")
STATS = '{"success":true,"data":{"bytes":13,"characters":9,"words":5,"lines":1,"longest_line":9}}\n'


class Counter:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, 0, []

    def case(self, title, faults=()):
        faults = [str(fault) for fault in faults]
        self.passed, self.failed = self.passed + (not faults), self.failed + bool(faults)
        print("%s - %s" % ("not ok" if faults else "ok", title), flush=True)
        for fault in faults[:40]:
            print("#   " + fault.rstrip().replace("\n", "\n#   "))

    def skip(self, title, reason):
        self.skipped.append("%s: %s" % (title, reason))
        print("SKIPPED - %s: %s" % (title, reason), flush=True)

    def done(self):
        if self.skipped:
            print("\nSkipped:\n  " + "\n  ".join(self.skipped))
        print("%d passed, %d failed%s" % (self.passed, self.failed,
                                          ", %d skipped" % len(self.skipped) if self.skipped else ""))
        return 0 if self.passed and not self.failed else 1


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", **options)


def done(result):
    return [] if result.returncode == 0 else ["exit status %d: %s" % (result.returncode, result.stdout[-3000:])]


def said(result, text):
    return done(result) + ([] if result.stdout == text else ["wanted %r, got %r" % (text, result.stdout)])


def copy_of_tree(folder):
    """The tree as it lies here, without its history, readable by all."""
    driver.bring_up_to_date(TREE, [name for name in driver.files_of(TREE) if not name.endswith("/main")], folder)
    return folder


def all_below(folder):
    """{name: what there is to know of it}; folders end in a slash."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in files + folders:
            path = os.path.join(place, name)
            status = os.lstat(path)
            is_folder = stat.S_ISDIR(status.st_mode)
            known = [oct(status.st_mode), status.st_uid, status.st_gid]
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    known.append(hashlib.sha256(file.read()).hexdigest())
            elif stat.S_ISLNK(status.st_mode):
                known.append(os.readlink(path))
            found[os.path.relpath(path, folder) + ("/" if is_folder else "")] = known
    return found


# ---- make install, make uninstall ----

def check_make(count, place):
    """A person without rights: a clone, a home with a space in its name, nothing else."""
    home = os.path.join(place, "a person's home")
    prefix = os.path.join(home, ".local")
    tree, other = copy_of_tree(os.path.join(place, "clone")), copy_of_tree(os.path.join(place, "another clone"))
    os.makedirs(os.path.join(prefix, "share"))
    drop = {}
    if os.geteuid() == 0:
        drop = {"user": driver.ORDINARY_UID, "group": driver.ORDINARY_UID, "extra_groups": []}
        for folder, folders, files in os.walk(place):
            for name in folders + files:
                os.lchown(os.path.join(folder, name), driver.ORDINARY_UID, driver.ORDINARY_UID)
    environment = {"PATH": PATH, "HOME": home, "LANG": "C.UTF-8"}
    options = dict(drop, env=environment)
    before = all_below(home)
    count.case("make install as an ordinary user",
               done(run(["make", "install", "PREFIX=" + prefix], cwd=tree, **options)))
    program = os.path.join(prefix, "bin", "writ")
    count.case("what was installed finds its skills and runs one", said(
        run([program, "run", "com.example.text.stats", "--text", "ab 三四 x y"], cwd=place, **options), STATS))
    places = json.loads(run([program, "version", "--json"], cwd=place, **options).stdout)["places"]
    count.case("the skills are those below the prefix",
               [] if places["shipped"] == prefix + "/lib/writ/skills" else [places])
    if drop:
        closed = os.path.join(place, "closed")
        os.mkdir(closed)
        asked = run(["make", "install", "PREFIX=" + prefix, "DESTDIR=" + closed], cwd=tree, **options)
        count.case("where a person may not write, make install says what to do", [] if asked.returncode
                   and "Run it as root, or install below a folder of yours" in asked.stdout else [asked.stdout])
    records = os.path.join(prefix, "state/writ/audit/current.jsonl")
    count.case("make uninstall from a clone that never built anything",
               done(run(["make", "uninstall", "PREFIX=" + prefix], cwd=other, **options)))
    left = {name for name in all_below(home) if name not in before and not name.startswith(".local/state/")}
    count.case("nothing is left but the records of the calls",
               sorted(left) + ([] if os.path.exists(records) else [records + " is gone"]))


# ---- the package by itself ----

def check_builds(count, place):
    packages = []
    for number, (umask, zone) in enumerate(((0o022, "UTC"), (0o077, "Asia/Shanghai"))):
        tree = copy_of_tree(os.path.join(place, "a longer name" if number else "a", "writ"))
        built = run([sys.executable, "-B", "tools/deb.py"], cwd=tree, umask=umask, env={
            "PATH": PATH, "HOME": place, "TZ": zone, "SOURCE_DATE_EPOCH": "1700000000", "CFLAGS": "-g -O%d" % number})
        count.case("the package is built in a copy, the %s time" % ("first", "second")[number], done(built))
        packages.append(built.stdout.strip().split("\n")[-1])
    digests = []
    for package in packages:
        with open(package, "rb") as file:
            digests.append(hashlib.sha256(file.read()).hexdigest())
    count.case("another folder, umask, time zone and flags make the same bytes", [] if len(set(digests)) == 1 else digests)
    built = run([sys.executable, "-B", "tools/deb.py", "--dynamic", "build-dynamic"], cwd=tree, env={
        "PATH": PATH, "HOME": place, "SOURCE_DATE_EPOCH": "1700000000"})
    count.case("the package is built with a dynamic program", done(built))
    depends = run(["dpkg-deb", "--field", built.stdout.strip().split("\n")[-1], "Depends"]).stdout
    count.case("that depends on the libraries it needs",
               [name for name in ("libc6", "libyaml", "libpcre2-8", "libsodium", "libutf8proc") if name not in depends])


def check_control(count, package, place):
    fields = run(["dpkg-deb", "--field", package]).stdout
    architecture = run(["dpkg", "--print-architecture"]).stdout.strip()
    count.case("the package is for this processor and depends on nothing",
               [] if "\nArchitecture: %s\n" % architecture in fields and "\nDepends:" not in fields else [fields])
    control = os.path.join(place, "control")
    count.case("the package unpacks", done(run(["dpkg-deb", "--raw-extract", package, control])))
    count.case("no script of it runs, and no file is a setting",
               set(os.listdir(os.path.join(control, "DEBIAN"))) ^ {"control", "md5sums"})
    count.case("its checksums hold for every file", done(run(["md5sum", "--check", "--quiet", "DEBIAN/md5sums"], cwd=control))
               + ["%s is not in md5sums" % name for name, known in all_below(control).items() if len(known) == 4
                  and not name.startswith("DEBIAN/") and known[0].startswith("0o100")
                  and name not in open(control + "/DEBIAN/md5sums", encoding="utf-8").read()])
    listing = run(["dpkg-deb", "--contents", package]).stdout.splitlines()
    count.case("all of it is root's", [line for line in listing if line.split()[1] != "root/root"])
    if shutil.which("lintian"):
        checked = run(["lintian", "--allow-root", "--display-info", "--pedantic", "--fail-on", "error,warning", package])
        count.case("lintian has nothing to say", done(checked) + [line for line in checked.stdout.splitlines()
                                                                if re.match(r"[EWIP]: ", line)])
    else:
        count.skip("lintian", "is not installed")


# ---- the package in a clean root ----

def enter(root, command, uid=0):
    home = "/root" if uid == 0 else "/home/person"
    return run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private", "sh", "-c", ENTER,
                "enter", root, str(uid), home, *command])


def clean_root(suite):
    """A root that debootstrap made, this week; raises OSError with what it said when it cannot."""
    root = os.path.join(ROOTS, suite)
    mark = root + ".made"
    if os.path.exists(mark) and time.time() - os.stat(mark).st_mtime < ROOT_SECONDS_MAX:
        return root
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(ROOTS, exist_ok=True)
    for attempt in range(2):  # a mirror may have a bad moment
        made = run(["debootstrap", "--variant=minbase", suite, root], env={"PATH": PATH, "LANG": "C.UTF-8"})
        if made.returncode == 0:
            break
        shutil.rmtree(root, ignore_errors=True)
    else:
        raise OSError(made.stdout[-2000:])
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile("/etc/" + name, os.path.join(root, "etc", name))
    for command in (["apt-get", "-q", "update"], ["useradd", "--create-home", "--uid", str(PERSON), "person"]):
        made = enter(root, command)
        if made.returncode:
            raise OSError(made.stdout[-2000:])
    with open(mark, "w", encoding="utf-8"):
        pass
    return root


def check_use(count, suite, root, uid):
    who = "%s, %s: " % (suite, "root" if uid == 0 else "an ordinary user")
    first = enter(root, ["writ", "--version"], uid)
    count.case(who + "writ --version", done(first) + ([] if re.match(r"writ \d+\.\d+\.\d+\n", first.stdout) else [first.stdout]))
    count.case(who + "writ doctor finds all it needs", done(enter(root, ["writ", "doctor"], uid)))
    count.case(who + "writ run gives what it must", said(
        enter(root, ["writ", "run", "com.example.text.stats", "--text", "ab 三四 x y"], uid), STATS))
    count.case(who + "a skill's own tests pass", done(enter(root, ["writ", "test", "com.example.text.stats"], uid)))
    lacking = enter(root, ["writ", "run", "com.example.file.text-extract", "--file-path", "/etc/hostname"], uid)
    count.case(who + "a skill that lacks what the package only recommends says so", [] if lacking.returncode == 8
               and "dependency:missing" in lacking.stdout else [lacking.returncode, lacking.stdout])
    count.case(who + "the record is whole", done(enter(root, ["writ", "audit", "verify"], uid)))


def check_life(count, suite, root):
    before = all_below(root)
    count.case(suite + ": what the package recommends is all there to be had",
               done(enter(root, ["apt-get", "install", "--simulate", "-y", "-o", "APT::Install-Recommends=true",
                                 "-o", "APT::Get::Fix-Missing=false", "/writ.deb"])))
    count.case(suite + ": apt-get install", done(enter(root, ["apt-get", "install", "-y", "-q", "--no-install-recommends",
                                                              "/writ.deb"])))
    count.case(suite + ": every file is as packed", done(enter(root, ["dpkg", "--verify", "writ"])))
    count.case(suite + ": manual, completions and documents are in place", [
        name for name in ("share/man/man1/writ.1.gz", "share/man/man1/writ-run.1.gz", "share/doc/writ/copyright",
                          "share/bash-completion/completions/writ", "share/zsh/vendor-completions/_writ",
                          "share/fish/vendor_completions.d/writ.fish", "share/pkgconfig/writ.pc")
        if not os.path.isfile(os.path.join(root, "usr", name))])
    for uid in (0, PERSON):
        check_use(count, suite, root, uid)
    count.case(suite + ": a second install over it", done(enter(root, ["apt-get", "install", "-y", "-q", "--reinstall",
                                                                       "--no-install-recommends", "/writ.deb"])))
    count.case(suite + ": apt-get remove", done(enter(root, ["apt-get", "remove", "-y", "-q", "writ"])))
    count.case(suite + ": the program is gone", [] if enter(root, ["sh", "-c", "command -v writ"]).returncode else ["no"])
    count.case(suite + ": apt-get install once more", done(
        enter(root, ["apt-get", "install", "-y", "-q", "--no-install-recommends", "/writ.deb"])))
    count.case(suite + ": apt-get purge", done(enter(root, ["apt-get", "purge", "-y", "-q", "writ"])))
    after = all_below(root)
    records = {"root/.local/state/writ/audit/current.jsonl", "home/person/.local/state/writ/audit/current.jsonl"}
    count.case(suite + ": the records of the calls are kept, being the users'", records - set(after))
    own = re.compile(r"(root|home/person)/\.(local|cache|config)/")
    count.case(suite + ": nothing else is left, nothing is changed",
               ["%s: %s, then %s" % (name, before.get(name), after.get(name)) for name in sorted({*before, *after})
                if before.get(name) != after.get(name) and not own.match(name) and not NOT_COMPARED.match(name)])
    status = enter(root, ["dpkg-query", "--show", "writ"])
    count.case(suite + ": the package system has forgotten it", [] if status.returncode else [status.stdout])


def check_skills(count, suite, root, package):
    """The package with what it recommends: every skill that it brings works, by its own tests."""
    fields = run(["dpkg-deb", "--field", package, "Recommends"]).stdout
    recommended = [name.strip() for name in fields.split(",")]
    count.case(suite + ": apt-get install with what is recommended", done(
        enter(root, ["apt-get", "install", "-y", "-q", "--no-install-recommends", "/writ.deb", *recommended])))
    for skill in sorted(os.listdir(os.path.join(root, "usr/lib/writ/skills"))):
        for uid, who in ((0, "root"), (PERSON, "an ordinary user")):
            count.case("%s, %s: %s has what it needs, and passes its tests" % (suite, who, skill),
                       done(enter(root, ["writ", "doctor", skill], uid)) + done(enter(root, ["writ", "test", skill], uid)))


def check_roots(count, package, place):
    if os.geteuid() != 0 or not shutil.which("debootstrap", path=PATH):
        for suite in SUITES:
            count.skip("installing in a clean " + suite,
                       "that needs root" if os.geteuid() else "that needs debootstrap, which is not installed")
        return
    for suite in SUITES:
        began = time.monotonic()
        try:
            clean = clean_root(suite)
        except OSError as error:
            count.case("a clean root of %s can be made (this needs the network)" % suite, [error])
            continue
        root = os.path.join(place, suite)
        done_copy = run(["cp", "-a", clean, root])
        count.case("a clean %s" % suite, done(done_copy))
        shutil.copyfile(package, os.path.join(root, "writ.deb"))
        os.chmod(os.path.join(root, "writ.deb"), 0o644)
        check_life(count, suite, root)
        check_skills(count, suite, root, package)
        shutil.rmtree(root)
        print("# %s in %.0f s" % (suite, time.monotonic() - began), flush=True)


def main():
    os.umask(0o022)
    count = Counter()
    if len(sys.argv) > 1:
        package = os.path.abspath(sys.argv[1])
    else:
        made = run([sys.executable, "-B", os.path.join(TREE, "tools", "deb.py")])
        count.case("make deb", done(made))
        package = made.stdout.strip().split("\n")[-1]
    for check in (check_make, check_builds, lambda count, place: check_control(count, package, place),
                  lambda count, place: check_roots(count, package, place)):
        with tempfile.TemporaryDirectory(prefix="writ-package-") as place:
            os.chmod(place, 0o755)
            check(count, place)
    return count.done()


if __name__ == "__main__":
    sys.exit(main())
