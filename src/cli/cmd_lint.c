/* `writ lint DIR`: what is wrong with a skill, and the mend. */
#include "cli/handlers.h"
#include "cli/skill_argument.h"
#include "data/json.h"
#include "skill/lint.h"

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
};

static const char *severity_name(enum writ_lint_severity severity)
{
    return severity == WRIT_LINT_ERROR ? "error" : severity == WRIT_LINT_WARNING ? "warning" : "note";
}

static int print_json(const struct cli_context *context, const struct writ_lint_report *report, int status)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)16 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "findings");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < report->count; i++) {
        const struct writ_lint_finding *finding = &report->items[i];
        writ_json_write_object(&writer);
        const struct {
            const char *key, *text;
        } texts[] = {{"severity", severity_name(finding->severity)},
                     {"rule", finding->rule},
                     {"file", finding->file},
                     {"field", finding->field},
                     {"message", finding->message}};
        for (size_t j = 0; j < WRIT_COUNT(texts); j++) {
            writ_json_write_key(&writer, texts[j].key);
            writ_json_write_text(&writer, texts[j].text);
        }
        writ_json_write_key(&writer, "line");
        writ_json_write_integer(&writer, finding->line);
        writ_json_write_key(&writer, "column");
        writ_json_write_integer(&writer, finding->column);
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_key(&writer, "errors");
    writ_json_write_integer(&writer, (int64_t)report->error_count);
    writ_json_write_key(&writer, "warnings");
    writ_json_write_integer(&writer, (int64_t)report->warning_count);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, status);
}

static void print_text(const struct cli_terminal *terminal, const char *folder, const struct writ_lint_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct writ_lint_finding *finding = &report->items[i];
        cli_print_safe_text(stdout, folder);
        (void)fputc('/', stdout);
        cli_print_safe_text(stdout, finding->file);
        if (finding->line)
            (void)printf(":%u:%u", finding->line, finding->column);
        (void)printf(": ");
        cli_print_styled(terminal, stdout,
                         finding->severity == WRIT_LINT_ERROR     ? CLI_RED
                         : finding->severity == WRIT_LINT_WARNING ? CLI_YELLOW
                                                                  : CLI_DIM,
                         severity_name(finding->severity));
        (void)printf(": ");
        if (finding->field && finding->field[0]) {
            cli_print_safe_text(stdout, finding->field);
            (void)printf(": ");
        }
        cli_print_safe_text(stdout, finding->message);
        (void)printf(" [%s]\n", finding->rule);
    }
    (void)printf("%zu error%s, %zu warning%s\n", report->error_count, report->error_count == 1 ? "" : "s",
                 report->warning_count, report->warning_count == 1 ? "" : "s");
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct writ_skill *skill = NULL;
    struct writ_error error;
    struct writ_lint_report report;
    const struct writ_catalog_options catalog = {.places = &context->places};
    int result = cli_skill_open(&catalog, arguments->positionals[0], &skill, &error);
    /* A contract with faults is what lint is for. */
    if (result < 0 && !skill)
        return cli_report(context, &error);
    result = writ_lint_skill(skill, &report, &error);
    int status;
    if (result < 0) {
        status = cli_report(context, &error);
    } else {
        status = report.error_count > 0;
        if (cli_option_is_set(arguments, "json"))
            status = print_json(context, &report, status);
        else
            print_text(&context->terminal, skill->folder, &report);
        writ_lint_report_clear(&report);
    }
    writ_skill_free(skill);
    return status;
}

static const struct cli_example examples[] = {
    {"writ lint ./my-skills/com.example.my.skill", "what is wrong with a skill, and the mend"},
};

const struct cli_command cli_command_lint = {
    .name = "lint",
    .group = CLI_GROUP_WRITE,
    .usage = "DIR|ID",
    .summary = "check a skill's contract and folder",
    .details =
        "Judges the contract and the folder, never this machine (`writ doctor ID` does). Exit status 0: no errors; "
        "1: errors.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .handler = handle,
};
