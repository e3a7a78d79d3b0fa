/*
 * What a program left where it may write: regular files and folders only; no links, FIFOs, sockets, devices, set-id
 * bits (interfaces "Paths").  The kernel refuses most of these while the program runs; this look afterwards holds where
 * a layer is missing, and is what the record says.
 *
 * What changed is told by the change times that the kernel sets, which no program can; what was changed within a tick
 * of that clock (some milliseconds) before the start counts as the program's.  A clock that is set back during the run
 * is allowed for; the clock of a network file system's server is not.  Looked at are 200,000 files and folders,
 * 64 levels deep: a folder with more may not be granted for writing, for what cannot be looked at is refused.
 */
#ifndef WRIT_RUN_LEFTOVERS_H
#define WRIT_RUN_LEFTOVERS_H

#include "run/prepared.h"

#include <time.h>

struct writ_leftovers_start {
    struct timespec real; /* CLOCK_REALTIME_COARSE, the clock of change times */
    struct timespec boot;
};
/* To be called before the program starts. */
void writ_leftovers_begin(struct writ_leftovers_start *ret_start);

/* Looks at every writable grant for what changed since then.  Nothing is removed.  Error: FILESYSTEM_DENIED naming the
 * first thing found, or what could not be looked at; `ret_denial` is then set, in `arena`.  INTERNAL_MEMORY. */
int writ_leftovers_check(const struct writ_prepared *prepared, const struct writ_leftovers_start *start,
                         struct writ_arena *arena, struct writ_denial *ret_denial,
                         struct writ_error *error) WRIT_MUST_USE;

#endif
