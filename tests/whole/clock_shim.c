/*
 * A clock that jumps, for a dynamically linked writ:  LD_PRELOAD=clock_shim.so CLOCK_SHIM=FILE
 *
 * FILE holds seconds that are added to the wall clock, one number a line: the first reading of a process takes the
 * first, and so on; the last one holds from then on.  The file is read at every reading, so that it may change
 * meanwhile.  Monotonic clocks are left alone.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned readings;

static long long offset_now(void)
{
    char text[4096];
    const char *path = getenv("CLOCK_SHIM");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        (void)close(fd);
    text[length > 0 ? length : 0] = '\0';
    long long offset = 0;
    const char *next = text;
    for (unsigned line = 0; line <= readings && *next; line++) {
        char *end;
        long long number = strtoll(next, &end, 10);
        if (end == next)
            break;
        offset = number;
        next = end;
    }
    readings++;
    return offset;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec += offset_now();
    return result;
}

time_t time(time_t *ret_seconds)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (ret_seconds)
        *ret_seconds = now.tv_sec;
    return now.tv_sec;
}
