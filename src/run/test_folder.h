/*
 * What one test has for itself, in a new folder of /tmp that is this user's alone and goes with all that is in it.
 *
 * A copy of the skill's folder, in which relative paths of the test start: when the skill may write, so that the test
 * can name an output and the skill's own folder stays as it is; and when the skill lies where nothing is ever granted
 * (the user's own skills lie in writ's configuration), so that its samples can be read.
 * A fresh `${{ .state }}`: a test begins with none, and never touches what the user's calls have left.
 *
 * Threads: none shared; several of one skill can be there at once.
 */
#ifndef WRIT_RUN_TEST_FOLDER_H
#define WRIT_RUN_TEST_FOLDER_H

#include "skill/catalog.h"

#include <limits.h>

struct writ_test_folder {
    char root[32];                    /* "" while there is none */
    char working[PATH_MAX];           /* the copy, in `root`, of the skill folder's name; "": none is needed */
    char state[sizeof "/state" + 32]; /* an empty folder; "": none is needed */
};

/* Makes what this skill needs, perhaps nothing.  Files and folders are copied; links are left out, as they are from a
 * package.  Errors: INTERNAL_IO; INTERNAL_LIMIT beyond 10,000 entries, 256 MiB or 32 levels. */
int writ_test_folder_make(const struct writ_skill *skill, const struct writ_places *places,
                          struct writ_test_folder *ret_folder, struct writ_error *error) WRIT_MUST_USE;
/* Removes it with all that was put there. */
void writ_test_folder_remove(struct writ_test_folder *folder);

#endif
