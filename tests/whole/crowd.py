#!/usr/bin/env python3
"""Many processes at once on one state folder:  crowd.py WRIT PROBE [CASE]...  (support.py)"""
import json
import os
import random
import re
import signal
import subprocess
import time

from support import PROBE_ID, expect, expect_intact, expect_no_processes, files_below, read_arguments, run_cases, wait_for_records

CALLS = 200
KILLED = 60
SLEEPING = 5


def ends_of(place):
    """{run: outcome} of every call in the log, None for one without an end."""
    records = place.records()
    ended = {record["run"]: record["outcome"] for record in records if record["type"] == "end"}
    begun = [record["run"] for record in records if record["type"] == "begin"]
    expect("each call begins once", len(set(begun)), len(begun))
    expect("ends without a begin", set(), set(ended) - set(begun))
    return {run: ended.get(run) for run in begun}


def expect_left(place, *wanted):
    """What is in the home; digests of skills that are older than two seconds may be kept, one entry a skill."""
    left = files_below(place.home)
    kept = [name for name in left if re.fullmatch(r"\.cache/writ/[0-9a-f]+-[0-9a-f]+\.\d+", name)]
    skills = sum(name.endswith("skill.yaml") for name in files_below(place.path))
    if len(kept) > skills:
        raise AssertionError("%d digests kept of %d skills" % (len(kept), skills))
    expect("what is left in the home", sorted(wanted), [name for name in left if name not in kept])


def two_hundred_calls(place):
    """First while the skill is too new for its digest to be kept, then when all want to keep it."""
    made = time.monotonic()
    place.skill()
    command = ["run", "--skills", place.skills, PROBE_ID, "--do", "ok"]
    calls = [place.popen(*command, stderr=subprocess.STDOUT) for _ in range(CALLS)]
    said = [(call.communicate()[0], call.returncode) for call in calls]
    expect("what they said", {(b'{"success":true,"data":{"said":"ok"}}\n', 0)}, set(said))
    verdict = expect_intact(place)
    expect("records, torn tails", (2 * CALLS, 0), (verdict["records"], verdict["torn_tails"]))
    ends = ends_of(place)
    expect("ends", (CALLS, {"succeeded"}), (len(ends), set(ends.values())))
    time.sleep(max(0, made + 3.5 - time.monotonic()))
    calls = [place.popen(*command, stderr=subprocess.STDOUT) for _ in range(CALLS // 4)]
    expect("what they said", {(said[0][0], 0)}, {(call.communicate()[0], call.returncode) for call in calls})
    expect("digests of the skill", 1, len({record["digest"] for record in place.records() if "digest" in record}))
    expect_left(place, ".local/state/writ/audit/current.jsonl")


def calls_among_other_commands(place):
    """Folders are trusted, and that trust used, while everything else is read and written."""
    folders = [place.folder("trusted-%d" % i) for i in range(20)]
    for folder in folders:
        place.skill(folder=folder)
    skill = place.skill()
    calls = []
    for folder in folders:
        calls.append(("trust", folder, place.popen("trust", folder)))
        for _ in range(4):
            calls.append(("run", folder, place.popen("run", "--skills", place.skills, PROBE_ID, "--do", "ok")))
        calls.append(("list", folder, place.popen("list", "--skills", place.skills, "--json")))
        calls.append(("audit", folder, place.popen("audit", "--json", "-n", "0")))
        calls.append(("verify", folder, place.popen("audit", "verify", "--json")))
        calls.append(("lint", folder, place.popen("lint", skill)))
    for name, folder, process in calls:
        out, err = process.communicate()
        expect("%s: %r %r" % (name, out[-500:], err), 0, process.returncode)
        if name == "audit":
            for line in out.splitlines():
                json.loads(line)
    with open(os.path.join(place.config, "trust.json"), encoding="utf-8") as file:
        trusted = json.load(file)
    expect("trusted folders", sorted(folders), sorted(entry["path"] for entry in trusted["folders"]))
    verdict = expect_intact(place)
    expect("records", (160, 0), (verdict["records"], verdict["torn_tails"]))
    expect_left(place, ".config/writ/trust.json", ".config/writ/trust.lock", ".local/state/writ/audit/current.jsonl")


def calls_killed_anywhere(place):
    """Some calls are killed between their start and their end: those have no end, and nothing else is different."""
    place.skill()
    random.seed(3)
    command = ["run", "--skills", place.skills, PROBE_ID, "--do"]
    started = time.monotonic()
    place.writ(*command, "ok")
    takes = time.monotonic() - started
    well, doomed = [], [place.popen(*command, "sleep") for _ in range(SLEEPING)]
    wait_for_records(place, SLEEPING)
    for _ in range(KILLED):
        well.append(place.popen(*command, "ok"))
        doomed.append(place.popen(*command, "ok"))
        time.sleep(random.uniform(0, 1.5 * takes))
        doomed[-1].send_signal(signal.SIGKILL)
    said = {(process.communicate()[0], process.returncode) for process in well}
    expect("those let alone", {(b'{"success":true,"data":{"said":"ok"}}\n', 0)}, said)
    for process in doomed[:SLEEPING]:
        process.send_signal(signal.SIGKILL)
    statuses = [process.communicate() and process.returncode for process in doomed]
    expect("how the others ended", set(), set(statuses) - {0, -signal.SIGKILL})
    ends = ends_of(place)
    unfinished = sum(outcome is None for outcome in ends.values())
    if not SLEEPING <= unfinished <= statuses.count(-signal.SIGKILL):
        raise AssertionError("%d without an end, %d killed" % (unfinished, statuses.count(-signal.SIGKILL)))
    verdict = expect_intact(place, unfinished)
    expect("torn tails", 0, verdict["torn_tails"])
    shown = place.writ("audit", "--outcome", "unknown", "-n", "0", "--json").out.splitlines()
    expect("calls shown without an end", unfinished, len(shown))
    expect_no_processes(place)
    expect("a call afterwards", 0, place.run().status)
    expect_left(place, ".local/state/writ/audit/current.jsonl")


def changes_killed_anywhere(place):
    """A list or file of settings is the old one or the new one, and the next change takes away what was left."""
    random.seed(4)
    place.skill()
    started = time.monotonic()
    expect("trust", 0, place.writ("trust", place.folder("first")).status)
    takes = time.monotonic() - started
    expect("a setting", 0, place.writ("config", "set", "audit.count", "1").status)
    for name, stored in (("trust", "trust.json"), ("config", "config.yaml")):
        done = []
        for i in range(KILLED):
            process = place.popen("trust", place.folder("%d" % i)) if name == "trust" else \
                place.popen("config", "set", "audit.count", str(i))
            time.sleep(random.uniform(0, 1.2 * takes))
            process.kill()
            process.communicate()
            if process.returncode == 0:
                done.append(i)
        with open(os.path.join(place.config, stored), encoding="utf-8") as file:
            text = file.read()
        if name == "trust":
            names = [os.path.basename(entry["path"]) for entry in json.loads(text)["folders"]]
            expect("changes that were made and are gone", set(), {str(i) for i in done} - set(names))
            expect("a last change", 0, place.writ("trust", place.folder("last")).status)
        else:
            expect("settings can be read", 0, place.writ("config", "list").status)
            expect("a last change", 0, place.writ("config", "set", "audit.count", "77").status)
    expect("a call", 0, place.run().status)
    expect_left(place, ".config/writ/config.lock", ".config/writ/config.yaml", ".config/writ/trust.json",
                ".config/writ/trust.lock", ".local/state/writ/audit/current.jsonl")


run_cases([two_hundred_calls, calls_among_other_commands, calls_killed_anywhere,
           changes_killed_anywhere], read_arguments())
