/*
 * Programs that a contract names, in versions that it allows: interpreters and `binary:run:NAME`.
 */
#ifndef WRIT_RUN_DEPENDENCY_H
#define WRIT_RUN_DEPENDENCY_H

#include "base/watch.h"
#include "run/program.h"
#include "skill/contract.h"

struct writ_dependency {
    const char *name;                      /* of the program */
    const char *shown;                     /* what the contract calls it */
    const struct writ_semver_range *range; /* NULL or empty: any version */
    const char *range_text;                /* the range as written */
    const struct writ_watch *watch;        /* while the program is asked for its version; NULL: nobody */
    bool no_script; /* a script in its place (a version manager's shim) will not do: what it starts is not known */
};

/* What the contract says of a program that it may run. */
struct writ_dependency writ_dependency_of(const struct writ_contract *contract, const char *name);

/* The first one in the search path whose version fits.  Errors: DEPENDENCY_VERSION when there are only others,
 * DEPENDENCY_MISSING when there is none; INTERNAL_*. */
int writ_dependency_find(const struct writ_places *places, const struct writ_dependency *dependency,
                         struct writ_arena *arena, struct writ_program *ret_program,
                         struct writ_error *error) WRIT_MUST_USE;

#endif
