#!/bin/sh
# Makes FOLDER a meson build folder of exactly these options, and costs nothing when it is one already:
#     CC=gcc tools/configure.sh FOLDER [MESON-OPTION]...
# The options asked for last time are kept beside it; others mean a fresh start, since a compiler cannot be swapped.
set -eu
folder=$1
shift
wanted="CC=${CC:-cc} $*"
mark=$folder/.configured-as
if [ -f "$folder/build.ninja" ] && [ -f "$mark" ] && [ "$(cat "$mark")" = "$wanted" ]; then
    exit 0
fi
rm -rf "$folder"
mkdir -p "$folder"
if ! CC=${CC:-cc} meson setup "$folder" "$@" >"$folder/configure.log" 2>&1; then
    tail -n 30 "$folder/configure.log" >&2
    exit 1
fi
printf '%s' "$wanted" >"$mark"
