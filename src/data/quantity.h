/*
 * Sizes and durations as people write them in contracts and flags.  Threads: pure functions.
 */
#ifndef WRIT_DATA_QUANTITY_H
#define WRIT_DATA_QUANTITY_H

#include "base/buffer.h"
#include "base/error.h"

/* `512MB`, `1GiB`, `64 kB`, `100B`: kB/MB/GB/TB are powers of 1000, KiB/MiB/GiB/TiB of 1024, B bytes; fractions as in
 * `1.5GB` are taken when the result is whole.  No unit is refused, as is anything that does not fit.
 * Error: CONTRACT_INVALID with the mend. */
int writ_size_parse(const char *text, uint64_t *ret_bytes, struct writ_error *error) WRIT_MUST_USE;
/* `30s`, `250ms`, `2m`, `1h`, `1m30s`; no unit means seconds; fractions as in `1.5s`.  Never negative.
 * Error: CONTRACT_INVALID with the mend. */
int writ_duration_parse(const char *text, uint64_t *ret_ms, struct writ_error *error) WRIT_MUST_USE;

/* For people: `1.2 MB`, `850 ms`, `1 min 30 s`. */
void writ_size_print(struct writ_buffer *out, uint64_t bytes);
void writ_duration_print(struct writ_buffer *out, uint64_t ms);

#endif
