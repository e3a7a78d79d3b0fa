#include "sandbox/prepare.h"

#include "base/descriptor.h"
#include "sandbox/idmap.h"
#include "sandbox/kernel.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define READ_RIGHTS (WRIT_LANDLOCK_READ_FILE | WRIT_LANDLOCK_READ_DIR)
#define FILE_WRITE_RIGHTS (WRIT_LANDLOCK_WRITE_FILE | WRIT_LANDLOCK_TRUNCATE)
/* In a granted folder regular files and folders only: no links, sockets, FIFOs or devices are left behind. */
#define FOLDER_WRITE_RIGHTS                                                                                            \
    (FILE_WRITE_RIGHTS | WRIT_LANDLOCK_REMOVE_DIR | WRIT_LANDLOCK_REMOVE_FILE | WRIT_LANDLOCK_MAKE_REG |               \
     WRIT_LANDLOCK_MAKE_DIR | WRIT_LANDLOCK_REFER)
#define PRIVATE_RIGHTS                                                                                                 \
    (FOLDER_WRITE_RIGHTS | WRIT_LANDLOCK_MAKE_SYM | WRIT_LANDLOCK_MAKE_FIFO | WRIT_LANDLOCK_MAKE_SOCK)

#define PAGE_BYTES ((uint64_t)4096)

static const struct {
    const char *path;
    unsigned minor;
    bool may_lack; /* containers leave out what few programs miss */
} devices[] = {{"/dev/null", 3, false},
               {"/dev/zero", 5, true},
               {"/dev/full", 7, true},
               {"/dev/random", 8, true},
               {"/dev/urandom", 9, false}};

static int refuse(struct writ_error *error, const char *path, const char *why)
{
    return writ_error_set(error, WRIT_INTERNAL_SANDBOX, "the plan's mount %s %s", path ? path : "(null)", why);
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool is_reserved(const char *path, const char *folder)
{
    return strcmp(path, folder) == 0 || is_below(path, folder);
}

/* Absolute and normalised, neither the root nor in /proc, which the sandbox has of its own, nor where the host's tree
 * is while mounts are made. */
static bool path_is_usable(const char *path)
{
    size_t length = strnlen(path, 4096);
    if (path[0] != '/' || length < 2 || length >= 4096 || is_reserved(path, "/proc") || is_reserved(path, "/.host"))
        return false;
    for (const char *name = path; *name;) {
        name++; /* past the slash */
        size_t end = strcspn(name, "/");
        if (end == 0 || end > 255 || (end == 1 && name[0] == '.') || (end == 2 && name[0] == '.' && name[1] == '.'))
            return false;
        name += end;
    }
    return true;
}

static int check_limits(const struct writ_plan *plan, struct writ_error *error)
{
    const struct writ_limits *limits = &plan->limits;
    const char *missing = limits->wall_ms == 0        ? "wall_ms"
                          : limits->memory_bytes == 0 ? "memory_bytes"
                          : limits->processes == 0    ? "processes"
                          : limits->open_files < 3    ? "open_files"
                                                      : NULL;
    if (missing)
        return writ_error_set(error, WRIT_INTERNAL_SANDBOX, "the plan sets no limit %s", missing);
    if (!plan->program || plan->program[0] != '/' || !plan->args[0] || !plan->working_folder)
        return writ_error_set(error, WRIT_INTERNAL_SANDBOX, "the plan names no program, arguments or working folder");
    return 0;
}

/* ---- one mount ---- */

static uint64_t rights_of(const struct writ_mount *mount, int abi)
{
    uint64_t rights = 0;
    if (mount->kind == WRIT_MOUNT_TMPFS)
        rights = PRIVATE_RIGHTS | READ_RIGHTS;
    else if (mount->kind == WRIT_MOUNT_DEVICE)
        rights = WRIT_LANDLOCK_WRITE_FILE | WRIT_LANDLOCK_READ_FILE;
    else if (mount->kind == WRIT_MOUNT_BIND)
        rights = (mount->executable ? WRIT_LANDLOCK_EXECUTE : 0) |
                 (mount->writable ? mount->is_folder ? FOLDER_WRITE_RIGHTS : FILE_WRITE_RIGHTS : 0);
    if (abi < 2)
        rights &= ~WRIT_LANDLOCK_REFER;
    if (abi < 3)
        rights &= ~WRIT_LANDLOCK_TRUNCATE;
    return rights;
}

static int describe_bind(struct writ_enter_mount *entry, struct stat *ret_status, struct writ_error *error)
{
    const struct writ_mount *mount = entry->mount;
    if (mount->source_fd < 0 || fstat(mount->source_fd, ret_status) < 0)
        return writ_step_error(error, WRIT_STEP_SOURCE, mount->source_fd < 0 ? EBADF : errno, mount->path);
    if (mount->is_folder ? !S_ISDIR(ret_status->st_mode) : !S_ISREG(ret_status->st_mode))
        return refuse(error, mount->path, mount->is_folder ? "is not a folder" : "is not a regular file");
    entry->device = ret_status->st_dev;
    entry->inode = ret_status->st_ino;
    entry->attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    if (!mount->writable)
        entry->attributes |= MOUNT_ATTR_RDONLY;
    if (mount->noexec || (mount->writable && !mount->executable))
        entry->attributes |= MOUNT_ATTR_NOEXEC;
    return 0;
}

static int describe(struct writ_enter_mount *entry, struct stat *ret_status, struct writ_error *error)
{
    const struct writ_mount *mount = entry->mount;
    switch (mount->kind) {
    case WRIT_MOUNT_BIND:
        return describe_bind(entry, ret_status, error);
    case WRIT_MOUNT_SYMLINK:
        return mount->content && mount->content[0] ? 0 : refuse(error, mount->path, "is a link to nowhere");
    case WRIT_MOUNT_FILE:
        return mount->content || mount->content_length == 0 ? 0 : refuse(error, mount->path, "has no content");
    case WRIT_MOUNT_FOLDER:
        return 0;
    case WRIT_MOUNT_TMPFS:
        (void)snprintf(entry->options, sizeof entry->options, "size=%llu,nr_inodes=%llu,mode=1777",
                       (unsigned long long)(mount->size_bytes ? mount->size_bytes : PAGE_BYTES),
                       (unsigned long long)(mount->files_max ? mount->files_max + 1 : 2));
        return 0;
    case WRIT_MOUNT_DEVICE:
        entry->attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY;
        for (size_t i = 0; i < WRIT_COUNT(devices); i++) {
            if (strcmp(devices[i].path, mount->path) == 0) {
                entry->device = makedev(1, devices[i].minor);
                entry->may_lack = devices[i].may_lack;
                return 0;
            }
        }
        return refuse(error, mount->path, "is no device that a sandbox may have");
    }
    return refuse(error, mount->path, "is of no known kind");
}

/* ---- sources by path, started by an ordinary user ---- */

/* A grant may be named through a link, or have been moved since; the kernel tells where the open file lies. */
static int locate(struct writ_enter *enter, struct writ_enter_mount *entry, struct writ_error *error)
{
    struct stat status;
    if (fstatat(AT_FDCWD, entry->mount->path, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_dev == entry->device &&
        status.st_ino == entry->inode)
        return 0;
    if (enter->path_count == WRIT_ENTER_PATHS_MAX)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "more than %d places were named through links or were moved",
                              WRIT_ENTER_PATHS_MAX);
    char link[40], *path = enter->paths[enter->path_count++];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", entry->mount->source_fd);
    ssize_t length = readlink(link, path, sizeof enter->paths[0] - 1);
    if (length <= 1 || path[0] != '/')
        return writ_step_error(error, WRIT_STEP_SOURCE, length < 0 ? errno : ENOENT, entry->mount->path);
    path[length] = '\0';
    entry->source_path = path;
    return 0;
}

/* ---- detached mounts, started by root ---- */

static bool mode_is_open(const struct writ_mount *mount, mode_t mode)
{
    mode_t need = S_IROTH | (mount->is_folder || mount->executable ? S_IXOTH : 0) | (mount->writable ? S_IWOTH : 0);
    return (mode & need) == need;
}

/* What every user of the system may read needs no mapping: it costs a namespace and a process.  A folder is taken for
 * readable throughout only where distributions install; elsewhere a private file may lie inside. */
static bool everyone_may(const struct writ_mount *mount, const struct stat *status)
{
    static const char *const system_folders[] = {"/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin"};
    if (mount->writable || !mode_is_open(mount, status->st_mode))
        return false;
    if (!mount->is_folder)
        return true;
    for (size_t i = 0; i < WRIT_COUNT(system_folders); i++)
        if (strcmp(mount->path, system_folders[i]) == 0 || is_below(mount->path, system_folders[i]))
            return status->st_uid == 0 && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
    return false;
}

static int detach_mount(struct writ_enter_mount *entry, const struct stat *status, struct writ_idmap *idmap,
                        struct writ_error *error)
{
    const struct writ_mount *mount = entry->mount;
    bool mapped =
        !everyone_may(mount, status) && (status->st_uid != WRIT_SANDBOX_UID || status->st_gid != WRIT_SANDBOX_UID);
    if (!mapped && entry->may_be_shown)
        return 0; /* no mount is needed, as a rule; otherwise the child makes it */
    long tree = syscall(SYS_open_tree, mount->source_fd, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    if (tree < 0)
        return writ_step_error(error, WRIT_STEP_MOUNT, errno, mount->path);
    entry->tree = (int)tree;
    entry->by_parent = true;
    struct mount_attr attributes = {.attr_set = entry->attributes, .propagation = MS_PRIVATE};
    if (mapped) {
        int namespace_fd = -1;
        int result = writ_idmap_namespace(idmap, status->st_uid, status->st_gid, &namespace_fd, error);
        if (result < 0)
            return result;
        attributes.attr_set |= MOUNT_ATTR_IDMAP;
        attributes.userns_fd = (unsigned)namespace_fd;
    }
    if (syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes) == 0)
        return 0;
    if (!mapped || (errno != EINVAL && errno != EPERM))
        return writ_step_error(error, WRIT_STEP_MOUNT, errno, mount->path);
    /* No identity-mapped mounts here (overlay file systems of containers, for one): good enough is what everyone may.
     */
    attributes = (struct mount_attr){.attr_set = entry->attributes, .propagation = MS_PRIVATE};
    if (mode_is_open(mount, status->st_mode) &&
        syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes) == 0)
        return 0;
    return writ_error_set(error, WRIT_INTERNAL_SANDBOX,
                          "%s lies on a file system that cannot show files under another owner (no identity-mapped "
                          "mounts); copy it to another one, open it to everyone, or run as its owner",
                          mount->path);
}

/* ---- all mounts ---- */

static int compare_entries(const struct writ_enter_mount *entry, const struct writ_mount *mount)
{
    return strcmp(entry->mount->path, mount->path);
}

/* Insertion keeps parents before what lies below them: a path sorts before every longer path that begins with it. */
static int insert(struct writ_enter *enter, const struct writ_mount *mount, struct writ_error *error)
{
    if (!mount->path || !path_is_usable(mount->path))
        return refuse(error, mount->path, "has no usable path");
    size_t place = enter->mount_count;
    while (place > 0 && compare_entries(&enter->mounts[place - 1], mount) > 0) {
        enter->mounts[place] = enter->mounts[place - 1];
        place--;
    }
    enter->mounts[place] = (struct writ_enter_mount){.mount = mount, .tree = -1};
    enter->mount_count++;
    if (place > 0 && compare_entries(&enter->mounts[place - 1], mount) == 0)
        return refuse(error, mount->path, "is named twice");
    return 0;
}

/* What stands on the way to an entry decides how its mount point may be made. */
static void place_among(struct writ_enter *enter, size_t index)
{
    struct writ_enter_mount *entry = &enter->mounts[index];
    const struct writ_enter_mount *nearest = NULL;
    entry->ours = true;
    for (size_t i = 0; i < index; i++) {
        const struct writ_enter_mount *above = &enter->mounts[i];
        if (!is_below(entry->mount->path, above->mount->path))
            continue;
        nearest = above;
        if (above->mount->kind == WRIT_MOUNT_BIND)
            entry->below_bind = true;
        if (above->mount->kind == WRIT_MOUNT_BIND || above->mount->kind == WRIT_MOUNT_SYMLINK)
            entry->ours = false;
    }
    entry->may_be_shown = entry->mount->kind == WRIT_MOUNT_BIND && !entry->mount->is_folder && nearest &&
                          nearest->mount->kind == WRIT_MOUNT_BIND && nearest->attributes == entry->attributes &&
                          (entry->attributes & MOUNT_ATTR_RDONLY);
}

/* Landlock's rights reach down through mounts: a private folder around a writable grant must not bring it the links and
 * nodes that only private folders may hold. */
static void narrow_around(struct writ_enter *enter, const struct writ_enter_mount *entry)
{
    if (entry->mount->kind != WRIT_MOUNT_BIND || !entry->mount->writable)
        return;
    for (struct writ_enter_mount *above = enter->mounts; above < entry; above++)
        if (above->mount->kind == WRIT_MOUNT_TMPFS && is_below(entry->mount->path, above->mount->path))
            above->rights &= FOLDER_WRITE_RIGHTS | READ_RIGHTS;
}

/* The working folder is part of the tree even when no mount brings it. */
static int add_working_folder(struct writ_enter *enter, struct writ_error *error)
{
    const char *path = enter->plan->working_folder;
    if (strcmp(path, "/") == 0)
        return 0;
    for (size_t i = 0; i < enter->mount_count; i++) {
        const struct writ_mount *mount = enter->mounts[i].mount;
        if (strcmp(mount->path, path) == 0 || (mount->kind == WRIT_MOUNT_BIND && is_below(path, mount->path)))
            return 0;
    }
    enter->working_folder = (struct writ_mount){.kind = WRIT_MOUNT_FOLDER, .source_fd = -1, .path = path};
    return insert(enter, &enter->working_folder, error);
}

/* The root was made before the plan was known. */
static int check_room(const struct writ_enter *enter, struct writ_error *error)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < enter->mount_count; i++)
        if (enter->mounts[i].mount->kind == WRIT_MOUNT_FILE || enter->mounts[i].mount->kind == WRIT_MOUNT_SYMLINK)
            bytes += (enter->mounts[i].mount->content_length / PAGE_BYTES + 1) * PAGE_BYTES;
    if (bytes > WRIT_ENTER_ROOT_BYTES)
        return writ_error_set(error, WRIT_INTERNAL_SANDBOX, "the plan's own files are larger than %llu bytes together",
                              (unsigned long long)WRIT_ENTER_ROOT_BYTES);
    return 0;
}

static int prepare_mounts(struct writ_enter *enter, struct writ_error *error)
{
    const struct writ_plan *plan = enter->plan;
    if (plan->mount_count > WRIT_PLAN_MOUNTS_MAX)
        return writ_error_set(error, WRIT_INTERNAL_SANDBOX, "the plan has too many mounts");
    for (size_t i = 0; i < plan->mount_count; i++) {
        int result = insert(enter, &plan->mounts[i], error);
        if (result < 0)
            return result;
    }
    int result = add_working_folder(enter, error);
    WRIT_CLEANUP(writ_idmap_clear) struct writ_idmap idmap = {0};
    for (size_t i = 0; result == 0 && i < enter->mount_count; i++) {
        struct writ_enter_mount *entry = &enter->mounts[i];
        struct stat status = {0};
        result = describe(entry, &status, error);
        if (result < 0)
            break;
        entry->rights = rights_of(entry->mount, enter->landlock_abi);
        place_among(enter, i);
        narrow_around(enter, entry);
        if (entry->mount->kind == WRIT_MOUNT_BIND)
            result = enter->by_root ? detach_mount(entry, &status, &idmap, error) : locate(enter, entry, error);
    }
    return result < 0 ? result : check_room(enter, error);
}

int writ_prepare(const struct writ_plan *plan, struct writ_enter *enter, struct writ_error *error)
{
    enter->plan = plan;
    int result = check_limits(plan, error);
    if (result == 0 && is_reserved(plan->working_folder, "/proc"))
        result = writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                                "%.300s: a program has a /proc of its own and cannot work in this one; start it in "
                                "another folder",
                                plan->working_folder);
    if (result == 0 && strcmp(plan->working_folder, "/") != 0 && !path_is_usable(plan->working_folder))
        result = refuse(error, plan->working_folder, "cannot be the working folder");
    if (result == 0)
        result = writ_prepare_limits(enter, error);
    return result == 0 ? prepare_mounts(enter, error) : result;
}

void writ_prepare_clear(struct writ_enter *enter)
{
    for (size_t i = 0; i < enter->mount_count; i++)
        writ_descriptor_close(&enter->mounts[i].tree);
}
