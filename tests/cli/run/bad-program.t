requires: python3
timeout: 60

What a program may do wrong, and what the caller hears. Rules S4.2, S4.4, S4.5.

Output that is not exactly one document of the schema:
  $ writ run --skills skills com.example.hostile.any --do two_documents
  ! writ: output:invalid: the program's output is not one JSON document (line 2, column 1): the document ended before this place, but `{` follows: remove it
  !       a fault of the skill, for its author: `writ test --skills skills com.example.hostile.any` shows it again
  [4]
  $ writ run --skills skills com.example.hostile.any --do no_document
  ! writ: output:invalid: the program printed nothing; it must print one JSON document on stdout
  !       a fault of the skill, for its author: `writ test --skills skills com.example.hostile.any` shows it again
  [4]
  $ writ run --skills skills com.example.hostile.any --do log_on_stdout
  ! writ: output:invalid: the program's output is not one JSON document (line 1, column 1): a value is due, but here is `I`: write an object, array, string, number, true, false or null; print what is for people to standard error
  !       a fault of the skill, for its author: `writ test --skills skills com.example.hostile.any` shows it again
  [4]
  $ writ run --skills skills com.example.hostile.any --do invalid_utf8
  ! writ: output:invalid: the program's output is not one JSON document (line 1, column 34): the byte 0xFF is not valid UTF-8 here
  !       a fault of the skill, for its author: `writ test --skills skills com.example.hostile.any` shows it again
  [4]
  $ writ run --skills skills com.example.hostile.any --do wrong_shape
  ! writ: output:invalid: the program's output has 2 faults against its schema
  !   /success must be true or false, but is the string "yes"
  !   /data must be an object, but is an array of 0 items
  !       a fault of the skill, for its author: `writ test --skills skills com.example.hostile.any` shows it again
  [4]
  $ writ run --skills skills com.example.hostile.any --do failure_without_words
  ! writ: output:invalid: the program's output: the property "error" is missing
  !       a fault of the skill, for its author: `writ test --skills skills com.example.hostile.any` shows it again
  [4]
  $ writ run --skills skills com.example.hostile.any --do close_stdout
  ! writ: output:invalid: the program printed nothing; it must print one JSON document on stdout
  !       a fault of the skill, for its author: `writ test --skills skills com.example.hostile.any` shows it again
  [4]

A failure that the program reports by itself:
  $ writ run --skills skills com.example.hostile.any --do reported
  {"success":false,"error":"the moon is in the wrong phase"}
  ! writ: program:reported: the moon is in the wrong phase
  [1]

Bad ends; what it said on stderr is shown, and cannot steer the terminal:
  $ writ run --skills skills com.example.hostile.any --do exit_three
  ! writ: program:failed: the program ended with exit status 3; it said: ?[31mwith me
  !   the program said on stderr:
  !   | something is wrong
  !   | ?[31mwith me
  !       a file that was not granted looks missing to the program; `writ run --skills skills com.example.hostile.any --explain`, with the same input, shows what it is given
  [30]
  $ writ run --skills skills com.example.hostile.any --do raised
  ! writ: program:failed: the program ended with exit status 1; it said: ValueError: as told
  !   the program said on stderr:
  !   | Traceback (most recent call last):
  ! ...
  !   | ValueError: as told
  !       a file that was not granted looks missing to the program; `writ run --skills skills com.example.hostile.any --explain`, with the same input, shows what it is given
  [30]
  $ writ run --skills skills com.example.hostile.any --do signal_itself
  ! writ: program:crashed: the program was ended by signal 15 (SIGTERM)
  !       a fault of the program, for its author: `writ test --skills skills com.example.hostile.any` runs its own tests
  [31]
  $ writ run --skills skills com.example.hostile.any --do kill_itself
  ! writ: program:crashed: the program was ended by signal 9 (SIGKILL)
  !       a fault of the program, for its author: `writ test --skills skills com.example.hostile.any` runs its own tests
  [31]

Ten gigabytes of output cost one megabyte; stderr is drained, whatever its size:
  $ writ run --skills skills com.example.hostile.any --do flood
  ! writ: limit:output: the program was stopped after 1 MiB of output, its runtime.output; give it less to do, or raise runtime.output in skill.yaml
  [23]
  $ writ run --skills skills com.example.hostile.any --do flood_stderr
  {"success":true,"data":{}}

Time, memory of one and of many, processes, scratch space:
  $ sed -i 's/timeout: 20s/timeout: 1s/' skills/com.example.hostile.any/skill.yaml
  $ writ run --skills skills com.example.hostile.any --do never_ends
  ! writ: limit:timeout: the program was stopped after 1 s, its runtime.timeout; give it less to do, or raise runtime.timeout in skill.yaml
  [20]
  $ sed -i 's/timeout: 1s/timeout: 20s/' skills/com.example.hostile.any/skill.yaml
  $ writ run --skills skills com.example.hostile.any --do balloon_in_children
  ! writ: limit:memory: the program was stopped at 256 MB of memory, its runtime.memory; give it less to do, or raise runtime.memory in skill.yaml
  [21]
  $ writ run --skills skills com.example.hostile.any --do fork_bomb
  {"success":true,"data":{"bounded":true}}
  $ writ run --skills skills com.example.hostile.any --do fill_tmp
  {"success":true,"data":{"done":false,"errno":"No space left on device"}}

A single process that asks for too much is told so by the system or stopped by writ:
  $ writ run --skills skills com.example.hostile.any --do balloon >said 2>err; echo $?
  21
  $ grep -c -E 'limit:memory|MemoryError' err
  1

What lingers is dead when the call returns:
  $ writ run --skills skills com.example.hostile.any --do linger
  {"success":true,"data":{}}

Standard input that is not read, or closed, is no fault:
  $ writ run --skills skills com.example.hostile.any --do close_stdin
  {"success":true,"data":{}}

Its own folder and the rest of the machine cannot be written:
  $ writ run --skills skills com.example.hostile.any --do write_own_folder
  {"success":true,"data":{"done":false,"errno":"Read-only file system"}}
  $ writ run --skills skills com.example.hostile.any --do write_elsewhere
  {"success":true,"data":{"done":false,"errno":"Read-only file system"}}
  $ ls skills/com.example.hostile.any
  main.py
  skill.yaml

What it may leave in a folder that it was granted are files and folders:
  $ mkdir out
  $ writ run --skills skills com.example.hostile.any --do leave_symlink --folder out
  {"success":true,"data":{"done":false,"errno":"Permission denied"}}
  $ writ run --skills skills com.example.hostile.any --do leave_fifo --folder out
  {"success":true,"data":{"done":false,"errno":"Permission denied"}}
  $ writ run --skills skills com.example.hostile.any --do leave_set_id --folder out
  {"success":true,"data":{"done":false,"errno":"Operation not permitted"}}
  $ writ run --skills skills com.example.hostile.any --do leave_files --folder out
  {"success":true,"data":{}}
  $ find out -type f -o -type l -o -type p | sort
  out/a/b/c
  out/tool
  $ cat out/a/b/c
  kept

A file that is to be written is made beforehand, and taken away again when nothing was written:
  $ writ run --skills skills com.example.hostile.any --do write_file --file new.txt
  {"success":true,"data":{}}
  $ cat new.txt
  written
  $ writ run --skills skills com.example.hostile.any --do fail_before_writing --file other.txt
  ! writ: program:failed: the program ended with exit status 1
  !       a file that was not granted looks missing to the program; `writ run --skills skills com.example.hostile.any --explain`, with the same input, shows what it is given
  [30]
  $ ls other.txt
  ! ls: cannot access 'other.txt': No such file or directory
  [2]

Writing where skills are kept is never granted:
  $ writ run --skills skills com.example.hostile.any --do leave_files --folder skills
  ! writ: filesystem:denied: $PLACE/work/skills: holds a folder of skills ($PLACE/work/skills/com.example.hostile.any), which no skill may ever write
  [10]

What it sees of the machine:
  $ writ run --skills skills com.example.hostile.any --do see
  {"success":true,"data":{"etc":["alternatives","group","ld.so.cache","passwd"],"dev":["full","null","random","urandom","zero"],"programs":[],"environment":["HOME","LANG","PATH"],"descriptors":["0","1","2"],"processes":1}}

Every call is on record, and the record is whole:
  $ writ audit -n 0 | wc -l
  31
  $ writ audit verify
  62 records in 1 segments, 0 unfinished calls, 0 torn tails
  intact, head sha256:* (glob)
