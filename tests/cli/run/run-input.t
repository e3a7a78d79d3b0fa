requires: python3

Where fields are missing, the way to be asked for them is told; in a pipe nobody is asked.

  $ writ run com.example.text.stats
  ! writ: input:invalid: the input: the property "text" is missing
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  !       `writ run com.example.text.stats --interactive` asks for each field at a terminal
  [3]
  $ writ -q run com.example.text.stats
  ! writ: input:invalid: the input: the property "text" is missing
  [3]
  $ writ run com.example.text.stats --json
  {"outcome":"refused","output":null,"error":{"class":"input:invalid",*"pointer":"","schema":"/required"*} (glob)
  [3]
  $ writ run com.example.text.stats --interactive
  ! writ: usage: --interactive asks at a terminal, and stdin or stderr is none; give the fields as --NAME VALUE or all of them with --input
  [2]
  $ writ run com.example.text.stats --interactive --json
  {"outcome":"refused","output":null,"error":{"class":"usage","message":"--interactive asks at a terminal, and stdin or stderr is none; give the fields as --NAME VALUE or all of them with --input","details":{}},"denials":[],"run":{"id":null,"skill":"com.example.text.stats","version":null,"duration_ms":0,"memory_peak_bytes":0}}
  [2]

What stands on stdin is the input when it is said so, and only then; a hint says what may have been meant.

  $ echo '{"text": "a b"}' >input.json
  $ writ run com.example.text.stats <input.json
  ! writ: input:invalid: the input: the property "text" is missing
  !       `writ run com.example.text.stats --help` lists the fields of the input and what each takes
  !       stdin was not read; `--input -` takes the input from it
  [3]
  $ writ run com.example.text.stats --input - <input.json
  {"success":true,"data":{"bytes":3,"characters":3,"words":2,"lines":1,"longest_line":3}}
  $ writ run --skills "$TREE/tests/cli/terminal/skills" com.example.terminal.any <input.json
  {"success":true,"data":{}}
  ! writ: stdin was not read; `--input -` takes the input from it
  $ writ -q run --skills "$TREE/tests/cli/terminal/skills" com.example.terminal.any <input.json
  {"success":true,"data":{}}
  $ writ run --skills "$TREE/tests/cli/terminal/skills" com.example.terminal.any --word x <input.json
  {"success":true,"data":{}}

In a loop the list on stdin is the loop's.
  $ printf 'a\nb c\n' | while read -r line; do writ run com.example.text.stats --text "$line"; done
  {"success":true,"data":{"bytes":1,"characters":1,"words":1,"lines":1,"longest_line":1}}
  {"success":true,"data":{"bytes":3,"characters":3,"words":2,"lines":1,"longest_line":3}}

One input is enough:
  $ writ run com.example.text.stats -i input.json --input '{"text": "c"}'
  ! writ: usage: --input is given 2 times; give one, and single fields over it as --NAME VALUE
  [2]
  $ writ run com.example.text.stats -i input.json -i input.json --json
  {"outcome":"refused","output":null,"error":{"class":"usage","message":"--input is given 2 times; give one, and single fields over it as --NAME VALUE","details":{}},"denials":[],"run":{"id":null,"skill":"com.example.text.stats","version":null,"duration_ms":0,"memory_peak_bytes":0}}
  [2]
