/*
 * What programs of this machine need to load, as mounts of a plan: the dynamic linker and its libraries, an
 * interpreter's own modules, links that lead to them.  Nothing else of the machine appears.
 */
#ifndef WRIT_RUN_LOADER_H
#define WRIT_RUN_LOADER_H

#include "run/prepared.h"
#include "run/program.h"

/* Adds a program, at its canonical path and at the path it was found by, with all that it needs to load.  Adding twice
 * is fine.  The program's descriptor is taken over in every case.  `reason` is shown by --explain. */
int writ_loader_add_program(struct writ_prepared *prepared, const struct writ_program *program, const char *reason,
                            struct writ_error *error) WRIT_MUST_USE;
/* Adds one bind, unless the path is there already.  `fd` is taken over in every case. */
int writ_loader_add_bind(struct writ_prepared *prepared, const char *path, int fd, bool is_folder, bool executable,
                         const char *reason, struct writ_error *error) WRIT_MUST_USE;

#endif
