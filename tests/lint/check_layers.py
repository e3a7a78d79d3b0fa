#!/usr/bin/env python3
"""Folders include only what tools/layers.txt allows, and no modules form a cycle.

A module is x.c and x.h taken as one.  The checks are tried on a made-up table first, so that they can be seen to fail.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sources import c_files, read  # noqa: E402
from tap import Tap  # noqa: E402

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def parse_layers(text):
    """{folder: allowed folders}; a folder may only name rows above its own."""
    layers, faults = {}, []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        folder, _, allowed = line.partition(":")
        for other in allowed.split():
            if other not in layers:
                faults.append("tools/layers.txt: %s names %s, which is not a row above it" % (folder, other))
        layers[folder.strip()] = set(allowed.split())
    return layers, faults


def includes_of(sources):
    """{file: files of src that it includes}, both relative to src."""
    found = {}
    for name, text in sources.items():
        found[name] = []
        for included in INCLUDE.findall(text):
            beside = os.path.normpath(os.path.join(os.path.dirname(name), included))
            found[name].append(included if included in sources or beside not in sources else beside)
    return found


def upward(includes, layers):
    faults = []
    for name, included in includes.items():
        folder = name.split("/")[0]
        if folder not in layers:
            faults.append("src/%s: its folder is not in tools/layers.txt" % name)
            continue
        for other in included:
            other_folder = other.split("/")[0]
            if other_folder != folder and other_folder not in layers[folder]:
                faults.append("src/%s includes %s: %s may use only %s" %
                              (name, other, folder, ", ".join(sorted(layers[folder])) or "itself"))
    return faults


def cycles(includes):
    """Cycles between modules, each as a path; depth-first with three colours."""
    graph = {}
    for name, included in includes.items():
        module = os.path.splitext(name)[0]
        graph.setdefault(module, set()).update(os.path.splitext(other)[0] for other in included)
        graph[module].discard(module)
    state, faults = {}, []

    def visit(module, path):
        state[module] = "open"
        for other in sorted(graph.get(module, ())):
            if state.get(other) == "open":
                faults.append(" -> ".join(path[path.index(other):] + [other]))
            elif other not in state:
                visit(other, path + [other])
        state[module] = "done"

    for module in sorted(graph):
        if module not in state:
            visit(module, [module])
    return faults


def main():
    tap = Tap()
    table, faults = parse_layers("a:\nb: a\n")
    tap.case("control: a row may not name one below it", [] if not faults and parse_layers("a: b\nb:\n")[1] else ["passed"])
    good = includes_of({"a/x.h": "", "a/x.c": '#include "a/x.h"\n', "b/y.c": '#include "a/x.h"\n#include <stdio.h>\n'})
    up = includes_of({"a/x.c": '#include "b/y.h"\n', "b/y.h": ""})
    beside = includes_of({"a/x.c": '#include "y.h"\n', "a/y.h": '#include "a/x.h"\n', "a/x.h": ""})
    tap.case("control: good includes pass", upward(good, table) + cycles(good))
    tap.case("control: an include that goes up is found", [] if upward(up, table) else ["passed"])
    tap.case("control: a folder without a row is found", [] if upward(includes_of({"c/z.c": ""}), table) else ["passed"])
    tap.case("control: a cycle is found", [] if cycles(beside) else ["passed"])

    layers, faults = parse_layers(read("tools/layers.txt"))
    sources = {name[len("src/"):]: read(name) for name in c_files() if name.startswith("src/")}
    includes = includes_of(sources)
    tap.case("the layer table is in order", faults)
    tap.case("no include goes up", upward(includes, layers))
    tap.case("every included file of ours exists", ["src/%s includes %s, which is not there" % (name, other)
             for name, included in includes.items() for other in included if other not in sources])
    tap.case("no modules form a cycle", cycles(includes))
    tap.done()


main()
