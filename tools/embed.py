#!/usr/bin/env python3
"""Writes files as constants of C:  tools/embed.py SOURCE NAME=FILE...

Each becomes `const char NAME[]`, byte for byte, with a NUL behind it; whoever uses it declares it in a header.
"""
import sys


def literal(data):
    """Lines of a string literal; what might be read as a trigraph or an escape is written in octal."""
    lines = []
    for line in data.splitlines(keepends=True) or [b""]:
        text = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\?' else "\\%03o" % c for c in line)
        lines.append('    "%s"' % text)
    return "\n".join(lines)


def main():
    source, *pairs = sys.argv[1:]
    parts = ["/* Made by tools/embed.py. */\n"]
    for pair in pairs:
        name, path = pair.split("=", 1)
        with open(path, "rb") as file:
            parts.append("extern const char %s[];\nconst char %s[] =\n%s;\n" % (name, name, literal(file.read())))
    with open(source, "w", encoding="ascii") as file:
        file.write("".join(parts))


if __name__ == "__main__":
    main()
