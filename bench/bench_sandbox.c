/*
 * What a sandbox costs: writ_sandbox_run of a tiny static program, with everything on, against fork+exec and
 * posix_spawn of the same program from the same process.
 *
 *     bench_sandbox [--rounds N] [--steps | --steps-ahead]
 *
 * Once with all of it in the call, and once with a sandbox that was begun ahead, as a caller does that runs many.
 * `--steps` prints when each step of entering was done (medians, on a build with trace hooks of its own).
 */
#include "row.h"

#include "sandbox/enter.h"
#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_DEFAULT 500
#define ROUNDS_MAX 100000
#define ROUNDS_WARM 5
#define CONTENDERS 4

/* Filled by the traced build of the sandbox (run.c): the moment of each step of the last run, 0 when it was not made.
 */
uint64_t writ_sandbox_trace_ns[WRIT_TRACE_COUNT];

static const char *const step_names[] = {
#define X(name, doing, mend) doing,
    WRIT_STEPS(X)
#undef X
        "(caller) began",
    "(caller) cloned",
    "(caller) wrote the maps",
    "(caller) got a plan",
    "(caller) prepared the plan",
    "(init) reaped the program",
    "(caller) saw the end"};

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "bench_sandbox: %s: %s\n", what, why);
    exit(1);
}

static void run_sandbox(const struct writ_plan *plan, struct writ_sandbox_spare *spare)
{
    const struct writ_sandbox_options options = {.spare = spare};
    struct writ_run_result result;
    struct writ_error error;
    if (writ_sandbox_run(plan, &options, &result, &error) < 0)
        fail("the sandbox", error.message);
    if (result.ending != WRIT_ENDED_EXIT || result.exit_status != 0)
        fail("the sandbox", "the program did not succeed");
    writ_run_result_clear(&result);
}

static void run_bare(const char *program, int use_spawn)
{
    char *const arguments[] = {(char *)(uintptr_t)program, NULL}, *const environment[] = {NULL};
    pid_t child = 0;
    int status;
    if (use_spawn) {
        if (posix_spawn(&child, program, NULL, NULL, arguments, environment) != 0)
            fail("posix_spawn", "refused");
    } else {
        child = fork();
        if (child == 0) {
            (void)execve(program, arguments, environment);
            _exit(127);
        }
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        fail("the bare program", "did not succeed");
}

static void fill_plan(struct writ_plan *plan, const char *program)
{
    writ_plan_init(plan);
    struct writ_mount *mount = writ_plan_add(plan, WRIT_MOUNT_BIND, program, "the program");
    mount->source_fd = open(program, O_PATH | O_CLOEXEC);
    mount->executable = true;
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/urandom"};
    for (size_t i = 0; i < WRIT_COUNT(devices); i++)
        (void)writ_plan_add(plan, WRIT_MOUNT_DEVICE, devices[i], "a device");
    mount = writ_plan_add(plan, WRIT_MOUNT_TMPFS, "/tmp", "private");
    mount->size_bytes = (uint64_t)64 << 20;
    mount->files_max = 4096;
    plan->program = program;
    plan->args[0] = program;
    plan->working_folder = "/tmp";
    plan->input = "{}";
    plan->input_length = 2;
    plan->limits = (struct writ_limits){.wall_ms = 60000,
                                        .memory_bytes = (uint64_t)256 << 20,
                                        .cpus = 1,
                                        .processes = 16,
                                        .output_bytes = (uint64_t)1 << 20,
                                        .stderr_bytes = 65536,
                                        .file_bytes = (uint64_t)16 << 20,
                                        .open_files = 64};
}

static void begin_ahead(struct writ_sandbox_spare *spare)
{
    struct writ_error error;
    const struct timespec while_others_work = {.tv_nsec = 2000000};
    if (writ_sandbox_begin(spare, &error) < 0)
        fail("the sandbox", error.message);
    (void)nanosleep(&while_others_work, NULL);
}

static void print_steps(const struct writ_plan *plan, size_t rounds, int ahead)
{
    struct writ_sandbox_spare spare = {0};
    unsigned zero = ahead ? WRIT_TRACE_PREPARING : WRIT_TRACE_BEGAN;
    double *times = calloc(WRIT_TRACE_COUNT * rounds, sizeof *times), *ends = calloc(rounds, sizeof *ends);
    if (!times || !ends)
        fail("setting up", "out of memory");
    for (size_t i = 0; i < rounds; i++) {
        if (ahead)
            begin_ahead(&spare);
        run_sandbox(plan, &spare);
        uint64_t end = (uint64_t)(now_ms() * 1e6);
        for (size_t step = 0; step < WRIT_TRACE_COUNT; step++)
            if (writ_sandbox_trace_ns[step])
                times[step * rounds + i] =
                    ((double)writ_sandbox_trace_ns[step] - (double)writ_sandbox_trace_ns[zero]) / 1e3;
        ends[i] = (double)(end - writ_sandbox_trace_ns[zero]) / 1e3;
    }
    for (size_t step = 0; step < WRIT_TRACE_COUNT; step++)
        if (times[step * rounds] != 0)
            (void)printf("%8.0f us  %s\n", row_spread_of(times + step * rounds, rounds).median, step_names[step]);
    (void)printf("%8.0f us  all done\n", row_spread_of(ends, rounds).median);
    free(times);
    free(ends);
}

int main(int argc, char **argv)
{
    size_t rounds = ROUNDS_DEFAULT;
    int steps = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--steps") == 0)
            steps = 1;
        else if (strcmp(argv[i], "--steps-ahead") == 0)
            steps = 2;
        else
            fail("usage", "bench_sandbox [--rounds N] [--steps | --steps-ahead]");
    }
    if (rounds == 0 || rounds > ROUNDS_MAX)
        fail("usage", "a number of rounds that is too small or too large");
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        fail("/proc/self/exe", "cannot be read");
    program[length] = '\0';
    char *name = strrchr(program, '/') + 1;
    (void)snprintf(name, sizeof program - (size_t)(name - program), "sandbox_true");
    static struct writ_plan plan;
    fill_plan(&plan, program);
    if (steps) {
        print_steps(&plan, rounds, steps == 2);
        return 0;
    }
    struct writ_sandbox_spare spare = {.refill = true};
    double *times[CONTENDERS];
    for (size_t i = 0; i < CONTENDERS; i++)
        if (!(times[i] = calloc(rounds, sizeof *times[i])))
            fail("setting up", "out of memory");
    for (size_t i = 0; i < rounds + ROUNDS_WARM; i++) {
        for (size_t turn = 0; turn < CONTENDERS; turn++) {
            size_t which = (i + turn) % CONTENDERS;
            double start = now_ms();
            if (which < 2)
                run_sandbox(&plan, which == 1 ? &spare : NULL);
            else
                run_bare(program, which == 3);
            if (i >= ROUNDS_WARM)
                times[which][i - ROUNDS_WARM] = now_ms() - start;
        }
    }
    writ_sandbox_spare_clear(&spare);
    row_print("a sandbox around a tiny program", "ms", times[0], "fork+exec", times[2], rounds, 0);
    row_print("  with the next one begun meanwhile", "ms", times[1], "fork+exec", times[2], rounds, 1.6);
    row_print("  with the next one begun meanwhile", "ms", times[1], "posix_spawn", times[3], rounds, 0);
    for (size_t i = 0; i < CONTENDERS; i++)
        free(times[i]);
    return 0;
}
