#include "cli/lint_output.h"

#include "base/line_diff.h"
#include "data/json.h"

#include <string.h>

/* ---- for people ---- */

static enum cli_style style_of(enum writ_lint_severity severity)
{
    return severity == WRIT_LINT_ERROR ? CLI_RED : severity == WRIT_LINT_WARNING ? CLI_YELLOW : CLI_DIM;
}

static void print_place(const struct cli_lint_result *result, const char *file, uint32_t line, uint32_t column)
{
    cli_print_safe_text(stdout, result->shown);
    if (result->shown[0])
        (void)fputc('/', stdout);
    cli_print_safe_text(stdout, file);
    if (line)
        (void)printf(":%u:%u", line, column);
    (void)printf(": ");
}

/* `FIELD: TEXT [RULE]` */
static void print_sentence(const char *field, const char *text, const char *rule)
{
    (void)printf(": ");
    if (field && field[0]) {
        cli_print_safe_text(stdout, field);
        (void)printf(": ");
    }
    cli_print_safe_text(stdout, text);
    (void)printf(" [%s]\n", rule);
}

static void print_finding(const struct cli_terminal *terminal, const struct cli_lint_result *result,
                          const struct writ_lint_finding *finding)
{
    print_place(result, finding->file, finding->line, finding->column);
    cli_print_styled(terminal, stdout, style_of(finding->severity), writ_lint_severity_name(finding->severity));
    print_sentence(finding->field, finding->message, finding->rule);
}

static void print_fixed(const struct cli_lint_run *run, const struct cli_lint_result *result,
                        const struct writ_lint_fixed *fixed)
{
    print_place(result, "skill.yaml", fixed->line, fixed->column);
    cli_print_styled(&run->context->terminal, stdout, CLI_GREEN, run->dry_run ? "would fix" : "fixed");
    print_sentence(fixed->field, fixed->title, fixed->rule);
}

/* A diff that patch can take is no place for `?`: only on a terminal is it made safe. */
static void print_diff(const struct cli_terminal *terminal, const char *diff)
{
    for (const char *line = diff; *line;) {
        size_t length = strcspn(line, "\n");
        const char mark[2] = {line[0], '\0'};
        if (length > 0)
            cli_print_styled(terminal, stdout, mark[0] == '-' ? CLI_RED : mark[0] == '+' ? CLI_GREEN : CLI_PLAIN, mark);
        if (length > 1 && terminal->out_is_terminal)
            cli_print_safe(stdout, line + 1, length - 1);
        else if (length > 1)
            (void)fwrite(line + 1, 1, length - 1, stdout);
        (void)fputc('\n', stdout);
        line += length + (line[length] == '\n');
    }
}

static void print_changes(const struct cli_lint_run *run, const struct cli_lint_result *result)
{
    const struct writ_lint_fixes *fixes = &result->fixes;
    if (!run->dry_run || !fixes->before)
        return;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer diff;
    char name[4200];
    writ_buffer_init(&diff, (size_t)8 << 20);
    (void)snprintf(name, sizeof name, "%.4096s%sskill.yaml", result->shown, result->shown[0] ? "/" : "");
    writ_line_diff_print(&diff, name, fixes->before, fixes->before_length, fixes->after, fixes->after_length);
    if (diff.failed)
        (void)printf("(the difference is too long to be shown)\n");
    else
        print_diff(&run->context->terminal, writ_buffer_text(&diff));
}

/* Findings that `--fix` would mend. */
static void count_fixable(const struct cli_lint_run *run, size_t *ret_safe, size_t *ret_unsafe)
{
    *ret_safe = *ret_unsafe = 0;
    for (size_t i = 0; i < run->count; i++)
        for (size_t j = 0; j < run->items[i].report.count; j++) {
            const struct writ_fix *fix = run->items[i].report.items[j].fix;
            *ret_safe += fix && !fix->is_unsafe;
            *ret_unsafe += fix && fix->is_unsafe;
        }
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_hint(const struct cli_lint_run *run)
{
    size_t safe, unsafe;
    count_fixable(run, &safe, &unsafe);
    if (run->context->verbosity <= CLI_QUIET)
        return;
    if (run->fix)
        safe = 0; /* what is left was tried */
    if (run->with_unsafe)
        unsafe = 0;
    if (safe > 0 && unsafe > 0)
        (void)printf("--fix mends %zu of them, --fix --unsafe-fixes %zu more\n", safe, unsafe);
    else if (safe > 0)
        (void)printf("--fix mends %zu of them\n", safe);
    else if (unsafe > 0)
        (void)printf("--fix --unsafe-fixes mends %zu of them; --dry-run shows how\n", unsafe);
}

static void print_summary(const struct cli_lint_run *run)
{
    size_t fixed = 0;
    for (size_t i = 0; i < run->count; i++)
        fixed += run->items[i].fixes.count;
    if (run->fix)
        (void)printf("%zu %s, ", fixed, run->dry_run ? "would be fixed" : "fixed");
    (void)printf("%zu error%s, %zu warning%s", run->error_count, plural(run->error_count), run->warning_count,
                 plural(run->warning_count));
    if (run->count != 1)
        (void)printf(" in %zu skills", run->count);
    (void)printf("\n");
}

void cli_lint_print_text(const struct cli_lint_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct cli_lint_result *result = &run->items[i];
        print_changes(run, result);
        for (size_t j = 0; j < result->fixes.count; j++)
            print_fixed(run, result, &result->fixes.items[j]);
        for (size_t j = 0; j < result->report.count; j++)
            if (result->report.items[j].severity <= run->least)
                print_finding(&run->context->terminal, result, &result->report.items[j]);
        if (result->report.truncated)
            (void)printf("  … and more\n");
    }
    print_summary(run);
    print_hint(run);
}

/* ---- JSON ---- */

static void write_fix(struct writ_json_writer *writer, const struct writ_fix *fix)
{
    writ_json_write_key(writer, "fix");
    if (!fix) {
        writ_json_write_null(writer);
        return;
    }
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "title", fix->title);
    writ_json_write_member_bool(writer, "safe", !fix->is_unsafe);
    if (fix->makes_executable)
        writ_json_write_member_text(writer, "makes_executable", fix->makes_executable);
    writ_json_write_key(writer, "edits");
    writ_json_write_array(writer);
    for (size_t i = 0; i < fix->edit_count; i++) {
        writ_json_write_object(writer);
        writ_json_write_member_integer(writer, "offset", (int64_t)fix->edits[i].offset);
        writ_json_write_member_integer(writer, "length", (int64_t)fix->edits[i].length);
        writ_json_write_key(writer, "text");
        writ_json_write_text_sized(writer, fix->edits[i].text, fix->edits[i].text_length);
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
    writ_json_write_object_end(writer);
}

static void write_findings(struct writ_json_writer *writer, const struct cli_lint_run *run,
                           const struct cli_lint_result *result)
{
    for (size_t i = 0; i < result->report.count; i++) {
        const struct writ_lint_finding *finding = &result->report.items[i];
        if (finding->severity > run->least)
            continue;
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "skill", result->skill->id);
        writ_json_write_member_text(writer, "severity", writ_lint_severity_name(finding->severity));
        writ_json_write_member_text(writer, "rule", finding->rule);
        writ_json_write_member_text(writer, "file", finding->file);
        writ_json_write_member_text(writer, "field", finding->field);
        writ_json_write_member_text(writer, "message", finding->message);
        writ_json_write_member_integer(writer, "line", (int64_t)finding->line);
        writ_json_write_member_integer(writer, "column", (int64_t)finding->column);
        write_fix(writer, finding->fix);
        writ_json_write_object_end(writer);
    }
}

static void write_fixed(struct writ_json_writer *writer, const struct cli_lint_result *result)
{
    for (size_t i = 0; i < result->fixes.count; i++) {
        const struct writ_lint_fixed *fixed = &result->fixes.items[i];
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "skill", result->skill->id);
        writ_json_write_member_text(writer, "rule", fixed->rule);
        writ_json_write_member_text(writer, "field", fixed->field);
        writ_json_write_member_text(writer, "title", fixed->title);
        writ_json_write_member_bool(writer, "safe", !fixed->is_unsafe);
        writ_json_write_member_integer(writer, "line", (int64_t)fixed->line);
        writ_json_write_member_integer(writer, "column", (int64_t)fixed->column);
        writ_json_write_object_end(writer);
    }
}

static void write_skills(struct writ_json_writer *writer, const struct cli_lint_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct cli_lint_result *result = &run->items[i];
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "id", result->skill->id);
        writ_json_write_member_text(writer, "folder", result->skill->folder);
        writ_json_write_member_integer(writer, "errors", (int64_t)result->report.error_count);
        writ_json_write_member_integer(writer, "warnings", (int64_t)result->report.warning_count);
        writ_json_write_member_bool(writer, "truncated", result->report.truncated);
        writ_json_write_object_end(writer);
    }
}

void cli_lint_print_json(const struct cli_lint_run *run, struct writ_buffer *out)
{
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "skills");
    writ_json_write_array(&writer);
    write_skills(&writer, run);
    writ_json_write_array_end(&writer);
    writ_json_write_key(&writer, "findings");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < run->count; i++)
        write_findings(&writer, run, &run->items[i]);
    writ_json_write_array_end(&writer);
    if (run->fix) {
        writ_json_write_key(&writer, run->dry_run ? "would_fix" : "fixed");
        writ_json_write_array(&writer);
        for (size_t i = 0; i < run->count; i++)
            write_fixed(&writer, &run->items[i]);
        writ_json_write_array_end(&writer);
    }
    writ_json_write_member_integer(&writer, "errors", (int64_t)run->error_count);
    writ_json_write_member_integer(&writer, "warnings", (int64_t)run->warning_count);
    writ_json_write_object_end(&writer);
}

/* ---- the rules ---- */

void cli_lint_print_rules(const struct cli_terminal *terminal)
{
    for (size_t i = 0; i < WRIT_LINT_RULE_COUNT; i++) {
        const struct writ_lint_rule *rule = writ_lint_rule((enum writ_lint_rule_id)i);
        const char *severity = writ_lint_severity_name(rule->severity);
        cli_print_styled(terminal, stdout, style_of(rule->severity), severity);
        (void)printf("%*s%-26s%-8s", 9 - (int)strlen(severity), "", rule->name,
                     strcmp(rule->fix, "never") == 0 ? "" : rule->fix);
        cli_print_hanging(stdout, rule->summary, 43, terminal->width);
    }
}

void cli_lint_print_rules_json(struct writ_buffer *out)
{
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "rules");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < WRIT_LINT_RULE_COUNT; i++) {
        const struct writ_lint_rule *rule = writ_lint_rule((enum writ_lint_rule_id)i);
        writ_json_write_object(&writer);
        writ_json_write_member_text(&writer, "name", rule->name);
        writ_json_write_member_text(&writer, "severity", writ_lint_severity_name(rule->severity));
        writ_json_write_member_text(&writer, "fix", rule->fix);
        writ_json_write_member_text(&writer, "summary", rule->summary);
        writ_json_write_member_text(&writer, "help", rule->help);
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
}
