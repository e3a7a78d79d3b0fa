/*
 * JSON Pointer (RFC 6901).  Threads: pure functions.
 */
#ifndef WRIT_DATA_JSON_POINTER_H
#define WRIT_DATA_JSON_POINTER_H

#include "base/buffer.h"
#include "data/json.h"

/* The value that `pointer` ("" or "/a/0/b~1c") names, or NULL when it is malformed or names nothing.  `-` names
 * nothing. */
const struct writ_json *writ_json_pointer_get(const struct writ_json *root, const char *pointer,
                                              size_t length) WRIT_PURE;
/* Appends `/` and the escaped token. */
void writ_json_pointer_append(struct writ_buffer *pointer, const char *token, size_t length);
void writ_json_pointer_append_index(struct writ_buffer *pointer, size_t index);
/* Appends the pointer from `root` to `node`, which must lie in root's content.  Linear; for error reports. */
void writ_json_pointer_to(struct writ_buffer *pointer, const struct writ_json *root, const struct writ_json *node);

#endif
