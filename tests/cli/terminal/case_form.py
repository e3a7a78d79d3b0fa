"""The form of `writ run`: the input asked for field by field."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess

from terminal import check

FORM = "com.example.terminal.form"
SECRET = "com.example.terminal.secret"
HOSTILE = "com.example.terminal.hostile"
LEFT = "the form was left; nothing was run"


def _answer(terminal, *pairs):
    """Waits for each prompt and answers it; a text alone is only waited for."""
    for pair in pairs:
        prompt, text = pair if isinstance(pair, tuple) else (pair, None)
        terminal.expect(prompt)
        if text is not None:
            terminal.enter(text)


def _output(terminal):
    """The document that the call printed at the end."""
    terminal.ends(0)
    text = terminal.transcript[terminal.transcript.rindex('{\n  "success"'):]
    return json.loads(text)["data"]


def _nothing_ran(place):
    check("begin" not in place.output("writ", "audit", "--json"), "a call is on record")


def every_kind_of_field(place):
    """Every kind of field is asked for, and Enter takes defaults, leaves out and ends lists."""
    terminal = place.run(FORM, "--interactive", rows=100)
    terminal.expect("Every kind of field", "Name", "What it is called", "text of 2 to 40 characters", "Ada, Grace")
    _answer(terminal, ("name> ", "Ada"), "3  careful", ("mode> ", "2"), ("size> ", "5"), ("ratio> ", "-0.50"),
            ("sure [Y/n]> ", "n"), ("day> ", "2026-11-30"), ("Fill in where? [y/N] ", "y"), ("where.town> ", "Ulm"),
            ("where.street> ", ""), ("tags[0]> ", "a"), ("tags[1]> ", "b"), ("tags[2]> ", "c"), "1  Circle",
            ("shape> ", "sq"), ("shape.a> ", "2"), ("level [low]> ", ""))
    _answer(terminal, ("Run it? [Y/n] ", ""))
    data = _output(terminal)
    check(data == {"name": "Ada", "mode": "slow", "size": 5, "ratio": -0.5, "sure": False, "day": "2026-11-30",
                   "where": {"town": "Ulm"}, "tags": ["a", "b", "c"], "shape": {"a": 2}, "level": "low"}, data)


def answers_are_checked_at_once(place):
    """An answer that does not fit is told with the mend, and asked for again."""
    terminal = place.run(FORM, "--interactive")
    _answer(terminal, ("name> ", ""))
    terminal.expect("name is required")
    _answer(terminal, ("name> ", "A"))
    terminal.expect("at least 2 characters")
    _answer(terminal, ("name> ", "Ada"), ("mode> ", "s low"))
    terminal.expect("did you mean slow?")
    _answer(terminal, ("mode> ", "f"), ("size> ", "1.5"))
    terminal.expect("size must be a whole number")
    _answer(terminal, ("size> ", "101"))
    terminal.expect("at most 100")
    _answer(terminal, ("size> ", ""), ("ratio> ", ""), ("sure [Y/n]> ", "perhaps"))
    terminal.expect("y or n")
    _answer(terminal, ("sure [Y/n]> ", ""), ("day> ", "30.11.2026"))
    terminal.expect("must be a date")
    terminal.press("ctrl-c")
    terminal.ends(130)


def the_whole_is_checked(place):
    """Answers that do not go together are asked for again, the others stay."""
    terminal = place.run(FORM, "--interactive", "--name", "Ada", "--mode", "fast")
    _answer(terminal, ("size> ", "3"), ("ratio> ", ""), ("sure", ""), ("day> ", ""), ("where?", ""), ("tags[0]> ", ""), ("shape> ", ""),
            ("level", ""))
    terminal.expect("Together", "ratio")
    _answer(terminal, ("ratio> ", "1"), ("Run it?", "y"))
    check(_output(terminal) == {"name": "Ada", "mode": "fast", "size": 3, "ratio": 1, "sure": True, "level": "low"},
          "other data")


def required_fields_are_asked_for_on_a_terminal(place):
    """On a terminal the required fields that are missing are asked for, and no others."""
    terminal = place.run(FORM, "--size", "3")
    terminal.expect("Required fields are missing")
    _answer(terminal, ("name> ", "Ada"), ("mode> ", "fast"), ("ratio> ", "1"), ("Run it?", ""))
    check("day> " not in terminal.transcript, "an optional field was asked for")
    check(_output(terminal) == {"name": "Ada", "mode": "fast", "size": 3, "ratio": 1, "sure": True, "level": "low"},
          "other data")
    terminal = place.run(FORM, "--name", "Ada", "--mode", "fast")
    terminal.ends(0)
    check("Run it?" not in terminal.transcript, "something was asked though nothing was missing")


def what_cannot_be_mended_is_told_at_once(place):
    """A field that the skill does not know, or a value that does not fit, is told before anything is asked."""
    for arguments in (("--input", '{"nmae": "Ada"}'), ("--input", '{"nmae": "Ada"}', "--interactive"),
                      ("--name", "Ada", "--mode", "sloow"), ("--input", "[]", "--interactive"), ("--input", "{")):
        terminal = place.run(FORM, *arguments)
        terminal.expect("input:invalid")
        terminal.ends(3)
        check("> " not in terminal.transcript, "asked: %r" % terminal.transcript)
    terminal = place.run(FORM, "--name", "Ada", "--mode", "sloow", "--interactive")
    terminal.expect("The value that was given must be one of")
    _answer(terminal, ("mode> ", "\\q"))
    terminal.ends(130)


def nobody_is_asked_who_is_not_there(place):
    """No question without a terminal on stdin and stderr, with --json, or with the input on stdin."""
    for how in ({"stdin": "/dev/null"}, {"stderr": place.path("err")}):
        terminal = place.run(FORM, "--name", "Ada", **how)
        terminal.ends(3)
        check("mode> " not in terminal.transcript, "asked: %r" % terminal.transcript)
    check("input:invalid" in place.read("err") and "--interactive" in place.read("err"), place.read("err"))
    terminal = place.run(FORM, "--name", "Ada", "--json")
    terminal.expect("input:invalid")
    terminal.ends(3)
    terminal = place.run(FORM, "-i", "-")
    terminal.type('{"name": "Ada"}\r')
    terminal.press("ctrl-d")
    terminal.expect("input:invalid")
    terminal.ends(3)


def interactive_needs_a_terminal(place):
    """--interactive without a terminal is an error of its own, and so is --interactive with the input on stdin."""
    for how in ({"stdin": "/dev/null"}, {"stderr": place.path("err")}):
        place.run(FORM, "--interactive", **how).ends(2)
    check("writ: usage: --interactive asks at a terminal" in place.read("err"), place.read("err"))
    terminal = place.run(FORM, "--interactive", "-i", "-")
    terminal.expect("usage: --input - and --interactive both read stdin")
    terminal.ends(2)


def stdout_is_the_output_alone(place):
    """Questions go to stderr; stdout holds the output as one line of JSON."""
    terminal = place.run(FORM, "--name", "Ada", stdout=place.path("out"))
    _answer(terminal, ("mode> ", "fast"), ("Run it?", ""))
    terminal.ends(0)
    check(place.read("out").count("\n") == 1 and json.loads(place.read("out"))["data"]["mode"] == "fast",
          place.read("out"))
    terminal = place.run(FORM, "--interactive", "--name", "Ada", "--json", stdout=place.path("json"))
    terminal.expect("mode> ")
    terminal.press("ctrl-c")
    terminal.ends(130)
    check(json.loads(place.read("json"))["error"]["class"] == "internal:interrupted", place.read("json"))


def leaving(place):
    """Ctrl-C, Ctrl-D, \\q and `n` at the end leave the form with 130, and nothing runs."""
    for leave in (lambda t: t.press("ctrl-c"), lambda t: t.press("ctrl-d"), lambda t: t.enter("\\q"),
                  lambda t: t.send_signal(signal.SIGTERM), lambda t: t.send_signal(signal.SIGHUP),
                  lambda t: (t.enter("fast"), t.expect("Run it?"), t.enter("n")),
                  lambda t: (t.enter("fast"), t.expect("Run it?"), t.press("ctrl-c"))):
        terminal = place.run(FORM, "--name", "Ada")
        terminal.expect("mode> ")
        leave(terminal)
        terminal.expect(LEFT)
        terminal.ends(130)
    _nothing_ran(place)


def going_back(place):
    """`<` goes back, also from the last question, and forgets nothing before."""
    terminal = place.run(FORM, "--interactive")
    _answer(terminal, ("name> ", "<"))
    terminal.expect("This is the first question")
    _answer(terminal, ("name> ", "Wrong"), ("mode> ", "<"), ("name> ", "Ada"), ("mode> ", "fast"), ("size> ", ""),
            ("ratio> ", ""), ("sure", ""), ("day> ", ""), ("where? ", "y"), ("where.town> ", "<"), ("where? ", "n"),
            ("tags[0]> ", "a"), ("tags[1]> ", "<"), ("tags[0]> ", "b"), ("tags[1]> ", ""), ("shape> ", ""),
            ("level", "x"), ("Run it?", "<"), ("level", "high"), ("Run it?", ""))
    data = _output(terminal)
    check(data == {"name": "Ada", "mode": "fast", "sure": True, "tags": ["b"], "level": "high"}, data)


def help_is_there(place):
    """\\? tells what may be typed, and asks again."""
    terminal = place.run(FORM)
    _answer(terminal, ("name> ", "\\?"))
    terminal.expect("goes back", "leaves the form", "What it is called", "name> ")
    terminal.press("ctrl-d")
    terminal.ends(130)


def texts_of_any_kind(place):
    """Several lines, the empty text, words of the form itself, and characters that mean something to a shell."""
    text = "two\n\"\"\"\n\\<\n$HOME `x` it's \"q\" \\ \u4e2d\u6587 \u202e\u009b"
    terminal = place.run(FORM, "--interactive", "--mode", "fast", stdout=place.path("out"), columns=200)
    _answer(terminal, ("name> ", '"""'), ("... ", "two"), ("... ", '\\"""'), ("... ", "\\<"), ("... ", text[11:]), ("... ", '"""'), ("size> ", ""),
            ("ratio> ", ""), ("sure", ""), ("day> ", ""), ("where? ", ""), ("tags[0]> ", '""'), ("tags[1]> ", "\\<"),
            ("tags[2]> ", "\\\\q"), ("shape> ", ""), ("level", "'"))
    terminal.expect("The same without questions:\n")
    terminal.expect("Run it?")
    command = terminal.transcript[terminal.transcript.index("without questions:\n"):].split("\n")[1].strip()
    terminal.enter()
    terminal.ends(0)
    data = json.loads(place.read("out"))["data"]
    check(data["name"] == text and data["tags"] == ["", "<", "\\q"] and data["level"] == "'", data)
    again = subprocess.run(["sh", "-c", command], cwd=place.folder, env=place.environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, check=True)
    check(again.stdout.decode() == place.read("out"), "the command %s gave %r" % (command, again.stdout))


def what_is_pasted_is_one_answer(place):
    """Lines that are pasted answer one question, and the terminal is told when pastes are no longer marked."""
    terminal = place.run(FORM, "--mode", "fast")
    terminal.expect("name> ")
    terminal.type("\x1b[200~one\ntwo\n\x1b[201~")
    terminal.expect_line("name> one two")
    terminal.enter()
    _answer(terminal, ("Run it?", ""))
    check(_output(terminal)["name"] == "one\ntwo", "other data")
    marks = [escape for escape in terminal.screen.escapes if "2004" in escape]
    check(marks == ["\x1b[?2004h", "\x1b[?2004l"], marks)


def the_command_repeats_odd_folders(place):
    """The command that repeats a call names folders with quotes, spaces and escapes so that a shell reads them back."""
    name = "it's a \x1b[31m\n folder\\"
    shutil.copytree(place.skills, place.path(name))
    terminal = place.writ("run", "--skills", name, FORM, "--name", "Ada", columns=200)
    _answer(terminal, ("mode> ", "fast"), ("Run it?", "n"))
    terminal.ends(130)
    command = terminal.transcript[terminal.transcript.index("without questions:\n"):].split("\n")[1].strip()
    again = subprocess.run(["bash", "-c", command], cwd=place.folder, env=place.environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE)
    check(again.returncode == 0 and b'"Ada"' in again.stdout, "the command %s gave %r" % (command, again))


def wide_characters_are_erased_whole(place):
    """Backspace takes a whole character, and both columns of a wide one."""
    terminal = place.run(FORM)
    terminal.expect("name> ")
    terminal.type("a\u4e2d\u6587e\u0301")
    terminal.expect_line("name> a\u4e2d\u6587e\u0301")
    terminal.press("backspace")
    terminal.expect_line("name> a\u4e2d\u6587")
    terminal.press("backspace")
    terminal.expect_line("name> a\u4e2d")
    terminal.press("left", "backspace")
    terminal.expect_line("name> \u4e2d")
    terminal.type("b")
    terminal.press("end")
    terminal.type("c")
    terminal.expect_line("name> b\u4e2dc")
    terminal.press("home", "delete", "ctrl-k")
    terminal.expect_line("name>")
    terminal.type("one two")
    terminal.press("ctrl-w")
    terminal.expect_line("name> one")
    terminal.press("ctrl-u")
    terminal.expect_line("name>")
    terminal.enter("Ada")
    _answer(terminal, ("mode> ", "fast"), ("Run it?", ""))
    check(_output(terminal)["name"] == "Ada", "other data")


def a_long_line_moves_through_the_window(place):
    """A text wider than the terminal is shown in part, on one line, and taken whole."""
    text = "".join(chr(97 + i % 26) for i in range(60)) + "\u4e2d" * 30
    terminal = place.run(FORM, "--name", "Ada", "--mode", "fast", "--interactive", columns=40)
    _answer(terminal, ("size> ", ""), ("ratio> ", ""), ("sure", ""), ("day> ", ""), ("where? ", ""), ("tags[0]> ", ""),
            ("shape> ", ""))
    terminal.expect("level [low]> ")
    before = len(terminal.screen.lines)
    terminal.type(text)
    terminal.wait_for(lambda: terminal.screen.current().endswith("\u4e2d" * 10), "the end of the text")
    check(len(terminal.screen.lines) == before, "the text took a line more")
    terminal.press("home")
    terminal.expect_line("level [low]> " + text[:26])
    terminal.enter()
    _answer(terminal, ("Run it?", ""))
    terminal.ends(0)
    check(text in "".join(terminal.screen.history()), "the text was not taken whole")


def a_new_size_is_heeded(place):
    """After a change of the terminal's size the line fits the new one."""
    terminal = place.run(FORM, "--name", "Ada", "--mode", "fast", "--interactive", columns=40)
    _answer(terminal, ("size> ", ""), ("ratio> ", ""))
    terminal.expect("sure [Y/n]> ")
    terminal.type("x" * 50)
    terminal.expect_line("sure [Y/n]> " + "x" * 27)
    terminal.resize(80)
    terminal.expect_line("sure [Y/n]> " + "x" * 50)
    terminal.press("ctrl-c")
    terminal.ends(130)


def a_secret_is_never_shown(place):
    """A secret is typed without echo and stands neither on the screen nor in the command."""
    terminal = place.run(SECRET)
    terminal.expect("which is not shown", "token> ")
    terminal.type("hunter2")
    terminal.press("backspace")
    terminal.enter("22")
    terminal.expect('"token": "(hidden)"', "--input '{}'", "asked for again")
    _answer(terminal, ("Run it?", ""))
    check(_output(terminal) == {"length": 8}, "other data")
    check("hunter" not in terminal.raw.decode(), "the secret is on the screen")


def a_refused_secret_is_never_shown(place):
    """The fault of a secret does not tell it."""
    terminal = place.run(SECRET)
    _answer(terminal, ("token> ", "xyz"))
    terminal.expect("minLength", "token> ")
    terminal.press("ctrl-c")
    terminal.ends(130)
    check("xyz" not in terminal.raw.decode(), "the secret is on the screen")


def a_secret_is_in_no_core(place):
    """What ends the program while a secret is typed leaves no core file with it in it."""
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
    try:
        terminal = place.run(SECRET)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)
    terminal.expect("token> ")
    with open("/proc/%d/limits" % terminal.job(), encoding="ascii") as file:
        soft = re.search(r"Max core file size +(\S+)", file.read()).group(1)
    # 1 also keeps the kernel from handing the core to a program.
    check(soft == "1" or before[1] == 0, "a core may have %s bytes" % soft)
    terminal.type("hunter22")
    terminal.send_signal(signal.SIGQUIT)
    terminal.ends(-signal.SIGQUIT)


def the_terminal_is_put_back(place):
    """Whatever ends the program while a secret is typed, the terminal is as it was."""
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGHUP, 130),
                           (signal.SIGQUIT, -signal.SIGQUIT)):
        terminal = place.run(SECRET)
        terminal.expect("token> ")
        check(not terminal.is_echoing(), "the kernel echoes what is typed")
        terminal.type("half")
        terminal.send_signal(number)
        terminal.ends(status)


def a_stop_gives_the_terminal_back(place):
    """Ctrl-Z stops the form with the terminal as it was; afterwards it goes on where it was."""
    terminal = place.run(SECRET)
    terminal.expect("token> ")
    terminal.press("ctrl-z")
    terminal.stops()
    terminal.resume()
    terminal.expect("token> ")
    check(not terminal.is_echoing(), "the kernel echoes what is typed")
    terminal.enter("hunter22")
    _answer(terminal, ("Run it?", ""))
    check(_output(terminal) == {"length": 8}, "other data")
    terminal = place.run(FORM)
    terminal.expect("name> ")
    terminal.type("Ad")
    terminal.expect_line("name> Ad")  # the kernel drops what was not read yet
    terminal.press("ctrl-z")
    terminal.stops()
    terminal.resume()
    terminal.expect("name> Ad")
    terminal.press("ctrl-c")
    terminal.ends(130)


def files_are_completed(place):
    """Tab completes the names of files where a permission makes a path of the answer."""
    for name in ("report-one.txt", "report-two.txt", "\x1b[31mhostile"):
        open(place.path(name), "w").close()
    os.mkdir(place.path("folder"))
    open(place.path("folder/\u6587\u4ef6.txt"), "w").close()
    terminal = place.run(HOSTILE, "--interactive", "--do", "say")
    terminal.expect("file> ")
    terminal.type("rep")
    terminal.press("tab")
    terminal.expect_line("file> report-")
    terminal.press("tab")
    terminal.expect("report-one.txt report-two.txt", "file> report-")
    terminal.type("o")
    terminal.press("tab")
    terminal.expect_line("file> report-one.txt")
    terminal.press("ctrl-u")
    terminal.type("f")
    terminal.press("tab", "tab")
    terminal.expect_line("file> folder/\u6587\u4ef6.txt")
    terminal.press("ctrl-c")
    terminal.ends(130)


def a_dumb_terminal_is_enough(place):
    """The form works without a single escape sequence where TERM says that there are none."""
    terminal = place.run(FORM, env={"TERM": "dumb"})
    terminal.expect("name> ")
    terminal.type("Adx")
    terminal.press("backspace")
    terminal.enter("a")
    _answer(terminal, ("mode> ", "fast"), ("Run it?", ""))
    check(_output(terminal)["name"] == "Ada", "other data")
    check(not terminal.screen.escapes, "escapes: %r" % terminal.screen.escapes)


def a_hostile_schema_cannot_steer(place):
    """Titles, descriptions and choices of a contract cannot steer the terminal."""
    terminal = place.run(HOSTILE)
    terminal.expect("do> ")
    terminal.enter("\u202esay\u009b")
    terminal.expect("choices", "do> ")
    terminal.enter("say")
    _answer(terminal, ("Run it?", ""))
    terminal.ends(0)
    plain = {"\x1b[1m", "\x1b[0m", "\x1b[2m", "\x1b[31m", "\x1b[?2004h", "\x1b[?2004l"}
    check(set(terminal.screen.escapes) <= plain, "escapes: %r" % set(terminal.screen.escapes))


def a_narrow_terminal_is_enough(place):
    """No line of the form is wider than 40 columns, but the command that is to be copied."""
    terminal = place.run(FORM, "--interactive", columns=40, rows=200)
    _answer(terminal, ("name> ", "\\?"), ("name> ", "Ada"), ("mode> ", "fast"), ("size> ", "0"), ("size> ", ""),
            ("ratio> ", ""), ("sure", ""), ("day> ", ""), ("where? ", ""), ("tags[0]> ", ""), ("shape> ", ""))
    terminal.expect("level")
    long = [line for line in terminal.transcript.replace("\r", "\n").split("\n") if len(line) > 40]
    check(not long, "wider than 40 columns: %r" % long)
    terminal.press("ctrl-c")
    terminal.ends(130)


def a_plan_is_shown_without_a_question(place):
    """With --explain the form ends in the plan, and nothing runs."""
    terminal = place.run(FORM, "--name", "Ada", "--explain")
    _answer(terminal, ("mode> ", "fast"))
    terminal.expect("The same without questions", "--explain --input")
    terminal.ends(0)
    check("Run it?" not in terminal.transcript, "asked whether to run")
    _nothing_ran(place)
