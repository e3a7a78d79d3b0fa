/*
 * Paths of grants, resolved by descriptor (S4.3; interfaces "Paths").
 *
 * Theory.  The walk opens one component at a time with O_PATH|O_NOFOLLOW, so that what was looked at is what is
 * granted: the descriptor that comes out is the grant, the text beside it only its name.  A symbolic link in the middle
 * is followed only when it and the folder that holds it are owned by root or the caller and nobody else can write that
 * folder, for anyone who can plant a link chooses what is granted; a link at the end is refused.  Only regular files
 * and folders of real file systems can be granted, and never credentials, keys, or writ's own state, by whatever name
 * or hard link they are reached.
 */
#ifndef WRIT_RUN_RESOLVE_H
#define WRIT_RUN_RESOLVE_H

#include "base/arena.h"
#include "base/error.h"
#include "run/never_granted.h"

#include <stdbool.h>

struct writ_resolve_options {
    const struct writ_never_granted *never;
    const char *working_folder; /* where relative paths start; absolute */
    /* Canonical folders that paths from the input must lie under; NULL: whatever the caller may read (a person's own
     * command line, where naming a path is granting it). */
    const char *const *roots;
    size_t root_count;
    const char *own_state; /* canonical: the skill's private folder, which lies in writ's state and may be granted;
                              NULL: none */
};

struct writ_resolved {
    const char *path; /* absolute, canonical, in the arena */
    int fd;           /* O_PATH descriptor, owned by the receiver */
    bool is_folder;
    bool created;  /* the file did not exist and was made for writing */
    int folder_fd; /* created: the folder it was made in, owned by the receiver; else -1 */
};

/* Removes a file that was made for writing, when it is still there under its name and empty.  It is looked for in the
 * folder that it was made in, wherever that one may be by now; its canonical `path` only gives its name. */
void writ_resolve_unmake(int folder_fd, const char *path, int fd);

/* Resolves `path` for reading or writing.  `from_input` demands the caller's roots.  A file to be written that does not
 * exist is made, exclusively.  Error: FILESYSTEM_DENIED naming the path, what is wrong and the mend; INTERNAL_MEMORY.
 */
int writ_resolve_grant(const struct writ_resolve_options *options, const char *path, bool write, bool from_input,
                       struct writ_arena *arena, struct writ_resolved *ret_resolved,
                       struct writ_error *error) WRIT_MUST_USE;

/* The canonical absolute name of an existing path, by the same walk; grants nothing. */
int writ_resolve_name(const struct writ_resolve_options *options, const char *path, struct writ_arena *arena,
                      const char **ret_path, struct writ_error *error) WRIT_MUST_USE;

#endif
