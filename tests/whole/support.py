"""What the tests of the whole program share: a place with a home, skills made for it, and the program run in it.

Each test of this folder is called as  NAME.py WRIT PROBE [OPTION]... [CASE]...  where WRIT is the program and PROBE the
program of the skills that are made here (probe.c).  A case is a function that takes a Place and raises AssertionError
with what is wrong, or Skipped with why it cannot be tried.  TAP on standard output.
"""
import argparse
import collections
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from expect import Skipped, expect, expect_in  # noqa: E402 (its folder is only known now)
from tap import Tap  # noqa: E402

PROBE_ID = "com.example.whole.probe"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
SANITIZED = "ASAN_OPTIONS" in os.environ and os.path.basename(os.getcwd()) == "sanitize"

Done = collections.namedtuple("Done", "status out err")


def read_arguments(*options):
    parser = argparse.ArgumentParser()
    parser.add_argument("writ")
    parser.add_argument("probe")
    for option in options:
        parser.add_argument(option)
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    for name in ("writ", "probe") + tuple(option.lstrip("-") for option in options):
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    return arguments


class Place:
    """A scratch folder with a home and a folder of skills in it, gone at the end."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.path = os.path.realpath(tempfile.mkdtemp(prefix="writ-whole-"))
        os.chmod(self.path, 0o755)
        self.home, self.skills, self.work = self.folder("home"), self.folder("skills"), self.folder("work")
        kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        self.environment = dict(kept, HOME=self.home, PATH=SYSTEM_PATH, LANG="C.UTF-8", TZ="UTC")
        self.state = os.path.join(self.home, ".local", "state", "writ")
        self.config = os.path.join(self.home, ".config", "writ")
        self.cache = os.path.join(self.home, ".cache", "writ")
        self.current = os.path.join(self.state, "audit", "current.jsonl")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for folder, folders, _ in os.walk(self.path.encode()):
            for name in folders:
                if not os.path.islink(os.path.join(folder, name)):
                    os.chmod(os.path.join(folder, name), 0o700)
        shutil.rmtree(self.path.encode())

    def folder(self, name):
        path = os.path.join(self.path, name)
        os.makedirs(path, exist_ok=True)
        return path

    def file(self, name, text="x"):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def skill(self, identity=PROBE_ID, folder=None, program=True, **fields):
        """Makes a skill whose program is the probe; `fields` replace those of its contract."""
        text = {"type": "string", "description": "A text.", "examples": ["x"]}
        contract = {"id": identity, "name": "Probe", "description": "Does what it is told, for a test of writ itself.",
                    "version": "1.0.0",
                    "input": {"type": "object", "properties": {"do": text, "path": text}, "additionalProperties": False},
                    "output": {"type": "object", "required": ["success", "data"], "properties": {
                        "success": {"type": "boolean"}, "data": {"type": "object"}, "error": {"type": "string"}}},
                    "permissions": [], "runtime": {"language": "native", "timeout": "20s", "memory": "64MiB"}}
        contract.update(fields)
        path = os.path.join(folder or self.skills, identity)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "skill.yaml"), "w") as file:
            json.dump({key: value for key, value in contract.items() if value is not None}, file)
        if program:
            shutil.copy(self.arguments.probe, os.path.join(path, "main"))
        return path

    def popen(self, *arguments, environment=(), folder=None, program=None, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        env = {name: value for name, value in dict(self.environment, **dict(environment)).items() if value is not None}
        return subprocess.Popen([program or self.arguments.writ, *arguments], cwd=folder or self.work, env=env,
                                **options)

    def writ(self, *arguments, timeout=60, **options):
        process = self.popen(*arguments, **options)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError("still running after %d s: writ %s" % (timeout, " ".join(map(repr, arguments)))) from None
        return Done(process.returncode, out or b"", err or b"")

    def run(self, act="ok", *more, identity=PROBE_ID, **options):
        """One call of a skill made here, as the person at the command line makes it."""
        return self.writ("run", "--skills", self.skills, identity, "--do", act, *more, **options)

    def envelope(self, act="ok", *more, **options):
        done = self.run(act, "--json", *more, **options)
        try:
            return json.loads(done.out)
        except ValueError:
            raise AssertionError("no envelope, status %d: %r %r" % done) from None

    def verify(self, **options):
        """The verdict on the audit log."""
        done = self.writ("audit", "verify", "--json", **options)
        if done.status not in (0, 1):
            raise AssertionError("audit verify: %d %r %r" % done)
        return json.loads(done.out)

    def records(self):
        """All records of the log, in order."""
        folder, found = os.path.dirname(self.current), []
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        for name in [name for name in names if name[0].isdigit()] + [name for name in names if name == "current.jsonl"]:
            with open(os.path.join(folder, name), "rb") as file:
                found += [json.loads(line) for line in file.read().split(b"\n") if line.startswith(b"{")
                          and not line.endswith(b" #torn")]
        return found


def error_of(done):
    """(class, sentence) that a command told, as JSON or as a line on stderr."""
    if done.out.startswith((b'{"outcome"', b'{"error"')):
        error = json.loads(done.out)["error"] or {"class": "", "message": ""}
        return error["class"], error["message"]
    line = done.err.decode("utf-8", "backslashreplace").split("\n")[0]
    if not line.startswith("writ: "):
        raise AssertionError("no class told: status %d, %r, %r" % done)
    name, _, sentence = line[len("writ: "):].partition(": ")
    return name, sentence


def expect_class(what, name, status, done, *sentence):
    """The command ended with this class and status, and its sentence holds these parts."""
    told = error_of(done)
    expect("%s (%s)" % (what, told[1]), (name, status), (told[0], done.status))
    for part in sentence:
        expect_in("%s: the sentence" % what, part, told[1])


def expect_intact(place, unfinished=0, **options):
    verdict = place.verify(**options)
    expect("the log", (True, unfinished), (verdict["intact"], verdict["unfinished"]))
    return verdict


def files_below(folder):
    """Every file, link and empty folder below, as sorted paths relative to it."""
    found = []
    for path, folders, files in os.walk(folder):
        found += [os.path.relpath(os.path.join(path, name), folder) for name in files]
        found += [os.path.relpath(os.path.join(path, name), folder) + "/" for name in folders
                  if not os.listdir(os.path.join(path, name))]
    return sorted(found)


def wait_for_records(place, count, process=None):
    """Until the log has that many records, or the process that is to write them has ended."""
    deadline = time.monotonic() + 60
    while len(place.records()) < count and (process is None or process.poll() is None):
        if time.monotonic() > deadline:
            raise AssertionError("there are %d records after a minute, not %d" % (len(place.records()), count))
        time.sleep(0.002)


def processes_of(place):
    """Processes that still run from this place, whatever became of their parents."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                line = file.read()
        except OSError:
            continue
        if place.path.encode() in line and int(pid) != os.getpid():
            found.append((int(pid), line))
    return found


def expect_no_processes(place):
    """All of them are dead, or die as soon as the kernel comes to it."""
    deadline = time.monotonic() + 10
    while processes_of(place) and time.monotonic() < deadline:
        time.sleep(0.01)
    expect("processes that outlived their calls", [], processes_of(place))


# ---- namespaces: places that a test may spoil ----

CLONE_NEWNS, CLONE_NEWUSER, MS_REC, MS_PRIVATE = 0x20000, 0x10000000, 0x4000, 0x40000
MS_RDONLY, MS_REMOUNT, MS_BIND = 0x1, 0x20, 0x1000
libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))


def mount(source, target, kind, flags, data=None):
    def text(value):
        return value.encode() if isinstance(value, str) else value
    check(libc.mount(text(source), text(target), text(kind), ctypes.c_ulong(flags), text(data)), "mount %s" % target)


def enter_user_namespace(more=0):
    """For a child between fork and exec: a user namespace in which the user is what it was, and may do more there."""
    uid, gid = os.geteuid(), os.getegid()
    check(libc.unshare(CLONE_NEWUSER | more), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (uid, uid)), ("gid_map", "%d %d 1" % (gid, gid))):
        with open("/proc/self/" + name, "w") as file:
            file.write(text)


def enter_mount_namespace():
    """For a child between fork and exec: mounts of its own, as root or in a user namespace."""
    if os.geteuid() == 0:
        check(libc.unshare(CLONE_NEWNS), "unshare")
    else:
        enter_user_namespace(CLONE_NEWNS)
    mount("none", "/", None, MS_REC | MS_PRIVATE)


def in_mount_namespace(act):
    """Runs `act` in a child with mounts of its own; what it raises is raised here."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        told = b""
        try:
            os.close(read_end)
            try:
                enter_mount_namespace()
            except OSError as fault:
                told = b"S" + ("no mounts of one's own here: %s" % fault).encode()
            else:
                act()
        except Skipped as reason:
            told = b"S" + str(reason).encode()
        except BaseException:  # all of it is told by the parent
            told = b"F" + traceback.format_exc().encode()
        os.write(write_end, told[:60000])
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    if told[:1] == b"S":
        raise Skipped(told[1:].decode())
    if told:
        raise AssertionError(told[1:].decode())


def run_cases(cases, arguments):
    tap = Tap()
    for case in cases:
        title = case.__name__.replace("_", " ")
        if arguments.cases and case.__name__ not in arguments.cases:
            continue
        with Place(arguments) as place:
            try:
                case(place)
                tap.case(title)
            except Skipped as reason:
                tap.skip(title, str(reason))
            except Exception:  # whatever it is, the case has failed
                tap.case(title, [traceback.format_exc()])
    tap.done()
