#!/usr/bin/env python3
"""Runs the benchmarks and prints one table of their rows:  bench/run.py [--rounds N] [--only NAME]... [--verbose]

A benchmark is bench/bench_<name>.c; it prints rows as bench/row.h says, each with our time and a peer's, measured in
turns in one run.  The ratio is the median of the rounds' own ratios, ours to the peer's; a goal is the largest ratio
that is wanted.  Every benchmark gets a HOME and XDG folders of its own, empty and deleted afterwards.

Exit status: 1 when a benchmark could not be built or run.  A goal that is not met is told and is no failure: times
depend on the machine and on what else it does.
"""
import argparse
import collections
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import unicodedata

BUILD = "build-bench"
SKILL = ["--skill", "skills/com.example.text.stats"]
# In the table's order, with their arguments beside --rounds; others follow by name.
ARGUMENTS = {"json": [], "schema": [], "sandbox": [], "call": SKILL, "command": ["--writ", "build/writ"] + SKILL}
HEAD = ("what", "writ", "spread", "against", "its time", "spread", "ratio", "goal", "")
NUMERIC = {1, 2, 4, 5, 6, 7}

Row = collections.namedtuple("Row", "name unit ours ours_p10 ours_p90 peer peer_time peer_p10 peer_p90 ratio goal")


def parse_row(line):
    fields = line.rstrip("\n").split("\t")
    if len(fields) != 1 + len(Row._fields):
        raise ValueError("a row of %d fields: %r" % (len(fields), line))
    text = dict(zip(Row._fields, fields[1:]))
    return Row(**{key: value if key in ("name", "unit", "peer") else float(value) for key, value in text.items()})


def number(value):
    """Three digits that matter, never an exponent."""
    if value >= 100:
        return "%.0f" % value
    return "%.2f" % value if value >= 1 else "%.3f" % value if value >= 0.01 else "%.5f" % value


def ratio_text(ratio):
    """A small ratio says more the other way round."""
    return "1/" + number(1 / ratio) if 0 < ratio < 0.2 else number(ratio)


def goal_text(goal):
    return "" if not goal else "at most " + ("1/%.0f" % (1 / goal) if goal < 0.2 else "%.2g" % goal)


def columns_of(row):
    def spread(low, high):
        return "%s .. %s" % (number(low), number(high))
    met = "" if not row.goal else "met" if row.ratio <= row.goal else "NOT MET"
    return (row.name, "%s %s" % (number(row.ours), row.unit), spread(row.ours_p10, row.ours_p90), row.peer,
            "%s %s" % (number(row.peer_time), row.unit), spread(row.peer_p10, row.peer_p90), ratio_text(row.ratio),
            goal_text(row.goal), met)


def width_of(text):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def render(rows):
    """The table as text."""
    lines = [HEAD] + [columns_of(row) for row in rows]
    widths = [max(width_of(line[column]) for line in lines) for column in range(len(HEAD))]
    out = []
    for line in lines:
        cells = []
        for column, text in enumerate(line):
            space = " " * (widths[column] - width_of(text))
            cells.append(space + text if column in NUMERIC else text + space)
        out.append("  ".join(cells).rstrip())
    out.insert(1, "  ".join("-" * width for width in widths).rstrip())
    return "\n".join(out)


def benchmarks():
    """Names of the benchmarks that there are, in the table's order."""
    names = {match.group(1) for match in (re.fullmatch(r"bench_(\w+)\.c", name) for name in os.listdir("bench")) if match}
    return [name for name in ARGUMENTS if name in names] + sorted(names - set(ARGUMENTS))


def build():
    """Builds all programs of bench/ that this build knows; returns {benchmark: path of its program} of the good ones."""
    listing = subprocess.run(["meson", "introspect", BUILD, "--targets"], check=True, stdout=subprocess.PIPE).stdout
    here = os.path.join(os.path.abspath(BUILD), "bench")
    programs = [target["filename"][0] for target in json.loads(listing) if target["type"] == "executable"]
    programs = [program for program in programs if os.path.dirname(program) == here]
    for program in programs:
        if os.path.lexists(program):
            os.unlink(program)  # what does not build must not be measured as it once was
    built = subprocess.run(["ninja", "-C", BUILD, "-k", "0"] + [os.path.relpath(p, BUILD) for p in programs],
                           stdout=subprocess.PIPE, text=True)
    if built.returncode:
        print(built.stdout, file=sys.stderr)
    return {os.path.basename(program).removeprefix("bench_"): program for program in programs if os.path.exists(program)}


def environment_in(folder):
    environment = {name: os.environ[name] for name in ("PATH", "TERM", "USER", "LOGNAME") if name in os.environ}
    # What npm needs where the network is reached through something.
    environment.update((name, value) for name, value in os.environ.items()
                       if re.fullmatch(r"(?i)(https?|no)_proxy|npm_config_\w+|node_extra_ca_certs|ssl_cert_(file|dir)", name))
    environment.setdefault("NPM_CONFIG_USERCONFIG", os.path.expanduser("~/.npmrc"))
    environment.update(LANG="C.UTF-8", HOME=folder, TMPDIR=folder)
    for name, place in (("CONFIG_HOME", "config"), ("STATE_HOME", "state"), ("CACHE_HOME", "cache"),
                        ("DATA_HOME", "data"), ("RUNTIME_DIR", "run")):
        environment["XDG_" + name] = os.path.join(folder, place)
        os.mkdir(environment["XDG_" + name], 0o700)
    return environment


def measure(name, program, rounds, verbose):
    """Runs one benchmark; returns its rows and whether it went well.  Status 77 means that it has nothing to measure
    here, for a reason that it told."""
    command = [program] + (["--rounds", str(rounds)] if rounds else []) + ARGUMENTS.get(name, [])
    rows = []
    with tempfile.TemporaryDirectory(prefix="writ-bench-") as folder:
        with subprocess.Popen(command, env=environment_in(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              text=True) as child:
            for line in child.stdout:
                if line.startswith("bench\t"):
                    rows.append(parse_row(line))
                elif verbose:
                    print(line, end="", flush=True)
    if child.returncode == 77:
        print("bench_%s: left out" % name, file=sys.stderr)
        return [], True
    if child.returncode:
        print("bench_%s: exit status %d" % (name, child.returncode), file=sys.stderr)
    elif not rows:
        print("bench_%s: no rows" % name, file=sys.stderr)
    return rows, child.returncode == 0 and bool(rows)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0].split(":  ")[1])
    parser.add_argument("--rounds", type=int, help="rounds of each benchmark; its own number when not given")
    parser.add_argument("--only", action="append", choices=benchmarks())
    parser.add_argument("--verbose", action="store_true", help="show what the benchmarks print beside their rows")
    options = parser.parse_args()
    wanted = [name for name in benchmarks() if not options.only or name in options.only]
    programs = build()
    rows, good = [], True
    for name in wanted:
        if name not in programs:
            print("bench_%s is not built: see above, or what is missing in %s/configure.log" % (name, BUILD),
                  file=sys.stderr)
            good = False
            continue
        print("measuring %s ..." % name, file=sys.stderr, flush=True)
        more, went_well = measure(name, programs[name], options.rounds, options.verbose)
        rows += more
        good = good and went_well
    if rows:
        print("%s %s, %d processors, load %.1f; medians, spread from the 10th to the 90th percentile, ratio of paired "
              "rounds" % (platform.system(), platform.release(), os.cpu_count() or 0, os.getloadavg()[0]))
        print(render(rows))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
