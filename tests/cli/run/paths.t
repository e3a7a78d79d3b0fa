requires: python3 pdftotext tesseract

Which paths a call may name. Rules S4.3; interfaces "Paths".

  $ cp "$TREE/skills/com.example.file.text-extract/assets/sample.pdf" report.pdf
  $ writ run com.example.file.text-extract --file-path report.pdf --max-pages 1
  {"success":true,"data":{"text":"Quarterly report\nRevenue grew by 12 percent.\n季度报告\n收入增长百分之十二。","pages":[{"page_number":1,"content":"Quarterly report\nRevenue grew by 12 percent.\n季度报告\n收入增长百分之十二。","confidence":1.0}],"empty_pages":0,"confidence":1.0}}

Whoever runs writ may read a file that nobody else can, and so may the skill that is granted it:
  $ chmod 600 report.pdf
  $ writ run com.example.file.text-extract --file-path report.pdf --max-pages 1
  {"success":true,"data":{"text":"Quarterly report\nRevenue grew by 12 percent.\n季度报告\n收入增长百分之十二。","pages":[{"page_number":1,"content":"Quarterly report\nRevenue grew by 12 percent.\n季度报告\n收入增长百分之十二。","confidence":1.0}],"empty_pages":0,"confidence":1.0}}

A missing file, a folder, a device, a link to elsewhere, the link's own target:
  $ writ run com.example.file.text-extract --file-path missing.pdf
  ! writ: filesystem:denied: missing.pdf: does not exist; name a file that is there
  [10]
  $ mkdir folder
  $ writ run com.example.file.text-extract --file-path folder
  {"success":false,"error":"the path names a directory, not a file"}
  ! writ: program:reported: the path names a directory, not a file
  [1]
  $ writ run com.example.file.text-extract --file-path /dev/zero
  ! writ: filesystem:denied: /dev/zero: is a place of accounts, keys or the kernel, which no skill is ever granted
  [10]
  $ ln -s /etc/shadow linked.pdf
  $ writ run com.example.file.text-extract --file-path linked.pdf
  ! writ: filesystem:denied: linked.pdf: is a symbolic link; name the file that it points to
  [10]
  $ writ run com.example.file.text-extract --file-path /etc/shadow
  ! writ: filesystem:denied: /etc/shadow: is a place of accounts, keys or the kernel, which no skill is ever granted
  [10]
  $ writ run com.example.file.text-extract --file-path /proc/self/environ
  ! writ: filesystem:denied: /proc/*/environ: is a place of accounts, keys or the kernel, which no skill is ever granted (glob)
  [10]
  $ mkfifo pipe.pdf
  $ writ run com.example.file.text-extract --file-path pipe.pdf
  ! writ: filesystem:denied: $PLACE/work/pipe.pdf: is neither a regular file nor a folder; name a file
  [10]
  $ writ run com.example.file.text-extract --file-path "$HOME/.local/state/writ/audit/current.jsonl"
  ! writ: filesystem:denied: $PLACE/home/.local/state/writ/audit/current.jsonl: is writ's own state, which no skill is ever granted
  [10]

A file of two gigabytes is refused by the skill, at once:
  $ truncate -s 2G large.pdf
  $ writ run com.example.file.text-extract --file-path large.pdf
  {"success":false,"error":"the file is larger than 512 MiB"}
  ! writ: program:reported: the file is larger than 512 MiB
  [1]

A name with a line end and an escape is a name like any other:
  $ cp report.pdf "$(printf 'a\n\033[31mb.pdf')"
  $ writ run com.example.file.text-extract --max-pages 1 --file-path "$(printf 'a\n\033[31mb.pdf')"
  {"success":true,"data":{"text":"Quarterly report\nRevenue grew by 12 percent.\n季度报告\n收入增长百分之十二。","pages":[{"page_number":1,"content":"Quarterly report\nRevenue grew by 12 percent.\n季度报告\n收入增长百分之十二。","confidence":1.0}],"empty_pages":0,"confidence":1.0}}
