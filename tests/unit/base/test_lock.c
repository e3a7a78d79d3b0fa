/* base/lock.h: one at a time, and who waits can be told and ended. */
#include "base/descriptor.h"
#include "base/lock.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct writ_activity waiting = {.what = "waiting"};

struct place {
    char path[64];
    int fd;
};

static void open_place(struct place *place)
{
    (void)snprintf(place->path, sizeof place->path, "/tmp/writ-test-XXXXXX");
    assert_non_null(mkdtemp(place->path));
    place->fd = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(place->fd >= 0);
}

static void close_place(struct place *place)
{
    (void)unlinkat(place->fd, "a.lock", 0);
    writ_descriptor_close(&place->fd);
    assert_int_equal(rmdir(place->path), 0);
}

/* Lets the lock go at the third look. */
struct holder {
    unsigned looks;
    int fd;
};

static void note(void *context, const struct writ_activity *activity)
{
    struct holder *holder = context;
    assert_ptr_equal(activity, &waiting);
    if (++holder->looks == 3)
        writ_descriptor_close(&holder->fd);
}

static void who_waits_gets_it_when_it_is_free(void **state)
{
    (void)state;
    struct place place;
    struct writ_error error;
    struct holder holder = {.fd = -1};
    open_place(&place);
    assert_int_equal(writ_lock_open(place.fd, "a.lock", "a.lock", &holder.fd, &error), 0);
    struct stat status;
    assert_int_equal(fstat(holder.fd, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    int fd = openat(place.fd, "a.lock", O_RDWR | O_CLOEXEC);
    const struct writ_watch watch = {.cancel_fd = -1, .tick = note, .context = &holder};
    assert_int_equal(writ_lock_take(fd, LOCK_EX, "a.lock", &waiting, &watch, &error), 0);
    assert_int_equal(holder.looks, 3);
    assert_int_equal(flock(fd, LOCK_UN), 0);
    /* Several may share one. */
    assert_int_equal(writ_lock_take(fd, LOCK_SH, "a.lock", &waiting, NULL, &error), 0);
    int other = openat(place.fd, "a.lock", O_RDWR | O_CLOEXEC);
    assert_int_equal(writ_lock_take(other, LOCK_SH, "a.lock", &waiting, NULL, &error), 0);
    writ_descriptor_close(&other);
    writ_descriptor_close(&fd);
    close_place(&place);
}

static void waiting_can_be_ended(void **state)
{
    (void)state;
    struct place place;
    struct writ_error error;
    int held = -1, ends[2];
    open_place(&place);
    assert_int_equal(writ_lock_open(place.fd, "a.lock", "a.lock", &held, &error), 0);
    int fd = openat(place.fd, "a.lock", O_RDWR | O_CLOEXEC);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    const struct writ_watch watch = {.cancel_fd = ends[0]};
    assert_int_equal(writ_lock_take(fd, LOCK_EX, "a.lock", &waiting, &watch, &error), WRIT_INTERRUPTED);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
    writ_descriptor_close(&fd);
    writ_descriptor_close(&held);
    close_place(&place);
}

static void what_cannot_be_locked_is_told(void **state)
{
    (void)state;
    struct place place;
    struct writ_error error;
    int fd = -7;
    open_place(&place);
    assert_int_equal(writ_lock_take(-1, LOCK_EX, "a.lock", &waiting, NULL, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, EBADF);
    assert_int_equal(symlinkat("elsewhere", place.fd, "a.lock"), 0);
    assert_int_equal(writ_lock_open(place.fd, "a.lock", "a.lock", &fd, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, ELOOP);
    assert_int_equal(fd, -7);
    close_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_gets_it_when_it_is_free),
        cmocka_unit_test(waiting_can_be_ended),
        cmocka_unit_test(what_cannot_be_locked_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
