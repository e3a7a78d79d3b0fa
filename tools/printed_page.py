"""What the tools share that print a page of docs/, or a part of one, from the sources."""
import os
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def replace_between(text, marks, printed):
    """The page with `printed` between the two marks, which stay."""
    start, end = text.index(marks[0]) + len(marks[0]), text.index(marks[1])
    return text[:start] + printed + text[end:]


def main(path, page, source):
    """Writes the page at `path` as the function `page` gives it from the old text.  With --check it only says whether it
    is what `source` gives."""
    with open(path, encoding="utf-8") as file:
        old = file.read()
    new = page(old)
    if sys.argv[1:] == ["--check"]:
        sys.exit("%s is not what %s gives; run tools/%s" % (os.path.relpath(path, TREE), source,
                                                           os.path.basename(sys.argv[0])) if new != old else 0)
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)
