#include "base/descriptor.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP ((size_t)64 * 1024)

void writ_descriptor_close(int *descriptor)
{
    if (*descriptor < 0)
        return;
    int saved = errno;
    (void)close(*descriptor); /* on Linux the descriptor is gone whatever close answers */
    errno = saved;
    *descriptor = -1;
}

int writ_descriptor_take(int *descriptor)
{
    int taken = *descriptor;
    *descriptor = -1;
    return taken;
}

int writ_descriptor_read_all(int descriptor, struct writ_buffer *buffer)
{
    for (;;) {
        size_t left = buffer->bytes_max - buffer->length;
        size_t step = left < READ_STEP ? left : READ_STEP;
        char extra;
        char *room = step ? writ_buffer_reserve(buffer, step) : &extra;
        if (!room)
            return -ENOMEM;
        ssize_t got = read(descriptor, room, step ? step : 1);
        if (got < 0 && errno == EAGAIN) {
            struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
            if (poll(&wanted, 1, -1) < 0 && errno != EINTR)
                return -errno;
            continue;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            return 0;
        if (!step)
            return -EFBIG;
        writ_buffer_commit(buffer, (size_t)got);
    }
}

int writ_descriptor_write_all(int descriptor, const void *bytes, size_t length)
{
    const char *next = bytes;
    while (length > 0) {
        ssize_t written = write(descriptor, next, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -errno;
        if (written == 0) /* no file does that; a loop without end would be the worse answer */
            return -EIO;
        next += written;
        length -= (size_t)written;
    }
    return 0;
}

int writ_descriptor_path(int descriptor, char ret_path[PATH_MAX])
{
    char link[64], path[PATH_MAX];
    struct stat status;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (fstat(descriptor, &status) < 0)
        return -errno;
    ssize_t length = readlink(link, path, sizeof path);
    if (length < 0)
        return -errno;
    if ((size_t)length == sizeof path)
        return -ENAMETOOLONG;
    /* Pipes and the like are told as `pipe:[1]`, what was removed with ` (deleted)` behind its last name. */
    if (path[0] != '/' || status.st_nlink == 0)
        return -ENOENT;
    memcpy(ret_path, path, (size_t)length);
    ret_path[length] = '\0';
    return 0;
}

int writ_proc_check(struct writ_error *error)
{
    if (access("/proc/self/fd", F_OK) == 0)
        return 0;
    return writ_error_set(error, WRIT_INTERNAL_IO,
                          "/proc is not mounted here, and without it neither can a folder be told from another nor a "
                          "sandbox be made; mount it, as in `mount -t proc proc /proc`");
}
