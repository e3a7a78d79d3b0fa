/*
 * What the whole of `writ run` costs: the command with everything on (contract read, input and output checked, sandbox
 * built, call recorded), against the bare program and against bubblewrap with a like profile.
 *
 *     bench_command [--rounds N] --writ PROGRAM --skill FOLDER
 *
 * All three are started by posix_spawn, given or told the same text, read to the end of their output and waited for; a
 * round measures each once, in an order that turns from round to round.  Each must succeed every time, or nothing is
 * measured.  The environment is the caller's: bench/run.py makes one in which writ's state is empty.
 */
#include "row.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_DEFAULT 300
#define ROUNDS_MAX 100000
#define ROUNDS_WARM 5
#define ARGUMENTS_MAX 64
#define DOCUMENT "{\"text\":\"The quick brown fox\\njumps over the lazy dog. \xE4\xBD\xA0\xE5\xA5\xBD\"}"

struct contender {
    const char *name;
    const char *arguments[ARGUMENTS_MAX];
    bool takes_input;
    double *ms;
};

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void fail(const char *what, int reason)
{
    const char *text = reason ? strerrordesc_np(reason) : NULL;
    (void)fprintf(stderr, "bench_command: %s%s%s\n", what, text ? ": " : "", text ? text : "");
    exit(1);
}

/* Starts, feeds, reads to the end, waits.  Returns the exit status; a program that is not there gives -1. */
static int run(const struct contender *contender, char *output, size_t output_size)
{
    int in[2], out[2], reason;
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
        fail("pipe", errno);
    if (posix_spawn_file_actions_init(&actions) || posix_spawn_file_actions_adddup2(&actions, in[0], 0) ||
        posix_spawn_file_actions_adddup2(&actions, out[1], 1))
        fail("posix_spawn", ENOMEM);
    /* posix_spawn takes `char *const *` for history's sake and changes nothing. */
    union {
        const char *const *given;
        char *const *wanted;
    } arguments = {.given = contender->arguments};
    reason = posix_spawnp(&child, contender->arguments[0], &actions, NULL, arguments.wanted, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(in[0]);
    (void)close(out[1]);
    if (reason == 0 && contender->takes_input &&
        write(in[1], DOCUMENT, sizeof DOCUMENT - 1) != (ssize_t)sizeof DOCUMENT - 1)
        fail(contender->name, errno);
    (void)close(in[1]);
    size_t length = 0;
    for (ssize_t got = reason ? 0 : 1; got > 0; length += (size_t)got) {
        got = read(out[0], output + length, output_size - 1 - length);
        if (got < 0)
            fail(contender->name, errno);
    }
    output[length] = '\0';
    (void)close(out[0]);
    if (reason)
        return -1;
    int status;
    if (waitpid(child, &status, 0) != child)
        fail(contender->name, errno);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static double measure(const struct contender *contender)
{
    char output[65536];
    double start = now_ms();
    int status = run(contender, output, sizeof output);
    double ms = now_ms() - start;
    if (status != 0 || !strstr(output, "\"characters\"")) {
        (void)fprintf(stderr, "bench_command: %s: exit status %d: %s\n", contender->name, status, output);
        exit(1);
    }
    return ms;
}

static void measure_round(struct contender *contenders, size_t count, size_t round, bool keep)
{
    for (size_t i = 0; i < count; i++) {
        size_t turn = (round + i) % count;
        struct contender *contender = &contenders[round / count % 2 ? count - 1 - turn : turn];
        double ms = measure(contender);
        if (keep)
            contender->ms[round] = ms;
    }
}

int main(int argument_count, char **arguments)
{
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'},
                                            {"writ", required_argument, NULL, 'w'},
                                            {"skill", required_argument, NULL, 's'},
                                            {0}};
    size_t rounds = ROUNDS_DEFAULT;
    const char *writ = NULL, *skill = NULL;
    for (int option; (option = getopt_long(argument_count, arguments, "", options, NULL)) != -1;) {
        if (option == 'r')
            rounds = strtoul(optarg, NULL, 10);
        else if (option == 'w')
            writ = optarg;
        else if (option == 's')
            skill = optarg;
        else
            return 2;
    }
    char folder[PATH_MAX], program[PATH_MAX + 8];
    if (!writ || !skill || rounds == 0 || rounds > ROUNDS_MAX || !realpath(skill, folder))
        fail("usage: bench_command [--rounds N] --writ PROGRAM --skill FOLDER", 0);
    (void)snprintf(program, sizeof program, "%s/main", folder);
    const char *id = strrchr(folder, '/') + 1;
    /* What writ's sandbox does of what bubblewrap can: all namespaces, an empty root with the same few things in it, a
     * private /tmp, no capabilities, no terminal, no inherited environment.  No system call filter, no Landlock, no
     * limits, no record. */
    /* clang-format off */
    struct contender contenders[] = {
        {.name = "bare fork+exec", .arguments = {program}, .takes_input = true},
        {.name = "writ run", .arguments = {writ, "run", id, "--input", DOCUMENT}},
        {.name = "bubblewrap, like profile", .takes_input = true, .arguments = {
            "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
            "--ro-bind", "/usr/lib", "/usr/lib", "--symlink", "usr/lib", "/lib",
            "--ro-bind-try", "/usr/lib64", "/usr/lib64", "--symlink", "usr/lib64", "/lib64",
            "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--ro-bind", folder, folder, "--chdir", folder,
            "--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8",
            "--setenv", "HOME", "/tmp", "--", program}},
    };
    /* clang-format on */
    char output[65536];
    /* bubblewrap may be missing, or not be allowed to make namespaces here. */
    size_t count = run(&contenders[2], output, sizeof output) == 0 ? 3 : 2;
    for (size_t i = 0; i < count; i++)
        if (!(contenders[i].ms = calloc(rounds, sizeof(double))))
            fail("memory", ENOMEM);
    for (size_t round = 0; round < ROUNDS_WARM; round++)
        measure_round(contenders, count, round, false);
    for (size_t round = 0; round < rounds; round++)
        measure_round(contenders, count, round, true);
    row_print("writ run, everything on", "ms", contenders[1].ms, contenders[0].name, contenders[0].ms, rounds, 3.0);
    if (count == 3)
        row_print("writ run, everything on", "ms", contenders[1].ms, contenders[2].name, contenders[2].ms, rounds, 1.0);
    else
        (void)fprintf(stderr, "bench_command: bubblewrap does not run here and is left out\n");
    for (size_t i = 0; i < count; i++)
        free(contenders[i].ms);
    return 0;
}
