/*
 * The version of an installed program, as the program itself tells it with `--version`, asked inside a sandbox that
 * grants it nothing, and remembered by the file's identity (device, inode, size, times) in the cache folder.
 */
#ifndef WRIT_RUN_PROGRAM_VERSION_H
#define WRIT_RUN_PROGRAM_VERSION_H

#include "run/program.h"

/* Errors: DEPENDENCY_VERSION when the program tells none. */
int writ_program_version(const struct writ_places *places, const struct writ_program *program,
                         struct writ_semver *ret_version, struct writ_error *error) WRIT_MUST_USE;

#endif
