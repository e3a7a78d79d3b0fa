#!/usr/bin/env python3
"""What a caller may leave a program with:  surroundings.py WRIT PROBE [CASE]...  (support.py)

Descriptors, limits, signals, arguments and an environment in a bad way.  Whatever it is, a call either works, or is
refused with its class and leaves a whole log.
"""
import json
import os
import resource
import signal
import socket
import subprocess
import tempfile
import time

from support import (PROBE_ID, SANITIZED, Skipped, error_of, expect, expect_class, expect_in, expect_intact,
                     expect_no_processes, files_below, read_arguments, run_cases, wait_for_records)

OK = b'{"success":true,"data":{"said":"ok"}}\n'


def limited(name, soft, hard=None):
    number = getattr(resource, "RLIMIT_" + name)
    return lambda: resource.setrlimit(number, (soft, soft if hard is None else hard))


def documented(what, done):
    """It succeeded with its output, or told a class of trouble that is not the skill's fault; it was never killed."""
    if done.status == 0:
        expect(what, OK, done.out)
        return "ok"
    if done.status == 127 and b"loading shared libraries" in done.err:
        return "the loader gave up"
    name = error_of(done)[0]
    if done.status < 0 or name not in ("internal:memory", "internal:sandbox", "internal:audit", "internal:io",
                                       "filesystem:denied", "limit:disk"):
        raise AssertionError("%s: status %d, %r, %r" % (what, done.status, done.out, done.err))
    return name


# ---- environment ----

def environments_that_would_change_programs(place):
    """No variable but the documented ones does anything; those of the loader are the caller's own doing."""
    place.skill()
    plain = place.writ("list", "--skills", place.skills)
    odd = {"LD_LIBRARY_PATH": place.path, "LD_BIND_NOW": "1", "LD_DEBUG_OUTPUT": place.work + "/debug",
           "GCONV_PATH": place.path, "LOCPATH": place.path, "NLSPATH": place.path, "MALLOC_CHECK_": "7",
           "GLIBC_TUNABLES": "glibc.malloc.check=3", "IFS": "x", "ENV": "/x", "BASH_ENV": "/x", "CDPATH": "/",
           "PYTHONPATH": place.path, "PYTHONSTARTUP": "/x", "NODE_OPTIONS": "--require /x", "POSIXLY_CORRECT": "1",
           "COLUMNS": "7", "LINES": "0", "TERM": "../../x", "TZ": "/etc/shadow", "TZDIR": place.path, "HOSTALIASES": "/x",
           "SHELL": "/x", "USER": "x" * 1000, "LOGNAME": "root", "EDITOR": "touch x", "PAGER": "touch x", "SUDO_UID": "0",
           "WRIT": "1", "WRIT_SKILLS": place.path, "WRIT_STATE": "/x", "WRIT_TRUST": "1", "WRIT_CONFIG": "/x",
           "WRIT_SHIPPED_SKILLS": "/x", "WRIT_NO_SANDBOX": "1", "WRIT_DEBUG": "1", "writ": "x", "": "x", "A=B": "x"}
    odd = {name: value for name, value in odd.items() if name and "=" not in name}
    expect("a call", OK, place.run(environment=odd).out)
    expect("a list", plain, place.writ("list", "--skills", place.skills, environment=odd))
    expect("files made", [], os.listdir(place.work))
    expect_intact(place)


def environments_that_are_broken(place):
    """Without names, without values, a name twice, none at all, and as large as the kernel takes."""
    place.skill()
    needed = ["HOME=" + place.home, "PATH=" + place.environment["PATH"]]
    for what, texts in (("no names", ["=", "=x", "x", "", "==="] + needed),
                        ("twice", needed + ["HOME=/nonexistent", "PATH=/nonexistent"]),
                        ("no text", ["A=\udcff\udcfe", "\udcff=x"] + needed),
                        ("many", ["V%d=%s" % (i, "x" * 20) for i in range(30000)] + needed),
                        ("long", ["LONG=" + "x" * 131000] * 10 + needed)):
        status, out = raw_call([place.arguments.writ, "run", "--skills", place.skills, PROBE_ID, "--do", "ok"], texts, place)
        expect(what, (0, OK), (status, out))
    status, out = raw_call([place.arguments.writ, "list"], [], place)
    expect("none", 71, status)
    status, out = raw_call([place.arguments.writ, "version"], [], place)
    expect("none", 0, status)


def raw_call(argv, environment, place):
    """(status, stdout) of a program whose environment is these very strings; stderr beside it."""
    helper = "import ctypes, sys, json\nwhat = json.loads(sys.stdin.buffer.read())\n" \
             "def array(texts):\n    texts = [t.encode('utf-8', 'surrogateescape') for t in texts]\n" \
             "    return (ctypes.c_char_p * (len(texts) + 1))(*texts, None)\n" \
             "ctypes.CDLL(None).execve(what[0].encode(), array(what[1]), array(what[2]))\nsys.exit(99)\n"
    done = subprocess.run([os.sys.executable, "-c", helper], cwd=place.work, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60,
                          input=json.dumps([place.arguments.writ, argv, environment]).encode())
    return done.returncode, done.stdout


# ---- arguments ----

def arguments_of_every_number_and_size(place):
    place.skill()
    environment = ["%s=%s" % pair for pair in place.environment.items()]
    status, out = raw_call([], environment, place)
    expect("no arguments, not even a name", 2, status)
    status, out = raw_call([""], environment, place)
    expect("an empty name", 2, status)
    for argv in (["writ", ""], ["writ", "", ""], ["writ", "run", ""], ["writ", "--"], ["writ", "-"], ["writ", "run", "--"],
                 ["writ", "run", "--", "--"], ["writ", "list", "--", "x"], ["writ"] + ["-q"] * 1000, ["writ"] + ["x"] * 60000,
                 ["writ", "run"] + ["--x=%d" % i for i in range(20000)], ["writ", "lint"] + ["x"] * 1000,
                 ["writ", "list"] + ["--skills=x"] * 1000, ["writ", "x" * 131000], ["writ", "list", "--" + "x" * 131000]):
        status, out = raw_call(argv, environment, place)
        if status not in (2, 3, 6):
            raise AssertionError("%.100r: status %d" % (argv, status))
    text = "x" * 131000
    done = place.run("ok", "--path", text)
    expect("a flag of 131000 bytes: %r" % done.err, OK, done.out)
    done = place.writ("run", "--skills", place.skills, PROBE_ID, "--input", json.dumps({"do": "ok", "path": text[:130000]}))
    expect("an input of 131000 bytes: %r" % done.err, OK, done.out)
    expect_intact(place)


# ---- descriptors ----

def closed_descriptors(place):
    """Nothing that is opened becomes anybody's stdin, stdout or stderr."""
    place.skill()
    for closed in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        def close(closed=closed):
            for fd in closed:
                os.close(fd)
        before = len(place.records())
        done = place.run(preexec_fn=close)
        expect("%s closed: %r" % (closed, done.err), 71 if 1 in closed else 0, done.status)
        expect("%s closed: stdout" % (closed,), b"" if 1 in closed else OK, done.out)
        if 1 in closed and 2 not in closed:
            expect_class("%s closed" % (closed,), "internal:io", 71, done, "stdout")
        expect("records", before + 2, len(place.records()))
        done = place.writ("run", "--skills", place.skills, PROBE_ID, "--input", "-", preexec_fn=close)
        if 0 in closed:
            expect("%s closed, and read from: %r" % (closed, done.err), 71 if False else 3, done.status)
        for command in (["trust", place.work], ["lint", place.skills + "/" + PROBE_ID], ["audit"], ["list"], ["doctor"]):
            done = place.writ(*command, preexec_fn=close)
            expect("%s, %s closed" % (command, closed), 71 if 1 in closed else 0, done.status)
    for name in ("config", "state"):
        for file in files_below(getattr(place, name)):
            with open(os.path.join(getattr(place, name), file), "rb") as opened:
                text = opened.read()
            if b"writ: " in text or b"said" in text:
                raise AssertionError("%s holds what was printed: %r" % (file, text))
    expect_intact(place)


def stdout_that_is_full(place):
    place.skill()
    with open("/dev/full", "wb") as full:
        for command in (["run", "--skills", place.skills, PROBE_ID, "--do", "ok"], ["list"], ["list", "--json"], ["help"],
                        ["version"], ["audit", "verify"], ["audit"], ["doctor"], ["show", "--skills", place.skills, PROBE_ID],
                        ["run", "--skills", place.skills, PROBE_ID, "--explain"], ["lint", place.skills + "/" + PROBE_ID]):
            done = place.writ(*command, stdout=full)
            expect_class("%s" % command, "internal:io", 71, done, "No space left on device")
            both = place.writ(*command, stdout=full, stderr=full)
            expect("%s, stderr too" % command, 71, both.status)
    with open("/dev/null", "rb") as unwritable:
        expect_class("a stdout for reading", "internal:io", 71, place.run(stdout=unwritable))
    expect_intact(place)


def readers_that_go_away(place):
    """A pipe without a reader ends nothing but the printing."""
    place.skill()
    for command in (["run", "--skills", place.skills, PROBE_ID, "--do", "ok"], ["list"], ["audit"], ["help"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = place.writ(*command, stdout=writer)
        os.close(writer)
        expect("%s" % command, (71, b""), (done.status, done.err))
    expect("records", 2, expect_intact(place)["records"])


def inputs_of_every_kind_on_stdin(place):
    place.skill()
    command = ["run", "--skills", place.skills, PROBE_ID, "--input", "-"]
    with open(place.file("in.json", '{"do": "ok"}'), "rb") as file:
        expect("a file", OK, place.writ(*command, stdin=file).out)
    with open("/dev/null", "rb") as file:
        expect_class("nothing", "input:invalid", 3, place.writ(*command, stdin=file))
    with open("/dev/zero", "rb") as file:
        expect_class("no end", "input:invalid", 3, place.writ(*command, stdin=file), "larger than")
    folder = os.open(place.work, os.O_RDONLY)
    expect_class("a folder", "input:invalid", 3, place.writ(*command, stdin=folder), "Is a directory")
    os.close(folder)
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    process = place.popen(*command, stdin=reader)
    time.sleep(0.05)
    os.write(writer, b'{"do": "ok"}')
    os.close(writer)
    expect("a pipe that does not block", OK, process.communicate(timeout=60)[0])
    expect("it is the caller's as before", False, os.get_blocking(reader))
    os.close(reader)
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    process = place.popen(*command, stdin=theirs)
    time.sleep(0.05)
    ours.sendall(b'{"do": "ok"}')
    ours.close()
    expect("a socket that does not block", OK, process.communicate(timeout=60)[0])
    theirs.close()


def outputs_that_do_not_block(place):
    """A megabyte into a pipe whose reader sleeps first."""
    place.skill()
    wanted = place.run("long").out
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = place.popen("run", "--skills", place.skills, PROBE_ID, "--do", "long", stdout=writer)
    time.sleep(0.1)
    expect("it is the caller's as before", False, os.get_blocking(writer))
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        got = pipe.read()
    expect("status: %r" % process.communicate(timeout=60)[1], 0, process.returncode)
    expect("bytes", (len(wanted), True), (len(got), got == wanted))
    if len(got) < 1000000:
        raise AssertionError("%d bytes are no trial" % len(got))


# ---- limits ----

def few_descriptors(place):
    place.skill()
    seen = [documented("%d descriptors" % count, place.run(preexec_fn=limited("NOFILE", count)))
            for count in range(3, 40)]
    enough = seen.index("ok")
    expect("once it is enough", {"ok"}, set(seen[enough:]))
    verdict = place.verify()
    expect("the log", True, verdict["intact"])
    expect("calls without an end", 0, verdict["unfinished"])


def little_memory(place):
    """Where the kernel or the loader can start the program at all."""
    if SANITIZED:
        raise Skipped("a sanitizer needs more memory than may be had here")
    place.skill()
    for name in ("AS", "DATA"):
        seen = set()
        for kilobytes in (192, 256, 384, 512, 1024, 2048, 3072, 4096, 6144, 8192, 16384, 65536):
            done = place.run(preexec_fn=limited(name, kilobytes << 10))
            # The kernel's end of a program that has no room, and the C library's before main.
            if not seen and (done.status in (-signal.SIGKILL, -signal.SIGSEGV) or b"Fatal glibc error" in done.err):
                continue
            seen.add(documented("%s of %d KiB" % (name, kilobytes), done))
        expect_in("what was seen", "ok", seen)
    for kilobytes in (100, 200):
        expect_class("a stack of %d KiB" % kilobytes, "internal:limit", 74,
                     place.run(preexec_fn=limited("STACK", kilobytes << 10)), "ulimit -s")
        expect("one that may be more", OK, place.run(preexec_fn=limited("STACK", kilobytes << 10, 8 << 20)).out)
    expect("a stack of 256 KiB", OK, place.run(preexec_fn=limited("STACK", 256 << 10)).out)
    expect_intact(place)


def few_processes(place):
    """The user's other processes count too, so every number may be too small."""
    place.skill()
    for count in (0, 1, 2, 5, 1000):
        documented("%d processes" % count, place.run(preexec_fn=limited("NPROC", count)))
    expect_intact(place)


def small_files(place):
    place.skill()
    seen = set()
    for size in (0, 1, 400, 600, 1000, 2000, 100000):
        before = files_below(place.home)
        seen.add(documented("files of %d bytes" % size, place.run(preexec_fn=limited("FSIZE", size))))
        done = place.writ("trust", place.folder("t%d" % size), preexec_fn=limited("FSIZE", size))
        if done.status not in (0, 71):
            raise AssertionError("trust with files of %d bytes: %d, %r" % (size, done.status, done.err))
        expect("temporary files", [], [name for name in files_below(place.config) if name.startswith(".trust")])
    expect("what was seen", {"ok", "internal:audit"}, seen)
    verdict = place.verify()
    expect("the log", (True, 0), (verdict["intact"], verdict["torn_tails"]))


def no_core_and_no_time(place):
    place.skill()
    expect("no core", OK, place.run(preexec_fn=limited("CORE", 0)).out)
    expect("no locked memory", OK, place.run(preexec_fn=limited("MEMLOCK", 0)).out)
    expect("a lower priority", OK, place.run(preexec_fn=lambda: os.nice(19)).out)
    expect_intact(place)


# ---- signals and modes ----

def signals_ignored_and_blocked(place):
    place.skill(runtime={"language": "native", "timeout": "300ms"})
    def ignore():
        for number in signal.valid_signals():
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except OSError:
                    pass
    def block():
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    def both():
        ignore()
        block()
    for what, spoil in (("ignored", ignore), ("blocked", block), ("both", both)):
        expect(what, OK, place.run(preexec_fn=spoil).out)
        expect_class(what, "limit:timeout", 20, place.run("sleep", preexec_fn=spoil))
        expect_class(what, "program:crashed", 31, place.run("crash", preexec_fn=spoil))
        expect_class(what, "limit:disk", 24, place.run("huge", preexec_fn=spoil))
    expect_intact(place)


def every_signal_while_a_program_runs(place):
    """Those that end a program end the call cleanly, or kill it; the log is whole after each."""
    place.skill()
    unfinished = 0
    for number in sorted(signal.valid_signals()):
        if number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
            continue
        before = len(place.records())
        process = place.popen("run", "--skills", place.skills, PROBE_ID, "--do", "sleep", "--json")
        wait_for_records(place, before + 1, process)
        process.send_signal(number)
        if number in (signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH, signal.SIGPIPE, signal.SIGXFSZ):
            time.sleep(0.02)
            expect("%s: still running" % number, None, process.poll())
            process.send_signal(signal.SIGTERM)
            number = signal.SIGTERM
        out, err = process.communicate(timeout=60)
        if number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            expect("%s: status" % number, 130, process.returncode)
            expect("%s: class" % number, "internal:interrupted", json.loads(out)["error"]["class"])
        else:
            # A sanitizer catches those of a crash, and ends the program itself.
            expect("%s: killed" % number, True, process.returncode == -number or (SANITIZED and process.returncode == 1))
            unfinished += 1
    expect_no_processes(place)
    expect_intact(place, unfinished)


def tests_that_are_interrupted(place):
    """Several skills at once as JSON: what was tested is told in one document, whatever ended it."""
    tests = [[{"name": act, "input": {"do": act}, "expected_output": {"success": True, "data": {"said": act}}}]
             for act in ("ok", "sleep")]
    folders = [place.skill("com.example.whole.%s" % name, test=test) for name, test in zip(("first", "second"), tests)]
    process = place.popen("test", *folders, "--json")
    wait_for_records(place, 3, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    expect("status: %r" % err, 130, process.returncode)
    told = json.loads(out)
    expect("the first: %r" % told, "com.example.whole.first", told["skills"][0]["skill"])
    expect("its test", True, told["skills"][0]["tests"][0]["passed"])
    expect_no_processes(place)
    expect_intact(place)


def modes_of_new_files(place):
    place.skill(permissions=["filesystem:write:${{ .input.path }}"])
    for mask in (0o777, 0o000, 0o077, 0o700, 0o022):
        def spoil(mask=mask):
            os.umask(mask)
        home = place.folder("home-%o" % mask)
        environment = {"HOME": home}
        expect("a call under %o" % mask, OK, place.run(preexec_fn=spoil, environment=environment).out)
        expect("trust under %o" % mask, 0, place.writ("trust", place.work, preexec_fn=spoil, environment=environment).status)
        for folder, folders, files in os.walk(home):
            for name in files + folders:
                mode = os.lstat(os.path.join(folder, name)).st_mode & 0o7777
                expect("%s under %o" % (name, mask), 0, mode & 0o077)
        expect_intact(place, environment=environment)
        path = os.path.join(place.work, "new-%o" % mask)
        done = place.run("write", "--path", path, preexec_fn=spoil, environment=environment)
        expect("a new file under %o: %r" % (mask, done.err), 0, done.status)
        expect("its mode", 0o666 & ~mask | 0o600, os.stat(path).st_mode & 0o7777)


def parents_that_go_away(place):
    """The caller's parent ends, its terminal and session are gone: the call goes on and is recorded."""
    place.skill()
    script = 'setsid "$0" "$@" >out 2>&1 & exit 0'
    for _ in range(5):
        subprocess.run(["sh", "-c", script, place.arguments.writ, "run", "--skills", place.skills, PROBE_ID, "--do", "ok"],
                       cwd=place.work, env=place.environment, check=True, timeout=60)
    deadline = time.monotonic() + 60
    while sum(record["type"] == "end" for record in place.records()) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    expect("records", 10, expect_intact(place)["records"])


run_cases([environments_that_would_change_programs, environments_that_are_broken, arguments_of_every_number_and_size,
           closed_descriptors, stdout_that_is_full, readers_that_go_away, inputs_of_every_kind_on_stdin, outputs_that_do_not_block, few_descriptors,
           little_memory, few_processes, small_files, no_core_and_no_time, signals_ignored_and_blocked,
           every_signal_while_a_program_runs, tests_that_are_interrupted, modes_of_new_files, parents_that_go_away], read_arguments())
