The commands, seen from outside.

  $ writ --version
  $ writ version --json
  $ writ help run
  $ writ list
  $ writ show com.example.text.stats
  $ writ lint "$TREE/skills/com.example.text.stats"
  $ writ test com.example.text.stats
  $ writ run com.example.text.stats --text 'hello world'
  $ writ run com.example.text.stats --text 'hello world' --json
  $ echo '{"text": "from stdin"}' | writ run com.example.text.stats --input -
  $ echo '{"text": "from a file"}' >in.json; writ run com.example.text.stats --input in.json
  $ writ run com.example.text.stats@^1 --text 'by range'
  $ writ run com.example.text.stats --text x --explain

A project's skills wait for trust:
  $ mkdir -p .git .writ/skills
  $ cp -r "$TREE/skills/com.example.text.stats" .writ/skills/com.example.mine.stats
  $ sed -i 's/com.example.text.stats/com.example.mine.stats/' .writ/skills/com.example.mine.stats/skill.yaml
  $ writ run com.example.mine.stats --text a
  $ writ trust .
  $ writ run com.example.mine.stats --text a
  $ writ trust --remove .
  $ writ run com.example.mine.stats --text a
