"""com.example.text.stats: its strict reader and its counts (S4.2).  Built here, with the sanitizers where they are."""
import json
import os
import random
import shutil
import subprocess
import tempfile
import unittest

from support import SKILLS, SkillTest, main

SOURCE = SKILLS / "com.example.text.stats/main.c"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
WARNINGS = ["-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wsign-conversion", "-Wshadow"]


@unittest.skipUnless(COMPILER, "no C compiler is installed")
class TextStats(SkillTest):
    folder = "com.example.text.stats"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="writ-skill-")
        cls.addClassCleanup(folder.cleanup)
        cls.program = os.path.join(folder.name, "main")
        build = [COMPILER, *WARNINGS, "-O1", "-g", "-o", cls.program, str(SOURCE)]
        checked = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        if subprocess.run([*build, *checked], capture_output=True).returncode != 0:
            subprocess.run(build, check=True)

    def count(self, text):
        data = self.data({"text": text})
        return tuple(data[name] for name in ("bytes", "characters", "words", "lines", "longest_line"))

    def test_counts(self):
        for text, expected in (
            ("", (0, 0, 0, 0, 0)), ("a", (1, 1, 1, 1, 1)), ("\n", (1, 1, 0, 1, 0)), ("\n\n", (2, 2, 0, 2, 0)),
            ("a\r\nb", (4, 4, 2, 2, 1)), ("a\rb\n", (4, 4, 2, 2, 1)), ("\r\r\n\n", (4, 4, 0, 3, 0)),
            ("two words", (9, 9, 2, 1, 9)),
            ("  a\tb\u00a0c\u2003d  ", (14, 11, 4, 1, 11)), ("don't stop", (10, 10, 2, 1, 10)),
            ("你好，世界", (15, 5, 4, 1, 5)), ("用C写", (7, 3, 3, 1, 3)), ("カタカナ・ひらがな", (27, 9, 8, 1, 9)),
            ("한국어 말", (13, 5, 2, 1, 5)),
            ("𠀀𠀁", (8, 2, 2, 1, 2)), ("😀", (4, 1, 1, 1, 1)), ("\0", (1, 1, 1, 1, 1)), ("é", (2, 1, 1, 1, 1)),
        ):
            self.assertEqual(expected, self.count(text), ascii(text))

    def test_escapes_and_plain_characters_are_one(self):
        for text in ("\"\\/\b\f\n\r\t", "😀", "é中", "\x7f"):
            plain = json.dumps({"text": text}, ensure_ascii=False).encode()
            escaped = b"".join(b"\\u%04X" % int.from_bytes(unit, "big") for unit in units(text))
            self.assertEqual(self.data(plain), self.data(b'{"\\u0074ext":"' + escaped + b'"}'))
        self.assertEqual(self.data(b'{"text":"/"}'), self.data(b' \t\r\n{ "text" :\n"\\/" } \n'))

    def test_texts_longer_than_a_buffer(self):
        self.assertEqual((3000000, 1000000, 1000000, 1, 1000000), self.count("字" * 1000000))
        for length in range(65520, 65540):  # characters that lie across the edge of one
            self.assertEqual((length + 4, length + 1, 1, 1, length + 1), self.count("a" * length + "😀"))

    def test_documents_that_are_refused(self):
        for document in (
            b"", b" ", b"{", b"{}", b"[]", b"null", b'"text"', b'{"text"', b'{"text":', b'{"text":"', b'{"text":"a"',
            b'{"text":5}', b'{"text":null}', b'{"text":["a"]}', b'{"text":"a",}', b'{"text":"a","text":"b"}',
            b'{"text":"a","more":1}', b'{"other":"a"}', b'{"texts":"a"}', b'{"tex":"a"}', b'{"":"a"}', b"{'text':'a'}",
            b'{"text":"a"}{}', b'{"text":"a"} x', b'{"text":"a"}\0', b'\xef\xbb\xbf{"text":"a"}', b'{text:"a"}',
        ):
            self.refusal(document)

    def test_strings_that_are_refused(self):
        for string in (
            b"\n", b"\x00", b"\x1f", b"\\", b"\\x41", b"\\u", b"\\u12", b"\\u12g4", b"\\ud800", b"\\udc00",
            b"\\ud800\\u0041", b"\\ud800x", b"\\ud800\\n", b"\\u+123", b"\x80", b"\xc0\x80", b"\xc1\xbf",
            b"\xc3", b"\xe0\x80\x80", b"\xe4\xb8", b"\xed\xa0\x80", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80",
            b"\xf5\x80\x80\x80", b"\xff", b"\xc3\"", b"\xe4\xb8\xad\xad",
        ):
            self.refusal(b'{"text":"a' + string + b'"}')

    def test_it_agrees_with_python_about_what_is_json(self):
        chance = random.Random(1)  # the same documents in every run
        good = [json.dumps({"text": "a\"\\\n中😀 é"}, ensure_ascii=False).encode(), b'{"text":"\\ud83d\\ude00\\u00e9"}']
        for _ in range(150):
            document = bytearray(chance.choice(good))
            for _ in range(chance.randrange(3)):
                document[chance.randrange(len(document))] = chance.choice(chance.choice(good))
            answer = self.answer(bytes(document))
            self.assertEqual(accepted(bytes(document)), answer["success"], document)

    def test_reading_and_writing_that_fail(self):
        with open("/dev/full", "wb") as full:
            self.assertEqual(1, subprocess.run([self.program], input=b'{"text":""}', stdout=full,
                                               stderr=subprocess.DEVNULL).returncode)
        folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
        try:
            self.assertEqual(1, subprocess.run([self.program], stdin=folder, capture_output=True).returncode)
        finally:
            os.close(folder)


def units(text):
    encoded = text.encode("utf-16-be")
    return [encoded[place:place + 2] for place in range(0, len(encoded), 2)]


def accepted(document):
    """What Python takes for JSON, with the strictness that it leaves out."""
    try:
        pairs = json.loads(document.decode("utf-8"), object_pairs_hook=list)
        if not isinstance(pairs, list) or len(pairs) != 1 or type(pairs[0]) is not tuple or pairs[0][0] != "text":
            return False
        return isinstance(pairs[0][1], str) and bool(pairs[0][1].encode("utf-8") or True)
    except ValueError:
        return False


if __name__ == "__main__":
    main()
