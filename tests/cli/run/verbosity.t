-q and -v, and what a program says on standard error.

Of a call that succeeds nothing but its output is shown; with -v all that the program said and how the call went:
  $ writ run ./skills/com.example.talks.much
  {"success":true,"data":{}}
  $ writ run -v ./skills/com.example.talks.much 2>said; sed -n '1,3p;31,$p' said
  {"success":true,"data":{}}
    the program said on stderr:
    | line 1
    | line 2
    | line 30
  writ: com.example.talks.much@1.0.0 in $PLACE/work/skills/com.example.talks.much
  writ: call * succeeded after * ms, of them for the sandbox * ms; processor *, peak of memory *; limits held by * (glob)

Of one that fails the end is shown, with -v all, with -q what failed alone:
  $ writ run ./skills/com.example.talks.much --fail 2>said; sed -n '1,4p;$p' said; wc -l <said
  writ: program:failed: the program ended with exit status 3; it said: line 30
    the end of what the program said on stderr:
    | line 10
    | line 11
        a file that was not granted looks missing to the program; `writ run ./skills/com.example.talks.much --explain`, with the same input, shows what it is given
  24
  $ writ run -v ./skills/com.example.talks.much --fail 2>said; sed -n '1,3p;32,$p' said
  writ: program:failed: the program ended with exit status 3; it said: line 30
    the program said on stderr:
    | line 1
    | line 30
        a file that was not granted looks missing to the program; `writ run ./skills/com.example.talks.much --explain`, with the same input, shows what it is given
  writ: com.example.talks.much@1.0.0 in $PLACE/work/skills/com.example.talks.much
  writ: call * failed after * ms, of them for the sandbox * ms; processor *, peak of memory *; limits held by * (glob)
  $ writ run -q ./skills/com.example.talks.much --fail
  ! writ: program:failed: the program ended with exit status 3; it said: line 30
  [30]

JSON has the same in any case:
  $ writ run -v ./skills/com.example.talks.much --json
  {"outcome":"succeeded","output":{"success":true,"data":{}},"error":null,"denials":[],"run":{"id":"*","skill":"com.example.talks.much","version":"1.0.0","duration_ms":*,"memory_peak_bytes":*}} (glob)
