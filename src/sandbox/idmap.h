/*
 * Identity-mapped mounts (started by root only): what is granted reaches the sandbox's unprivileged user as if it were
 * its owner, and what it writes belongs to that owner on disk.
 */
#ifndef WRIT_SANDBOX_IDMAP_H
#define WRIT_SANDBOX_IDMAP_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

#define WRIT_IDMAP_CACHE_MAX 8

/* User namespaces made for one run, one for each owner. */
struct writ_idmap {
    size_t count;
    struct {
        uid_t uid;
        gid_t gid;
        int namespace_fd;
    } entries[WRIT_IDMAP_CACHE_MAX];
};

/* A user namespace in which the owner and the sandbox's user have changed places and all else stays; borrowed from the
 * cache. */
int writ_idmap_namespace(struct writ_idmap *cache, uid_t uid, gid_t gid, int *ret_namespace_fd,
                         struct writ_error *error) WRIT_MUST_USE;
void writ_idmap_clear(struct writ_idmap *cache);

/* Writes the map of users or groups of a process's new namespace. `name` is uid_map, gid_map or setgroups.  0 or
 * -errno. */
int writ_map_write(pid_t pid, const char *name, const char *text) WRIT_MUST_USE;

#endif
