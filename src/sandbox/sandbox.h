/*
 * Running one program inside a plan (S4.3, S4.4, S4.5).
 *
 * writ_sandbox_run: prepares (root only: idmapped mounts), clones, lets the child enter (enter.c), supervises with one
 * poll loop (supervise.c) and returns when the program and all its descendants are dead.  Nothing of the caller's
 * descriptors, signal dispositions and masks, environment, keyrings, terminal or stdio reaches the program.
 *
 * Started by root the program is the unprivileged host user WRIT_SANDBOX_UID; what was granted reaches it by idmapped
 * mounts.  Started by anyone else it keeps that one uid and nothing more.
 *
 * What the memory limit does not see: what is taken and given back between two looks (supervise.c), shared memory
 * beyond 65536 mappings in all; and for a caller that is not root, shared memory that a program has unmapped in part,
 * while what it maps counts whole, even untouched.  Nor what waits in pipes (64 KiB each) and in the first 64 sockets;
 * further sockets count as if they were full, and no buffer may be enlarged.
 *
 * Threads: re-entrant; each call is its own.  Signals of the caller are not touched, except that SIGPIPE is never
 * raised.
 */
#ifndef WRIT_SANDBOX_SANDBOX_H
#define WRIT_SANDBOX_SANDBOX_H

#include "base/buffer.h"
#include "base/error.h"
#include "base/watch.h"
#include "sandbox/plan.h"

#include <stdbool.h>

/* Host uid and gid of programs started by root: outside the ranges that distributions hand out. */
#define WRIT_SANDBOX_UID 61183

enum writ_ending {
    WRIT_ENDED_UNKNOWN = 0,
    WRIT_ENDED_EXIT,   /* exit_status */
    WRIT_ENDED_SIGNAL, /* signal_number */
    WRIT_ENDED_TIMEOUT,
    WRIT_ENDED_MEMORY,
    WRIT_ENDED_CPU,
    WRIT_ENDED_OUTPUT,     /* stdout passed limits.output_bytes */
    WRIT_ENDED_INTERRUPTED /* options.watch wanted its end */
};

struct writ_run_result {
    enum writ_ending ending;
    int exit_status, signal_number;
    struct writ_buffer output; /* stdout, at most limits.output_bytes */
    struct writ_buffer errors; /* stderr, its first stderr_bytes */
    uint64_t errors_dropped;   /* bytes of stderr beyond that */
    uint64_t duration_us;      /* clone to the last descendant's death */
    uint64_t setup_us;         /* clone to exec */
    uint64_t cpu_us;
    uint64_t memory_peak_bytes; /* what the strongest back end can tell; see memory_measure */
    const char *memory_measure; /* "cgroup", "largest-process", or "upper-bound": no more than the caller's own peak */
    const char *limits_held_by; /* "cgroup-v2", "cgroup-v1", "rlimits" */
    bool input_taken;           /* the program read all of its stdin */
};

/* A sandbox begun ahead: namespaces made, two processes that wait for a plan.  Two thirds of what a sandbox costs can
 * so be paid while the caller still reads a contract and checks the input.  Zeroed is empty.  Belongs to one thread:
 * used by another one, or when it died, a run begins anew by itself.  It holds no descriptor of the caller's, but the
 * machine's mounts as they were; and started by root, the caller gives no core dump while it exists.  To be cleared
 * before exec. */
struct writ_begun;
struct writ_sandbox_spare {
    struct writ_begun *begun;
    bool refill; /* a run that took it begins the next one, while its program runs: for callers that will run more */
};

struct writ_sandbox_options {
    const struct writ_watch *watch;   /* wants the end: kill everything and return WRIT_ENDED_INTERRUPTED; NULL: none */
    const char *what, *about;         /* told while the program runs, with its time; about as far as that is known */
    struct writ_sandbox_spare *spare; /* taken when there is one; NULL: none */
};

/* Begins a spare unless there is a usable one.  Failing is no reason not to run: the run then says why. */
int writ_sandbox_begin(struct writ_sandbox_spare *spare, struct writ_error *error) WRIT_MUST_USE;
/* Ends what was begun and not used. */
void writ_sandbox_spare_clear(struct writ_sandbox_spare *spare);

/* Returns 0 when the program was started, however it ended; a negative code when it never ran: INTERNAL_SANDBOX (the
 * message names the step, the kernel's answer and the mend), FILESYSTEM_DENIED (a working folder in /proc),
 * INTERNAL_MEMORY, DEPENDENCY_MISSING (exec found no interpreter or loader).  `ret_result` is initialised in every
 * case; free it with writ_run_result_clear. */
int writ_sandbox_run(const struct writ_plan *plan, const struct writ_sandbox_options *options,
                     struct writ_run_result *ret_result, struct writ_error *error) WRIT_MUST_USE;
void writ_run_result_clear(struct writ_run_result *result);

#endif
