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

static void write_member(struct writ_json_writer *writer, const char *key, const char *text)
{
    writ_json_write_key(writer, key);
    writ_json_write_text(writer, text);
}

static void write_number(struct writ_json_writer *writer, const char *key, size_t number)
{
    writ_json_write_key(writer, key);
    writ_json_write_integer(writer, (int64_t)number);
}

static void write_fix(struct writ_json_writer *writer, const struct writ_fix *fix)
{
    writ_json_write_key(writer, "fix");
    if (!fix) {
        writ_json_write_null(writer);
        return;
    }
    writ_json_write_object(writer);
    write_member(writer, "title", fix->title);
    writ_json_write_key(writer, "safe");
    writ_json_write_bool(writer, !fix->is_unsafe);
    if (fix->makes_executable)
        write_member(writer, "makes_executable", fix->makes_executable);
    writ_json_write_key(writer, "edits");
    writ_json_write_array(writer);
    for (size_t i = 0; i < fix->edit_count; i++) {
        writ_json_write_object(writer);
        write_number(writer, "offset", fix->edits[i].offset);
        write_number(writer, "length", fix->edits[i].length);
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
        write_member(writer, "skill", result->skill->id);
        write_member(writer, "severity", writ_lint_severity_name(finding->severity));
        write_member(writer, "rule", finding->rule);
        write_member(writer, "file", finding->file);
        write_member(writer, "field", finding->field);
        write_member(writer, "message", finding->message);
        write_number(writer, "line", finding->line);
        write_number(writer, "column", finding->column);
        write_fix(writer, finding->fix);
        writ_json_write_object_end(writer);
    }
}

static void write_fixed(struct writ_json_writer *writer, const struct cli_lint_result *result)
{
    for (size_t i = 0; i < result->fixes.count; i++) {
        const struct writ_lint_fixed *fixed = &result->fixes.items[i];
        writ_json_write_object(writer);
        write_member(writer, "skill", result->skill->id);
        write_member(writer, "rule", fixed->rule);
        write_member(writer, "field", fixed->field);
        write_member(writer, "title", fixed->title);
        writ_json_write_key(writer, "safe");
        writ_json_write_bool(writer, !fixed->is_unsafe);
        write_number(writer, "line", fixed->line);
        write_number(writer, "column", fixed->column);
        writ_json_write_object_end(writer);
    }
}

static void write_skills(struct writ_json_writer *writer, const struct cli_lint_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct cli_lint_result *result = &run->items[i];
        writ_json_write_object(writer);
        write_member(writer, "id", result->skill->id);
        write_member(writer, "folder", result->skill->folder);
        write_number(writer, "errors", result->report.error_count);
        write_number(writer, "warnings", result->report.warning_count);
        writ_json_write_key(writer, "truncated");
        writ_json_write_bool(writer, result->report.truncated);
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
    write_number(&writer, "errors", run->error_count);
    write_number(&writer, "warnings", run->warning_count);
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
        write_member(&writer, "name", rule->name);
        write_member(&writer, "severity", writ_lint_severity_name(rule->severity));
        write_member(&writer, "fix", rule->fix);
        write_member(&writer, "summary", rule->summary);
        write_member(&writer, "help", rule->help);
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
}
