#include "sandbox/plan.h"

void writ_plan_init(struct writ_plan *plan)
{
    *plan = (struct writ_plan){0};
    for (size_t i = 0; i < WRIT_PLAN_MOUNTS_MAX; i++)
        plan->mounts[i].source_fd = -1;
}

struct writ_mount *writ_plan_add(struct writ_plan *plan, enum writ_mount_kind kind, const char *path,
                                 const char *reason)
{
    if (plan->mount_count == WRIT_PLAN_MOUNTS_MAX)
        return NULL;
    struct writ_mount *mount = &plan->mounts[plan->mount_count++];
    *mount = (struct writ_mount){.kind = kind, .source_fd = -1, .path = path, .reason = reason};
    return mount;
}
