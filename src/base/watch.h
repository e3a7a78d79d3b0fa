/*
 * Long work that is watched: told about while it goes on, and ended early when its caller wants that.
 *
 * Whoever does long work takes a `const struct writ_watch *` (NULL: nobody watches) and asks it every so often, many
 * times a second; the watch itself decides how often anything is shown.  What is asked costs one poll of the descriptor
 * and one call, and nothing at all when nobody watches.
 *
 * Threads: one thread at a time asks one watch.
 */
#ifndef WRIT_BASE_WATCH_H
#define WRIT_BASE_WATCH_H

#include "base/error.h"

#include <stdbool.h>

/* `running com.example.x`, `verifying the audit, 12 of 40 MB`. */
struct writ_activity {
    const char *what;           /* `running`; valid during the call, as `about` is */
    const char *about;          /* what it is done to; may have come from a skill; NULL: nothing */
    uint64_t done, total;       /* bytes, or 0 */
    uint64_t done_ms, total_ms; /* or how long it takes already, and may take at most; 0: not told */
};

struct writ_watch {
    int cancel_fd; /* readable: the work is to end; -1: it cannot be ended */
    void (*tick)(void *context, const struct writ_activity *activity); /* NULL: nobody is told */
    void *context;
};

/* The descriptor, or -1. */
static inline int writ_watch_descriptor(const struct writ_watch *watch)
{
    return watch ? watch->cancel_fd : -1;
}
static inline void writ_watch_tell(const struct writ_watch *watch, const struct writ_activity *activity)
{
    if (watch && watch->tick)
        watch->tick(watch->context, activity);
}
/* Tells, and then 0, or INTERRUPTED when the work is to end; the error's sentence names the activity. */
int writ_watch_check(const struct writ_watch *watch, const struct writ_activity *activity,
                     struct writ_error *error) WRIT_MUST_USE;

#endif
