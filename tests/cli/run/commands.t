The commands, seen from outside.

  $ writ --version
  writ 0.1.0
  commit      * (glob)
  built       for Linux on * by *, *ic (glob)
  libraries   libyaml *, pcre2 * with* JIT, libsodium *, utf8proc * (glob)
  kernel      namespaces, seccomp for *, Landlock up to ABI * (this kernel: *) (glob)
  limits      rlimits for each process, memory by watching the process tree, a deadline by the clock
  settings    */.config/writ (glob)
  data        */.local/share/writ (glob)
  records     */.local/state/writ (glob)
  cache       */.cache/writ (glob)
  runtime     */run/writ (glob)
  skills      */skills (glob)
  $ env -u XDG_RUNTIME_DIR writ version | grep runtime
  runtime     nowhere: XDG_RUNTIME_DIR is not set
  $ writ version --json
  {"writ":"0.1.0","commit":*,"commit_changed":*,"architecture":"*","compiler":"*","linking":"*ic","libraries":{"libyaml":"*","pcre2":"*","libsodium":"*","utf8proc":"*"},"pcre2_jit":*,"landlock_abi_known":*,"landlock_abi":*,"limits":["*"],"places":{"config":"*","data":"*","state":"*","cache":"*","runtime":"*","shipped":"*"}} (glob)
  $ writ help run
  writ run - run a skill in its sandbox
  
  usage: writ run ID[@VERSION]|DIR [--NAME VALUE ...] [OPTIONS]
  
  A folder is named with a slash in it (./my-skill), which is trusting it for this call.
  The input is --input, with the skill's own flags put over it: --file-path report.pdf sets file_path, --a.b 5 sets b inside a, a flag that is given again adds to a list, --flag and --no-flag are true and false. `writ run ID --help` lists a skill's flags. A value that could be an option of writ is joined to its flag (--text=--json); after -- all flags are the skill's.
  --interactive asks for each field that is not given, checks every answer, and shows the input and the command that repeats it before anything runs. On a terminal the required fields that are missing are asked for in any case, and so is whether a project's skill is to be trusted; in a pipe both are errors.
  The output goes to stdout as JSON; faults go to stderr, and the exit status tells their class (docs/errors.md). --json prints the whole envelope instead.
  
  examples:
    writ run com.example.file.text-extract --file-path report.pdf
        the text of a PDF
    writ run com.example.text.stats --text 'two words'
        a flag for each field of the input
    echo '{"text": "two words"}' | writ run com.example.text.stats -i -
        the input as JSON, from another program
    writ run ./my-skills/com.example.my.skill --text 'two words'
        a skill by its folder
    writ run com.example.text.stats --interactive
        asks for the fields at the terminal
    writ run com.example.text.stats --text 'two words' --explain
        what the call would be given; nothing runs
  
  options:
    -i, --input JSON|FILE|-    the input as JSON text, a file that holds it, or - for stdin
        --interactive          ask for each field of the input at the terminal
        --explain              print the sandbox plan and run nothing
        --json                 print JSON for programs
        --skills DIR           look for skills in DIR first (repeatable); naming it trusts it for this call
  
  options of every command:
    -q, --quiet                say only what was asked for: no notes, hints or progress
    -v, --verbose              say more of what is done and why
        --color auto|always|never
                               colour; auto: on a terminal, unless NO_COLOR is set
    -h, --help                 this text
  $ writ list | cut -c1-60
  com.example.file.text-extract  1.0.0  shipped  ready  Return
  com.example.git.diff-summary   1.0.0  shipped  ready  Compar
  com.example.text.stats         1.0.0  shipped  ready  Counts
  $ writ show com.example.text.stats
  com.example.text.stats 1.0.0 - Text statistics
  Counts the bytes, characters, words and lines of a text, and the characters of its longest line.
  Chinese and Japanese characters count as one word each, so that texts written without spaces are
  measured fairly.
  from */skills/com.example.text.stats (shipped) (glob)
  
  wants
    text (required)  string, maxLength 100000
        The text itself, not a path. At most 100,000 characters.
  
  returns
    bytes (required)  integer, minimum 0
        Bytes of the text in UTF-8.
    characters (required)  integer, minimum 0
        Unicode code points.
    words (required)  integer, minimum 0
        Runs of characters between white space; a Chinese or Japanese character is a word of its own.
    lines (required)  integer, minimum 0
        Lines ended by LF, CR or CRLF; a last line without an end counts too.
    longest_line (required)  integer, minimum 0
        Code points of the longest line, its end not counted.
  
  may touch
    nothing of this machine: no files, no programs, no network
  
  runs as
    native, at most 10 s, 64 MiB of memory, 64 processes, 10 MiB of output
  
  tests
    an empty text has no line
    words and lines
    a last line without an end counts, CRLF is one end
    Chinese text
    characters beyond the basic plane
    a number is no text
    the text is required
    an unknown field is refused
    run them: writ test com.example.text.stats
  $ writ lint "$TREE/skills/com.example.text.stats"
  0 errors, 0 warnings
  $ writ test com.example.text.stats
  com.example.text.stats 1.0.0
    pass  an empty text has no line
    pass  words and lines
    pass  a last line without an end counts, CRLF is one end
    pass  Chinese text
    pass  characters beyond the basic plane
    pass  a number is no text
    pass  the text is required
    pass  an unknown field is refused
    pass  a text at the limit
    pass  a text over the limit
  10 passed, 0 failed
  $ writ run com.example.text.stats --text 'hello world'
  {"success":true,"data":{"bytes":11,"characters":11,"words":2,"lines":1,"longest_line":11}}
  $ writ run com.example.text.stats --text 'hello world' --json
  {"outcome":"succeeded","output":{"success":true,"data":{"bytes":11,"characters":11,"words":2,"lines":1,"longest_line":11}},"error":null,"denials":[],"run":{"id":"*","skill":"com.example.text.stats","version":"1.0.0","duration_ms":*,"memory_peak_bytes":*}} (glob)
  $ echo '{"text": "from stdin"}' | writ run com.example.text.stats --input -
  {"success":true,"data":{"bytes":10,"characters":10,"words":2,"lines":1,"longest_line":10}}
  $ echo '{"text": "from a file"}' >in.json; writ run com.example.text.stats --input in.json
  {"success":true,"data":{"bytes":11,"characters":11,"words":3,"lines":1,"longest_line":11}}
  $ writ run com.example.text.stats@^1 --text 'by range'
  {"success":true,"data":{"bytes":8,"characters":8,"words":2,"lines":1,"longest_line":8}}
  $ writ run com.example.text.stats --text x --explain
  program      */skills/com.example.text.stats/main (glob)
  environment  PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 HOME=/tmp
  folder       $PLACE/work
  limits       10 s, 64 MiB of memory, 1 processor, 64 processes, 10 MiB of output
  network      none
  input        {"text":"x"}
  places       (all else of this machine is absent)
    device   /dev/null  (a device without state)
    device   /dev/zero  (a device without state)
    device   /dev/full  (a device without state)
    device   /dev/random  (a device without state)
    device   /dev/urandom  (a device without state)
    file     /etc/passwd  (no accounts of this machine)
    file     /etc/group  (no groups of this machine)
    scratch  /tmp of 64 MiB  (a private scratch folder, gone afterwards)
    run      */skills/com.example.text.stats  (the skill itself) (glob)

A project's skills wait for trust:
  $ mkdir -p .git .writ/skills
  $ cp -r "$TREE/skills/com.example.text.stats" .writ/skills/com.example.mine.stats
  $ sed -i 's/com.example.text.stats/com.example.mine.stats/' .writ/skills/com.example.mine.stats/skill.yaml
  $ writ run com.example.mine.stats --text a
  ! writ: skill:untrusted: `$PLACE/work/.writ/skills/com.example.mine.stats` is in a project that has not been trusted; look at it, then run `writ trust $PLACE/work/.writ/skills/com.example.mine.stats`
  [7]
  $ writ trust .
  skills in . are trusted now
  $ writ run com.example.mine.stats --text a
  {"success":true,"data":{"bytes":1,"characters":1,"words":1,"lines":1,"longest_line":1}}
  $ writ trust --remove .
  skills in . are no longer trusted
  $ writ run com.example.mine.stats --text a
  ! writ: skill:untrusted: `$PLACE/work/.writ/skills/com.example.mine.stats` is in a project that has not been trusted; look at it, then run `writ trust $PLACE/work/.writ/skills/com.example.mine.stats`
  [7]

Options of every command stand before its name or after it:
  $ writ -q version | head -1
  writ 0.1.0
  $ writ --color never -v help lint | head -1
  writ lint - check skills, and mend what is certain
  $ writ --color=maybe list
  ! writ: usage: --color takes auto, always or never, not `maybe`
  [2]
  $ writ list --color
  ! writ: usage: --color needs a value: --color auto|always|never
  [2]
  $ writ -q list -v
  ! writ: usage: --quiet and --verbose are given both; leave one out
  [2]
  $ writ --quite list
  ! writ: usage: no option --quite goes before a command; `writ help` lists the commands
  [2]
  $ writ -q | head -1
  writ runs the programs of agent skills under their contracts.
  $ writ -q --help | head -1
  writ runs the programs of agent skills under their contracts.
  $ writ --color always help lint | head -1
  \x1b[1mwrit \x1b[0m\x1b[1mlint\x1b[0m - check skills, and mend what is certain

A field of a skill that has the name of such an option is given after `--`:
  $ writ run com.example.text.stats -- --text --quiet
  {"success":true,"data":{"bytes":7,"characters":7,"words":1,"lines":1,"longest_line":7}}

Lists for a person who wants more, and for a script that wants less:
  $ mkdir -p .writ/skills && cp -r $TREE/skills/com.example.text.stats .writ/skills && writ trust . >/dev/null
  $ writ list -v | grep "^com.example.text.stats"
  com.example.text.stats         1.0.0  project  ready     $PLACE/work/.writ/skills/com.example.text.stats
  com.example.text.stats         1.0.0  shipped  shadowed  */skills/com.example.text.stats, shadowed by $PLACE/work/.writ/skills/com.example.text.stats (glob)
  $ writ -q list
  com.example.file.text-extract
  com.example.git.diff-summary
  com.example.mine.stats
  com.example.text.stats
