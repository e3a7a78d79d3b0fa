"""Running a shipped skill's program by itself, outside the sandbox, with the environment that the contract promises."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKILLS = ROOT / "skills"


class SkillTest(unittest.TestCase):
    folder = None  # of the skill, below skills/
    program = "main.py"

    def module(self):
        """The program as a module, for what cannot be reached through it in a test's time."""
        sys.dont_write_bytecode = True  # a skill's folder is what its digest says it is
        spec = importlib.util.spec_from_file_location("skill", SKILLS / self.folder / self.program)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="writ-skill-")
        self.addCleanup(folder.cleanup)
        self.scratch = pathlib.Path(folder.name)

    def run_bytes(self, document, path="/usr/local/bin:/usr/bin:/bin", wait_s=150):
        """Exit status, stdout, stderr of the program for these bytes."""
        home = self.scratch / "home"
        home.mkdir(exist_ok=True)
        done = subprocess.run([SKILLS / self.folder / self.program], input=document, capture_output=True,
                              cwd=SKILLS / self.folder, timeout=wait_s,
                              env={"PATH": path, "LANG": "C.UTF-8", "HOME": str(home)})
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def answer(self, document, **options):
        """The one JSON document of a program that ended well."""
        if not isinstance(document, bytes):
            document = json.dumps(document).encode()
        status, output, messages = self.run_bytes(document, **options)
        self.assertEqual(0, status, messages)
        answer = json.loads(output.decode("utf-8"))
        self.assertIn(answer["success"], (True, False))
        self.assertIn("data" if answer["success"] else "error", answer)
        return answer

    def data(self, document, **options):
        answer = self.answer(document, **options)
        self.assertTrue(answer["success"], str(answer)[:500])
        return answer["data"]

    def refusal(self, document, **options):
        answer = self.answer(document, **options)
        self.assertFalse(answer["success"], str(answer)[:500])
        self.assertTrue(answer["error"])
        return answer["error"]

    def file(self, name, content):
        path = self.scratch / name
        path.write_bytes(content)
        return os.fspath(path)


class TapResult(unittest.TestResult):
    """One line a test, in the Test Anything Protocol."""

    number = 0

    def line(self, test, word, note=""):
        self.number += 1
        print("%s %d - %s%s" % (word, self.number, test.id().split(".", 1)[-1], note), flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.line(test, "ok")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line(test, "ok", " # SKIP " + reason)

    def addError(self, test, error):
        super().addError(test, error)
        self.fault(test, self.errors[-1][1])

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.fault(test, self.failures[-1][1])

    def fault(self, test, text):
        self.line(test, "not ok")
        print("\n".join("# " + line[:1000] for line in text.splitlines()), flush=True)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = TapResult()
    suite.run(result)
    print("1..%d" % result.number)
    sys.exit(0 if result.wasSuccessful() else 1)
