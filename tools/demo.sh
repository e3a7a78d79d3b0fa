#!/bin/sh
# The main job, shown: text out of the sample PDF and the sample image, each in the sandbox, then the record of the calls.
set -eu
cd "$(dirname "$0")/.."
samples=skills/com.example.file.text-extract/assets
XDG_STATE_HOME=$(mktemp -d)
export XDG_STATE_HOME
trap 'rm -rf "$XDG_STATE_HOME"' EXIT

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}
PATH=$PWD/build:$PATH
show writ run com.example.file.text-extract --file-path "$samples/sample.pdf"
show writ run com.example.file.text-extract --file-path "$samples/sample.png"
show writ audit
