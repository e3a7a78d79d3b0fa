/*
 * The literal paths that are closed to every skill, whoever asks (S4.3).  Here are only their names, for the run that
 * refuses them and for lint that tells of them beforehand; src/run knows what they are on a machine.
 *
 * Threads: constant.
 */
#ifndef WRIT_SKILL_CLOSED_PLACES_H
#define WRIT_SKILL_CLOSED_PLACES_H

#include "base/macros.h"

#include <stdbool.h>

struct writ_place_list {
    const char *const *paths;
    size_t count;
};
/* Accounts, keys and what belongs to the kernel. */
extern const struct writ_place_list writ_never_granted_on_system;
/* Below a home.  What begins with `.config/` or `.local/share/` is also looked for where XDG_* put those folders. */
extern const struct writ_place_list writ_never_granted_in_home;
/* What runs outside of any sandbox: it may be read. */
extern const struct writ_place_list writ_never_written_on_system;

/* The place that the path is or lies below, or NULL.  Homes are those below /home and /root.  `more`: something unknown
 * follows the path, as after a literal beginning. */
const char *writ_never_granted_by_name(const char *path, bool more) WRIT_PURE;
const char *writ_never_written_by_name(const char *path, bool more) WRIT_PURE;

#endif
