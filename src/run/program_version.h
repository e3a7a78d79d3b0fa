/*
 * The version of an installed program, as the program itself tells it with `--version`, asked inside a sandbox that
 * grants it nothing, and remembered by the file's identity (device, inode, size, times) in the cache folder.
 */
#ifndef WRIT_RUN_PROGRAM_VERSION_H
#define WRIT_RUN_PROGRAM_VERSION_H

#include "base/watch.h"
#include "run/program.h"

/* Waits 20 s for the answer at the most.  Errors: DEPENDENCY_VERSION when the program tells none; INTERRUPTED. */
int writ_program_version(const struct writ_places *places, const struct writ_program *program,
                         const struct writ_watch *watch, struct writ_semver *ret_version,
                         struct writ_error *error) WRIT_MUST_USE;

#endif
