#!/usr/bin/env python3
"""Lets system calls of a command fail, one a run:  inject.py [OPTION]... -- COMMAND [ARGUMENT]...

README.  The command is first run twice untouched, to learn what it prints and that it prints the same each time, and
once under strace, to learn which system calls it and its children make and how often.  Then, for every call's name and
a sample of the positions seen (the first, the last, and between them), it runs again under
`strace -f -e inject=NAME:error=ERROR:when=N`, with an error that this call can really give.  After each run it is
asked that the command

  * ended by itself, all its children too, within --seconds;
  * ended with a documented exit status (the table of src/base/error.h, or --status), never by a signal, and that no
    process of it died of a crash before it became another program;
  * printed just what the untouched run printed, if it claims to have succeeded;
  * said something, if it claims to have failed;
  * and left a state with which the command of --after succeeds.

Each run gets a HOME and a TMPDIR of its own; `@T` in an argument stands for that TMPDIR, `@H` for that HOME.  strace
counts per process, so position N fails in every process that comes so far.  Calls by which libc starts and ends a
process are left alone: a list of names, and all that comes before the first line of the trace that matches --started.
A dynamic loader that gives up (127, nothing printed) is not the command's fault.  The first execve is strace's own;
those of children are reached through their paths.

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

# What each call can really answer, the likelier first.  Whatever is not listed gets DEFAULT.
DEFAULT = ("EPERM", "ENOMEM")
ERRORS = {
    "accept4": ("EMFILE",),
    "access": ("EACCES", "EIO"),
    "brk": ("ENOMEM",),
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
    "mkdirat": ("ENOSPC", "EACCES"),
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
    "write": ("EIO", "ENOSPC", "EINTR", "EPIPE"),
    "writev": ("EIO", "ENOSPC", "EINTR"),
}
# By these libc starts and ends a process, or locks; nothing can be done about their failing, or they cannot fail.
LEFT_ALONE = {"arch_prctl", "exit", "exit_group", "futex", "rseq", "rt_sigreturn", "restart_syscall", "set_robust_list",
              "set_tid_address"}
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


def calls_of(log, started):
    """{name: most calls by one process}, {name: calls of the first process before its start was over}, and the paths
    that children executed."""
    counts, before, paths, begun = {}, {}, [], {}
    starting, main_process = started is not None, log.split(" ", 1)[0]
    for line in log.splitlines():
        resumed = re.match(r"(\d+) +<\.\.\. (execve|execveat) resumed>.* = 0$", line)
        if resumed and resumed.group(1) in begun:
            paths.append(begun.pop(resumed.group(1)))
        found = re.match(r"(\d+) +([a-z][a-z0-9_]*)\((.*)", line)
        if not found:
            continue
        process, name, rest = found.groups()
        starting = starting and not started.search(line)
        if starting and process == main_process:
            before[name] = before.get(name, 0) + 1
        counts.setdefault(name, {}).setdefault(process, 0)
        counts[name][process] += 1
        path = re.match(r'(?:-?\w+, )?"([^"]+)"', rest)
        if name in ("execve", "execveat") and path:
            begun[process] = (name, path.group(1))
            if rest.endswith(" = 0"):
                paths.append(begun.pop(process))
    return {name: max(by_process.values()) for name, by_process in counts.items()}, before, paths[1:]


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
    elif ended.status == clean.status and ended.out != clean.out:
        faults.append("ends as the untouched run does (%d), but prints %r in place of %r" % (
            ended.status, ended.out[:200], clean.out[:200]))
    if ended.status != 0 and not ended.out and not ended.err and name not in ("write", "writev"):
        faults.append("fails with %d without a word" % ended.status)
    if ended.after:
        faults.append(ended.after)
    return faults


def try_call(bench, clean, name, first, last, paths, options):
    """Lets one call fail at its sampled positions.  Returns what is wrong and how many runs were really hit."""
    faults, hit, runs = [], 0, 0
    errors = ERRORS.get(name, DEFAULT)
    tries = [(position, errors[index % len(errors)], []) for index, position in
             enumerate(positions(first, last, options.samples))]
    # Every error at least once.
    tries += [(first, error, []) for error in errors if error not in {used for _, used, _ in tries}]
    if name in ("execve", "execveat"):
        tries = [(1, error, ["-P", path]) for used, path in dict.fromkeys(paths) if used == name for error in errors]
    for position, error, more in tries:
        strace = more + ["-e", "trace=%s,execve,execveat" % name if not more else "trace=" + name,
                         "-e", "inject=%s:error=%s:when=%d" % (name, error, position)]
        ended = bench.run(strace)
        runs += 1
        hit += "(INJECTED)" in ended.log
        where = "%s number %d = %s" % (name, position, error)
        said = ended.err.decode(errors="replace").strip().splitlines()
        faults += ["%s: %s%s" % (where, fault, "\n  it said: " + said[-1][:300] if said else "")
                   for fault in faults_of(ended, clean, options, name)]
    return faults, hit, runs


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
    parser.add_argument("--status", help="documented exit statuses, `0,2,70` (the table of src/base/error.h)")
    parser.add_argument("--ignore", action="append", default=[], help="pattern of output that differs by nature")
    parser.add_argument("--started", type=re.compile, help="pattern of the first call that is the command's own")
    parser.add_argument("--only", action="append", help="only this system call (repeatable)")
    parser.add_argument("--after", help="shell command that must succeed after each run")
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
    traced = bench.run(["-e", "trace=all"])
    faults = []
    for ended, how in ((again, "the second time"), (traced, "under strace")):
        if ended.status != clean.status or ended.out != clean.out:
            faults.append("%s it ends with %s and %r, first with %s and %r" % (
                how, ended.status, ended.out[:300], clean.status, clean.out[:300]))
    if clean.status is None or clean.status < 0:
        faults.append("untouched it ends with %s" % clean.status)
    if traced.after:
        faults.append(traced.after)
    tap.case(title + "untouched it does the same each time", faults +
             (["it said: " + clean.err.decode(errors="replace")[-500:]] if faults else []))
    if faults:
        tap.done()
    counts, before, paths = calls_of(traced.log, options.started)
    if options.started and not any(options.started.search(line) for line in traced.log.splitlines()):
        tap.case(title + "its start is found in the trace", ["nothing matches " + options.started.pattern])
        tap.done()
    for name in sorted(counts):
        if name in LEFT_ALONE or (options.only and name not in options.only):
            continue
        if name in ("execve", "execveat") and not any(used == name for used, _ in paths):
            continue
        first = before.get(name, 0) + 1
        if first > counts[name]:
            continue
        faults, hit, runs = try_call(bench, clean, name, first, counts[name], paths, options)
        tap.case("%s%s fails (%d calls, %d of %d runs hit)" % (title, name, counts[name], hit, runs), faults)
    tap.done()


if __name__ == "__main__":
    main()
