/* The table of rules, and how findings are added to a report. */
#include "skill/lint_rules.h"

#include "skill/cut.h"

#include <stdarg.h>

static const struct writ_lint_rule rules[] = {
#define X(id, name, severity, fix, summary, help) {name, WRIT_LINT_##severity, fix, summary, help},
    WRIT_LINT_RULES(X)
#undef X
};

const struct writ_lint_rule *writ_lint_rule(enum writ_lint_rule_id id)
{
    return &rules[id];
}

const char *writ_lint_severity_name(enum writ_lint_severity severity)
{
    static const char *const names[] = {"unknown", "error", "warning", "note"};
    return severity >= WRIT_LINT_ERROR && severity <= WRIT_LINT_NOTE ? names[severity] : names[0];
}

void writ_lint_report_clear(struct writ_lint_report *report)
{
    writ_arena_clear(&report->arena);
    *report = (struct writ_lint_report){0};
}

void lint_add_at(struct lint *lint, enum writ_lint_rule_id id, uint32_t line, uint32_t column, const char *field,
                 const char *message)
{
    struct writ_lint_report *report = lint->report;
    const struct writ_lint_rule *rule = &rules[id];
    lint->last = NULL;
    /* Counted even when there is no room: a report that is cut must not look clean. */
    report->error_count += rule->severity == WRIT_LINT_ERROR;
    report->warning_count += rule->severity == WRIT_LINT_WARNING;
    if (report->count == WRIT_LINT_FINDINGS_MAX) {
        report->truncated = true;
        return;
    }
    if (!report->items)
        report->items = writ_arena_zalloc(&report->arena, WRIT_LINT_FINDINGS_MAX, sizeof *report->items);
    const char *field_copy = writ_arena_copy(&report->arena, field, strlen(field));
    const char *message_copy = writ_arena_copy(&report->arena, message, strlen(message));
    const char *file_copy = writ_arena_copy(&report->arena, lint->file, strlen(lint->file));
    if (!report->items || !field_copy || !message_copy || !file_copy) {
        lint->out_of_memory = true;
        return;
    }
    lint->last = &report->items[report->count++];
    *lint->last = (struct writ_lint_finding){.rule_id = id,
                                             .rule = rule->name,
                                             .severity = rule->severity,
                                             .file = file_copy,
                                             .line = line,
                                             .column = column,
                                             .field = field_copy,
                                             .message = message_copy};
}

void lint_add(struct lint *lint, enum writ_lint_rule_id id, const struct writ_json *node, const char *field,
              const char *format, ...)
{
    char message[WRIT_ERROR_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    message[cut(message, sizeof message - 2)] = '\0';
    va_end(arguments);
    struct writ_yaml_place place = {0, 0};
    if (node)
        place = writ_yaml_place_of(lint->yaml, node);
    lint_add_at(lint, id, place.line, place.column, field, message);
    /* A finding about a whole map or list is about its head: the rest of it is no place to look at. */
    if (node && lint->last && lint->yaml == lint->editor.yaml && !writ_json_is_container(node)) {
        struct writ_yaml_span span = writ_yaml_span_of(lint->yaml, node);
        lint->last->offset = span.offset;
        lint->last->length = span.length;
    }
}
