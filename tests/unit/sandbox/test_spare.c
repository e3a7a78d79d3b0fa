/* Sandboxes begun ahead of their plan. */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_a_spare_is_used_once(void **state)
{
    struct harness *harness = *state;
    struct writ_sandbox_spare spare = {0};
    harness->spare = &spare;
    harness_expect(harness, "none\n", "print", "none"); /* an empty one is fine */
    assert_null(spare.begun);
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    const struct writ_begun *begun = spare.begun;
    assert_non_null(begun);
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    assert_ptr_equal(spare.begun, begun); /* there is one already */
    harness_expect(harness, "one\n", "print", "one");
    assert_null(spare.begun);
}

static void test_a_spare_is_refilled(void **state)
{
    struct harness *harness = *state;
    struct writ_sandbox_spare spare = {.refill = true};
    harness->spare = &spare;
    for (int i = 0; i < 5; i++)
        harness_expect(harness, "ok\n", "sleep", "20");
    assert_non_null(spare.begun);
    writ_sandbox_spare_clear(&spare);
    assert_null(spare.begun);
    writ_sandbox_spare_clear(&spare);
    assert_int_equal(waitpid(-1, NULL, __WALL), -1);
    assert_int_equal(errno, ECHILD);
}

/* The next sandbox is begun while this program still reads: it must not keep the other end of its stdin, or the end of
 * the input would never come. */
static void test_a_refill_does_not_hold_stdin(void **state)
{
    struct harness *harness = *state;
    static char much[300000]; /* several pipes full */
    struct writ_sandbox_spare spare = {.refill = true};
    harness->spare = &spare;
    harness->plan.input = much;
    for (int i = 0; i < 10; i++) {
        harness->plan.input_length = i % 2 ? sizeof much : 7;
        harness_expect(harness, i % 2 ? "300000\n" : "7\n", "slow-stdin");
        assert_true(harness->result.input_taken);
        assert_non_null(spare.begun); /* it was begun while the program slept over its input */
    }
    writ_sandbox_spare_clear(&spare);
}

/* What the plan names is looked for when the plan comes, not when the sandbox was begun. */
static void test_the_plan_is_newer_than_the_spare(void **state)
{
    struct harness *harness = *state;
    harness_need_private_grants(harness);
    struct writ_sandbox_spare spare = {0};
    harness->spare = &spare;
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    const char *folder = harness_folder(harness, "later", 0755);
    (void)harness_file(harness, "later/file", "made later", 0600);
    (void)harness_bind(harness, folder, true);
    harness_expect(harness, "made later", "cat", harness_path(harness, "later/file"));
    /* Descriptors opened since do not get in. */
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    int fd = open("/dev/null", O_RDONLY);
    harness_expect(harness, "0\n1\n2\n", "descriptors");
    (void)close(fd);
}

static void test_a_bad_plan_ends_the_spare(void **state)
{
    struct harness *harness = *state;
    struct writ_sandbox_spare spare = {0};
    harness->spare = &spare;
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    harness->plan.working_folder = "relative";
    harness_run(harness, "print", NULL);
    assert_int_equal(harness->answer, WRIT_INTERNAL_SANDBOX);
    harness->plan.working_folder = "/";
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    harness->plan.program = "/not/there";
    harness_run(harness, "print", NULL);
    assert_int_equal(harness->answer, WRIT_DEPENDENCY_MISSING);
    harness->plan.program = harness->probe;
    harness_expect(harness, "again\n", "print", "again");
    assert_int_equal(waitpid(-1, NULL, __WALL), -1);
}

/* Whoever waits for the end of what the caller writes gets it, spare or not. */
static void test_a_spare_holds_nothing_open(void **state)
{
    struct harness *harness = *state;
    struct writ_sandbox_spare spare = {0};
    int ends[2], high;
    char byte;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    high = fcntl(ends[1], F_DUPFD_CLOEXEC, 300);
    assert_true(high >= 300);
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    (void)close(ends[1]);
    (void)close(high);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    (void)close(ends[0]);
    harness->spare = &spare;
    harness_expect(harness, "x\n", "print", "x");
}

static void *begin_elsewhere(void *argument)
{
    struct harness *harness = argument;
    return writ_sandbox_begin(harness->spare, &harness->error) == 0 ? NULL : argument;
}

/* The thread that began it is gone, and the sandbox with it. */
static void test_a_spare_of_another_thread(void **state)
{
    struct harness *harness = *state;
    struct writ_sandbox_spare spare = {0};
    harness->spare = &spare;
    pthread_t thread;
    void *fault;
    assert_int_equal(pthread_create(&thread, NULL, begin_elsewhere, harness), 0);
    assert_int_equal(pthread_join(thread, &fault), 0);
    assert_null(fault);
    assert_non_null(spare.begun);
    harness_expect(harness, "anew\n", "print", "anew");
    assert_null(spare.begun);
}

/* A child of the caller's has the words of a spare, but not the spare. */
static void test_a_spare_over_fork(void **state)
{
    struct harness *harness = *state;
    struct writ_sandbox_spare spare = {0};
    harness->spare = &spare;
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    const struct writ_begun *begun = spare.begun;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        harness_run(harness, "print", "child", NULL);
        _exit(harness->answer == 0 && strcmp(writ_buffer_text(&harness->result.output), "child\n") == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(writ_sandbox_begin(&spare, &harness->error), 0);
    assert_ptr_equal(spare.begun, begun); /* alive */
    harness_expect(harness, "parent\n", "print", "parent");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, harness_set_up, harness_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_spare_is_used_once),
        TEST(test_a_spare_is_refilled),
        TEST(test_a_refill_does_not_hold_stdin),
        TEST(test_the_plan_is_newer_than_the_spare),
        TEST(test_a_bad_plan_ends_the_spare),
        TEST(test_a_spare_holds_nothing_open),
        TEST(test_a_spare_of_another_thread),
        TEST(test_a_spare_over_fork),
    };
    return cmocka_run_group_tests_name("sandbox/spare", tests, NULL, NULL);
}
