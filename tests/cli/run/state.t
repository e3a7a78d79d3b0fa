Where the record cannot be kept, nothing runs. Rule S4.6.

  $ echo in the way >file
  $ XDG_STATE_HOME=$PWD/file writ run com.example.text.stats --text a
  $ XDG_STATE_HOME=/proc/self writ run com.example.text.stats --text a

A folder that others can write is no place for a record:
  $ mkdir -p state/writ/audit; chmod 777 state/writ/audit
  $ XDG_STATE_HOME=$PWD/state writ run com.example.text.stats --text a

What was recorded is found by filter, and a change to it is noticed:
  $ writ run com.example.text.stats --text a >/dev/null
  $ writ run com.example.text.stats --text 5 --json >/dev/null
  $ writ run com.example.text.stats --input '{}' 2>/dev/null
  $ writ audit
  $ writ audit --class input:invalid
  $ writ audit --outcome succeeded -n 1 --json
  $ writ audit verify
  $ sed -i 's/succeeded/refused /' "$HOME/.local/state/writ/audit/current.jsonl"
  $ writ audit verify
