/* How a run ends, and that it ends: S4.4, S4.5.  Every limit is held and named; nothing is left alive. */
#include "harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_output_and_status(void **state)
{
    struct harness *harness = *state;
    harness_expect(harness, "one\ntwo words\n", "print", "one", "two words");
    assert_true(harness->result.setup_us > 0);
    assert_true(harness->result.duration_us >= harness->result.setup_us);
    harness_run(harness, "exit", "3", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_EXIT);
    assert_int_equal(harness->result.exit_status, 3);
}

/* The program is not the namespace's first process: default actions work, its own SIGKILL included. */
static void test_signals(void **state)
{
    struct harness *harness = *state;
    static const struct {
        const char *name;
        int number;
    } deadly[] = {{"6", SIGABRT}, {"9", SIGKILL}, {"15", SIGTERM}, {"11", SIGSEGV}, {"13", SIGPIPE}, {"1", SIGHUP}};
    for (size_t i = 0; i < WRIT_COUNT(deadly); i++) {
        harness_run(harness, "signal", deadly[i].name, NULL);
        assert_int_equal(harness->answer, 0);
        assert_int_equal(harness->result.ending, WRIT_ENDED_SIGNAL);
        assert_int_equal(harness->result.signal_number, deadly[i].number);
    }
}

static void test_input(void **state)
{
    struct harness *harness = *state;
    static char much[300000];
    harness->plan.input = "{\"a\":1}";
    harness->plan.input_length = 7;
    harness_expect(harness, "7\n", "stdin");
    assert_true(harness->result.input_taken);
    harness_expect(harness, "never read\n", "print", "never read");
    assert_false(harness->result.input_taken);
    harness_expect(harness, "ok\n", "close-stdin");
    assert_false(harness->result.input_taken);
    harness->plan.input = much; /* more than a pipe holds */
    harness->plan.input_length = sizeof much;
    harness_expect(harness, "300000\n", "stdin");
    assert_true(harness->result.input_taken);
    harness_expect(harness, "never read\n", "print", "never read");
    harness_expect(harness, "ok\n", "close-stdin");
    harness->plan.input_length = 0;
    harness_expect(harness, "0\n", "stdin");
    assert_true(harness->result.input_taken);
}

static void test_timeout(void **state)
{
    struct harness *harness = *state;
    harness->plan.limits.wall_ms = 500;
    harness_run(harness, "spin", NULL);
    assert_int_equal(harness->answer, 0);
    assert_int_equal(harness->result.ending, WRIT_ENDED_TIMEOUT);
    assert_true(harness->result.duration_us >= 500000);
    harness_expect(harness, "ok\n", "sleep", "1");
}

static void test_cpu(void **state)
{
    struct harness *harness = *state;
    harness->plan.limits.cpu_ms = 1000;
    harness_run(harness, "spin", NULL);
    assert_int_equal(harness->answer, 0);
    assert_int_equal(harness->result.ending, WRIT_ENDED_CPU);
    assert_true(harness->result.cpu_us >= 500000);
}

static void test_memory(void **state)
{
    struct harness *harness = *state;
    harness->plan.limits.memory_bytes = (uint64_t)32 << 20;
    harness_run(harness, "balloon", "64", NULL);
    assert_int_equal(harness->answer, 0);
    assert_int_equal(harness->result.ending, WRIT_ENDED_MEMORY);
    assert_true(harness->result.memory_peak_bytes > (uint64_t)32 << 20);
    /* Each child is below the limit, all of them are not. */
    harness_run(harness, "balloon", "12", "5", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_MEMORY);
    /* Gone again before anybody looks: found in the account at the end. */
    harness_run(harness, "balloon", "64", "0", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_MEMORY);
    harness_expect(harness, "touched\n", "balloon", "8", "0");
    /* A balloon that is too fast for any look is stopped by the kernel. */
    harness_expect(harness, "ENOMEM\n", "balloon", "4096", "0");
}

/* Shared memory is held by its inode: it counts although no page table has it, and counts once for all that have it. */
static void test_hidden_memory(void **state)
{
    struct harness *harness = *state;
    harness->plan.limits.memory_bytes = (uint64_t)32 << 20;
    harness_run(harness, "hide", "16", "whole", NULL);
    assert_int_equal(harness->answer, 0);
    assert_int_equal(harness->result.ending, WRIT_ENDED_MEMORY);
    assert_true(harness->result.memory_peak_bytes > (uint64_t)32 << 20);
    harness_expect(harness, "ok\n", "hide", "4", "whole");
    assert_true(harness->result.memory_peak_bytes >= (uint64_t)16 << 20);
    if (geteuid() == 0) { /* nobody else can know */
        harness_run(harness, "hide", "16", "part", NULL);
        assert_int_equal(harness->result.ending, WRIT_ENDED_MEMORY);
    }
    harness_expect(harness, "ok\n", "hide", "4", "part");
    harness_expect(harness, "ok\n", "share", "12", "6");
    assert_true(harness->result.memory_peak_bytes < (uint64_t)32 << 20);
    harness_run(harness, "share", "40", "6", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_MEMORY);
}

static void test_memory_in_sockets(void **state)
{
    struct harness *harness = *state;
    harness->plan.limits.memory_bytes = (uint64_t)64 << 20;
    harness->plan.limits.open_files = 1024;
    harness_run(harness, "sockets", "400", NULL);
    assert_int_equal(harness->answer, 0);
    assert_int_equal(harness->result.ending, WRIT_ENDED_MEMORY);
    harness_expect(harness, "ok\n", "sockets", "40");
}

static void test_processes(void **state)
{
    struct harness *harness = *state;
    harness->plan.limits.processes = 5;
    harness_expect(harness, "4\n", "fork", "50");
    harness->plan.limits.processes = 16;
    harness_expect(harness, "15\n", "fork", "50");
}

static void test_output_flood(void **state)
{
    struct harness *harness = *state;
    harness->plan.limits.output_bytes = 100000;
    harness_run(harness, "flood", "1", "0", NULL);
    assert_int_equal(harness->answer, 0);
    assert_int_equal(harness->result.ending, WRIT_ENDED_OUTPUT);
    assert_int_equal(harness->result.output.length, 100000);
    assert_true(harness->result.output.capacity <= 300000);
    /* Exactly the limit is no flood; one byte more is, and nothing at all may be allowed. */
    harness->plan.limits.output_bytes = 4;
    harness_expect(harness, "abc\n", "print", "abc");
    harness->plan.limits.output_bytes = 3;
    harness_run(harness, "print", "abc", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_OUTPUT);
    harness->plan.limits.output_bytes = 0;
    harness_expect(harness, "", "exit", "0");
    harness_run(harness, "print", "abc", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_OUTPUT);
}

/* More of stderr than is kept never blocks the program and never ends it. */
static void test_stderr_flood(void **state)
{
    struct harness *harness = *state;
    harness_expect(harness, "", "flood", "2", "20");
    assert_int_equal(harness->result.errors.length, 4096);
    assert_int_equal(harness->result.errors_dropped, (20u << 20) - 4096);
    harness->plan.limits.stderr_bytes = 0;
    harness_expect(harness, "", "flood", "2", "1");
    assert_int_equal(harness->result.errors.length, 0);
}

static unsigned processes_named(const char *name)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char path[300], found[64] = "";
        (void)snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (read(fd, found, sizeof found - 1) > 0 && strncmp(found, name, strlen(name)) == 0 &&
            found[strlen(name)] == '\n')
            count++;
        (void)close(fd);
    }
    (void)closedir(folder);
    return count;
}

/* Grandchildren in sessions of their own that ignore SIGTERM and hold stdout open are dead before the call returns,
 * whichever way the run ended. */
static void test_nothing_is_left(void **state)
{
    struct harness *harness = *state;
    harness_expect(harness, "left behind\n", "linger");
    assert_int_equal(processes_named(harness->name), 0);
    harness->plan.limits.wall_ms = 700;
    harness_run(harness, "linger-and-wait", NULL);
    assert_int_equal(harness->result.ending, WRIT_ENDED_TIMEOUT);
    assert_string_equal(writ_buffer_text(&harness->result.output), "left behind\n");
    assert_int_equal(processes_named(harness->name), 0);
}

static void test_cancel(void **state)
{
    struct harness *harness = *state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    harness->cancel_fd = ends[0];
    harness_run(harness, "linger-and-wait", NULL);
    assert_int_equal(harness->answer, 0);
    assert_int_equal(harness->result.ending, WRIT_ENDED_INTERRUPTED);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* kill -9 of the caller takes the sandbox along. */
static void test_caller_killed(void **state)
{
    struct harness *harness = *state;
    pid_t caller = fork();
    assert_true(caller >= 0);
    if (caller == 0) {
        (void)alarm(20);
        harness_run(harness, "linger-and-wait", NULL);
        _exit(0);
    }
    const struct timespec moment = {.tv_nsec = 10000000};
    unsigned alive = 0; /* the program and its grandchild; the one between them comes and goes */
    for (int i = 0; i < 1000 && alive < 2; i++) {
        (void)nanosleep(&moment, NULL);
        alive = processes_named(harness->name);
    }
    assert_int_equal(kill(caller, SIGKILL), 0);
    assert_int_equal(waitpid(caller, NULL, 0), caller);
    assert_true(alive >= 2);
    for (int i = 0; i < 1000 && processes_named(harness->name) > 0; i++)
        (void)nanosleep(&moment, NULL);
    assert_int_equal(processes_named(harness->name), 0);
}

/* The caller is left as it was: no child, no signal, no descriptor more, and still dumpable. */
static void test_caller_is_untouched(void **state)
{
    struct harness *harness = *state;
    int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
    (void)close(before);
    int dumpable = prctl(PR_GET_DUMPABLE);
    for (int i = 0; i < 3; i++)
        harness_expect(harness, "x\n", "print", "x");
    harness->plan.working_folder = "/nowhere/../bad";
    harness_run(harness, "print", "x", NULL);
    assert_true(harness->answer < 0);
    int after = open("/dev/null", O_RDONLY | O_CLOEXEC);
    (void)close(after);
    assert_int_equal(before, after);
    assert_int_equal(waitpid(-1, NULL, __WALL), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(prctl(PR_GET_DUMPABLE), dumpable);
}

/* A caller that ignores SIGCHLD, or has closed its stdio, loses neither status nor output. */
static void test_odd_callers(void **state)
{
    struct harness *harness = *state;
    pid_t caller = fork();
    assert_true(caller >= 0);
    if (caller == 0) {
        (void)signal(SIGCHLD, SIG_IGN);
        (void)close(0);
        (void)close(1);
        (void)close(2);
        bool good = true;
        for (int i = 0; i < 20; i++) { /* two processes set the sandbox up: whose descriptors are 0, 1, 2 varies */
            harness_run(harness, "print", "x", NULL);
            good = good && harness->answer == 0 && harness->result.ending == WRIT_ENDED_EXIT &&
                   strcmp(writ_buffer_text(&harness->result.output), "x\n") == 0;
        }
        _exit(good ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(caller, &status, 0), caller);
    assert_int_equal(status, 0);
}

/* Each limit of the caller's own is told by its name, wherever it is met, and with enough all goes well. */
static void test_callers_with_few_descriptors(void **state)
{
    struct harness *harness = *state;
    (void)harness_bind(harness, harness_file(harness, "private", "x", 0600), false);
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    unsigned refused = 0;
    few = before;
    for (few.rlim_cur = 3; few.rlim_cur < 64; few.rlim_cur++) {
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        harness_run(harness, "print", "x", NULL);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        if (harness->answer == 0)
            break;
        refused++;
        if (strstr(harness->error.message, "no identity-mapped mounts"))
            break;
        if (!strstr(harness->error.message, "ulimit -n"))
            fail_msg("%s", harness->error.message);
    }
    assert_true(refused > 3);
    assert_true(few.rlim_cur < 64);
}

static void test_callers_with_few_processes(void **state)
{
    struct harness *harness = *state;
    pid_t caller = fork();
    assert_true(caller >= 0);
    if (caller == 0) {
        const struct rlimit none = {0};
        if ((geteuid() == 0 && (setresgid(61111, 61111, 61111) < 0 || setresuid(61111, 61111, 61111) < 0)) ||
            prctl(PR_SET_DUMPABLE, 1) < 0 || setrlimit(RLIMIT_NPROC, &none) < 0)
            _exit(79);
        harness_run(harness, "print", "x", NULL);
        if (harness->answer == 0 || !strstr(harness->error.message, "ulimit -u"))
            fail_msg("%s", harness->answer == 0 ? "ran" : harness->error.message);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(caller, &status, 0), caller);
    assert_int_equal(status, 0);
}

static void *run_many(void *argument)
{
    const struct harness *harness = argument;
    struct writ_plan *plan = malloc(sizeof *plan);
    if (!plan)
        return (void *)1;
    *plan = harness->plan;
    plan->args[1] = "print";
    plan->args[2] = "thread";
    plan->args[3] = NULL;
    void *fault = NULL;
    for (int i = 0; i < 10 && !fault; i++) {
        const struct writ_sandbox_options options = {.watch = NULL};
        struct writ_run_result result;
        struct writ_error error;
        if (writ_sandbox_run(plan, &options, &result, &error) < 0 || result.ending != WRIT_ENDED_EXIT ||
            strcmp(writ_buffer_text(&result.output), "thread\n") != 0)
            fault = (void *)1;
        writ_run_result_clear(&result);
    }
    free(plan);
    return fault;
}

static void test_threads_of_the_caller(void **state)
{
    struct harness *harness = *state;
    pthread_t threads[4];
    for (size_t i = 0; i < WRIT_COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, harness), 0);
    for (size_t i = 0; i < WRIT_COUNT(threads); i++) {
        void *fault;
        assert_int_equal(pthread_join(threads[i], &fault), 0);
        assert_null(fault);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, harness_set_up, harness_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_output_and_status),
        TEST(test_signals),
        TEST(test_input),
        TEST(test_timeout),
        TEST(test_cpu),
        TEST(test_memory),
        TEST(test_hidden_memory),
        TEST(test_memory_in_sockets),
        TEST(test_processes),
        TEST(test_output_flood),
        TEST(test_stderr_flood),
        TEST(test_nothing_is_left),
        TEST(test_cancel),
        TEST(test_caller_killed),
        TEST(test_caller_is_untouched),
        TEST(test_odd_callers),
        TEST(test_callers_with_few_descriptors),
        TEST(test_callers_with_few_processes),
        TEST(test_threads_of_the_caller),
    };
    return cmocka_run_group_tests_name("sandbox/endings", tests, NULL, NULL);
}
