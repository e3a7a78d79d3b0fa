/*
 * Fixes: mends that are certain enough to be made by a program.
 *
 * A fix is safe when the skill may do no more afterwards than what was written already, and does what was meant; every
 * other one is unsafe: it may be what was meant, but a person says so (`writ lint --fix --unsafe-fixes`).  What widens
 * a permission is always unsafe.
 */
#ifndef WRIT_SKILL_FIX_H
#define WRIT_SKILL_FIX_H

#include "base/edit.h"

#define WRIT_FIX_EDITS_MAX 32

struct writ_fix {
    const char *title; /* what it does, as one says to do it: write `1.0.0` */
    bool is_unsafe;
    const char *makes_executable;  /* file in the folder that gets its executable bits; NULL: the edits are it */
    const struct writ_edit *edits; /* in skill.yaml, in order and apart */
    size_t edit_count;
    bool reveals; /* it makes known what was not judged before: what is found there is not its doing */
};

#endif
