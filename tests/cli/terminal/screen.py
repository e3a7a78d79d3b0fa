"""What a terminal makes of the bytes it is given: its screen, and which escape sequences came.

As much of an ECMA-48 terminal as programs that print lines need: line ends, wrapping at the last column (which waits for
the next character), scrolling, tabs, the sequences that move the cursor and erase, and wide and combining characters.
What it does not know it counts among `escapes` and passes over, so that a case can say which ones may come.
"""
import re
import unicodedata

# A control sequence; a string of the kinds OSC, DCS, PM, APC, SOS; any other escape.
ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\^-~])")
UNFINISHED_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]P^_X][^\x07\x1b]*\x1b?|[ -/]*)\Z")
TAB_COLUMNS = 8


def width(character):
    """Columns that a character takes."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def text_width(text):
    return sum(width(character) for character in text)


class Screen:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [[]]  # all lines ever begun, each a list of cells; the last `rows` of them are on the screen
        self.row = self.column = 0
        self.waits = False  # the last column is written, and the next character goes to the next line
        self.escapes = []
        self.rest = ""

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.column = min(self.column, columns - 1)
        self.waits = False

    def feed(self, text):
        """Takes text; an escape sequence that is cut off waits for its rest."""
        text = self.rest + text
        found = UNFINISHED_ESCAPE.search(text)
        self.rest = found.group() if found else ""
        text = text[:len(text) - len(self.rest)]
        at = 0
        while at < len(text):
            found = ESCAPE.match(text, at)
            if found:
                self.escape(found.group())
                at = found.end()
            else:
                self.put(text[at])
                at += 1

    def put(self, character):
        if character == "\r":
            self.column, self.waits = 0, False
        elif character == "\n":
            self.line_feed()
        elif character == "\b":
            self.column, self.waits = max(0, self.column - 1), False
        elif character == "\t":
            self.column = min(self.columns - 1, (self.column // TAB_COLUMNS + 1) * TAB_COLUMNS)
        elif character == "\a":
            self.escapes.append("\a")
        elif character < " " or "\x7f" <= character < "\xa0":
            self.escapes.append(character)
        else:
            self.write(character)

    def line_feed(self):
        self.waits = False
        self.row += 1
        while len(self.lines) <= self.row:
            self.lines.append([])

    def write(self, character):
        columns = width(character)
        if columns == 0:
            if self.column and len(self.lines[self.row]) >= self.column:
                self.lines[self.row][self.column - 1] += character
            return
        if self.waits or self.column + columns > self.columns:
            self.line_feed()
            self.column = 0
        line = self.lines[self.row]
        line += [" "] * (self.column + columns - len(line))
        for at in (self.column, self.column + columns - 1):
            self.split(line, at)
        line[self.column] = character
        if columns == 2:
            line[self.column + 1] = ""
        self.column += columns
        if self.column >= self.columns:
            self.column, self.waits = self.columns - 1, True

    @staticmethod
    def split(line, at):
        """Whoever writes over a half of a wide character takes away both."""
        if line[at] == "" and at > 0:
            line[at - 1] = line[at] = " "
        elif at + 1 < len(line) and line[at + 1] == "" and width(line[at][:1] or " ") == 2:
            line[at] = line[at + 1] = " "

    def escape(self, sequence):
        self.escapes.append(sequence)
        if not sequence.startswith("\x1b["):
            return
        final, given = sequence[-1], sequence[2:-1]
        if given[:1] in "<=>?" and given:
            return
        numbers = [int(number) if number.isdigit() else 0 for number in given.split(";")]
        count = max(1, numbers[0])
        top = max(0, len(self.lines) - self.rows)
        line = self.lines[self.row]
        if final in "ABCDGHfJK":
            self.waits = False
        if final == "A":
            self.row = max(top, self.row - count)
        elif final == "B":
            self.row = min(len(self.lines) - 1, self.row + count)
        elif final == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif final == "D":
            self.column = max(0, self.column - count)
        elif final == "G":
            self.column = min(self.columns, count) - 1
        elif final in "Hf":
            self.row = top + count - 1
            self.column = min(self.columns, max(1, numbers[1]) if len(numbers) > 1 else 1) - 1
            while len(self.lines) <= self.row:
                self.lines.append([])
        elif final == "K":
            self.erase(line, numbers[0])
        elif final == "J":
            self.erase(line, numbers[0])
            for other in self.lines[self.row + 1:] if numbers[0] == 0 else self.lines[top:] if numbers[0] == 2 else []:
                other.clear()

    def erase(self, line, how):
        if how == 0:
            del line[self.column:]
        elif how == 1:
            line[:self.column + 1] = [" "] * min(len(line), self.column + 1)
        else:
            line.clear()

    def history(self):
        """Every line from the beginning, as text, without the spaces at the ends."""
        return ["".join(line).rstrip() for line in self.lines]

    def shown(self):
        """The lines on the screen now."""
        return self.history()[-self.rows:]

    def current(self):
        """The text of the line that the cursor is in."""
        return "".join(self.lines[self.row]).rstrip()


def without_escapes(text):
    """The text alone, with plain line ends."""
    return ESCAPE.sub("", text).replace("\r\n", "\n")
