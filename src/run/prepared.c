#include "run/prepared.h"

#include "base/descriptor.h"

#include <stdlib.h>

#define ARENA_BYTES_MAX ((size_t)32 << 20)

struct writ_prepared *writ_prepared_new(void)
{
    /* A large block from calloc comes as fresh zero pages: only what is used is touched. */
    struct writ_prepared *prepared = calloc(1, sizeof *prepared);
    if (!prepared)
        return NULL;
    writ_arena_init(&prepared->arena, ARENA_BYTES_MAX);
    writ_plan_init(&prepared->plan);
    return prepared;
}

int writ_prepared_is_full(struct writ_error *error)
{
    return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                          "the call needs more than %d places mounted; grant folders instead of many files",
                          WRIT_PLAN_MOUNTS_MAX);
}

void writ_prepared_free(struct writ_prepared *prepared, bool keep_created)
{
    if (!prepared)
        return;
    for (size_t i = 0; i < prepared->grant_count; i++) {
        struct writ_grant *grant = &prepared->grants[i];
        if (grant->created && !keep_created)
            writ_resolve_unmake(grant->folder_fd, grant->path, grant->fd);
        writ_descriptor_close(&grant->fd);
        writ_descriptor_close(&grant->folder_fd);
    }
    for (size_t i = 0; i < prepared->descriptor_count; i++)
        writ_descriptor_close(&prepared->descriptors[i]);
    writ_buffer_clear(&prepared->input);
    writ_arena_clear(&prepared->arena);
    free(prepared);
}
