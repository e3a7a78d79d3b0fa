/*
 * What no skill is ever granted, whoever asks (S4.3): credentials, private keys, account files, writ's own state, and
 * the kernel's own file systems.
 *
 * A folder that holds such a thing is refused as a whole: granting it would grant the thing.
 */
#ifndef WRIT_RUN_NEVER_GRANTED_H
#define WRIT_RUN_NEVER_GRANTED_H

#include "skill/places.h"

#include <stdbool.h>
#include <sys/stat.h>

/* By canonical name.  True: `ret_why` holds the rest of a sentence that begins with the path. */
bool writ_never_granted_path(const struct writ_places *places, const char *path, char *ret_why, size_t why_bytes);
/* By identity: hard links to account files, and procfs, sysfs, cgroups and the like. */
bool writ_never_granted_file(const struct writ_places *places, int fd, const struct stat *status, char *ret_why,
                             size_t why_bytes);

#endif
