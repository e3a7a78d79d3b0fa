/*
 * Where a new skill's folder is to lie, and putting it there: whole or not at all, and never over anything.
 *
 * Theory.  The path is walked one component at a time to the deepest folder that is there; its descriptor is kept, so
 * that what was looked at is where the skill goes.  A symbolic link on the way is followed only when it and the folder
 * that holds it can be changed by root and the caller alone; one in the last place is refused.  The files are written
 * into `.writ-init-…/NAME` beside the place, where no catalog looks for a skill, and that folder is then renamed to
 * NAME: a rename can take the place of an empty folder, never of anything else.  Missing folders above NAME come into
 * being by the same rename.  An empty folder that is there keeps its identity (somebody may stand in it, or have
 * mounted it): the files are moved into it, SKILL.md and skill.yaml last.  A process that is killed leaves at most the
 * hidden folder.
 *
 * Threads: one thread at a time.
 */
#ifndef WRIT_SKILL_SCAFFOLD_PLACE_H
#define WRIT_SKILL_SCAFFOLD_PLACE_H

#include "skill/scaffold.h"

#include <limits.h>

struct writ_scaffold_place {
    int base_fd;             /* the deepest folder that is there; owned */
    char missing[PATH_MAX];  /* the components below it that are to be made; "": the folder itself is there, empty */
    char name[NAME_MAX + 1]; /* that the skill's folder bears */
};

/* Looks at the place; makes nothing.  `path` is relative to the process's own directory.  Close it with
 * writ_scaffold_place_clear.  Errors: USAGE when something is there, or a link leads there; INTERNAL_IO. */
int writ_scaffold_place_open(const char *path, struct writ_scaffold_place *ret_place,
                             struct writ_error *error) WRIT_MUST_USE;
/* Writes the files: readable by all, writable by the owner, less what the process's umask forbids.  On an error nothing
 * is left.  Errors as above. */
int writ_scaffold_write(const struct writ_scaffold *scaffold, const struct writ_scaffold_place *place,
                        struct writ_error *error) WRIT_MUST_USE;
void writ_scaffold_place_clear(struct writ_scaffold_place *place);

#endif
