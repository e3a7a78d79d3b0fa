"""`writ test --watch`: what makes a new round and what does not, how it is told, how it ends."""
import contextlib
import json
import os
import re
import shutil
import signal

from terminal import check

WATCHING = "watching for changes; Ctrl-C ends\n"
PROGRAM = "s/main.py"


def _make(place, *languages):
    """Skills in new folders: s in Python, or c in C."""
    for folder, language in languages or (("s", "python"),):
        place.output("writ", "init", folder, "--language", language, "--quiet")


def _write(place, name, text):
    """At once: whoever looks meanwhile sees the old text or the new one."""
    with open(place.path(".next"), "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(place.path(".next"), place.path(name))


def _append(place, name, text):
    _write(place, name, (place.read(name) if os.path.exists(place.path(name)) else "") + text)


@contextlib.contextmanager
def _held(terminal):
    """While the program is held, several steps are one for it, however long they take."""
    terminal.send_signal(signal.SIGSTOP)
    terminal.stops(signal.SIGSTOP)
    yield
    terminal.resume()


def _watch(place, *arguments, **how):
    terminal = place.writ("test", *(arguments or ("./s",)), "--watch", **how)
    terminal.expect(WATCHING)
    return terminal


def _next_round(terminal):
    """What has changed, as the line above the next round says; waits for the end of that round."""
    terminal.expect("\n--- ")
    terminal.wait_for(lambda: "\n" in terminal.transcript[terminal.seen:], "the end of the line")
    line = terminal.transcript[terminal.seen:].split("\n")[0]
    terminal.expect(WATCHING)
    found = re.fullmatch(r"\d\d:\d\d:\d\d  (.*)", line)
    check(found, "the line is %r" % line)
    return found.group(1)


def _is_told(terminal, wanted):
    told = _next_round(terminal)
    check(told == wanted, "told %r, not %r" % (told, wanted))


def _nothing_more(place, terminal, folder="s", name="mark"):
    """The next round is one that this makes: none came between."""
    path = "%s/%s" % (folder, name)
    verb = "changed" if os.path.exists(place.path(path)) else "added"
    _append(place, path, "x")
    _is_told(terminal, "%s %s" % (name, verb))


def a_change_runs_the_tests_again(place):
    """A change in the program makes a round that fails, another one mends it; Ctrl-C ends with the last one's status."""
    _make(place)
    sound = place.read(PROGRAM)
    terminal = _watch(place)
    check("4 passed, 0 failed" in terminal.transcript, terminal.transcript)
    _write(place, PROGRAM, sound.replace("lines += 1", "lines += 2"))
    _is_told(terminal, "main.py changed")
    check("FAIL  a text with a blank line" in terminal.transcript, terminal.transcript)
    check("/data/lines: expected 3, got 6" in terminal.transcript, terminal.transcript)
    terminal.press("ctrl-c")
    terminal.ends(1)
    terminal = _watch(place)
    _write(place, PROGRAM, sound)
    _is_told(terminal, "main.py changed")
    terminal.press("ctrl-c")
    terminal.ends(0)
    check(terminal.transcript.endswith("\n"), "the last line is open")


def every_way_of_saving_is_one_round(place):
    """In place, in pieces, by a rename over the file, by a copy put aside, by removing it first: one round each."""
    _make(place)
    sound = place.read(PROGRAM)
    terminal = _watch(place)

    def in_pieces():
        with open(place.path(PROGRAM), "w", encoding="utf-8") as file:
            for line in sound.splitlines(keepends=True):
                file.write(line)
                file.flush()

    def put_aside():
        os.rename(place.path(PROGRAM), place.path(PROGRAM + "~"))
        _in_place()
        os.unlink(place.path(PROGRAM + "~"))

    def removed_first():
        os.unlink(place.path(PROGRAM))
        _in_place()

    def by_rename():
        _in_place(PROGRAM + ".new")
        os.rename(place.path(PROGRAM + ".new"), place.path(PROGRAM))

    def _in_place(name=PROGRAM):
        with open(place.path(name), "w", encoding="utf-8") as file:
            file.write(sound)

    for save in (_in_place, in_pieces, by_rename, put_aside, removed_first):
        with _held(terminal):
            save()
        _is_told(terminal, "main.py changed")
        _nothing_more(place, terminal)


def files_come_and_go(place):
    """A new test runs, one in a folder that is new is noticed too, and a removed one is gone."""
    _make(place)
    terminal = _watch(place)
    _write(place, "s/tests/more.json", '{"input": {"file": "tests/sample.txt"}}')
    _is_told(terminal, "tests/more.json added")
    check("pass  tests/more.json" in terminal.transcript and "5 passed, 0 failed" in terminal.transcript,
          terminal.transcript)
    os.mkdir(place.path("s/deep"))
    _is_told(terminal, "deep added")
    with _held(terminal):
        os.makedirs(place.path("s/deep/er/still"))
    _is_told(terminal, "deep/er added, deep/er/still added")
    _write(place, "s/deep/er/still/file", "x")
    _is_told(terminal, "deep/er/still/file added")
    os.unlink(place.path("s/tests/more.json"))
    _is_told(terminal, "tests/more.json removed")
    with _held(terminal):
        shutil.rmtree(place.path("s/deep"))
    told = _next_round(terminal)
    check(told.startswith("deep removed, deep/er removed, deep/er/still removed and 1 more"), told)
    os.chmod(place.path(PROGRAM), 0o644)
    _is_told(terminal, "main.py changed")


def what_writ_makes_itself_is_no_change(place):
    """Building main of a skill in C makes no round of its own, however often it happens."""
    _make(place, ("c", "c"))
    terminal = place.writ("test", "./c", "--watch")
    terminal.expect("(main built from main.c)", "4 passed", WATCHING)
    for _ in range(2):
        _append(place, "c/main.c", "/* more */\n")
        _is_told(terminal, "main.c changed")
        check(terminal.transcript.rstrip().count("(main built from main.c)") > 1, terminal.transcript)
        _nothing_more(place, terminal, "c")
    _append(place, "c/main.c", "no C at all\n")
    _is_told(terminal, "main.c changed")
    check("main.c does not compile" in terminal.transcript, terminal.transcript)
    terminal.press("ctrl-c")
    terminal.ends(30)


def what_editors_leave_is_no_change(place):
    """Swap files, locks, backups, byte code and version control make no round."""
    _make(place)
    terminal = _watch(place)
    for name in ("s/.main.py.swp", "s/main.py~", "s/.#main.py", "s/#main.py#", "s/4913", "s/tests/.sample.yaml.swx"):
        _write(place, name, "x")
    for folder in ("s/.git", "s/__pycache__", "s/tests/__pycache__"):
        os.mkdir(place.path(folder))
        _write(place, folder + "/index", "x")
    _nothing_more(place, terminal)
    os.unlink(place.path("s/main.py~"))
    _write(place, "s/.git/index", "more")
    _nothing_more(place, terminal)


def a_broken_contract_does_not_end_the_watch(place):
    """Broken, gone, and mended later: each makes its round, and the last one passes."""
    _make(place)
    sound = place.read("s/skill.yaml")
    terminal = _watch(place)
    _write(place, "s/skill.yaml", sound + "tset: 1\n")
    _is_told(terminal, "skill.yaml changed")
    check("contract:invalid" in terminal.transcript and "did you mean `test`" in terminal.transcript,
          terminal.transcript)
    _write(place, "s/skill.yaml", "[")
    _is_told(terminal, "skill.yaml changed")
    os.unlink(place.path("s/skill.yaml"))
    _is_told(terminal, "skill.yaml removed")
    check("the folder has no skill.yaml" in terminal.transcript, terminal.transcript)
    test = place.read("s/tests/sample.yaml")
    with _held(terminal):
        _write(place, "s/tests/sample.yaml", "[")
        _write(place, "s/skill.yaml", sound)
    _is_told(terminal, "skill.yaml added, tests/sample.yaml changed")
    check("contract:invalid: tests/sample.yaml" in terminal.transcript, terminal.transcript)
    _write(place, "s/tests/sample.yaml", test)
    terminal.expect("sample.yaml changed", "4 passed, 0 failed", WATCHING)
    terminal.press("ctrl-c")
    terminal.ends(0)


def a_watch_may_begin_with_a_broken_skill(place):
    """A contract that is broken from the start is waited for; a folder that is not there is an error."""
    _make(place)
    sound = place.read("s/skill.yaml")
    _write(place, "s/skill.yaml", "[")
    terminal = _watch(place)
    _write(place, "s/skill.yaml", sound)
    terminal.expect("4 passed, 0 failed", WATCHING)
    terminal = place.writ("test", "./missing", "--watch")
    terminal.expect("there is no folder `./missing`")
    terminal.ends(6)
    terminal = place.writ("test", "com.example.no.such", "--watch")
    terminal.expect("no source has a skill")
    terminal.ends(6)


def the_folder_may_be_replaced(place):
    """Moved away, and another put in its place: the other one is watched from then on."""
    _make(place)
    terminal = _watch(place)
    shutil.copytree(place.path("s"), place.path("other"))
    os.rename(place.path("s"), place.path("away"))
    _is_told(terminal, "s removed")
    check("there is no folder `./s`" in terminal.transcript, terminal.transcript)
    os.rename(place.path("other"), place.path("s"))
    _is_told(terminal, "s added")
    _append(place, "s/main.py", "# more\n")
    _is_told(terminal, "main.py changed")
    # The one that was moved away is nobody's business any more.
    _append(place, "away/main.py", "# more\n")
    _nothing_more(place, terminal)


def what_changes_during_a_round_is_not_lost(place):
    """A change while the tests run makes the next round."""
    _make(place)
    sound = place.read(PROGRAM)
    waits = 'import os, time\nwhile not os.path.exists(os.path.join(os.path.dirname(__file__), "go")):\n' \
            '    time.sleep(0.01)\n'
    _write(place, PROGRAM, waits + sound)
    terminal = place.writ("test", "./s", "--watch")
    terminal.wait_for(lambda: place.processes("main.py"), "the program")
    _write(place, "s/README.md", "changed meanwhile\n")
    _write(place, "s/go", "")
    terminal.expect("4 passed, 0 failed\n", WATCHING)
    _is_told(terminal, "README.md changed, go added")
    terminal.press("ctrl-c")
    terminal.ends(0)


def ctrl_c_ends_a_round(place):
    """In the middle of the first round there is no status yet but the interrupt's; nothing is left running."""
    _make(place)
    sound = place.read(PROGRAM)
    endless = "while True:\n    pass\n"
    _write(place, PROGRAM, endless)
    terminal = place.writ("test", "./s", "--watch")
    terminal.expect("com.example.s 1.0.0\n")
    terminal.press("ctrl-c")
    terminal.ends(130)
    check(not place.processes("main.py"), "the program runs on")
    _write(place, PROGRAM, sound)
    terminal = _watch(place)
    _write(place, PROGRAM, endless)
    terminal.expect("main.py changed", "com.example.s 1.0.0\n")
    terminal.press("ctrl-c")
    terminal.ends(0)
    check(not place.processes("main.py"), "the program runs on")


def only_what_changed_is_tested(place):
    """Of two skills the one that changed is tested again; failures are named at the end; --only holds."""
    _make(place, ("s", "python"), ("t", "python"))
    terminal = _watch(place, "./s", "./t")
    check("2 skills: 8 passed, 0 failed" in terminal.transcript, terminal.transcript)
    _write(place, "t/main.py", place.read("t/main.py").replace("lines += 1", "lines += 2"))
    _is_told(terminal, "t/main.py changed")
    tail = terminal.transcript.split("\n--- ")[1]
    check("com.example.s" not in tail and "1 skill: 3 passed, 1 failed" in tail, tail)
    check("  FAIL  com.example.t: a text with a blank line\n" in tail, tail)
    terminal.press("ctrl-c")
    terminal.ends(1)
    terminal = _watch(place, "./s", "--only", "a folder is no text")
    check("1 passed, 0 failed" in terminal.transcript, terminal.transcript)
    _write(place, "s/skill.yaml", place.read("s/skill.yaml").replace("a folder is no text", "another name"))
    _is_told(terminal, "skill.yaml changed")
    check("com.example.s has no test `a folder is no text`" in terminal.transcript, terminal.transcript)
    terminal.press("ctrl-c")
    terminal.ends(2)


def a_pipe_gets_plain_text(place):
    """Into a file go no escapes, and each round is there as soon as it is over."""
    _make(place)
    _write(place, "out", "")
    terminal = place.writ("test", "./s", "--watch", stdout=place.path("out"))
    terminal.wait_for(lambda: WATCHING in place.read("out"), "the first round in the file")
    _append(place, PROGRAM, "# more\n")
    terminal.wait_for(lambda: place.read("out").count(WATCHING) == 2, "the second round in the file")
    terminal.press("ctrl-c")
    terminal.ends(0)
    text = place.read("out")
    check("\x1b" not in text, text)
    check(re.search(r"\n--- \d\d:\d\d:\d\d  main\.py changed\ncom\.example\.s 1\.0\.0\n", text), text)
    check(text.count("4 passed, 0 failed\n") == 2 and text.endswith(WATCHING), text)


def json_is_one_document_a_round(place):
    """Under --json each round is one line, a skill that cannot be tested is in it, and nothing else is printed."""
    _make(place)
    sound = place.read("s/skill.yaml")
    _write(place, "out", "")
    terminal = place.writ("test", "./s", "--watch", "--json", stdout=place.path("out"))
    for round_number, text in enumerate((None, "[", sound), 1):
        if text is not None:
            _write(place, "s/skill.yaml", text)
        terminal.wait_for(lambda wanted=round_number: place.read("out").count("\n") == wanted, "a line for the round")
    terminal.press("ctrl-c")
    terminal.ends(0)
    rounds = [json.loads(line) for line in place.read("out").splitlines()]
    check([found["round"] for found in rounds] == [1, 2, 3], rounds)
    check([(found["passed"], found["failed"], found["not_tested"]) for found in rounds]
          == [(4, 0, 0), (0, 0, 1), (4, 0, 0)], rounds)
    check(rounds[0]["changed"] == [] and rounds[0]["skills"][0]["skill"] == "com.example.s", rounds[0])
    check(rounds[1]["changed"] == [{"path": place.path("s/skill.yaml"), "what": "changed"}], rounds[1])
    check(rounds[1]["skills"][0]["error"]["class"] == "contract:invalid", rounds[1])
    check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", rounds[2]["time"]), rounds[2])
    check(terminal.transcript.strip() in ("", "^C"), terminal.transcript)


def a_reader_that_goes_ends_the_watch(place):
    """A watch whose output nobody can read any more ends by itself."""
    _make(place)
    terminal = place.start("sh", "-c", "(writ test ./s --watch; echo $? >status) | head -n 1")
    terminal.expect("com.example.s 1.0.0\n")
    terminal.ends(0)
    check(place.read("status") != "", "it has not ended")


def quiet_says_no_more_than_results(place):
    """With -q nothing is said of watching."""
    _make(place)
    terminal = place.writ("test", "./s", "--watch", "-q")
    terminal.expect("4 passed, 0 failed\n")
    _append(place, PROGRAM, "# more\n")
    terminal.expect("main.py changed", "4 passed, 0 failed\n")
    terminal.press("ctrl-c")
    terminal.ends(0)
    check("watching" not in terminal.transcript, terminal.transcript)


def names_cannot_steer_the_terminal(place):
    """A file's name with a line end or an escape in it is shown as one harmless line."""
    _make(place)
    terminal = _watch(place)
    _write(place, "s/a\n--- 00:00:00  b\x1b[31mc", "x")
    _is_told(terminal, "a --- 00:00:00  b?[31mc added")
