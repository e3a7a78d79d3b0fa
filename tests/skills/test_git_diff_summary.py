"""com.example.git.diff-summary against repositories whose config and content are hostile (S4.2, S4.5)."""
import os
import shutil
import subprocess
import unittest

from support import SKILLS, SkillTest, main

SAMPLE = SKILLS / "com.example.git.diff-summary/assets/sample.git"

PROGRAMS_OF_A_CONFIG = (
    "core.fsmonitor", "core.pager", "pager.diff-tree", "core.sshCommand", "core.askPass", "core.editor",
    "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge",
    "filter.evil.process", "gpg.program", "credential.helper", "core.alternateRefsCommand",
    "uploadpack.packObjectsHook", "remote.origin.uploadpack", "core.gitProxy", "interactive.diffFilter",
)
HOOKS = ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman", "pre-auto-gc")


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class DiffSummary(SkillTest):
    folder = "com.example.git.diff-summary"

    def setUp(self):
        super().setUp()
        self.repository = self.scratch / "work"
        self.git_dir = self.repository / ".git"

    def git(self, *arguments, **options):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch), "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            environment.update({"GIT_%s_NAME" % role: "writ", "GIT_%s_EMAIL" % role: "writ@example.com",
                                "GIT_%s_DATE" % role: "2026-01-01T00:00:00Z"})
        return subprocess.run(["git", "-C", str(self.repository), *arguments], env=environment, check=True,
                              capture_output=True, timeout=60, **options).stdout

    def begin(self, **files):
        self.repository.mkdir()
        self.git("init", "-q", "-b", "main")
        self.commit(**files)

    def commit(self, **files):
        for name, content in files.items():
            (self.repository / name).write_text(content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")

    def summary(self, base="HEAD~1", **request):
        return self.data(dict(git_dir=str(self.git_dir), base=base, **request))

    # ---- what a good repository gives

    def test_sample(self):
        data = self.data({"git_dir": str(SAMPLE), "base": "v1"})
        self.assertEqual(["modified", "added", "renamed", "added", "deleted", "modified"],
                         [file["status"] for file in data["files"]])
        self.assertEqual((2, 0), (data["commits_ahead"], data["commits_behind"]))

    def test_totals_count_what_the_list_leaves_out(self):
        data = self.data({"git_dir": str(SAMPLE), "base": "v1", "max_files": 2})
        self.assertEqual((2, True, 6, 7), (len(data["files"]), data["truncated"], data["totals"]["files"],
                                           data["totals"]["additions"]))

    def test_branches_that_diverged(self):
        self.begin(a="1\n")
        self.git("checkout", "-q", "-b", "分支")
        self.commit(b="1\n")
        self.commit(c="1\n")
        self.git("checkout", "-q", "main")
        self.commit(d="1\n")
        data = self.summary(base="main", head="分支")
        self.assertEqual((2, 1), (data["commits_ahead"], data["commits_behind"]))

    def test_names_as_strange_as_files_may_have(self):
        names = [":colon", "tab\there", "line\nbreak", "-option", " ", "\u202eright-to-left", "\\xff", '"quoted"']
        self.begin()
        self.commit(**{name: "x\n" for name in names})
        self.assertEqual(sorted(names, key=os.fsencode), [file["path"] for file in self.summary()["files"]])

    def test_links_and_submodules(self):
        self.begin(a="file\n")
        (self.repository / "a").unlink()
        (self.repository / "a").symlink_to("/etc/passwd")
        self.git("update-index", "--add", "--cacheinfo", "160000,%s,module" % ("1" * 40))
        self.git("add", "a")
        self.git("commit", "-q", "-m", "change")
        self.assertEqual([("a", "type-changed"), ("module", "added")],
                         [(file["path"], file["status"]) for file in self.summary()["files"]])

    # ---- nothing that a repository names is run

    def trap(self):
        """A program that leaves a mark, and the test of whether it did."""
        mark = self.scratch / "mark"
        trap = self.scratch / "trap"
        trap.write_text("#!/bin/sh\n: >>%s\ncat /dev/null\n" % mark)
        trap.chmod(0o755)
        return str(trap), mark

    def hostile(self, trap):
        for name in PROGRAMS_OF_A_CONFIG:
            self.git("config", name, trap)
        for name in ("rev-parse", "rev-list", "diff-tree", "fetch"):
            self.git("config", "alias." + name, "!" + trap)
        self.git("config", "diff.trustExitCode", "true")
        self.git("config", "log.showSignature", "true")
        hooks = self.git_dir / "hooks"
        for name in HOOKS:
            hooks.mkdir(exist_ok=True)
            (hooks / name).unlink(missing_ok=True)
            shutil.copy(trap, hooks / name)
        (self.git_dir / "info").mkdir(exist_ok=True)
        (self.git_dir / "info/attributes").write_text("* diff=evil filter=evil\n")

    def test_programs_of_the_config_are_not_run(self):
        trap, mark = self.trap()
        self.begin(a="1\n", b="1\n")
        self.commit(a="2\n")
        self.hostile(trap)
        data = self.summary()
        self.assertEqual((1, 1, 1), (data["totals"]["files"], data["totals"]["additions"], data["totals"]["deletions"]))
        self.assertFalse(mark.exists())
        # The control: an everyday command in the same repository does run them.
        with self.assertRaises(subprocess.CalledProcessError):
            self.git("diff", "HEAD~1", "HEAD")
        self.assertTrue(mark.exists())

    def test_what_is_missing_is_not_fetched(self):
        trap, mark = self.trap()
        self.begin(a="1\n" * 100)
        self.commit(a="2\n" * 100)
        blob = self.git("rev-parse", "HEAD:a").decode().strip()
        here = str(self.scratch)
        for url in ("ext::" + trap, "ssh://host/x", here, "file://" + here, "https://127.0.0.1:1/"):
            self.hostile(trap)
            self.git("config", "core.repositoryformatversion", "1")
            self.git("config", "extensions.partialClone", "origin")
            self.git("config", "remote.origin.promisor", "true")
            self.git("config", "remote.origin.url", url)
            self.git("config", "protocol.allow", "always")
            self.git("config", "protocol.ext.allow", "always")
            (self.git_dir / "objects" / blob[:2] / blob[2:]).unlink(missing_ok=True)
            self.assertIn("cannot be compared", self.refusal({"git_dir": str(self.git_dir), "base": "HEAD~1"}))
            self.refusal({"git_dir": str(self.git_dir), "base": "1" * 40})
            self.assertFalse(mark.exists(), url)
        # The control: asking for the missing content in the ordinary way does run the program.
        self.git("config", "remote.origin.url", "ext::%s" % trap)
        with self.assertRaises(subprocess.CalledProcessError):
            self.git("cat-file", "blob", blob)
        self.assertTrue(mark.exists())

    def test_config_of_the_caller_is_not_read(self):
        trap, mark = self.trap()
        self.begin(a="1\n")
        self.commit(a="2\n")
        home = self.scratch / "home"
        home.mkdir()
        (home / ".gitconfig").write_text("[core]\n\tfsmonitor = %s\n\tpager = %s\n[broken\n" % (trap, trap))
        self.summary()
        self.assertFalse(mark.exists())

    # ---- what cannot be read is said

    def test_paths_that_are_no_repository(self):
        for path in (self.scratch, self.scratch / "missing", "/dev/null", "/proc/self/mem"):
            self.refusal({"git_dir": str(path), "base": "HEAD"})

    def test_linked_working_trees_are_explained(self):
        self.begin(a="1\n")
        self.git("worktree", "add", "-q", str(self.scratch / "linked"))
        path = str(self.scratch / "linked/.git")
        self.assertIn("linked working tree", self.refusal({"git_dir": path, "base": "HEAD"}))

    def test_a_working_tree_that_is_elsewhere_does_not_matter(self):
        self.begin(a="1\n")
        self.commit(a="2\n")
        self.git("config", "core.worktree", "/no/such/folder")
        self.assertEqual(1, self.summary()["totals"]["files"])

    def test_damaged_repositories(self):
        self.begin(a="1\n")
        self.commit(a="2\n")
        for name, content in (("config", "[core\nnonsense"), ("HEAD", "ref: ../../../etc/passwd\n"), ("HEAD", ""),
                              ("config", "[core]\n\trepositoryformatversion = 99\n"),
                              ("config", "[include]\n\tpath = config\n")):
            kept = (self.git_dir / name).read_bytes()
            (self.git_dir / name).write_text(content)
            self.refusal({"git_dir": str(self.git_dir), "base": "main~1"})
            (self.git_dir / name).write_bytes(kept)
        self.summary()
        shutil.rmtree(self.git_dir / "objects")
        (self.git_dir / "objects").mkdir()
        self.refusal({"git_dir": str(self.git_dir), "base": "main~1"})

    def test_commits_that_are_none(self):
        for name in ("nope", "v1..main", "^main", "v1^{tree}", "main@{99}", "@{-1}", "main^{/no such}", "..", "*", "?",
                     "0" * 40, "HEAD~999999999999999999999", "--all", "-h", "main:README.md", ":/Begin", "a b",
                     "a\nb", ""):
            self.refusal({"git_dir": str(SAMPLE), "base": name})
            self.refusal({"git_dir": str(SAMPLE), "base": "main", "head": name})

    def test_documents_that_the_runtime_would_have_refused(self):
        for document in (b"", b"{", b"[]", b"{}", b'{"base": 5}', b'{"base": "a\\u0000b"}', b'{"base": "\\ud800"}',
                         b'{"base": "a", "git_dir": ""}', b'{"base": "a", "git_dir": "a\\u0000b"}', b"\xff",
                         b'{"base": "a", "max_files": -1}', b'{"base": "a", "max_files": 10001}', b"[" * 60000,
                         b'{"base": "a", "max_files": true}', b'{"base": "a", "git_dir": "\\udcff"}', b" " * 70000):
            self.refusal(document)

    # ---- size

    def test_more_files_than_are_listed(self):
        self.repository.mkdir()
        self.git("init", "-q", "-b", "main")
        head = b"committer writ <writ@example.com> 0 +0000\ndata 1\nx\n"
        files = b"".join(b"M 100644 inline %s/%05d\ndata 2\nx\n\n" % (b"d" * 200, number) for number in range(12000))
        commit = b"commit refs/heads/main\n" + head
        self.git("fast-import", "--quiet", input=commit + b"\n" + commit + files)
        data = self.summary(base="main~1", head="main", max_files=10000)
        self.assertEqual({"files": 12000, "additions": 12000, "deletions": 0, "binary": 0}, data["totals"])
        self.assertTrue(data["truncated"])
        self.assertEqual(10000, len(data["files"]))
        data = self.summary(base="main~1", head="main")
        self.assertEqual(300, len(data["files"]))


if __name__ == "__main__":
    main()
