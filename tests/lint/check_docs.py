#!/usr/bin/env python3
"""What the documents name exists: files they link to, targets of the Makefile, tools; and both READMEs say the same."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from sources import TREE, all_files, read  # noqa: E402
from tap import Tap  # noqa: E402

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# A file of the sources named in running text: `src/run/invoke.c`, `tools/test.py`; NAME in it stands for any.
NAMED_FILE = re.compile(r"`((?:src|tools|tests|docs|skills|bench)/[\w./-]+\.\w+)`")
TARGET = re.compile(r"\bmake ([a-z][\w-]*)")
SESSION = re.compile(r"^```console runnable[^\n]*\n(.*?)^```", re.M | re.S)
COLUMNS_MAX = 120


def session_faults(name, text, listed):
    """A session that no test runs: its fence does not say so, or its document is not in the list of the test."""
    faults = ["%s:%d: a session is fenced by ```console runnable" % (name, text[:found.start()].count("\n") + 1)
              for found in re.finditer(r"^```(?:console(?! runnable)[^\n]*|(?:sh|bash|shell)\n\$ [^\n]*)$", text, re.M)]
    if SESSION.search(text) and name not in listed:
        faults.append("%s is not among the documents of tests/cli/meson.build" % name)
    if len(re.findall(r"^```", text, re.M)) % 2:
        faults.append("%s: a fence is not closed" % name)
    return faults


def long_lines(name, text):
    """Lines of running text that are too long: tables, links and what stands in fences are as long as they are."""
    running = re.sub(r"^```.*?^```", lambda found: "\n" * found.group().count("\n"), text, flags=re.M | re.S)
    return ["%s:%d: %d columns, more than %d" % (name, number, len(line), COLUMNS_MAX)
            for number, line in enumerate(running.split("\n"), 1)
            if len(line) > COLUMNS_MAX and not line.startswith("|")]


def documents():
    return [name for name in all_files() if name.endswith(".md") and not name.startswith(("skills/", "tests/"))]


def main():
    tap = Tap()
    texts = {name: read(name) for name in documents()}
    gone = []
    for name, text in texts.items():
        for link in LINK.findall(text):
            if not re.match(r"[a-z]+:", link) and not os.path.exists(os.path.join(TREE, os.path.dirname(name), link)):
                gone.append("%s links to %s" % (name, link))
        gone += ["%s names %s" % (name, file) for file in NAMED_FILE.findall(text)
                 if "NAME" not in file and not os.path.exists(os.path.join(TREE, file))]
    tap.case("files that documents name are there", gone)

    targets = set(re.findall(r"^([a-z][\w-]*):", read("Makefile"), re.M))
    code = {name: "\n".join(re.findall(r"`[^`\n]+`|^```.*?^```", text, re.M | re.S)) for name, text in texts.items()}
    tap.case("targets that documents name are in the Makefile",
             ["%s names make %s" % (name, target) for name, text in code.items() for target in TARGET.findall(text)
              if target not in targets])
    phony = set(re.search(r"^\.PHONY: (.*)$", read("Makefile"), re.M).group(1).split())
    tap.case("each target of the Makefile is declared as one", sorted(targets ^ phony))

    english, chinese = texts["README.md"], texts["README.zh.md"]
    same = [("links", lambda text: set(LINK.findall(text)) - {"README.md", "README.zh.md"}),
            ("targets", lambda text: set(TARGET.findall(text))),
            ("sessions", SESSION.findall)]
    for title, take in same:
        tap.case("README.md and README.zh.md have the same %s" % title,
                 [] if take(english) == take(chinese) else [take(english), take(chinese)])

    listed = [os.path.normpath(os.path.join("tests/cli", path)) for path in
              re.findall(r"'([^']+\.md)'", read("tests/cli/meson.build"))]
    tap.case("control: a session that nothing runs is found",
             [] if session_faults("a.md", "```console\n$ a\n```\n", ["a.md"]) and
             session_faults("a.md", "```sh\n$ a\n```\n", ["a.md"]) and
             session_faults("a.md", "```console runnable git\n$ a\n```\n", []) and
             not session_faults("a.md", "```console runnable\n$ a\n```\n```sh\nmake\n```\n", ["a.md"]) else ["passed"])
    tap.case("each session in a document is run by a test",
             [fault for name, text in texts.items() for fault in session_faults(name, text, listed)])
    tap.case("control: a long line is found", [] if long_lines("a.md", "a" * 121) and
             not long_lines("a.md", "|" * 121 + "\n```\n" + "a" * 121 + "\n```\n") else ["passed"])
    unsourced = [part.split("\n")[0] for part in texts.get("docs/faq.md", "").split("\n## ")[1:]
                 if not re.search(r"^Sources?: ", part, re.M)]
    tap.case("each question of the FAQ says where it was asked", unsourced)
    tap.case("lines of documents", [fault for name, text in texts.items() for fault in long_lines(name, text)])
    tap.done()


main()
