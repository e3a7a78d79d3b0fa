/*
 * The runs that began and have not ended: a hash set for verifying.  Internal to audit.
 *
 * A run's name is held as half of its SHA-256, so the memory depends on the count of open runs alone and nobody can
 * choose names that collide.  Threads: one at a time.
 */
#ifndef WRIT_AUDIT_RUNS_H
#define WRIT_AUDIT_RUNS_H

#include "base/error.h"

#include <stdbool.h>

#define WRIT_AUDIT_RUNS_MAX ((size_t)1 << 20) /* 32 MiB at the most */

struct writ_audit_run_key {
    uint64_t low, high; /* low is never 0: that marks a free place */
};
struct writ_audit_runs {
    struct writ_audit_run_key *places;
    size_t capacity, count; /* capacity: a power of two, or 0 */
};

void writ_audit_runs_clear(struct writ_audit_runs *runs);
/* *ret_added is false when the run was open already.  Errors: INTERNAL_MEMORY, INTERNAL_LIMIT. */
int writ_audit_runs_add(struct writ_audit_runs *runs, const char *name, size_t length, bool *ret_added,
                        struct writ_error *error) WRIT_MUST_USE;
/* A run that is not open is passed over. */
void writ_audit_runs_remove(struct writ_audit_runs *runs, const char *name, size_t length);

#endif
