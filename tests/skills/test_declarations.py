"""No shipped skill lacks a declaration (S1.1, S1.4): SKILL.md beside skill.yaml, both fields of its manifest, and the
two agree.  `writ lint` judges the contracts; here stands only what holds for the skills that writ itself ships."""
import re
import unittest

from support import SKILLS, main

FIELD_CHARACTERS_MAX = 200
SCOPE = re.compile(r"[a-z][a-z0-9_.-]*")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
STANDARD_FIELDS = {"name", "description", "license", "compatibility", "allowed-tools", "metadata"}
SKILL_FOLDERS = sorted(path for path in SKILLS.iterdir() if path.is_dir())


def front_matter(text):
    """The flat fields and those of `metadata`, whose names are given as `metadata.NAME`."""
    lines = text.split("\n")
    if lines[0] != "---":
        raise ValueError("does not begin with ---")
    fields, prefix = {}, ""
    for line in lines[1:lines.index("---", 1)]:
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError("is no field: " + line)
        prefix = prefix if name.startswith(" ") else ""
        if not value.strip():
            prefix = name + "."
        else:
            fields[prefix + name.strip()] = value.strip().strip('"')
    return fields


def contract_lines(text, name):
    """The items of one list at the top of a contract."""
    found = re.search(r"^%s:(?: \[\])?\n((?:  - .*\n)*)" % name, text, re.MULTILINE)
    return [line[4:].split(" #")[0].strip() for line in found.group(1).splitlines()]


def shipped():
    for folder in SKILL_FOLDERS:
        manifest = (folder / "SKILL.md").read_text(encoding="utf-8")
        yield folder.name, front_matter(manifest), (folder / "skill.yaml").read_text(encoding="utf-8")


class Declarations(unittest.TestCase):
    def test_there_are_skills(self):
        self.assertGreaterEqual(len(SKILL_FOLDERS), 3)

    def test_both_fields_are_declared(self):
        for skill, fields, _ in shipped():
            for name in ("allowed-tools", "metadata.writ-touches"):
                self.assertTrue(0 < len(fields.get(name, "")) <= FIELD_CHARACTERS_MAX, (skill, name))
            scopes = fields["metadata.writ-touches"].split("; ")
            self.assertEqual(sorted(set(scopes)), sorted(scopes), skill)
            for scope in scopes:
                self.assertTrue(SCOPE.fullmatch(scope), (skill, scope))

    def test_touches_say_what_the_permissions_grant(self):
        for skill, fields, contract in shipped():
            granted = set()
            for permission in contract_lines(contract, "permissions"):
                kind, action, subject = (permission.split(":", 2) + [""])[:3]
                granted.add("binary." + subject if kind == "binary" else kind + "." + action)
            self.assertEqual(granted or {"none"}, set(fields["metadata.writ-touches"].split("; ")), skill)

    def test_names_and_descriptions_follow_the_open_standard(self):
        for skill, fields, _ in shipped():
            self.assertTrue(NAME.fullmatch(fields["name"]), skill)
            self.assertEqual(skill.split(".", 2)[2].replace(".", "-"), fields["name"])
            self.assertTrue(40 <= len(fields["description"]) <= 1024, skill)
            self.assertNotIn(": ", fields["description"], "a colon and a space need quotes in YAML")
            for name in fields:
                self.assertIn(name.split(".")[0], STANDARD_FIELDS, skill)

    def test_manifest_and_contract_agree(self):
        for skill, fields, contract in shipped():
            self.assertTrue(contract.startswith("id: %s\n" % skill), skill)
            self.assertIn("\nversion: %s\n" % fields["metadata.version"], contract, skill)
            self.assertIn("\nlicense: %s\n" % fields["license"], contract, skill)
            self.assertIn(skill, fields["allowed-tools"])


if __name__ == "__main__":
    main()
