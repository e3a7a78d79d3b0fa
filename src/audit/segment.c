#include "audit/segment.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "base/lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "audit"
#define NUMBER_DIGITS 8
/* O_NONBLOCK: a FIFO in the place of a file must not hold the caller. */
#define OPEN_FLAGS (O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK)

void writ_audit_segment_name(uint64_t number, char ret_name[WRIT_AUDIT_NAME_BYTES])
{
    (void)snprintf(ret_name, WRIT_AUDIT_NAME_BYTES, "%0*llu.jsonl", NUMBER_DIGITS, (unsigned long long)number);
}

/* Refuses what somebody else owns or may write: the log would prove nothing. */
static int check_owner(const struct stat *status, const char *path, struct writ_error *error)
{
    if (status->st_uid != geteuid())
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "%s belongs to user %u, not to you (user %u); call writ as that user", path,
                              (unsigned)status->st_uid, (unsigned)geteuid());
    if (status->st_mode & (S_IWGRP | S_IWOTH))
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "%s may be written by others (mode %04o); run `chmod go-w` on it", path,
                              (unsigned)(status->st_mode & 07777));
    return 0;
}

static int check_folder(int fd, const char *path, struct writ_error *error)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return writ_error_io(error, errno, path);
    return check_owner(&status, path, error);
}

int writ_audit_folder_make(const char *state_folder, int *ret_folder_fd, struct writ_error *error)
{
    if (state_folder[0] != '/')
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "the state folder must be an absolute path, but is \"%s\"; set XDG_STATE_HOME to one",
                              state_folder);
    WRIT_CLEANUP(writ_descriptor_close) int state_fd = open(state_folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (state_fd < 0) {
        int result = writ_folder_make(state_folder, 0700, &state_fd, error);
        if (result)
            return result;
    }
    int result = check_folder(state_fd, state_folder, error);
    if (result)
        return result;
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(state_fd, FOLDER, flags);
    if (fd < 0 && errno == ENOENT && (mkdirat(state_fd, FOLDER, 0700) == 0 || errno == EEXIST))
        fd = openat(state_fd, FOLDER, flags);
    if (fd < 0)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, errno, "%s/" FOLDER, state_folder);
    result = check_folder(fd, FOLDER, error);
    if (result)
        return result;
    *ret_folder_fd = writ_descriptor_take(&fd);
    return 0;
}

int writ_audit_folder_open(const char *state_folder, int *ret_folder_fd, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close) int state_fd = open(state_folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = state_fd < 0 ? -1 : openat(state_fd, FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno != ENOENT)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, errno, "%s/" FOLDER, state_folder);
    *ret_folder_fd = fd;
    return 0;
}

static int check_regular(int fd, const char *name, struct stat *ret_status, struct writ_error *error)
{
    if (fstat(fd, ret_status) < 0)
        return writ_error_io(error, errno, name);
    if (!S_ISREG(ret_status->st_mode))
        return writ_error_set(error, WRIT_INTERNAL_IO, "%s is not a regular file; move it away", name);
    return 0;
}

int writ_audit_current_open(int folder_fd, int *ret_fd, struct stat *ret_status, struct writ_error *error)
{
    const char *name = WRIT_AUDIT_CURRENT;
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(folder_fd, name, O_RDWR | O_APPEND | O_CREAT | OPEN_FLAGS, 0600);
    if (fd < 0 && errno == ELOOP)
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "%s is a symbolic link, which could lead elsewhere; put the file itself there", name);
    if (fd < 0)
        return writ_error_io(error, errno, name);
    int result = check_regular(fd, name, ret_status, error);
    if (result == 0)
        result = check_owner(ret_status, name, error);
    if (result == 0)
        *ret_fd = writ_descriptor_take(&fd);
    return result;
}

int writ_audit_segment_open(int folder_fd, const char *name, int *ret_fd, struct stat *ret_status,
                            struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(folder_fd, name, O_RDONLY | OPEN_FLAGS);
    if (fd < 0) {
        if (errno != ENOENT)
            return writ_error_io(error, errno, name);
        *ret_fd = -1;
        return 0;
    }
    int result = check_regular(fd, name, ret_status, error);
    if (result == 0)
        *ret_fd = writ_descriptor_take(&fd);
    return result;
}

/* The number of a closed segment's name, or 0. */
static uint64_t number_of(const char *name)
{
    uint64_t number = 0;
    for (size_t i = 0; i < NUMBER_DIGITS; i++) {
        if (name[i] < '0' || name[i] > '9')
            return 0;
        number = number * 10 + (uint64_t)(name[i] - '0');
    }
    return strcmp(name + NUMBER_DIGITS, ".jsonl") == 0 ? number : 0;
}

static void close_listing(DIR **listing)
{
    if (*listing)
        (void)closedir(*listing);
}

int writ_audit_segment_range(int folder_fd, uint64_t at_least, uint64_t *ret_lowest, uint64_t *ret_highest,
                             struct writ_error *error)
{
    /* A description of its own: a shared one would share the read position. */
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    WRIT_CLEANUP(close_listing) DIR *listing = fd < 0 ? NULL : fdopendir(fd);
    if (!listing)
        return errno == ENOMEM ? writ_error_memory(error) : writ_error_io(error, errno, FOLDER);
    (void)writ_descriptor_take(&fd); /* the listing owns it now */
    uint64_t lowest = 0, highest = 0;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(listing);
        if (!entry && errno)
            return writ_error_io(error, errno, FOLDER);
        if (!entry)
            break;
        uint64_t number = number_of(entry->d_name);
        if (number > highest)
            highest = number;
        if (number > 0 && number >= at_least && (lowest == 0 || number < lowest))
            lowest = number;
    }
    *ret_lowest = lowest;
    *ret_highest = highest;
    return 0;
}

int writ_audit_lock(int fd, int operation, const struct writ_watch *watch, struct writ_error *error)
{
    static const struct writ_activity waiting = {.what = "waiting for another writ, which is recording a call"};
    return writ_lock_take(fd, operation, WRIT_AUDIT_CURRENT, &waiting, watch, error);
}
