"""Colour, width, and what a skill may make of the terminal."""
import os
import re
import shutil
import signal

from screen import text_width
from terminal import check

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PROGRESS = "\x1b[K"  # of the line that tells what takes long, which a slow machine may see
LABEL_COLUMNS = 8  # of what may stand before a word that fills a line, such as a path
HOSTILE = "com.example.terminal.hostile"


def _escapes(terminal):
    return [escape for escape in terminal.screen.escapes if escape != PROGRESS]


def colour_is_for_terminals(place):
    """Errors are coloured on a terminal."""
    terminal = place.writ("show", "com.example.no.such")
    terminal.expect("skill:not-found")
    terminal.ends(6)
    check(_escapes(terminal), "no colour came")
    check(all(COLOUR.fullmatch(escape) for escape in _escapes(terminal)), "other escapes: %r" % terminal.screen.escapes)


def nobody_is_given_colour_who_does_not_want_it(place):
    """No colour with NO_COLOR, with TERM=dumb, without TERM, and with --color never."""
    for env, arguments in (({"NO_COLOR": "1"}, ()), ({"TERM": "dumb"}, ()), ({"TERM": None}, ()),
                           ({}, ("--color", "never"))):
        terminal = place.writ(*arguments, "show", "com.example.no.such", env=env)
        terminal.ends(6)
        check(not _escapes(terminal), "%r: %r" % (env, terminal.screen.escapes))


def an_empty_no_color_does_not_count(place):
    """NO_COLOR counts when it is not empty."""
    terminal = place.writ("show", "com.example.no.such", env={"NO_COLOR": ""})
    terminal.ends(6)
    check(_escapes(terminal), "no colour came")


def a_file_is_given_no_colour(place):
    """What goes into a file is plain, though the other stream is a terminal."""
    terminal = place.writ("show", "com.example.no.such", stderr=place.path("err"))
    terminal.ends(6)
    check("\x1b" not in place.read("err") and "skill:not-found" in place.read("err"), place.read("err"))
    terminal = place.writ("list", stdout=place.path("out"))
    terminal.ends(0)
    check("\x1b" not in place.read("out") and "com.example.text.stats" in place.read("out"), place.read("out"))


def _lines_that_are_too_long(terminal, columns):
    """Words that are longer than a line stand alone on theirs; a command that is to be copied stays whole."""
    terminal.wait_for(terminal.collect_end, "an end")
    lines = terminal.transcript.split("\n")
    check(len(lines) > 1, "%s printed nothing" % terminal.title)
    return [line for line in lines if text_width(line) > columns
            and max(text_width(word) for word in line.split()) < columns - LABEL_COLUMNS
            and not re.match(r"  (run them: )?(writ|echo) ", line)]


def help_fits_the_terminal(place):
    """The overview and the help of a command fit 40, 80 and 200 columns."""
    for columns in (40, 80, 200):
        for command in ((), ("help",), ("run", "com.example.file.text-extract", "--help"), ("audit", "verify", "--help"),
                        ("test", "--help"), ("schema", "check", "--help")):
            long = _lines_that_are_too_long(place.writ(*command, columns=columns, rows=500), columns)
            check(not long, "writ %s, %d columns: %r" % (" ".join(command), columns, long))


def tables_fit_the_terminal(place):
    """Tables, and what is told of a skill and of this machine, fit 40, 80 and 200 columns."""
    place.run(HOSTILE, "--do", "say").ends(0)
    for columns in (40, 80, 200):
        for command in (("list",), ("audit",), ("show", "com.example.text.stats"), ("doctor",)):
            long = _lines_that_are_too_long(place.writ(*command, columns=columns, rows=500), columns)
            check(not long, "writ %s, %d columns: %r" % (" ".join(command), columns, long))


def no_width_is_80_columns(place):
    """A terminal that says it has no width is taken for one of 80 columns."""
    terminal = place.writ("help", "run", columns=0)
    terminal.ends(0)
    check(max(text_width(line) for line in terminal.transcript.split("\n")) <= 80, "wider than 80 columns")


def _is_tame(terminal):
    steering = [escape for escape in _escapes(terminal) if not COLOUR.fullmatch(escape)]
    check(not steering, "it obeyed %r" % steering)
    check(not re.search("[\u202a-\u202e\u2066-\u2069\x80-\x9f]", terminal.raw.decode("utf-8", "replace")),
          "it turned the direction of writing")


def what_a_skill_prints_cannot_steer(place):
    """A skill's output, its error and its standard error cannot steer the terminal."""
    terminal = place.run(HOSTILE, "--do", "say")
    terminal.expect("stolen")
    terminal.ends(0)
    _is_tame(terminal)
    terminal = place.run(HOSTILE, "--do", "fail")
    terminal.expect("program:reported", "stolen", "the program said", "stolen")
    terminal.ends(1)
    _is_tame(terminal)
    terminal = place.run(HOSTILE, "--do", "say", "--json")
    terminal.expect("stolen")
    terminal.ends(0)
    _is_tame(terminal)


def what_a_contract_says_cannot_steer(place):
    """Names, descriptions and the words of a schema cannot steer the terminal."""
    for command in (("show", HOSTILE), ("list",), ("run", HOSTILE, "--help"), ("run", HOSTILE, "--do", "\x1b[31m"),
                    ("run", HOSTILE, "--\x1b[31m", "x"), ("run", HOSTILE, "--do", "say", "--explain")):
        terminal = place.writ(*command[:1], "--skills", place.skills, *command[1:])
        terminal.wait_for(terminal.collect_end, "an end")
        check(len(terminal.transcript) > 20, "writ %s printed nothing" % " ".join(command))
        _is_tame(terminal)


def _waits(place):
    """Starts the skill that waits, from a folder that no other process can have in its command line."""
    shutil.copytree(place.skills, place.path("skills"))
    terminal = place.writ("run", "--skills", place.path("skills"), HOSTILE, "--do", "wait", "--file", "started")

    def has_started():
        try:
            return place.read("started") == "waits"
        except FileNotFoundError:
            return False
    terminal.wait_for(has_started, "the start of the skill")
    check(len(place.processes("main.py")) >= 2, "the skill and its child are not seen while they run")
    return terminal


def _ended_cleanly(place, terminal):
    terminal.ends(130)
    check("internal:interrupted" in terminal.transcript, "not told: %r" % terminal.transcript)
    check(not place.processes("main.py"), "left behind: %r" % place.processes("main.py"))
    records = place.output("writ", "audit", "--json", "--count", "1")
    check('"outcome":"failed"' in records and '"class":"internal:interrupted"' in records, "the record is %s" % records)
    check(place.output("writ", "audit", "verify").strip(), "the log does not verify")


def ctrl_c_ends_a_call(place):
    """Ctrl-C ends a call cleanly: the program and its children are gone, the record is finished."""
    terminal = _waits(place)
    terminal.press("ctrl-c")
    _ended_cleanly(place, terminal)


def a_call_ends_with_its_terminal(place):
    """SIGTERM and SIGHUP end a call as Ctrl-C does."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        terminal = _waits(place)
        terminal.send_signal(number)
        _ended_cleanly(place, terminal)
        shutil.rmtree(place.path("skills"))
        os.unlink(place.path("started"))


def ctrl_z_stops_a_call(place):
    """Ctrl-Z stops a call, which goes on when it is brought back."""
    terminal = _waits(place)
    terminal.press("ctrl-z")
    terminal.stops()
    terminal.resume()
    terminal.press("ctrl-c")
    _ended_cleanly(place, terminal)


def a_setting_decides_on_colour(place):
    """The setting `color` holds where no option and no NO_COLOR says otherwise."""
    place.output("writ", "config", "set", "color", "never")
    terminal = place.writ("show", "com.example.no.such")
    terminal.ends(6)
    check(not _escapes(terminal), "colour came: %r" % terminal.screen.escapes)
    terminal = place.writ("--color", "always", "show", "com.example.no.such")
    terminal.ends(6)
    check(_escapes(terminal), "no colour came")
    place.output("writ", "config", "set", "color", "always")
    terminal = place.writ("show", "com.example.no.such", env={"NO_COLOR": "1"})
    terminal.ends(6)
    check(not _escapes(terminal), "colour came: %r" % terminal.screen.escapes)


def calls_and_settings_fit_the_terminal(place):
    """`audit`, `trust --list` and `config list` fit 40, 80 and 200 columns, with names of wide characters too."""
    os.makedirs(place.path("项目/技能文件夹/一个名字很长的文件夹"))
    place.output("writ", "trust", "项目/技能文件夹/一个名字很长的文件夹")
    for text in ("a", "b"):
        place.output("writ", "run", "com.example.text.stats", "--text", text)
    place.output("writ", "run", "com.example.text.stats")
    for columns in (40, 80, 200):
        for command in (("audit",), ("audit", "-n", "0"), ("trust", "--list"), ("config", "list", "-q")):
            long = _lines_that_are_too_long(place.writ(*command, columns=columns, rows=500), columns)
            check(not long, "writ %s, %d columns: %r" % (" ".join(command), columns, long))


def times_are_as_people_say_them(place):
    """On a terminal a call of now is of today; in a file it has its date."""
    for command, told in (("audit",), "no calls are recorded yet"), (("trust", "--list"), "no folder is trusted"):
        terminal = place.writ(*command)
        terminal.expect(told)
        terminal.ends(0)
    place.output("writ", "run", "com.example.text.stats", "--text", "a")
    terminal = place.writ("audit", "--since", "2099-01-01")
    terminal.expect("no call that was recorded is such")
    terminal.ends(0)
    terminal = place.writ("audit")
    terminal.ends(0)
    check(re.search(r"^today \d\d:\d\d  succeeded", terminal.transcript) or
          re.search(r"^\d+ [A-Z][a-z]+ \d\d:\d\d  succeeded", terminal.transcript), terminal.transcript)
    terminal = place.writ("audit", stdout=place.path("calls"))
    terminal.ends(0)
    check(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d  succeeded", place.read("calls")), place.read("calls"))


def a_record_cannot_steer_the_terminal(place):
    """What a record holds of a path is made safe on a terminal, and is as it was in a pipe."""
    path = "no\u009b31m\u202e.pdf"
    place.output("writ", "run", "com.example.file.text-extract", "--file-path", path)
    check(path in place.output("writ", "audit", "--json"), "the path is on record otherwise")
    for arguments in (("--json",), (), ("--run", "")):
        terminal = place.writ("audit", *arguments, columns=500)
        terminal.ends(0)
        check("\u009b" not in terminal.raw.decode() and "\u202e" not in terminal.raw.decode(), terminal.raw)
