#!/usr/bin/env python3
"""Rules about files as texts: every source is built, sizes, white space, words that mark something unfinished, and paths
of somebody's machine."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sources import TREE, all_files, c_files, read  # noqa: E402
from tap import Tap  # noqa: E402

FILE_LINES_MAX, FUNCTION_LINES_MAX, COLUMNS_MAX = 700, 100, 120
EXCUSE = re.compile(r"^[ /*]*size: \S", re.M)  # in the comment at the head of the file: `size: why it is larger`
TEXT = re.compile(r"\.(c|h|py|sh|md|t|build|txt|yaml|yml|json|clang-format)$|(^|/)(Makefile|run|meson_options\.txt)$")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b|not (yet )?implemented")
# Folders that stand above many a checkout and are named for good reasons too.
COMMON_FOLDERS = {"/", "/root", "/home", "/tmp", "/var/tmp", "/src", "/mnt", "/opt", "/usr/src", "/srv"}


def functions(text):
    """(name, first line, lines) of each function: its braces stand alone in the first column (.clang-format)."""
    lines, start = text.split("\n"), None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            head = start - 1
            while head > 1 and not re.match(r"[A-Za-z]", lines[head - 1]):
                head -= 1
            name = re.search(r"(\w+)\(", lines[head - 1])
            yield name.group(1) if name else "?", start, number - start - 1
            start = None


def size_faults(name, text):
    if EXCUSE.search(text[:4000]):
        return []
    faults = []
    if text.count("\n") > FILE_LINES_MAX:
        faults.append("%s has %d lines, more than %d" % (name, text.count("\n"), FILE_LINES_MAX))
    if name.endswith(".c"):
        faults += ["%s:%d: %s has %d lines, more than %d" % (name, line, function, lines, FUNCTION_LINES_MAX)
                   for function, line, lines in functions(text) if lines > FUNCTION_LINES_MAX]
    return faults


def space_faults(name, text):
    faults = ["%s:%d: white space at the end" % (name, number) for number, line in enumerate(text.split("\n"), 1)
              if line.endswith((" ", "\t", "\r"))]
    if text and not text.endswith("\n"):
        faults.append("%s: no line end at its end" % name)
    if text.endswith("\n\n"):
        faults.append("%s: an empty line at its end" % name)
    if name.endswith((".c", ".h")):
        faults += ["%s:%d: a tab" % (name, number) for number, line in enumerate(text.split("\n"), 1) if "\t" in line]
        faults += ["%s:%d: %d columns, more than %d" % (name, number, len(line), COLUMNS_MAX)
                   for number, line in enumerate(text.split("\n"), 1) if len(line) > COLUMNS_MAX]
    return faults


def unlisted(sources, build_files):
    """C files that no meson.build of their folder names, as 'x.c' or, for tests and fuzz targets, by its stem's tail."""
    faults = []
    for name in sources:
        folder, base = os.path.split(name)
        text = build_files.get(os.path.join(folder, "meson.build"))
        stem = re.sub(r"^(test|fuzz|bench|fault)_", "", base[:-2])
        if text is None:
            faults.append("%s: its folder has no meson.build" % name)
        elif "'%s'" % base not in text and "'%s'" % base[:-2] not in text and "'%s'" % stem not in text:
            faults.append("%s is in no meson.build" % name)
    return faults


def machine_paths(tree):
    """Finds the checkout's own path, and its folder's when that names this machine rather than any."""
    folders = [folder for folder in (tree, os.path.dirname(tree)) if folder not in COMMON_FOLDERS]
    return re.compile(r"(?<![\w.$~}])(%s)\b" % "|".join(re.escape(folder) for folder in folders))


def main():
    tap = Tap()
    long_function = "int f(int a,\n      int b)\n{\n" + "    a++;\n" * 101 + "}\n"
    tap.case("control: what is too large is found", [] if size_faults("a.c", long_function) and size_faults(
        "a.h", "\n" * 701) and not size_faults("a.c", "/* size: a table */\n" + long_function) else ["passed"])
    tap.case("control: white space is found", [] if all(space_faults("a.c", text) for text in (
        "a \n", "a", "a\n\n", "\ta\n", "a" * 121 + "\n")) and not space_faults("a.c", "a\n") else ["passed"])
    tap.case("control: a source that is not built is found", [] if unlisted(["a/b.c"], {"a/meson.build": "'c.c'"})
             and not unlisted(["a/b.c"], {"a/meson.build": "'b.c'"}) else ["passed"])
    control = machine_paths("/build/of/one/writ")
    tap.case("control: a path of a machine is found", [] if control.search("in /build/of/one/shared")
             and not control.search("$PLACE/build/of/one/writ") else ["passed"])

    names = all_files()
    texts = {name: read(name) for name in names if TEXT.search(name)}
    build_files = {name: text for name, text in texts.items() if name.endswith("meson.build")}
    sources = [name for name in c_files(".c") if name.startswith(("src/", "tests/", "bench/"))]
    tap.case("every C source is built", unlisted(sources, build_files))
    tap.case("files and functions are within their sizes, or say why not",
             [fault for name in c_files() for fault in size_faults(name, read(name))])
    # Samples may hold anything, and a line of a command-line case may end in the spaces that were printed.
    plain = {name: text for name, text in texts.items()
             if not re.search(r"\.t$|(^|/)(assets|corpus|golden|data)/", name)}
    tap.case("white space", [fault for name, text in plain.items() for fault in space_faults(name, text)])
    tap.case("nothing is marked unfinished", ["%s:%d: %s" % (name, number, line.strip())
             for name, text in plain.items() if name != "tests/lint/check_texts.py"
             for number, line in enumerate(text.split("\n"), 1) if UNFINISHED.search(line)])
    machine_path = machine_paths(os.environ.get("WRIT_TREE", TREE))
    tap.case("no path of a machine", ["%s:%d: %s" % (name, number, line.strip())
             for name, text in texts.items() for number, line in enumerate(text.split("\n"), 1)
             if machine_path.search(line)])
    tap.done()


main()
