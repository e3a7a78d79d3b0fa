#include "cli/run_print.h"

#include "cli/skill_argument.h"
#include "cli/when.h"
#include "data/quantity.h"
#include "run/explain.h"

#include <string.h>

#define STDERR_LINES_SHOWN 20
#define COURSE_BYTES_MAX 1024

/* The error's sentence ends in the last line that the program said; was that all it said? */
static bool is_told_already(const struct writ_outcome *outcome)
{
    const struct writ_buffer *errors = &outcome->errors;
    if (outcome->error.code != WRIT_PROGRAM_FAILED && outcome->error.code != WRIT_PROGRAM_CRASHED)
        return false;
    const char *newline = memchr(errors->data, '\n', errors->length);
    size_t length = newline ? (size_t)(newline - errors->data) : errors->length, whole = strlen(outcome->error.message);
    return (!newline || newline + 1 == errors->data + errors->length) && length <= whole &&
           memcmp(outcome->error.message + whole - length, errors->data, length) == 0;
}

/* What the program said on stderr: of a call that failed the end, under -v all. */
static void print_program_words(const struct cli_context *context, const struct writ_outcome *outcome)
{
    const struct writ_buffer *errors = &outcome->errors;
    bool whole = context->verbosity == CLI_VERBOSE, failed = outcome->error.code != WRIT_OK;
    if (errors->length == 0 || context->verbosity == CLI_QUIET || (!whole && (!failed || is_told_already(outcome))))
        return;
    size_t start = whole ? 0 : errors->length;
    unsigned lines = 0;
    while (start > 0 && lines <= STDERR_LINES_SHOWN) {
        start--;
        if (errors->data[start] == '\n' && start + 1 < errors->length)
            lines++;
    }
    if (start > 0)
        start++;
    cli_print_styled(&context->terminal, stderr, CLI_DIM,
                     start > 0 ? "  the end of what the program said on stderr:\n" : "  the program said on stderr:\n");
    for (const char *line = errors->data + start, *end = errors->data + errors->length; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = newline ? (size_t)(newline - line) : (size_t)(end - line);
        (void)fputs("  | ", stderr);
        cli_print_safe(stderr, line, length);
        (void)fputc('\n', stderr);
        line += length + 1;
    }
}

void cli_run_print_course(const struct cli_context *context, const struct writ_outcome *outcome,
                          const struct writ_skill *skill)
{
    if (context->verbosity < CLI_VERBOSE || !skill)
        return;
    (void)fprintf(stderr, "writ: %s@%s in ", skill->id, outcome->skill_version);
    cli_print_safe_text(stderr, skill->folder);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, COURSE_BYTES_MAX);
    if (outcome->kind != WRIT_OUTCOME_REFUSED) {
        writ_buffer_append_text(&text, " after ");
        cli_duration_print(&text, outcome->duration_us);
        writ_buffer_append_text(&text, ", of them for the sandbox ");
        cli_duration_print(&text, outcome->setup_us);
        writ_buffer_append_text(&text, "; processor ");
        cli_duration_print(&text, outcome->cpu_us);
        writ_buffer_append_text(&text, ", peak of memory ");
        writ_size_print(&text, outcome->memory_peak_bytes);
        writ_buffer_printf(&text, "; limits held by %s", outcome->limits_held_by);
    }
    (void)fprintf(stderr, "\nwrit: call %s %s%s\n", outcome->run_id, writ_outcome_name(outcome->kind),
                  writ_buffer_text(&text));
}

static int print_failure(const struct cli_context *context, const struct writ_outcome *outcome)
{
    if (outcome->error.code == WRIT_OK)
        return 0;
    int status = cli_report_error(context, &outcome->error);
    for (size_t i = 0; outcome->faults.count > 1 && i < outcome->faults.count; i++) {
        const struct writ_schema_fault *fault = &outcome->faults.items[i];
        (void)fprintf(stderr, "  ");
        cli_print_safe_text(stderr, fault->instance_pointer[0] ? fault->instance_pointer : "(whole)");
        (void)fprintf(stderr, " ");
        cli_print_safe_text(stderr, fault->message);
        (void)fputc('\n', stderr);
    }
    cli_print_contract_faults(context, outcome->skill);
    return status;
}

int cli_run_print(const struct cli_context *context, const struct writ_outcome *outcome)
{
    if (outcome->output) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        writ_buffer_init(&text, (size_t)1 << 30);
        writ_json_print(&text, outcome->output,
                        context->terminal.out_is_terminal ? WRIT_JSON_INDENTED : WRIT_JSON_COMPACT);
        int whole = cli_finish_document(context, &text, 0);
        if (whole != 0)
            return whole;
    }
    int status = print_failure(context, outcome);
    print_program_words(context, outcome);
    if (outcome->advice && context->verbosity != CLI_QUIET) {
        (void)fputs("      ", stderr);
        cli_print_safe_text(stderr, outcome->advice);
        (void)fputc('\n', stderr);
    } else if (outcome->error.code != WRIT_OK) {
        cli_report_hint(context, &outcome->error);
    }
    return status;
}

int cli_run_print_envelope(const struct cli_context *context, const struct writ_outcome *outcome)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, (size_t)1 << 30);
    writ_outcome_print(&text, outcome, context->terminal.out_is_terminal ? WRIT_JSON_INDENTED : WRIT_JSON_COMPACT);
    return cli_finish_document(context, &text, writ_code_exit_status(outcome->error.code));
}

int cli_run_print_plan(const struct cli_context *context, const struct writ_outcome *outcome)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, (size_t)64 << 20);
    if (outcome->error.code != WRIT_OK)
        return context->as_json ? cli_run_print_envelope(context, outcome) : cli_run_print(context, outcome);
    if (context->as_json) {
        struct writ_json_writer writer;
        writ_json_writer_init(&writer, &text);
        writ_explain_json(&writer, outcome->prepared);
        return cli_finish_document(context, &text, 0);
    }
    writ_explain_text(&text, outcome->prepared);
    if (text.failed)
        return cli_finish_document(context, &text, 0);
    cli_print_safe(stdout, writ_buffer_text(&text), text.length);
    return 0;
}
