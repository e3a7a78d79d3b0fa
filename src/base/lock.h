/*
 * Locks between processes (flock) that end: a process that was stopped while it held one does not hold everybody.
 *
 * A lock belongs to the open file: it is let go when the last descriptor of it is closed, however the process ends.
 * Threads: each takes its own descriptor.
 */
#ifndef WRIT_BASE_LOCK_H
#define WRIT_BASE_LOCK_H

#include "base/watch.h"

/* Takes `operation` (LOCK_EX or LOCK_SH) within about 30 seconds.  `name` is the file's, for people; `waiting` is told
 * to the watch (NULL: nobody), which may end it.  Errors: INTERNAL_IO; INTERRUPTED. */
int writ_lock_take(int fd, int operation, const char *name, const struct writ_activity *waiting,
                   const struct writ_watch *watch, struct writ_error *error) WRIT_MUST_USE;

/* The lock of all who change a file: the empty file `name` in `folder_fd`, made for its owner alone when it is missing
 * and never removed, exclusively and as above.  Held until `ret_fd` is closed; `path` is for people.  Error:
 * INTERNAL_IO. */
int writ_lock_open(int folder_fd, const char *name, const char *path, int *ret_fd,
                   struct writ_error *error) WRIT_MUST_USE;

#endif
