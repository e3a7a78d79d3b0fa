#!/usr/bin/env python3
"""docs/permissions.md has a section for each kind of permission and none for another, lint takes each line that it calls
right and says the sentence beside each that it calls wrong, and its closed places are those of the tables (S4.3).
usage: check_permissions.py BUILD-FOLDER
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import permissions  # noqa: E402
from sources import read  # noqa: E402
from tap import Tap  # noqa: E402

KIND = re.compile(r'^    \{"([a-z:]+)", WRIT_PERMISSION_\w+, (true|false), "([^"]+)", \w+\},$', re.M)
SECTION = re.compile(r"^## `([^`]+)`\n(.*?)(?=^## |\Z)", re.M | re.S)
TABLE = re.compile(r"^\| (right|wrong) \|.*\n\| --- \| --- \|\n((?:\|.*\n)*)", re.M)
ROW = re.compile(r"^\| `([^|]+)` \| (.+) \|$", re.M)
CONTRACT = """id: com.example.lint.permission
name: A permission
description: Reads what the input names, to try how a permission is written.
version: 1.0.0
author: Nobody
license: MIT
input:
  type: object
  properties:
%s
output:
  type: object
  required: [success, data]
  properties:
    success: {type: boolean, description: True.}
    data: {type: object, description: Nothing.}
    error: {type: string, description: Why not.}
permissions:
  - '%s'
runtime: {language: python}
test: {input: {}}
"""
FIELDS = ("file", "files", "repository", "report", "folder", "name", "tool")


def kinds(source):
    """(form, enforced) of each row of the table in permission.c."""
    return {form: enforced == "true" for _, enforced, form in KIND.findall(source)}


def section_faults(page, known):
    """What the sections and the page's table of kinds say of the kinds, against the program's table."""
    sections = SECTION.findall(page)
    titles = [title for title, _ in sections]
    faults = ["%s has no section" % form for form in known if form not in titles]
    faults += ["%s is no kind" % title for title in titles if title not in known]
    for title, body in sections:
        if known.get(title) is ("**Not enforced yet:**" in body):
            faults.append("%s: its section is wrong about being enforced" % title)
        if known.get(title) is ("Enforced by:" not in body):
            faults.append("%s: its section does not say what enforces it" % title)
        for wanted in ("right", "wrong"):
            if wanted not in [name for name, _ in TABLE.findall(body)]:
                faults.append("%s: no example of what is %s" % (title, wanted))
    rows = dict(re.findall(r"^\| \[`([^`]+)`\]\(#[a-z]+\) \| .* \| (enforced|not enforced yet) \|$", page, re.M))
    wanted = {form: "enforced" if enforced else "not enforced yet" for form, enforced in known.items()}
    return faults + ["the table of kinds: %s: %s, not %s" % (form, wanted.get(form), rows.get(form))
                     for form in sorted(set(rows) ^ set(wanted) | {form for form in wanted if rows.get(form) != wanted[form]})]


def examples(page):
    """(right or wrong, permission, what is said of it)"""
    return [(kind, permission, said) for kind, body in TABLE.findall(page) for permission, said in ROW.findall(body)]


def lint(writ, folder, permission):
    place = os.path.join(folder, "com.example.lint.permission")
    os.makedirs(place, exist_ok=True)
    fields = ["    %s: {type: %s, description: A path of the caller's., examples: [%s]%s}"
              % (name, "array" if name == "files" else "string", "[a]" if name == "files" else "a",
                 ", items: {type: string, description: One., examples: [a]}" if name == "files" else "")
              for name in FIELDS]
    with open(os.path.join(place, "skill.yaml"), "w", encoding="utf-8") as file:
        file.write(CONTRACT % ("\n".join(fields), permission.replace("'", "''")))
    with open(os.path.join(place, "main.py"), "w", encoding="utf-8") as file:
        file.write("print('{}')\n")
    done = subprocess.run([writ, "lint", place, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, HOME=folder))
    return [finding for finding in json.loads(done.stdout)["findings"] if finding["field"].startswith("permissions")]


def main():
    tap = Tap()
    writ, page, source = os.path.join(sys.argv[1], "writ"), read("docs/permissions.md"), read("src/skill/permission.c")
    known = kinds(source)
    rows = re.search(r"^static const struct kind kinds\[\] = \{\n(.*?)^\};", source, re.M | re.S).group(1)
    tap.case("each row of the table of kinds is understood",
             [] if known and rows.count("\n") == len(known) else ["%d of %d" % (len(known), rows.count("\n"))])
    tap.case("control: a kind without a section, and a section without a kind",
             [] if len(section_faults(page, dict(known, **{"usb:DEVICE": True}))) == 2
             and section_faults(page, {form: known[form] for form in list(known)[1:]})
             and section_faults(page, {form: not enforced for form, enforced in known.items()}) else ["passed"])
    tap.case("each kind has its section, and each section its kind", section_faults(page, known))
    tap.case("the closed places are those of the tables",
             [] if page == permissions.page(page) else ["run tools/permissions.py"])

    faults, tried = [], examples(page)
    with tempfile.TemporaryDirectory() as folder:
        control = lint(writ, folder, "filesystem:raed:/tmp/a")
        tap.case("control: lint speaks of a permission", [] if control else ["it said nothing"])
        for kind, permission, said in tried:
            findings = lint(writ, folder, permission)
            heard = [finding["message"] for finding in findings]
            if kind == "right":
                faults += ["%s: %s" % (permission, finding["message"]) for finding in findings
                           if finding["severity"] != "note"]
            elif not any(said in message for message in heard):
                faults.append("%s: lint said %s" % (permission, heard))
    tap.case("lint agrees with each example", faults if len(tried) > 20 else faults + ["%d examples" % len(tried)])
    tap.done()


main()
