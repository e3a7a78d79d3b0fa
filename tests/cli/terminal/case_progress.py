"""The line that tells what takes long, and Ctrl-C wherever something does."""
import os

from terminal import check

LONG = "com.example.terminal.long"
RUNNING = "running " + LONG


def _is_gone(terminal, what):
    """Nothing of the line is left on the screen."""
    check(not [line for line in terminal.screen.shown() if what in line],
          "the line is left: %r" % terminal.screen.shown())


def _is_interrupted(terminal):
    terminal.press("ctrl-c")
    terminal.ends(130)
    lines = [line for line in terminal.screen.shown() if line.strip()]
    told = [line for line in lines if "writ: internal:interrupted: " in line]
    check(len(told) == 1, "it is told %d times: %r" % (len(told), lines))
    check(told[0].startswith(("writ: ", "^C")), "half a line stands before: %r" % told[0])
    return lines


def _tool(place, name, text):
    """A program in a folder of its own, first in the PATH that is returned."""
    os.makedirs(place.path("tools"), exist_ok=True)
    path = os.path.join(place.path("tools"), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return {"PATH": place.path("tools") + ":" + place.environment["PATH"]}


def _skill(place, name, contract, **files):
    """A small skill in skills/ of the working folder."""
    folder = place.path("skills/" + name)
    os.makedirs(folder)
    head = ("id: %s\nname: A\ndescription: Gives back nothing at all, and is there to be looked at.\nversion: 1.0.0\n"
            "author: The writ project\nlicense: Apache-2.0\ninput: {type: object, additionalProperties: false}\n"
            "output: {type: object, required: [success, data], properties: {success: {type: boolean}, data: {}}}\n" % name)
    files = dict({"skill.yaml": head + contract}, **{key.replace("_", "."): text for key, text in files.items()})
    for file_name, text in files.items():
        with open(os.path.join(folder, file_name), "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def a_long_call_is_told(place):
    """After half a second a line says what runs and how long; at the end it is gone, and the output stands alone."""
    terminal = place.run(LONG, "--seconds", "2")
    terminal.expect(RUNNING + ", 1 s of at most 10 min")
    terminal.ends(0)
    _is_gone(terminal, "running")
    check(terminal.screen.shown()[0] == "{", "something stands before: %r" % terminal.screen.shown())


def a_short_call_is_not(place):
    """What is done at once is not told."""
    terminal = place.writ("help")
    terminal.ends(0)
    check("\x1b[K" not in terminal.screen.escapes, "a line came")


def the_line_fits_and_turns(place):
    """It is cut to the width, also when that changes, and drawn over in one place."""
    terminal = place.run(LONG, columns=30)
    terminal.expect("running com.example.termin…")
    check(terminal.screen.row == 0, "it went on to line %d" % terminal.screen.row)
    terminal.resize(60)
    terminal.expect(RUNNING + ", ")
    terminal.press("ctrl-c")
    terminal.ends(130)
    _is_gone(terminal, "running com")


def nobody_is_told_who_does_not_want_it(place):
    """No line with -q, --json, progress=never, TERM=dumb, or when stderr is a file."""
    place.output("writ", "config", "set", "progress", "never")
    wanted = [(("-q",), {}), (("--json",), {}), ((), {"env": {"TERM": "dumb"}}), ((), {"stderr": place.path("err")})]
    terminals = [place.run(LONG, "--seconds", "1")]
    terminals[0].ends(0)
    place.output("writ", "config", "unset", "progress")
    terminals += [place.writ("run", "--skills", place.skills, *options, LONG, "--seconds", "1", **how)
                  for options, how in wanted]
    for terminal in terminals:
        terminal.ends(0)
        check("running" not in terminal.transcript and "\x1b[K" not in terminal.screen.escapes,
              "%s: %r" % (terminal.title, terminal.transcript))
    check(not place.read("err"), place.read("err"))


def ctrl_c_ends_a_told_call(place):
    """Ctrl-C takes the line away before it says that the call was interrupted."""
    terminal = place.run(LONG)
    terminal.expect(RUNNING)
    _is_interrupted(terminal)
    _is_gone(terminal, RUNNING + ",")


def the_line_comes_back_after_ctrl_z(place):
    """A call that is stopped and brought back goes on telling."""
    terminal = place.run(LONG)
    terminal.expect(RUNNING)
    terminal.press("ctrl-z")
    terminal.stops()
    terminal.resume()
    terminal.expect(RUNNING)
    _is_interrupted(terminal)


def ctrl_c_ends_a_test(place):
    """Ctrl-C ends `writ test` in the midst of a test."""
    terminal = place.writ("test", os.path.join(place.skills, LONG))
    terminal.expect(RUNNING)
    _is_interrupted(terminal)


def ctrl_c_ends_the_question_for_a_version(place):
    """A program that does not tell its version can be left by Ctrl-C, in `run`, `test` and `doctor`."""
    env = _tool(place, "slowtool", "#!/bin/sh\nwhile :; do :; done\n")
    folder = _skill(place, "com.example.slow.tool", "permissions: ['binary:run:slowtool']\nruntime: [sh]\n"
                    "dependencies: {binaries: {slowtool: '>=1'}}\ntest: {input: {}, expected_error: usage}\n",
                    main_sh="echo\n")
    for command in (("run", "com.example.slow.tool"), ("test", folder), ("doctor", "com.example.slow.tool")):
        terminal = place.writ(command[0], "--skills", "skills", *command[1:], env=env)
        terminal.expect("asking slowtool for its version, ", " s of at most 20 s")
        _is_interrupted(terminal)
        _is_gone(terminal, "asking slowtool for its version,")


def ctrl_c_ends_a_build(place):
    """A compiler that does not end can be left by Ctrl-C, and leaves no program behind."""
    main = "#if __INCLUDE_LEVEL__ < 100\n#include __FILE__\n#include __FILE__\n#endif\n"  # reads itself 2^100 times
    folder = _skill(place, "com.example.slow.build", "permissions: []\nruntime: [native]\n"
                    "test: {input: {}, expected_error: usage}\n", main_c=main)
    terminal = place.writ("test", folder)
    terminal.expect("building main.c of com.example.slow.build, ")
    _is_interrupted(terminal)
    check(not os.path.exists(os.path.join(folder, "main")), "a program is left")


def ctrl_c_ends_the_wait_for_another(place):
    """A call that waits for another writ's record can be left by Ctrl-C; it was not made, so nothing is recorded."""
    place.output("writ", "run", "com.example.text.stats", "--text", "a")
    log = os.path.join(place.home, ".local", "state", "writ", "audit", "current.jsonl")
    holder = place.start("flock", log, "sh", "-c", "echo held; read end")
    holder.expect("held")
    terminal = place.writ("run", "com.example.text.stats", "--text", "a")
    terminal.expect("waiting for another writ")
    _is_interrupted(terminal)
    holder.enter()
    holder.ends(0)
    check(len(place.output("writ", "audit", "--json").splitlines()) == 1, "the call was recorded")


def ctrl_c_ends_at_once_what_needs_no_care(place):
    """While the input is awaited from the keyboard, the signal itself ends the program; so it does with a log."""
    terminal = place.writ("run", "--skills", place.folder, "com.example.text.stats", "--input", "-")
    terminal.wait_for(lambda: place.processes("--input"), "a start")
    terminal.press("ctrl-c")
    terminal.ends(-2)
    place.output("writ", "run", "com.example.text.stats", "--text", "a")
    terminal = place.writ("audit", "--follow")
    terminal.expect("com.example.text.stats")
    terminal.press("ctrl-c")
    terminal.ends(0)
