#!/usr/bin/env python3
"""com.example.git.diff-summary: one JSON document on stdin, what changed between two commits on stdout.

Theory of operation.  A repository is other people's bytes, its config file included, and git runs programs that a
config names: pagers, hooks, file system monitors, external diffs, text converters, transports of a partial clone.  So
nothing that could run one is reached: only plumbing commands are used, which look at commits and trees and neither at
an index nor at a working tree; every switch that starts a program is turned off on the command line, which wins over
the repository's config; user and system config are not read; fetching what is missing is forbidden in two ways, for
old versions of git know only the second, no protocol being allowed.

A repository or commit that cannot be read as asked is an answer: success false and a sentence, exit status 0.  Whatever
else goes wrong is a bad exit status with a traceback, for then the program itself is at fault.
"""
import json
import os
import re
import selectors
import subprocess
import sys
import time

INPUT_BYTES_MAX = 64 << 10
GIT_OUTPUT_BYTES_MAX = 32 << 20
MESSAGE_BYTES_MAX = 16 << 10
LIST_BYTES_MAX = 4 << 20  # of the files in the answer; a skill's output is limited to 10 MiB by default
FILES_MAX, FILES_DEFAULT = 10000, 300
RENAMES_MAX = 400  # finding renames costs the square of this
SECONDS_MAX = 50  # below the contract's timeout, so that it is this program that says what happened

COMMIT = re.compile(r"[^-:\s\x00-\x1f\x7f][^:\s\x00-\x1f\x7f]{0,199}")
STATUSES = {"A": "added", "C": "copied", "D": "deleted", "M": "modified", "R": "renamed", "T": "type-changed"}

CONFIG = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.pager=cat",
    "core.sshCommand=false", "core.gitProxy=", "core.askPass=", "credential.helper=", "diff.external=",
    "gpg.program=false",
    # Packs are mapped in small pieces: memory is limited, and address space with it.
    "core.packedGitWindowSize=16m", "core.packedGitLimit=128m", "core.deltaBaseCacheLimit=32m",
]


class Refusal(Exception):
    """The repository or the request cannot be served; the message is for the caller."""


# ---- git -----------------------------------------------------------------------------------------------------------


class Git:
    def __init__(self, git_dir):
        self.deadline = time.monotonic() + SECONDS_MAX
        self.git_dir = git_dir
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": "/nonexistent",
            "GIT_DIR": git_dir,
            "GIT_WORK_TREE": git_dir,  # there is none; core.worktree of the config must not be looked for
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_ATTR_NOSYSTEM": "1", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0",
        }

    def run(self, *arguments):
        """Exit status, stdout, last line of stderr."""
        command = ["git", "--no-pager"]
        for setting in CONFIG:
            command += ["-c", setting]
        try:
            process = subprocess.Popen([*command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=self.environment, cwd=self.git_dir)
        except OSError as error:
            raise Refusal("git cannot be started in this repository: %s" % error.strerror)
        with process:
            try:
                output, messages = self.collect(process)
                status = process.wait(max(0.0, self.deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise Refusal(LATE)
            finally:
                process.kill()
        lines = [line for line in messages.decode("utf-8", "replace").splitlines() if line.strip()]
        return status, output, lines[-1][:300] if lines else "no reason given"

    def collect(self, process):
        output, messages = bytearray(), bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stderr, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(0.0, self.deadline - time.monotonic()))
                if time.monotonic() >= self.deadline:
                    raise Refusal(LATE)
                for key, _ in ready:
                    chunk = os.read(key.fd, 65536)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is process.stderr:
                        messages += chunk[:MESSAGE_BYTES_MAX - len(messages)]
                    elif len(output) + len(chunk) > GIT_OUTPUT_BYTES_MAX:
                        raise Refusal("too many files differ between the two commits")
                    else:
                        output += chunk
        return bytes(output), messages

    def commit_id(self, name):
        status, output, message = self.run("rev-parse", "--verify", "--quiet", name + "^{commit}")
        if status == 1:
            raise Refusal("%s names no commit of this repository" % name)
        if status != 0:
            raise Refusal("the repository cannot be read: %s" % message)
        return output.decode("ascii").strip()

    def counts(self, base, head):
        status, output, message = self.run("rev-list", "--count", "--left-right", base + "..." + head, "--")
        if status != 0:
            raise Refusal("the history cannot be read: %s" % message)
        behind, ahead = output.split()[:2]
        return int(ahead), int(behind)

    def changes(self, base, head):
        status, output, message = self.run(
            "diff-tree", "-r", "-z", "--raw", "--numstat", "-M", "-l%d" % RENAMES_MAX, "--no-ext-diff", "--no-textconv",
            "--no-color", "--ignore-submodules=none", base, head, "--")
        if status != 0:
            raise Refusal("the two commits cannot be compared: %s" % message)
        return parse_changes(output)


LATE = "git did not finish within %d seconds" % SECONDS_MAX


def parse_changes(output):
    """From records of kind `:modes ids status NUL path NUL`, then as many of `added TAB deleted TAB path NUL` in the
    same order; a rename has two paths, in the second kind after an empty one."""
    tokens = iter(output.split(b"\0")[:-1])
    files, index = [], 0
    for token in tokens:
        if token.startswith(b":"):
            letter = token.rsplit(b" ", 1)[1][:1].decode("ascii")
            file = {"path": next(tokens), "status": STATUSES.get(letter, "other")}
            if letter in "RC":
                file["old_path"], file["path"] = file["path"], next(tokens)
            files.append(file)
            continue
        additions, deletions, path = token.split(b"\t", 2)
        if not path:
            next(tokens)
            path = next(tokens)
        file, index = files[index], index + 1
        if path != file["path"]:
            raise ValueError("git gave its two lists of files in different orders")
        file["binary"] = additions == b"-"
        file["additions"], file["deletions"] = (0, 0) if file["binary"] else (int(additions), int(deletions))
    if index != len(files):
        raise ValueError("git gave two lists of files of different lengths")
    return files


# ---- the answer ----------------------------------------------------------------------------------------------------


def readable(path):
    """Names are bytes to git; one that is no UTF-8 shows those bytes as \\xNN."""
    return path.decode("utf-8", "backslashreplace")


def summarise(request):
    git_dir = os.path.abspath(request.get("git_dir", ".git"))
    if os.path.isfile(git_dir):
        raise Refusal("git_dir is a file: of a linked working tree or submodule; name the directory that it points to")
    if not os.path.isdir(git_dir):
        raise Refusal("git_dir is no directory, or cannot be seen")
    git = Git(git_dir)
    base = git.commit_id(request["base"])
    head = git.commit_id(request.get("head", "HEAD"))
    ahead, behind = git.counts(base, head)
    changes = git.changes(base, head)

    files, size = [], 0
    for change in changes[:request.get("max_files", FILES_DEFAULT)]:
        file = {key: readable(value) if isinstance(value, bytes) else value for key, value in change.items()}
        size += len(json.dumps(file))
        if size > LIST_BYTES_MAX:
            break
        files.append(file)
    return {
        "base": base,
        "head": head,
        "commits_ahead": ahead,
        "commits_behind": behind,
        "files": files,
        "truncated": len(files) < len(changes),
        "totals": {
            "files": len(changes),
            "additions": sum(change["additions"] for change in changes),
            "deletions": sum(change["deletions"] for change in changes),
            "binary": sum(change["binary"] for change in changes),
        },
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
    if not isinstance(request, dict):
        raise Refusal("the input must be an object")
    for name, value in (("base", request.get("base")), ("head", request.get("head", "HEAD"))):
        if not isinstance(value, str) or not COMMIT.fullmatch(value):
            raise Refusal("%s must name a commit, without spaces and colons and no option" % name)
    path = request.get("git_dir", ".git")
    if not isinstance(path, str) or not path or "\0" in path:
        raise Refusal("git_dir must be a path")
    files = request.get("max_files", FILES_DEFAULT)
    if type(files) is not int or not 0 <= files <= FILES_MAX:
        raise Refusal("max_files must be a whole number from 0 to %d" % FILES_MAX)
    try:
        (path + request["base"] + request.get("head", "")).encode("utf-8")
    except UnicodeEncodeError:
        raise Refusal("the input holds half a character")
    return request


def encode(answer):
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def main():
    try:
        document = encode({"success": True, "data": summarise(read_request())})
    except Refusal as refusal:
        document = encode({"success": False, "error": str(refusal)})
    sys.stdout.buffer.write(document)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
