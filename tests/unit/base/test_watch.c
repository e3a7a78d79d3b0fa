/* base/watch.h: who is told of what, and when work is to end. */
#include "base/watch.h"
#include "support.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const struct writ_activity activity = {.what = "counting", .about = "sheep", .done = 3};

static void note(void *context, const struct writ_activity *told)
{
    *(unsigned *)context += told == &activity;
}

static void nobody_need_watch(void **state)
{
    (void)state;
    struct writ_error error;
    const struct writ_watch blind = {.cancel_fd = -1};
    writ_watch_tell(NULL, &activity);
    writ_watch_tell(&blind, &activity);
    assert_int_equal(writ_watch_check(NULL, &activity, &error), 0);
    assert_int_equal(writ_watch_check(&blind, &activity, &error), 0);
    assert_int_equal(writ_watch_descriptor(NULL), -1);
}

static void work_ends_when_the_descriptor_is_readable(void **state)
{
    (void)state;
    int ends[2];
    unsigned told = 0;
    struct writ_error error;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const struct writ_watch watch = {.cancel_fd = ends[0], .tick = note, .context = &told};
    assert_int_equal(writ_watch_check(&watch, &activity, &error), 0);
    assert_int_equal(told, 1);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(writ_watch_check(&watch, &activity, &error), WRIT_INTERRUPTED);
    assert_int_equal(writ_watch_check(&watch, &activity, &error), WRIT_INTERRUPTED); /* and stays so */
    assert_string_equal(error.message, "interrupted while counting sheep");
    assert_int_equal(told, 3);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_need_watch),
        cmocka_unit_test(work_ends_when_the_descriptor_is_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
