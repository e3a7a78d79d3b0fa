#!/usr/bin/env python3
"""Homes, disks and working folders in a bad way:  places.py WRIT PROBE [CASE]...  (support.py)

A disk that is full or read-only is a small one mounted in a namespace of the test's own, as root or in a user namespace.
"""
import json
import os
import shutil
import time

from support import (MS_BIND, MS_RDONLY, MS_REMOUNT, PROBE_ID, SANITIZED, Skipped, enter_mount_namespace, expect,
                     expect_class, expect_intact, files_below, in_mount_namespace, mount, read_arguments, run_cases)

PAGE = os.sysconf("SC_PAGE_SIZE")
READERS = [["list"], ["list", "--json"], ["doctor"], ["audit"], ["audit", "verify"], ["help"], ["version"]]


def readers_work(place, **options):
    """Whatever makes nothing works where nothing can be made."""
    skill = os.path.join(place.skills, PROBE_ID)
    for command in READERS + [["show", "--skills", place.skills, PROBE_ID], ["lint", skill],
                              ["run", "--skills", place.skills, PROBE_ID, "--explain"]]:
        done = place.writ(*command, **options)
        expect("%s: %r" % (" ".join(command), done.err), 0, done.status)


# ---- read-only ----

def read_only(path):
    mount(path, path, None, MS_BIND)
    mount(None, path, None, MS_REMOUNT | MS_BIND | MS_RDONLY)


def a_read_only_home(place):
    def act():
        read_only(place.home)
        readers_work(place)
        expect_class("a call", "internal:audit", 73, place.run(), "Read-only file system", "XDG_STATE_HOME")
        expect_class("trust", "internal:io", 71, place.writ("trust", place.work), "Read-only file system")
        elsewhere = {"XDG_STATE_HOME": place.folder("state")}
        expect("a call recorded elsewhere", 0, place.run(environment=elsewhere).status)
        expect_intact(place, environment=elsewhere)
    place.skill()
    in_mount_namespace(act)
    expect("what is left in the home", [], files_below(place.home))


def a_log_that_became_read_only(place):
    def act():
        read_only(place.state)
        readers_work(place)
        expect_class("a call", "internal:audit", 73, place.run(), "Read-only file system")
        expect_intact(place)
    place.skill()
    expect("the first call", 0, place.run().status)
    in_mount_namespace(act)
    expect("the next call", 0, place.run().status)
    expect("records", 4, expect_intact(place)["records"])


def a_home_without_rights(place):
    place.skill()
    os.chmod(place.home, 0o500)
    readers_work(place)
    expect_class("a call", "internal:audit", 73, place.run(), "Permission denied")
    expect_class("trust", "internal:io", 71, place.writ("trust", place.work), "Permission denied")
    os.chmod(place.home, 0o000)
    expect_class("a call without settings", "internal:io", 71, place.run(), "Permission denied")
    expect("help", 0, place.writ("help").status)
    os.chmod(place.home, 0o700)
    expect("what is left in the home", [], files_below(place.home))


def a_state_of_somebody_else(place):
    place.skill()
    expect("a call", 0, place.run().status)
    for path in (place.state, os.path.dirname(place.current), place.current):
        os.chown(path, 61001, 61001)
        expect_class(path, "internal:audit", 73, place.run(), "belongs to user 61001")
        os.chown(path, 0, 0)
    expect("records", 2, expect_intact(place)["records"])


# ---- full ----

def small_disk(path, pages=16):
    os.makedirs(path, mode=0o700, exist_ok=True)
    mount("none", path, "tmpfs", 0, "size=%d,mode=700" % (pages * PAGE))


def fill(folder, pages_left=0):
    """Takes all room but that, in a file that is given back later."""
    path = os.path.join(folder, "hog")
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * PAGE)
        except OSError:
            pass
        file.truncate(os.path.getsize(path) - pages_left * PAGE)
    return path


def no_room_for_a_begin(place):
    def act():
        small_disk(place.state)
        expect("the first call", 0, place.run().status)
        hog = fill(place.state)
        calls = 1
        while place.run().status == 0:
            calls += 1
            expect("records", 2 * calls, expect_intact(place)["records"])
        before = open(place.current, "rb").read()
        out = place.file("out/file", "as it was")
        done = place.run("write", "--json", "--path", out)
        expect_class("a call", "internal:audit", 73, done, "No space left on device", "make room")
        expect("its outcome", "refused", json.loads(done.out)["outcome"])
        expect("what it wrote", "as it was", open(out).read())
        expect("the log", before, open(place.current, "rb").read())
        readers_work(place)
        os.unlink(hog)
        expect("a call with room", 0, place.run("write", "--path", out).status)
        expect("what it wrote", "written\n", open(out).read())
        expect("records", 2 * calls + 2, expect_intact(place)["records"])
    place.skill(permissions=["filesystem:write:${{ .input.path }}"])
    in_mount_namespace(act)


def no_room_for_an_end(place):
    """The program ran, and what came of it cannot be recorded: the caller hears that, and of no success.

    The log grows until what is left of its last page takes one more begin, and half an end; the length of a folder's
    name in the record before gives it the right size.
    """
    def act():
        small_disk(place.state)
        expect("the first call", 0, place.run().status)
        begin, end = (len(line) + 1 for line in open(place.current, "rb").read().splitlines())
        hog = fill(place.state)
        wanted = begin + end // 2
        while True:
            left = -os.path.getsize(place.current) % PAGE
            pad = left - begin - end - wanted
            if pad < 0:
                raise Skipped("records of %d and %d bytes do not come out on a page" % (begin, end))
            folder = place.skills
            if pad < 900:
                folder += "".join("/" + "x" * min(200, pad - i - 1) for i in range(0, pad, 201) if pad - i > 1)
                place.skill(folder=folder)
            expect("a call", 0, place.writ("run", "--skills", folder, PROBE_ID, "--do", "ok").status)
            if pad < 900:
                break
        records = expect_intact(place)["records"]
        done = place.run("ok", "--json")
        expect_class("a call", "internal:audit", 73, done, "No space left on device")
        envelope = json.loads(done.out)
        expect("outcome, output", ("unknown", None), (envelope["outcome"], envelope["output"]))
        verdict = expect_intact(place, unfinished=1)
        expect("records, torn tails", (records + 1, 0), (verdict["records"], verdict["torn_tails"]))
        expect("the run", envelope["run"]["id"], place.records()[-1]["run"])
        expect_class("another one", "internal:audit", 73, place.run())
        os.unlink(hog)
        expect("a call with room", 0, place.run().status)
        expect("records", records + 3, expect_intact(place, unfinished=1)["records"])
    place.skill()
    in_mount_namespace(act)


def no_room_for_trust(place):
    def act():
        small_disk(place.config)
        expect("trust", 0, place.writ("trust", place.work).status)
        before = open(place.config + "/trust.json").read()
        hog = fill(place.config)
        done = place.writ("trust", place.folder("other"))
        expect_class("trust", "internal:io", 71, done, "No space left on device")
        expect("the list", before, open(place.config + "/trust.json").read())
        expect("files", ["hog", "trust.json", "trust.lock"], files_below(place.config))
        os.unlink(hog)
        expect("trust with room", 0, place.writ("trust", place.folder("other")).status)
    in_mount_namespace(act)


def no_room_for_a_new_skill(place):
    """It is made whole or not at all, whichever file is the one that has no room."""
    def act():
        disk = place.path + "/disk"
        small_disk(disk, pages=8)
        told = set()
        for pages in range(9):
            with open(disk + "/hog", "wb") as file:
                file.write(b"x" * PAGE * pages)
            done = place.writ("init", disk + "/word-count", "--language", "sh")
            if done.status == 0:
                expect("a test of it", 0, place.writ("test", disk + "/word-count").status)
                shutil.rmtree(disk + "/word-count")
            else:
                expect_class("init", "internal:io", 71, done, "No space left on device")
                told.add(done.err)
                expect("what is left", ["hog"], os.listdir(disk))
        if len(told) < 3:
            raise AssertionError("only these files had no room: %s" % told)
        os.unlink(disk + "/hog")
        read_only(disk)
        expect_class("init", "internal:io", 71, place.writ("init", disk + "/word-count", "--language", "sh"),
                     "Read-only file system")
    in_mount_namespace(act)


def no_room_for_kept_digests(place):
    """A cache that cannot be written only costs time."""
    def act():
        small_disk(place.cache)
        hog = fill(place.cache)
        time.sleep(3.1)  # until then a digest would not be kept anyway
        expect("a call", 0, place.run().status)
        expect("files", ["hog"], files_below(place.cache))
        os.unlink(hog)
        expect("a call", 0, place.run().status)
    place.skill()
    in_mount_namespace(act)


def a_torn_tail(place):
    """What a crash in the middle of a write leaves, at every length that is a multiple of 40."""
    place.skill()
    expect("a call", 0, place.run().status)
    line = open(place.current, "rb").read().splitlines()[-1]
    for count, length in enumerate(range(1, len(line), 40), 1):
        with open(place.current, "ab") as file:
            file.write(line[:length])
        verdict = expect_intact(place)
        expect("torn tails before", count, verdict["torn_tails"])
        expect("a call", 0, place.run().status)
        verdict = expect_intact(place)
        expect("torn tails, records", (count, 2 + 3 * count), (verdict["torn_tails"], verdict["records"]))


# ---- where things lie ----

def homes_of_many_kinds(place):
    place.skill()
    for home in ("rel/ative", "", ".", None):
        done = place.run(environment={"HOME": home})
        expect_class("HOME=%r" % home, "internal:io", 71, done, "HOME is not set to an absolute path")
        for command in (["help"], ["version"], ["run", "--help"], ["help", "run"]):
            expect("%s with HOME=%r" % (command, home), 0, place.writ(*command, environment={"HOME": home}).status)
    for name in ("", "/", "//", "/none/yet", "/a\nb", "/\x1b[31mred", "/\udcff\udcfe", "/-rf", "/" + "x" * 255,
                 "/deep" + ("/" + "y" * 200) * 17):
        environment = {"HOME": place.home + name}
        done = place.run(environment=environment)
        expect("HOME=%r: %r" % (name, done.err), 0, done.status)
        expect_intact(place, environment=environment)
        expect("trust", 0, place.writ("trust", place.work, environment=environment).status)
    for home, reason in ((place.file("file"), "Not a directory"), ("/dev/null", "Not a directory"),
                         ("/proc/self", "No such file"), (place.home + "/" + "x" * 256, "File name too long"),
                         (place.home + ("/" + "y" * 200) * 30, "File name too long")):
        done = place.run(environment={"HOME": home})
        # Where there can be no settings, none were made: then it is the log that cannot be kept.
        expect_class("HOME=%.40r" % home, "internal:audit", 73, done, reason)
        expect_class("HOME=%.40r" % home, "internal:io", 71, place.writ("trust", place.work, environment={"HOME": home}),
                     reason)


def places_named_one_by_one(place):
    """XDG variables are taken when they are absolute, and then no home is needed."""
    place.skill()
    names = {"XDG_%s_HOME" % name.upper(): place.path + "/" + name for name in ("config", "data", "state", "cache")}
    done = place.run(environment=dict(names, HOME=None))
    expect("a call: %r" % done.err, 0, done.status)
    expect("the log", ["writ/audit/current.jsonl"], files_below(place.path + "/state"))
    for odd in ("state", "./state", "~/state"):
        expect("XDG_STATE_HOME=%s" % odd, 0, place.run(environment={"XDG_STATE_HOME": odd}).status)
    expect("records in the home", 6, expect_intact(place)["records"])
    expect("nothing beside", [], os.listdir(place.work))


def odd_places_for_temporary_files(place):
    skill = place.skill(permissions=["filesystem:write:${{ .input.path }}"],
                        test=[{"input": {"do": "write", "path": "out.txt"}}])
    before = os.listdir("/tmp")
    for folder in ("relative", "", "/nonexistent", place.path + "/a\nb", "/dev/null", "x" * 5000):
        for command in (["test", skill], ["run", "--skills", place.skills, PROBE_ID, "--do", "ok"]):
            done = place.writ(*command, environment={"TMPDIR": folder, "TMP": folder, "TEMP": folder})
            expect("%s: %r %r" % (command, done.out, done.err), 0, done.status)
    expect("files left by the tests", [], [name for name in set(os.listdir("/tmp")) - set(before)
                                           if name.startswith("writ-test-") and os.stat("/tmp/" + name).st_uid
                                           == os.geteuid()])


def a_machine_without_tmp(place):
    """Only the test of a skill that writes needs it, and says so."""
    if place.path.startswith("/tmp/") and place.home.startswith("/tmp/"):
        base = place.path
    else:
        base = None

    def act():
        # The place itself is kept in sight elsewhere, under the same name.
        kept = "/var/tmp" if base else None
        if kept:
            mount(base, kept, None, MS_BIND)
            mount("none", "/tmp", "tmpfs", 0, "size=64k,mode=755")
            mount(None, "/tmp", None, MS_REMOUNT | MS_BIND | MS_RDONLY)
            for name in ("home", "skills", "work", "path"):
                setattr(place, name, getattr(place, name).replace(base, kept))
            place.arguments.writ = os.path.join(kept, "writ")
            place.environment["HOME"] = place.home
        expect("a call", 0, place.run().status)
        expect("a test", 0, place.writ("test", place.skills + "/" + PROBE_ID).status)
        done = place.writ("test", place.skills + "/com.example.whole.writer")
        expect_class("a test that writes", "internal:io", 71, done, "/tmp", "Read-only file system")
    # Of a clone below /tmp the program would be out of sight as well.
    shutil.copy(place.arguments.writ, os.path.join(place.path, "writ"))
    place.skill(test=[{"input": {"do": "ok"}}])
    place.skill("com.example.whole.writer", permissions=["filesystem:write:${{ .input.path }}"],
                test=[{"input": {"do": "write", "path": "out.txt"}}])
    in_mount_namespace(act)


def a_machine_without_proc(place):
    """It is said, and no skill is "not found" for it."""
    if SANITIZED:
        raise Skipped("a sanitizer reads /proc")
    place.skill()

    def hide():
        enter_mount_namespace()
        mount("none", "/proc", "tmpfs", 0, "size=4k")
    for command in (["run", "--skills", place.skills, PROBE_ID], ["list"], ["lint", place.skills + "/" + PROBE_ID],
                    ["lint", PROBE_ID], ["trust", place.work]):
        expect_class("%s" % command, "internal:io", 71, place.writ(*command, preexec_fn=hide), "/proc is not mounted")
    expect("help", 0, place.writ("help", preexec_fn=hide).status)


# ---- the working folder ----

def a_working_folder_that_is_gone(place):
    place.skill()
    def leave():
        os.mkdir(place.path + "/gone")
        os.chdir(place.path + "/gone")
        os.rmdir(place.path + "/gone")
    for command in (["run", "--skills", place.skills, PROBE_ID], ["list"], ["audit"], ["trust", place.work]):
        expect_class("%s" % command, "internal:io", 71, place.writ(*command, preexec_fn=leave), "working directory",
                     "change to another folder")
    for command in (["help"], ["version"], ["run", "--help"]):
        expect("%s" % command, 0, place.writ(*command, preexec_fn=leave).status)


def a_working_folder_without_rights(place):
    """Nothing in it is needed unless a path begins there."""
    place.skill(permissions=["filesystem:read:${{ .input.path }}"])
    place.file("work/file", "text")
    for mode in (0o311, 0o000):
        def enter():
            os.chdir(place.work)
            os.chmod(place.work, mode)
        for more in ([], ["--path", "file"]):
            os.chmod(place.work, 0o700)
            done = place.run("read" if more else "ok", *more, preexec_fn=enter, folder="/")
            if not more or os.geteuid() == 0 or mode & 0o100:
                expect("mode %o, %s: %r" % (mode, more, done.err), 0, done.status)
            else:
                expect_class("mode %o, %s" % (mode, more), "filesystem:denied", 10, done, "you may not read it")


# Root may do everything everywhere, and only root can give a folder away.
run_cases([a_state_of_somebody_else if os.geteuid() == 0 else a_home_without_rights, a_read_only_home,
           a_log_that_became_read_only,
           no_room_for_a_begin, no_room_for_an_end, no_room_for_trust, no_room_for_a_new_skill,
           no_room_for_kept_digests, a_torn_tail,
           homes_of_many_kinds, places_named_one_by_one, odd_places_for_temporary_files, a_machine_without_tmp,
           a_machine_without_proc, a_working_folder_that_is_gone, a_working_folder_without_rights], read_arguments())
