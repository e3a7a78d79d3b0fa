A skill of a project that is not trusted can be looked at, and does not run.

  $ mkdir -p project/.git project/.writ/skills && cp -r "$TREE/skills/com.example.text.stats" project/.writ/skills/com.example.mine.stats
  $ cd project && sed -i 's/^id: .*/id: com.example.mine.stats/' .writ/skills/com.example.mine.stats/skill.yaml
  $ cd project && writ show com.example.mine.stats | sed -n '1p;/^from/p'
  com.example.mine.stats 1.0.0 - Text statistics
  from $PLACE/work/project/.writ/skills/com.example.mine.stats (project, not trusted: `writ trust` it to use it)
  $ cd project && writ show com.example.mine.stats --json | grep -o '"trusted":[a-z]*'
  "trusted":false
  $ cd project && writ run com.example.mine.stats --text a
  ! writ: skill:untrusted: `$PLACE/work/project/.writ/skills/com.example.mine.stats` is in a project that has not been trusted; look at it, then run `writ trust $PLACE/work/project/.writ/skills/com.example.mine.stats`
  [7]

The refused call is on record, as is one of a skill that is not there:
  $ cd project && writ run com.example.no.such --text a
  ! writ: skill:not-found: no source has a skill `com.example.no.such`; `writ list` shows those that are there
  [6]
  $ writ audit --outcome refused --json | grep -o '"class":"[^"]*"'
  "class":"skill:untrusted"
  "class":"skill:not-found"

Every --remote counts, however many there are.

  $ mkdir remote && echo '{"type": "string"}' > remote/a.json && echo '{"$ref": "http://h20/a.json"}' > schema.json && echo 5 > five.json
  $ writ schema check schema.json five.json $(for i in $(seq 20); do echo "--remote http://h$i=remote"; done)
  (whole): must be a string, but is the number 5 [*] (glob)
  [1]

Which folders are trusted is a list; one that is gone is told and can still be removed.

  $ mkdir -p "two words" gone
  $ writ trust --list
  $ writ trust "two words"; writ trust gone --json; rmdir gone
  skills in two words are trusted now
  {"folder":"gone","trusted":true,"changed":true}
  $ writ trust --list
  $PLACE/work/two words  since 20??-??-??T??:??:?? (glob)
  $PLACE/work/gone       since 20??-??-??T??:??:??  is gone (glob)
  $ writ trust --list --json
  {"folders":[{"path":"$PLACE/work/two words","added":"20*Z","is_there":true},{"path":"$PLACE/work/gone","added":"20*Z","is_there":false}]} (glob)
  $ writ trust --remove gone
  skills in gone are no longer trusted
  $ writ trust -l | wc -l
  1
  $ writ trust
  ! writ: usage: name the folder: `writ trust DIR`; `writ trust --list` shows those that are trusted
  [2]
  $ writ trust --list gone
  ! writ: usage: --list stands alone; to trust a folder write `writ trust DIR`
  [2]
