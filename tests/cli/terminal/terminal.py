"""A program in a terminal of its own, as a person at a keyboard has it.

    terminal = Terminal(["writ", "list"], folder, environment, columns=40)
    terminal.expect("text.stats")       # waits for output, never for a time
    terminal.type("name\r")
    terminal.press("ctrl-c")
    terminal.ends(130)

Between the test and the program stands a session leader that does what a shell does with one job: gives it the
terminal, notices when it is stopped, and takes the terminal back.  That the program leaves the terminal's settings as it
found them is checked at every stop and end.
"""
import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from screen import Screen, without_escapes

PATIENCE_SECONDS = 30 * (4 if "ASAN_OPTIONS" in os.environ else 1)
OUTPUT_BYTES_MAX = 16 << 20
KEYS = {"ctrl-%s" % chr(code + 96): chr(code) for code in range(1, 27)}
KEYS.update({"enter": "\r", "tab": "\t", "escape": "\x1b", "backspace": "\x7f", "ctrl-\\": "\x1c", "up": "\x1b[A",
             "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
             "delete": "\x1b[3~"})


class Fault(Exception):
    """What was expected did not come; the text says what did."""


def lead(arguments, folder, environment, files, events, orders):
    """Runs the program as a job of this session; ends when `orders` is closed."""
    own = (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGHUP)
    for number in own:
        signal.signal(number, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in own + (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        for target, path in files.items():
            flags = os.O_RDONLY if target == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND
            os.dup2(os.open(path, flags, 0o600), target)
        os.chdir(folder)
        os.execvpe(arguments[0], arguments, environment)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(status):
            os.write(events, b"%d\n" % os.waitstatus_to_exitcode(status))
            break
        os.write(events, b"stopped %d\n" % os.WSTOPSIG(status))
        if not os.read(orders, 1):
            break
        os.tcsetpgrp(0, job)
        os.kill(-job, signal.SIGCONT)
    while os.read(orders, 1):
        pass


class Terminal:
    """`stdin`, `stdout`, `stderr`: paths of files that stand for them instead of the terminal."""

    def __init__(self, arguments, folder, environment, columns=80, rows=24, stdin=None, stdout=None, stderr=None):
        self.title = " ".join(arguments)
        self.screen = Screen(columns, rows)
        self.raw = b""
        self.transcript = ""  # all text so far, without escapes
        self.seen = 0         # how much of it was expected already
        self.events = b""
        self.ended = None
        self.undecoded = b""
        self.unescaped = ""
        files = {number: path for number, path in enumerate((stdin, stdout, stderr)) if path is not None}
        self.master, slave = pty.openpty()
        self.set_size(columns, rows)
        self.settings = termios.tcgetattr(slave)
        self.event_fd, event_end = os.pipe()
        order_end, self.order_fd = os.pipe()
        self.leader = os.fork()
        if self.leader == 0:
            try:
                os.setsid()
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
                for target in (0, 1, 2):
                    os.dup2(slave, target)
                for fd in (self.master, self.event_fd, self.order_fd):
                    os.close(fd)
                lead(arguments, folder, environment, files, event_end, order_end)
            finally:
                os._exit(0)
        for fd in (slave, event_end, order_end):
            os.close(fd)

    # ---- what happens at the keyboard ----

    def type(self, text):
        data = text.encode("utf-8", "surrogateescape")
        while data:
            self.wait_for(lambda: select.select([], [self.master], [], 0)[1], "room for keys")
            data = data[os.write(self.master, data[:512]):]

    def press(self, *names):
        self.type("".join(KEYS[name] for name in names))

    def enter(self, text=""):
        self.type(text + "\r")

    def set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows=24):
        self.set_size(columns, rows)
        self.screen.resize(columns, rows)

    def job(self):
        """The process group that has the terminal."""
        return os.tcgetpgrp(self.master)

    def send_signal(self, number):
        os.kill(-self.job(), number)

    def resume(self):
        """As `fg` does."""
        os.write(self.order_fd, b"c")
        self.wait_for(lambda: self.job() != self.leader, "the terminal for the job")

    # ---- what is seen ----

    def take(self, seconds):
        """Takes what the program printed and what became of it; False when nothing came in that time."""
        watched = [fd for fd in (self.master, self.event_fd) if fd >= 0]
        ready = select.select(watched, [], [], seconds)[0]
        if self.master in ready:
            try:
                data = os.read(self.master, 65536)
            except OSError as error:  # the last one who had it open is gone
                if error.errno != errno.EIO:
                    raise
                data = b""
            self.raw += data
            if len(self.raw) > OUTPUT_BYTES_MAX:
                raise Fault("%s printed more than %d bytes" % (self.title, OUTPUT_BYTES_MAX))
            self.show(data)
        if self.event_fd in ready:
            data = os.read(self.event_fd, 256)
            self.events += data
            if not data:
                os.close(self.event_fd)
                self.event_fd = -1
        return bool(ready)

    def show(self, data):
        """Gives the screen whole characters, and the transcript whole escapes."""
        data = self.undecoded + data
        cut = len(data)
        for back in range(1, min(4, len(data)) + 1):
            if data[-back] >= 0xC0:
                needed = 2 if data[-back] < 0xE0 else 3 if data[-back] < 0xF0 else 4
                cut = len(data) - back if back < needed else cut
                break
            if data[-back] < 0x80:
                break
        self.undecoded = data[cut:]
        text = data[:cut].decode("utf-8", "replace")
        self.screen.feed(text)
        self.unescaped += text
        cut = self.unescaped.rfind("\x1b")
        whole = self.unescaped if cut < 0 or not self.screen.rest else self.unescaped[:cut]
        if whole.endswith("\r"):
            whole = whole[:-1]
        self.unescaped = self.unescaped[len(whole):]
        self.transcript += without_escapes(whole)

    def wait_for(self, condition, what):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            found = condition()
            if found:
                return found
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault(self.told("%s did not come" % what))
            self.take(min(left, 0.5))

    def told(self, what):
        new = self.transcript[self.seen:]
        return "%s: %s; the screen:\n%s\n(new in the transcript: %r)" % (
            self.title, what, "\n".join("  |" + line for line in self.screen.shown()), new[-400:])

    def expect(self, *texts):
        """Waits for each text in turn, in what was printed since the one before."""
        for text in texts:
            def found(wanted=text):
                at = self.transcript.find(wanted, self.seen)
                if at < 0 and self.ended is None:
                    self.collect_end()
                    if self.ended is not None:
                        at = self.transcript.find(wanted, self.seen)
                        if at < 0:
                            raise Fault(self.told("ended with %s before %r came" % (self.ended, wanted)))
                if at < 0:
                    return False
                self.seen = at + len(wanted)
                return True
            self.wait_for(found, repr(text))

    def expect_line(self, text):
        """Waits until the line that the cursor is in is this."""
        self.wait_for(lambda: self.screen.current() == text, "the line %r" % text)

    def collect_end(self):
        """Notes the end of the program when it is there, after all that it printed."""
        found = re.search(rb"^(-?\d+)\n", self.events, re.M)
        if found:
            while self.take(0):
                if self.event_fd < 0:
                    break
            self.ended = int(found.group(1))
        return found

    def check_settings(self, when):
        now = termios.tcgetattr(self.master)
        if now != self.settings:
            raise Fault(self.told("%s, the terminal's settings are %r, not %r" % (when, now, self.settings)))

    def stops(self, number=signal.SIGTSTP):
        """Waits until the program is stopped by that signal; `resume` brings it back."""
        line = b"stopped %d\n" % number
        self.wait_for(lambda: line in self.events, "a stop by signal %d" % number)
        self.events = self.events.replace(line, b"", 1)
        self.check_settings("while it is stopped")

    def ends(self, status):
        """Waits for the end and compares its status; a signal counts below zero."""
        self.wait_for(lambda: self.ended is not None or self.collect_end(), "an end")
        if self.ended != status:
            raise Fault(self.told("ended with %s, not with %s" % (self.ended, status)))
        self.check_settings("after its end")

    def is_echoing(self):
        """The kernel's own echo of keys is on."""
        return bool(termios.tcgetattr(self.master)[3] & termios.ECHO)

    def close(self):
        """Ends what is left."""
        try:
            job = self.job()
            if self.ended is None and job > 0:
                os.kill(-job, signal.SIGKILL)
        except OSError:
            pass
        for fd in (self.order_fd, self.master, self.event_fd):
            if fd >= 0:
                os.close(fd)
        try:
            os.kill(self.leader, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.leader, 0)


def check(condition, what):
    """A case's own expectation; `what` says what is wrong when it does not hold."""
    if not condition:
        raise Fault(what)
