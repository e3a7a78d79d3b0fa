#!/usr/bin/env python3
"""Every command's help, as the program itself lists them:  help.py WRIT PROBE [CASE]...  (support.py)"""
import fcntl
import json
import os
import re
import struct
import termios
import unicodedata

from support import expect, expect_in, read_arguments, run_cases


def commands_of(place):
    """{name: the command as `writ help --json` tells it}, of all that `writ help` shows."""
    told = json.loads(place.writ("help", "--json").out)
    found = {command["name"]: command for command in told["commands"]}
    shown = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +\S", place.writ("help").out.decode(), re.M)
    if len(shown) < 10:
        raise AssertionError("only these commands are shown: %s" % shown)
    expect("commands shown and told", sorted(shown), sorted(name for name in found if not found[name].get("hidden")))
    return {name: dict(found[name], common=told["common_options"]) for name in shown}


def on_a_terminal(place, columns, *arguments):
    """What the program prints on a terminal of so many columns, without colours."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = place.popen(*arguments, stdout=theirs, stderr=theirs, environment={"NO_COLOR": "1", "TERM": "xterm"})
    os.close(theirs)
    printed = b""
    while True:
        try:
            got = os.read(ours, 65536)
        except OSError:  # the terminal is closed at the other end
            break
        if not got:
            break
        printed += got
    os.close(ours)
    expect("status of %s" % " ".join(arguments), 0, process.wait(60))
    return printed.decode().replace("\r\n", "\n")


def columns_of(line):
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def each_command_has_help(place):
    for name, command in commands_of(place).items():
        words = name.split()
        done = place.writ(*words, "--help")
        expect("%s --help" % name, (0, b""), (done.status, done.err))
        for other in (words + ["-h"], ["help"] + words, words + ["--help", "--help"]):
            expect(" ".join(other), done, place.writ(*other))
        text = done.out.decode()
        expect("its first line", "writ %s - %s" % (name, command["summary"]), text.splitlines()[0])
        expect_in("%s: usage" % name, "usage: writ " + name, text)
        for option in command["options"] + command["common"]:
            expect_in("%s: option" % name, "--" + option["name"], text)
            if option.get("letter"):
                expect_in("%s: letter" % name, "-%s, --%s" % (option["letter"], option["name"]), text)
            expect_in("%s: what --%s means" % (name, option["name"]), option["help"], text)
        if not command["examples"]:
            raise AssertionError("%s has no example" % name)
        for example in command["examples"]:
            expect_in("%s: example" % name, example["line"], text)
            expect_in("%s: an example is of the command" % name, "writ " + name,
                      example["line"].replace("writ --version", "writ version"))
            expect_in("%s: what the example is for" % name, example["meaning"], text)


def help_fits_the_terminal(place):
    for name in commands_of(place):
        for columns in (80, 132):
            lines = on_a_terminal(place, columns, "help", *name.split()).splitlines()
            expect("%s at %d columns" % (name, columns), [], [line for line in lines if columns_of(line) > columns])
    expect("the overview", [], [line for line in on_a_terminal(place, 80, "help").splitlines() if columns_of(line) > 80])


def misspelt_names_get_a_hint(place):
    for name, command in commands_of(place).items():
        words = name.split()
        for wrong in {words[0] + "x", words[0][:-1], words[0][1:]} - {other.split()[0] for other in commands_of(place)}:
            done = place.writ(wrong, *words[1:])
            expect("writ %s" % wrong, 2, done.status)
            expect_in("writ %s" % wrong, "did you mean `", done.err.decode())
        if name == "run":  # its further flags are the skill's
            continue
        given = ["x"] * len([word for word in command["usage"].split() if word[0].isupper()])
        names = [option["name"] for option in command["options"] + command["common"]]
        for option in command["options"] + command["common"]:
            wrong = option["name"] + "q"
            done = place.writ(*words, *given, "--" + wrong)
            expect("writ %s --%s: %r" % (name, wrong, done.err), 2, done.status)
            hint = re.search(r"did you mean --([a-z-]+)", done.err.decode())
            if not hint or hint.group(1) not in names:
                raise AssertionError("writ %s --%s: no hint in %r" % (name, wrong, done.err))
        done = place.writ(*words, *given, "--zzzzzzzzzz")
        expect("writ %s --zzzzzzzzzz" % name, 2, done.status)
        expect_in("writ %s --zzzzzzzzzz" % name, "`writ %s --help`" % name, done.err.decode())


def too_few_too_many_and_no_values(place):
    """What is missing or too much is named, with the way it is used."""
    for name, command in commands_of(place).items():
        words = name.split()
        optional = all(word.startswith("[") for word in command["usage"].split())
        if not optional:
            done = place.writ(*words)
            expect("writ %s: %r" % (name, done.err), 2, done.status)
            expect_in("writ %s" % name, ": writ %s %s" % (name, command["usage"]), done.err.decode())
        if name != "run":
            done = place.writ(*words, *["x"] * 100)
            expect("writ %s x x x…: %r" % (name, done.err), 2, done.status)
        for option in command["options"] + command["common"]:
            if option.get("value"):
                done = place.writ(*words, "--" + option["name"])
                expect("writ %s --%s: %r" % (name, option["name"], done.err), 2, done.status)
                expect_in("writ %s --%s" % (name, option["name"]), "--%s" % option["name"], done.err.decode())
            else:
                done = place.writ(*words, "--%s=x" % option["name"])
                expect("writ %s --%s=x: %r" % (name, option["name"], done.err), 2, done.status)


run_cases([each_command_has_help, help_fits_the_terminal, misspelt_names_get_a_hint, too_few_too_many_and_no_values],
          read_arguments())
