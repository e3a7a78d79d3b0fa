requires: python3

`writ run DIR`: a skill by its folder, which is named with a slash in it. Naming it is trusting it for that call.

  $ writ run ./skills/com.example.flags.echo --n 1
  {"success":true,"data":{"n":1,"mode":"fast"}}
  $ writ run skills/com.example.flags.echo/ -i '{"n": 2}'
  {"success":true,"data":{"n":2,"mode":"fast"}}
  $ cd skills/com.example.flags.echo && writ run . --n 3
  {"success":true,"data":{"n":3,"mode":"fast"}}
  $ writ run skills/com.example.flags.echo --help | sed -n '/takes:$/,+1p'
  com.example.flags.echo takes:
    --n INTEGER                A whole number. (required)
  $ writ audit --json | grep -o '"source":"[^"]*"' | uniq
  "source":"folder"

What is meant is said where it can be told:
  $ cd skills && writ run com.example.flags.echo --n 1
  ! writ: skill:not-found: no source has a skill `com.example.flags.echo`; for the folder of that name here write ./com.example.flags.echo
  [6]
  $ cd skills && writ run com.example.flags.echo -i '{"n": 1}'
  ! writ: skill:not-found: no source has a skill `com.example.flags.echo`; for the folder of that name here write ./com.example.flags.echo
  [6]
  $ cd skills && writ show com.example.flags.echo
  ! writ: skill:not-found: no source has a skill `com.example.flags.echo`; for the folder of that name here write ./com.example.flags.echo
  [6]
  $ mkdir my; cp skills/com.example.flags.echo/* my/; writ run my --n 1
  ! writ: usage: `my` is no skill id; for the folder of that name write ./my
  [2]
  $ writ run ./my -i '{"n":1}' --json
  {"outcome":"refused","output":null,"error":{"class":"contract:invalid","message":"id: must equal the folder's name, which is `my`; rename one of them","details":{"subject":"$PLACE/work/my/skill.yaml","line":1,"column":5,"faults":[{"line":1,"column":5,"field":"id","message":"must equal the folder's name, which is `my`; rename one of them"}]}},"denials":[],"run":{"id":"*","skill":"my","version":null,"duration_ms":0,"memory_peak_bytes":0}} (glob)
  [5]
  $ writ run ./none -i '{"n":1}' --json
  {"outcome":"refused","output":null,"error":{"class":"skill:not-found","message":"there is no folder `./none`","details":{}},"denials":[],"run":{"id":"*","skill":null,"version":null,"duration_ms":0,"memory_peak_bytes":0}} (glob)
  [6]
  $ writ run skills -i '{"n":1}'
  ! writ: skill:not-found: no source has a skill `skills`; `writ list` shows those that are there
  [6]
  $ writ run ./skills -i '{"n":1}'
  ! writ: skill:not-found: the folder has no skill.yaml
  [6]
  $ writ audit --outcome refused --json | grep -o '"class":"[^"]*"'
  "class":"skill:not-found"
  "class":"skill:not-found"
  "class":"contract:invalid"
  "class":"skill:not-found"
  "class":"skill:not-found"
  "class":"skill:not-found"
