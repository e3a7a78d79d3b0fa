#!/usr/bin/env python3
"""Writes docs/cli.md and docs/man/*.1 from the command table:  tools/manual.py [--check] [PROGRAM]

PROGRAM (build/writ) prints the table, `writ help --json`; what is to be said of a command is changed in src/cli.
`--check` says (exit status 1) which pages are no longer what the table gives.
"""
import json
import os
import re
import subprocess
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DOCS = os.path.join(TREE, "docs")

ENVIRONMENT = [
    ("HOME", "the caller's home; wanted where one of the next four is not set"),
    ("XDG_CONFIG_HOME", "configuration and trusted folders are in writ/ below it (~/.config)"),
    ("XDG_DATA_HOME", "installed skills (~/.local/share)"),
    ("XDG_STATE_HOME", "the record of calls and what skills keep (~/.local/state)"),
    ("XDG_CACHE_HOME", "what can be made again (~/.cache)"),
    ("PATH", "where the interpreters and programs are that skills declare; relative parts are ignored"),
    ("NO_COLOR", "set to anything: no colour"),
    ("TERM", "`dumb`: no colour"),
]
FILES = [
    ("~/.config/writ/config.yaml", "settings; `writ config list` shows them"),
    ("~/.config/writ/skills", "the caller's own skills"),
    ("~/.config/writ/trust.json", "the folders whose skills are trusted"),
    ("~/.local/state/writ/audit", "the record of calls"),
]
EXIT = ("0: done. 1: `test`, `lint`, `doctor`, `audit verify` and `schema check` looked, and not all is in order. "
        "Every other failure has a class and an exit status of its own, listed in docs/errors.md.")


def read_table(program):
    return json.loads(subprocess.run([program, "help", "--json"], check=True, capture_output=True).stdout)


# ---- Markdown ----

def cell(text):
    """Text in a table: a bar would end the cell, and what looks like a tag would be one."""
    return re.sub(r"(`[^`]*`)|<", lambda m: m.group(1) or "&lt;", text).replace("|", "\\|")


def option_name(option):
    letter = "-%s, " % option["letter"] if option["letter"] else ""
    return "%s--%s%s" % (letter, option["name"], " " + option["value"] if option["value"] else "")


def option_table(options):
    lines = ["| option | meaning |", "| --- | --- |"]
    return lines + ["| `%s` | %s |" % (option_name(o).replace("|", "\\|"), cell(o["help"])) for o in options] + [""]


def anchor(name):
    return "#writ-" + name.replace(" ", "-")


def paragraphs(text, width=120):
    """Paragraphs broken into lines no longer than the tree's."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if line and len(line) + 1 + len(word) > width:
                lines.append(line)
                line = word
            else:
                line = line + " " + word if line else word
        lines += [line, ""]
    return lines


def markdown(table):
    out = ["# Commands", "",
           "Everything that `writ COMMAND --help` tells. (This page is printed from the command table in `src/cli` by",
           "`tools/manual.py`; change it there.)", ""]
    group = None
    for command in sorted_by_group(table):
        if command["group"] != group:
            group = command["group"]
            out += ["", "**%s**" % group.capitalize(), ""] if out[-1] else ["**%s**" % group.capitalize(), ""]
        out.append("- [`writ %s`](%s): %s" % (command["name"], anchor(command["name"]), command["summary"]))
    out += ["", "## Options of every command", ""] + option_table(table["common_options"])
    out += ["## Words that stand for values", "", "| word | what it is |", "| --- | --- |"]
    out += ["| `%s` | %s |" % (word, cell(meaning)) for word, meaning in table["placeholders"].items()] + [""]
    out += ["## Exit status", ""] + paragraphs(EXIT.replace("docs/errors.md", "[errors.md](errors.md)"))
    for command in sorted_by_group(table):
        out += ["## writ " + command["name"], "", command["summary"][0].upper() + command["summary"][1:] + ".", "",
                "```", ("writ %s %s" % (command["name"], command["usage"])).rstrip()
                + (" [OPTIONS]" if command["options"] else ""), "```", ""]
        if command["details"]:
            out += paragraphs(command["details"])
        if command["options"]:
            out += option_table(command["options"])
        out += ["```sh"]
        for example in command["examples"]:
            out += [example["line"] + "    # " + example["meaning"]]
        out += ["```", ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).rstrip() + "\n"


def sorted_by_group(table):
    groups = list(dict.fromkeys(["use skills", "write skills", "answer for them", "writ itself"]))
    return sorted(table["commands"], key=lambda command: groups.index(command["group"]))


# ---- manual pages (man(7)) ----

def roff(text):
    """Text for a line of its own: nothing in it is a request, and dashes stay what they are."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq").replace("~", "\\(ti")
    text = text.replace("^", "\\(ha").replace('"', "\\(dq")
    return "\\&" + text if text.startswith(".") else text


def marked(text):
    """Running text, with what stands in backticks in bold."""
    return "".join("\\fB%s\\fR" % roff(part) if i % 2 else roff(part) for i, part in enumerate(text.split("`")))


def roff_paragraphs(text):
    return "\n.PP\n".join(marked(paragraph) for paragraph in text.split("\n")).split("\n")


def roff_options(options):
    out = []
    for option in options:
        name = ", ".join("\\fB%s\\fR" % roff(part) for part in
                         (["-" + option["letter"]] if option["letter"] else []) + ["--" + option["name"]])
        out += [".TP", name + (" \\fI%s\\fR" % roff(option["value"]) if option["value"] else ""), marked(option["help"])]
    return out


def page_name(command):
    return "writ-" + command["name"].replace(" ", "-")


def section(title, lines):
    return [".SH " + title] + lines if lines else []


def pairs(rows):
    return [line for left, right in rows for line in (".TP", "\\fB%s\\fR" % roff(left), marked(right))]


def command_page(command, table):
    usage = "\\fBwrit %s\\fR" % roff(command["name"]) + (" " + roff(command["usage"]) if command["usage"] else "")
    out = ['.TH "%s" "1" "" "writ" "writ manual"' % page_name(command).upper()]
    out += section("NAME", ["%s \\- %s" % (roff(page_name(command)), roff(command["summary"]))])
    out += section("SYNOPSIS", [usage + (" [OPTIONS]" if command["options"] else "")])
    details = command["details"] or command["summary"][0].upper() + command["summary"][1:] + "."
    out += section("DESCRIPTION", roff_paragraphs(details))
    out += section("OPTIONS", roff_options(command["options"] + table["common_options"]))
    examples = []
    for example in command["examples"]:
        examples += [".TP", "\\fB%s\\fR" % roff(example["line"]), marked(example["meaning"])]
    out += section("EXAMPLES", examples)
    out += section("EXIT STATUS", roff_paragraphs(EXIT))
    out += section("SEE ALSO", ["\\fBwrit\\fR(1)"])
    return "\n".join(out) + "\n"


def main_page(table):
    out = ['.TH "WRIT" "1" "" "writ" "writ manual"']
    out += section("NAME", ["writ \\- runs the programs of agent skills under their contracts"])
    out += section("SYNOPSIS", ["\\fBwrit\\fR COMMAND [OPTIONS]"])
    out += section("DESCRIPTION", roff_paragraphs(
        "A skill is a folder with a contract, skill.yaml, which says what its program takes, what it gives back and which "
        "files and programs it may touch. writ checks the input, runs the program in a sandbox that holds nothing else, "
        "checks what comes out, and keeps a record of every call."))
    for group in dict.fromkeys(command["group"] for command in sorted_by_group(table)):
        rows = [(command["name"], command["summary"]) for command in table["commands"] if command["group"] == group]
        out += [".SS " + roff(group.capitalize())] + pairs(rows)
    out += section("OPTIONS", roff_options(table["common_options"]))
    out += section("EXIT STATUS", roff_paragraphs(EXIT))
    out += section("ENVIRONMENT", pairs(ENVIRONMENT)) + section("FILES", pairs(FILES))
    out += section("SEE ALSO", [", ".join("\\fB%s\\fR(1)" % roff(page_name(c)) for c in sorted_by_group(table))])
    return "\n".join(out) + "\n"


def pages(table):
    """Every page by its path below docs/."""
    made = {"cli.md": markdown(table), os.path.join("man", "writ.1"): main_page(table)}
    for command in table["commands"]:
        made[os.path.join("man", page_name(command) + ".1")] = command_page(command, table)
    return made


def stale(table):
    """The paths of pages that are missing, old, or of a command that is gone."""
    made, wrong = pages(table), []
    for path, text in made.items():
        try:
            with open(os.path.join(DOCS, path), encoding="utf-8") as file:
                if file.read() != text:
                    wrong.append(path)
        except FileNotFoundError:
            wrong.append(path)
    there = os.listdir(os.path.join(DOCS, "man")) if os.path.isdir(os.path.join(DOCS, "man")) else []
    return wrong + [os.path.join("man", name) for name in there if os.path.join("man", name) not in made]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    table = read_table(arguments[0] if arguments else os.path.join(TREE, "build", "writ"))
    wrong = stale(table)
    if "--check" in sys.argv[1:]:
        sys.exit("run tools/manual.py; these are not what the table gives: %s" % " ".join(wrong) if wrong else 0)
    os.makedirs(os.path.join(DOCS, "man"), exist_ok=True)
    made = pages(table)
    for path in wrong:
        if path not in made:
            os.remove(os.path.join(DOCS, path))
            continue
        with open(os.path.join(DOCS, path), "w", encoding="utf-8") as file:
            file.write(made[path])


if __name__ == "__main__":
    main()
