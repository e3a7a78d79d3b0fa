What a caller may get wrong, and what it hears. Nothing runs. Rules S4.3, S4.4, S4.5.

Not JSON, in every way it can be given:
  $ writ run com.example.text.stats --input '{"text": }'
  ! writ: input:invalid: the input is not one JSON document (line 1, column 10): a value is due, but here is `}`: remove the comma before it or add the value
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ writ run com.example.text.stats --input '{"text": "a", "text": "b"}'
  ! writ: input:invalid: the input is not one JSON document (line 1, column 15): the key "text" occurs twice in one object: remove one of the two
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ writ run com.example.text.stats --input '[1,'
  ! writ: input:invalid: the input is not one JSON document (line 1, column 4): a value is due, but here is the end of the document: write an object, array, string, number, true, false or null
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ printf '\377' | writ run com.example.text.stats --input -
  ! writ: input:invalid: the input is not one JSON document (line 1, column 1): a value is due, but here is the byte 0xFF: write an object, array, string, number, true, false or null
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ writ run com.example.text.stats --input - </dev/null
  ! writ: input:invalid: the input is not one JSON document (line 1, column 1): the document is empty: write one JSON value
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ writ run com.example.text.stats --input missing.json
  ! writ: input:invalid: --input is neither JSON (an object begins with `{`) nor a file that can be read: missing.json: No such file or directory
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ mkdir folder; writ run com.example.text.stats --input folder
  ! writ: input:invalid: --input is neither JSON (an object begins with `{`) nor a file that can be read: folder: Is a directory
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]

JSON of another shape; every fault is named, with the nearest name:
  $ writ run com.example.text.stats --input '[]'
  ! writ: input:invalid: the input must be an object, but is an array of 0 items
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ writ run com.example.text.stats --input '{"text": 5}'
  ! writ: input:invalid: the input at /text must be a string, but is the number 5
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ writ run com.example.text.stats --input '{"txt": "a"}'
  ! writ: input:invalid: the input has 2 faults against its schema
  !   /txt the property "txt" is not known here; did you mean "text"?
  !   (whole) the property "text" is missing; there is "txt" (a slip of the pen?)
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]
  $ writ run com.example.text.stats --input '{"txt": "a"}' --json
  {"outcome":"refused","output":null,"error":{"class":"input:invalid","message":"the input has 2 faults against its schema","details":{"faults":[{"pointer":"/txt","schema":"/additionalProperties","message":"the property \"txt\" is not known here; did you mean \"text\"?","nearest":"text"},{"pointer":"","schema":"/required","message":"the property \"text\" is missing; there is \"txt\" (a slip of the pen?)","nearest":"txt"}]}},"denials":[],"run":{"id":"????????????????????????????????","skill":"com.example.text.stats","version":"1.0.0","duration_ms":0,"memory_peak_bytes":0}} (glob)
  [3]

Flags that the skill does not know:
  $ writ run com.example.text.stats --tex a
  ! writ: usage: the skill's input has no `tex` (did you mean --text?); `writ run ID --help` lists its flags
  [2]
  $ writ run com.example.text.stats --text
  ! writ: usage: --text needs a value; one that could be an option of writ is written --text=VALUE
  [2]
  $ writ run com.example.text.stats --text a --text b
  ! writ: usage: --text is given twice
  [2]
  $ writ run com.example.text.stats stray
  ! writ: usage: `stray` is no flag (did you mean --text before it?); a skill takes its input as --NAME VALUE or --input JSON
  [2]

More than is taken:
  $ head -c 17000000 /dev/zero | tr '\0' ' ' | writ run com.example.text.stats --input -
  ! writ: input:invalid: the input on stdin is larger than 16 MiB; name a file in it
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  [3]

No such skill, no such version, no such command, no such option:
  $ writ run com.example.text.stat
  ! writ: skill:not-found: no source has a skill `com.example.text.stat`; did you mean `com.example.text.stats`?
  !       `writ list` shows the skills that are found; --skills DIR looks in one more folder
  [6]
  $ writ run com.example.text.stats@9
  ! writ: skill:not-found: `com.example.text.stats` is here in version 1.0.0 (*/skills/com.example.text.stats) only, which is not what was asked for; leave out `@` and what follows to take that one (glob)
  !       `writ list` shows the skills that are found; --skills DIR looks in one more folder
  [6]
  $ writ run com.example.text.stats@nonsense
  ! writ: usage: the version in `com.example.text.stats@nonsense`: `nonsense` is not a version range: a version is missing; write it as in >=1.2 or 1.2.x
  [2]
  $ writ run
  ! writ: usage: an argument is missing: writ run ID[@VERSION]|DIR [--NAME VALUE ...]; `writ run --help` tells more
  [2]
  $ writ rn
  ! writ: usage: there is no command `rn` (did you mean `run`?); `writ help` lists them
  [2]
  $ writ help config
  ! writ: usage: `writ config` wants one word more: list, get, set, unset; `writ help` tells what each does
  [2]
  $ writ help list skills
  ! writ: usage: there is no command `list skills`; `writ help` lists them
  [2]
  $ writ --color
  ! writ: usage: --color needs a value: --color auto|always|never
  [2]
  $ writ list --help --color always | head -1 | cat -v
  ^[[1mwrit ^[[0m^[[1mlist^[[0m - the skills that are found, and where
  $ writ list --jason
  ! writ: usage: `writ list` has no option --jason (did you mean --json?); `writ list --help` lists them
  [2]
