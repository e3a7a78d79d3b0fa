/*
 * The places that no skill is ever granted: gathered once for a call, compared with by never_granted.c.
 */
#ifndef WRIT_RUN_NEVER_PLACES_H
#define WRIT_RUN_NEVER_PLACES_H

#include "base/arena.h"
#include "skill/places.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Made for one call; lives in the arena it was made in.  Threads: read-only once filled. */
struct writ_never_granted {
    struct never_place *places;       /* by name */
    struct never_identity *identical; /* the places that exist */
    struct never_identity *holders;   /* the folders above them */
};

/* Errors: INTERNAL_MEMORY. */
int writ_never_granted_fill(const struct writ_places *places, struct writ_arena *arena,
                            struct writ_never_granted *ret_never, struct writ_error *error) WRIT_MUST_USE;

struct never_place {
    struct never_place *next;
    const char *path, *what;
};
struct never_identity {
    struct never_identity *next;
    dev_t device;
    ino_t inode;
    const struct never_place *place;
};

/* ---- for never_granted.c ---- */
/* True when something stands there, be it a link that leads nowhere. */
bool never_exists(const char *path);
/* The place of that identity in the list, or NULL. */
const struct never_place *never_find(const struct never_identity *list, const struct stat *status);
/* Goes to the folder above.  False at the root, and where the way up cannot be seen. */
bool never_climb(int *fd, struct stat *status);

#define NEVER_LEVELS_MAX 256

#endif
