#include "run/test_folder.h"

#include "base/descriptor.h"

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
/* What a test made may lie deeper; each level holds one descriptor open. */
#define REMOVED_DEPTH_MAX 512

struct copying {
    unsigned entries;
    uint64_t bytes;
};

bool writ_test_folder_is_needed(const struct writ_contract *contract)
{
    for (size_t i = 0; i < contract->permission_count; i++)
        if (contract->permissions[i].kind == WRIT_PERMISSION_FILESYSTEM_WRITE)
            return true;
    return false;
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
    return writ_error_set(
        error, WRIT_INTERNAL_LIMIT,
        "the skill's folder is copied for its tests, but has more than %d entries, %d MiB or %d levels", ENTRIES_MAX,
        (int)(BYTES_MAX >> 20), DEPTH_MAX);
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

/* As far as it can be removed. */
static void empty_folder(int folder_fd, unsigned depth)
{
    int listed = open_folder(folder_fd, ".");
    WRIT_CLEANUP(close_listing) DIR *listing = listed < 0 ? NULL : fdopendir(listed);
    if (!listing)
        writ_descriptor_close(&listed);
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        if (!is_entry(entry) || unlinkat(folder_fd, entry->d_name, 0) == 0 || depth == REMOVED_DEPTH_MAX)
            continue;
        (void)!fchmodat(folder_fd, entry->d_name, 0700, AT_SYMLINK_NOFOLLOW);
        WRIT_CLEANUP(writ_descriptor_close) int inner = open_folder(folder_fd, entry->d_name);
        if (inner >= 0)
            empty_folder(inner, depth + 1);
        (void)unlinkat(folder_fd, entry->d_name, AT_REMOVEDIR);
    }
}

void writ_test_folder_remove(struct writ_test_folder *folder)
{
    if (!folder->root[0])
        return;
    WRIT_CLEANUP(writ_descriptor_close) int fd = open_folder(AT_FDCWD, folder->root);
    if (fd >= 0)
        empty_folder(fd, 0);
    (void)rmdir(folder->root);
    folder->root[0] = '\0';
}

int writ_test_folder_make(const struct writ_skill *skill, struct writ_test_folder *ret_folder, struct writ_error *error)
{
    struct writ_test_folder *folder = ret_folder;
    const char *slash = strrchr(skill->folder, '/'), *name = slash ? slash + 1 : skill->folder;
    (void)snprintf(folder->root, sizeof folder->root, "/tmp/writ-test-XXXXXX");
    if (!mkdtemp(folder->root)) {
        folder->root[0] = '\0';
        return writ_error_io(error, errno, "/tmp");
    }
    struct copying copying = {.entries = 0};
    int length = snprintf(folder->path, sizeof folder->path, "%s/%s", folder->root, name);
    int result = 0;
    if (length < 0 || (size_t)length >= sizeof folder->path)
        result = writ_error_io(error, ENAMETOOLONG, folder->root);
    else if (mkdir(folder->path, 0700) < 0)
        result = writ_error_io(error, errno, folder->path);
    WRIT_CLEANUP(writ_descriptor_close) int fd = result < 0 ? -1 : open_folder(AT_FDCWD, folder->path);
    if (result == 0 && fd < 0)
        result = writ_error_io(error, errno, folder->path);
    if (result == 0)
        result = copy_folder(skill->folder_fd, fd, 0, &copying, error);
    if (result < 0)
        writ_test_folder_remove(folder);
    return result;
}
