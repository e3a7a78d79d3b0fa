Where the record cannot be kept, nothing runs. Rule S4.6.

  $ echo in the way >file
  $ XDG_STATE_HOME=$PWD/file writ run com.example.text.stats --text a
  ! writ: internal:audit: cannot record the call in $PLACE/work/file/writ/audit (XDG_STATE_HOME names another place): $PLACE/work/file/writ: Not a directory
  [73]
  $ XDG_STATE_HOME=/proc/self writ run com.example.text.stats --text a
  ! writ: internal:audit: cannot record the call in /proc/self/writ/audit (XDG_STATE_HOME names another place): /proc/self/writ: No such file or directory
  [73]

A folder that others can write is no place for a record:
  $ mkdir -p state/writ/audit; chmod 777 state/writ/audit
  $ XDG_STATE_HOME=$PWD/state writ run com.example.text.stats --text a
  ! writ: internal:audit: cannot record the call in $PLACE/work/state/writ/audit (XDG_STATE_HOME names another place): audit may be written by others (mode 0777); run `chmod go-w` on it
  [73]

What was recorded is found by filter, and a change to it is noticed:
  $ writ run com.example.text.stats --text a >/dev/null
  $ writ run com.example.text.stats --text 5 --json >/dev/null
  $ writ run com.example.text.stats --input '{}' 2>/dev/null
  [3]
  $ writ audit
  20??-??-??T??:??:??  succeeded  * ms  ????????????  com.example.text.stats@1.0.0 (glob)
  20??-??-??T??:??:??  succeeded  * ms  ????????????  com.example.text.stats@1.0.0 (glob)
  20??-??-??T??:??:??  refused    *-  ????????????  com.example.text.stats@1.0.0  input:invalid (glob)
  $ writ audit --class input:invalid
  20??-??-??T??:??:??  refused  -  ????????????  com.example.text.stats@1.0.0  input:invalid (glob)
  $ writ audit --since 2099-01-01
  $ writ audit --since 1d --skill com.example.text.stats | wc -l
  3
  $ TZ=XYZ-14 writ audit -n 1 --run 0 | sed -n 's/^  time  *//p' | tail -1
  20??-??-??T??:??:?? (20??-??-??T??:??:??.???Z) (glob)
  $ writ audit --outcome succeeded -n 1 --json
  {"begin":{"v":1,"seq":3,*,"skill":"com.example.text.stats",*},"end":{"v":1,"seq":4,*,"outcome":"succeeded",*}} (glob)
  $ writ audit verify
  6 records in 1 segments, 0 unfinished calls, 0 torn tails
  intact, head sha256:* (glob)
  $ sed -i 's/succeeded/refused /' "$HOME/.local/state/writ/audit/current.jsonl"
  $ writ audit verify
  2 records in 1 segments, 0 unfinished calls, 0 torn tails
  broken: record 3 does not carry the digest of record 2: one of the two was changed
  [1]
