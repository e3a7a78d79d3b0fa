/*
 * JSON Schema: the verdict on valid documents that are parsed already, and parse + check, against ajv (and, shown
 * beside it, schemasafe) on node.
 *
 *     bench_schema [--rounds N] [--data DIR] [--peers DIR]
 *
 * One node process serves all rounds (bench/ajv/serve.js); rounds of writ and of the peers take turns.  The peers come
 * from npm at the first run.  The documents are not part of the project: without them there is nothing to measure.
 */
#include "base/file.h"
#include "data/schema.h"
#include "row.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <spawn.h>
#include <sys/wait.h>

#define ROUNDS_DEFAULT 40
#define ROUNDS_MAX 10000
/* Short enough that a round is seldom disturbed, long enough that the clock does not matter. */
#define ITERATIONS_CHECK 4000
#define ITERATIONS_PARSE 1500
#define GOAL 0.6
#define LEFT_OUT 77

extern char **environ;

struct node {
    FILE *in, *out;
    pid_t pid;
};

struct subject {
    char schema_path[512], document_path[512];
    struct writ_arena arena;
    struct writ_schema *schema;
    const struct writ_json *document;
    struct writ_buffer text;
};

static void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "bench_schema: %s: %s\n", what, why);
    exit(1);
}

/* What is needed from outside is not there: nothing to measure, which is no failure. */
static void leave_out(const char *what, const char *why)
{
    (void)fprintf(stderr, "bench_schema: %s: %s\n", what, why);
    exit(LEFT_OUT);
}

static double now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- peers ---- */

static void install_peers(const char *peers)
{
    char probe[512];
    (void)snprintf(probe, sizeof(probe), "%s/node_modules/ajv/package.json", peers);
    if (access(probe, R_OK) == 0)
        return;
    const char *argv[] = {"npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", peers, NULL};
    pid_t pid;
    int status = 0;
    if (posix_spawnp(&pid, "npm", NULL, NULL, (char *const *)(uintptr_t)argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        leave_out("ajv", "npm could not install it (node and npm are needed, and a network)");
}

static void start_node(const char *peers, struct node *node)
{
    char script[512];
    int to[2], from[2];
    (void)snprintf(script, sizeof(script), "%s/serve.js", peers);
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        fail("pipe", "none to be had");
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawn_file_actions_adddup2(&actions, to[0], 0) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, from[1], 1) != 0)
        fail("node", "could not be prepared");
    const char *argv[] = {"node", script, NULL};
    if (posix_spawnp(&node->pid, "node", &actions, NULL, (char *const *)(uintptr_t)argv, environ) != 0)
        fail("node", "could not be started");
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(to[0]);
    (void)close(from[1]);
    node->in = fdopen(to[1], "w");
    node->out = fdopen(from[0], "r");
    if (!node->in || !node->out)
        fail("node", "could not be spoken to");
}

static double run_peer(const struct node *node, const char *peer, const struct subject *subject, bool parse)
{
    char line[64];
    (void)fprintf(node->in, "%s\t%s\t%s\t%s\t%d\n", peer, subject->schema_path, subject->document_path,
                  parse ? "parse" : "check", parse ? ITERATIONS_PARSE : ITERATIONS_CHECK);
    if (fflush(node->in) != 0 || !fgets(line, sizeof(line), node->out))
        fail(peer, "did not answer");
    return strtod(line, NULL);
}

/* ---- ours ---- */

static double run_ours(struct subject *subject, bool parse)
{
    int held = 0, iterations = parse ? ITERATIONS_PARSE : ITERATIONS_CHECK;
    struct writ_error error;
    double start = now_ns();
    if (!parse) {
        for (int i = 0; i < iterations; i++)
            held += writ_schema_check(subject->schema, subject->document);
    } else {
        for (int i = 0; i < iterations; i++) {
            struct writ_arena arena;
            const struct writ_json *document;
            writ_arena_init(&arena, (size_t)1 << 20);
            if (writ_json_parse(&arena, subject->text.data, subject->text.length, &document, &error) == 0)
                held += writ_schema_check(subject->schema, document);
            writ_arena_clear(&arena);
        }
    }
    double time = (now_ns() - start) / iterations;
    if (held != iterations)
        fail(subject->document_path, "is not valid each time");
    return time;
}

static void load(struct subject *subject, const char *data, const char *name)
{
    struct writ_error error;
    struct writ_buffer schema_text;
    const struct writ_json *schema;
    (void)snprintf(subject->schema_path, sizeof(subject->schema_path), "%s/%s.schema.json", data, name);
    (void)snprintf(subject->document_path, sizeof(subject->document_path), "%s/%s.valid.json", data, name);
    writ_arena_init(&subject->arena, (size_t)1 << 24);
    writ_buffer_init(&schema_text, (size_t)1 << 20);
    writ_buffer_init(&subject->text, (size_t)1 << 20);
    if (writ_file_read(AT_FDCWD, subject->schema_path, false, &schema_text, &error) ||
        writ_json_parse(&subject->arena, schema_text.data, schema_text.length, &schema, &error) ||
        writ_file_read(AT_FDCWD, subject->document_path, false, &subject->text, &error) ||
        writ_json_parse(&subject->arena, subject->text.data, subject->text.length, &subject->document, &error) ||
        writ_schema_compile(schema, NULL, &subject->schema, &error))
        fail(name, error.message);
    writ_buffer_clear(&schema_text);
}

/* ---- rounds ---- */

static double least(const double *rounds, size_t count)
{
    double found = rounds[0];
    for (size_t i = 1; i < count; i++)
        found = rounds[i] < found ? rounds[i] : found;
    return found;
}

static void measure(struct subject *subject, const char *name, const struct node *node, bool parse, size_t rounds)
{
    double *ours = calloc(rounds, sizeof(*ours)), *ajv = calloc(rounds, sizeof(*ajv));
    double *safe = calloc(rounds, sizeof(*safe));
    char row[64];
    if (!ours || !ajv || !safe)
        fail("memory", "out of it");
    (void)run_ours(subject, parse);
    (void)run_peer(node, "ajv", subject, parse);
    (void)run_peer(node, "schemasafe", subject, parse);
    for (size_t i = 0; i < rounds; i++) {
        ours[i] = run_ours(subject, parse);
        ajv[i] = run_peer(node, "ajv", subject, parse);
        safe[i] = run_peer(node, "schemasafe", subject, parse);
    }
    (void)snprintf(row, sizeof(row), "schema %s, %s", name, parse ? "parse + check" : "check");
    row_print(row, "ns", ours, "ajv", ajv, rounds, 0);
    if (!parse) {
        double best = least(ours, rounds), ajv_best = least(ajv, rounds), safe_best = least(safe, rounds);
        (void)snprintf(row, sizeof(row), "schema %s, check, best", name);
        row_print(row, "ns", &best, "ajv", &ajv_best, 1, GOAL);
        row_print(row, "ns", &best, "schemasafe", &safe_best, 1, 0);
    }
    free(ours);
    free(ajv);
    free(safe);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"s1-read-file", "s2-manifest", "s3-query"};
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'},
                                            {"data", required_argument, NULL, 'd'},
                                            {"peers", required_argument, NULL, 'p'},
                                            {0}};
    const char *data = "../shared/data/json-schema-bench", *peers = "bench/ajv";
    long rounds = ROUNDS_DEFAULT;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'r')
            rounds = strtol(optarg, NULL, 10);
        else if (option == 'd')
            data = optarg;
        else if (option == 'p')
            peers = optarg;
        else
            fail("usage", "bench_schema [--rounds N] [--data DIR] [--peers DIR]");
    }
    if (rounds < 1 || rounds > ROUNDS_MAX)
        fail("--rounds", "must be 1 to 10000");
    if (access(data, R_OK) != 0)
        leave_out(data, "is not there: the benchmark's schemas and documents are no part of the project (--data DIR)");
    install_peers(peers);
    struct node node;
    start_node(peers, &node);
    for (size_t i = 0; i < WRIT_COUNT(names); i++) {
        struct subject subject = {0};
        load(&subject, data, names[i]);
        measure(&subject, names[i], &node, false, (size_t)rounds);
        measure(&subject, names[i], &node, true, (size_t)rounds);
        writ_schema_free(subject.schema);
        writ_buffer_clear(&subject.text);
        writ_arena_clear(&subject.arena);
    }
    (void)fclose(node.in);
    (void)fclose(node.out);
    (void)waitpid(node.pid, NULL, 0);
    return 0;
}
