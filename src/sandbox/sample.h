/*
 * How much memory a process's descendants hold, from /proc.
 *
 * Threads: re-entrant.
 */
#ifndef WRIT_SANDBOX_SAMPLE_H
#define WRIT_SANDBOX_SAMPLE_H

#include <stdint.h>
#include <sys/types.h>

/* Bytes resident in all descendants of `root`, without `root` itself: first the plain sum, which counts shared pages
 * once for each process; when that is more than `limit_bytes`, the exact shares.  0 when nothing can be told. */
uint64_t writ_sample_memory(pid_t root, uint64_t limit_bytes);

#endif
