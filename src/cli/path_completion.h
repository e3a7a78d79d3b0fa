/*
 * Names of files for a path that is being typed.
 */
#ifndef WRIT_CLI_PATH_COMPLETION_H
#define WRIT_CLI_PATH_COMPLETION_H

#include "base/buffer.h"

/* `before` (of `length` bytes) is what stands before the cursor; relative paths begin in `folder`.  Appends to
 * `ret_text` what all names that go on from there have in common, with `/` after a folder, or else the names to
 * `ret_listing`. Names that are no printable UTF-8 are left out, hidden ones unless a dot is typed. */
void cli_path_complete(const char *folder, const char *before, size_t length, struct writ_buffer *ret_text,
                       struct writ_buffer *ret_listing);

#endif
