#!/usr/bin/env python3
"""Names that would steer a terminal or forge a line, and every locale:  names.py WRIT PROBE [CASE]...  (support.py)"""
import json
import os
import shutil
import subprocess

from support import HERE, PROBE_ID, Skipped, expect, expect_class, expect_in, expect_intact, read_arguments, run_cases

FORGED = "forged: a line of its own"
NAMES = {
    "line ends": b"a\n" + FORGED.encode() + b"\nb",
    "return": b"a\r" + FORGED.encode(),
    "escapes": b"\x1b[2J\x1b]0;title\x07\x1b[31mred",
    "controls of eight bits": "\x9b31m\x85x".encode(),
    "bytes that are no text": b"\xff\xfe\xc3(\xed\xa0\x80",
    "directions": "‮txt.exe⁦".encode(),
    "dashes": b"--json",
    "an option with a value": b"--skills=x",
    "dots and blanks": b"... \t .",
    "quotes": b"'\"`$(touch forged)`;&|<>*?[]{}\\",
    "percent": b"%s%n%1000000d",
    "the longest": b"x" * 255,
    "the longest of wide characters": "文".encode() * 85,
}
LOCALES = ["C", "POSIX", "C.UTF-8", "en_US.ISO-8859-1", "zh_CN.GB18030", "tr_TR.UTF-8", "ja_JP.SJIS", "xx_YY.nothing"]


def check_plain(what, done):
    """What goes to a person holds no byte that a terminal acts on, is text, and no line of it is another's."""
    for name, raw in (("stdout", done.out), ("stderr", done.err)):
        bad = sorted({byte for byte in raw if byte < 32 and byte not in (9, 10) or byte == 127})
        expect("%s: control bytes on %s: %r" % (what, name, raw), [], bad)
        try:
            text = raw.decode()
        except UnicodeDecodeError as fault:
            raise AssertionError("%s: %s is no text (%s): %r" % (what, name, fault, raw)) from None
        # A document in a pipe is for programs.
        expect("%s: controls on %s: %r" % (what, name, text), [],
               [char for char in text if not text.startswith("{") and (0x80 <= ord(char) < 0xa0 or 0x202a <= ord(char)
                <= 0x202e or 0x2066 <= ord(char) <= 0x2069)])
        expect("%s: forged lines on %s: %r" % (what, name, text), [],
               [line for line in text.splitlines() if line.startswith("forged")])


def check_records(place):
    """Every record is one line of JSON, and every call one line of the list."""
    expect_intact(place)
    records = place.records()
    calls = sum(record["type"] == "begin" for record in records)
    shown = place.writ("audit", "--count", "0")
    check_plain("audit", shown)
    expect("lines of the list", calls, len(shown.out.splitlines()))
    whole = place.writ("audit", "--run", records[-1]["run"])
    check_plain("audit --run", whole)


def for_each_name(place, act):
    for what, name in NAMES.items():
        folder = os.path.join(place.path.encode(), b"names", what.replace(" ", "-").encode())
        os.makedirs(folder)
        act(what, os.path.join(folder, name), name)
    check_records(place)


def named_by_the_input(place):
    place.skill(permissions=["filesystem:read:${{ .input.path }}"])
    def act(what, path, name):
        with open(path, "wb") as file:
            file.write(b"text")
        for given, folder in ((path, None), (name, os.path.dirname(path))):
            done = place.writ("run", "--skills", place.skills, PROBE_ID, "--do", "read", b"--path=" + given, folder=folder)
            check_plain(what, done)
            expect("%s: %r" % (what, done.err), 2 if b"\xff" in name else 0, done.status)
        for missing in (path + b"/x", path[:-1]):
            done = place.writ("run", "--skills", place.skills, PROBE_ID, "--do", "read", b"--path=" + missing)
            check_plain(what, done)
            if done.status not in (2, 10):
                raise AssertionError("%s, missing: status %d, %r" % (what, done.status, done.err))
        done = place.writ("run", "--skills", place.skills, PROBE_ID, "--explain", "--do", "read", b"--path=" + path)
        check_plain("%s, explained" % what, done)
    for_each_name(place, act)


def a_file_of_the_input(place):
    place.skill()
    def act(what, path, name):
        with open(path, "wb") as file:
            file.write(b'{"do": "ok"}')
        for given, folder in ((path, None), (b"./" + name, os.path.dirname(path))):
            done = place.writ("run", "--skills", place.skills, PROBE_ID, b"--input=" + given, folder=folder)
            check_plain(what, done)
            expect("%s: %r" % (what, done.err), 0, done.status)
        done = place.writ("run", "--skills", place.skills, PROBE_ID, b"--input=" + path + b".no")
        check_plain(what, done)
        expect("%s, missing" % what, 3, done.status)
        with open(path, "wb") as file:
            file.write(b'{"do": "ok"')
        done = place.writ("run", "--skills", place.skills, PROBE_ID, b"--input=" + path, "--path", "x")
        check_plain(what, done)
        expect("%s, torn" % what, 3, done.status)
        for command in (["schema", "check", path, path], ["schema", "check", path + b".no", path]):
            done = place.writ(*command)
            check_plain(what, done)
            expect("%s, as a schema" % what, 2, done.status)
    for_each_name(place, act)


def folders_of_skills(place):
    def act(what, path, name):
        os.mkdir(path)
        shutil.copytree(place.skill(test=[{"input": {"do": "ok"}}]).encode(), os.path.join(path, PROBE_ID.encode()))
        skill = os.path.join(path, PROBE_ID.encode())
        for command in (["run", PROBE_ID, b"--skills=" + path, "--do", "ok"], ["show", PROBE_ID, b"--skills=" + path],
                        ["list", b"--skills=" + path], ["doctor", PROBE_ID, b"--skills=" + path],
                        ["run", PROBE_ID, b"--skills=" + path, "--explain"], ["lint", skill], ["test", skill],
                        ["lint", "--fix", "--dry-run", skill], ["test", skill, b"--only=test 1"]):
            done = place.writ(*command)
            check_plain("%s: %s" % (what, command[0]), done)
            expect("%s: %s: %r %r" % (what, command, done.out, done.err), 0, done.status)
        for command in (["list", b"--skills=" + path, "--json"], ["show", PROBE_ID, b"--skills=" + path, "--json"],
                        ["lint", "--json", skill], ["lint", "--format", "sarif", skill], ["test", "--json", skill]):
            json.loads(place.writ(*command).out.decode())
        os.chmod(skill + b"/skill.yaml", 0o600)
        with open(skill + b"/skill.yaml", "ab") as file:
            file.write(b"}")
        for command in (["run", PROBE_ID, b"--skills=" + path], ["list", b"--skills=" + path], ["lint", skill],
                        ["test", skill], ["show", PROBE_ID, b"--skills=" + path]):
            check_plain("%s: %s, broken" % (what, command[0]), place.writ(*command))
    for_each_name(place, act)


def new_skills(place):
    """As a folder, the folder around it, and in what stands in the files: none of it leads elsewhere."""
    def act(what, path, name):
        os.mkdir(path)
        good = os.path.join(path, b"word-count")
        for command in (["init", os.path.join(path, name)], ["init", b"./" + name, "--dry-run"],
                        ["init", good, "--language", "sh", "--dry-run"], ["init", good, b"--language=" + name],
                        ["init", good, b"--id=" + name], ["init", good, b"--license=" + name, "--language", "sh"],
                        ["init", good, b"--description=" + name, b"--author=" + name, "--language", "sh"]):
            done = place.writ(*command, folder=path)
            check_plain("%s: %s" % (what, command), done)
            if done.status not in (0, 2, 3, 5, 71):
                raise AssertionError("%s: %s: %d, %r" % (what, command, done.status, done.err))
        if os.path.isdir(good):
            check_plain(what, place.writ("test", good))
            check_plain(what, place.writ("lint", good))
        expect("%s: what was made" % what, [], [entry for entry in os.listdir(path) if entry != b"word-count"])
    expect("a call", 6, place.run().status)
    for_each_name(place, act)


def files_of_a_skill(place):
    """A file, a link, a file of tests, a folder beside: of whatever name."""
    def act(what, path, name):
        base = place.skill(folder=os.path.join(place.skills, what)).encode()
        with open(os.path.join(base, name), "wb") as file:
            file.write(b"x")
        os.mkdir(os.path.join(base, b"tests"))
        with open(os.path.join(base, b"tests", name[:250] + b".yaml"), "wb") as file:
            file.write(b"name: %s\ninput: {do: ok}\n" % json.dumps(name.decode("latin-1")).encode())
        skills = os.path.dirname(base)
        os.mkdir(os.path.join(skills, name))
        with open(os.path.join(skills, name, b"skill.yaml"), "wb") as file:
            file.write(b"id: [")
        for command in (["run", PROBE_ID, b"--skills=" + skills, "--do", "ok"], ["list", b"--skills=" + skills],
                        ["lint", base], ["test", base], ["show", PROBE_ID, b"--skills=" + skills],
                        ["test", os.path.join(skills, name)], ["lint", os.path.join(skills, name)]):
            check_plain("%s: %s" % (what, command[0]), place.writ(*command))
        os.symlink(b"x", os.path.join(base, b"l" + name[:254]))
        done = place.writ("run", PROBE_ID, b"--skills=" + skills, "--do", "ok")
        check_plain("%s, a link" % what, done)
        expect("%s, a link: %r" % (what, done.err), 41, done.status)
    for_each_name(place, act)


def trusted_folders(place):
    def act(what, path, name):
        os.mkdir(path)
        os.makedirs(os.path.join(path, b".writ/skills"))
        shutil.copytree(place.skill().encode(), os.path.join(path, b".writ/skills", PROBE_ID.encode()))
        done = place.writ("run", PROBE_ID, "--do", "ok", folder=path)
        check_plain("%s, not trusted" % what, done)
        expect("%s, not trusted" % what, 7, done.status)
        done = place.writ("trust", path)
        check_plain("%s: trust" % what, done)
        if b"\xff" in name:
            # The list of trusted folders is JSON, which cannot hold such a name.
            expect("%s: %r" % (what, done.err), 2, done.status)
        else:
            expect("%s: %r" % (what, done.err), 0, done.status)
            done = place.writ("run", PROBE_ID, "--do", "ok", folder=path)
            expect("%s, trusted: %r" % (what, done.err), 0, done.status)
        done = place.writ("trust", "--remove", path)
        check_plain("%s: trust --remove" % what, done)
        check_plain("%s: trust of nothing" % what, place.writ("trust", path + b".no"))
        with open(os.path.join(place.config, "trust.json"), encoding="utf-8") as file:
            expect("%s: trusted folders" % what, [], json.load(file)["folders"])
    expect("trust", 0, place.writ("trust", place.work).status)
    expect("trust", 0, place.writ("trust", "--remove", place.work).status)
    for_each_name(place, act)


def working_folders(place):
    place.skill(permissions=["filesystem:read:${{ .input.path }}"])
    def act(what, path, name):
        os.mkdir(path)
        with open(os.path.join(path, b"file"), "wb") as file:
            file.write(b"text")
        done = place.writ("run", "--skills", place.skills, PROBE_ID, "--do", "read", "--path", "file", folder=path)
        check_plain(what, done)
        if b"\xff" in name:
            expect_class(what, "filesystem:denied", 10, done, "not UTF-8")
        else:
            expect("%s: %r" % (what, done.err), b'{"success":true,"data":{"said":"text"}}\n', done.out)
        check_plain(what, place.writ("run", "--skills", place.skills, PROBE_ID, "--explain", folder=path))
    for_each_name(place, act)


def names_on_the_command_line(place):
    """Of commands, options, skills, flags and values."""
    place.skill()
    for what, name in NAMES.items():
        for command in ([name], ["list", name], ["list", b"--" + name], ["run", name], ["show", name], ["doctor", name],
                        ["run", "--skills", place.skills, PROBE_ID, b"--" + name, "x"], ["lint", name], ["test", name],
                        ["run", "--skills", place.skills, PROBE_ID, b"--do=" + name, b"--path=" + name],
                        ["run", "--skills", place.skills, PROBE_ID + "@" , name], ["help", name],
                        ["run", "--skills", place.skills, (PROBE_ID + "@").encode() + name],
                        ["audit", b"--skill=" + name], ["audit", b"--since=" + name], ["audit", b"--count=" + name],
                        ["audit", b"--run=" + name], ["audit", b"--class=" + name], ["audit", b"--outcome=" + name],
                        ["audit", "verify", b"--head=" + name], ["schema", name], ["schema", "check", name, name],
                        ["schema", "check", "x", "y", b"--remote=" + name + b"=x"], [b"--color=" + name, "list"],
                        ["completion", name]):
            done = place.writ(*command)
            check_plain("%s: %r" % (what, command), done)
            if done.status < 0 or done.status in (70, 72, 74):
                raise AssertionError("%s: %r: status %d: %r" % (what, command, done.status, done.err))
            done = place.writ(*command, "--json")
            if done.status < 0:
                raise AssertionError("%s: %r --json: status %d" % (what, command, done.status))
            done.out.decode()
    expect("files made", [], os.listdir(place.work))


def long_paths(place):
    """As long as the kernel takes, and longer, as input, working folder and folder of skills."""
    place.skill(permissions=["filesystem:read:${{ .input.path }}"])
    top = place.folder("deep")
    here, name = top, "d" * 200
    lengths = {}
    folder = os.open(top, os.O_RDONLY)
    while len(here) < 4400:
        os.mkdir(name, dir_fd=folder)
        deeper = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder, here = deeper, here + "/" + name
        file = os.open("file", os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=folder)
        os.write(file, b"text")
        os.close(file)
        kept = os.dup(folder)
        lengths[len(here)] = kept
        if len(here) > 3400:
            def enter(kept=kept):
                os.fchdir(kept)
            for path, options in ((here + "/file", {}), ("file", {"preexec_fn": enter, "folder": "/"}),
                                  ("./" * 2000 + "file", {"preexec_fn": enter, "folder": "/"})):
                done = place.run("read", "--path", path, **options)
                check_plain("%d bytes" % len(here), done)
                if len(here) + 5 < 4096 - 250 and len(path) < 4096 - 250 and not path.startswith("./"):
                    expect("%d bytes: %r" % (len(here), done.err), 0, done.status)
                elif done.status not in (0, 10, 71, 74):
                    raise AssertionError("%d bytes: %d, %r" % (len(here), done.status, done.err))
            done = place.writ("list", "--skills", here)
            check_plain("%d bytes of --skills" % len(here), done)
            if done.status not in (0, 2, 6, 71):
                raise AssertionError("%d bytes of --skills: %d, %r" % (len(here), done.status, done.err))
    os.close(folder)
    for kept in lengths.values():
        os.close(kept)
    check_records(place)
    subprocess.run(["rm", "-rf", top], check=True)


def a_forged_log(place):
    """Whoever owns the log may have written anything there; what is shown of it is plain all the same."""
    place.skill()
    expect("a call", 0, place.run().status)
    record = place.records()[0]
    for name in list(NAMES.values()):
        text = name.decode("latin-1")
        forged = dict(record, run="f" * 32 + text, skill=text, version=text, time=text, identity=text)
        forged = {"v": 1, "seq": 3, "time": text, **{key: value for key, value in forged.items()
                                                     if key not in ("v", "seq", "time", "prev")},
                  text: text, "prev": "sha256:" + "0" * 64}
        with open(place.current, "ab") as file:
            file.write(json.dumps(forged, separators=(",", ":")).encode() + b"\n")
    shown = place.writ("audit", "--count", "0")
    check_plain("audit", shown)
    expect("lines of the list", 1 + len(NAMES), len(shown.out.splitlines()))
    check_plain("audit --run", place.writ("audit", "--run", "f" * 32, "--count", "0"))
    check_plain("audit verify", place.writ("audit", "verify"))


def every_locale(place):
    """Bytes go in and out as they are, letters have one case mapping, numbers one point."""
    path = place.file("work/文 ÄİıI.txt", "é")
    place.skill(permissions=["filesystem:read:${{ .input.path }}"])
    skill = place.skills + "/" + PROBE_ID
    shown = {}
    for name in LOCALES:
        environment = {"LANG": name, "LC_ALL": name, "LC_CTYPE": name, "LANGUAGE": "tr:zh_CN:de"}
        for command in (["run", "--skills", place.skills, PROBE_ID, "--do", "read", "--path", path], ["list"], ["help"],
                        ["show", "--skills", place.skills, PROBE_ID], ["LIST"], ["lint", skill], ["İIST"], ["run", "--help"],
                        ["run", "--skills", place.skills, "COM.EXAMPLE.WHOLE.PROBE"], ["trust", place.work + "/文"],
                        ["schema", "check", place.file("s.json", '{"minimum":1.5}'), place.file("d.json", "1.25")]):
            done = place.writ(*command, environment=environment)
            done.out.decode(), done.err.decode()
            expect("%s under %s" % (command, name), shown.setdefault(command[0] + command[-1], done), done)
    expect("what was read", b'{"success":true,"data":{"said":"\xc3\xa9"}}\n', shown["run" + path].out)
    expect_in("the path of a message", "文", shown["trust" + place.work + "/文"].err.decode())


run_cases([named_by_the_input, a_file_of_the_input, folders_of_skills, new_skills, files_of_a_skill, trusted_folders,
           working_folders, names_on_the_command_line, long_paths, a_forged_log, every_locale], read_arguments())
