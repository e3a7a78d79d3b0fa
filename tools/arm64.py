#!/usr/bin/env python3
"""Builds writ for arm64 on another processor and runs its tests there:  tools/arm64.py [--only TEXT] [--all]

Everything is made below build-arm64/.  The libraries come from packages that are fetched with a package state of its
own and unpacked, not installed, so that this machine stays as it is.  What only computes (parsers, schemas, the replay
of the fuzzers' seeds) runs under qemu-user.  What asks the kernel for something cannot: qemu-user passes each call on
to this machine's kernel, knows no openat2 and no namespaces, and would try x86 rules on arm programs.  That runs on a
kernel for arm64 in a small machine of its own (tools/arm64_machine.py), as root, and where rights matter also as an
ordinary user.

--all adds the tests of the command line, and an ordinary user for every test (some minutes more).  The last line is `N passed, N failed, N skipped`.
"""
import argparse
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import arm64_machine
import test

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = os.path.join(TREE, "build-arm64")
TRIPLET = "aarch64-linux-gnu"
LIBRARIES = ["libyaml-dev", "libpcre2-dev", "libsodium-dev", "libutf8proc-dev", "libcmocka-dev", "libjansson-dev"]
LIBRARY_PACKAGE = re.compile(r"lib(yaml|pcre2|sodium|utf8proc|cmocka|jansson)")
# What only computes: all of these folders but the tests named below, which open files in folders of their own.
COMPUTE = ("base/", "data/", "fuzz/", "run/compare", "skill/interpolate", "skill/permission", "skill/places")
ORDINARY_USER = ("sandbox/", "run/", "audit/audit", "skill/trust", "skill/digest", "cli/")
ASK_THE_KERNEL = ("base/file", "data/schema_remote", "data/schema-suite")
SECONDS_MAX = 3000
TIMES_SLOWER = 5  # than the times that the tests are given elsewhere, on a machine that is busy besides


class Refusal(Exception):
    """One sentence for the person."""


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", **options)
    if done.returncode:
        raise Refusal("%s:\n%s" % (" ".join(command[:4]), done.stdout[-test.OUTPUT_SHOWN_BYTES:]))
    return done.stdout


class Packages:
    """apt for arm64 with a state of its own: the sources are this machine's, everything else lies in `place`."""

    CONFIGURATION = """APT::Architecture "arm64";
#clear APT::Architectures;
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
Acquire::Retries "3";
Dir::State "%(place)s/state";
Dir::State::status "%(place)s/status";
Dir::Cache "%(place)s/cache";
"""

    def __init__(self, place):
        self.place = place
        self.is_fresh = False
        for folder in ("state/lists/partial", "cache/archives/partial", "files"):
            os.makedirs(os.path.join(place, folder), exist_ok=True)
        for name, text in (("status", ""), ("apt.conf", self.CONFIGURATION % {"place": place})):
            with open(os.path.join(place, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.environment = dict(os.environ, APT_CONFIG=os.path.join(place, "apt.conf"), LC_ALL="C")

    def apt(self, *words):
        return run(["apt-get", "-y", "-q", *words], env=self.environment, cwd=os.path.join(self.place, "files"))

    def unpack(self, names, wanted, target):
        """Unpacks those of `names` and of all they need whose name `wanted` matches; keeps what was unpacked once."""
        mark = os.path.join(target, ".unpacked")
        text = "\n".join([platform.freedesktop_os_release().get("VERSION_CODENAME", ""), wanted.pattern, *names])
        if os.path.exists(mark):
            with open(mark, encoding="utf-8") as file:
                if file.read() == text:
                    return
        if not self.is_fresh:
            self.apt("update")
            self.is_fresh = True
        needed = re.findall(r"^Inst (\S+) ", self.apt("install", "--simulate", *names), re.M)
        chosen = [name for name in needed if wanted.match(name)]
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        files = os.path.join(self.place, "files")
        shutil.rmtree(files)
        os.makedirs(files)
        self.apt("download", *chosen)
        for name in sorted(os.listdir(files)):
            run(["dpkg-deb", "-x", os.path.join(files, name), target])
        with open(mark, "w", encoding="utf-8") as file:
            file.write(text)


def cross_file(sysroot, wrapper):
    libraries = "%s/usr/lib/%s" % (sysroot, TRIPLET)
    lines = ["[binaries]"]
    lines += ["%s = '%s-%s'" % (name, TRIPLET, tool) for name, tool in (("c", "gcc"), ("ar", "ar"), ("strip", "strip"))]
    lines += ["pkgconfig = 'pkg-config'", "exe_wrapper = %s" % wrapper,
              "[properties]", "sys_root = '%s'" % sysroot, "pkg_config_libdir = '%s/pkgconfig'" % libraries,
              "[host_machine]", "system = 'linux'", "cpu_family = 'aarch64'", "cpu = 'aarch64'", "endian = 'little'"]
    return "\n".join(lines) + "\n"


def build(packages):
    """Returns the build folder and the words that start a program of it under qemu-user."""
    sysroot = os.path.join(PLACE, "sysroot")
    packages.unpack(LIBRARIES, LIBRARY_PACKAGE, sysroot)
    wrapper = ["qemu-aarch64-static", "-L", "/usr/" + TRIPLET,
               "-E", "LD_LIBRARY_PATH=%s/usr/lib/%s" % (sysroot, TRIPLET)]
    text, path, folder = cross_file(sysroot, wrapper), os.path.join(PLACE, "cross.ini"), os.path.join(PLACE, "build")
    if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
        shutil.rmtree(folder, ignore_errors=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    run(["tools/configure.sh", folder, "--cross-file", path, "-Dtests=enabled", "-Dbuildtype=release"],
        env=dict(os.environ, CC=TRIPLET + "-gcc"))
    run(["ninja", "-C", folder, "all", "meson-test-prereq"])
    return folder, wrapper


def check_build(folder, count):
    """What a wrong cross build would get wrong first."""
    header = run(["%s-readelf" % TRIPLET, "--file-header", os.path.join(folder, "writ")])
    count("the program is for arm64", "AArch64" in header, header)
    with open(os.path.join(folder, "src", "sandbox", "seccomp_filter.c"), encoding="utf-8") as file:
        text = file.read()
    # AUDIT_ARCH_AARCH64: the filter is worth nothing when it lets another processor's calls through by their numbers.
    count("the system call filter is that of arm64", "0xc00000b7" in text and "0xc000003e" not in text, text[:1000])


def wanted_tests(folder, arguments):
    for entry in json.loads(run(["meson", "introspect", "--tests", folder])):
        suites = {suite.split(":")[-1] for suite in entry["suite"]}
        is_ours = entry["cmd"][0].startswith(folder + "/")
        if (is_ours or arguments.all and "cli" in suites) and (arguments.only or "") in entry["name"]:
            entry["workdir"] = entry["workdir"] or folder
            entry["timeout"] *= TIMES_SLOWER
            if not is_ours:
                entry["cmd"][0] = "python3"  # the machine's own, not the one that was found here
            yield entry


def only_computes(entry):
    return entry["name"].startswith(COMPUTE) and entry["name"] not in ASK_THE_KERNEL


class Counter:
    def __init__(self):
        self.passed, self.failed, self.skips = 0, 0, []

    def __call__(self, title, is_right, why=""):
        self.passed, self.failed = self.passed + bool(is_right), self.failed + (not is_right)
        print("%s - %s%s" % ("ok" if is_right else "not ok", title, "" if is_right else "\n" + why), flush=True)

    def add(self, where, name, result):
        self.passed += result.passed
        self.failed += result.failed
        self.skips += ["%s: %s" % (where, skip) for skip in result.skips]
        if result.failed:
            print("--- %s: %s\n  %s\n%s" % (where, name, "\n  ".join(result.failures),
                                            result.output[-test.OUTPUT_SHOWN_BYTES:]), flush=True)


def run_under_qemu_user(tests, wrapper, count):
    began = time.monotonic()
    environment = {"PATH": test.SYSTEM_PATH, "LANG": "C.UTF-8", "CMOCKA_MESSAGE_OUTPUT": "TAP",
                   "MALLOC_PERTURB_": "165", "WRIT_TREE": TREE}
    before = count.passed
    entries = [dict(entry, cmd=wrapper + entry["cmd"]) for entry in tests]
    for entry, result, _ in test.run_all(entries, "sanitize", None, environment):  # the variant with the longest times
        count.add("qemu-user", entry["name"], result)
    print("qemu-user: %d tests, %d cases passed in %.0f s" % (len(entries), count.passed - before,
                                                              time.monotonic() - began), flush=True)


def run_in_machine(tests, is_all, packages, folder, count):
    began = time.monotonic()
    before = count.passed
    machine = arm64_machine.Machine(TREE, PLACE, folder)
    machine.make(packages)
    print("machine: made in %.0f s" % (time.monotonic() - began), flush=True)
    # What is refused to whom is the affair of these; the others do the same for everyone.
    users = {"as root": [None, tests], "as an ordinary user": [
        test.ORDINARY_UID, [entry for entry in tests if is_all or entry["name"].startswith(ORDINARY_USER)]]}
    for where, name, result in machine.run(users, SECONDS_MAX):
        count.add(where, name, result)
    print("machine: %d tests, %d cases passed in %.0f s" % (len(tests), count.passed - before,
                                                            time.monotonic() - began), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", help="only tests whose name holds this text")
    parser.add_argument("--all", action="store_true", help="also the tests of the command line, and all as an ordinary user")
    arguments = parser.parse_args()
    os.chdir(TREE)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the machine ends with us
    if platform.machine() == "aarch64":
        print("This machine is arm64 itself: `make test` is this test.\n0 passed, 0 failed, 1 skipped")
        return 0
    count = Counter()
    began = time.monotonic()
    packages = Packages(os.path.join(PLACE, "packages"))
    folder, wrapper = build(packages)
    print("built in %.0f s" % (time.monotonic() - began), flush=True)
    check_build(folder, count)
    tests = list(wanted_tests(folder, arguments))
    run_under_qemu_user([entry for entry in tests if only_computes(entry)], wrapper, count)
    rest = [entry for entry in tests if not only_computes(entry)]
    if rest and not shutil.which("qemu-system-aarch64"):
        count.skips += ["%s: needs a kernel, and there is no qemu-system-aarch64" % entry["name"] for entry in rest]
    elif rest:
        run_in_machine(rest, arguments.all, packages, folder, count)
    if count.skips:
        print("\nSkipped:\n  %s" % "\n  ".join(count.skips))
    print("\nAll of it in %.0f s." % (time.monotonic() - began))
    print("%d passed, %d failed%s" % (count.passed, count.failed,
                                      ", %d skipped" % len(count.skips) if count.skips else ""))
    return 0 if count.passed and not count.failed else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Refusal, arm64_machine.Failure) as failure:
        print(failure)
        print("0 passed, 1 failed")
        sys.exit(1)
