#!/usr/bin/env python3
"""`writ init` for every language: what it prints can be typed as it stands, and works:  init.py --program FILE

Each language's skill is made, judged by lint without a warning, tested, and run by the very commands that init printed.
The programs of all languages are one skill: over the same texts they must count alike.  A language whose interpreter or
tool is missing here is skipped by name.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import embed_templates  # noqa: E402
from tap import Tap  # noqa: E402

TREE = os.path.dirname(os.path.dirname(HERE))
NEEDS = {"python": ["python3"], "node": ["node"], "sh": ["jq"], "c": ["cc"]}
SECONDS_MAX = 240
TEXTS = [b"", b"\n", b"\n\n", b"a", b"a\n", b"a b\r\n\r\n \t\n c", b"\v\f\nx\fy\vz", b"one\n\n\ntwo\n ", b" ",
         "一 二\n\u3000\n".encode(), b"\xff\xfe bad \x80\n", b"a\0b\n", b"x" * 70000 + b" y\n"]
HARD_TEXTS = ["Reads: a \"list\" of # things, and 'counts' them \\ all.", "统计一个文本文件的行数和词数：含“引号”与#号",
              "Lists the links\nof a web page\tin order: {a: [b]} & *c* <d> `e` !f | g > h % @id@ @yaml:title@",
              "- counts the rows of a table", "true lies are counted by line", "Zählt Zeilen, Wörter und Absätze eines Textes"]


class Place:
    """A working folder and a HOME of its own."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="writ-init-"))
        self.home, self.work = os.path.join(self.top, "home"), os.path.join(self.top, "work")
        for folder in (self.home, self.work):
            os.mkdir(folder, 0o700)
        kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        self.environment = dict(kept, HOME=self.home, LANG="C.UTF-8", TMPDIR=os.environ.get("TMPDIR", "/tmp"),
                                PATH=os.path.dirname(self.program) + ":" + os.environ["PATH"])

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.top, ignore_errors=True)

    def run(self, command, where=None, **changes):
        """A command of the shell, or a list of words; returns (status, stdout, stderr)."""
        shell = isinstance(command, str)
        done = subprocess.run(["sh", "-c", command] if shell else command, cwd=where or self.work,
                              env=dict(self.environment, **changes), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=SECONDS_MAX)
        return done.returncode, done.stdout.decode(errors="backslashreplace"), done.stderr.decode(errors="replace")


def next_commands(printed):
    block = printed.partition("\nnext:\n")[2].partition("\n\n")[0]
    return [line[2:] for line in block.split("\n") if line.startswith("  ")]


def fault_unless(done, status, pattern):
    """[] or what a command did instead of ending with `status` and printing what matches `pattern`."""
    fits = done[0] == status and re.search(pattern, done[1] + done[2], re.S)
    return [] if fits else ["wanted status %d and %s, got %d:\n%s%s" % (status, pattern, *done)]


def whole_way(place, language, argument, options=()):
    """init, then its three commands word for word.  Returns the faults."""
    made = place.run(["writ", "init", argument, "--language", language, *options])
    if made[0] != 0:
        return ["init: %s%s" % made[1:]]
    commands = next_commands(made[1])
    if len(commands) != 3:
        return ["no three commands in:\n" + made[1]]
    lint, test, run = commands
    strict = place.run(lint + " --strict")
    faults = [] if strict[0] == 2 and "no option --strict" in strict[2] else fault_unless(strict, 0, "0 warnings")
    faults += fault_unless(place.run(lint), 0, r"\b0 errors, 0 warnings\n")
    faults += fault_unless(place.run(test), 0, r"\n4 passed, 0 failed\n")
    faults += fault_unless(place.run(run), 0, r'^\{"success":true,"data":\{"lines":4,"words":11\}\}\n$')
    by_id = re.search(r"with (--skills [^,]+),", made[1])
    if not by_id:
        faults.append("no word about the id in:\n" + made[1])
    else:
        call = "writ run %s com.example.%s --file %s/tests/sample.txt" % (by_id.group(1), argument, argument)
        faults += fault_unless(place.run(call), 0, r'^\{"success":true,"data":\{"lines":4,"words":11\}\}\n$')
    return ["%s: %s" % (argument, fault) for fault in faults]


def front_matter(text):
    """The fields of SKILL.md's head, read the plain way: one a line."""
    head = text.split("---\n")[1]
    return {key.strip(): value for key, value in re.findall(r"^( *[\w-]+): ?(.*)$", head, re.M)}


def check_texts(place, language, folder):
    """What the standard and README ask of the texts."""
    with open(os.path.join(folder, "SKILL.md"), encoding="utf-8") as file:
        skill = file.read()
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    fields, faults = front_matter(skill), []
    if readme.count("\n") != 10:
        faults.append("README.md has %d lines" % readme.count("\n"))
    if fields.get("name") != os.path.basename(folder):
        faults.append("SKILL.md's name is %s" % fields.get("name"))
    for wanted in ("description", "license", "compatibility", "allowed-tools", "metadata", "version", "writ-triggers",
                   "writ-exclusions", "writ-touches"):
        if wanted not in fields:
            faults.append("SKILL.md has no %s" % wanted)
    if not 40 < len(fields["description"]) <= 1024 or "Use when" not in fields["description"]:
        faults.append("SKILL.md's description: " + fields["description"])
    if "writ run com.example." not in skill or "filesystem:denied" not in skill:
        faults.append("SKILL.md does not say how to call the program and what may come back")
    left = [name for top, _, names in os.walk(folder) for name in names
            if re.search(r"@[a-z:]+@|@only", open(os.path.join(top, name), encoding="utf-8", errors="replace").read())
            and name != "main"]
    return faults + ["%s: a field is not filled in" % name for name in left]


def count_alike(place, languages):
    """Every language's program over the same texts; the first is the measure."""
    faults = []
    for number, text in enumerate(TEXTS):
        name = "text %d" % number if number % 2 else "文本\"%d\\" % number
        with open(os.path.join(place.work, name), "wb") as file:
            file.write(text)
        for skip in ("true", "false"):
            given = json.dumps({"file": name, "skip_blank": skip == "true"}, ensure_ascii=number % 3 == 0)
            answers = {}
            for language in languages:
                done = place.run(["writ", "run", "--skills", ".", "com.example.%s-skill" % language, "--input", given])
                answers[language] = done[1] if done[0] == 0 else done[2]
            if len(set(answers.values())) != 1:
                faults.append("%r, skip_blank %s: %s" % (text[:40], skip, answers))
    return faults


def hard_descriptions(place):
    """Texts that YAML or Markdown would take for something else come through word for word."""
    faults = []
    for number, text in enumerate(HARD_TEXTS):
        folder = "hard-%d" % number
        made = place.run(["writ", "init", folder, "-l", "sh", "--description", text, "--author", "O'Hara: \"R&D\" #1",
                          "--license", "MIT OR Apache-2.0"])
        shown = place.run(["writ", "show", "--skills", ".", "com.example." + folder, "--json"])
        lint = place.run("writ lint ./%s" % folder)
        wanted = re.sub(r"\s", " ", text)
        if made[0] or shown[0] or json.loads(shown[1])["contract"]["description"] != wanted or "0 errors, 0 warnings" not in lint[1]:
            faults.append("%r: %s" % (text, (made, shown, lint)))
            continue
        with open(os.path.join(place.work, folder, "SKILL.md"), encoding="utf-8") as file:
            said = front_matter(file.read())["description"]
        said = json.loads(said) if said.startswith('"') else said
        if not said.startswith(wanted) or len(said) < len(wanted) + 5:
            faults.append("%r became %r" % (text, said))
    return faults


def lacking_tool(place):
    """Where jq is missing, the test says so and how to mend it, and doctor too."""
    bare = os.path.join(place.top, "bare")
    os.mkdir(bare)
    os.symlink(os.path.realpath(shutil.which("sh")), os.path.join(bare, "sh"))
    place.run("writ init without -l sh -q")
    tested = place.run([place.program, "test", "./without"], PATH=bare)
    doctor = place.run([place.program, "doctor", "./without"], PATH=bare)
    return fault_unless(tested, 1, r"dependency:missing: jq: .*install it") + fault_unless(
        doctor, 1, r"jq +lacking")


def compile_template(compiler):
    source = embed_templates.files_of(os.path.join(TREE, "templates"), "c")["main.c"][0]
    done = subprocess.run([compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-"],
                          input=source.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [done.stdout.decode()] if done.returncode else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    tap = Tap()
    tap.case("each language has its folder in templates/", sorted(
        set(os.listdir(os.path.join(TREE, "templates"))) ^ {"common", *embed_templates.LANGUAGES}))
    with Place(program) as place:
        present = []
        for language in embed_templates.LANGUAGES:
            missing = [need for need in NEEDS[language] if not shutil.which(need)]
            if missing:
                tap.skip("%s: made, judged, tested and run" % language, "%s is not installed" % missing[0])
                continue
            present.append(language)
            tap.case("%s: made, judged, tested and run" % language, whole_way(place, language, language + "-skill"))
            tap.case("%s: what its texts say" % language,
                     check_texts(place, language, os.path.join(place.work, language + "-skill")))
        tap.case("the programs of %s count alike" % ", ".join(present), count_alike(place, present))
        tap.case("sh where jq is missing", lacking_tool(place))
        tap.case("descriptions that look like something else", hard_descriptions(place))
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler):
            tap.case("main.c compiles without a warning under " + compiler, compile_template(compiler))
        else:
            tap.skip("main.c compiles without a warning under " + compiler, "it is not installed")
    tap.done()


main()
