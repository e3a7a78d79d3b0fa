#!/usr/bin/env python3
"""Every class of error is reached by a call of the real program:  classes.py WRIT PROBE [CASE]...  (support.py)

The classes are those of the table in src/base/error.h.  Each has a row here: a command that ends with it.  The class
that the command tells, and its exit status, must be those of the table.  A class that no row reaches must be one that
nothing in src/ gives; docs/errors.md lists those as reserved.  Rule S4.5.
"""
import json
import os
import resource
import shutil
import signal
import sys

from support import (PROBE_ID, SANITIZED, TREE, Done, Skipped, enter_user_namespace, expect, expect_class,
                     read_arguments, run_cases, wait_for_records)

sys.path.insert(0, os.path.join(TREE, "tools"))
import errors  # noqa: E402 (its folder is only known now)

EXIT_STATUS = {name: int(status) for _, name, status, _ in errors.rows()}
# The verdicts of `writ schema check` have statuses of their own.
EXIT_STATUS.update({"schema:invalid": 2, "data:syntax": 1})


def call(act="ok", *more, **fields):
    """A row: a call of a skill whose contract has these fields."""
    def row(place):
        place.skill(**fields)
        return place.run(act, "--json", *more)
    return row


def check(schema, document):
    """A row: `writ schema check`."""
    def row(place):
        return place.writ("schema", "check", place.file("schema.json", schema), place.file("document.json", document))
    return row


def unreadable_settings(place):
    place.file("home/.config/writ/config.yaml", "version: 1\ncolour: never\n")
    return place.writ("list")


def untrusted(place):
    place.skill(folder=place.folder("work/.writ/skills"))
    return place.writ("run", PROBE_ID)


def holds_a_link(place):
    os.symlink("/etc/hostname", os.path.join(place.skill(), "link"))
    return place.run()


def without_an_end(place):
    """The caller is killed; the log then tells of a call whose outcome nobody knows."""
    process = sleeping_call(place)
    process.kill()
    process.communicate()
    shown = place.writ("audit", "--class", "outcome:unknown", "--count", "0")
    expect("calls shown", 1, len(shown.out.splitlines()))
    expect("the class at its end", b"outcome:unknown", shown.out.split()[-1])
    return Done(EXIT_STATUS["outcome:unknown"], b"", b"writ: outcome:unknown: as the log shows")


def sleeping_call(place):
    place.skill()
    process = place.popen("run", "--skills", place.skills, PROBE_ID, "--do", "sleep", "--json")
    wait_for_records(place, 1, process)
    return process


def interrupted(place):
    process = sleeping_call(place)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return Done(process.returncode, out, err)


def no_memory(place):
    if SANITIZED:
        raise Skipped("a sanitizer needs more memory than may be had here")
    limit = 24 << 20
    return place.writ("schema", "check", place.file("schema.json", "true"),
                      place.file("document.json", "[%s1]" % ("1," * (2 << 20))),
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


def no_namespaces(place):
    def forbid():
        enter_user_namespace()
        with open("/proc/sys/user/max_user_namespaces", "w") as file:
            file.write("0")
    place.skill()
    return place.run(preexec_fn=forbid)


def no_record(place):
    place.skill()
    place.file("home/.local/state/writ")
    return place.run()


def too_large(place):
    os.truncate(place.file("document.json"), 1 << 40)
    return place.writ("schema", "check", place.file("schema.json", "true"), place.path + "/document.json")


ROWS = {
    "usage": lambda place: place.writ("lst"),
    "input:invalid": call("ok", "--input", "[]"),
    "output:invalid": call("silence"),
    "config:invalid": unreadable_settings,
    "contract:invalid": call(version="one"),
    "skill:not-found": lambda place: place.run(),
    "skill:untrusted": untrusted,
    "dependency:missing": call(permissions=["binary:run:no-such-program"]),
    "dependency:version": call(runtime={"language": "python", "version": "99.0", "entry": "main"}),
    "filesystem:denied": call(permissions=["filesystem:read:/etc/shadow"]),
    "network:denied": call(permissions=["network:https://api.example.com"]),
    "credential:unavailable": call(permissions=["credential:example"]),
    "limit:timeout": call("sleep", runtime={"language": "native", "timeout": "300ms"}),
    "limit:memory": call("memory"),
    "limit:output": call("flood"),
    "limit:disk": call("huge"),
    "program:reported": call("report"),
    "program:failed": call("fail"),
    "program:crashed": call("crash"),
    "trust:digest": holds_a_link,
    "policy:refused": call(permissions=["clipboard:read"]),
    "outcome:unknown": without_an_end,
    "internal:memory": no_memory,
    "internal:io": lambda place: place.writ("list", environment={"HOME": None}),
    "internal:sandbox": no_namespaces,
    "internal:audit": no_record,
    "internal:limit": too_large,
    "internal:interrupted": interrupted,
    "schema:invalid": check('{"type": 5}', "1"),
    "data:syntax": check("true", "{"),
}


def case_of(name):
    def case(place):
        done = ROWS[name](place)
        expect_class("what the command ended with", name, EXIT_STATUS[name], done)
    case.__name__ = name
    return case


def every_class_has_its_row(place):
    reserved = errors.reserved()
    expect("classes that something gives and no row reaches", [],
           [name for name in EXIT_STATUS if name not in ROWS and name not in reserved])
    expect("rows of classes that nothing gives", [], [name for name in ROWS if name not in EXIT_STATUS
                                                      or name in reserved])


def what_is_a_call_and_recorded(place):
    """A skill that may not be used is a call refused, however its input is given; a command line from which no input
    comes about is none."""
    for more in ([], ["--do", "ok"], ["--input", "{}"]):
        for spoil, name in ((lambda: None, "skill:not-found"),
                            (lambda: place.skill(version="one"), "contract:invalid"),
                            (lambda: place.skill(folder=place.folder("work/.writ/skills")), "skill:untrusted"),
                            (place.skill, None)):
            spoil()
            before = len(place.records())
            source = [] if name == "skill:untrusted" else ["--skills", place.skills]
            told = json.loads(place.writ("run", *source, PROBE_ID, "--json", *more).out)
            expect("class", name, told["error"] and told["error"]["class"])
            expect("records of %s with %s" % (name, more), before + 2, len(place.records()))
            expect("the run", told["run"]["id"], place.records()[-1]["run"])
        shutil.rmtree(place.skills + "/" + PROBE_ID)
        shutil.rmtree(place.work + "/.writ")
    place.skill()
    before = place.records()
    for more in (["--d", "ok"], ["--do"], ["ok"], ["--input", "missing.json"], ["--input", "[]", "--do", "ok"],
                 ["--do", b"\xff"], ["--explain", "--do", "ok"], ["--help"]):
        done = place.writ("run", "--skills", place.skills, PROBE_ID, "--json", *more)
        if done.out.startswith(b'{"outcome"'):
            expect("the run of %s" % more, None, json.loads(done.out)["run"]["id"])
    expect("records of what is no call", before, place.records())


run_cases([every_class_has_its_row, what_is_a_call_and_recorded] + [case_of(name) for name in ROWS], read_arguments())
