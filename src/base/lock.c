#include "base/lock.h"

#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>

#define TRIES_SHORT 100  /* of 0.1 ms: another one is at work */
#define TRIES_LONG 30000 /* of 1 ms: something is wrong */

int writ_lock_take(int fd, int operation, const char *name, const struct writ_activity *waiting,
                   const struct writ_watch *watch, struct writ_error *error)
{
    for (unsigned tries = 0; flock(fd, operation | LOCK_NB) < 0; tries++) {
        if (errno == EINTR)
            continue;
        if (errno != EWOULDBLOCK)
            return writ_error_io(error, errno, name);
        if (writ_watch_check(watch, waiting, error) < 0)
            return error->code;
        if (tries >= TRIES_LONG)
            return writ_error_set(error, WRIT_INTERNAL_IO,
                                  "%s has been locked by another process for 30 seconds; look for a stopped writ",
                                  name);
        struct timespec pause = {.tv_nsec = tries < TRIES_SHORT ? 100000 : 1000000};
        (void)ppoll(NULL, 0, &pause, NULL);
    }
    return 0;
}

int writ_lock_open(int folder_fd, const char *name, const char *path, int *ret_fd, struct writ_error *error)
{
    static const struct writ_activity waiting = {.what = "waiting for another writ, which is changing a file"};
    /* O_NONBLOCK: a FIFO in its place must not hold the caller. */
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(folder_fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    if (fd < 0)
        return writ_error_io(error, errno, path);
    int result = writ_lock_take(fd, LOCK_EX, path, &waiting, NULL, error);
    if (result == 0)
        *ret_fd = writ_descriptor_take(&fd);
    return result;
}
