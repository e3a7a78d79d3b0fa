/* Following the log: nothing is missed when it comes into being, grows and closes segments, and nothing is polled. */
#include "place.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A follower in a thread of its own; whoever waits for a count sleeps on `seen`. */
struct follower {
    const struct place *place;
    uint64_t from;
    int stop[2];
    int result;
    struct writ_error error;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t seen;
    uint64_t count, last;
    bool in_order;
};

static int take_record(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    struct follower *follower = context;
    (void)error;
    (void)pthread_mutex_lock(&follower->mutex);
    follower->in_order = follower->in_order && (follower->last == 0 || record->sequence == follower->last + 1);
    follower->last = record->sequence;
    follower->count++;
    (void)pthread_cond_signal(&follower->seen);
    (void)pthread_mutex_unlock(&follower->mutex);
    return 0;
}

static void *follow(void *context)
{
    struct follower *follower = context;
    follower->result = writ_audit_follow(follower->place->state, follower->from, follower->stop[0], take_record,
                                         follower, &follower->error);
    return NULL;
}

static void start(struct follower *follower, const struct place *place, uint64_t from)
{
    *follower = (struct follower){.place = place, .from = from, .in_order = true};
    assert_int_equal(pipe(follower->stop), 0);
    assert_int_equal(pthread_mutex_init(&follower->mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&follower->seen, NULL), 0);
    assert_int_equal(pthread_create(&follower->thread, NULL, follow, follower), 0);
}

/* Waits until `count` records have been seen; a follower that misses one shows as a test that hangs and is ended. */
static void wait_for_count(struct follower *follower, uint64_t count)
{
    (void)pthread_mutex_lock(&follower->mutex);
    while (follower->count < count)
        (void)pthread_cond_wait(&follower->seen, &follower->mutex);
    (void)pthread_mutex_unlock(&follower->mutex);
}

static void stop(struct follower *follower, uint64_t count, uint64_t last)
{
    (void)close(follower->stop[1]); /* hanging up is stopping */
    assert_int_equal(pthread_join(follower->thread, NULL), 0);
    (void)close(follower->stop[0]);
    if (follower->result)
        fail_msg("%s: %s", writ_code_class(follower->error.code), follower->error.message);
    assert_int_equal(follower->count, count);
    assert_int_equal(follower->last, last);
    assert_true(follower->in_order);
    (void)pthread_cond_destroy(&follower->seen);
    (void)pthread_mutex_destroy(&follower->mutex);
}

static void what_is_there_and_what_comes(void **state)
{
    struct place *place = *state;
    struct follower follower;
    append_calls(place, 1, 3);
    start(&follower, place, 3);
    wait_for_count(&follower, 4);
    for (unsigned call = 0; call < 50; call++)
        append_calls(place, 10 + call, 1);
    wait_for_count(&follower, 104);
    append_calls(place, 70, 1);
    wait_for_count(&follower, 106);
    stop(&follower, 106, 108);
}

/* The log, its folder, and the folders above it come into being one by one. */
static void a_log_that_does_not_exist_yet(void **state)
{
    struct place *place = *state;
    struct follower follower;
    start(&follower, place, 1);
    char path[PATH_MAX];
    static const char *const steps[] = {"state", "state/other", "state/writ", "state/writ/other", "state/writ/audit"};
    for (size_t i = 0; i < WRIT_COUNT(steps); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", place->root, steps[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        if (i == 2)
            (void)poll(NULL, 0, 20); /* once at leisure, else as fast as can be */
    }
    append_calls(place, 1, 2);
    wait_for_count(&follower, 4);
    stop(&follower, 4, 4);
}

static void a_log_that_comes_all_at_once(void **state)
{
    struct place *place = *state;
    struct follower follower;
    start(&follower, place, 1);
    append_calls(place, 1, 2);
    wait_for_count(&follower, 4);
    stop(&follower, 4, 4);
}

static void stopped_while_there_is_no_log(void **state)
{
    struct place *place = *state;
    struct follower follower;
    start(&follower, place, 1);
    stop(&follower, 0, 0);
}

static void segments_that_close_are_followed(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    struct writ_audit *audit;
    struct follower follower;
    append_calls(place, 1, 1);
    start(&follower, place, 1);
    wait_for_count(&follower, 2);
    assert_int_equal(writ_audit_open(place->state, &audit, &error), 0);
    for (unsigned run = 0; run < 280; run++)
        append(audit, "begin", run, 64000);
    writ_audit_close(audit);
    wait_for_count(&follower, 282);
    append_calls(place, 1000, 1);
    wait_for_count(&follower, 284);
    stop(&follower, 284, 284);
    assert_int_equal(verify(place, NULL).segments, 3);
}

/* A torn tail is not shown; its mark is. */
static void torn_tails_are_passed_over(void **state)
{
    struct place *place = *state;
    struct follower follower;
    append_calls(place, 1, 1);
    start(&follower, place, 1);
    wait_for_count(&follower, 2);
    size_t length;
    char *text = place_read(place, "current.jsonl", &length);
    FILE *file = fopen(place_file(place, "current.jsonl"), "ae");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, 50, file), 50);
    assert_int_equal(fclose(file), 0);
    append_calls(place, 2, 1);
    wait_for_count(&follower, 5);
    stop(&follower, 5, 5);
    assert_intact(place, 5, 1);
    free(text);
}

static int stop_at_two(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    (void)context;
    (void)error;
    return record->sequence == 2 ? 42 : 0;
}

static void a_visit_can_end_following(void **state)
{
    struct place *place = *state;
    struct writ_error error;
    int stop_fds[2];
    append_calls(place, 1, 2);
    assert_int_equal(pipe(stop_fds), 0);
    assert_int_equal(writ_audit_follow(place->state, 1, stop_fds[0], stop_at_two, NULL, &error), 42);
    (void)close(stop_fds[0]);
    (void)close(stop_fds[1]);
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACED(what_is_there_and_what_comes),     PLACED(a_log_that_does_not_exist_yet),
        PLACED(a_log_that_comes_all_at_once),     PLACED(stopped_while_there_is_no_log),
        PLACED(segments_that_close_are_followed), PLACED(torn_tails_are_passed_over),
        PLACED(a_visit_can_end_following),
    };
    (void)alarm(120); /* a missed record would be waited for without end */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
