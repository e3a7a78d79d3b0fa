/*
 * Programs of this machine that a contract names: interpreters and `binary:run:NAME` (S4.3, S4.5).
 *
 * Threads: re-entrant.
 */
#ifndef WRIT_RUN_PROGRAM_H
#define WRIT_RUN_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include "data/semver.h"
#include "skill/places.h"

#include <stdbool.h>

enum writ_program_format {
    WRIT_PROGRAM_STATIC = 1, /* ELF that needs no loader */
    WRIT_PROGRAM_DYNAMIC,    /* ELF with an interpreter */
    WRIT_PROGRAM_SCRIPT,     /* begins with `#!`: `script_interpreter` */
};

struct writ_program {
    const char *name;
    const char *found; /* where the search path has it, perhaps a link */
    const char *real;  /* canonical path of the file */
    int fd;            /* O_PATH on the file, owned by the receiver */
    enum writ_program_format format;
    const char *script_interpreter; /* absolute path after `#!`, or NULL */
    const char *elf_interpreter;    /* PT_INTERP, or NULL */
};

/* Looks `name` up in the search path (colon-separated absolute folders; relative ones and those with `..` are skipped).
 * Errors: DEPENDENCY_MISSING with the mend; INTERNAL_IO when a folder could not be looked into. */
int writ_program_find(const char *search_path, const char *name, struct writ_arena *arena,
                      struct writ_program *ret_program, struct writ_error *error) WRIT_MUST_USE;
/* As above, and moves `*search_path` behind the folder that had it, so that a caller whom that one does not suit can
 * look on.  At the end of the path it is "". */
int writ_program_find_next(const char **search_path, const char *name, struct writ_arena *arena,
                           struct writ_program *ret_program, struct writ_error *error) WRIT_MUST_USE;
/* The program in a file `name` of an opened folder, which is no link; `path` is its full name, borrowed. */
int writ_program_open_in(int folder_fd, const char *name, const char *path, struct writ_arena *arena,
                         struct writ_program *ret_program, struct writ_error *error) WRIT_MUST_USE;
/* The program in a file named by path. */
int writ_program_open(const char *path, struct writ_arena *arena, struct writ_program *ret_program,
                      struct writ_error *error) WRIT_MUST_USE;

#endif
