/*
 * Buffer: growing bytes with a maximum given at birth.
 *
 * Invariants: `length <= bytes_max`; when `capacity > 0`, data[length] is NUL.  The first append that would pass the
 * maximum, or that memory refuses, sets `failed` and changes nothing; later appends are then ignored, so that a caller
 * may append freely and ask once at the end.
 * Threads: one thread at a time.
 */
#ifndef WRIT_BASE_BUFFER_H
#define WRIT_BASE_BUFFER_H

#include "base/macros.h"

#include <stdbool.h>

struct writ_buffer {
    char *data;
    size_t length, capacity, bytes_max;
    bool failed, too_large; /* too_large: it failed for its maximum, not for want of memory */
    bool is_secret;
};

void writ_buffer_init(struct writ_buffer *buffer, size_t bytes_max);
/* For secrets: whatever memory it gives back, when it grows too, is overwritten first. */
void writ_buffer_init_secret(struct writ_buffer *buffer, size_t bytes_max);
/* Frees; the buffer is then as after init.  Safe on a zeroed struct and usable with WRIT_CLEANUP. */
void writ_buffer_clear(struct writ_buffer *buffer);
void writ_buffer_append(struct writ_buffer *buffer, const void *bytes, size_t length);
void writ_buffer_append_text(struct writ_buffer *buffer, const char *text);
void writ_buffer_append_byte(struct writ_buffer *buffer, char byte);
void writ_buffer_printf(struct writ_buffer *buffer, const char *format, ...) WRIT_PRINTF(2, 3);

/* Takes back what was appended beyond `length`, which is at most what there is; a failure stays. */
void writ_buffer_truncate(struct writ_buffer *buffer, size_t length);

/* Room for `length` more bytes at the end, for a reader to fill; NULL (and failed) when there is none. */
char *writ_buffer_reserve(struct writ_buffer *buffer, size_t length) WRIT_MUST_USE;
/* Takes `length` bytes that were written into the room. */
void writ_buffer_commit(struct writ_buffer *buffer, size_t length);

/* The text, never NULL. */
const char *writ_buffer_text(const struct writ_buffer *buffer);

#endif
