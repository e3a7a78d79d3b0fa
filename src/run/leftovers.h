/*
 * What a program left where it may write: regular files and folders only; no links, FIFOs, sockets, devices, set-id
 * bits (interfaces "Paths").  The kernel refuses most of these while the program runs; this look afterwards holds where
 * a layer is missing, and is what the record says.
 */
#ifndef WRIT_RUN_LEFTOVERS_H
#define WRIT_RUN_LEFTOVERS_H

#include "run/prepared.h"

#include <time.h>

/* Looks at every writable grant for what changed since `started` (CLOCK_REALTIME_COARSE, the clock of change times).
 * Nothing is removed.  Error: FILESYSTEM_DENIED naming the first thing found; `ret_denial` is then set, in `arena`. */
int writ_leftovers_check(const struct writ_prepared *prepared, const struct timespec *started, struct writ_arena *arena,
                         struct writ_denial *ret_denial, struct writ_error *error) WRIT_MUST_USE;

#endif
