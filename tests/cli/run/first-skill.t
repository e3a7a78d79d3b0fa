requires: python3

What a first skill meets: a path to be written whose folder is not there, a program that is not there.

  $ writ run --skills skills com.example.first.report --file skills/com.example.first.report/main.py --folder nofolder/
  ! writ: filesystem:denied: nofolder/: needs a folder that does not exist; make it first
  [10]
  $ writ run --skills skills com.example.first.report --file skills/com.example.first.report/main.py --folder nofolder/report.md
  ! writ: filesystem:denied: nofolder/report.md: needs a folder that does not exist; make it first
  [10]
  $ ls
  skills
  $ mkdir out
  $ writ run --skills skills com.example.first.report --file skills/com.example.first.report/main.py --folder out
  {"success":true,"data":{"lines":10}}
  $ cat out/report.md
  10 lines
  $ mv skills/com.example.first.report/main.py skills/com.example.first.report/program.py
  $ printf 'runtime: {language: python}\n' >>skills/com.example.first.report/skill.yaml
  $ writ run --skills skills com.example.first.report --file out/report.md --folder out
  ! writ: contract:invalid: runtime.entry: `main.py` is not in the skill's folder; add the program or name it there
  !       `writ lint --skills skills com.example.first.report` shows every fault of the contract and mends some
  [5]

A folder of skills is named in any way; what it names may not be written:
  $ mv skills/com.example.first.report/program.py skills/com.example.first.report/main.py
  $ cd skills && writ run --skills . com.example.first.report --file com.example.first.report/main.py --folder ../out
  {"success":true,"data":{"lines":10}}
  $ cd skills && writ run --skills ../skills com.example.first.report --file ../out/report.md --folder .
  ! writ: filesystem:denied: $PLACE/work/skills: holds a folder of skills ($PLACE/work/skills/com.example.first.report), which no skill may ever write
  [10]
  $ writ run --skills skills/../skills/ com.example.first.report --file out/report.md --folder skills/
  ! writ: filesystem:denied: $PLACE/work/skills: holds a folder of skills ($PLACE/work/skills/com.example.first.report), which no skill may ever write
  [10]

The test of a skill that writes names an output as it names an input; each begins with the folder as it lies there:
  $ mkdir skills/com.example.first.report/tests
  $ echo '{"input": {"file": "main.py", "folder": "."}, "expected_output": {"success": true, "data": {"lines": 10}}}' >skills/com.example.first.report/tests/a.json
  $ echo '{"input": {"file": "report.md", "folder": "."}, "expected_error": "filesystem:denied"}' >skills/com.example.first.report/tests/b.json
  $ echo '{"input": {"file": "main.py", "folder": "tests"}}' >skills/com.example.first.report/tests/c.json
  $ writ test skills/com.example.first.report
  com.example.first.report 1.0.0
    pass  tests/a.json
    pass  tests/b.json
    pass  tests/c.json
  3 passed, 0 failed
  $ ls skills/com.example.first.report
  main.py
  skill.yaml
  tests

A script that stands before the interpreter in the search path, as version managers put it, is passed over:
  $ mkdir shims && printf '#!/bin/sh\nexit 1\n' >shims/python3 && chmod +x shims/python3
  $ PATH=$PWD/shims:$PATH writ run --skills skills com.example.first.report --file skills/com.example.first.report/main.py --folder out; echo $?
  {"success":true,"data":{"lines":10}}
  0
