/*
 * Edits: pieces of a text that are replaced, all else staying byte for byte.
 *
 * Threads: pure functions.
 */
#ifndef WRIT_BASE_EDIT_H
#define WRIT_BASE_EDIT_H

#include "base/buffer.h"

struct writ_edit {
    size_t offset, length; /* bytes of the old text that are replaced; length 0: an insertion before `offset` */
    const char *text;      /* what takes their place */
    size_t text_length;
};

/* True when both cannot be made at once: they share bytes, or one inserts within or at an end of the other. */
bool writ_edits_meet(const struct writ_edit *one, const struct writ_edit *other) WRIT_PURE;

/* Appends the text as it is after the edits, which are in order, apart and within it (a mistake of the caller aborts).
 * Failure shows in `out->failed`. */
void writ_edits_apply(struct writ_buffer *out, const char *text, size_t length, const struct writ_edit *edits,
                      size_t count);

#endif
