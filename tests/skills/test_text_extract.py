"""com.example.file.text-extract against files that nobody made by accident (S4.2, S4.5)."""
import os
import shutil
import struct
import sys
import unittest
import zlib

from support import ROOT, SKILLS, SkillTest, main

sys.path.insert(0, str(ROOT / "tools"))
from make_samples import assemble_pdf, stream  # noqa: E402

ASSETS = SKILLS / "com.example.file.text-extract/assets"
HAS_TOOLS = shutil.which("pdftotext") and shutil.which("tesseract")


def pdf(contents, font=None, count=None, kids=None):
    """One page for each content stream; None makes a page that is not there."""
    if kids is None:
        kids = b" ".join(b"%d 0 R" % (4 + 2 * index) for index in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(contents) if count is None else count, kids),
        font or b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for index, content in enumerate(contents):
        page = (b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "
                b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * index))
        objects.append(b"null" if content is None else page)
        objects.append(stream(b"", content or b""))
    return assemble_pdf(objects)


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def show(text):
    return b"BT /F1 18 Tf 72 700 Td (%s) Tj ET" % text


@unittest.skipUnless(HAS_TOOLS, "pdftotext and tesseract are not installed")
class TextExtract(SkillTest):
    folder = "com.example.file.text-extract"

    def extract(self, content, name="file", **request):
        return self.data(dict(file_path=self.file(name, content), **request))

    def refuse(self, content, **request):
        return self.refusal(dict(file_path=self.file("file", content), **request))

    # ---- what a good file gives

    def test_pdf_gives_its_pages_in_order(self):
        data = self.data({"file_path": str(ASSETS / "sample.pdf")})
        self.assertEqual([1, 2, 3], [page["page_number"] for page in data["pages"]])
        self.assertEqual([1.0] * 3, [page["confidence"] for page in data["pages"]])
        self.assertEqual("The end\n全文完", data["pages"][2]["content"])
        self.assertEqual("\n\n".join(page["content"] for page in data["pages"]), data["text"])

    def test_relative_path_is_taken_from_the_working_folder(self):
        self.assertIn("季度报告", self.data({"file_path": "assets/sample.pdf"})["text"])

    def test_image_gives_recognised_words_and_their_confidence(self):
        data = self.data({"file_path": str(ASSETS / "sample.png")})
        self.assertEqual("Delivery note\nTotal amount 1280\n货物已经收到\n请核对数量和价格", data["text"])
        self.assertTrue(0.6 < data["confidence"] < 1.0, data["confidence"])

    def test_content_decides_and_not_the_name(self):
        self.assertIn("季度报告", self.extract((ASSETS / "sample.pdf").read_bytes(), name="photo.png")["text"])
        self.assertIn("货物已经收到", self.extract((ASSETS / "sample.png").read_bytes(), name="paper.pdf")["text"])

    def test_a_page_without_text_has_no_confidence(self):
        data = self.extract(pdf([show(b"words"), b""]))
        self.assertEqual([1.0, 0.0], [page["confidence"] for page in data["pages"]])
        self.assertEqual((1, 1.0, "words"), (data["empty_pages"], data["confidence"], data["text"]))
        data = self.extract(pdf([b"", b""]))
        self.assertEqual((2, 0.0, ""), (data["empty_pages"], data["confidence"], data["text"]))

    def test_max_pages(self):
        three = pdf([show(b"one"), show(b"two"), show(b"three")])
        for asked, given in ((0, 3), (1, 1), (2, 2), (3, 3), (4, 3), (5000, 3)):
            self.assertEqual(given, len(self.extract(three, max_pages=asked)["pages"]), asked)

    def test_names_that_look_like_something_else(self):
        for name in ("-l", "http:", "a b\n;$(id)", "文件"):
            self.assertEqual("words", self.extract(pdf([show(b"words")]), name=name)["text"])

    # ---- page numbers stay right

    def test_form_feeds_inside_a_page_make_no_pages(self):
        font = (b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 20 0 R >>")
        cmap = (b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> "
                b"endcodespacerange 1 beginbfchar <42> <000c> endbfchar endcmap end end")
        contents = [show(b"A B B C"), show(b"last")] + [b""] * 7
        document = pdf(contents, font=font, count=2, kids=b"4 0 R 6 0 R")
        # Object 20 is a page that nothing refers to; the map takes its place.
        document = document.replace(document[document.index(b"20 0 obj"):document.index(b"21 0 obj")],
                                    b"20 0 obj\n" + stream(b"", cmap) + b"\nendobj\n")
        data = self.extract(document)
        self.assertEqual(2, len(data["pages"]))
        self.assertEqual("last", data["pages"][1]["content"])
        self.assertNotIn("\f", data["text"])
        self.assertEqual(1, len(self.extract(document, max_pages=1)["pages"]))

    def test_a_damaged_page_takes_no_other_with_it(self):
        # pdftotext counts three pages, finds two, and numbers what it found.
        data = self.extract(pdf([show(b"one"), None, show(b"three")]))
        self.assertEqual(["one", "three", ""], [page["content"] for page in data["pages"]])

    # ---- what cannot be read is said

    def test_no_such_file(self):
        self.assertIn("No such file", self.refusal({"file_path": str(self.scratch / "missing.pdf")}))

    def test_other_kinds_of_files(self):
        os.mkfifo(self.scratch / "fifo")
        for path, message in ((self.scratch, "directory"), (self.scratch / "fifo", "no regular file"),
                              ("/dev/zero", "no regular file")):
            self.assertIn(message, self.refusal({"file_path": str(path)}))

    def test_empty_and_enormous_files(self):
        self.assertIn("empty", self.refuse(b""))
        path = self.file("enormous", b"%PDF-1.4\n")
        os.truncate(path, 2 << 30)
        self.assertIn("512 MiB", self.refusal({"file_path": path}))

    def test_what_is_no_document(self):
        for content in (b"plain text", b"\x7fELF", b"GIF89a", b"RIFF0000WEBP", b"\0" * 4096, "PDF-文".encode()):
            self.assertIn("no PDF, PNG, JPEG or TIFF", self.refuse(content))

    def test_a_list_of_file_names_is_no_image(self):
        # tesseract reads a text file as a list of images to open.
        self.refuse(b"/etc/hostname\n" + str(ASSETS / "sample.png").encode() + b"\n")

    def test_broken_files(self):
        for content in (b"%PDF-1.4", b"%PDF-1.7\n" + b"\xff" * 5000, (ASSETS / "sample.png").read_bytes()[:4000],
                        b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*\xff\xff\xff\xff"):
            self.assertIn("cannot be read", self.refuse(content), content[:20])

    def test_no_pages(self):
        self.refuse(pdf([]))

    def test_encrypted(self):
        plain = pdf([show(b"secret")])
        lock = (b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>] "
                % (b"11" * 32, b"22" * 32))
        self.assertIn("password", self.refuse(plain.replace(b"/Root 1 0 R", lock + b"/Root 1 0 R")))

    def test_no_recognition_wanted(self):
        self.assertIn("ocr_enabled", self.refuse((ASSETS / "sample.png").read_bytes(), ocr_enabled=False))
        self.assertIn("季度报告", self.extract((ASSETS / "sample.pdf").read_bytes(), ocr_enabled=False)["text"])

    def test_languages(self):
        self.assertEqual("Delivery note", self.extract((ASSETS / "sample.png").read_bytes(), languages=["eng"])
                         ["text"].split("\n")[0])
        for name in ("xyz", "../eng", "-v", "eng+chi_sim", "osd"):
            self.assertIn("no recognition data", self.refuse((ASSETS / "sample.png").read_bytes(), languages=[name]))

    # ---- bombs

    def test_page_counts_that_lie(self):
        for count in (-1, 0, 2, 1000, 1000000000, 1 << 70):
            answer = self.answer({"file_path": self.file("lie", pdf([show(b"words")], count=count))})
            if answer["success"]:
                self.assertLessEqual(len(answer["data"]["pages"]), 5000)

    def test_more_pages_than_an_answer_holds(self):
        many = pdf([b""] * 5001)
        self.assertIn("more than 5000 pages", self.refuse(many))
        self.assertEqual(5000, self.extract(many, max_pages=5000)["empty_pages"])

    def test_a_page_tree_that_bites_its_tail(self):
        self.answer({"file_path": self.file("loop", pdf([show(b"words")], count=3, kids=b"2 0 R 4 0 R 2 0 R"))})

    def test_too_much_text(self):
        line = b"BT /F1 1 Tf %d %d Td (" + b"abcdefgh " * 60 + b") Tj ET\n"
        much = b"".join(line % (row % 7, row % 797) for row in range(800))
        self.assertIn("max_pages", self.refuse(pdf([much] * 200)))

    def test_directories_of_a_tiff_that_never_end(self):
        loop = b"II*\0" + struct.pack("<I", 8) + struct.pack("<HI", 0, 8)
        self.assertIn("page 1", self.refuse(loop))
        chain = b"II*\0" + struct.pack("<I", 8)
        for number in range(6000):
            chain += struct.pack("<HI", 0, 8 + 6 * (number + 1))
        self.assertIn("page 1", self.refuse(chain))

    def test_a_picture_far_larger_than_its_file(self):
        size = struct.pack(">IIBBBBB", 30000, 30000, 8, 2, 0, 0, 0)
        rows = zlib.compress(b"\0" * 100000)
        content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
        self.assertIn("cannot be read", self.refuse(content))

    def test_a_tool_that_takes_for_ever(self):
        skill = self.module()
        for script in ("exec sleep 1000", "exec >&- 2>&-; exec sleep 1000", "while :; do echo x >&2; done"):
            with self.assertRaisesRegex(skill.Refusal, "did not finish"):
                skill.Tools(0.3).run(["sh", "-c", script], 1000)

    def test_a_tool_that_never_stops_talking(self):
        skill = self.module()
        with self.assertRaisesRegex(skill.Refusal, "max_pages"):
            skill.Tools(100).run(["sh", "-c", "while :; do echo words; done"], 100000)
        status, output, messages = skill.Tools(100).run(
            ["sh", "-c", "head -c 1000000 /dev/zero >&2; printf done; exit 3"], 1000)
        self.assertEqual((3, b"done", skill.MESSAGE_BYTES_MAX), (status, output, len(messages)))

    # ---- the document on stdin

    def test_documents_that_the_runtime_would_have_refused(self):
        for document in (b"", b"{", b"[]", b"5", b"null", b'{"file_path": 5}', b'{"file_path": ""}', b"\xff\xfe",
                         b'{"file_path": "a\\u0000b"}', b'{"file_path": "\\ud800"}', b"[" * 100000,
                         b'{"file_path": "a", "max_pages": -1}', b'{"file_path": "a", "max_pages": 5001}',
                         b'{"file_path": "a", "max_pages": 1.5}', b'{"file_path": "a", "max_pages": true}',
                         b'{"file_path": "a", "ocr_enabled": "no"}', b'{"file_path": "a", "languages": "eng"}',
                         b'{"file_path": "a", "languages": [1]}', b" " * (1 << 20) + b"{}"):
            self.refusal(document)

    def test_a_tool_that_is_not_there(self):
        os.symlink(sys.executable, self.scratch / "python3")
        os.symlink("/usr/bin/env", self.scratch / "env")
        error = self.refusal({"file_path": str(ASSETS / "sample.pdf")}, path=str(self.scratch))
        self.assertIn("pdftotext cannot be started", error)


if __name__ == "__main__":
    main()
