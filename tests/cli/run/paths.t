requires: python3 pdftotext tesseract

Which paths a call may name. Rules S4.3; interfaces "Paths".

  $ cp "$TREE/skills/com.example.file.text-extract/assets/sample.pdf" report.pdf
  $ writ run com.example.file.text-extract --file-path report.pdf --max-pages 1

Whoever runs writ may read a file that nobody else can, and so may the skill that is granted it:
  $ chmod 600 report.pdf
  $ writ run com.example.file.text-extract --file-path report.pdf --max-pages 1

A missing file, a folder, a device, a link to elsewhere, the link's own target:
  $ writ run com.example.file.text-extract --file-path missing.pdf
  $ mkdir folder
  $ writ run com.example.file.text-extract --file-path folder
  $ writ run com.example.file.text-extract --file-path /dev/zero
  $ ln -s /etc/shadow linked.pdf
  $ writ run com.example.file.text-extract --file-path linked.pdf
  $ writ run com.example.file.text-extract --file-path /etc/shadow
  $ writ run com.example.file.text-extract --file-path /proc/self/environ
  $ mkfifo pipe.pdf
  $ writ run com.example.file.text-extract --file-path pipe.pdf
  $ writ run com.example.file.text-extract --file-path "$HOME/.local/state/writ/audit/current.jsonl"

A file of two gigabytes is refused by the skill, at once:
  $ truncate -s 2G large.pdf
  $ writ run com.example.file.text-extract --file-path large.pdf

A name with a line end and an escape is a name like any other:
  $ cp report.pdf "$(printf 'a\n\033[31mb.pdf')"
  $ writ run com.example.file.text-extract --max-pages 1 --file-path "$(printf 'a\n\033[31mb.pdf')"
