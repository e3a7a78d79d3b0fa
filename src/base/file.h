/*
 * Files: bounded reads, atomic writes, walking by descriptor.
 *
 * Threads: re-entrant.
 */
#ifndef WRIT_BASE_FILE_H
#define WRIT_BASE_FILE_H

#include "base/buffer.h"
#include "base/error.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Reads a regular file below `folder_fd` (or AT_FDCWD); links in `path` are not followed when `no_links`.
 * Errors: INTERNAL_IO (sys_errno tells ENOENT apart), INTERNAL_LIMIT when it is larger than the buffer's maximum. */
int writ_file_read(int folder_fd, const char *path, bool no_links, struct writ_buffer *buffer,
                   struct writ_error *error) WRIT_MUST_USE;

/* True when others than the owner may write what this tells of.  A group with the owner's number is the owner's own:
 * most systems give one to each user, and files that it may write. */
bool writ_file_is_shared(const struct stat *status) WRIT_PURE;

/* Removes what a writer of `name` left beside it that was killed before its rename.  For whoever holds the lock of all
 * its writers, or does not mind to spoil the writing of another, which then fails. */
void writ_file_sweep(int folder_fd, const char *name);

/* Replaces `name` (one component) in `folder_fd` (opened for reading: neither O_PATH nor AT_FDCWD) whole or not at all:
 * temporary file, fsync, rename, fsync of the folder.  A link is replaced itself, not what it points to.
 * Errors: INTERNAL_IO; only when the last fsync failed may the new content be in place. */
int writ_file_write_atomic(int folder_fd, const char *name, mode_t mode, const void *bytes, size_t length,
                           struct writ_error *error) WRIT_MUST_USE;

/* As above, for a file that exists: the new one has the mode (its lowest nine bits) and the group of `old`, whatever
 * the umask; a group that this process cannot give leaves no group any right.  Extended attributes are not kept. */
int writ_file_replace_atomic(int folder_fd, const char *name, const struct stat *old, const void *bytes, size_t length,
                             struct writ_error *error) WRIT_MUST_USE;

/* Makes every missing folder of the absolute `path` with `mode` and opens the last one for reading (close-on-exec).
 * Links on the way are followed.  Error: INTERNAL_IO. */
int writ_folder_make(const char *path, mode_t mode, int *ret_folder_fd, struct writ_error *error) WRIT_MUST_USE;

/* Removes the folder `name` in `folder_fd` (or AT_FDCWD) with all that is in it, as far as it can be removed.  Links
 * are removed themselves, never followed; folders more than 512 levels deep stay. */
void writ_folder_remove(int folder_fd, const char *name);

#endif
