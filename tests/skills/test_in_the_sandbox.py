"""The shipped skills under their contracts, through the command:  test_in_the_sandbox.py WRIT  (S1.4, S4.3, S4.10).

Each skill's own tests are run as everybody would run them; beside them stands what a skill's own tests cannot hold.
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

from support import SKILLS, SkillTest, main

WRIT = os.path.abspath(sys.argv[1])
IDS = sorted(path.name for path in SKILLS.iterdir() if path.is_dir())


class InTheSandbox(SkillTest):
    def writ(self, *arguments, document=b"", folder=None):
        home = self.scratch / "home"
        home.mkdir(exist_ok=True)
        done = subprocess.run([WRIT, *arguments], input=document, capture_output=True, timeout=250, cwd=folder,
                              env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home)})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def run_skill(self, name, folder=None, **request):
        """The envelope of a call."""
        _, output, messages = self.writ("run", name, "--skills", str(SKILLS), "--input", "-", "--json",
                                        document=json.dumps(request).encode(), folder=folder or self.scratch)
        self.assertTrue(output, messages)
        return json.loads(output)

    def fault(self, name, **request):
        envelope = self.run_skill(name, **request)
        self.assertIsNotNone(envelope["error"], str(envelope)[:500])
        return envelope["outcome"], envelope["error"]["class"]

    def test_contracts_are_without_a_finding(self):
        for name in IDS:
            status, output, messages = self.writ("lint", str(SKILLS / name))
            self.assertEqual((0, "0 errors, 0 warnings"), (status, (output + messages).strip()), name)

    def test_their_own_tests_pass(self):
        for name in IDS:
            status, output, messages = self.writ("test", str(SKILLS / name))
            self.assertEqual(0, status, output + messages)
            self.assertIn(", 0 failed", output + messages)

    def test_a_text_at_its_limit_and_over_it(self):
        envelope = self.run_skill("com.example.text.stats", text="字" * 100000)
        self.assertEqual(300000, envelope["output"]["data"]["bytes"])
        self.assertEqual(("refused", "input:invalid"), self.fault("com.example.text.stats", text="a" * 100001))

    def test_the_repository_of_the_working_folder(self):
        work = self.scratch / "work"
        shutil.copytree(SKILLS / "com.example.git.diff-summary/assets/sample.git", work / ".git")
        envelope = self.run_skill("com.example.git.diff-summary", folder=work, base="v1")
        self.assertEqual(6, envelope["output"]["data"]["totals"]["files"], envelope)
        # Under a repository whose objects lie beyond what was granted, nothing is read from there.
        (work / ".git/objects/info").mkdir(exist_ok=True)
        (work / ".git/objects/pack").rename(self.scratch / "pack")
        (work / ".git/objects/info/alternates").write_text(str(self.scratch) + "\n")
        self.assertEqual(("failed", "program:reported"),
                         self.fault("com.example.git.diff-summary", git_dir=str(work / ".git"), base="v1"))
        # The control: outside the sandbox git does find them.
        subprocess.run(["git", "--git-dir", str(work / ".git"), "cat-file", "-e", "v1^{commit}"], check=True)

    def test_a_file_that_only_its_owner_may_read(self):
        path = self.scratch / "own.pdf"
        shutil.copy(SKILLS / "com.example.file.text-extract/assets/sample.pdf", path)
        path.chmod(0o600)
        envelope = self.run_skill("com.example.file.text-extract", file_path="own.pdf", max_pages=1)
        self.assertIn("季度报告", envelope["output"]["data"]["text"], envelope)

    def test_paths_that_are_refused_before_the_start(self):
        (self.scratch / "link.pdf").symlink_to("/etc/passwd")
        for path in ("link.pdf", "missing.pdf", "missing/a.pdf"):
            self.assertEqual(("refused", "filesystem:denied"),
                             self.fault("com.example.file.text-extract", file_path=path), path)

    def test_a_file_that_names_others(self):
        # tesseract reads a text file as a list of images to open; the skill refuses it before that.
        self.file("list.png", b"/etc/hostname\n")
        self.assertEqual(("failed", "program:reported"),
                         self.fault("com.example.file.text-extract", file_path="list.png"))


if __name__ == "__main__":
    main()
