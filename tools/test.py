#!/usr/bin/env python3
"""Builds every variant of writ and runs every test in it:  tools/test.py [--variant V]... [--suite S]... [--only TEXT]

Theory of operation.  A variant is a compiler with its options, built in build-test/<variant>.  The tests of a variant
are those that meson knows (`meson introspect --tests`); this driver runs them itself rather than through `meson test`,
because each must run twice: as root and as an ordinary user.  Started by root, the second run drops to a user id that
owns nothing and has no passwd entry.  That user must be able to read the tree, so when a folder above it is closed to
others (/root is), the whole run first moves to a copy in the folder for temporary files, kept up to date there so that
the second run is quick.  Started by an ordinary user there is one run, and the missing one is counted as skipped.

Every test gets a HOME and a TMPDIR of its own, deleted afterwards, an environment of a few names, and no standard
input.  Cases are counted from the TAP that cmocka and the Python runners print, or from unittest's summary; any other
program is one case.  A program that ends early, hangs, or fails to build is a failed case.  Suites: `lint` runs once, in
the first variant; `heavy` runs in the first variant only.  Exit status: 0 when nothing failed and something passed.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

VARIANTS = {
    "gcc": ("gcc", ["--buildtype=release"]),
    "clang": ("clang", ["--buildtype=release", "-Dstatic_program=disabled"]),  # both kinds of linking are tested
    "sanitize": ("gcc", ["--buildtype=debug", "-Doptimization=1", "-Db_sanitize=address,undefined",
                         "-Db_lundef=false"]),
}
FIRST = "gcc"
ORDINARY_UID = 61000
OUTPUT_SHOWN_BYTES = 6000
LONGEST_SHOWN = 6
TIMEOUT_FACTOR = {"sanitize": 4}
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

Result = collections.namedtuple("Result", "passed failed skipped failures skips output")


def readable_by_all(path):
    """True when another user can reach and read `path`: every folder above it may be entered."""
    path = os.path.realpath(path)
    mode = os.stat(path).st_mode
    wanted = 0o005 if stat.S_ISDIR(mode) else 0o004
    if mode & wanted != wanted:
        return False
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & 0o001:
            return False
    return True


def files_of(tree):
    """The files that make up the tree, relative to it: what git tracks or would, and the built skill programs."""
    if os.path.isdir(os.path.join(tree, ".git")):
        listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", tree, "ls-files", "-z", "--cached", "--others",
                                  "--exclude-standard"], check=True, stdout=subprocess.PIPE).stdout.decode()
        names = [name for name in listing.split("\0") if name and os.path.lexists(os.path.join(tree, name))]
        for skill in os.listdir(os.path.join(tree, "skills")) if os.path.isdir(os.path.join(tree, "skills")) else []:
            if os.path.isfile(os.path.join(tree, "skills", skill, "main")):
                names.append(os.path.join("skills", skill, "main"))
        return sorted(names)
    names = []
    for folder, folders, files in os.walk(tree):
        folders[:] = [name for name in folders if not (folder == tree and (name.startswith("build") or name == ".git"))]
        names += [os.path.relpath(os.path.join(folder, name), tree) for name in files]
    return sorted(names)


def bring_up_to_date(source, names, target):
    """Makes `target` hold exactly `names` of `source`, readable by all; unchanged files keep their times."""
    for name in names:
        old, new = os.path.join(source, name), os.path.join(target, name)
        os.makedirs(os.path.dirname(new), mode=0o755, exist_ok=True)
        before = os.lstat(old)
        if os.path.lexists(new):
            after = os.lstat(new)
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
                continue
            os.unlink(new)
        shutil.copy2(old, new, follow_symlinks=False)
        if not stat.S_ISLNK(before.st_mode):
            os.chmod(new, 0o755 if before.st_mode & 0o100 else 0o644)
    wanted = set(names)
    for folder, folders, files in os.walk(target):
        if folder == target and "build-test" in folders:
            folders.remove("build-test")
        for name in files:
            path = os.path.join(folder, name)
            if os.path.relpath(path, target) not in wanted:
                os.unlink(path)


def tree_for_all(tree):
    """The tree itself, or a copy of it that every user can read when the tree is closed to others."""
    names = files_of(tree)
    if all(readable_by_all(os.path.join(tree, name)) for name in [""] + names
           if not os.path.islink(os.path.join(tree, name))):
        return tree
    place = os.path.join(tempfile.gettempdir(), "writ-test-" + hashlib.sha256(tree.encode()).hexdigest()[:16])
    try:
        os.mkdir(place, 0o755)
    except FileExistsError:
        found = os.lstat(place)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
            place = tempfile.mkdtemp(prefix="writ-test-")  # somebody else's: never build there
            os.chmod(place, 0o755)
    copy = os.path.join(place, "tree")
    os.makedirs(copy, exist_ok=True)
    bring_up_to_date(tree, names, copy)
    data = os.path.join(tree, "..", "shared", "data")
    if os.path.isdir(data):
        target = os.path.join(place, "shared", "data")
        bring_up_to_date(data, files_of(data), target)
    print("The tree is closed to other users: building and testing in %s." % copy, flush=True)
    return copy


def build(variant, environment):
    """Configures and builds one variant; returns its folder, or None after showing what failed."""
    compiler, options = VARIANTS[variant]
    folder = os.path.join("build-test", variant)
    with tempfile.TemporaryFile() as log:
        for command in (["tools/configure.sh", folder, "-Dtests=enabled"] + options,
                        ["ninja", "-C", folder, "all", "meson-test-prereq"]):
            done = subprocess.run(command, env=dict(environment, CC=compiler), stdin=subprocess.DEVNULL,
                                  stdout=log, stderr=subprocess.STDOUT)
            if done.returncode:
                log.seek(0)
                print(log.read().decode(errors="replace")[-OUTPUT_SHOWN_BYTES:])
                return None
    return folder


def count_cases(test, status, text):
    """Turns one program's exit status and output into a Result."""
    name = test["name"]
    passed, failures, skips, planned = 0, [], [], 0
    for line in text.splitlines():
        plan = re.match(r"1\.\.(\d+)", line)
        case = re.match(r"(not )?ok\b[ \d]*(?:- )?(.*)", line)
        if plan:
            planned += int(plan.group(1))
        elif case:
            title, _, directive = case.group(2).partition("# ")
            title = title.removeprefix("- ").strip()
            # cmocka writes a skipped case as `not ok N # SKIP name`.
            if case.group(1) and directive.upper().startswith("SKIP"):
                skips.append("%s: %s" % (name, directive[4:].strip() or title))
            elif case.group(1):
                failures.append("%s: %s" % (name, title))
            elif directive.upper().startswith("SKIP"):
                skips.append("%s: %s%s" % (name, title, directive[4:] and ":" + directive[4:]))
            else:
                passed += 1
    seen = passed + len(failures) + len(skips)
    summary = re.search(r"^Ran (\d+) tests? in .*\n\n(?:OK|FAILED)(?: \((.*)\))?$", text, re.M)
    if summary and not seen:  # Python's unittest
        counts = dict(re.findall(r"(\w+)=(\d+)", summary.group(2) or ""))
        failures = ["%s: %s" % (name, title) for title in re.findall(r"^(?:FAIL|ERROR): (.*)$", text, re.M)]
        skips = ["%s: a case" % name] * int(counts.get("skipped", 0))
        seen = int(summary.group(1))
        passed = max(0, seen - len(failures) - len(skips))
    if status is None:
        failures.append("%s: still running after its time" % name)
    elif status == 77 and not seen:
        said = [line for line in text.splitlines() if line.strip()]
        skips.append("%s: %s" % (name, said[-1] if said else "no reason given"))
    elif status and not failures:
        failures.append("%s: exit status %d" % (name, status))
    elif not status and seen < planned:
        failures.append("%s: ended after %d of %d cases" % (name, seen, planned))
    elif not seen and not status:
        passed = 1
    elif not status and failures:
        failures.append("%s: exit status 0 after a failed case" % name)
    # cmocka knows no reason; what the test printed about it is the reason.
    said = sorted({line.lstrip("# ").strip() for line in text.splitlines()
                   if re.search(r"\bskip", line, re.I) and not re.match(r"(not )?ok\b", line)})
    if skips and said:
        skips = ["%s (%s)" % (skip, "; ".join(said)[:300]) for skip in skips]
    return Result(passed, len(failures), len(skips), failures, skips, text)


def run_one(test, variant, uid, environment):
    """Runs one test program in a home of its own; returns its result and how many seconds it took."""
    start, home = time.monotonic(), tempfile.mkdtemp(prefix="writ-home-")
    try:
        for name in ("home", "tmp"):
            os.mkdir(os.path.join(home, name), 0o700)
        if uid is not None:
            for path in (home, os.path.join(home, "home"), os.path.join(home, "tmp")):
                os.chown(path, uid, uid)
        own = dict(environment, HOME=os.path.join(home, "home"), TMPDIR=os.path.join(home, "tmp"), **test["env"])
        drop = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
        timeout = test["timeout"] * TIMEOUT_FACTOR.get(variant, 2) if test["timeout"] > 0 else None
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(test["cmd"], env=own, cwd=test["workdir"], stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, start_new_session=True, umask=0o022, **drop)
            try:
                status = process.wait(timeout)
            except subprocess.TimeoutExpired:
                status = None
            try:
                os.killpg(process.pid, signal.SIGKILL)  # also what a test left behind
            except ProcessLookupError:
                pass
            process.wait()
            log.seek(0)
            result = count_cases(test, status, log.read(1 << 24).decode(errors="replace"))
            return result, time.monotonic() - start
    finally:
        shutil.rmtree(home, ignore_errors=True)


def run_all(tests, variant, uid, environment):
    """Runs tests, two at a time where they allow it, the longest first; yields (test, result, seconds)."""
    tests = sorted(tests, key=lambda test: -test["timeout"])
    with concurrent.futures.ThreadPoolExecutor(max(2, len(os.sched_getaffinity(0)))) as pool:
        futures = {pool.submit(run_one, test, variant, uid, environment): test for test in tests if test["is_parallel"]}
        for future in concurrent.futures.as_completed(futures):
            yield futures[future], *future.result()
    for test in tests:
        if not test["is_parallel"]:
            yield test, *run_one(test, variant, uid, environment)


def tests_of(folder, variant, first_user, arguments):
    """The tests of a variant that this run wants."""
    listing = subprocess.run(["meson", "introspect", "--tests", folder], check=True, stdout=subprocess.PIPE).stdout
    for test in json.loads(listing):
        suites = [suite.split(":")[-1] for suite in test["suite"]]
        if "lint" in suites and not (variant == FIRST and first_user):
            continue
        if "heavy" in suites and variant != FIRST:
            continue
        if arguments.suite and not set(arguments.suite) & set(suites):
            continue
        if arguments.only and arguments.only not in test["name"]:
            continue
        test["workdir"] = test["workdir"] or os.path.abspath(folder)
        yield test


def can_become(uid):
    try:
        return subprocess.run(["true"], user=uid, group=uid, extra_groups=[]).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--suite", action="append", help="only tests of this suite")
    parser.add_argument("--only", help="only tests whose name holds this text")
    arguments = parser.parse_args()
    os.umask(0o022)
    tree = original = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
    total, users, began = Result(0, 0, 0, [], [], ""), [("as this user", None)], time.monotonic()
    path = os.environ.get("PATH", SYSTEM_PATH)
    if os.geteuid() == 0:
        tree = tree_for_all(tree)
        users = [("as root", None), ("as an ordinary user", ORDINARY_UID)]
        # An interpreter in root's own home would be out of the other user's reach.
        path = ":".join(entry for entry in path.split(":") if os.path.isdir(entry) and readable_by_all(entry))
        if not can_become(ORDINARY_UID):
            users.pop()
            total.skips.append("the run as an ordinary user: root may not become user %d here" % ORDINARY_UID)
    else:
        total.skips.append("the run as root: started by an ordinary user")
    os.chdir(tree)
    os.environ["PATH"] = path
    kept = {name: os.environ[name] for name in ("CI",) if name in os.environ}
    environment = dict(kept, PATH=path, LANG="C.UTF-8", PYTHONDONTWRITEBYTECODE="1", CMOCKA_MESSAGE_OUTPUT="TAP",
                       ASAN_OPTIONS="detect_stack_use_after_return=1", UBSAN_OPTIONS="print_stacktrace=1",
                       MALLOC_PERTURB_="165", WRIT_TREE=original)
    total = total._replace(skipped=len(total.skips))
    for variant in arguments.variant or VARIANTS:
        start = time.monotonic()
        folder = build(variant, environment)
        if folder is None:
            total = total._replace(failed=total.failed + 1, failures=total.failures + ["%s: the build" % variant])
            continue
        print("%s: built in %.0f s" % (variant, time.monotonic() - start), flush=True)
        for user, uid in users:
            where, start, passed, failed, skipped = "%s, %s" % (variant, user), time.monotonic(), 0, 0, 0
            times = []
            for test, result, seconds in run_all(list(tests_of(folder, variant, uid is None, arguments)), variant, uid,
                                        environment):
                times.append((seconds, test["name"]))
                passed, failed, skipped = passed + result.passed, failed + result.failed, skipped + result.skipped
                total.failures.extend("%s: %s" % (where, failure) for failure in result.failures)
                total.skips.extend("%s: %s" % (where, skip) for skip in result.skips)
                if result.failed:
                    shown = re.sub(r"^ok\b.*\n", "", result.output, flags=re.M)
                    print("--- %s: %s\n%s" % (where, test["name"], shown[-OUTPUT_SHOWN_BYTES:]))
            print("%s: %d passed, %d failed, %d skipped in %.0f s" % (where, passed, failed, skipped,
                                                                     time.monotonic() - start), flush=True)
            if times:
                print("  longest: %s" % ", ".join("%s %.0f s" % (name, seconds)
                                                  for seconds, name in sorted(times, reverse=True)[:LONGEST_SHOWN]))
            total = total._replace(passed=total.passed + passed, failed=total.failed + failed,
                                   skipped=total.skipped + skipped)
    for title, lines in (("Skipped", total.skips), ("Failed", total.failures)):
        if lines:
            print("\n%s:\n  %s" % (title, "\n  ".join(lines)))
    print("\nAll of it in %.0f s." % (time.monotonic() - began))
    print("%d passed, %d failed%s" % (total.passed, total.failed,
                                      ", %d skipped" % total.skipped if total.skipped else ""))
    return 0 if total.passed and not total.failed else 1


if __name__ == "__main__":
    sys.exit(main())
