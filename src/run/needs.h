/*
 * What a skill needs of this machine, one by one, for `writ doctor ID` (S4.9, S4.10).
 */
#ifndef WRIT_RUN_NEEDS_H
#define WRIT_RUN_NEEDS_H

#include "base/watch.h"
#include "skill/catalog.h"

#define WRIT_NEEDS_MAX 64

struct writ_need {
    char name[64];
    bool met;
    char found[256]; /* where and in which version; or why not */
    char mend[256];  /* "" when met */
};
struct writ_needs {
    struct writ_need items[WRIT_NEEDS_MAX];
    size_t count;
};
/* Looks at the interpreter, the program, every binary and every literal path that the contract names. Never fails: what
 * cannot be learnt is a need that is not met, which is not to be shown when the watch wanted the end. */
void writ_needs_check(const struct writ_skill *skill, const struct writ_places *places, const struct writ_watch *watch,
                      struct writ_needs *ret_needs);

#endif
