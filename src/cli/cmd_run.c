/* `writ run`: one call of one skill. */
#include "base/descriptor.h"
#include "cli/handlers.h"
#include "cli/run_flags.h"
#include "cli/run_input.h"
#include "cli/run_print.h"
#include "cli/skill_argument.h"
#include "run/invoke.h"

#include <string.h>
#include <unistd.h>

static const struct cli_option options[] = {
    {"input", 'i', "JSON|FILE|-", "the input as JSON text, a file that holds it, or - for stdin"},
    {"interactive", 0, NULL, "ask for each field of the input at the terminal"},
    {"explain", 0, NULL, "print the sandbox plan and run nothing"},
    CLI_OPTION_JSON,
    CLI_OPTION_SKILLS,
};

/* What may have been meant, when a field is missing or no input was given at all. */
static void print_hints(const struct cli_context *context, const struct cli_arguments *arguments,
                        const struct writ_outcome *outcome)
{
    bool missing = false, unknown = false;
    for (size_t i = 0; outcome->error.code == WRIT_INPUT_INVALID && i < outcome->faults.count; i++) {
        missing = missing || strcmp(outcome->faults.items[i].keyword, "required") == 0;
        unknown = unknown || strcmp(outcome->faults.items[i].keyword, "additionalProperties") == 0;
    }
    if (context->verbosity == CLI_QUIET)
        return;
    if ((missing || arguments->rest_count == 0) && cli_run_stdin_waits(arguments)) {
        (void)fprintf(stderr, "%sstdin was not read; `--input -` takes the input from it\n",
                      outcome->error.code == WRIT_OK ? "writ: " : "      ");
    } else if (missing && !unknown) {
        (void)fputs("      `writ run ", stderr);
        cli_print_safe_text(stderr, arguments->positionals[0]);
        (void)fputs(" --interactive` asks for each field at a terminal\n", stderr);
    }
}

static int call(struct cli_context *context, const struct cli_arguments *arguments,
                const struct writ_catalog_options *catalog, const struct cli_skill_argument *argument,
                const struct writ_skill *skill, const struct writ_buffer *input, struct writ_sandbox_spare *spare)
{
    bool as_json = context->as_json, explain = cli_option_is_set(arguments, "explain");
    cli_progress_hold(context->progress);
    const struct writ_call request = {.catalog = catalog,
                                      .id = argument->id,
                                      .version = argument->range,
                                      .folder = argument->folder,
                                      .skill = skill,
                                      .input = writ_buffer_text(input),
                                      .input_length = input->length,
                                      .caller = "cli",
                                      .identity_id = context->identity_id,
                                      .working_folder = context->places.working,
                                      .ceilings = cli_ceilings(context),
                                      .spare = spare,
                                      .watch = &context->progress->watch,
                                      .explain_only = explain};
    struct writ_outcome outcome;
    int result = writ_invoke(&request, &outcome);
    (void)cli_progress_release(context->progress);
    if (result < 0)
        (void)cli_skill_explain_missing(arguments->positionals[0], &outcome.error);
    int status = explain   ? cli_run_print_plan(context, &outcome)
                 : as_json ? cli_run_print_envelope(context, &outcome)
                           : cli_run_print(context, &outcome);
    if (!as_json)
        print_hints(context, arguments, &outcome);
    if (!as_json && !explain)
        cli_run_print_course(context, &outcome, skill ? skill : outcome.skill);
    writ_outcome_clear(&outcome);
    return status;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct cli_skill_argument argument;
    struct writ_error error;
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options catalog = cli_catalog_options(context, arguments, folders);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer input;
    writ_buffer_init_secret(&input, CLI_RUN_INPUT_BYTES_MAX);
    struct writ_skill *skill = NULL;
    /* The kernel makes the namespaces while the contract is read; when it cannot, the run itself says why.  Nothing is
     * held ready while a person thinks. */
    struct writ_sandbox_spare spare = {.begun = NULL};
    if (!cli_option_is_set(arguments, "explain") && !cli_run_may_ask(context, arguments))
        (void)!writ_sandbox_begin(&spare, &error);
    int result = cli_skill_argument_parse(arguments->positionals[0], &argument, &error);
    if (result == 0)
        result = cli_run_input(context, arguments, &catalog, &input, &skill, &error);
    int status;
    if (result < 0 && context->as_json) {
        struct writ_outcome outcome = {.kind = WRIT_OUTCOME_REFUSED,
                                       .error = error,
                                       .skill_id = argument.id[0] ? argument.id : NULL,
                                       .skill_version = skill && skill->contract ? skill->contract->version_text : "",
                                       .skill = skill};
        status = cli_run_print_envelope(context, &outcome);
    } else if (result < 0) {
        status = cli_report_skill(context, &error, skill);
    } else {
        status = call(context, arguments, &catalog, &argument, skill, &input, &spare);
    }
    writ_sandbox_spare_clear(&spare);
    writ_skill_free(skill);
    return status;
}

/* `writ run ID --help`: the flags that the skill's input makes. */
static int help_with_flags(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct writ_error error;
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options catalog = cli_catalog_options(context, arguments, folders);
    struct writ_skill *skill = NULL;
    int result = cli_skill_open(&catalog, arguments->positionals[0], &skill, &error);
    int status = 0;
    if (skill && skill->contract) {
        (void)fputc('\n', stdout);
        cli_print_styled(&context->terminal, stdout, CLI_BOLD, skill->id);
        (void)printf(" takes:\n");
        if (cli_run_flags_describe(&context->terminal, skill->contract->input_node) == 0)
            (void)printf("  nothing by name; its input is whatever --input gives\n");
    } else if (result < 0) {
        status = cli_report_skill(context, &error, skill);
    }
    writ_skill_free(skill);
    return status;
}

static const struct cli_example examples[] = {
    {"writ run com.example.file.text-extract --file-path report.pdf", "the text of a PDF"},
    {"writ run com.example.text.stats --text 'two words'", "a flag for each field of the input"},
    {"echo '{\"text\": \"two words\"}' | writ run com.example.text.stats -i -",
     "the input as JSON, from another program"},
    {"writ run ./my-skills/com.example.my.skill --text 'two words'", "a skill by its folder"},
    {"writ run com.example.text.stats --interactive", "asks for the fields at the terminal"},
    {"writ run com.example.text.stats --text 'two words' --explain", "what the call would be given; nothing runs"},
};

const struct cli_command cli_command_run = {
    .name = "run",
    .group = CLI_GROUP_USE,
    .usage = "ID[@VERSION]|DIR [--NAME VALUE ...]",
    .summary = "run a skill in its sandbox",
    .details =
        "A folder is named with a slash in it (./my-skill), which is trusting it for this call.\n"
        "The input is --input, with the skill's own flags put over it: --file-path report.pdf sets file_path, --a.b 5 "
        "sets b inside a, a flag that is given again adds to a list, --flag and --no-flag are true and false. "
        "`writ run ID --help` lists a skill's flags. A value that could be an option of writ is joined to its flag "
        "(--text=--json); after -- all flags are the skill's.\n"
        "--interactive asks for each field that is not given, checks every answer, and shows the input and the command "
        "that repeats it before anything runs. On a terminal the required fields that are missing are asked for in any "
        "case, and so is whether a project's skill is to be trusted; in a pipe both are errors.\n"
        "The output goes to stdout as JSON; faults go to stderr, and the exit status tells their class "
        "(docs/errors.md). --json prints the whole envelope instead.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .takes_rest = true,
    .gives_envelope = true,
    .handler = handle,
    .help_below = help_with_flags,
};
