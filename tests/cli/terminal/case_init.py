"""`writ init` at a terminal: the language that was not given is asked for."""
import os

from terminal import check

QUESTION = "number or name: "


def _asked(place, *arguments):
    terminal = place.writ("init", "hello", *arguments)
    terminal.expect("Which language is the program written in?", "1  python", "2  node", "3  sh", "4  c", QUESTION)
    return terminal


def a_language_is_asked_for(place):
    """By its number, its name, or its name for people."""
    for answer, program in (("2", "main.js"), ("c", "main.c"), ("Python", "main.py"), ("posix shell", "main.sh")):
        terminal = place.writ("init", "skill-" + program[5:], "-q")
        terminal.expect(QUESTION)
        terminal.enter(answer)
        terminal.ends(0)
        check(os.path.exists(place.path("skill-%s/%s" % (program[5:], program))), "there is no " + program)


def an_answer_may_be_wrong_at_first(place):
    """What is none of the languages is asked for again, three times in all."""
    terminal = _asked(place)
    terminal.enter("5")
    terminal.expect(QUESTION)
    terminal.enter("")
    terminal.expect(QUESTION)
    terminal.enter("sh")
    terminal.expect("made hello")
    terminal.ends(0)
    terminal = place.writ("init", "other")
    for _ in range(3):
        terminal.expect(QUESTION)
        terminal.enter("perl")
    terminal.expect("none of these languages was named; add --language")
    terminal.ends(2)
    check(os.listdir(place.folder) == ["hello"], os.listdir(place.folder))


def nothing_is_made_without_an_answer(place):
    """Ctrl-D and Ctrl-C at the question leave nothing behind."""
    terminal = _asked(place)
    terminal.press("ctrl-d")
    terminal.ends(2)
    terminal = _asked(place)
    terminal.press("ctrl-c")
    terminal.ends(-2)
    check(os.listdir(place.folder) == [], os.listdir(place.folder))


def a_question_is_asked_only_where_it_can_be_answered(place):
    """Not with --json, not when the folder will not do, and not of a pipe."""
    terminal = place.writ("init", "hello", "--json")
    terminal.expect("the program's language is missing")
    terminal.ends(2)
    terminal = place.writ("init", "No_Name")
    terminal.expect("call it `no-name`")
    terminal.ends(2)
    os.mkdir(place.path("full"))
    with open(place.path("full/note"), "w", encoding="utf-8"):
        pass
    terminal = place.writ("init", "full")
    terminal.expect("is not empty")
    terminal.ends(2)
    terminal = place.writ("init", "hello", stdin="/dev/null")
    terminal.expect("add --language python, node, sh or c")
    terminal.ends(2)
