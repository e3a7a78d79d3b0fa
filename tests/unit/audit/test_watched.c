/* Long work on the log is told about and can be ended: verifying it, and waiting for another writer. */
#include "place.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PADDING ((size_t)32 << 10)

struct seen {
    unsigned told;
    uint64_t done, total;
    const char *what;
    int end_at; /* written to at the first word, when positive */
};

static void note(void *context, const struct writ_activity *activity)
{
    struct seen *seen = context;
    seen->told++;
    assert_true(activity->done >= seen->done);
    seen->done = activity->done;
    seen->total = activity->total;
    seen->what = activity->what;
    if (seen->end_at > 0)
        assert_int_equal(write(seen->end_at, "x", 1), 1);
}

static void fill(const struct place *place)
{
    struct writ_audit *audit;
    struct writ_error error;
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    for (unsigned run = 1; run <= 300; run++)
        append(audit, "begin", run, PADDING);
    writ_audit_close(audit);
}

static void verifying_is_told(void **state)
{
    struct place *place = *state;
    struct seen seen = {.told = 0};
    struct writ_audit_verdict verdict;
    struct writ_error error;
    const struct writ_watch watch = {.cancel_fd = -1, .tick = note, .context = &seen};
    fill(place); /* more than one segment */
    assert_int_equal(writ_audit_verify(place->state, NULL, &watch, &verdict, &error), 0);
    assert_true(verdict.intact);
    assert_true(verdict.segments > 1);
    assert_true(seen.told >= 30);
    assert_true(seen.total > 300 * PADDING && seen.done <= seen.total && seen.done > seen.total / 2);
    assert_string_equal(seen.what, "verifying the audit");
}

static void verifying_can_be_ended(void **state)
{
    struct place *place = *state;
    int ends[2];
    struct writ_audit_verdict verdict = {.records = 77};
    struct writ_error error;
    fill(place);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    struct seen seen = {.end_at = ends[1]};
    const struct writ_watch watch = {.cancel_fd = ends[0], .tick = note, .context = &seen};
    assert_int_equal(writ_audit_verify(place->state, NULL, &watch, &verdict, &error), WRIT_INTERRUPTED);
    assert_int_equal(verdict.records, 77); /* outputs on success only */
    assert_int_equal(seen.told, 1);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
}

static void the_wait_for_a_writer_can_be_ended(void **state)
{
    struct place *place = *state;
    int ends[2];
    struct writ_audit *audit;
    struct writ_error error;
    append_calls(place, 1, 1);
    int held = open(place_file(place, "current.jsonl"), O_RDONLY | O_CLOEXEC);
    assert_true(held >= 0);
    assert_int_equal(flock(held, LOCK_EX), 0);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    struct seen seen = {.end_at = ends[1]};
    const struct writ_watch watch = {.cancel_fd = ends[0], .tick = note, .context = &seen};
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    writ_audit_set_watch(audit, &watch);
    assert_int_equal(try_append(audit, "begin", 2, 0, &error), WRIT_INTERRUPTED);
    assert_string_equal(error.message, "interrupted while waiting for another writ, which is recording a call");
    assert_int_equal(close(held), 0);
    assert_int_equal(try_append(audit, "begin", 2, 0, &error), 0); /* nobody is waited for, so nothing is asked */
    writ_audit_close(audit);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
    assert_intact(place, 3, 0);
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACED(verifying_is_told),
        PLACED(verifying_can_be_ended),
        PLACED(the_wait_for_a_writer_can_be_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
