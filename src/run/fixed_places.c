#include "run/fixed_places.h"

#define TMP_FILES_MAX 4096

int writ_fixed_places_add(struct writ_prepared *prepared, uint64_t tmp_bytes, struct writ_error *error)
{
    static const char accounts[] = "root:x:0:0:root:/:/bin/false\nnobody:x:65534:65534:nobody:/:/bin/false\n";
    static const char groups[] = "root:x:0:\nnogroup:x:65534:\n";
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    struct writ_plan *plan = &prepared->plan;
    for (size_t i = 0; i < WRIT_COUNT(devices); i++)
        if (!writ_plan_add(plan, WRIT_MOUNT_DEVICE, devices[i], "a device without state"))
            return writ_prepared_is_full(error);
    const struct {
        const char *path, *content, *reason;
        size_t length;
    } files[] = {{"/etc/passwd", accounts, "no accounts of this machine", sizeof accounts - 1},
                 {"/etc/group", groups, "no groups of this machine", sizeof groups - 1}};
    for (size_t i = 0; i < WRIT_COUNT(files); i++) {
        struct writ_mount *file = writ_plan_add(plan, WRIT_MOUNT_FILE, files[i].path, files[i].reason);
        if (!file)
            return writ_prepared_is_full(error);
        file->content = files[i].content;
        file->content_length = files[i].length;
    }
    struct writ_mount *tmp = writ_plan_add(plan, WRIT_MOUNT_TMPFS, "/tmp", "a private scratch folder, gone afterwards");
    if (!tmp)
        return writ_prepared_is_full(error);
    tmp->size_bytes = tmp_bytes;
    tmp->files_max = TMP_FILES_MAX;
    return 0;
}
