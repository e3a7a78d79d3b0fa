/*
 * Where skills and state live (interfaces "Where skills and state live").  The library never reads the environment by
 * itself: the program fills this from it once.
 */
#ifndef WRIT_SKILL_PLACES_H
#define WRIT_SKILL_PLACES_H

#include "base/arena.h"
#include "base/error.h"

struct writ_places {
    const char *home;    /* absolute, without a slash at its end, or NULL when unknown */
    const char *config;  /* $XDG_CONFIG_HOME/writ */
    const char *data;    /* $XDG_DATA_HOME/writ */
    const char *state;   /* $XDG_STATE_HOME/writ */
    const char *cache;   /* $XDG_CACHE_HOME/writ */
    const char *runtime; /* $XDG_RUNTIME_DIR/writ, or NULL */
    const char *shipped; /* PREFIX/lib/writ/skills, or the build tree's skills/ */
    const char *path;    /* the absolute folders of $PATH, or a fixed default: where interpreters and binaries are */
    const char *working; /* absolute working directory */
};

/* The error of places that cannot be known without a home: INTERNAL_IO with the mend. */
int writ_places_unknown(struct writ_error *error);

/* `get` is getenv-like; `shipped` may be NULL.  Everything is copied into `arena`.  An empty variable counts as unset;
 * a relative one is ignored, as the XDG rules say.  config, data, state and cache are never NULL. Errors: INTERNAL_IO
 * when HOME is wanted and unknown, with the mend; INTERNAL_MEMORY. */
int writ_places_fill(struct writ_arena *arena, const char *(*get)(void *context, const char *name), void *context,
                     const char *shipped, const char *working, struct writ_places *ret_places,
                     struct writ_error *error) WRIT_MUST_USE;

#endif
