"""The question whether a project's skill may be used."""
import os
import shutil

from terminal import check

ANY = "com.example.terminal.any"
HOSTILE = "com.example.terminal.hostile"


def _project(place):
    """A project in the working folder, which nobody has trusted."""
    os.mkdir(place.path(".git"))
    shutil.copytree(place.skills, place.path(".writ/skills"))


def yes_trusts_the_folder(place):
    """At a terminal writ asks whether a project's skill is trusted; yes holds from then on."""
    _project(place)
    terminal = place.writ("run", ANY)
    terminal.expect(ANY, "has not been trusted", place.path(".writ/skills/" + ANY), "nothing of this machine",
                    "Trust this folder from now on? [y/N] ")
    terminal.enter("perhaps")
    terminal.expect("n or Enter does not", "[y/N] ")
    terminal.enter("y")
    terminal.expect('"success": true')
    terminal.ends(0)
    terminal = place.writ("run", ANY)
    terminal.ends(0)
    check("Trust" not in terminal.transcript, "asked again")
    check(place.path(".writ/skills/" + ANY) in place.output("writ", "trust", "--list"), "not on the list")


def anything_else_does_not(place):
    """No, Enter and Ctrl-C run nothing and trust nothing."""
    _project(place)
    for answer, status in (("n\r", 7), ("\r", 7), ("\x03", 130), ("\x04", 130)):
        terminal = place.writ("run", ANY)
        terminal.expect("[y/N] ")
        terminal.type(answer)
        terminal.ends(status)
    check(ANY not in place.output("writ", "trust", "--list"), "it is trusted")


def nobody_is_asked_in_a_pipe(place):
    """Without a terminal on stdin and stderr, and with --json, the call is refused without a question."""
    _project(place)
    for arguments, how in (((), {"stdin": "/dev/null"}), ((), {"stderr": place.path("err")}), (("--json",), {})):
        terminal = place.writ("run", ANY, *arguments, **how)
        terminal.ends(7)
        check("[y/N]" not in terminal.transcript, "asked: %r" % terminal.transcript)


def the_form_follows(place):
    """What is missing in the input is asked for after the question of trust; a hostile contract steers neither."""
    _project(place)
    terminal = place.writ("run", HOSTILE)
    terminal.expect("filesystem:write:", "[y/N] ")
    terminal.enter("yes")
    terminal.expect("do> ")
    terminal.enter("say")
    terminal.expect("Run it?")
    terminal.enter()
    terminal.ends(0)
    plain = {"\x1b[1m", "\x1b[0m", "\x1b[?2004h", "\x1b[?2004l"}
    check(set(terminal.screen.escapes) <= plain, "escapes: %r" % set(terminal.screen.escapes))


def a_folder_that_others_may_write_is_no_question(place):
    """A skill that is refused for other reasons is refused at once."""
    _project(place)
    place.output("writ", "trust", ".")
    os.chmod(place.path(".writ/skills/" + ANY), 0o777)
    terminal = place.writ("run", ANY)
    terminal.ends(7)
    check("[y/N]" not in terminal.transcript, "asked: %r" % terminal.transcript)
