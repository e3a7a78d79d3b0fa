requires: python3

Options that no other case gives.

  $ mkdir -p skills && cp -r "$TREE/skills/com.example.text.stats" skills/com.example.mine.stats
  $ sed -i 's/^id: .*/id: com.example.mine.stats/' skills/com.example.mine.stats/skill.yaml
  $ writ list --skills skills | grep -c com.example.mine.stats
  1
  $ writ show com.example.mine.stats --skills skills | sed -n '1p;/^from/p'
  com.example.mine.stats 1.0.0 - Text statistics
  from $PLACE/work/skills/com.example.mine.stats (--skills)
  $ writ test com.example.mine.stats --skills skills | tail -n 1
  10 passed, 0 failed
  $ writ test com.example.mine.stats --skills skills --json >told; python3 -c 'import json; told = json.load(open("told")); print(sorted(told), told["passed"], told["failed"], len(told["tests"]))'
  ['failed', 'passed', 'skill', 'tests'] 10 0 10

The machine, and what a skill lacks on it; the exit status depends on the machine, what is told does not:
  $ writ doctor >told; test $? -le 1 && grep -c -E '^ +(kernel|namespaces|landlock|seccomp|sandbox) ' told
  5
  $ writ doctor com.example.mine.stats --skills skills | grep -c 'com.example.mine.stats needs'
  1
  $ writ doctor --json | python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)))'
  ['layers', 'needs', 'settings']

The record, by skill, by call, and as it goes on:
  $ writ run com.example.text.stats --text a >other; writ run com.example.mine.stats --skills skills --text b >mine
  $ writ audit -n 0 --skill com.example.text.stats | grep -c com.example
  1
  $ writ audit -n 1 --json >told; python3 -c 'import json; print(json.load(open("told"))["begin"]["run"])' >run
  $ writ audit --run "$(cat run)" | grep -c "$(cat run)"
  2
  $ writ audit --follow -n 1 >told & while ! test -s told; do sleep 0.05; done; kill $!; grep -c com.example.mine.stats told
  1
  $ writ audit verify --json
  {"intact":true,"records":44,"segments":1,"torn_tails":0,"unfinished":0,"head":"sha256:*"} (glob)

Formats are noted, and checked where that is asked for:
  $ echo '{"format": "ipv4"}' >schema.json; echo '"300.1.1.1"' >document.json
  $ writ schema check schema.json document.json
  valid
  $ writ schema check schema.json document.json --assert-format
  (whole): must be an IPv4 address such as 192.0.2.1, but is the string "300.1.1.1" [/format]
  [1]

The commands, for programs:
  $ writ help --json | python3 -c 'import json, sys; print("commands" in json.load(sys.stdin))'
  True
