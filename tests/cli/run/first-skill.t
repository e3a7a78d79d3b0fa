requires: python3

What a first skill meets: a path to be written whose folder is not there, a program that is not there.

  $ writ run --skills skills com.example.first.report --file skills/com.example.first.report/main.py --folder nofolder/
  ! writ: filesystem:denied: nofolder/: needs a folder that does not exist; make it first
  [10]
  $ writ run --skills skills com.example.first.report --file skills/com.example.first.report/main.py --folder nofolder/report.md
  ! writ: filesystem:denied: nofolder/report.md: needs a folder that does not exist; make it first
  [10]
  $ ls
  skills
  $ mkdir out
  $ writ run --skills skills com.example.first.report --file skills/com.example.first.report/main.py --folder out
  {"success":true,"data":{"lines":10}}
  $ cat out/report.md
  10 lines
  $ mv skills/com.example.first.report/main.py skills/com.example.first.report/program.py
  $ printf 'runtime: {language: python}\n' >>skills/com.example.first.report/skill.yaml
  $ writ run --skills skills com.example.first.report --file out/report.md --folder out
  ! writ: contract:invalid: runtime.entry: `main.py` is not in the skill's folder; add the program or name it there
  !       `writ lint DIR` shows every fault of the contract
  [5]

A folder of skills is named in any way; what it names may not be written:
  $ mv skills/com.example.first.report/program.py skills/com.example.first.report/main.py
  $ cd skills && writ run --skills . com.example.first.report --file com.example.first.report/main.py --folder ../out
  {"success":true,"data":{"lines":10}}
  $ cd skills && writ run --skills ../skills com.example.first.report --file ../out/report.md --folder .
  ! writ: filesystem:denied: $PLACE/work/skills: writing where skills are kept is never granted; name a place outside $PLACE/work/skills/com.example.first.report
  [10]
  $ writ run --skills skills/../skills/ com.example.first.report --file out/report.md --folder skills/
  ! writ: filesystem:denied: $PLACE/work/skills: writing where skills are kept is never granted; name a place outside $PLACE/work/skills/com.example.first.report
  [10]
