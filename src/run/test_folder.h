/*
 * A copy of a skill's folder for one test of a skill that writes: relative paths of the test start in it, so that it
 * can name an output, and the skill's own folder stays as it is.  It lies in a new folder of /tmp, for this user alone.
 *
 * Threads: none shared; several copies of one skill can be there at once.
 */
#ifndef WRIT_RUN_TEST_FOLDER_H
#define WRIT_RUN_TEST_FOLDER_H

#include "skill/catalog.h"

#include <limits.h>

struct writ_test_folder {
    char root[32];       /* "" while there is none */
    char path[PATH_MAX]; /* the copy, in `root`, of the skill folder's name */
};

/* True when the skill may write what a test's relative path names. */
bool writ_test_folder_is_needed(const struct writ_contract *contract);
/* Copies files and folders; links are left out, as they are from a package.  Errors: INTERNAL_IO; INTERNAL_LIMIT beyond
 * 10,000 entries, 256 MiB or 32 levels. */
int writ_test_folder_make(const struct writ_skill *skill, struct writ_test_folder *ret_folder,
                          struct writ_error *error) WRIT_MUST_USE;
/* Removes it with all that was put there. */
void writ_test_folder_remove(struct writ_test_folder *folder);

#endif
