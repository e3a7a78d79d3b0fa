Without a home nobody knows where writ's files are. What needs none of them works, and the rest says what is missing.

  $ mkdir skills && cp -r "$TREE/skills/com.example.text.stats" skills/com.example.mine.stats
  $ sed -i 's/^id: .*/id: com.example.mine.stats/' skills/com.example.mine.stats/skill.yaml
  $ echo '{"type": "string"}' >schema.json
  $ WRIT=$(command -v writ); env -i $WRIT version | head -1
  writ 0.1.0
  $ WRIT=$(command -v writ); env -i $WRIT help run | head -1
  writ run - run a skill in its sandbox
  $ WRIT=$(command -v writ); env -i $WRIT completion bash | head -1
  # Completion of writ for bash: the program itself says what can stand at the cursor.
  $ WRIT=$(command -v writ); env -i $WRIT lint ./skills/com.example.mine.stats
  0 errors, 0 warnings
  $ WRIT=$(command -v writ); env -i $WRIT show ./skills/com.example.mine.stats | head -1
  com.example.mine.stats 1.0.0 - Text statistics
  $ WRIT=$(command -v writ); env -i $WRIT doctor --json | cut -c 1-11
  {"layers":[
  $ WRIT=$(command -v writ); echo '"a"' | env -i $WRIT schema check schema.json -
  valid
  $ WRIT=$(command -v writ); env -i $WRIT lint com.example.text.stats
  ! writ: internal:io: HOME is not set to an absolute path, so nobody knows where writ's files are: set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME
  [71]
  $ WRIT=$(command -v writ); env -i $WRIT run ./skills/com.example.mine.stats --text a
  ! writ: internal:io: HOME is not set to an absolute path, so nobody knows where writ's files are: set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME
  [71]
  $ WRIT=$(command -v writ); env -i HOME=relative $WRIT list --json
  {"error":{"class":"internal:io","message":"HOME is not set to an absolute path, so nobody knows where writ's files are: set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME","details":{}}}
  [71]
  $ WRIT=$(command -v writ); env -i $WRIT config get color
  ! writ: internal:io: HOME is not set to an absolute path, so nobody knows where writ's files are: set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME
  [71]
  $ WRIT=$(command -v writ); env -i HOME=$HOME $WRIT run com.example.text.stats --text a
  {"success":true,"data":{"bytes":1,"characters":1,"words":1,"lines":1,"longest_line":1}}

Either of the two documents of `schema check` can come from stdin.

  $ echo 5 | writ schema check schema.json -
  (whole): must be a string, but is the number 5 [/type]
  [1]
  $ echo '{"type": "integer"}' | writ schema check - schema.json --json
  {"valid":false,"faults":[{"pointer":"","schema":"/type","keyword":"type","message":"must be an integer, but is an object of 1 property","nearest":null}],"truncated":false}
  [1]
  $ echo '"a" x' | writ schema check schema.json -
  ! writ: data:syntax: stdin:1:5: the document ended before this place, but `x` follows: remove it
  [1]
  $ writ schema check - - </dev/null
  ! writ: usage: only one of the two can come from stdin; name a file for the other
  [2]
  $ writ schema check schema.json - <.
  ! writ: usage: stdin: Is a directory
  [2]

A working folder that is gone is no place to start from, but what is named from / is there.

  $ mkdir gone; cd gone; rmdir ../gone; writ lint "$TREE/skills/com.example.text.stats"
  0 errors, 0 warnings
  $ mkdir gone; cd gone; rmdir ../gone; writ show --skills rel com.example.text.stats
  ! writ: usage: --skills rel is relative, but the working directory is gone; name it from /
  [2]
  $ mkdir gone; cd gone; rmdir ../gone; writ list
  ! writ: internal:io: the working directory is gone or has no name; change to another folder: No such file or directory
  [71]
