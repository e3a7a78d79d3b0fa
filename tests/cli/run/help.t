requires: python3

`writ run ID --help` tells the flags that a skill's input makes; the folder skills/ beside this case holds one with
nested objects, lists, switches, and a field that has the name of an option.

  $ writ run --skills skills com.example.flags.echo --help | sed -n '/takes:$/,$p'
  com.example.flags.echo takes:
    --n INTEGER                A whole number. (required)
    --x NUMBER                 Any number.
    --mode fast|slow           How. (default "fast")
    --[no-]flag                A switch.
    --list INTEGER             Whole numbers. (repeatable)
    --any VALUE                Anything.
    --json TEXT                Has the name of an option.
    --a.b INTEGER              A number in it.
    --a.c TEXT                 Texts in it. (repeatable)
    --a.d.e                    A switch further in.
  $ writ run com.example.no.such --help >help
  ! writ: skill:not-found: no source has a skill `com.example.no.such`; `writ list` shows those that are there
  [6]
  $ tail -1 help
    -h, --help                 this text

Nested objects, lists, switches, numbers below zero; a value that begins with dashes:
  $ writ run --skills skills com.example.flags.echo --n -3 --x -1.5e3 --no-flag --list 1 --list 2
  {"success":true,"data":{"n":-3,"x":-1500.0,"flag":false,"list":[1,2],"mode":"fast"}}
  $ writ run --skills skills com.example.flags.echo --n 0 --a.b -5 --a.c x --a.c=--json --a.d.e
  {"success":true,"data":{"n":0,"a":{"b":-5,"c":["x","--json"],"d":{"e":true}},"mode":"fast"}}
  $ writ run --skills skills com.example.flags.echo --n 0 --list '[3,4]' --any '{"k":1}' --a '{"b":1}'
  {"success":true,"data":{"n":0,"list":[3,4],"any":{"k":1},"a":{"b":1},"mode":"fast"}}
  $ writ run --skills skills com.example.flags.echo --input '{"n":1,"a":{"c":["z"]}}' --a.b 2
  {"success":true,"data":{"n":1,"a":{"c":["z"],"b":2},"mode":"fast"}}
  $ writ run --skills skills com.example.flags.echo --n 0 -- --json v
  {"success":true,"data":{"n":0,"json":"v","mode":"fast"}}
  $ echo '{"n": 7}' | writ run --skills skills com.example.flags.echo -i -
  {"success":true,"data":{"n":7,"mode":"fast"}}

What cannot be meant:
  $ writ run --skills skills com.example.flags.echo --flag false
  ! writ: usage: `false` follows --flag, which is a switch; write --flag=false or leave it out
  [2]
  $ writ run --skills skills com.example.flags.echo --n 1 --n 2
  ! writ: usage: --n is given twice
  [2]
  $ writ run --skills skills com.example.flags.echo --a.b 1 --a '{}'
  ! writ: usage: `a` is given whole, and a flag inside it too; use one of the two
  [2]
  $ writ run --skills skills com.example.flags.echo --a.zz 1
  ! writ: usage: the skill's input has no `zz`; `writ run ID --help` lists its flags
  [2]
  $ writ run --skills skills com.example.flags.echo --lst 1
  ! writ: usage: the skill's input has no `lst` (did you mean --list?); `writ run ID --help` lists its flags
  [2]
  $ writ run --skills skills com.example.flags.echo --n --json
  {"outcome":"refused","output":null,"error":{"class":"usage","message":"--n needs a value; one that could be an option of writ is written --n=VALUE","details":{}},"denials":[],"run":{"id":null,"skill":"com.example.flags.echo","version":"1.0.0","duration_ms":0,"memory_peak_bytes":0}}
  [2]
  $ writ run --skills skills com.example.flags.echo 5
  ! writ: usage: `5` is no flag; a skill takes its input as --NAME VALUE or --input JSON
  [2]
  $ writ run --skills skills com.example.flags.echo --input ''
  ! writ: input:invalid: --input is empty; give the input as JSON, a file that holds it, or - for stdin
  !       `writ run --skills skills com.example.flags.echo --help` lists the fields of the input and what each takes
  [3]
  $ writ run skills/com.example.flags.echo --n 1
  {"success":true,"data":{"n":1,"mode":"fast"}}
  $ writ run com.example.flags.echo --n 1
  ! writ: skill:not-found: no source has a skill `com.example.flags.echo`; `writ list` shows those that are there
  [6]

Whoever asks for JSON is given the failure as JSON, whatever failed:
  $ writ show com.example.no.such --json
  {"error":{"class":"skill:not-found","message":"no source has a skill `com.example.no.such`; `writ list` shows those that are there","details":{}}}
  [6]
  $ writ audit --count many --json
  {"error":{"class":"usage","message":"--count takes a number from 0 to 100000, not `many`","details":{}}}
  [2]
  $ writ list --json --all
  {"error":{"class":"usage","message":"`writ list` has no option --all; `writ list --help` lists them","details":{}}}
  [2]
  $ writ schema check nofile.json nofile.json --json
  {"error":{"class":"usage","message":"nofile.json: No such file or directory","details":{}}}
  [2]
  $ writ lint nofolder/ --json
  {"error":{"class":"skill:not-found","message":"there is no folder `nofolder/`","details":{}}}
  [6]
  $ writ run com.example.text.stats --text a --txt b --explain --json
  {"outcome":"refused","output":null,"error":{"class":"usage","message":"the skill's input has no `txt` (did you mean --text?); `writ run ID --help` lists its flags","details":{}},"denials":[],"run":{"id":null,"skill":"com.example.text.stats","version":"1.0.0","duration_ms":0,"memory_peak_bytes":0}}
  [2]

A filter that nothing can pass is a slip:
  $ writ audit --outcome succeded
  ! writ: usage: --outcome takes succeeded, failed, refused or unknown, not `succeded`
  [2]
  $ writ audit --class timeout
  ! writ: usage: --class takes a class of error such as input:invalid or limit:timeout, not `timeout`
  [2]
  $ writ audit --since tomorrow
  ! writ: usage: `tomorrow` is no time; write it as in today, 14:03, 2h (ago), 2026-11-30 or 2026-11-30T12:00
  [2]
  $ writ audit verify --head 1234
  ! writ: usage: --head takes `sha256:` and 64 digits of 0-9 and a-f, as `writ audit verify` prints it
  [2]
  $ writ list all
  ! writ: usage: `writ list` takes no argument `all`; usage: writ list
  [2]
