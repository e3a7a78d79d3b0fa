What a caller may get wrong, and what it hears. Nothing runs. Rules S4.3, S4.4, S4.5.

Not JSON, in every way it can be given:
  $ writ run com.example.text.stats --input '{"text": }'
  $ writ run com.example.text.stats --input '{"text": "a", "text": "b"}'
  $ writ run com.example.text.stats --input '[1,'
  $ printf '\377' | writ run com.example.text.stats --input -
  $ writ run com.example.text.stats --input - </dev/null
  $ writ run com.example.text.stats --input missing.json
  $ mkdir folder; writ run com.example.text.stats --input folder

JSON of another shape; every fault is named, with the nearest name:
  $ writ run com.example.text.stats --input '[]'
  $ writ run com.example.text.stats --input '{"text": 5}'
  $ writ run com.example.text.stats --input '{"txt": "a"}'
  $ writ run com.example.text.stats --input '{"txt": "a"}' --json

Flags that the skill does not know:
  $ writ run com.example.text.stats --tex a
  $ writ run com.example.text.stats --text
  $ writ run com.example.text.stats --text a --text b
  $ writ run com.example.text.stats stray

More than is taken:
  $ head -c 17000000 /dev/zero | tr '\0' ' ' | writ run com.example.text.stats --input -

No such skill, no such version, no such command, no such option:
  $ writ run com.example.text.stat
  $ writ run com.example.text.stats@9
  $ writ run com.example.text.stats@nonsense
  $ writ run
  $ writ rn
  $ writ list --jason
