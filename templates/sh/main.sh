#!/bin/sh
# Counts the lines and words of a text file: one JSON document on standard input, one on standard output.
#
# The input satisfies the schema in skill.yaml, defaults filled in; writ has seen to that, and looks at the output the
# same way. The file is there because the caller named it; no other file of theirs is. What goes to standard error is
# for people: it is shown when a call fails. JSON is read and written by jq alone: a shell that does it itself gets the
# first quotation mark or line end in a file's name wrong.
set -eu

fail() {
    jq -cn --arg error "$1" '{success: false, error: $error}'
    exit 0
}

input=$(jq -c .)
file=$(printf '%s' "$input" | jq -j '.file + "."') # the dot saves line ends at the end of a name
file=${file%.}
skip_blank=$(printf '%s' "$input" | jq .skip_blank)

[ -f "$file" ] || fail "the file cannot be read: it is no file"

# shellcheck disable=SC2016 # what is in single quotes is jq's
jq -cn --rawfile text "$file" --argjson skip_blank "$skip_blank" '
    ($text | split("\n") | if .[-1] == "" then .[:-1] else . end) as $lines
    | if $text | index("\u0000") then
        {success: false, error: "this is no text: it holds a NUL byte"}
      else
        {success: true, data: {
            lines: [$lines[] | select($skip_blank == false or test("[^ \t\u000b\f\r]"))] | length,
            words: [$lines[] | scan("[^ \t\u000b\f\r]+")] | length
        }}
      end'
