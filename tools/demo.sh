#!/bin/sh
# The main job, shown: text out of the sample PDF and the sample image, each in the sandbox, then the record of the calls.
set -eu
cd "$(dirname "$0")/.."
samples=skills/com.example.file.text-extract/tests/samples
XDG_STATE_HOME=$(mktemp -d)
export XDG_STATE_HOME
trap 'rm -rf "$XDG_STATE_HOME"' EXIT

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}
PATH=$PWD/build:$PATH
show writ run com.example.file.text-extract --file-path "$samples/report.pdf"
show writ run com.example.file.text-extract --file-path "$samples/scan.png"
show writ audit
