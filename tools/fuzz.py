#!/usr/bin/env python3
"""Runs every fuzz target for a while:  FUZZ_SECONDS=60 tools/fuzz.py [TARGET]...

A target is tests/fuzz/fuzz_<name>.c; its seeds lie in tests/fuzz/corpus/<name>/ and are never written to: what
libFuzzer finds goes to build-fuzz/corpus/<name>/, and an input that breaks the target to build-fuzz/found/<name>-*.
Each target is one case of the closing line.
"""
import os
import re
import subprocess
import sys

FOLDER = "build-fuzz"
OPTIONS = ["--buildtype=debug", "-Doptimization=1", "-Db_sanitize=address,undefined", "-Db_lundef=false",
           "-Dfuzz=true", "-Dtests=enabled"]


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    seconds = int(os.environ.get("FUZZ_SECONDS") or 60)
    folder = "tests/fuzz"
    names = sorted(found.group(1) for found in (re.fullmatch(r"fuzz_(\w+)\.c", name) for name in os.listdir(folder))
                   if found) if os.path.isdir(folder) else []
    names = [name for name in names if not sys.argv[1:] or name in sys.argv[1:]]
    if not names:
        print("no such fuzz target")
        return 1
    environment = dict(os.environ, CC="clang")
    targets = ["tests/fuzz/fuzz_" + name for name in names]
    for command in (["tools/configure.sh", FOLDER] + OPTIONS, ["ninja", "-C", FOLDER, "--quiet"] + targets):
        if subprocess.run(command, env=environment).returncode:
            print("0 passed, 1 failed")
            return 1
    os.makedirs(os.path.join(FOLDER, "found"), exist_ok=True)
    failed = 0
    for name, target in zip(names, targets):
        corpora = [os.path.join(FOLDER, "corpus", name), os.path.join(folder, "corpus", name)]
        os.makedirs(corpora[0], exist_ok=True)
        command = [os.path.join(FOLDER, target), "-max_total_time=%d" % seconds, "-timeout=10", "-rss_limit_mb=2048",
                   "-print_final_stats=1", "-verbosity=0", "-artifact_prefix=%s/found/%s-" % (FOLDER, name)]
        done = subprocess.run(command + [corpus for corpus in corpora if os.path.isdir(corpus)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        runs = re.search(r"number_of_executed_units:\s*(\d+)", done.stdout)
        print("%-4s %s: %s inputs in %d s" % ("ok" if done.returncode == 0 else "FAIL", name,
                                              runs.group(1) if runs else "?", seconds), flush=True)
        if done.returncode:
            failed += 1
            print(done.stdout[-6000:])
    print("%d passed, %d failed" % (len(names) - failed, failed))
    return 1 if failed else 0


sys.exit(main())
