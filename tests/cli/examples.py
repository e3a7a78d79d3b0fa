#!/usr/bin/env python3
"""Every example that a command's help shows is run as it stands there, and every help is whole:  examples.py PROGRAM

Each runs in a fresh folder that holds what the examples name: report.pdf, my-skills/com.example.my.skill, schema.json,
document.json, and must end with 0.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap  # noqa: E402 (its folder is only known now)

TREE = os.path.dirname(os.path.dirname(HERE))
PLACEHOLDER = re.compile(r"[A-Z_]+")
WIDTH = 80
# Ends by Ctrl-C alone, or asks a person: their own tests run them.
NOT_RUN = re.compile(r"--watch|--follow|--interactive")
PROGRAMS = {"com.example.file.text-extract": "pdftotext"}


def lay_out(folder):
    os.makedirs(os.path.join(folder, "home", ".config", "fish", "completions"))
    work = os.path.join(folder, "work")
    skill = os.path.join(work, "my-skills", "com.example.my.skill")
    shutil.copytree(os.path.join(TREE, "skills", "com.example.text.stats"), skill)
    contract = os.path.join(skill, "skill.yaml")
    with open(contract, encoding="utf-8") as file:
        text = file.read().replace("com.example.text.stats", "com.example.my.skill")
    with open(contract, "w", encoding="utf-8") as file:
        file.write(text)
    shutil.copy(os.path.join(TREE, "skills", "com.example.file.text-extract", "assets", "sample.pdf"),
                os.path.join(work, "report.pdf"))
    for name, value in (("schema.json", {"type": "object"}), ("document.json", {})):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            json.dump(value, file)
    return work


def run(argv, folder, environment):
    return subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          check=False)


def check_example(tap, command, line, environment_of):
    title = "%s: %s" % (command["name"], line)
    missing = [p for skill, p in PROGRAMS.items() if skill in line and not shutil.which(p)]
    if missing:
        tap.skip(title, "there is no %s here" % missing[0])
        return
    if NOT_RUN.search(line):
        tap.skip(title, "does not end by itself; has a test of its own")
        return
    with tempfile.TemporaryDirectory() as folder:
        work = lay_out(folder)
        done = run(["bash", "-c", line], work, environment_of(folder))
        tap.case(title, [] if done.returncode == 0 else ["ended with %d: %s%s" % (
            done.returncode, done.stdout, done.stderr)])


def check_help(tap, program, command, table, environment):
    faults = []
    printed = run([program, *command["name"].split(), "--help"], HERE, environment)
    if printed.returncode != 0 or printed.stderr:
        faults.append("ended with %d: %s" % (printed.returncode, printed.stderr))
    if printed.stdout != run([program, "help", *command["name"].split()], HERE, environment).stdout:
        faults.append("`writ help %s` says something else" % command["name"])
    wanted = [command["summary"]] + [option["name"] for option in command["options"] + table["common_options"]]
    faults += ["%r is not in it" % text for text in wanted if text not in printed.stdout]
    if not command["examples"]:
        faults.append("it has no example")
    if not command["details"] and not command["options"]:
        faults.append("it has no details")
    faults += ["example %r does not begin with writ or name it" % e["line"] for e in command["examples"]
               if "writ" not in e["line"]]
    sentences = [command["summary"]] + [option["help"] for option in command["options"]]
    faults += ["%r begins with a capital or ends with a full stop" % s for s in sentences
               if s[0].isupper() and not s[:2].isupper() and not s.split()[0].isupper() or s.endswith(".")]
    faults += ["the option --%s is common to all commands" % option["name"] for option in command["options"]
               if option["name"] in [common["name"] for common in table["common_options"]]]
    words = PLACEHOLDER.findall(command["usage"])
    for option in command["options"] + table["common_options"]:
        words += PLACEHOLDER.findall(option["value"] or "")
    faults += ["%s is in no vocabulary (src/cli/placeholder.c)" % w for w in words if w not in table["placeholders"]]
    tap.case("the help of %s is whole" % command["name"], faults)


def main():
    tap = Tap()
    program = os.path.abspath(sys.argv[1])

    def environment_of(folder):
        return {"PATH": os.path.dirname(program) + ":" + os.environ["PATH"], "HOME": os.path.join(folder, "home"),
                "LANG": "C.UTF-8"}

    environment = environment_of(tempfile.gettempdir())
    table = json.loads(run([program, "help", "--json"], HERE, environment).stdout)
    overview = run([program, "help"], HERE, environment).stdout
    tap.case("the overview names every command", [c["name"] for c in table["commands"]
                                                  if not re.search(r"^  %s " % re.escape(c["name"]), overview, re.M)])
    tap.case("the vocabulary is sorted and used", [] if list(table["placeholders"]) == sorted(table["placeholders"])
             else ["not sorted"])
    for command in table["commands"]:
        check_help(tap, program, command, table, environment)
        for example in command["examples"]:
            check_example(tap, command, example["line"], environment_of)
    tap.done()


main()
