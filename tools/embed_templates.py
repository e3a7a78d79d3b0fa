#!/usr/bin/env python3
"""Turns templates/ into C:  embed_templates.py TEMPLATES OUTPUT.c [DEPFILE]

`writ init` carries the files of a new skill inside the program (src/skill/scaffold_templates.h).  A language's files are
those of templates/common and of templates/LANGUAGE; a file of the latter takes the place of one of the former.  A line
`@only LANGUAGE...@text` is `text` in these languages and is left out in the others.  What stands between other `@`s is
filled in when a skill is made.  Executable files stay so.
"""
import os
import re
import sys

from embed import literal

LANGUAGES = ("python", "node", "sh", "c")  # as a newcomer is asked
ONLY = re.compile(r"@only ([\w ]+)@(.*)", re.S)


def files_of(templates, language):
    """{path below the skill's folder: (text, executable)}"""
    found = {}
    for part in ("common", language):
        top = os.path.join(templates, part)
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", newline="") as file:
                    text = file.read()
                found[os.path.relpath(path, top)] = (resolve(text, language), bool(os.stat(path).st_mode & 0o100))
    return found


def resolve(text, language):
    lines = []
    for line in text.splitlines(keepends=True):
        only = ONLY.fullmatch(line)
        if not only:
            lines.append(line)
        elif language in only.group(1).split():
            lines.append(only.group(2))
    return "".join(lines)


def main():
    templates, output = sys.argv[1:3]
    parts = ["/* Made from templates/ by tools/embed_templates.py. */\n#include \"skill/scaffold_templates.h\"\n"]
    rows = []
    for language in LANGUAGES:
        files = sorted(files_of(templates, language).items())
        parts.append("static const struct scaffold_template %s_files[] = {\n" % language + "".join(
            "    {\"%s\", %s,\n%s,\n        %d},\n" % (path, "true" if executable else "false", literal(text.encode()),
                                                      len(text.encode()))
            for path, (text, executable) in files) + "};\n")
        rows.append("    {\"%s\", %s_files, %d},\n" % (language, language, len(files)))
    parts.append("const struct scaffold_language scaffold_languages[] = {\n%s};\n" % "".join(rows))
    parts.append("const size_t scaffold_language_count = %d;\n" % len(LANGUAGES))
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(parts))
    if len(sys.argv) > 3:
        # Folders too: a file that is added or removed changes them.
        needed = [place for top, _, names in os.walk(templates) for place in [top] + [os.path.join(top, name)
                                                                                       for name in names]]
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write("%s: %s\n" % (output, " ".join(path.replace(" ", "\\ ") for path in sorted(needed))))


if __name__ == "__main__":
    main()
