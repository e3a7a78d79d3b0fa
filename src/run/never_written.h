/*
 * What no skill may ever write, though it may be allowed to read it: what runs outside of any sandbox sooner or later,
 * or is trusted by the next run (S4.3).  Programs and their libraries, the machine's configuration, what starts with a
 * shell or a session, folders of $PATH, and folders of skills.
 *
 * A folder that holds such a thing is refused as a whole.  Places are compared by name and by the name that their links
 * lead to.  Not known is what a project runs by itself: its hooks, build files and scripts are its content.
 */
#ifndef WRIT_RUN_NEVER_WRITTEN_H
#define WRIT_RUN_NEVER_WRITTEN_H

#include "skill/catalog.h"

/* `path` is canonical.  Error: FILESYSTEM_DENIED naming the path and the place; INTERNAL_MEMORY. */
int writ_never_written_check(const struct writ_places *places, const struct writ_skill *skill, const char *path,
                             struct writ_error *error) WRIT_MUST_USE;

#endif
