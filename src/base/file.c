#include "base/file.h"

#include "base/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SALT_DIGITS 16

int writ_file_read(int folder_fd, const char *path, bool no_links, struct writ_buffer *buffer, struct writ_error *error)
{
    /* O_NONBLOCK: a FIFO in the place of a file must not hold the caller. */
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                           .resolve = no_links ? RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS : 0};
    WRIT_CLEANUP(writ_descriptor_close) int fd = (int)syscall(SYS_openat2, folder_fd, path, &how, sizeof how);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return writ_error_io(error, errno, path);
    if (S_ISDIR(status.st_mode))
        return writ_error_io(error, EISDIR, path);
    if (!S_ISREG(status.st_mode))
        return writ_error_set(error, WRIT_INTERNAL_IO, "%s: not a regular file; name a file that holds its content",
                              path);
    /* The size is asked first, so that a huge file costs nothing; what grows meanwhile is found while reading. */
    bool too_large = (uint64_t)status.st_size > buffer->bytes_max - buffer->length;
    int result = too_large ? -EFBIG : writ_descriptor_read_all(fd, buffer);
    if (result == -EFBIG)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                              "%s: larger than the %zu bytes that are read; make it smaller", path, buffer->bytes_max);
    if (result == -ENOMEM)
        return writ_error_memory(error);
    return result ? writ_error_io(error, -result, path) : 0;
}

bool writ_file_is_shared(const struct stat *status)
{
    return ((status->st_mode & S_IWGRP) && status->st_gid != status->st_uid) || (status->st_mode & S_IWOTH);
}

/* The temporary file of a writer: hidden, beside `name`, with 16 digits that nobody else has. */
static void print_temporary(char temporary[NAME_MAX + 1], const char *name, uint64_t salt)
{
    (void)snprintf(temporary, NAME_MAX + 1, ".%.200s.%016llx", name, (unsigned long long)salt);
}

/* Gives a new file the mode and the group of the one that it replaces.  Returns 0 or -errno. */
static int dress_as(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    struct stat status;
    if (fstat(fd, &status) < 0)
        return -errno;
    /* What the old group was allowed is not another group's: where it cannot be given, nobody gets it. */
    if (status.st_gid != old->st_gid && fchown(fd, (uid_t)-1, old->st_gid) < 0)
        mode &= ~(mode_t)0070;
    return fchmod(fd, mode) < 0 ? -errno : 0;
}

/* Writes and syncs a new file, as `old` was when there is one.  Returns 0 or -errno. */
static int write_new(int folder_fd, const char *name, mode_t mode, const struct stat *old, const void *bytes,
                     size_t length)
{
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd < 0)
        return -errno;
    int result = writ_descriptor_write_all(fd, bytes, length);
    if (result == 0 && old)
        result = dress_as(fd, old);
    if (result == 0 && fsync(fd) < 0)
        result = -errno;
    if (result < 0)
        (void)unlinkat(folder_fd, name, 0);
    return result;
}

static int write_atomic(int folder_fd, const char *name, mode_t mode, const struct stat *old, const void *bytes,
                        size_t length, struct writ_error *error)
{
    /* One component: the temporary file must lie beside it, and the folder that is synced must be its own. */
    if (!*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return writ_error_io(error, EINVAL, name);
    char temporary[NAME_MAX + 1];
    uint64_t salt;
    if (getrandom(&salt, sizeof salt, 0) != (ssize_t)sizeof salt)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, errno, "%s: getrandom", name);
    print_temporary(temporary, name, salt);
    int result = write_new(folder_fd, temporary, mode, old, bytes, length);
    if (result < 0)
        return writ_error_io(error, -result, name);
    if (renameat(folder_fd, temporary, folder_fd, name) < 0) {
        result = -errno;
        (void)unlinkat(folder_fd, temporary, 0);
        return writ_error_io(error, -result, name);
    }
    /* The rename is durable only once the folder is; a file system that cannot sync folders says EINVAL. */
    if (fsync(folder_fd) < 0 && errno != EINVAL)
        return writ_error_io(error, errno, name);
    return 0;
}

int writ_file_write_atomic(int folder_fd, const char *name, mode_t mode, const void *bytes, size_t length,
                           struct writ_error *error)
{
    return write_atomic(folder_fd, name, mode, NULL, bytes, length, error);
}

int writ_file_replace_atomic(int folder_fd, const char *name, const struct stat *old, const void *bytes, size_t length,
                             struct writ_error *error)
{
    return write_atomic(folder_fd, name, 0600, old, bytes, length, error);
}

int writ_folder_make(const char *path, mode_t mode, int *ret_folder_fd, struct writ_error *error)
{
    if (path[0] != '/')
        return writ_error_io(error, EINVAL, path);
    /* It could be made a folder at a time, but nobody could open it by its name afterwards. */
    if (strlen(path) >= PATH_MAX)
        return writ_error_io(error, ENAMETOOLONG, path);
    const char *part = path + strspn(path, "/");
    WRIT_CLEANUP(writ_descriptor_close) int fd = open("/", O_DIRECTORY | O_CLOEXEC | (*part ? O_PATH : O_RDONLY));
    if (fd < 0)
        return writ_error_io(error, errno, path);
    while (*part) {
        size_t length = strcspn(part, "/");
        char name[NAME_MAX + 1];
        if (length > NAME_MAX)
            return writ_error_io(error, ENAMETOOLONG, path);
        memcpy(name, part, length);
        name[length] = '\0';
        part += length;
        part += strspn(part, "/");
        /* On the way search permission is enough; only the last one is opened for reading. */
        int flags = O_DIRECTORY | O_CLOEXEC | (*part ? O_PATH : O_RDONLY);
        int next = openat(fd, name, flags);
        if (next < 0 && errno == ENOENT && (mkdirat(fd, name, mode) == 0 || errno == EEXIST))
            next = openat(fd, name, flags);
        if (next < 0)
            return writ_error_io(error, errno, path);
        writ_descriptor_close(&fd);
        fd = next;
    }
    *ret_folder_fd = writ_descriptor_take(&fd);
    return 0;
}

/* ---- removing ---- */

#define REMOVED_DEPTH_MAX 512 /* each level holds one descriptor open */

static void close_listing(DIR **listing)
{
    if (*listing)
        (void)closedir(*listing);
}

static int open_folder(int folder_fd, const char *name)
{
    return openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void writ_file_sweep(int folder_fd, const char *name)
{
    char temporary[NAME_MAX + 1];
    print_temporary(temporary, name, 0);
    size_t before_salt = strlen(temporary) - SALT_DIGITS;
    int listed = open_folder(folder_fd, "."); /* of its own: a shared description would share the read position */
    WRIT_CLEANUP(close_listing) DIR *listing = listed < 0 ? NULL : fdopendir(listed);
    if (!listing)
        writ_descriptor_close(&listed);
    for (const struct dirent *entry; listing && (entry = readdir(listing));)
        if (strncmp(entry->d_name, temporary, before_salt) == 0 &&
            strspn(entry->d_name + before_salt, "0123456789abcdef") == SALT_DIGITS &&
            entry->d_name[before_salt + SALT_DIGITS] == '\0')
            (void)unlinkat(folder_fd, entry->d_name, 0);
}

/* Takes over the descriptor. */
static void empty_folder(int folder_fd, unsigned depth)
{
    WRIT_CLEANUP(close_listing) DIR *listing = fdopendir(folder_fd);
    if (!listing)
        writ_descriptor_close(&folder_fd);
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            unlinkat(folder_fd, entry->d_name, 0) == 0 || depth == REMOVED_DEPTH_MAX)
            continue;
        (void)!fchmodat(folder_fd, entry->d_name, 0700, AT_SYMLINK_NOFOLLOW);
        int inner = open_folder(folder_fd, entry->d_name);
        if (inner >= 0)
            empty_folder(inner, depth + 1);
        (void)unlinkat(folder_fd, entry->d_name, AT_REMOVEDIR);
    }
}

void writ_folder_remove(int folder_fd, const char *name)
{
    int fd = open_folder(folder_fd, name);
    if (fd >= 0)
        empty_folder(fd, 0);
    (void)unlinkat(folder_fd, name, AT_REMOVEDIR);
}
