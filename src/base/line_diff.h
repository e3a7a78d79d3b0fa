/*
 * What changed between two texts, line by line, as `diff -u` shows it.
 *
 * Threads: re-entrant.
 */
#ifndef WRIT_BASE_LINE_DIFF_H
#define WRIT_BASE_LINE_DIFF_H

#include "base/buffer.h"

/* Appends the difference, which `patch` understands, with `name` in its head; nothing when the texts are equal.  The
 * least number of lines changes, unless the parts that differ are very long: then all their lines do.  A failure, want
 * of memory too, shows in `out->failed`. */
void writ_line_diff_print(struct writ_buffer *out, const char *name, const char *old_text, size_t old_length,
                          const char *new_text, size_t new_length);

#endif
