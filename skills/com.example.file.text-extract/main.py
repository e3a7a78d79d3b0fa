#!/usr/bin/env python3
"""com.example.file.text-extract: one JSON document on stdin, the text of one PDF or image on stdout.

What a file is, its first bytes say, never its name.  PDF goes through pdftotext (the text that the file itself holds:
confidence 1), PNG, JPEG and TIFF through tesseract (recognised text: the confidence it gives its own words).

A file that cannot be read as asked is an answer: success false and a sentence, exit status 0.  Whatever else goes
wrong is a bad exit status with a traceback, for then the program itself is at fault.

The file is hostile until proven otherwise: both tools run with a bounded output and one deadline for all of them.
"""
import json
import os
import re
import selectors
import stat
import struct
import subprocess
import sys
import time

INPUT_BYTES_MAX = 1 << 20
FILE_BYTES_MAX = 512 << 20
PAGES_MAX = 5000
TEXT_BYTES_MAX = 4 << 20  # of a tool's output
ANSWER_BYTES_MAX = 10 << 20  # the runtime's limit, checked here so that the caller learns the mend
MESSAGE_BYTES_MAX = 64 << 10
SECONDS_MAX = 110  # below the contract's timeout, so that it is this program that says what happened

TOO_MUCH_TEXT = "the file holds more text than one answer may carry; ask for fewer pages with max_pages"
DEFAULT_LANGUAGES = ("chi_sim", "eng")
PDFTOTEXT_NO_SUCH_PAGE = 99

# Control characters of a document mean nothing in its text.
CONTROL_CHARACTERS = {code: None for code in [*range(0x20), 0x7F] if code not in (0x09, 0x0A)}
# What is written without spaces: Han, kana and the punctuation of their width.
WIDE = re.compile("[\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
                  "\U00020000-\U0003ffff]")


class Refusal(Exception):
    """The file or the request cannot be served; the message is for the caller."""


# ---- running a tool ------------------------------------------------------------------------------------------------


class Tools:
    """Runs programs until one common deadline."""

    def __init__(self, seconds):
        self.deadline = time.monotonic() + seconds

    def run(self, arguments, output_bytes_max):
        """Exit status, stdout, stderr (its first part).  More output than allowed ends the program and is refused."""
        # OMP_THREAD_LIMIT: tesseract's threads cost more than they give on a page, and count as processes.
        environment = dict(os.environ, OMP_THREAD_LIMIT="1")
        try:
            process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=environment)
        except OSError as error:
            raise Refusal("%s cannot be started: %s" % (arguments[0], error.strerror))
        with process:
            try:
                output, messages = self.collect(process, output_bytes_max)
                return process.wait(max(0.0, self.deadline - time.monotonic())), output, messages
            except subprocess.TimeoutExpired:
                raise Refusal(self.late(arguments[0]))
            finally:
                process.kill()

    def collect(self, process, output_bytes_max):
        name = process.args[0]
        output, messages = bytearray(), bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stderr, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(0.0, self.deadline - time.monotonic()))
                if time.monotonic() >= self.deadline:
                    raise Refusal(self.late(name))
                for key, _ in ready:
                    chunk = os.read(key.fd, 65536)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is process.stderr:
                        messages += chunk[:MESSAGE_BYTES_MAX - len(messages)]
                    elif len(output) + len(chunk) > output_bytes_max:
                        raise Refusal(TOO_MUCH_TEXT)
                    else:
                        output += chunk
        return bytes(output), messages.decode("utf-8", "replace")

    @staticmethod
    def late(name):
        return "%s did not finish within %d seconds; ask for fewer pages with max_pages" % (name, SECONDS_MAX)


def last_line(path, messages):
    """What a tool said last, to be appended to a sentence."""
    lines = [line for line in messages.splitlines() if line.strip()]
    return ": " + lines[-1][:200].replace(path, "the file") if lines else ""


def clean(text):
    return text.replace("\f", "\n").translate(CONTROL_CHARACTERS).strip("\n")


# ---- PDF -----------------------------------------------------------------------------------------------------------


def pdftotext(tools, path, first, last):
    return tools.run(["pdftotext", "-enc", "UTF-8", "-eol", "unix", "-f", str(first), "-l", str(last), path, "-"],
                     TEXT_BYTES_MAX)


def pdf_has_page(tools, path, number):
    return pdftotext(tools, path, number, number)[0] != PDFTOTEXT_NO_SUCH_PAGE


def pdf_pages(tools, path, limit):
    """The text of each page.

    One run gives all pages, a form feed after each.  A damaged page gives none and a page's own text may hold one, so
    the count is checked at its end; if it is wrong, each page is asked for by itself, which is slow but certain.
    """
    status, output, messages = pdftotext(tools, path, 1, limit)
    if status != 0:
        raise Refusal(pdf_fault(path, status, messages))
    pages = output.decode("utf-8", "replace").split("\f")[:-1]
    count = len(pages)
    right = 0 < count <= limit and (count == 1 or pdf_has_page(tools, path, count)) and (
        count == limit or not pdf_has_page(tools, path, count + 1))
    if not right:
        pages = []
        size = 0
        while len(pages) < limit:
            status, output, _ = pdftotext(tools, path, len(pages) + 1, len(pages) + 1)
            if status != 0:
                break
            size += len(output)
            if size > TEXT_BYTES_MAX:
                raise Refusal(TOO_MUCH_TEXT)
            pages.append(output.decode("utf-8", "replace"))
    return [page(clean(text), 1.0) for text in pages]


def pdf_fault(path, status, messages):
    if "password" in messages.lower():
        return "the PDF is encrypted and needs a password"
    if status == 3:
        return "the PDF forbids copying its text"
    if status == PDFTOTEXT_NO_SUCH_PAGE:
        return "the PDF has no pages"
    return "the PDF cannot be read" + last_line(path, messages)


# ---- images --------------------------------------------------------------------------------------------------------


def installed_languages(tools):
    _, output, messages = tools.run(["tesseract", "--list-langs"], MESSAGE_BYTES_MAX)
    names = (output.decode("utf-8", "replace") + messages).split("\n")
    return [name for name in names if re.fullmatch(r"[A-Za-z0-9_]+", name) and name != "osd"]


def choose_languages(tools, wanted):
    installed = installed_languages(tools)
    missing = [name for name in wanted or [] if name not in installed]
    if missing:
        raise Refusal("no recognition data for %s is installed; installed: %s"
                      % (", ".join(missing), ", ".join(installed) or "none"))
    chosen = wanted or [name for name in DEFAULT_LANGUAGES if name in installed] or installed[:1]
    if not chosen:
        raise Refusal("tesseract has no recognition data for any language")
    return "+".join(chosen)


def tiff_page_count(file, limit):
    """Follows the chain of image directories; what is malformed ends it and is left for the reader to judge."""

    def number_at(place, code):
        form = order + code
        return struct.unpack(form, os.pread(file.fileno(), struct.calcsize(form), place))[0]

    order = "<" if os.pread(file.fileno(), 2, 0) == b"II" else ">"
    seen = set()
    try:
        big = number_at(2, "H") == 43
        link, entry_count, entry_bytes, place = ("Q", "Q", 20, 8) if big else ("I", "H", 12, 4)
        while len(seen) < limit:
            directory = number_at(place, link)
            if directory == 0 or directory in seen:
                break
            entries = number_at(directory, entry_count)
            seen.add(directory)
            place = directory + struct.calcsize(order + entry_count) + entries * entry_bytes
    except (struct.error, OverflowError, OSError):
        pass
    return max(1, len(seen))


def image_pages(tools, path, count, languages):
    """`count` is None for a format that holds one page only."""
    names = choose_languages(tools, languages)
    pages = []
    for number in range(1 if count is None else count):
        which = [] if count is None else ["-c", "tessedit_page_number=%d" % number]
        status, output, messages = tools.run(
            ["tesseract", path, "stdout", "-l", names, *which, "-c", "tessedit_create_tsv=1"], TEXT_BYTES_MAX)
        if status != 0:
            raise Refusal("page %d of the image cannot be read%s" % (number + 1, last_line(path, messages)))
        pages.append(recognised_page(output.decode("utf-8", "replace")))
    return pages


def recognised_page(table):
    """A page from tesseract's table of words: block, paragraph, line, word, …, confidence in percent, text."""
    lines, weights, confidences = [], 0, 0.0
    here = None
    for row in table.split("\n"):
        fields = row.split("\t")
        if len(fields) != 12 or fields[0] != "5" or not fields[11].strip():
            continue
        word = clean(fields[11]).strip()
        block, line = fields[2], tuple(fields[2:5])
        if here is None or line != here:
            if here is not None and block != here[0]:
                lines.append("")
            lines.append(word)
        else:
            # Words of Chinese and Japanese are found one by one, but are not written with spaces between them.
            joined = lines[-1] and word and WIDE.match(lines[-1][-1]) and WIDE.match(word[0])
            lines[-1] += ("" if joined else " ") + word
        here = line
        weights += len(word)
        confidences += len(word) * min(100.0, max(0.0, float(fields[10]))) / 100
    return page("\n".join(lines), confidences / weights if weights else 0.0)


# ---- the answer ----------------------------------------------------------------------------------------------------


def page(content, confidence):
    return {"content": content, "confidence": round(confidence, 3) if content.strip() else 0.0}


def kind_of(head):
    if b"%PDF-" in head[:1024]:  # readers accept what stands before it
        return "pdf"
    if head.startswith(b"\x89PNG\r\n\x1a\n") or head.startswith(b"\xff\xd8\xff"):
        return "image"
    if head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        return "tiff"
    raise Refusal("the file is no PDF, PNG, JPEG or TIFF: its content says so, whatever its name is")


def open_file(path):
    """A descriptor that is surely a regular file of bearable size: opening a FIFO or a device must not hang or act."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise Refusal("the file cannot be opened: %s" % (getattr(error, "strerror", None) or error))
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and 0 < status.st_size <= FILE_BYTES_MAX:
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise Refusal("the path names a directory, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise Refusal("the path names no regular file")
    raise Refusal("the file is empty" if status.st_size == 0
                  else "the file is larger than %d MiB" % (FILE_BYTES_MAX >> 20))


def extract(request):
    path = request["file_path"]
    limit = request.get("max_pages", 0) or PAGES_MAX + 1
    tools = Tools(SECONDS_MAX)
    with open_file(path) as file:
        path = os.path.abspath(path)  # never looks like an option or an address to the tools
        kind = kind_of(file.read(1024))
        if kind == "pdf":
            pages = pdf_pages(tools, path, limit)
        elif not request.get("ocr_enabled", True):
            raise Refusal("the file is an image and ocr_enabled is false: without recognition it holds no text")
        else:
            count = tiff_page_count(file, limit) if kind == "tiff" else None
            pages = image_pages(tools, path, count, request.get("languages"))
    if len(pages) > PAGES_MAX:
        raise Refusal("the file has more than %d pages; say with max_pages how many of them are wanted" % PAGES_MAX)

    contents = [one["content"] for one in pages]
    weights = [len(content) for content in contents]
    total = sum(weights)
    confidence = sum(one["confidence"] * weight for one, weight in zip(pages, weights)) / total if total else 0.0
    return {
        "text": "\n\n".join(content for content in contents if content),
        "pages": [dict(page_number=number, **one) for number, one in enumerate(pages, 1)],
        "empty_pages": sum(1 for content in contents if not content),
        "confidence": round(confidence, 3),
    }


def read_request():
    """The input schema was checked before; this guards a caller that comes without it."""
    document = sys.stdin.buffer.read(INPUT_BYTES_MAX + 1)
    if len(document) > INPUT_BYTES_MAX:
        raise Refusal("the input is larger than %d bytes" % INPUT_BYTES_MAX)
    try:
        request = json.loads(document.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Refusal("the input is not JSON: %s" % error)
    if not isinstance(request, dict) or not isinstance(request.get("file_path"), str) or not request["file_path"]:
        raise Refusal("the input must be an object with the string file_path")
    pages = request.get("max_pages", 0)
    if type(pages) is not int or not 0 <= pages <= PAGES_MAX:
        raise Refusal("max_pages must be a whole number from 0 to %d" % PAGES_MAX)
    if not isinstance(request.get("ocr_enabled", True), bool):
        raise Refusal("ocr_enabled must be true or false")
    languages = request.get("languages", [])
    if not isinstance(languages, list) or not all(isinstance(name, str) for name in languages) or len(languages) > 4:
        raise Refusal("languages must be a list of at most 4 names")
    return request


def encode(answer):
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def main():
    try:
        document = encode({"success": True, "data": extract(read_request())})
        if len(document) > ANSWER_BYTES_MAX:
            raise Refusal(TOO_MUCH_TEXT)
    except Refusal as refusal:
        document = encode({"success": False, "error": str(refusal)})
    sys.stdout.buffer.write(document)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
