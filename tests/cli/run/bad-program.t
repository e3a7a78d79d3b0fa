requires: python3
timeout: 60

What a program may do wrong, and what the caller hears. Rules S4.2, S4.4, S4.5.

Output that is not exactly one document of the schema:
  $ writ run --skills skills com.example.hostile.any --do two_documents
  $ writ run --skills skills com.example.hostile.any --do no_document
  $ writ run --skills skills com.example.hostile.any --do log_on_stdout
  $ writ run --skills skills com.example.hostile.any --do invalid_utf8
  $ writ run --skills skills com.example.hostile.any --do wrong_shape
  $ writ run --skills skills com.example.hostile.any --do failure_without_words
  $ writ run --skills skills com.example.hostile.any --do close_stdout

A failure that the program reports by itself:
  $ writ run --skills skills com.example.hostile.any --do reported

Bad ends; what it said on stderr is shown, and cannot steer the terminal:
  $ writ run --skills skills com.example.hostile.any --do exit_three
  $ writ run --skills skills com.example.hostile.any --do raised
  $ writ run --skills skills com.example.hostile.any --do signal_itself
  $ writ run --skills skills com.example.hostile.any --do kill_itself

Ten gigabytes of output cost one megabyte; stderr is drained, whatever its size:
  $ writ run --skills skills com.example.hostile.any --do flood
  $ writ run --skills skills com.example.hostile.any --do flood_stderr

Time, memory of one and of many, processes, scratch space:
  $ sed -i 's/timeout: 20s/timeout: 1s/' skills/com.example.hostile.any/skill.yaml
  $ writ run --skills skills com.example.hostile.any --do never_ends
  $ sed -i 's/timeout: 1s/timeout: 20s/' skills/com.example.hostile.any/skill.yaml
  $ writ run --skills skills com.example.hostile.any --do balloon_in_children
  $ writ run --skills skills com.example.hostile.any --do fork_bomb
  $ writ run --skills skills com.example.hostile.any --do fill_tmp

A single process that asks for too much is told so by the system or stopped by writ:
  $ writ run --skills skills com.example.hostile.any --do balloon >out 2>err; echo $?
  $ grep -c -E 'limit:memory|MemoryError' err

What lingers is dead when the call returns:
  $ writ run --skills skills com.example.hostile.any --do linger

Standard input that is not read, or closed, is no fault:
  $ writ run --skills skills com.example.hostile.any --do close_stdin

Its own folder and the rest of the machine cannot be written:
  $ writ run --skills skills com.example.hostile.any --do write_own_folder
  $ writ run --skills skills com.example.hostile.any --do write_elsewhere
  $ ls skills/com.example.hostile.any

What it may leave in a folder that it was granted are files and folders:
  $ mkdir out
  $ writ run --skills skills com.example.hostile.any --do leave_symlink --folder out
  $ writ run --skills skills com.example.hostile.any --do leave_fifo --folder out
  $ writ run --skills skills com.example.hostile.any --do leave_set_id --folder out
  $ writ run --skills skills com.example.hostile.any --do leave_files --folder out
  $ find out -type f -o -type l -o -type p | sort
  $ cat out/a/b/c

A file that is to be written is made beforehand, and taken away again when nothing was written:
  $ writ run --skills skills com.example.hostile.any --do write_file --file new.txt
  $ cat new.txt
  $ writ run --skills skills com.example.hostile.any --do fail_before_writing --file other.txt
  $ ls other.txt

Writing where skills are kept is never granted:
  $ writ run --skills skills com.example.hostile.any --do leave_files --folder skills

What it sees of the machine:
  $ writ run --skills skills com.example.hostile.any --do see

Every call is on record, and the record is whole:
  $ writ audit -n 0 | wc -l
  $ writ audit verify
