/*
 * A sandbox begun without a plan: its processes exist, its namespaces are made, its root is empty, and both wait for a
 * plan.  A run begins one, or takes one that was begun ahead.
 *
 * Threads: a sandbox belongs to the thread that began it, for its first process dies with that thread.
 */
#ifndef WRIT_SANDBOX_BEGIN_H
#define WRIT_SANDBOX_BEGIN_H

#include "sandbox/enter.h"

#include <sys/resource.h>

struct writ_begun {
    struct writ_enter *enter; /* shared with the child */
    pid_t init;               /* 0: reaped */
    int pidfd;                /* of init */
    int input_fd;             /* non-blocking end that writes */
    int input_read_fd; /* the other end: keeps the pipe alive, so that no write ever raises SIGPIPE, and tells what is
                          left */
    int output_fd, errors_fd; /* non-blocking ends that read */
    int trees_fd;             /* started by root: where detached mounts are sent through; else -1 */
    pid_t process, thread;    /* that began it */
    uid_t uid;                /* of the caller at that time */
    int dumpable;             /* of the caller before */
};

int writ_begun_new(struct writ_begun **ret_begun, struct writ_error *error) WRIT_MUST_USE;
/* Kills and reaps what is left, closes all; NULL is fine.  Keeps errno.  In a process that was forked since, only
 * closes: the sandbox stays the other one's. */
void writ_begun_free(struct writ_begun *begun);
/* Waits for init's end, whatever happens.  `ret_usage` may be NULL. */
void writ_begun_reap(struct writ_begun *begun, struct rusage *ret_usage);
/* False when it belongs to another thread or user, or has died: then it can only be freed. */
bool writ_begun_is_usable(const struct writ_begun *begun);

/* Hands over the mounts that the parent made, then the plan; `enter` must be filled.  0 or -errno. */
int writ_begun_go(struct writ_begun *begun) WRIT_MUST_USE;

#endif
