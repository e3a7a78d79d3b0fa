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
# A file of the sources named in running text: `src/run/invoke.c`, `tools/test.py`.
NAMED_FILE = re.compile(r"`((?:src|tools|tests|docs|skills|bench)/[\w./-]+\.\w+)`")
TARGET = re.compile(r"\bmake ([a-z][\w-]*)")


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
                 if not os.path.exists(os.path.join(TREE, file))]
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
            ("sessions", lambda text: re.findall(r"^```console runnable\n(.*?)^```", text, re.M | re.S))]
    for title, take in same:
        tap.case("README.md and README.zh.md have the same %s" % title,
                 [] if take(english) == take(chinese) else [take(english), take(chinese)])
    tap.done()


main()
