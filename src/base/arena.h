/*
 * Arena: many small allocations that live and die together.
 *
 * Invariants: memory handed out is aligned to 16 bytes, stays put, and is valid until writ_arena_clear.  The sum of all
 * requests never exceeds the maximum given at birth: a document that would need more is refused, not swapped.
 * Threads: one thread at a time.
 */
#ifndef WRIT_BASE_ARENA_H
#define WRIT_BASE_ARENA_H

#include "base/macros.h"

#include <stdbool.h>

struct writ_arena_chunk;

struct writ_arena {
    struct writ_arena_chunk *chunks; /* newest first */
    char *next, *end;                /* free part of the newest chunk */
    size_t used_bytes, bytes_max;
    bool is_secret;
};

/* No memory is taken until the first request. */
void writ_arena_init(struct writ_arena *arena, size_t bytes_max);
/* For secrets: what is given back is overwritten first. */
void writ_arena_init_secret(struct writ_arena *arena, size_t bytes_max);
/* Frees everything; the arena is then as after init.  Safe on a zeroed struct. */
void writ_arena_clear(struct writ_arena *arena);

/* Uninitialised memory, or NULL when the system or the arena's maximum refuses.  size 0 gives a valid pointer. */
void *writ_arena_alloc(struct writ_arena *arena, size_t size) WRIT_MUST_USE;
/* As alloc, for count elements of size bytes, zeroed; an overflowing product is refused. */
void *writ_arena_zalloc(struct writ_arena *arena, size_t count, size_t size) WRIT_MUST_USE;
/* A copy with a NUL after it. */
char *writ_arena_copy(struct writ_arena *arena, const char *bytes, size_t length) WRIT_MUST_USE;
/* printf into the arena. */
char *writ_arena_printf(struct writ_arena *arena, const char *format, ...) WRIT_MUST_USE WRIT_PRINTF(2, 3);

#endif
