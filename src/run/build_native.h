/*
 * Building the `main` of a skill written in C (interfaces "The contract"): `main.c` is compiled into `main` when there
 * is no newer one.  The compiler runs in a sandbox that holds the folder, /usr and the compiler, so that
 * main.c can include nothing else of the caller's.
 */
#ifndef WRIT_RUN_BUILD_NATIVE_H
#define WRIT_RUN_BUILD_NATIVE_H

#include "base/watch.h"
#include "skill/catalog.h"

/* Does nothing when the skill is not native, has no main.c, or is up to date; `ret_built` tells.  Errors:
 * DEPENDENCY_MISSING (no C compiler), PROGRAM_FAILED with the compiler's first words, INTERNAL_SANDBOX, INTERRUPTED. */
int writ_build_native(const struct writ_skill *skill, const struct writ_places *places, const struct writ_watch *watch,
                      bool *ret_built, struct writ_error *error) WRIT_MUST_USE;

#endif
