A reader that goes away ends the command, also one that would wait, and is no fault worth a line.

  $ writ run com.example.text.stats --text a >/dev/null
  $ (timeout 20 writ audit -f; echo $? >status) | head -n 1 | cut -c1-2 & until [ -s status ]; do writ run com.example.text.stats --text b >/dev/null; done; wait; cat status
  20
  71

What could be written nowhere is told.

  $ writ list >/dev/full
  ! writ: internal:io: writing to stdout: No space left on device
  [71]
