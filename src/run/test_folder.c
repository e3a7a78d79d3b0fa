#include "run/test_folder.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "run/grants.h"
#include "run/never_granted.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES_MAX 10000
#define BYTES_MAX ((uint64_t)256 << 20)
#define DEPTH_MAX 32
#define NEVER_ARENA_BYTES_MAX ((size_t)16 << 20)

struct copying {
    unsigned entries;
    uint64_t bytes;
};

static bool may_write(const struct writ_contract *contract)
{
    for (size_t i = 0; i < contract->permission_count; i++)
        if (contract->permissions[i].kind == WRIT_PERMISSION_FILESYSTEM_WRITE)
            return true;
    return false;
}

static bool may_read(const struct writ_contract *contract)
{
    for (size_t i = 0; i < contract->permission_count; i++)
        if (contract->permissions[i].kind == WRIT_PERMISSION_FILESYSTEM_READ)
            return true;
    return false;
}

static int needs_copy(const struct writ_skill *skill, const struct writ_places *places, bool *ret_needs,
                      struct writ_error *error)
{
    *ret_needs = may_write(skill->contract);
    if (*ret_needs || !may_read(skill->contract))
        return 0;
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, NEVER_ARENA_BYTES_MAX);
    struct writ_never_granted never;
    int result = writ_never_granted_fill(places, &arena, &never, error);
    char why[256];
    if (result == 0)
        *ret_needs = writ_never_granted_path(&never, skill->folder, why, sizeof why);
    return result;
}

static void close_listing(DIR **listing)
{
    if (*listing)
        (void)closedir(*listing);
}

static bool is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int open_folder(int folder_fd, const char *name)
{
    return openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int too_large(struct writ_error *error)
{
    return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                          "the skill's folder is copied for its tests, but has more than %d entries, %d MiB or %d "
                          "levels; make it smaller",
                          ENTRIES_MAX, (int)(BYTES_MAX >> 20), DEPTH_MAX);
}

static int copy_file(int from_fd, int to_fd, const char *name, struct copying *copying, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close) int source = openat(from_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    if (source < 0 || fstat(source, &status) < 0)
        return writ_error_io(error, errno, name);
    mode_t mode = (status.st_mode & 0777) | S_IRUSR | S_IWUSR;
    WRIT_CLEANUP(writ_descriptor_close)
    int target = openat(to_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (target < 0)
        return writ_error_io(error, errno, name);
    char block[64 << 10];
    for (;;) {
        ssize_t got = read(source, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return writ_error_io(error, errno, name);
        if (got == 0)
            return 0;
        copying->bytes += (uint64_t)got;
        if (copying->bytes > BYTES_MAX)
            return too_large(error);
        int written = writ_descriptor_write_all(target, block, (size_t)got);
        if (written < 0)
            return writ_error_io(error, -written, name);
    }
}

static int copy_folder(int from_fd, int to_fd, unsigned depth, struct copying *copying, struct writ_error *error);

static int copy_entry(int from_fd, int to_fd, const char *name, unsigned depth, struct copying *copying,
                      struct writ_error *error)
{
    struct stat status;
    if (fstatat(from_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return writ_error_io(error, errno, name);
    if (++copying->entries > ENTRIES_MAX || depth == DEPTH_MAX)
        return too_large(error);
    if (S_ISREG(status.st_mode))
        return copy_file(from_fd, to_fd, name, copying, error);
    if (!S_ISDIR(status.st_mode))
        return 0;
    if (mkdirat(to_fd, name, 0700) < 0)
        return writ_error_io(error, errno, name);
    WRIT_CLEANUP(writ_descriptor_close) int from = open_folder(from_fd, name);
    WRIT_CLEANUP(writ_descriptor_close) int to = open_folder(to_fd, name);
    if (from < 0 || to < 0)
        return writ_error_io(error, errno, name);
    return copy_folder(from, to, depth + 1, copying, error);
}

static int copy_folder(int from_fd, int to_fd, unsigned depth, struct copying *copying, struct writ_error *error)
{
    int listed = open_folder(from_fd, ".");
    WRIT_CLEANUP(close_listing) DIR *listing = listed < 0 ? NULL : fdopendir(listed);
    if (!listing) {
        int result = writ_error_io(error, errno, ".");
        writ_descriptor_close(&listed);
        return result;
    }
    int result = 0;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(listing);
        if (!entry)
            return errno ? writ_error_io(error, errno, ".") : 0;
        if (is_entry(entry) && (result = copy_entry(from_fd, to_fd, entry->d_name, depth, copying, error)) < 0)
            return result;
    }
}

void writ_test_folder_remove(struct writ_test_folder *folder)
{
    if (!folder->root[0])
        return;
    writ_folder_remove(AT_FDCWD, folder->root);
    folder->root[0] = '\0';
}

static int make_copy(const struct writ_skill *skill, struct writ_test_folder *folder, struct writ_error *error)
{
    const char *slash = strrchr(skill->folder, '/'), *name = slash ? slash + 1 : skill->folder;
    int length = snprintf(folder->working, sizeof folder->working, "%s/%s", folder->root, name);
    if (length < 0 || (size_t)length >= sizeof folder->working)
        return writ_error_io(error, ENAMETOOLONG, folder->root);
    if (mkdir(folder->working, 0700) < 0)
        return writ_error_io(error, errno, folder->working);
    WRIT_CLEANUP(writ_descriptor_close) int fd = open_folder(AT_FDCWD, folder->working);
    if (fd < 0)
        return writ_error_io(error, errno, folder->working);
    struct copying copying = {.entries = 0};
    return copy_folder(skill->folder_fd, fd, 0, &copying, error);
}

int writ_test_folder_make(const struct writ_skill *skill, const struct writ_places *places,
                          struct writ_test_folder *ret_folder, struct writ_error *error)
{
    struct writ_test_folder *folder = ret_folder;
    *folder = (struct writ_test_folder){.root = ""};
    bool wants_copy, wants_state = writ_grants_need_state(skill->contract);
    int result = needs_copy(skill, places, &wants_copy, error);
    if (result < 0 || (!wants_copy && !wants_state))
        return result;
    (void)snprintf(folder->root, sizeof folder->root, "/tmp/writ-test-XXXXXX");
    if (!mkdtemp(folder->root)) {
        folder->root[0] = '\0';
        return writ_error_io(error, errno, "/tmp");
    }
    if (wants_copy)
        result = make_copy(skill, folder, error);
    if (result == 0 && wants_state) {
        (void)snprintf(folder->state, sizeof folder->state, "%s/state", folder->root);
        if (mkdir(folder->state, 0700) < 0)
            result = writ_error_io(error, errno, folder->state);
    }
    if (result < 0)
        writ_test_folder_remove(folder);
    return result;
}
