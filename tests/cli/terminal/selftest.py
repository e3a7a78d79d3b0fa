#!/usr/bin/env python3
"""The terminal of the cases, tried on programs that behave and on programs that do not."""
import os
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, HERE)
import terminal as harness  # noqa: E402 (its folder is only known now)
from screen import Screen, text_width  # noqa: E402
from tap import Tap  # noqa: E402
from terminal import Fault, Terminal  # noqa: E402

SHORT_SECONDS = 0.3


def on_screen(columns, rows, text):
    screen = Screen(columns, rows)
    screen.feed(text)
    return screen


# title, columns, text, the lines it makes
SCREENS = [
    ("lines", 10, "a\r\nb\r\n", ["a", "b", ""]),
    ("a bare line feed goes straight down", 10, "ab\nc", ["ab", "  c"]),
    ("a full line waits before it wraps", 3, "abc\r\nd", ["abc", "d"]),
    ("a line that is too long wraps", 3, "abcd", ["abc", "d"]),
    ("a carriage return writes over", 10, "abc\rx", ["xbc"]),
    ("erasing to the end", 10, "abc\r\x1b[K", [""]),
    ("backspace", 10, "ab\b\bc", ["cb"]),
    ("wide characters", 5, "\u4e2d\u6587\u5b57", ["\u4e2d\u6587", "\u5b57"]),
    ("a wide character loses both its halves", 6, "\u4e2d\ra", ["a"]),
    ("combining characters", 5, "e\u0301x", ["e\u0301x"]),
    ("moving up and right", 10, "a\r\nb\x1b[A\x1b[2Cx", ["a  x", "b"]),
    ("colours take no room", 10, "\x1b[31ma\x1b[0mb", ["ab"]),
    ("a title is not shown", 10, "\x1b]0;title\x07a", ["a"]),
]


def sh(folder, script, **how):
    return Terminal(["sh", "-c", script], folder, dict(os.environ, TERM="xterm"), **how)


def behaves(terminal):
    terminal.expect("name?")
    terminal.enter("Ada")
    terminal.expect("hello Ada")
    terminal.ends(3)


def is_interrupted(terminal):
    terminal.expect("waits")
    terminal.press("ctrl-c")
    terminal.ends(-signal.SIGINT)


def is_stopped(terminal):
    terminal.expect("waits")
    terminal.press("ctrl-z")
    terminal.stops()
    terminal.resume()
    terminal.enter("on")
    terminal.expect("went on")
    terminal.ends(0)


def is_resized(terminal):
    terminal.expect("80")
    terminal.resize(40)
    terminal.enter()
    terminal.expect("40")
    terminal.ends(0)


def has_files(terminal):
    terminal.ends(0)
    if "in the terminal" not in terminal.transcript or "in the file" in terminal.transcript:
        raise Fault(terminal.told("a file does not stand for standard output"))


def ends_well(terminal):
    terminal.ends(0)


def wants_more(terminal):
    terminal.expect("never printed")


HOLDS, FAILS, FAILS_IN_TIME = "holds", "fails", "fails when its time is over"
READ_NAME = "printf 'name? '; read name; echo hello $name; exit 3"
GO_ON = "echo waits; read line; echo went $line"
# title, script, what is done, whether that holds, the files
SESSIONS = [
    ("a question, an answer and an exit status", READ_NAME, behaves, HOLDS, {}),
    ("Ctrl-C reaches the job", "echo waits; read line", is_interrupted, HOLDS, {}),
    ("Ctrl-Z stops it, and it comes back", GO_ON, is_stopped, HOLDS, {}),
    ("a new size", "stty size | cut -d' ' -f2; read line; stty size | cut -d' ' -f2", is_resized, HOLDS, {}),
    ("standard output in a file", "echo in the file; echo in the terminal >&2", has_files, HOLDS, {"stdout": "out"}),
    ("control: another exit status is a fault", "exit 4", ends_well, FAILS, {}),
    ("control: an end by a signal is a fault", "kill -9 $$", ends_well, FAILS, {}),
    ("control: settings that stay changed are a fault", "stty -echo", ends_well, FAILS, {}),
    ("control: a text that does not come before the end is a fault", "echo other", wants_more, FAILS, {}),
    ("control: a text that does not come in time is a fault", "echo other; read line", wants_more, FAILS_IN_TIME, {}),
    ("control: a program that does not end is a fault", "read line", ends_well, FAILS_IN_TIME, {}),
]


def main():
    tap = Tap()
    for title, columns, text, lines in SCREENS:
        found = on_screen(columns, 24, text).history()
        tap.case("screen: " + title, [] if found == lines else ["%r, not %r" % (found, lines)])
        pieces = Screen(columns, 24)
        for character in text:
            pieces.feed(character)
        tap.case("screen, byte by byte: " + title, [] if pieces.history() == lines else [repr(pieces.history())])
    scrolled = on_screen(5, 2, "a\r\nb\r\nc")
    tap.case("screen: it scrolls", [] if scrolled.shown() == ["b", "c"] else [repr(scrolled.shown())])
    steered = on_screen(9, 2, "\x1b[1ma\x1b]0;x\x07\x1b[0m\a").escapes
    tap.case("screen: escapes are counted", [] if steered == ["\x1b[1m", "\x1b]0;x\x07", "\x1b[0m", "\a"] else [repr(steered)])
    tap.case("screen: widths", [] if text_width("a\u4e2de\u0301") == 4 else [str(text_width("a\u4e2de\u0301"))])
    patience = harness.PATIENCE_SECONDS
    with tempfile.TemporaryDirectory() as folder:
        for title, script, action, holds, files in SESSIONS:
            harness.PATIENCE_SECONDS = SHORT_SECONDS if holds == FAILS_IN_TIME else patience
            terminal = sh(folder, script, **{name: os.path.join(folder, path) for name, path in files.items()})
            try:
                action(terminal)
                faults = [] if holds == HOLDS else ["nothing was found wrong"]
            except Fault as fault:
                faults = [str(fault)] if holds == HOLDS else []
            finally:
                terminal.close()
            tap.case(title, faults)
    tap.done()


main()
