/*
 * What no skill is ever granted, whoever asks (S4.3): credentials, private keys, account files, writ's own state, and
 * the kernel's own file systems.
 *
 * A folder that holds such a thing is refused as a whole: granting it would grant the thing.
 *
 * Theory.  The places are known by name, and those that exist by identity (device and inode) as well, with all folders
 * above them.  Names alone would miss a home that is itself a link (`/home` -> `/data/home`), a link at a place
 * (`~/.netrc` -> `~/dotfiles/netrc`), a second mount of the same folder and a hard link; identities alone would miss
 * what does not exist yet.  Homes are $HOME and those that /etc/passwd gives the caller; root's calls are kept off
 * every person's.  Not known are hard links to files inside a refused folder, and second mounts of a part of one.
 */
#ifndef WRIT_RUN_NEVER_GRANTED_H
#define WRIT_RUN_NEVER_GRANTED_H

#include "run/never_places.h"

#include <stdbool.h>
#include <sys/stat.h>

/* By canonical name.  True: `ret_why` holds the rest of a sentence that begins with the path. */
bool writ_never_granted_path(const struct writ_never_granted *never, const char *path, char *ret_why, size_t why_bytes);
/* By identity: what stands at such a place, lies below one or holds one.  `folder_fd` is the folder that a file lies in
 * (for a folder not looked at). */
bool writ_never_granted_identity(const struct writ_never_granted *never, int fd, int folder_fd,
                                 const struct stat *status, char *ret_why, size_t why_bytes);
/* By file system: procfs, sysfs, cgroups and the like, wherever they are mounted. */
bool writ_never_granted_kernel(int fd, char *ret_why, size_t why_bytes);

#endif
