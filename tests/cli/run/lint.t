A folder of skills is judged whole, broken ones and links too; the exit status is 1 when there is an error.

  $ mkdir -p skills/com.example.good skills/com.example.bad skills/notes
  $ cp good.yaml skills/com.example.good/skill.yaml; : >skills/com.example.good/main.sh
  $ printf 'id: com.example.bad\nnmae: Bad\n' >skills/com.example.bad/skill.yaml
  $ ln -s com.example.good skills/com.example.link
  $ writ lint skills
  skills/com.example.bad/skill.yaml:1:1: error: description: is missing; give one sentence [contract]
  skills/com.example.bad/skill.yaml:1:1: error: version: is missing; give a semantic version such as `1.0.0` [contract]
  skills/com.example.bad/skill.yaml:1:1: error: input: is missing; give a JSON Schema of `type: object` [contract]
  skills/com.example.bad/skill.yaml:1:1: error: output: is missing; give a JSON Schema that requires `success` and `data` [contract]
  skills/com.example.bad/skill.yaml:1:1: error: runtime.language: is missing, and no `main.py`, `main.js`, `main.sh`, `main` or `main.c` tells it; give `python`, `node`, `sh` or `native` [contract]
  skills/com.example.bad/skill.yaml:2:1: error: nmae: is not a field here; did you mean `name`? [contract]
  skills/com.example.link/skill.yaml: error: `$PLACE/work/skills/com.example.link` is a symbolic link, which could be pointed elsewhere; put the folder itself there [contract]
  7 errors, 0 warnings in 3 skills
  --fix mends 1 of them
  [1]
  $ writ lint skills/com.example.good
  0 errors, 0 warnings
  $ writ lint --skills skills | tail -n 1
  --fix mends 1 of them
  $ writ lint --skills skills com.example.good ./skills/com.example.good
  0 errors, 0 warnings in 2 skills
  $ cd skills/com.example.good && writ lint .
  0 errors, 0 warnings
  $ writ lint notes
  ! writ: skill:not-found: no source has a skill `notes`; `writ list` shows those that are there
  [6]
  $ writ lint skills/notes
  ! writ: skill:not-found: there is no skill in `skills/notes`: neither it nor a folder in it has a skill.yaml
  [6]
  $ writ lint
  ! writ: usage: a skill is due: its folder (`writ lint .` for the one that you are in), its id, or a folder of skills
  [2]
  $ writ lint com.example.nobody ./skills/com.example.good
  ! writ: skill:not-found: no source has a skill `com.example.nobody`; `writ list` shows those that are there
  [6]

Warnings count when they are asked to, and what is shown may be chosen.

  $ sed '/^license/d' good.yaml >skills/com.example.good/skill.yaml
  $ writ lint ./skills/com.example.good
  skills/com.example.good/skill.yaml:1:1: warning: license: is missing; without one nobody else may use the skill [license-missing]
  0 errors, 1 warning
  $ writ lint --strict ./skills/com.example.good
  skills/com.example.good/skill.yaml:1:1: warning: license: is missing; without one nobody else may use the skill [license-missing]
  0 errors, 1 warning
  [1]
  $ writ lint --min-severity error ./skills/com.example.good
  0 errors, 1 warning
  $ sed '/additionalProperties/d' good.yaml >skills/com.example.good/skill.yaml
  $ writ lint ./skills/com.example.good
  skills/com.example.good/skill.yaml:8:3: note: input: takes any further property, so a misspelt one passes unseen; `additionalProperties: false` refuses it [input-open]
  0 errors, 0 warnings
  --fix --unsafe-fixes mends 1 of them; --dry-run shows how
  $ writ lint -q ./skills/com.example.good
  0 errors, 0 warnings
  $ writ lint --min-severity warning ./skills/com.example.good
  0 errors, 0 warnings
  --fix --unsafe-fixes mends 1 of them; --dry-run shows how
  $ writ lint --min-severity all ./skills/com.example.good
  ! writ: usage: `all` is no value of --min-severity; write error, warning or note
  [2]
  $ writ lint --format xml ./skills/com.example.good
  ! writ: usage: `xml` is no value of --format; write text, json or sarif
  [2]
  $ writ lint --json --format sarif ./skills/com.example.good
  {"error":{"class":"usage","message":"--json and --format sarif exclude each other; give one of them","details":{}}}
  [2]

A fix is shown, then made; a second time there is nothing to do.

  $ sed 's/^version: 1.0.0/version: 1.0/; s/^license/lisence/' good.yaml >skills/com.example.good/skill.yaml
  $ writ lint --fix --dry-run ./skills/com.example.good
  --- skills/com.example.good/skill.yaml
  +++ skills/com.example.good/skill.yaml
  @@ -1,9 +1,9 @@
   id: com.example.good
   name: Line counter
   description: Returns the number of lines, words and bytes of a text.
  -version: 1.0
  +version: 1.0.0
   author: The writ project
  -lisence: MIT
  +license: MIT
   input:
     type: object
     additionalProperties: false
  skills/com.example.good/skill.yaml:4:10: would fix: version: write `1.0.0` [contract]
  skills/com.example.good/skill.yaml:6:1: would fix: lisence: write `license` [contract]
  2 would be fixed, 0 errors, 0 warnings
  $ diff good.yaml skills/com.example.good/skill.yaml | head -n 1
  4c4
  $ writ lint --fix ./skills/com.example.good
  skills/com.example.good/skill.yaml:4:10: fixed: version: write `1.0.0` [contract]
  skills/com.example.good/skill.yaml:6:1: fixed: lisence: write `license` [contract]
  2 fixed, 0 errors, 0 warnings
  $ diff good.yaml skills/com.example.good/skill.yaml
  $ writ lint --fix ./skills/com.example.good
  0 fixed, 0 errors, 0 warnings
  $ writ lint --dry-run ./skills/com.example.good
  ! writ: usage: --dry-run is of --fix; add it
  [2]

No fix grants what was not written, unless it is asked to.

  $ sed 's/^permissions:.*/permissions: []/' good.yaml >skills/com.example.good/skill.yaml
  $ writ lint --fix ./skills/com.example.good
  skills/com.example.good/skill.yaml:18:27: warning: dependencies.binaries[0]: `git` is depended on, but may not be run; add `binary:run:git` [binary-not-permitted]
  0 fixed, 0 errors, 1 warning
  --fix --unsafe-fixes mends 1 of them; --dry-run shows how
  $ writ lint --fix --unsafe-fixes ./skills/com.example.good
  skills/com.example.good/skill.yaml:18:27: fixed: dependencies.binaries[0]: add `binary:run:git` [binary-not-permitted]
  1 fixed, 0 errors, 0 warnings
  $ grep ^permissions skills/com.example.good/skill.yaml
  permissions: [binary:run:git]

A program that may not be executed.

  $ mkdir skills/com.example.native; sed 's/com.example.good/com.example.native/; s/language: sh/language: native/' good.yaml >skills/com.example.native/skill.yaml
  $ echo '#!/bin/sh' >skills/com.example.native/main; chmod 644 skills/com.example.native/main
  $ writ lint ./skills/com.example.native
  skills/com.example.native/skill.yaml:17:10: error: runtime.entry: `main` cannot be executed; run `chmod +x` on it [entry-not-executable]
  1 error, 0 warnings
  --fix mends 1 of them
  [1]
  $ writ lint --fix ./skills/com.example.native; stat -c %a skills/com.example.native/main
  skills/com.example.native/skill.yaml:17:10: fixed: runtime.entry: make `main` executable [entry-not-executable]
  1 fixed, 0 errors, 0 warnings
  755

Links and files with other names are left alone, and what could not be written is not told as fixed.

  $ sed 's/^version: 1.0.0/version: 1.0/' good.yaml >other.yaml; ln -f other.yaml skills/com.example.good/skill.yaml
  $ writ lint --fix ./skills/com.example.good
  skills/com.example.good/skill.yaml:4:10: error: version: `1.0` is no semantic version; write `1.0.0` [contract]
  0 fixed, 1 error, 0 warnings
  ! writ: internal:io: skills/com.example.good: skill.yaml: has other names (hard links), so it was left alone; copy it
  [71]
  $ ln -sf ../../other.yaml skills/com.example.good/skill.yaml
  $ writ lint --fix ./skills/com.example.good
  skills/com.example.good/skill.yaml: error: skill.yaml is a symbolic link, which could be pointed elsewhere; put the file itself there [contract]
  0 fixed, 1 error, 0 warnings
  [1]
  $ grep ^version other.yaml
  version: 1.0

What is installed is never changed.

  $ writ lint --fix com.example.text.stats
  ! writ: usage: `com.example.text.stats` is installed, and what is installed is never changed; copy its folder and mend that
  [2]
  $ writ lint --fix --dry-run com.example.text.stats >/dev/null

The rules.

  $ writ lint --rules | head -n 3
  error    contract                  safe    skill.yaml breaks a rule of the contract
  error    description-vague                 the description says too little to choose by
  error    input-undescribed                 an input has no description
  $ writ lint --rules --json | head -c 120
  {"rules":[{"name":"contract","severity":"error","fix":"safe","summary":"skill.yaml breaks a rule of the contract","help" (no-eol)
