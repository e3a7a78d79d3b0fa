/* Each allocation fails in turn: an error, nothing leaked, nothing half-done, and the log as it was or longer by one
 * whole record. */
#include "failing_memory.h"
#include "place.h"

#include "audit/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int visit_nothing(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    (void)error;
    ++*(uint64_t *)context;
    (void)record;
    return 0;
}

static int write_once(const struct place *place, struct writ_error *error)
{
    /* On the stack: the caller's memory is not what is tried here. */
    char text[] = "\"run\":\"r\"";
    struct writ_buffer fields = {.data = text, .length = sizeof text - 1, .capacity = sizeof text - 1};
    struct writ_audit *audit;
    int result = writ_audit_open(place->state, &audit, error);
    if (result)
        return result;
    result = writ_audit_append(audit, "begin", &fields, error);
    writ_audit_close(audit);
    return result;
}

static int read_once(const struct place *place, struct writ_error *error)
{
    uint64_t count = 0;
    int result = writ_audit_read(place->state, 0, visit_nothing, &count, error);
    assert_true(result || count > 0);
    return result;
}

static int verify_once(const struct place *place, struct writ_error *error)
{
    struct writ_audit_verdict verdict;
    int result = writ_audit_verify(place->state, NULL, NULL, &verdict, error);
    assert_true(result || verdict.intact);
    return result;
}

/* Runs the function with its 1st, 2nd, … allocation failing until it needs no more of them. */
static unsigned fail_each(const struct place *place, int (*function)(const struct place *, struct writ_error *))
{
    for (unsigned nth = 0; nth < 1000; nth++) {
        struct writ_error error;
        memory_fail(nth + 1, MEMORY_FAILS_ONCE);
        int result = function(place, &error);
        bool happened = memory_failed();
        memory_suffice();
        if (result && (error.code != WRIT_INTERNAL_MEMORY || error.code != result))
            fail_msg("allocation %u: %s: %s", nth, writ_code_class(error.code), error.message);
        assert_true(verify(place, NULL).intact);
        if (!happened) {
            assert_int_equal(result, 0);
            return nth;
        }
    }
    fail_msg("it never ends");
    return 0;
}

static void every_allocation_may_fail(void **state)
{
    struct place *place = *state;
    append_calls(place, 1, 40);
    assert_true(fail_each(place, write_once) >= 3);
    assert_true(fail_each(place, read_once) >= 2);
    assert_true(fail_each(place, verify_once) >= 2);
    /* With a torn tail to be marked. */
    size_t length;
    char *text = place_read(place, "current.jsonl", &length);
    place_write(place, "current.jsonl", text, length - 9);
    free(text);
    assert_true(fail_each(place, write_once) >= 3);
    assert_int_equal(verify(place, NULL).torn_tails, 1);
}

/* ---- the set of open runs ---- */

static void runs_come_and_go(void **state)
{
    (void)state;
    struct writ_audit_runs runs = {0};
    struct writ_error error;
    bool added;
    char name[32];
    /* Against a plain table, with names that come back in another order. */
    static bool is_open[5000];
    size_t open_count = 0;
    for (unsigned step = 0; step < 60000; step++) {
        unsigned which = step * 2654435761U >> 8;
        which %= WRIT_COUNT(is_open);
        int length = snprintf(name, sizeof name, "run-%u", which);
        if (step % 5 < 3) {
            assert_int_equal(writ_audit_runs_add(&runs, name, (size_t)length, &added, &error), 0);
            assert_int_equal(added, !is_open[which]);
            open_count += added ? 1 : 0;
            is_open[which] = true;
        } else {
            writ_audit_runs_remove(&runs, name, (size_t)length);
            open_count -= is_open[which] ? 1 : 0;
            is_open[which] = false;
        }
        assert_int_equal(runs.count, open_count);
    }
    assert_true(open_count > 100);
    for (unsigned which = 0; which < WRIT_COUNT(is_open); which++)
        writ_audit_runs_remove(&runs, name, (size_t)snprintf(name, sizeof name, "run-%u", which));
    assert_int_equal(runs.count, 0);
    writ_audit_runs_clear(&runs);
    memory_fail(1, MEMORY_FAILS_ONCE);
    assert_int_equal(writ_audit_runs_add(&runs, "a", 1, &added, &error), WRIT_INTERNAL_MEMORY);
    writ_audit_runs_remove(&runs, "a", 1);
    writ_audit_runs_clear(&runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, place_make, place_remove),
        cmocka_unit_test(runs_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
