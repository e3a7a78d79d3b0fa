requires: python3

A file that the contract does not grant is not there for the program, which says so; the caller, who sees it lie there,
is told which permission would have brought it.

  $ writ init words -l python -q && sed -i 's/^permissions:/permissions: []/; /^  - filesystem:read/d' words/skill.yaml
  $ echo 'two words' >note.txt
  $ writ run ./words --file note.txt
  {"success":false,"error":"the file cannot be read: No such file or directory"}
  ! writ: program:reported: the file cannot be read: No such file or directory
  !       `note.txt` is not granted to the program; if it is to read what `file` names, add `filesystem:read:${{ .input.file }}` to the permissions of skill.yaml
  [1]

Not where nothing is there under that name, not in quiet, and not to a program:
  $ writ run ./words --file lost.txt
  {"success":false,"error":"the file cannot be read: No such file or directory"}
  ! writ: program:reported: the file cannot be read: No such file or directory
  [1]
  $ writ run ./words --file note.txt -q
  {"success":false,"error":"the file cannot be read: No such file or directory"}
  ! writ: program:reported: the file cannot be read: No such file or directory
  [1]
  $ writ run ./words --file note.txt --json | grep -c 'not granted'
  0
  [1]

The mend is the line as it stands there:
  $ sed -i 's/^permissions: .*/permissions: ["filesystem:read:${{ .input.file }}"]/' words/skill.yaml
  $ writ run ./words --file note.txt
  {"success":true,"data":{"lines":1,"words":2}}

A file that is to be written is told of when the program names it, the one that it may read is not, nor is a word that
is no path; nothing is written that would be lost:
  $ sed -i '/^    skip_blank:/i\
  >     title: {type: string, description: A word., examples: [sales]}\
  >     report: {type: string, description: A file to write., examples: [r.txt]}' words/skill.yaml
  $ sed -i 's/^    given = json.load(sys.stdin)/&\n    if "report" in given: open(given["report"], "w").write("x")/' words/main.py
  $ writ run ./words --file note.txt --title sales --report r.txt 2>&1 | tail -1
        `r.txt` is not granted to the program; if it is to write what `report` names, add `filesystem:write:${{ .input.report }}` to the permissions of skill.yaml
  $ writ run ./words --file note.txt --report note.txt 2>&1 | tail -1
        `note.txt` is not granted to the program; if it is to write what `file` names, add `filesystem:write:${{ .input.file }}` to the permissions of skill.yaml
  $ ls
  note.txt
  words

A test that fails for it says so too:
  $ printf 'name: a report\ninput: {file: tests/sample.txt, report: out.txt}\n' >words/tests/report.yaml
  $ writ test ./words --only 'a report'
  com.example.words 1.0.0
    FAIL  a report
          program:failed: *; `out.txt` is not granted to the program; if it is to write what `report` names, add `filesystem:write:${{ .input.report }}` to the permissions of skill.yaml (glob)
  0 passed, 1 failed
  [1]
  $ sed -i 's/^permissions:.*/permissions: ["filesystem:read:${{ .input.file }}", "filesystem:write:${{ .input.report }}"]/' words/skill.yaml
  $ writ test ./words --only 'a report'
  com.example.words 1.0.0
    pass  a report
  1 passed, 0 failed

A fault of the whole input stands beside one of a field, in a test too:
  $ printf 'name: wrong\ninput: {fil: x}\n' >words/tests/wrong.yaml && writ test ./words --only wrong | sed -n 3p
          input:invalid: the input has 2 faults against its schema; /fil the property "fil" is not known here; did you mean "file"?; the property "file" is missing; there is "fil" (a slip of the pen?)
