#!/usr/bin/env python3
"""Stored formats: what an older writ left is read, what a newer one left is not touched:  formats.py WRIT PROBE [CASE]...

formats/ holds files as writ wrote them when each format was new; they stay when a later format comes, and so do the
cases here: every later writ must read them.  (support.py says how a case is written.)
"""
import hashlib
import json
import os
import shutil
import struct
import subprocess
import tempfile

from support import (HERE, PROBE_ID, Skipped, expect, expect_class, expect_in, expect_intact, files_below, read_arguments,
                     run_cases)

FORMATS = os.path.join(HERE, "formats")
# Of formats/audit-1: two segments, a call without an end, a torn tail that was marked.
AUDIT_RECORDS, AUDIT_HEAD = 12, "sha256:7f5296fe9239cf61919f108cd9efa0981e3cb9400317d6ea6477f39583dafe85"
AT_ONCE = 20


def private_copy(source, target):
    """Copies a fixture as writ itself would have left it, for its owner alone."""
    os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)
    for folder, _, names in os.walk(target):
        os.chmod(folder, 0o700)
        for name in names:
            os.chmod(os.path.join(folder, name), 0o600)
    if os.path.isfile(target):
        os.chmod(target, 0o600)


def contents(folder):
    found = {}
    for name in files_below(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


def old_log(place):
    private_copy(os.path.join(FORMATS, "audit-1"), os.path.join(place.state, "audit"))
    return contents(os.path.join(place.state, "audit"))


# ---- audit 1 ----

def a_log_of_format_1_is_read(place):
    before = old_log(place)
    verdict = expect_intact(place, unfinished=1)
    expect("records, segments, torn tails, head", (AUDIT_RECORDS, 2, 1, AUDIT_HEAD),
           tuple(verdict[key] for key in ("records", "segments", "torn_tails", "head")))
    shown = place.writ("audit", "--count", "0").out.decode().splitlines()
    expect("calls shown", 6, len(shown))
    expect("outcomes", ["failed", "failed", "refused", "succeeded", "succeeded", "unknown"],
           sorted(line.split()[1] for line in shown))
    expect("nothing is written by reading", before, contents(os.path.join(place.state, "audit")))


def a_log_of_format_1_is_continued(place):
    """By many at once: what a later format would migrate, it would migrate here."""
    before = old_log(place)
    place.skill()
    calls = [place.popen("run", "--skills", place.skills, PROBE_ID, "--do", "ok") for _ in range(AT_ONCE)]
    expect("statuses", {0}, {call.communicate() and call.returncode for call in calls})
    verdict = expect_intact(place, unfinished=1)
    expect("records", AUDIT_RECORDS + 2 * AT_ONCE, verdict["records"])
    expect("the old head is part of the chain", 0, place.writ("audit", "verify", "--head", AUDIT_HEAD).status)
    after = contents(os.path.join(place.state, "audit"))
    expect("closed segment", before["00000001.jsonl"], after["00000001.jsonl"])
    expect("what stood in the open one", before["current.jsonl"], after["current.jsonl"][:len(before["current.jsonl"])])


def a_newer_log_is_left_alone(place):
    """Whether the newer records are the last ones or the whole log."""
    newer = b'{"v":2,"seq":13,"time":"2026-11-30T22:35:56.000Z","type":"begin"}\n'
    folder = os.path.join(place.state, "audit")
    place.skill()
    for text in (None, newer):
        if text is None:
            old_log(place)
            with open(place.current, "ab") as file:
                file.write(newer)
        else:
            with open(place.current, "wb") as file:
                file.write(text)
            os.unlink(os.path.join(folder, "00000001.jsonl"))
        before = contents(folder)
        done = place.run()
        expect_class("a call", "internal:audit", 73, done, "written by a newer writ (format 2; this one knows 1)")
        for command in (["audit"], ["audit", "verify"]):
            done = place.writ(*command)
            expect_class("%s" % command, "internal:io", 71, done, "use that writ, or another state folder")
        expect("the log", before, contents(folder))
        expect("what the program did", [], [name for name in os.listdir(place.work)])


def what_is_no_log_is_kept_and_told(place):
    """Calls go on behind it, marked; that it stands there is a fault that verify finds."""
    place.skill()
    for text in (b"no log\n", b'{"v":0,"seq":1,"time":"x","type":"begin"}\n', b"\x00\xff\x1b[31m\n", b"{}\n"):
        shutil.rmtree(os.path.join(place.state, "audit"), ignore_errors=True)
        os.makedirs(os.path.dirname(place.current), mode=0o700)
        with open(place.current, "wb") as file:
            file.write(text)
        expect("a call", 0, place.run().status)
        verdict = place.verify()
        expect("intact", False, verdict["intact"])
        expect_in("reason", "a line that is no record", verdict["reason"])
        with open(place.current, "rb") as file:
            expect("what stood there", text, file.read(len(text)))
        expect("calls shown", 1, len(place.writ("audit").out.splitlines()))


def a_huge_file_that_is_no_log_is_told_at_once(place):
    """Twenty gigabytes without a line end, by themselves and behind a record: nobody reads them to the end."""
    place.skill()
    os.makedirs(os.path.dirname(place.current), mode=0o700)
    for calls in (0, 1):
        if calls:
            os.unlink(place.current)
            expect("a call", 0, place.run().status)
        with open(place.current, "ab") as file:
            file.truncate(20 << 30)
        os.chmod(place.current, 0o600)
        verdict = place.verify()
        expect("intact, records", (False, 2 * calls), (verdict["intact"], verdict["records"]))
        expect_in("reason", "more than 8650752 bytes without a record", verdict["reason"])
        expect_class("audit", "internal:io", 71, place.writ("audit"), "it is no audit log; move it away")
        expect_class("a call", "internal:audit", 73, place.run(), "it is no audit log; move it away")


# ---- trusted folders 1 ----

def trusted(place):
    with open(os.path.join(place.config, "trust.json"), encoding="utf-8") as file:
        return [entry["path"] for entry in json.load(file)["folders"]]


def trust_of_format_1_is_read(place):
    private_copy(os.path.join(FORMATS, "trust-1.json"), os.path.join(place.config, "trust.json"))
    folders = [place.folder("more-%d" % i) for i in range(AT_ONCE)]
    done = [place.popen("trust", folder) for folder in folders]
    expect("statuses", {0}, {process.communicate() and process.returncode for process in done})
    expect("folders", ["/tmp/example/trusted"], trusted(place)[:1])
    expect("all of them", sorted(folders), sorted(trusted(place)[1:]))
    expect("one that is gone is taken out", b"skills in /tmp/example/trusted are no longer trusted\n",
           place.writ("trust", "--remove", "/tmp/example/trusted").out)
    expect("all of them", sorted(folders), sorted(trusted(place)))


def trust_of_format_1_is_used(place):
    project = place.folder("work/.writ/skills")
    place.skill(folder=project)
    expect("before", 7, place.writ("run", PROBE_ID, "--do", "ok").status)
    with open(os.path.join(FORMATS, "trust-1.json")) as file:
        text = file.read().replace("/tmp/example/trusted", place.work)
    os.chmod(place.file("home/.config/writ/trust.json", text), 0o600)
    expect("after", 0, place.writ("run", PROBE_ID, "--do", "ok").status)


def a_trust_file_of_no_known_format_is_left_alone(place):
    place.skill(folder=place.folder("work/.writ/skills"))
    path = os.path.join(place.config, "trust.json")
    for text, sentence in (('{"version":2,"folders":{}}', "is of a newer format (version 2) than this writ reads"),
                           ('{"version":99999999999999999999999,"folders":[]}', "has no format version"),
                           ('{"version":0,"folders":[]}', "has no format version"),
                           ('{"folders":[]}', "has no format version"),
                           ('{"version":"1","folders":[]}', "has no format version"),
                           ('{"version":1}', "has no list of folders"),
                           ('{"version":1,"folders":["/"]}', "has an entry without an absolute path"),
                           ("", "is not JSON"), ("\x00\x1b[31m", "is not JSON"), ('{"version":1', "is not JSON")):
        os.chmod(place.file("home/.config/writ/trust.json", text), 0o600)
        for command in (["run", PROBE_ID, "--do", "ok"], ["trust", place.work], ["trust", "--remove", place.work]):
            done = place.writ(*command)
            expect_class("%s with %r" % (command, text), "internal:io", 71, done, sentence, path)
        with open(path) as file:
            expect("the file", text, file.read())


# ---- settings 1 ----

def settings_of_format_1_are_read(place):
    private_copy(os.path.join(FORMATS, "config-1.yaml"), os.path.join(place.config, "config.yaml"))
    done = place.writ("config", "list", "--json")
    values = {entry["name"]: (entry["value"], entry["source"]) for entry in json.loads(done.out)["settings"]}
    wanted = {"audit.count": "7", "color": "never", "progress": "never", "run.memory-max": "48MiB",
              "run.timeout-max": "300ms", "time-zone": "utc"}
    expect("settings", wanted, {name: str(value) for name, (value, source) in values.items() if name in wanted})
    expect("sources", {"file"}, {source for name, (_, source) in values.items() if name in wanted})
    place.skill()
    expect("a limit is held", "limit:timeout", place.envelope("sleep")["error"]["class"])


def settings_of_format_1_are_changed(place):
    """By many at once: what a later format would migrate, it would migrate here."""
    path = os.path.join(place.config, "config.yaml")
    private_copy(os.path.join(FORMATS, "config-1.yaml"), path)
    with open(path) as file:
        before = file.read()
    changes = [("audit.count", "8"), ("color", "always"), ("progress", "auto"), ("run.memory-max", "64MiB"),
               ("run.timeout-max", "2s"), ("time-zone", "local")]
    done = [place.popen("config", "set", *change) for change in changes * 4]
    said = {(process.communicate()[1], process.returncode) for process in done}
    expect("what was said", {(b"", 0)}, said)
    with open(path) as file:
        after = file.read()
    for (name, value), line in zip(changes, [line for line in before.splitlines() if line[:1].isalpha()][1:]):
        before = before.replace(line, line.replace(line.split("#")[0].split(": ")[1].strip(), value))
    expect("the file", before, after)
    expect("files", ["config.lock", "config.yaml"], files_below(place.config))


def settings_of_no_known_format_are_left_alone(place):
    place.skill()
    path = os.path.join(place.config, "config.yaml")
    for text, sentence in (("version: 2\ncolor: {never: true}\n", "are of version 2, and this writ reads up to 1"),
                           ("version: 99999999999999999999999\n", "no version of the format"),
                           ("version: 0\n", "no version of the format"), ("version: one\n", "no version of the format"),
                           ("color: never\n", "the version of the format is missing"),
                           ("- version: 1\n", "are no map"), ("version: 1\nversion: 1\n", "version"),
                           ("version: 1\ncolor: never\n\x1b[31m", ""), ("version: 1\nfuture: yes\n", "future")):
        os.chmod(place.file("home/.config/writ/config.yaml", text), 0o600)
        for command in (["run", "--skills", place.skills, PROBE_ID, "--do", "ok"], ["trust", place.work],
                        ["config", "set", "audit.count", "3"]):
            expect_class("%s with %r" % (command, text), "config:invalid", 77, place.writ(*command), sentence)
        expect("help with %r" % text, 0, place.writ("help").status)
        with open(path) as file:
            expect("the file", text, file.read())
    expect("calls", [], place.records())


# ---- private files of a skill ----

def private_files_of_a_skill_stay_where_they_were(place):
    """STATE/skills/ID/uid-N/ is the skill's own; what it left there it finds again."""
    kept = place.file("home/.local/state/writ/skills/%s/uid-%d/kept" % (PROBE_ID, os.geteuid()), "x" * 3)
    place.skill(permissions=["filesystem:write:${{ .state }}"])
    expect("a call", 0, place.run("read", "--path", kept).status)
    expect("what it read", "xxx", json.loads(place.run("read", "--path", kept).out)["data"]["said"])


# ---- digests 2 ----

def number(value):
    return struct.pack(">Q", value)


def digest_entry(folder, digest, form=2):
    """(name, bytes) of an entry for this folder as it is now, which gives `digest`."""
    names = sorted(name.encode() for name in files_below(folder))
    text = number(len(names))
    for name in names:
        status = os.stat(os.path.join(folder.encode(), name))
        text += number(len(name)) + name + b"".join(number(value) for value in (
            status.st_dev, status.st_ino, status.st_mode, status.st_size,
            *divmod(status.st_mtime_ns, 10 ** 9), *divmod(status.st_ctime_ns, 10 ** 9)))
    entry = struct.pack("=II", form, 0) + hashlib.sha256(text).digest() + digest
    status = os.stat(folder)
    return "%x-%x.2" % (status.st_dev, status.st_ino), entry + hashlib.sha256(entry).digest()


def tells_of_changes(folder):
    """The cache serves only file systems whose times tell of every change."""
    done = subprocess.run(["stat", "--file-system", "--format=%t", folder], stdout=subprocess.PIPE)
    return done.stdout.strip() in (b"ef53", b"9123683e")


def recorded_digest(place):
    expect("a call", 0, place.run().status)
    return [record["digest"] for record in place.records() if record["type"] == "begin"][-1]


def digests_of_format_2(place):
    if not tells_of_changes(place.path):
        if not tells_of_changes("/var/tmp"):
            raise Skipped("no file system here on which digests are kept")
        place.skills = tempfile.mkdtemp(prefix="writ-whole-", dir="/var/tmp")
    try:
        skill = place.skill()
        true, planted, other = recorded_digest(place), b"\x07" * 32, b"\x08" * 32
        os.makedirs(place.cache, mode=0o700, exist_ok=True)
        name, entry = digest_entry(skill, planted)
        path = os.path.join(place.cache, name)
        with open(path, "wb") as file:
            file.write(entry)
        expect("an entry of this format is used", "sha256:" + planted.hex(), recorded_digest(place))
        later, newer = path[:-1] + "3", digest_entry(skill, other, form=3)[1]
        with open(later, "wb") as file:
            file.write(newer)
        expect("beside one of a newer format", "sha256:" + planted.hex(), recorded_digest(place))
        for bad in (newer, digest_entry(skill, other, form=1)[1], entry[:-1], b"", entry[:40] + other + entry[72:]):
            with open(path, "wb") as file:
                file.write(bad)
            expect("what is no entry of this format is none", true, recorded_digest(place))
        with open(later, "rb") as file:
            expect("the newer entry", newer, file.read())
    finally:
        if not place.skills.startswith(place.path):
            shutil.rmtree(place.skills)


# ---- versions of programs 1 ----

def versions_of_format_1(place):
    """What a program answered to --version is kept as it said it; what is damaged is asked anew."""
    place.skill(program=False, runtime={"language": "python", "version": "3"})
    place.file("skills/%s/main.py" % PROBE_ID, 'print(\'{"success":true,"data":{}}\')\n')
    expect("a call", 0, place.run().status)
    folder = os.path.join(place.cache, "versions")
    kept = contents(folder)
    expect("programs whose version is kept", 1, len(kept))
    (name, answer), = kept.items()
    expect_in("what is kept", b"Python 3.", answer)
    path = os.path.join(folder, name)
    for text in (b"", b"no version", b"\x00\xff", b"x" * 100000):
        with open(path, "wb") as file:
            file.write(text)
        expect("a call with %.20r" % text, 0, place.run().status)
        expect("what is kept", kept, contents(folder))
    with open(path, "wb") as file:
        file.write(b"Python 2.7")
    expect("what is kept is used", 9, place.run().status)
    expect("its format is in its name", ".1", name[-2:])


run_cases([a_log_of_format_1_is_read, a_log_of_format_1_is_continued, a_newer_log_is_left_alone,
           what_is_no_log_is_kept_and_told, a_huge_file_that_is_no_log_is_told_at_once, trust_of_format_1_is_read, trust_of_format_1_is_used,
           a_trust_file_of_no_known_format_is_left_alone, settings_of_format_1_are_read,
           settings_of_format_1_are_changed, settings_of_no_known_format_are_left_alone, private_files_of_a_skill_stay_where_they_were,
           digests_of_format_2, versions_of_format_1], read_arguments())
