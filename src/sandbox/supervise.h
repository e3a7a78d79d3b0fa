/*
 * Watching one sandbox from outside until all of it is dead.
 */
#ifndef WRIT_SANDBOX_SUPERVISE_H
#define WRIT_SANDBOX_SUPERVISE_H

#include "sandbox/begin.h"
#include "sandbox/sandbox.h"

struct writ_supervision {
    const struct writ_plan *plan;
    struct writ_begun *begun;
    const struct writ_watch *watch;
    const char *what, *about;
    struct writ_sandbox_spare *spare; /* refilled while the program runs, when it wants that; may be NULL */
    size_t input_written;
    uint64_t started_ns; /* CLOCK_MONOTONIC */
};

/* Feeds, reads, and holds the limits until init is reaped.  Fills `result`; a failure here kills the sandbox first, so
 * that nothing is left either way. */
int writ_supervise(struct writ_supervision *supervision, struct writ_run_result *result,
                   struct writ_error *error) WRIT_MUST_USE;

/* Writes as much of the input as the pipe takes; closes the writing end when all is written. */
void writ_supervise_feed(struct writ_supervision *supervision);

#endif
