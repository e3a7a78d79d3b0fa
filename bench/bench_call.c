/*
 * What a call from inside a process costs: writ_invoke with a skill that is already open, everything on (input and
 * output checked, sandbox built, call recorded), against fork+exec of the same program from the same process.
 *
 *     bench_call [--rounds N] --skill FOLDER
 */
#include "row.h"

#include "base/descriptor.h"
#include "run/invoke.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_DEFAULT 300
#define ROUNDS_MAX 100000
#define ROUNDS_WARM 5
#define DOCUMENT "{\"text\":\"The quick brown fox\\njumps over the lazy dog. \xE4\xBD\xA0\xE5\xA5\xBD\"}"

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "bench_call: %s: %s\n", what, why);
    exit(1);
}

static void call(const struct writ_catalog_options *catalog, const struct writ_skill *skill,
                 struct writ_sandbox_spare *spare)
{
    const struct writ_call request = {
        .catalog = catalog,
        .id = skill->id,
        .skill = skill,
        .input = DOCUMENT,
        .input_length = sizeof DOCUMENT - 1,
        .caller = "bench",
        .identity_id = "bench",
        .working_folder = "/",
        .spare = spare,
    };
    struct writ_outcome outcome;
    if (writ_invoke(&request, &outcome) < 0)
        fail("the call", outcome.error.message);
    writ_outcome_clear(&outcome);
}

static void bare(const char *program)
{
    int in[2], out[2], status;
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
        fail("pipe", "refused");
    pid_t child = fork();
    if (child == 0) {
        char *const arguments[] = {(char *)(uintptr_t)program, NULL}, *const environment[] = {NULL};
        if (dup2(in[0], 0) == 0 && dup2(out[1], 1) == 1)
            (void)execve(program, arguments, environment);
        _exit(127);
    }
    writ_descriptor_close(&in[0]);
    writ_descriptor_close(&out[1]);
    if (child < 0 || writ_descriptor_write_all(in[1], DOCUMENT, sizeof DOCUMENT - 1) < 0)
        fail("fork", "refused");
    writ_descriptor_close(&in[1]);
    char output[4096];
    while (read(out[0], output, sizeof output) > 0)
        continue;
    writ_descriptor_close(&out[0]);
    if (waitpid(child, &status, 0) < 0 || status != 0)
        fail("the bare program", "did not succeed");
}

static const char *from_environment(void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

int main(int argc, char **argv)
{
    size_t rounds = ROUNDS_DEFAULT;
    const char *folder = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--rounds") == 0)
            rounds = strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--skill") == 0)
            folder = argv[i + 1];
    }
    if (!folder || rounds == 0 || rounds > ROUNDS_MAX)
        fail("usage", "bench_call [--rounds N] --skill FOLDER");
    struct writ_arena arena;
    struct writ_places places;
    struct writ_error error;
    struct writ_skill *skill;
    writ_arena_init(&arena, 1 << 20);
    if (writ_places_fill(&arena, from_environment, NULL, "/nonexistent", "/", &places, &error) < 0 ||
        writ_catalog_open_folder(folder, &skill, &error) < 0)
        fail("setting up", error.message);
    const struct writ_catalog_options catalog = {.places = &places};
    struct writ_sandbox_spare spare = {.refill = true}; /* as a process that makes many calls would have it */
    char program[4096];
    (void)snprintf(program, sizeof program, "%s/main", skill->folder);
    double *ours = calloc(rounds, sizeof *ours), *peer = calloc(rounds, sizeof *peer);
    if (!ours || !peer)
        fail("setting up", "out of memory");
    for (size_t i = 0; i < rounds + ROUNDS_WARM; i++) {
        double start = now_ms(), middle;
        if (i % 2)
            bare(program);
        else
            call(&catalog, skill, &spare);
        middle = now_ms();
        if (i % 2)
            call(&catalog, skill, &spare);
        else
            bare(program);
        double first = middle - start, second = now_ms() - middle;
        if (i >= ROUNDS_WARM) {
            ours[i - ROUNDS_WARM] = i % 2 ? second : first;
            peer[i - ROUNDS_WARM] = i % 2 ? first : second;
        }
    }
    row_print("a call from inside a process", "ms", ours, "fork+exec", peer, rounds, 1.6);
    writ_sandbox_spare_clear(&spare);
    writ_skill_free(skill);
    writ_arena_clear(&arena);
    free(ours);
    free(peer);
    return 0;
}
