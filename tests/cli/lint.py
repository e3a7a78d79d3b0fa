#!/usr/bin/env python3
"""What `writ lint` gives to programs:  lint.py WRIT

SARIF is checked by a schema of the parts that are printed (lint/sarif.schema.json), with each control of it refused, and
by doing what it says: every place is looked up in the file, every fix is made.  So are the edits of the JSON form.
"""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap  # noqa: E402 (its folder is only known now)

SCHEMA = os.path.join(HERE, "lint", "sarif.schema.json")
SOUND = """id: com.example.a
name: Line counter
description: Returns the number of lines, words and bytes of a text.
version: 1.0.0
author: The writ project
license: MIT
input:
  type: object
  additionalProperties: false
  properties:
    text: {type: string, description: What is counted., example: one two}
output:
  type: object
  required: [success, data]
  properties: {success: {type: boolean}, data: {type: object}, error: {type: string}}
permissions: [binary:run:git]
runtime: {language: sh}
dependencies: {binaries: [git]}
test: {input: {text: a}, expected_error: program:reported}
"""
# What is done to the sound contract: pairs of what stands there and what stands there instead.
SLIPS = {
    "a-version": [("1.0.0", "1.0")],
    "a-key-below-wide-characters": [("name: Line", "name: \u540d"), ("license", "lisence")],
    "a-value-behind-wide-characters": [("data: {type: object}", "\U0001F600\u00e9\u540d: {type: int}, data: {type: object}")],
    "no-yaml": [("name: Line", "name: a: \u540d"), ("1.0.0", "1")],
    "several": [("description:", "descripton:"), ("{type: boolean}", "{type: bool}"), ("1.0.0", "v1")],
    "a-permission": [("[binary:run:git]", "[]")],
    "a-keyword": [("  additional", "  titel: A\n  additional")],
    "no-permissions": [("permissions: [binary:run:git]\n", ""), ("dependencies: {binaries: [git]}\n", "")],
    "crlf": [("\n", "\r\n")],
    "mark": [("id:", "\ufeffid:"), ("license: MIT\n", "")],
    "no-place": [],
    "many": [("{type: boolean}", "{type: boolean, %s}" % ", ".join("zzzz%d: 1" % i for i in range(600)))],
}
FOLDERS = ["skills", "with space", "\u540d%41", "colon:first", "a+b&c=d"]


def run(writ, *arguments, folder=None):
    return subprocess.run([writ, *arguments], cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL)


def lay_out(top, parent, slips):
    folder = os.path.join(top, parent, "com.example.a")
    os.makedirs(folder)
    text = SOUND
    for old, new in slips:
        text = text.replace(old, new)
    path = os.path.join(folder, "skill.yaml")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    with open(os.path.join(folder, "main.sh"), "w", encoding="utf-8"):
        pass
    return folder


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def is_valid(writ, document, folder):
    path = os.path.join(folder, "document.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    result = run(writ, "schema", "check", SCHEMA, path)
    return [] if result.returncode == 0 else (result.stdout + result.stderr).decode()[:600].split("\n")


def offset_of(text, line, column):
    """Where a line and a column, both in characters from 1, are in the text; the mark at its head counts nothing."""
    start = 1 if text.startswith("\ufeff") else 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start + column - 1


def region_text(text, region):
    return text[offset_of(text, region["startLine"], region["startColumn"]):
                offset_of(text, region["endLine"], region["endColumn"])]


def check_sarif(writ, top, parent, slips):
    folder = lay_out(top, parent, slips)
    text = read(os.path.join(folder, "skill.yaml"))
    printed = run(writ, "lint", "--format", "sarif", "--unsafe-fixes", os.path.join(parent, "com.example.a"), folder=top)
    document = json.loads(printed.stdout)
    listed = json.loads(run(writ, "lint", "--json", folder).stdout)["findings"]
    faults = is_valid(writ, document, top)
    rules = document["runs"][0]["tool"]["driver"]["rules"]
    results = document["runs"][0]["results"]
    if len(results) != len(listed):
        faults.append("%d results, but %d findings" % (len(results), len(listed)))
    for result, finding in zip(results, listed):
        if rules[result["ruleIndex"]]["id"] != result["ruleId"] or result["ruleId"] != finding["rule"]:
            faults.append("%s is not the rule of its index, or of the finding" % result["ruleId"])
        if result["level"] != finding["severity"] or finding["message"] not in result["message"]["text"]:
            faults.append("%s: another level or message" % result["ruleId"])
        place = result["locations"][0]["physicalLocation"]
        path = os.path.join(top, urllib.parse.unquote(place["artifactLocation"]["uri"]))
        if not os.path.samefile(path, os.path.join(folder, finding["file"])):
            faults.append("%s is not the file" % path)
        region = place.get("region", {})
        if region.get("startLine") != (finding["line"] or None):
            faults.append("%s: line %s" % (finding["rule"], region.get("startLine")))
        if "endLine" in region and not region_text(text, region):
            faults.append("%s: the region is empty" % finding["rule"])
        # Columns of the JSON form are bytes.
        if "startColumn" in region:
            line = text.lstrip("\ufeff").split("\n")[finding["line"] - 1]
            if len(line[:region["startColumn"] - 1].encode()) + 1 != finding["column"]:
                faults.append("%s: column %d is not byte %d" % (finding["rule"], region["startColumn"], finding["column"]))
        faults += check_fix(writ, top, text, result, finding)
    return faults


def check_fix(writ, top, text, result, finding):
    """Both forms make the same text, in which the finding is gone."""
    if bool(result.get("fixes")) != bool(finding["fix"] and finding["fix"]["edits"]):
        # Lines and columns do not reach the mark.
        return [] if finding["rule"] == "byte-order-mark" else ["%s: a fix in one form alone" % finding["rule"]]
    if not result.get("fixes"):
        return []
    after_bytes = text.encode()
    for edit in reversed(finding["fix"]["edits"]):
        after_bytes = (after_bytes[:edit["offset"]] + edit["text"].encode()
                       + after_bytes[edit["offset"] + edit["length"]:])
    after = text
    for replacement in reversed(result["fixes"][0]["artifactChanges"][0]["replacements"]):
        region = replacement["deletedRegion"]
        start = offset_of(after, region["startLine"], region["startColumn"])
        end = offset_of(after, region["endLine"], region["endColumn"])
        after = after[:start] + replacement.get("insertedContent", {"text": ""})["text"] + after[end:]
    if after.encode() != after_bytes:
        return ["%s: the two fixes differ" % finding["rule"]]
    with tempfile.TemporaryDirectory(dir=top) as other:
        folder = lay_out(other, "x", [])
        with open(os.path.join(folder, "skill.yaml"), "wb") as file:
            file.write(after_bytes)
        left = json.loads(run(writ, "lint", "--json", folder).stdout)["findings"]
    same = [found for found in left if (found["rule"], found["field"], found["message"], found["line"])
            == (finding["rule"], finding["field"], finding["message"], finding["line"])]
    return ["%s: still there after its fix" % finding["rule"]] if same else []


def check_absolute(writ, top):
    """A skill that is not below the working folder has an absolute address."""
    folder = lay_out(top, "far off", [("1.0.0", "1.0")])
    elsewhere = os.path.join(top, "elsewhere")
    os.mkdir(elsewhere)
    document = json.loads(run(writ, "lint", "--format", "sarif", folder, folder=elsewhere).stdout)
    artifact = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    parts = urllib.parse.urlsplit(artifact["uri"])
    faults = is_valid(writ, document, top)
    if parts.scheme != "file" or "uriBaseId" in artifact or not os.path.samefile(
            urllib.parse.unquote(parts.path), os.path.join(folder, "skill.yaml")):
        faults.append("the address is %s" % artifact["uri"])
    return faults


def broken(document):
    """Documents that no reader of SARIF would take, and the schema must not."""
    def change(function):
        changed = copy.deepcopy(document)
        function(changed["runs"][0])
        return changed
    yield "no version", {key: value for key, value in document.items() if key != "version"}
    yield "another version", dict(document, version="2.0.0")
    yield "no tool", change(lambda run: run.pop("tool"))
    yield "no results", change(lambda run: run.pop("results"))
    yield "a level of its own", change(lambda run: run["results"][0].update(level="info"))
    yield "a message as a string", change(lambda run: run["results"][0].update(message="x"))
    yield "a line 0", change(lambda run: run["results"][0]["locations"][0]["physicalLocation"].update(
        region={"startLine": 0}))
    yield "a space in an address", change(
        lambda run: run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b"))
    yield "an unknown member", change(lambda run: run["results"][0].update(place=1))
    yield "a fix without changes", change(lambda run: run["results"][0].update(fixes=[{"description": {"text": "x"}}]))


def check_unsafe(writ, top):
    """What a person should look at is for no program to make unasked."""
    folder = lay_out(top, "unsafe", SLIPS["a-permission"])
    faults = []
    for option, expected in (("--strict", 0), ("--unsafe-fixes", 1)):
        document = json.loads(run(writ, "lint", "--format", "sarif", option, folder).stdout)
        found = sum("fixes" in result for result in document["runs"][0]["results"])
        if found != expected:
            faults.append("%s: %d fixes" % (option, found))
    return faults


def check_fix_json(writ, top):
    """What was fixed, and what could be, is told with the document."""
    folder = lay_out(top, "fixed", SLIPS["several"] + SLIPS["a-permission"])
    before = read(os.path.join(folder, "skill.yaml"))
    would = json.loads(run(writ, "lint", "--fix", "--dry-run", "--json", folder).stdout)
    faults = [] if read(os.path.join(folder, "skill.yaml")) == before else ["--dry-run has written"]
    fixed = json.loads(run(writ, "lint", "--fix", "--format", "json", folder).stdout)
    faults += [] if would["would_fix"] == fixed["fixed"] and len(fixed["fixed"]) == 4 else ["not what was announced"]
    faults += [] if [found["rule"] for found in fixed["findings"]] == ["binary-not-permitted"] else ["other findings left"]
    expected = SOUND.replace("[binary:run:git]", "[]")
    return faults + ([] if read(os.path.join(folder, "skill.yaml")) == expected else ["not the sound contract"])


def main():
    tap, writ = Tap(), os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as top:
        for name, slips in SLIPS.items():
            parent = os.path.join(top, name)
            os.mkdir(parent)
            tap.case("sarif: %s" % name, check_sarif(writ, parent, "skills", slips))
        for name in FOLDERS:
            parent = os.path.join(top, "folders")
            os.makedirs(parent, exist_ok=True)
            tap.case("sarif: a folder named %s" % re.sub(r"[^ -~]", "?", name),
                     check_sarif(writ, parent, name, SLIPS["several"]))
        tap.case("sarif: a skill elsewhere", check_absolute(writ, top))
        tap.case("sarif: unsafe fixes only when asked for", check_unsafe(writ, top))
        folder = lay_out(top, "control", SLIPS["several"])
        document = json.loads(run(writ, "lint", "--format", "sarif", folder).stdout)
        for name, wrong in broken(document):
            tap.case("control: the schema refuses %s" % name, [] if is_valid(writ, wrong, top) else ["it does not"])
        tap.case("json: what is fixed is told, and --dry-run writes nothing", check_fix_json(writ, top))
    tap.done()


if __name__ == "__main__":
    main()
