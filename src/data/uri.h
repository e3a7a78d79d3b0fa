/*
 * URI references (RFC 3986): splitting, resolving against a base, checking.  Threads: pure functions.
 */
#ifndef WRIT_DATA_URI_H
#define WRIT_DATA_URI_H

#include "base/arena.h"

#include <stdbool.h>

struct writ_uri_part {
    const char *text; /* NULL when the part is absent, which differs from empty */
    size_t length;
};

/* The five parts, without their delimiters. */
struct writ_uri {
    struct writ_uri_part scheme, authority, path, query, fragment;
};

/* Splits as RFC 3986 appendix B does: never fails, checks nothing. */
struct writ_uri writ_uri_split(const char *text, size_t length);

/* `reference` resolved against the absolute `base`, without fragment, with `.` and `..` removed.  NULL: out of memory.
 */
char *writ_uri_resolve(struct writ_arena *arena, const char *base, const char *reference, size_t length) WRIT_MUST_USE;

/* True for a well-formed URI; with `relative_too` for any URI reference. */
bool writ_uri_is_valid(const char *text, size_t length, bool relative_too) WRIT_PURE;

#endif
