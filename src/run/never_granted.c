#include "run/never_granted.h"

#include "base/descriptor.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

/* ---- by name ---- */

static bool is_same_or_below(const char *path, const char *place)
{
    size_t length = strlen(place);
    return strncmp(path, place, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static void tell_is(char *ret_why, size_t why_bytes, const struct never_place *place)
{
    (void)snprintf(ret_why, why_bytes, "is %s, which no skill is ever granted", place->what);
}

static void tell_holds(char *ret_why, size_t why_bytes, const struct never_place *place)
{
    (void)snprintf(ret_why, why_bytes, "holds %s, which no skill is ever granted; name a narrower folder", place->path);
}

bool writ_never_granted_path(const struct writ_never_granted *never, const char *path, char *ret_why, size_t why_bytes)
{
    bool is_root = strcmp(path, "/") == 0;
    for (const struct never_place *place = never->places; place; place = place->next) {
        if (is_same_or_below(path, place->path)) {
            tell_is(ret_why, why_bytes, place);
            return true;
        }
        if ((is_root || is_same_or_below(place->path, path)) && never_exists(place->path)) {
            tell_holds(ret_why, why_bytes, place);
            return true;
        }
    }
    return false;
}

/* ---- by identity ---- */

bool writ_never_granted_identity(const struct writ_never_granted *never, int fd, int folder_fd,
                                 const struct stat *status, char *ret_why, size_t why_bytes)
{
    const struct never_place *place = never_find(never->holders, status);
    if (place) {
        tell_holds(ret_why, why_bytes, place);
        return true;
    }
    place = never_find(never->identical, status);
    struct stat at = *status;
    WRIT_CLEANUP(writ_descriptor_close)
    int way = openat(S_ISDIR(status->st_mode) ? fd : folder_fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (way < 0 || fstat(way, &at) < 0) {
        (void)snprintf(ret_why, why_bytes, "could not be examined");
        return true;
    }
    for (unsigned level = 0; !place && level < NEVER_LEVELS_MAX; level++) {
        place = never_find(never->identical, &at);
        if (!place && !never_climb(&way, &at))
            break;
    }
    if (place)
        tell_is(ret_why, why_bytes, place);
    return place != NULL;
}

bool writ_never_granted_kernel(int fd, char *ret_why, size_t why_bytes)
{
    static const uint32_t kernel_file_systems[] = {
        PROC_SUPER_MAGIC,
        SYSFS_MAGIC,
        CGROUP_SUPER_MAGIC,
        CGROUP2_SUPER_MAGIC,
        DEBUGFS_MAGIC,
        TRACEFS_MAGIC,
        SECURITYFS_MAGIC,
        SELINUX_MAGIC,
        BPF_FS_MAGIC,
        DEVPTS_SUPER_MAGIC,
        NSFS_MAGIC,
        PSTOREFS_MAGIC,
        EFIVARFS_MAGIC,
        0x19800202u /* mqueue */,
        0x62656570u /* configfs */,
    };
    struct statfs file_system;
    if (fstatfs(fd, &file_system) < 0) {
        (void)snprintf(ret_why, why_bytes, "could not be examined");
        return true;
    }
    for (size_t i = 0; i < WRIT_COUNT(kernel_file_systems); i++)
        if ((uint32_t)file_system.f_type == kernel_file_systems[i]) {
            (void)snprintf(ret_why, why_bytes, "belongs to the kernel, which no skill is ever granted");
            return true;
        }
    return false;
}
