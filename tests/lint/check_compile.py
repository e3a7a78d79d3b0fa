#!/usr/bin/env python3
"""Each header compiles alone, with the project's warnings as errors, under gcc and clang; a banned function breaks the
build.  usage: check_compile.py BUILD-FOLDER (its compile_commands.json tells the flags)
"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sources import TREE, c_files, read  # noqa: E402
from tap import Tap  # noqa: E402

GUARD = re.compile(r"#ifndef (\w+)\n#define \1\n")


def project_flags(build_folder):
    """Language and warning flags of a file in src, and the file included before each."""
    with open(os.path.join(build_folder, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    row = next(row for row in commands if "src/base/" in row["file"])
    words, flags, included = shlex.split(row["command"]), [], []
    for index, word in enumerate(words):
        if word == "-include":
            included = ["-include", words[index + 1]]
        elif word.startswith(("-W", "-std=", "-D_GNU")) and not word.startswith("-Wl,"):
            flags.append(word)
    return flags, included


def compile_text(compiler, flags, text):
    """The compiler's complaint, or an empty string."""
    other = ["-Wno-unknown-warning-option"] if "clang" in compiler else []
    done = subprocess.run([compiler, *flags, *other, "-I", os.path.join(TREE, "src"), "-fsyntax-only", "-x", "c", "-"],
                          input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "" if done.returncode == 0 else done.stdout or "no message"


def main():
    tap = Tap()
    flags, included = project_flags(sys.argv[1])
    headers = [name[len("src/"):] for name in c_files(".h") if name.startswith("src/")]
    banned = re.findall(r"^#pragma GCC poison (.*)", read("src/base/banned.h"), re.M)
    names = " ".join(banned).split()
    for compiler in ("gcc", "clang"):
        if not shutil.which(compiler):
            tap.skip(compiler, "it is not installed")
            continue
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            # Twice, for its guard; without what the build includes before each file, for what it forgot.
            texts = ['#include "%s"\n#include "%s"\nint writ_lint_ = 0;\nint main(void) { return writ_lint_; }\n'
                     % (name, name) for name in headers]
            texts = [text.replace("int writ_lint_", "static int writ_lint_") for text in texts]
            faults = [fault for fault in pool.map(lambda text: compile_text(compiler, flags, text), texts) if fault]
            tap.case("%s: each of %d headers compiles alone" % (compiler, len(headers)), faults)
            call = "void *writ_lint_(void);\nvoid *writ_lint_(void) { return (void *)%s; }\n"
            broken = list(pool.map(lambda name: compile_text(compiler, flags + included, call % name), names))
        tap.case("%s: each of %d banned functions breaks the build" % (compiler, len(names)),
                 ["%s compiles" % name for name, complaint in zip(names, broken) if name not in complaint]
                 + ([] if "strcpy" in names else ["strcpy is not banned"]))
        tap.case("%s: control: a function that is not banned compiles" % compiler,
                 filter(None, [compile_text(compiler, flags + included, call % "strlen")]))
        tap.case("%s: control: a header that forgets an include does not compile" % compiler,
                 [] if compile_text(compiler, flags, "size_t writ_lint_(void);\n") else ["it compiles"])
    tap.case("each header has a guard of its own name", ["src/%s" % name for name in headers
             if GUARD.findall(read("src/" + name))[:1] != ["WRIT_" + re.sub(r"[/.]", "_", name).upper()]])
    tap.done()


main()
