/* `writ test`: the contract's own tests, each a real call in the real sandbox (S4.10). */
#include "cli/handlers.h"
#include "cli/skill_argument.h"
#include "data/json.h"
#include "data/quantity.h"
#include "run/build_native.h"
#include "run/self_test.h"

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTION_SKILLS,
};

struct printing {
    const struct cli_terminal *terminal;
    struct cli_progress *progress;
    struct writ_json_writer *writer; /* NULL: for people */
};

static void report_json(struct writ_json_writer *writer, const struct writ_self_test_result *result)
{
    writ_json_write_object(writer);
    writ_json_write_key(writer, "name");
    writ_json_write_text(writer, result->name);
    writ_json_write_key(writer, "passed");
    writ_json_write_bool(writer, result->passed);
    writ_json_write_key(writer, "duration_ms");
    writ_json_write_double(writer, (double)(result->duration_us / 10) / 100);
    writ_json_write_key(writer, "difference");
    writ_json_write_text(writer, result->difference);
    writ_json_write_object_end(writer);
}

static void report(void *context, const struct writ_self_test_result *result)
{
    struct printing *printing = context;
    if (printing->writer) {
        report_json(printing->writer, result);
        return;
    }
    cli_progress_hide(printing->progress);
    (void)printf("  ");
    cli_print_styled(printing->terminal, stdout, result->passed ? CLI_GREEN : CLI_RED,
                     result->passed ? "pass" : "FAIL");
    (void)printf("  ");
    cli_print_safe_text(stdout, result->name);
    (void)fputc('\n', stdout);
    if (result->difference) {
        (void)printf("        ");
        cli_print_safe_text(stdout, result->difference);
        (void)fputc('\n', stdout);
    }
    (void)fflush(stdout);
}

static int run_tests(struct cli_context *context, const struct writ_catalog_options *catalog,
                     const struct writ_skill *skill, bool as_json, struct writ_self_test_summary *summary,
                     struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)64 << 20);
    writ_json_writer_init(&writer, &out);
    struct printing printing = {&context->terminal, context->progress, as_json ? &writer : NULL};
    const struct writ_self_test_options test_options = {.catalog = catalog,
                                                        .skill = skill,
                                                        .identity_id = context->identity_id,
                                                        .ceilings = cli_ceilings(context),
                                                        .watch = &context->progress->watch,
                                                        .report = report,
                                                        .context = &printing};
    if (as_json) {
        writ_json_write_object(&writer);
        writ_json_write_key(&writer, "skill");
        writ_json_write_text(&writer, skill->id);
        writ_json_write_key(&writer, "tests");
        writ_json_write_array(&writer);
    }
    int result = writ_self_test_run(&test_options, summary, error);
    if (result < 0 || !as_json)
        return result;
    writ_json_write_array_end(&writer);
    writ_json_write_key(&writer, "passed");
    writ_json_write_integer(&writer, (int64_t)summary->passed);
    writ_json_write_key(&writer, "failed");
    writ_json_write_integer(&writer, (int64_t)summary->failed);
    writ_json_write_object_end(&writer);
    if (cli_print_document(&out))
        return 0;
    return out.too_large
               ? writ_error_set(error, WRIT_INTERNAL_LIMIT, "the report is larger than %zu MiB", out.bytes_max >> 20)
               : writ_error_memory(error);
}

static int test_skill(struct cli_context *context, const struct cli_arguments *arguments,
                      const struct writ_catalog_options *catalog, const struct writ_skill *skill)
{
    bool as_json = cli_option_is_set(arguments, "json"), built = false;
    struct writ_error error;
    struct writ_self_test_summary summary = {0, 0};
    cli_progress_hold(context->progress);
    int result = writ_build_native(skill, &context->places, &context->progress->watch, &built, &error);
    cli_progress_hide(context->progress);
    if (result == 0 && !as_json) {
        cli_print_styled(&context->terminal, stdout, CLI_BOLD, skill->id);
        (void)printf(" %s%s\n", skill->contract->version_text, built ? " (main built from main.c)" : "");
    }
    if (result == 0)
        result = run_tests(context, catalog, skill, as_json, &summary, &error);
    (void)cli_progress_release(context->progress);
    if (result < 0)
        return cli_report(context, &error);
    if (!as_json)
        (void)printf("%zu passed, %zu failed\n", summary.passed, summary.failed);
    if (summary.passed + summary.failed == 0)
        (void)fprintf(stderr, "writ: the contract has no tests; add `test:` to skill.yaml\n");
    return summary.failed > 0 || summary.passed == 0;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options catalog = cli_catalog_options(context, arguments, folders);
    struct writ_skill *skill = NULL;
    struct writ_error error;
    int status;
    if (cli_skill_open(&catalog, arguments->positionals[0], &skill, &error) < 0) {
        status = cli_report(context, &error);
        cli_print_contract_faults(context, skill);
    } else {
        status = test_skill(context, arguments, &catalog, skill);
    }
    writ_skill_free(skill);
    return status;
}

static const struct cli_example examples[] = {
    {"writ test com.example.text.stats", "the tests of a skill by its id"},
    {"writ test ./my-skills/com.example.my.skill", "the tests of one that is being written"},
};

const struct cli_command cli_command_test = {
    .name = "test",
    .group = CLI_GROUP_WRITE,
    .usage = "ID|DIR",
    .summary = "run a skill's own tests",
    .details =
        "Each item of `test:` in skill.yaml and each file in the skill's tests/ folder is a real call in the real "
        "sandbox, offline. Relative paths in inputs start in the skill's folder; for a skill that writes, in "
        "a copy of it for each test. Exit status 0: all passed; 1: not.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .handler = handle,
};
