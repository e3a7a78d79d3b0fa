requires: python3

Tests of several skills, each by its folder or its id; those that failed are named once more at the end.

  $ writ init a -l python -q && writ init b -l python -q
  $ sed -i 's/lines += 1/lines += 2/' b/main.py
  $ writ test ./a ./b com.example.text.stats
  com.example.a 1.0.0
    pass  a folder is no text
    pass  a file that is not there
    pass  an answer that is no yes or no
    pass  a text with a blank line
  com.example.b 1.0.0
    pass  a folder is no text
    pass  a file that is not there
    pass  an answer that is no yes or no
    FAIL  a text with a blank line
          /data/lines: expected 3, got 6
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
  3 skills: 17 passed, 1 failed
    FAIL  com.example.b: a text with a blank line
  [1]
  $ writ test ./a ./missing
  com.example.a 1.0.0
    pass  a folder is no text
    pass  a file that is not there
    pass  an answer that is no yes or no
    pass  a text with a blank line
  1 skill: 4 passed, 0 failed, 1 could not be tested
  ! writ: skill:not-found: there is no folder `./missing`
  [6]
  $ writ test ./missing ./b >/dev/null
  ! writ: skill:not-found: there is no folder `./missing`
  [6]
  $ writ test ./a ./b --json | sed 's/"duration_ms":[0-9.]*/"duration_ms":0/g'
  {"skills":[{"skill":"com.example.a","tests":[{"name":"a folder is no text","passed":true,"duration_ms":0,"difference":null},{"name":"a file that is not there","passed":true,"duration_ms":0,"difference":null},{"name":"an answer that is no yes or no","passed":true,"duration_ms":0,"difference":null},{"name":"a text with a blank line","passed":true,"duration_ms":0,"difference":null}],"passed":4,"failed":0},{"skill":"com.example.b","tests":[{"name":"a folder is no text","passed":true,"duration_ms":0,"difference":null},{"name":"a file that is not there","passed":true,"duration_ms":0,"difference":null},{"name":"an answer that is no yes or no","passed":true,"duration_ms":0,"difference":null},{"name":"a text with a blank line","passed":false,"duration_ms":0,"difference":"/data/lines: expected 3, got 6"}],"passed":3,"failed":1}],"passed":7,"failed":1,"not_tested":0}
  $ writ test ./missing ./a --only 'a folder is no text' --json | sed 's/"duration_ms":[0-9.]*/"duration_ms":0/g'
  {"skills":[{"skill":"./missing","error":{"class":"skill:not-found","message":"there is no folder `./missing`"}},{"skill":"com.example.a","tests":[{"name":"a folder is no text","passed":true,"duration_ms":0,"difference":null}],"passed":1,"failed":0}],"passed":1,"failed":0,"not_tested":1}

One test by its name, in whichever skill it is:
  $ writ test ./a --only 'a folder is no text'
  com.example.a 1.0.0
    pass  a folder is no text
  1 passed, 0 failed
  $ writ test ./a --only 'a folder is no txt'
  ! writ: usage: com.example.a has no test `a folder is no txt`; did you mean `a folder is no text`?
  [2]
  $ writ test ./a com.example.text.stats --only 'Chinese text'
  com.example.text.stats 1.0.0
    pass  Chinese text
  1 skill: 1 passed, 0 failed
  $ writ test ./a ./b --only 'Chinese text'
  ! writ: usage: none of the skills has a test `Chinese text`; `writ test` without --only names them
  [2]
  $ writ test ./a --only 'Chinese text' --json
  {"error":{"class":"usage","message":"com.example.a has no test `Chinese text`; `writ test` without --only names them","details":{}}}
  [2]
  $ mv a/tests/sample.yaml a/tests/unnamed.yaml && sed -i '/^name:/d' a/tests/unnamed.yaml && writ test ./a --only tests/unnamed.yaml
  com.example.a 1.0.0
    pass  tests/unnamed.yaml
  1 passed, 0 failed

A skill without tests has not passed:
  $ rm -r a/tests && sed -i '/^test:/,$d' a/skill.yaml && writ test ./a
  com.example.a 1.0.0
  0 passed, 0 failed
  ! writ: com.example.a has no tests; add `test:` to its skill.yaml
  [1]
  $ writ test ./a com.example.text.stats | tail -1; writ test ./a --json
  2 skills: 10 passed, 0 failed
  {"skill":"com.example.a","tests":[],"passed":0,"failed":0}
  ! writ: com.example.a has no tests; add `test:` to its skill.yaml
  [1]

Each test has a state of its own, which is gone afterwards; the user's is never touched:
  $ mkdir -p skills/com.example.keeps && cat >skills/com.example.keeps/skill.yaml <<'END_OF_FILE'
  > id: com.example.keeps
  > name: Keeps
  > description: Counts how often it was called, in a file of its state folder.
  > version: 1.0.0
  > input: {type: object, additionalProperties: false, properties: {}}
  > output: {type: object, required: [success, data], properties: {success: {type: boolean}, data: {type: integer}, error: {type: string}}}
  > permissions: ["filesystem:write:${{ .state }}"]
  > runtime: {language: python}
  > test:
  >   - {name: the first call, input: {}, expected_output: {success: true, data: 1}}
  >   - {name: the first call again, input: {}, expected_output: {success: true, data: 1}}
  > END_OF_FILE
  $ cat >skills/com.example.keeps/main.py <<'END_OF_FILE'
  > import json, os
  > state, = [p for line in open("/proc/self/mountinfo") for p in [line.split()[4]] if p.endswith("/state") or "/skills/com.example.keeps/uid-" in p]
  > path = state + "/count"
  > count = 1 + (int(open(path).read()) if os.path.exists(path) else 0)
  > open(path, "w").write(str(count))
  > print(json.dumps({"success": True, "data": count}))
  > END_OF_FILE
  $ writ run ./skills/com.example.keeps; writ run ./skills/com.example.keeps
  {"success":true,"data":1}
  {"success":true,"data":2}
  $ writ test ./skills/com.example.keeps
  com.example.keeps 1.0.0
    pass  the first call
    pass  the first call again
  2 passed, 0 failed
  $ writ run ./skills/com.example.keeps
  {"success":true,"data":3}
