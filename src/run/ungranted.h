/*
 * Which file of the input a program missed because its contract does not grant it.
 *
 * To a program a file that was not granted is a file that is not there, and so it says to people, who see that it is.
 * Where the program's words speak of that and a path in the input is one that the sandbox did not hold, the permission
 * that would have brought it is told.  It is a guess for people: nothing is decided by it, and it is not recorded.
 */
#ifndef WRIT_RUN_UNGRANTED_H
#define WRIT_RUN_UNGRANTED_H

#include "run/prepared.h"

/* A sentence in `arena`, without a full stop; NULL when there is nothing to tell.  `said` is the sentence
 * of the call's error, `errors` the program's stderr; `input` what it was called with.  Texts and lists of texts at the
 * top of the input are looked at. */
const char *writ_ungranted_advice(const struct writ_prepared *prepared, const char *skill_folder,
                                  const struct writ_json *input, const char *said, const char *errors,
                                  struct writ_arena *arena);

#endif
