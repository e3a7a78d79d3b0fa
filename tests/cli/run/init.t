requires: python3 cc jq

A new skill, and the commands that it names next, typed as they stand:

  $ writ init hello --language python
  made hello, the skill com.example.hello:
    README.md                  for whoever works on it
    SKILL.md                   what a model reads: when to use the skill, how to call it, what comes back
    main.py                    the program
    skill.yaml                 the contract: what the program takes, gives back and may touch
    tests/sample.txt           a file for it
    tests/sample.yaml          a test
  
  next:
    writ lint ./hello
    writ test ./hello
    writ run ./hello --file hello/tests/sample.txt
  
  Its id alone will do with --skills ., or when the folder is moved to ~/.config/writ/skills.
  com.example stands for a domain of yours: change the id in skill.yaml, SKILL.md and README.md, or begin with --id.
  $ writ lint ./hello
  0 errors, 0 warnings
  $ writ test ./hello
  com.example.hello 1.0.0
    pass  a folder is no text
    pass  a file that is not there
    pass  an answer that is no yes or no
    pass  a text with a blank line
  4 passed, 0 failed
  $ writ run ./hello --file hello/tests/sample.txt
  {"success":true,"data":{"lines":4,"words":11}}
  $ find hello -type f -printf '%m %p\n' | sort -k2
  644 hello/README.md
  644 hello/SKILL.md
  755 hello/main.py
  644 hello/skill.yaml
  644 hello/tests/sample.txt
  644 hello/tests/sample.yaml
  $ ls -A
  hello

Nothing is written over, and nothing is made that cannot be a skill:
  $ writ init hello --language python
  ! writ: usage: `hello` is not empty (`main.py` is in it), and nothing is written over; name a new folder
  [2]
  $ writ init hello/main.py/x --language python
  ! writ: usage: `hello/main.py/x` cannot be made: `main.py` is no folder; name a new one
  [2]
  $ writ init hello/main.py --language python
  ! writ: usage: `hello/main.py` cannot be made: `main.py` is no folder; name a new one
  [2]
  $ mkdir real && ln -s real link && writ init link -l c
  ! writ: usage: `link` is a symbolic link; name the folder itself, or a new one
  [2]
  $ ln -s nowhere dangling && writ init dangling -l c
  ! writ: usage: `dangling` is a symbolic link; name the folder itself, or a new one
  [2]
  $ writ init ' ' -l c; writ init '' -l c
  ! writ: usage: ` ` cannot be the name of a skill's folder, which has a-z, 0-9 and single `-` inside, at most 64 of them, or is an id; call it `my-skill`
  ! writ: usage: the folder's name is empty; name a new folder
  [2]
  $ writ init My_Skill -l c
  ! writ: usage: `My_Skill` cannot be the name of a skill's folder, which has a-z, 0-9 and single `-` inside, at most 64 of them, or is an id; call it `my-skill`
  [2]
  $ writ init 技能 -l c
  ! writ: usage: `技能` cannot be the name of a skill's folder, which has a-z, 0-9 and single `-` inside, at most 64 of them, or is an id; call it `my-skill`
  [2]
  $ writ init com.example.Word_Count -l sh
  ! writ: usage: `com.example.Word_Count` cannot be the name of a skill's folder, which has a-z, 0-9 and single `-` inside, at most 64 of them, or is an id; call it `com.example.word-count`
  [2]
  $ writ init new/../x -l c
  ! writ: usage: `new/../x` goes up from a folder that is not there; write it without `..`
  [2]
  $ writ init x -l ruby; writ init x -l nod
  ! writ: usage: --language takes python, node, sh or c, not `ruby`
  ! writ: usage: --language takes python, node, sh or c, not `nod`; did you mean `node`?
  [2]
  $ writ init x; writ init x --json
  {"error":{"class":"usage","message":"the program's language is missing; add --language python, node, sh or c","details":{}}}
  ! writ: usage: the program's language is missing; add --language python, node, sh or c
  [2]
  $ writ init x -l c --id Com.example.x
  ! writ: usage: --id `Com.example.x`: an id is in lower case; write `C` as `c`
  [2]
  $ writ init com.example.x -l c --id com.example.y
  ! writ: usage: the folder bears the id `com.example.x`, but --id says `com.example.y`; make them the same, or give the folder a name without dots
  [2]
  $ writ init x -l c --description 'A tool.'
  ! writ: usage: --description says too little to choose by; say what it takes and what it returns, as in `Returns the current temperature, humidity and wind of a named city`
  [2]
  $ writ init x -l c --description "$(printf 'Counts the \033[31m lines of a file')"
  ! writ: usage: --description holds a control character; remove it
  [2]
  $ writ init x -l c --description "$(printf 'Counts \377 the lines of a file')"
  ! writ: usage: --description is not UTF-8; write it in UTF-8
  [2]
  $ writ init x -l c --author ' '
  ! writ: usage: --author is empty; give it a text, or leave it out
  [2]
  $ writ init x -l c --license "$(printf '%0200d' 1)"
  ! writ: usage: --license has 200 bytes; at most 128 are taken
  [2]
  $ writ init again -l c --id com.example.hello
  ! writ: usage: `$PLACE/work/hello` has the id `com.example.hello` already; give this one another with --id
  [2]
  $ ls -A
  dangling
  hello
  link
  real

Where it may lie: below folders that are made with it, in an empty one, behind a link of one's own, with spaces:
  $ writ init 'skills of mine/deep/com.example.file.count' -l c -q
  $ writ test 'skills of mine/deep/com.example.file.count' | tail -1
  4 passed, 0 failed
  $ grep -h '^name:' 'skills of mine/deep/com.example.file.count/'*.*
  name: file-count
  name: File count
  $ mkdir empty && chmod 750 empty && writ init ./empty/ -l sh --json; stat -c %a empty
  {"id":"com.example.empty","name":"empty","language":"sh","folder":"$PLACE/work/empty","written":true,"files":["README.md","SKILL.md","main.sh","skill.yaml","tests/sample.txt","tests/sample.yaml"],"next":["writ lint ./empty","writ test ./empty","writ run ./empty --file ./empty/tests/sample.txt"]}
  750
  $ writ init link/inside -l sh | sed -n '/^next/,$p'; ls real
  next:
    writ lint link/inside
    writ test link/inside
    writ run link/inside --file link/inside/tests/sample.txt
  
  Its id alone will do with --skills link, or when the folder is moved to ~/.config/writ/skills.
  com.example stands for a domain of yours: change the id in skill.yaml, SKILL.md and README.md, or begin with --id.
  inside
  $ mkdir here && cd here && writ init . -l sh | sed -n '/^next/,/^$/p'; writ lint .; writ run . --explain --file tests/sample.txt | head -1
  next:
    writ lint .
    writ test .
    writ run . --file tests/sample.txt
  
  0 errors, 0 warnings
  program      /usr/bin/sh $PLACE/work/here/main.sh
  $ mkdir -p sub/sub && cd sub/sub && writ init "it's (mine)/a-b" -l sh | sed -n '/^next/,/^$/p'
  next:
    writ lint 'it'\''s (mine)/a-b'
    writ test 'it'\''s (mine)/a-b'
    writ run 'it'\''s (mine)/a-b' --file 'it'\''s (mine)/a-b/tests/sample.txt'
  

A skill that is found without --skills needs none; in a project there is a folder to be trusted first:
  $ writ init ~/.config/writ/skills/mine -l python | sed -n '/^next/,$p'
  next:
    writ lint $PLACE/home/.config/writ/skills/mine
    writ test $PLACE/home/.config/writ/skills/mine
    writ run $PLACE/home/.config/writ/skills/mine --file * (glob)
  
  Its id alone will do, wherever you are: writ run com.example.mine
  com.example stands for a domain of yours: change the id in skill.yaml, SKILL.md and README.md, or begin with --id.
  $ writ test com.example.mine | tail -1
  4 passed, 0 failed
  $ mkdir -p project/.git && cd project && writ init .writ/skills/ours -l python --id org.example.ours | sed -n '/^next/,$p'
  next:
    writ lint .writ/skills/ours
    writ test .writ/skills/ours
    writ run .writ/skills/ours --file .writ/skills/ours/tests/sample.txt
  
  In this project its id alone will do once you have said: writ trust .writ/skills
  $ cd project && writ run org.example.ours --file .writ/skills/ours/tests/sample.txt
  ! writ: skill:untrusted: `$PLACE/work/project/.writ/skills/ours` is in a project that has not been trusted; look at it, then run `writ trust $PLACE/work/project/.writ/skills/ours`
  [7]
  $ cd project && writ trust .writ/skills && writ run org.example.ours --file .writ/skills/ours/tests/sample.txt
  skills in .writ/skills are trusted now
  {"success":true,"data":{"lines":4,"words":11}}

What would be made:
  $ writ init dry -l node --dry-run -d 'Lists the links of a web page with their titles'
  would make dry, the skill com.example.dry:
    README.md                  for whoever works on it
    SKILL.md                   what a model reads: when to use the skill, how to call it, what comes back
    main.js                    the program
    skill.yaml                 the contract: what the program takes, gives back and may touch
    tests/sample.txt           a file for it
    tests/sample.yaml          a test
  
  next:
    writ lint ./dry
    writ test ./dry
    writ run ./dry --file dry/tests/sample.txt
  
  Its id alone will do with --skills ., or when the folder is moved to ~/.config/writ/skills.
  com.example stands for a domain of yours: change the id in skill.yaml, SKILL.md and README.md, or begin with --id.
  It counts lines and words until main.js does what the description says.
  $ writ init dry/deep -l c -n --json
  {"id":"com.example.deep","name":"deep","language":"c","folder":"$PLACE/work/dry/deep","written":false,"files":[".gitignore","README.md","SKILL.md","main.c","skill.yaml","tests/sample.txt","tests/sample.yaml"],"next":["writ lint dry/deep","writ test dry/deep","writ run dry/deep --file dry/deep/tests/sample.txt"]}
  $ ls dry
  ! ls: cannot access 'dry': No such file or directory
  [2]

A sentence of one's own says what; SKILL.md says when as well:
  $ writ init links -l node --description 'Lists the links of a web page with their titles' --author 'A: "B"' --license Apache-2.0 | tail -1
  It counts lines and words until main.js does what the description says.
  $ grep -h -e ^description -e ^author -e ^license -e triggers links/skill.yaml links/SKILL.md
  description: Lists the links of a web page with their titles
  author: "A: \"B\""
  license: Apache-2.0
  description: Lists the links of a web page with their titles. Use when someone asks for this.
  license: Apache-2.0
    writ-triggers: links; use links
  $ writ init zh -l node -d '列出一个网页里的所有链接和它们的标题' -q && grep ^desc zh/SKILL.md
  description: 列出一个网页里的所有链接和它们的标题。当用户要做这件事时使用。
  $ writ init pages -l node -d 'Lists links. Use it when a page is at hand.' -q && grep ^desc pages/SKILL.md
  description: Lists links. Use it when a page is at hand.
