/*
 * Everything one call needs before it starts: the plan, the descriptors and memory that the plan borrows, what was
 * granted.  Built by prepare.c from contract, input and verdict; freed after the run.
 */
#ifndef WRIT_RUN_PREPARED_H
#define WRIT_RUN_PREPARED_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/watch.h"
#include "run/resolve.h"
#include "sandbox/plan.h"
#include "skill/catalog.h"

#define WRIT_GRANTS_MAX 128

/* What the person allows at most, whatever a contract says; 0: no less than that. */
struct writ_ceilings {
    uint64_t wall_ms, memory_bytes;
};

/* What a call is prepared from. */
struct writ_prepare_request {
    const struct writ_skill *skill; /* loaded, trusted */
    const struct writ_places *places;
    const struct writ_json *input; /* validated, defaults applied */
    const char *working_folder;    /* relative paths start here; the program's working directory */
    const char *const *roots;      /* see struct writ_resolve_options */
    size_t root_count;
    const char *identity_id;
    const char *state_folder; /* what `${{ .state }}` stands for; NULL: the skill's own for this identity */
    struct writ_ceilings ceilings;
    const struct writ_watch *watch; /* NULL: nobody */
};

struct writ_grant {
    const struct writ_permission *permission;
    const char *path;  /* filesystem grants: canonical path; binary:run: the program's real path */
    const char *found; /* binary:run: where the search path has it; else NULL */
    bool is_folder, write, created;
    bool from_input; /* a caller named it, not the contract */
    int fd;          /* O_PATH, owned by the prepared call; -1: none (binary:run) */
    int folder_fd;   /* created: the folder it was made in, owned; else -1 */
};

struct writ_denial {
    const char *kind;    /* `filesystem:read` */
    const char *what;    /* the path, program or host */
    const char *missing; /* the permission, trust or right that would allow it */
};

struct writ_prepared {
    struct writ_arena arena;
    const struct writ_watch *watch; /* of the preparing; borrowed; NULL: nobody */
    struct writ_plan plan;
    struct writ_buffer input; /* what the program reads: defaults applied, paths absolute */
    struct writ_grant grants[WRIT_GRANTS_MAX];
    size_t grant_count;
    int descriptors[WRIT_PLAN_MOUNTS_MAX]; /* owned; what else the plan borrows */
    size_t descriptor_count;
    /* What the contract asked for and a ceiling lowered; 0: it was not lowered. */
    struct writ_ceilings lowered_from;
    struct writ_denial denial; /* set when preparing was refused; kind NULL: none */
};

/* Empty, or NULL when memory is out. */
struct writ_prepared *writ_prepared_new(void) WRIT_MUST_USE;
/* The error of a plan that has no room left: INTERNAL_LIMIT. */
int writ_prepared_is_full(struct writ_error *error);
/* Closes and frees.  `keep_created`: false after a failure: files that were made to be written and are still empty are
 * removed. */
void writ_prepared_free(struct writ_prepared *prepared, bool keep_created);

#endif
