#!/bin/sh
# Writes the commit that a clone stands at into a C file:  tools/commit.sh TREE FILE
#
# Run by every build; the file changes only with what it says, so that nothing is linked anew without need.  A tree that
# is no clone, or lies inside the clone of something else, has no commit.
set -eu
tree=$(cd "$1" && pwd -P)
file=$2
in_tree() { git -c safe.directory='*' -C "$tree" "$@" 2>/dev/null; }

commit='' changed=false
if [ "$(in_tree rev-parse --show-toplevel)" = "$tree" ]; then
    commit=$(in_tree rev-parse --short=12 HEAD) || commit=
    if [ -n "$commit" ] && [ -n "$(in_tree --no-optional-locks status --porcelain --untracked-files=no)" ]; then
        changed=true
    fi
fi
text="/* Made by tools/commit.sh. */
#include <stdbool.h>
extern const char cli_build_commit[];
extern const bool cli_build_changed;
const char cli_build_commit[] = \"$commit\";
const bool cli_build_changed = $changed;"
if [ ! -f "$file" ] || [ "$(cat "$file")" != "$text" ]; then
    printf '%s\n' "$text" >"$file"
fi
