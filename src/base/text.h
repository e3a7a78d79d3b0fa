/*
 * Text helpers: UTF-8, nearest names, time stamps.  Threads: pure functions.
 */
#ifndef WRIT_BASE_TEXT_H
#define WRIT_BASE_TEXT_H

#include "base/macros.h"

#include <stdbool.h>
#include <time.h>

/* True when all bytes are well-formed UTF-8 (no overlong forms, surrogates, or code points beyond U+10FFFF). */
bool writ_utf8_is_valid(const char *bytes, size_t length) WRIT_PURE;
/* How many bytes from the start are well-formed UTF-8: `length` when all are, else the offset of the first bad
 * sequence. */
size_t writ_utf8_valid_length(const char *bytes, size_t length) WRIT_PURE;
/* Number of code points; the bytes must be valid UTF-8. */
size_t writ_utf8_count(const char *bytes, size_t length) WRIT_PURE;

/* The candidate nearest to `name` by optimal string alignment distance (case-insensitive for ASCII), or NULL when none
 * is near enough to be worth a hint (distance at most a third of the length, at least 1). */
const char *writ_nearest_name(const char *name, const char *const *candidates, size_t count) WRIT_PURE;
/* The nearest candidate where there is little doubt that it was meant: the name has four letters or more, or all but
 * its case is right, and every other candidate is farther by two steps.  NULL otherwise. */
const char *writ_certain_name(const char *name, const char *const *candidates, size_t count) WRIT_PURE;

/* `2026-11-30T12:00:00.123Z` */
#define WRIT_TIME_TEXT_BYTES 32
void writ_time_print(const struct timespec *time, char ret_text[WRIT_TIME_TEXT_BYTES]);

#endif
