What is set once for all calls. The file keeps its comments and its order; it is made for its owner alone.

  $ writ config list
  audit.count      20     default  how many of the last calls `writ audit` shows; 0 shows all
  color            auto   default  whether what is printed has colours; auto: on a terminal
  progress         auto   default  whether a line tells what takes longer than half a second; auto: on a terminal
  run.memory-max   none   default  the most memory that any skill may use, whatever its contract asks for
  run.timeout-max  none   default  the longest that any skill may run, whatever its contract asks for
  time-zone        local  default  the clock that times are shown by; --json is always in UTC
  set in $PLACE/home/.config/writ/config.yaml, by `writ config set NAME VALUE`
  $ writ config get color
  auto
  $ writ config set color never
  `color` is now never
  $ writ config set color never
  `color` was already never
  $ writ config set run.timeout-max 2m
  `run.timeout-max` is now 2m
  $ sed -i 's/^color.*/& # I like it plain/' ~/.config/writ/config.yaml
  $ writ config set color always
  `color` is now always
  $ cat ~/.config/writ/config.yaml
  version: 1
  color: always # I like it plain
  run.timeout-max: 2m
  $ stat -c '%a %n' ~/.config/writ/* | sed "s|$HOME|~|"
  600 ~/.config/writ/config.lock
  600 ~/.config/writ/config.yaml
  $ writ config get color --json
  {"name":"color","value":"always","source":"file","default":"auto","meaning":"whether what is printed has colours; auto: on a terminal","used_by":"every command"}
  $ NO_COLOR=1 writ config list | grep ^color
  color            never  environment  whether what is printed has colours; auto: on a terminal
  $ NO_COLOR=1 writ config list --color auto | grep ^color
  color            auto   option   whether what is printed has colours; auto: on a terminal
  $ writ config unset color
  `color` is now auto, the default
  $ writ config unset color
  `color` was already auto, the default
  $ writ config list -q --json | grep -o '"name":"[^"]*","value":"[^"]*"' | tail -2
  "name":"run.timeout-max","value":"2m"
  "name":"time-zone","value":"local"

Names have neighbours, values have types and bounds, and nothing is written when they are not kept.

  $ writ config set colour never
  ! writ: usage: there is no setting `colour` (did you mean `color`?); `writ config list` shows them all
  [2]
  $ writ config get colour
  ! writ: usage: there is no setting `colour` (did you mean `color`?); `writ config list` shows them all
  [2]
  $ writ config set color blue
  ! writ: usage: `color` takes auto, always or never, not `blue`
  [2]
  $ writ config set run.timeout-max 48h
  ! writ: usage: `run.timeout-max` takes none or a duration from 100 ms to 24 h, not `48h`
  [2]
  $ writ config set run.timeout-max soon
  ! writ: usage: `run.timeout-max` takes none or a duration: `soon` is not a duration: it must begin with a number; write it as in 30s, 250ms, 2m or 1m30s
  [2]
  $ writ config set run.memory-max 512M
  ! writ: usage: `run.memory-max` takes none or a size: `512M` is not a size: write 512MB (powers of 1000) or 512MiB (powers of 1024)
  [2]
  $ writ config set audit.count -- -1
  ! writ: usage: `audit.count` takes a whole number from 0 to 100000, not `-1`
  [2]
  $ writ config
  ! writ: usage: `writ config` wants one word more: list, get, set, unset; `writ help` tells what each does
  [2]
  $ writ config sett color never
  ! writ: usage: `writ config` wants one word more: list, get, set, unset; `writ help` tells what each does
  [2]
  $ writ config set color
  ! writ: usage: an argument is missing: writ config set SETTING VALUE; `writ config set --help` tells more
  [2]
  $ cat ~/.config/writ/config.yaml
  version: 1
  run.timeout-max: 2m

A setting does what it says: it lowers what a contract asks for, and never raises it.

  $ writ run com.example.text.stats --text a --explain | sed -n '/^limits/,/^network/p'
  limits       10 s, 64 MiB of memory, 1 processor, 64 processes, 10 MiB of output
  network      none
  $ writ config set run.timeout-max 500ms -q; writ config set run.memory-max 64MiB -q
  $ writ run com.example.text.stats --text a --explain | sed -n '/^limits/,/^network/p'
  limits       500 ms, 64 MiB of memory, 1 processor, 64 processes, 10 MiB of output
               the time by your setting run.timeout-max; the contract asks for 10 s
  network      none
  $ writ config set audit.count 1
  `audit.count` is now 1
  $ writ run com.example.text.stats --text a >/dev/null; writ run com.example.text.stats --text b >/dev/null
  $ writ audit | wc -l
  1
  $ writ audit -n 5 | wc -l
  2

A broken file is told with its place. What depends on it does not run; what mends it does.

  $ printf 'version: 1\nrun.timeout-max: 2x\n' >~/.config/writ/config.yaml
  $ writ run com.example.text.stats --text a
  ! writ: config:invalid: $PLACE/home/.config/writ/config.yaml:2:18: `run.timeout-max` takes none or a duration: `2x` is not a duration: `x` is no unit; use ms, s, m or h
  !       `writ config set NAME VALUE` sets a value anew, `writ config unset NAME` takes it out
  [77]
  $ writ list --json
  {"error":{"class":"config:invalid","message":"`run.timeout-max` takes none or a duration: `2x` is not a duration: `x` is no unit; use ms, s, m or h","details":{"subject":"$PLACE/home/.config/writ/config.yaml","line":2,"column":18}}}
  [77]
  $ writ config list
  ! writ: config:invalid: $PLACE/home/.config/writ/config.yaml:2:18: `run.timeout-max` takes none or a duration: `2x` is not a duration: `x` is no unit; use ms, s, m or h
  !       `writ config set NAME VALUE` sets a value anew, `writ config unset NAME` takes it out
  [77]
  $ writ help | head -1
  writ runs the programs of agent skills under their contracts.
  $ writ lint "$TREE/skills/com.example.text.stats"
  0 errors, 0 warnings
  $ writ version | head -1 | cut -d' ' -f1
  writ
  $ writ doctor | sed -n '/^  settings/,/what to do/p'
    settings           broken    $PLACE/home/.config/writ/config.yaml:2:18: `run.timeout-max` takes none or a duration: `2x` is not a duration: `x` is no unit; use ms, s, m or h
        without it: nothing runs, for a limit that was mistyped must not seem to hold
        what to do: `writ config set NAME VALUE`, or mend the file
  $ writ doctor --json | cut -c 1-11
  {"layers":[
  $ writ config set run.timeout-max 2m
  `run.timeout-max` is now 2m
  $ writ run com.example.text.stats --text a
  {"success":true,"data":{"bytes":1,"characters":1,"words":1,"lines":1,"longest_line":1}}
  $ printf 'version: 2\n' >~/.config/writ/config.yaml
  $ writ list
  ! writ: config:invalid: $PLACE/home/.config/writ/config.yaml:1:10: the settings are of version 2, and this writ reads up to 1; use the newer writ that wrote them, or move the file away
  !       `writ config set NAME VALUE` sets a value anew, `writ config unset NAME` takes it out
  [77]
  $ writ config set color never
  ! writ: config:invalid: $PLACE/home/.config/writ/config.yaml:1:10: the settings are of version 2, and this writ reads up to 1; use the newer writ that wrote them, or move the file away
  !       `writ config set NAME VALUE` sets a value anew, `writ config unset NAME` takes it out
  [77]
  $ chmod 666 ~/.config/writ/config.yaml
  $ writ list
  ! writ: config:invalid: `$PLACE/home/.config/writ/config.yaml` can be written by others, who could change your settings; run `chmod go-w` on it
  [77]
  $ rm ~/.config/writ/config.yaml; ln -s /dev/null ~/.config/writ/config.yaml
  $ writ list
  ! writ: config:invalid: `$PLACE/home/.config/writ/config.yaml` is a symbolic link, which is not followed; put the file itself there
  [77]
