/*
 * What the ending of a program means for its call: good so far, failed with a class, or stopped by a limit, which is
 * named with its value and the way to raise it.
 */
#ifndef WRIT_RUN_ENDING_H
#define WRIT_RUN_ENDING_H

#include "run/prepared.h"
#include "sandbox/sandbox.h"

/* The limit that ended a call: what `limit:*` is about. */
struct writ_limit_hit {
    const char *name;       /* as skill.yaml calls it: `runtime.timeout`; NULL: none was hit */
    const char *setting;    /* the person's setting that holds instead of the contract, or NULL */
    const char *unit;       /* "ms" or "bytes" */
    uint64_t allowed, used; /* used 0: not known */
};

/* 0 when the program ended by itself with exit status 0.  Errors: PROGRAM_FAILED, PROGRAM_CRASHED; LIMIT_*, with
 * `ret_limit`; INTERRUPTED; ENDING_UNKNOWN when nobody can tell how it ended. */
int writ_ending_judge(const struct writ_run_result *run, const struct writ_prepared *prepared,
                      struct writ_limit_hit *ret_limit, struct writ_error *error) WRIT_MUST_USE;

#endif
