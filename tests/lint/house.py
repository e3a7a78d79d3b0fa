"""What belongs to each thing of the house: a command has a session, a schema keyword a test, a stored format a version.

Each check takes a Tree, a copy of the project in memory, and returns what is missing.  The checks are functions whose
names are their titles (`commands_have_examples`); CONTRIBUTING.md names each.  Each stands with its controls, changes to
the copy that it must notice (check_house.py).
"""
import json
import os
import re
import subprocess

from sources import all_files, read

CHECKS = []


class Tree:
    """The texts of the project by name, and the commands as `writ help --json` prints them."""

    def __init__(self, texts, commands):
        self.texts, self.commands = texts, commands

    @classmethod
    def of_project(cls, writ):
        printed = subprocess.run([writ, "help", "--json"], check=True, stdout=subprocess.PIPE).stdout
        return cls({name: read(name) for name in all_files()}, json.loads(printed)["commands"])

    def changed(self, name, old, new):
        """A copy in which `old`, which must be there, is `new`."""
        text = self.texts.get(name, "")
        if old not in text:
            raise ValueError("%s does not hold %r: the control no longer fits" % (name, old))
        return self.with_file(name, text.replace(old, new))

    def with_file(self, name, text):
        return Tree(dict(self.texts, **{name: text}), self.commands)

    def without(self, pattern):
        return Tree({name: text for name, text in self.texts.items() if not re.fullmatch(pattern, name)}, self.commands)

    def with_command(self, **fields):
        command = dict({"name": "dance", "summary": "turn around", "examples": [{"line": "writ dance"}], "options": []},
                       **fields)
        return Tree(self.texts, self.commands + [command])

    def names(self, pattern):
        return sorted(name for name in self.texts if re.fullmatch(pattern, name))

    def joined(self, pattern):
        return "\n".join(self.texts[name] for name in self.names(pattern))


def check(*controls):
    """Registers a check with its controls: functions that take the tree and give a copy in which the check finds a fault."""
    def register(function):
        CHECKS.append((function, controls))
        return function
    return register


# ---- commands ----

def sessions(tree):
    """(command, what follows it) of each call of writ in a session of tests/cli or of a document; of a test in Python
    that names the command, all of it."""
    names = sorted((command["name"] for command in tree.commands), key=len, reverse=True)
    call = re.compile(r"\bwrit(?: -\S+)* (%s)(?![\w-])(.*)" % "|".join(re.escape(name) for name in names))
    for name in tree.names(r"tests/(cli|whole)/.*\.py"):
        for command in names:
            if ", ".join('"%s"' % word for word in command.split()) in tree.texts[name]:
                yield command, tree.texts[name]
        for found in call.finditer(tree.texts[name]):
            yield found.group(1), found.group(2)
    for name in tree.names(r"tests/cli/.*\.t|docs/(?!cli\.)[^/]+\.md|README\.md"):
        for line in re.findall(r"^(?:  )?[$>] (.*)$", tree.texts[name], re.M):
            for found in call.finditer(line):
                yield found.group(1), found.group(2)


@check(lambda tree: tree.with_command(examples=[]), lambda tree: tree.with_command(summary=""))
def commands_have_examples(tree):
    return ["%s has no %s" % (command["name"], what) for command in tree.commands
            for what, value in (("example", command["examples"]), ("summary", command["summary"])) if not value]


@check(lambda tree: tree.with_command())
def commands_have_sessions(tree):
    seen = {command for command, _ in sessions(tree)}
    return ["no session of tests/cli calls `writ %s`" % command["name"] for command in tree.commands
            if command["name"] not in seen]


@check(lambda tree: tree.with_command(name="list", options=[{"name": "twice", "letter": None}]))
def options_have_sessions(tree):
    lines = {}
    for command, rest in sessions(tree):
        lines.setdefault(command, []).append(rest)
    faults = []
    for command in tree.commands:
        for option in command["options"]:
            forms = r"(^|[\s\"'])(--%s(?![\w-])%s)" % (option["name"], "|-%s " % option["letter"] if option["letter"] else "")
            if not any(re.search(forms, rest + " ") for rest in lines.get(command["name"], [])):
                faults.append("no session of tests/cli calls `writ %s --%s`" % (command["name"], option["name"]))
    return faults


# ---- tables of the library ----

PERMISSION_KINDS = re.compile(r'^    \{"([a-z:]+)", (WRIT_PERMISSION_\w+), (true|false), ', re.M)
NEW_KIND = '    {"usb", WRIT_PERMISSION_USB, true, "usb:NAME", read_name},\n    {"credential",'


@check(lambda tree: tree.changed("src/skill/permission.c", '    {"credential",', NEW_KIND),
       lambda tree: tree.changed("src/skill/permission.c", '    {"credential",', NEW_KIND.replace("true", "false")))
def permission_kinds_are_tested(tree):
    """In the unit test of the grammar, in what `writ show` says, and where it is enforced or refused."""
    unit, show = tree.texts["tests/unit/skill/test_permission.c"], tree.joined(r"src/cli/cmd_show\.c")
    enforced = tree.joined(r"tests/attack/.*")
    refused = tree.joined(r"tests/cli/run/.*|docs/permissions\.md|tests/unit/run/.*")
    faults = []
    for name, constant, is_enforced in PERMISSION_KINDS.findall(tree.texts["src/skill/permission.c"]):
        faults += ["%s is not in tests/unit/skill/test_permission.c" % name] if constant not in unit else []
        faults += ["%s: `writ show` has no sentence for it" % name] if constant not in show else []
        if is_enforced == "true" and not re.search(r"\b%s:" % name, enforced):
            faults.append("%s is enforced, and no attack of tests/attack has it" % name)
        if is_enforced == "false" and not re.search(r"permissions.*%s" % name, refused):
            faults.append("%s is not enforced, and no test sees a run refused for it" % name)
    return faults


KEYWORDS = re.compile(r'^    X\(\w+, "([^"]+)", \w+, \w+\)', re.M)
NEW_KEYWORD = '    X(TITLE, "title", META_DATA, TEXT)'


@check(lambda tree: tree.changed("src/data/schema_keyword.h", NEW_KEYWORD, NEW_KEYWORD.replace("title", "colour")),
       lambda tree: tree.changed("docs/contracts.md", "`unevaluatedItems`", ""))
def schema_keywords_are_tested_and_documented(tree):
    unit, page = tree.joined(r"tests/unit/data/test_schema\w*\.c"), tree.texts["docs/contracts.md"]
    keywords = KEYWORDS.findall(tree.texts["src/data/schema_keyword.h"])
    faults = [] if keywords else ["no keyword is found in src/data/schema_keyword.h"]
    faults += ["%s is in no tests/unit/data/test_schema*.c" % name for name in keywords if '\\"%s\\"' % name not in unit]
    return faults + ["%s is not in docs/contracts.md" % name for name in keywords if "`%s`" % name not in page]


LINT_RULE = re.compile(r'^    X\((\w+), "([a-z-]+)", (\w+), "(\w+)",', re.M)
LINT_SLOW = '    X(TEST_SLOW, "test-slow", WARNING, "never", "a", "b") \\\n    X(CONTRACT,'


@check(lambda tree: tree.changed("src/skill/lint.h", "    X(CONTRACT,", LINT_SLOW),
       lambda tree: tree.changed("tests/unit/skill/test_lint.c", '"entry-unbuilt"', '"entry-built"'),
       lambda tree: tree.changed("src/skill/lint_tests.c", "WRIT_RULE_TEST_MISSING", "WRIT_RULE_TEST_FILE_INVALID"),
       lambda tree: tree.changed("src/skill/lint.h", '"line-ends", WARNING, "safe"', '"line-ends", WARNING, "surely"'))
def lint_rules_are_listed_and_tested(tree):
    """Each row of the table is given by a source of lint and expected by a unit test of the rules."""
    rules = LINT_RULE.findall(tree.texts["src/skill/lint.h"])
    given = set(re.findall(r"\bWRIT_RULE_(\w+)", tree.joined(r"src/skill/lint_\w+\.c")))
    unit = set(re.findall(r'"([a-z-]+)"', tree.joined(r"tests/unit/skill/test_lint\.c")))
    faults = [] if rules else ["no rule is found in src/skill/lint.h"]
    for constant, name, severity, fix in rules:
        faults += ["%s: nothing gives WRIT_RULE_%s" % (name, constant)] if constant not in given else []
        faults += ["%s is not expected in tests/unit/skill/test_lint.c" % name] if name not in unit else []
        if severity not in ("ERROR", "WARNING", "NOTE") or fix not in ("never", "safe", "unsafe"):
            faults.append("%s has severity %s and fix %s" % (name, severity, fix))
    return faults


SETTING = re.compile(r'^    X\(\w+, "([^"]+)",', re.M)


@check(lambda tree: tree.changed("src/skill/settings.h", 'X(COLOR, "color"', 'X(HUE, "hue"'))
def settings_have_tests(tree):
    """Beyond the tests of the file's form: in a session or a test of the whole program, or of what it changes."""
    tests = tree.joined(r"tests/(cli|whole|unit/run)/.*\.(t|py|c)")
    names = SETTING.findall(tree.texts["src/skill/settings.h"])
    return ["%s is set by no test of tests/cli, tests/whole or tests/unit/run" % name for name in names
            if not re.search(r"(?<![\w.-])%s(?![\w.-])" % re.escape(name), tests)] if names else ["no setting is found"]


# ---- stored formats ----

FORMAT = re.compile(r"^#define (\w+_(?:VERSION|FORMAT)) (\d+)\b", re.M)
FORMAT_ROW = re.compile(r"^\| `([^`]+)` \| .* \| (\d+) \| `([^`]+)` \| `([^`]+)` \|$", re.M)


@check(lambda tree: tree.with_file("src/skill/x.c", "#define X_VERSION 1\n"),
       lambda tree: tree.changed("src/skill/trust_folders.c", "#define TRUST_VERSION 1", "#define TRUST_VERSION 2"),
       lambda tree: tree.without(r"tests/unit/audit/test_audit\.c"))
def stored_formats_are_listed(tree):
    """Each version number of a stored format has its row in docs/ARCHITECTURE.md, with a test of a newer one."""
    found = {constant: (number, name) for name in tree.names(r"src/.*\.[ch]")
             for constant, number in FORMAT.findall(tree.texts[name])}
    rows = {constant: (number, code, test) for constant, number, code, test in
            FORMAT_ROW.findall(tree.texts["docs/ARCHITECTURE.md"])}
    faults = ["%s is not among the stored formats of docs/ARCHITECTURE.md" % constant for constant in found
              if constant not in rows]
    for constant, (number, code, test) in rows.items():
        if found.get(constant) != (number, code):
            faults.append("docs/ARCHITECTURE.md: %s is not %s in %s" % (constant, number, code))
        if not re.search(r"newer|other format|older", tree.texts.get(test, "")):
            faults.append("%s: %s tries no other version of it" % (constant, test))
    return faults


# ---- tests ----

@check(lambda tree: tree.with_file("tests/fuzz/fuzz_x.c", ""), lambda tree: tree.without(r"tests/fuzz/corpus/semver/.*"),
       lambda tree: tree.with_file("tests/fuzz/corpus/x/a", ""))
def fuzz_targets_have_a_corpus(tree):
    targets = {re.sub(r".*/fuzz_|\.c$", "", name) for name in tree.names(r"tests/fuzz/fuzz_\w+\.c")}
    corpora = {name.split("/")[3] for name in tree.names(r"tests/fuzz/corpus/.*")}
    return (["tests/fuzz/corpus/%s is empty" % name for name in sorted(targets - corpora)]
            + ["tests/fuzz/corpus/%s has no fuzz_%s.c" % (name, name) for name in sorted(corpora - targets)])


def modules(tree):
    return {name[4:-2] for name in tree.names(r"src/\w+/(?!cmd_)\w+\.c")}


@check(lambda tree: tree.with_file("src/base/x.c", ""), lambda tree: tree.without(r"tests/unit/base/test_text\.c"),
       lambda tree: tree.with_file("tests/unit/sandbox/test_plan.c", ""), lambda tree: tree.without(r"src/cli/main\.c"))
def modules_have_a_test(tree):
    """One of their own, tests/unit/FOLDER/test_MODULE.c, or the one that tests/unit/through.txt names.  Commands are
    tested from outside, which commands_have_sessions sees to."""
    through, faults = {}, []
    for line in tree.texts["tests/unit/through.txt"].split("\n"):
        if not line or line.startswith("#"):
            continue
        test, _, listed = line.partition(": ")
        if not tree.names(re.escape(test) + r"(/.*)?"):
            faults.append("tests/unit/through.txt: there is no %s" % test)
        through.update({module: test for module in listed.split()})
    own = {module for module in modules(tree) if "tests/unit/%s/test_%s.c" % tuple(module.split("/")) in tree.texts}
    faults += ["src/%s.c has no tests/unit/%s/test_%s.c; write it, or name in tests/unit/through.txt what tests it"
               % (module, *module.split("/")) for module in sorted(modules(tree) - own - set(through))]
    faults += ["tests/unit/through.txt: src/%s.c has a test of its own" % module for module in sorted(own & set(through))]
    return faults + ["tests/unit/through.txt: there is no src/%s.c" % module
                     for module in sorted(set(through) - modules(tree))]


ATTACK = re.compile(r"^def (\w+)\(place\):\n(.*?)(?=^def \w+\(place|^# ----|^ATTACKS)", re.M | re.S)


@check(lambda tree: tree.changed("tests/attack/attack.py", "ATTACKS = [", "def forgotten(place):\n    pass\n\n\nATTACKS = ["),
       lambda tree: tree.changed("tests/attack/attack.py", "ATTACKS = [undeclared_files, ", "ATTACKS = ["))
def attacks_are_run_and_have_a_control(tree):
    text = tree.texts["tests/attack/attack.py"]
    listed = re.search(r"^ATTACKS = \[(.*?)\]", text, re.M | re.S).group(1).replace("\n", " ").replace(",", " ").split()
    attacks = dict(ATTACK.findall(text))
    return (["%s is not in ATTACKS" % name for name in attacks if name not in listed]
            + ["%s shows no control: what must work beside what must not" % name for name, body in attacks.items()
               if not re.search(r"control|\[.*\bTrue\b.*\]|expect\(\"status\"", body)])


@check(lambda tree: tree.with_file("skills/com.example.x/skill.yaml", ""),
       lambda tree: tree.without(r"skills/com\.example\.text\.stats/SKILL\.md"))
def shipped_skills_are_whole(tree):
    """A text for models, tests of their own, and a test of the program under hostile input."""
    faults = []
    for name in tree.names(r"skills/[^/]+/skill\.yaml"):
        folder = os.path.dirname(name)
        last = folder.split(".")[-1].replace("-", "_")
        needed = [folder + r"/SKILL\.md", r"tests/skills/test_(\w+_)?%s\.py" % last]
        faults += ["%s has no %s" % (folder, file) for file in needed if not tree.names(file)]
        if not re.search(r"^test:", tree.texts[name], re.M) and not tree.names(re.escape(folder) + "/tests/.*"):
            faults.append("%s has no test of its own" % folder)
    return faults


@check(lambda tree: tree.with_file("tools/x.py", ""))
def tools_are_used(tree):
    """Each by the Makefile, a meson.build, another tool, or a test."""
    users = {name: text for name, text in tree.texts.items()
             if re.fullmatch(r"Makefile|(.*/)?meson\.build|tools/.*|tests/(?!lint/house).*\.(py|c)|\.ci/.*", name)}
    faults = []
    for name in tree.names(r"tools/[^/]+"):
        base = os.path.basename(name)
        called = r"\b%s\b|^(import|from) %s\b" % (re.escape(base), re.escape(base.split(".")[0]))
        if not any(re.search(called, text, re.M) for user, text in users.items() if user != name):
            faults.append("nothing uses %s" % name)
    return faults


@check(lambda tree: tree.with_file("tools/__pycache__/x.cpython-311.pyc", ""),
       lambda tree: tree.with_file("skills/com.example.text.stats/main", ""))
def nothing_built_is_kept(tree):
    return ["%s is made by a build or a run, and does not belong to the tree" % name for name in
            tree.names(r"(.*/)?(__pycache__/.*|.*\.(pyc|o|so|a|gcda|gcno)|core|a\.out)|skills/[^/]+/main")]


# ---- documents ----

@check(lambda tree: tree.with_file("src/x/y.c", ""), lambda tree: tree.with_file("tests/x/y.c", ""),
       lambda tree: tree.without(r"tests/fault/.*"))
def folders_are_in_the_architecture(tree):
    page = tree.texts["docs/ARCHITECTURE.md"]
    there = {"/".join(name.split("/")[:2]) for name in tree.names(r"(src|tests)/\w+/.*")}
    rows = set(re.findall(r"^\| `((?:src|tests)/\w+)` \|", page, re.M))
    return (["docs/ARCHITECTURE.md has no row for %s" % folder for folder in sorted(there - rows)]
            + ["docs/ARCHITECTURE.md has a row for %s, which is not there" % folder for folder in sorted(rows - there)])


@check(lambda tree: tree.with_file("docs/x.md", ""))
def documents_are_in_the_readme(tree):
    return ["README.md does not link to %s" % name for name in tree.names(r"docs/\w+\.md|docs/[\w-]+\.md|[A-Z]+\.md")
            if name != "README.md" and "](%s)" % name not in tree.texts["README.md"]]


@check(lambda tree: tree.changed("CONTRIBUTING.md", "`modules_have_a_test`", ""),
       lambda tree: tree.changed("CONTRIBUTING.md", "`modules_have_a_test`", "`modules_have_a_test`, `x_has_y`"),
       lambda tree: tree.changed("CONTRIBUTING.md", "`lint/errors`", "`lint/errers`"),
       lambda tree: tree.changed("CONTRIBUTING.md", "`cli/manual`", "`cli/manuel`"))
def contributing_names_the_checks(tree):
    """Each check of this file, and no test that is not there."""
    page = tree.texts["CONTRIBUTING.md"]
    titles = {function.__name__ for function, _ in CHECKS}
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", page))
    tests = [pair for pair in re.findall(r"`(lint|cli|whole)/([a-z]+)`", page)
             if not re.search("'(%s/)?%s'" % pair, tree.texts["tests/%s/meson.build" % pair[0]])]
    return (["CONTRIBUTING.md does not name %s" % title for title in sorted(titles - named)]
            + ["CONTRIBUTING.md names %s, which is no check" % title for title in sorted(named - titles)]
            + ["CONTRIBUTING.md names %s/%s, which is no test" % pair for pair in tests])
