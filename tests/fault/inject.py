#!/usr/bin/env python3
"""Lets system calls of a command fail, one a run:  inject.py [OPTION]... -- COMMAND [ARGUMENT]...

README.  The command is first run twice untouched, to learn what it prints and that it prints the same each time, and
once under strace, to learn which system calls it and its children make and how often.  Then, for every call's name and
a sample of the positions seen (the first, the last, and between them), it runs again under
`strace -f -e inject=NAME:error=ERROR:when=N`, with each error that this call can really give.  After each run it is
asked that the command

  * ended by itself, all its children too, within --seconds;
  * ended with a documented exit status (the table of src/base/error.h, or --status), never by a signal, and that no
    process of it died of a crash before it became another program;
  * printed just what the untouched run printed, if it claims to have succeeded;
  * did not succeed, if the call was one of --guard: a step of protection that failed must end the call;
  * said something, if it claims to have failed;
  * and left a state with which the command of --after succeeds.

Each run gets a HOME and a TMPDIR of its own, in which --before lays out what is needed; `@T` in an argument stands for
that TMPDIR, `@H` for that HOME.  strace counts per process, so position N fails in every process that comes so far.
Calls by which libc starts and ends a process are left alone: a list of names, and all that comes before the first line
of the trace that matches --started.
A dynamic loader that gives up (127, nothing printed) is not the command's fault.

Prints TAP, one case a system call.  Without strace, or where it may not trace, the one case is skipped, with the reason.
"""
import argparse
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TREE, "tests"))
from tap import Tap  # noqa: E402

# What each call can really answer, the likelier first.  Whatever is not listed gets DEFAULT.  brk tells no error: it
# answers with the break as it is, and 0 is a break that is below any that was asked for.
DEFAULT = ("EPERM", "ENOMEM")
ERRORS = {
    "accept4": ("EMFILE",),
    "access": ("EACCES", "EIO"),
    "brk": ("retval=0",),
    "bind": ("EADDRINUSE",),
    "chdir": ("EACCES", "ENOENT"),
    "clock_gettime": ("EINVAL",),
    "clone": ("EAGAIN", "ENOMEM", "EPERM"),
    "clone3": ("EAGAIN", "ENOMEM", "EPERM", "ENOSYS"),
    "close": ("EIO", "EINTR"),
    "connect": ("ECONNREFUSED",),
    "dup": ("EMFILE",),
    "dup2": ("EMFILE",),
    "dup3": ("EMFILE",),
    "epoll_create1": ("EMFILE", "ENOMEM"),
    "epoll_ctl": ("ENOMEM", "ENOSPC"),
    "epoll_pwait": ("EINTR",),
    "epoll_wait": ("EINTR",),
    "eventfd2": ("EMFILE",),
    "execve": ("ENOENT", "EACCES", "ENOMEM", "E2BIG"),
    "execveat": ("ENOENT", "EACCES", "ENOMEM", "E2BIG"),
    "fchmod": ("EPERM", "EROFS"),
    "fchown": ("EPERM",),
    "fcntl": ("EMFILE", "EINVAL"),
    "fdatasync": ("EIO", "ENOSPC"),
    "flock": ("EINTR", "ENOLCK"),
    "fork": ("EAGAIN", "ENOMEM"),
    "fstat": ("EIO", "ENOMEM"),
    "fsync": ("EIO", "ENOSPC"),
    "ftruncate": ("EIO", "ENOSPC"),
    "getcwd": ("ENOENT", "ERANGE"),
    "getdents64": ("EIO", "ENOENT"),
    "getrandom": ("EINTR", "ENOSYS"),
    "ioctl": ("ENOTTY",),
    "kill": ("ESRCH", "EPERM"),
    "landlock_add_rule": ("ENOMEM", "EINVAL"),
    "landlock_create_ruleset": ("ENOSYS", "EOPNOTSUPP", "EMFILE"),
    "landlock_restrict_self": ("EPERM", "E2BIG"),
    "lseek": ("ESPIPE", "EINVAL"),
    "memfd_create": ("EMFILE", "ENOMEM"),
    "mkdir": ("ENOSPC", "EACCES"),
    "mkdirat": ("ENOSPC", "EDQUOT", "EACCES"),
    "mmap": ("ENOMEM",),
    "mount": ("EPERM", "ENOENT"),
    "mount_setattr": ("EINVAL", "EPERM"),
    "move_mount": ("EPERM", "ENOENT"),
    "mprotect": ("ENOMEM",),
    "newfstatat": ("EACCES", "ENOENT", "EIO"),
    "open": ("EMFILE", "EACCES", "ENOENT"),
    "open_tree": ("EPERM", "EMFILE"),
    "openat": ("EMFILE", "EACCES", "ENOENT", "EIO"),
    "openat2": ("EMFILE", "EACCES", "ENOENT", "EAGAIN"),
    "pidfd_open": ("EMFILE", "ENOSYS"),
    "pidfd_send_signal": ("EPERM",),
    "pipe": ("EMFILE", "ENFILE"),
    "pipe2": ("EMFILE", "ENFILE"),
    "pivot_root": ("EPERM", "EINVAL"),
    "poll": ("EINTR", "ENOMEM"),
    "ppoll": ("EINTR", "ENOMEM"),
    "pread64": ("EIO", "EINTR"),
    "pwrite64": ("EIO", "ENOSPC", "EINTR"),
    "read": ("EIO", "EINTR"),
    "readlink": ("EACCES", "ENOENT"),
    "readlinkat": ("EACCES", "ENOENT"),
    "recvmsg": ("EINTR", "ENOMEM"),
    "rename": ("ENOSPC", "EACCES"),
    "renameat": ("ENOSPC", "EACCES"),
    "renameat2": ("ENOSPC", "EACCES"),
    "rt_sigaction": ("EINVAL",),
    "seccomp": ("EINVAL", "ENOMEM", "EPERM"),
    "sendmsg": ("EINTR", "EPIPE", "ENOMEM"),
    "socketpair": ("EMFILE", "ENFILE"),
    "statx": ("EACCES", "ENOENT", "EIO"),
    "timerfd_create": ("EMFILE", "ENOMEM"),
    "timerfd_settime": ("EINVAL",),
    "unlink": ("EACCES", "EIO"),
    "unlinkat": ("EACCES", "EIO"),
    "vfork": ("EAGAIN", "ENOMEM"),
    "wait4": ("EINTR",),
    "waitid": ("EINTR",),
    "write": ("EIO", "ENOSPC", "EDQUOT", "EINTR", "EPIPE"),
    "writev": ("EIO", "ENOSPC", "EINTR"),
}
# By these libc starts and ends a process, or locks; nothing can be done about their failing, or they cannot fail.
LEFT_ALONE = {"arch_prctl", "exit", "exit_group", "futex", "rseq", "rt_sigreturn", "restart_syscall", "set_robust_list",
              "set_tid_address"}
# Calls whose first text is no path; those that move data are told by the path of their descriptor.
NO_PATH = {"fsconfig", "fsopen", "keyctl", "memfd_create", "prctl", "setdomainname", "sethostname"}
DATA = {"pread64", "pwrite64", "read", "readv", "recvmsg", "sendmsg", "write", "writev"}
CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP")
PR_SET_CHILD_SUBREAPER = 36


def documented_statuses():
    """0 and the statuses of the table in src/base/error.h."""
    with open(os.path.join(TREE, "src", "base", "error.h"), encoding="utf-8") as file:
        rows = re.findall(r'X\(\w+,\s*"[^"]+",\s*(\d+),', file.read())
    return {0} | {int(status) for status in rows}


def end_children():
    """Kills and reaps whatever of a run is left; as the subreaper this process inherits its orphans."""
    ended = 0
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        with open("/proc/self/task/%d/children" % os.getpid(), encoding="ascii") as file:
            children = [int(child) for child in file.read().split()]
        if not children:
            return ended
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
                ended += 1
            except ProcessLookupError:
                pass
            try:
                os.waitpid(child, os.WNOHANG)
            except ChildProcessError:
                pass
        time.sleep(0.01)
    return ended


class Ended:
    """What came of one run."""

    def __init__(self, status, out, err, log, after):
        self.status, self.out, self.err, self.log, self.after = status, out, err, log, after


class Bench:
    """Runs the command, each time in a home of its own."""

    def __init__(self, options):
        self.options = options
        self.ignored = [re.compile(pattern.encode()) for pattern in options.ignore]

    def place(self, argument, home):
        return argument.replace("@T", os.path.join(home, "tmp")).replace("@H", os.path.join(home, "home"))

    def run(self, strace=()):
        """Runs the command, under strace with these options when there are any."""
        with tempfile.TemporaryDirectory(prefix="writ-fault-") as home:
            for name in ("home", "tmp"):
                os.mkdir(os.path.join(home, name), 0o700)
            environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
            environment.update(HOME=os.path.join(home, "home"), TMPDIR=os.path.join(home, "tmp"))
            if self.options.before:
                subprocess.run(["sh", "-c", self.place(self.options.before, home)], env=environment, check=True,
                               cwd=self.options.folder, stdin=subprocess.DEVNULL)
            command = [self.place(argument, home) for argument in self.options.command]
            log = os.path.join(home, "log")
            if strace:
                command = ["strace", "-f", "-qq", "-o", log] + list(strace) + ["--"] + command
            status, out, err = self.wait(command, environment, home)
            text = ""
            if os.path.exists(log):
                with open(log, encoding="utf-8", errors="replace") as file:
                    text = file.read()
            after = self.check_after(environment, home) if strace and status is not None else ""
            return Ended(status, self.normalised(out), err, text, after)

    def wait(self, command, environment, home):
        """Exit status (None: had to be killed), standard output and error."""
        with open(os.path.join(home, "out"), "w+b") as out, open(os.path.join(home, "err"), "w+b") as err:
            process = subprocess.Popen(command, env=environment, cwd=self.options.folder, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=err, start_new_session=True)
            try:
                status = process.wait(self.options.seconds)
            except subprocess.TimeoutExpired:
                status = None
                process.kill()
                process.wait()
            if end_children() and status is not None:
                status = None
            out.seek(0)
            err.seek(0)
            return status, out.read(1 << 22), err.read(1 << 20)

    def normalised(self, out):
        for pattern in self.ignored:
            out = pattern.sub(b"", out)
        return out

    def check_after(self, environment, home):
        """What is wrong with the state that was left, or nothing."""
        if not self.options.after:
            return ""
        command = ["sh", "-c", self.place(self.options.after, home)]
        done = subprocess.run(command, env=environment, cwd=self.options.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=self.options.seconds)
        return "" if done.returncode == 0 else "afterwards `%s` ended with %d: %s" % (
            self.options.after, done.returncode, done.stdout.decode(errors="replace").strip()[-300:])


class Calls:
    """What a trace of the untouched run tells: which calls the command and its children made."""

    def __init__(self, log, started):
        self.most = {}      # name: calls by the process that made most
        self.before = {}    # name: calls of the first process before its start was over
        self.started = False
        self.targets = {}   # name: paths that only children used, before they became another program
        self.main = log.split(" ", 1)[0]
        counts, by_main, by_child, replaced = {}, set(), [], set()
        for line in log.splitlines():
            became = re.match(r"(\d+) +<\.\.\. execve(?:at)? resumed>.* = 0$", line)
            if became:
                replaced.add(became.group(1))
            found = re.match(r"(\d+) +([a-z][a-z0-9_]*)\((.*)", line)
            if not found:
                continue
            process, name, rest = found.groups()
            self.started = self.started or not started or bool(started.search(line))
            if not self.started and process == self.main:
                self.before[name] = self.before.get(name, 0) + 1
            counts[name, process] = counts.get((name, process), 0) + 1
            self.most[name] = max(self.most.get(name, 0), counts[name, process])
            target = self.target(name, rest)
            if process == self.main:
                by_main.add((name, target))
            elif target and process not in replaced:
                by_child.append((name, target))
            if name in ("execve", "execveat") and rest.endswith(" = 0"):
                replaced.add(process)
        for name, target in dict.fromkeys(by_child):
            if (name, target) not in by_main:
                self.targets.setdefault(name, []).append(target)

    @staticmethod
    def target(name, arguments):
        """The path that a call is about: its first text, or else that of its first descriptor."""
        if name in NO_PATH:
            return None
        text = None if name in DATA else re.match(r'(?:[^,"]*, )?"([^"]+)"', arguments)
        found = text or re.match(r"\d+<(/[^>]+)>", arguments)
        return found.group(1) if found and found.group(1) not in (".", "/") and "\\" not in found.group(1) else None


def positions(first, last, samples):
    """The first, the last and what lies evenly between them."""
    if samples < 2:
        return [first]
    return sorted({first + round(step * (last - first) / (samples - 1)) for step in range(samples)})


def crashed_processes(log):
    """Lines of processes that died of a crash while they still were the command itself (or a fork of it)."""
    replaced, first, lines = set(), None, []
    for line in log.splitlines():
        process = line.split(" ", 1)[0]
        first = first or process
        if re.match(r"\d+ +(<\.\.\. )?execve(at)?\b.* = 0$", line) and process != first:
            replaced.add(process)
        if "+++ killed by " in line and line.split("killed by ")[1].split()[0] in CRASHES and process not in replaced:
            lines.append(line)
    return lines


def faults_of(ended, clean, options, name):
    """Everything that is wrong with a run in which a call failed."""
    if ended.status is None:
        return ["still running after %d s (processes that it left count as well)" % options.seconds]
    faults = ["a process crashed: " + line for line in crashed_processes(ended.log)]
    loader_gave_up = ended.status == 127 and not ended.out
    if ended.status < 0:
        faults.append("ended by signal %d (%s)" % (-ended.status, signal.Signals(-ended.status).name))
    elif ended.status not in options.statuses and ended.status != clean.status and not loader_gave_up:
        faults.append("exit status %d is not documented" % ended.status)
    if ended.status == 0 and clean.status != 0:
        faults.append("claims success, which the untouched run does not")
    if ended.status == 0 and name in options.guard and "(INJECTED)" in ended.log:
        faults.append("succeeds although a protection failed")
    if ended.status == clean.status and ended.out != clean.out:
        faults.append("ends as the untouched run does (%d), but prints %r in place of %r" % (
            ended.status, ended.out[:200], clean.out[:200]))
    if ended.status != 0 and not ended.out and not ended.err and name not in ("write", "writev"):
        faults.append("fails with %d without a word" % ended.status)
    if ended.after:
        faults.append(ended.after)
    return faults


def try_call(bench, clean, name, calls, options):
    """Lets one call fail at its sampled positions, and for each path that only children touch.  Returns what is wrong,
    and how the runs that were hit ended."""
    faults, endings = [], {}
    errors = ERRORS.get(name, DEFAULT)
    first, last = calls.before.get(name, 0) + 1, calls.most[name]
    tries = []
    if first <= last and name not in ("execve", "execveat"):
        tries += [(position, error, []) for position in positions(first, last, options.samples) for error in errors]
    tries += [(1, error, ["-P", path]) for path in calls.targets.get(name, ()) for error in errors]
    for position, error, more in tries:
        strace = more + ["-e", "trace=%s,execve,execveat" % name if not more else "trace=" + name,
                         "-e", "inject=%s:%s:when=%d" % (name, error if "=" in error else "error=" + error, position)]
        ended = bench.run(strace)
        ending = str(ended.status) if "(INJECTED)" in ended.log else "not reached"
        endings[ending] = endings.get(ending, 0) + 1
        where = "%s number %d%s = %s" % (name, position, " of " + more[1] if more else "", error)
        if options.verbose:
            hits = [line for line in ended.log.splitlines() if "(INJECTED)" in line]
            print("# %s: ended %s: %s" % (where, ending, " / ".join(hits)[:300]))
        said = ended.err.decode(errors="replace").strip().splitlines()
        faults += ["%s: %s%s" % (where, fault, "\n  it said: " + said[-1][:300] if said else "")
                   for fault in faults_of(ended, clean, options, name)]
    return faults, ", ".join("%s x %d" % row for row in sorted(endings.items()))


def unusable_strace():
    """Why faults cannot be injected here, or None."""
    if not shutil.which("strace"):
        return "strace is not installed"
    done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=uname:error=EPERM:when=1", "true"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip().splitlines()
        return "strace cannot trace here: " + (said[-1] if said else "exit status %d" % done.returncode)
    return None


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="", help="stands before the name of each case")
    parser.add_argument("--samples", type=int, default=3, help="positions tried of each call (3)")
    parser.add_argument("--seconds", type=int, default=60, help="after which a run counts as hung (60)")
    parser.add_argument("--expect", type=int, default=0, help="exit status of the untouched run (0)")
    parser.add_argument("--status", help="documented exit statuses, `0,2,70` (the table of src/base/error.h)")
    parser.add_argument("--ignore", action="append", default=[], help="pattern of output that differs by nature")
    parser.add_argument("--started", type=re.compile, help="pattern of the first call that is the command's own")
    parser.add_argument("--only", action="append", help="only this system call (repeatable)")
    parser.add_argument("--before", help="shell command that lays out what each run needs")
    parser.add_argument("--after", help="shell command that must succeed after each run")
    parser.add_argument("--guard", action="append", default=[], help="no success when this call fails (repeatable)")
    parser.add_argument("--verbose", action="store_true", help="tell of each run how it ended and which call was hit")
    parser.add_argument("--folder", default=".", help="working folder of the command")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    options.statuses = ({int(status) for status in options.status.split(",")} if options.status
                        else documented_statuses())
    return options


def main():
    options = parse()
    tap = Tap()
    title = options.title + ": " if options.title else ""
    reason = unusable_strace()
    if reason:
        print("# skipped: no system call was made to fail: " + reason)
        tap.skip(title + "every system call may fail", reason)
        tap.done()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    bench = Bench(options)
    clean, again = bench.run(), bench.run()
    traced = bench.run(["-y", "-e", "trace=all"])
    faults = []
    for ended, how in ((again, "the second time"), (traced, "under strace")):
        if ended.status != clean.status or ended.out != clean.out:
            faults.append("%s it ends with %s and %r, first with %s and %r" % (
                how, ended.status, ended.out[:300], clean.status, clean.out[:300]))
    if clean.status != options.expect:
        faults.append("untouched it ends with %s, not with %d" % (clean.status, options.expect))
    if traced.after:
        faults.append(traced.after)
    tap.case(title + "untouched it does the same each time", faults +
             (["it said: " + clean.err.decode(errors="replace")[-500:]] if faults else []))
    if faults:
        tap.done()
    calls = Calls(traced.log, options.started)
    if not calls.started:
        tap.case(title + "its start is found in the trace", ["nothing matches " + options.started.pattern])
        tap.done()
    for name in sorted(calls.most):
        if name in LEFT_ALONE or (options.only and name not in options.only):
            continue
        faults, endings = try_call(bench, clean, name, calls, options)
        if endings:
            tap.case("%s%s fails (%d calls; ended %s)" % (title, name, calls.most[name], endings), faults)
    tap.done()


if __name__ == "__main__":
    main()
