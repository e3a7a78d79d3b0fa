#include "cli/audit_rows.h"

#include "audit/audit.h"
#include "data/quantity.h"

#include <string.h>

#define ROWS_ARENA_BYTES_MAX ((size_t)64 << 20)
#define RUN_DIGITS_SHOWN 12
#define MEMBER_COLUMNS 18

/* When, outcome, how long, which run, skill, class of the error. */
static const struct cli_column gathered_columns[] = {
    {.least = 0}, {.least = 0}, {.is_right = true}, {.least = 0}, {.least = 16, .cut_front = true}, {.least = 0}};
static const struct cli_column streamed_columns[] = {
    {.wide = 12}, {.wide = 9}, {.is_right = true, .wide = 8}, {.wide = RUN_DIGITS_SHOWN}, {.wide = 30}, {.least = 0}};

void cli_audit_rows_init(struct cli_audit_rows *rows, const struct cli_context *context, bool gathers, bool whole)
{
    *rows = (struct cli_audit_rows){.terminal = &context->terminal, .gathers = gathers, .whole = whole};
    cli_clock_init(&rows->clock, context);
    cli_table_init(&rows->table, gathers ? gathered_columns : streamed_columns, WRIT_COUNT(gathered_columns));
    writ_arena_init(&rows->arena, ROWS_ARENA_BYTES_MAX);
}

void cli_audit_rows_clear(struct cli_audit_rows *rows)
{
    cli_table_clear(&rows->table);
    writ_arena_clear(&rows->arena);
}

static void add_cell(struct cli_audit_rows *rows, const char *text, size_t bytes_max, enum cli_style style)
{
    const char *copy = writ_arena_copy(&rows->arena, text, strnlen(text, bytes_max));
    rows->table.out_of_memory = rows->table.out_of_memory || !copy;
    cli_table_add(&rows->table, copy, style);
}

/* `-` for what never ran. */
static void print_duration(struct writ_buffer *out, const struct writ_json *microseconds)
{
    int64_t value = 0;
    if (microseconds && writ_json_is_number(microseconds))
        (void)!writ_json_int64(microseconds, &value);
    if (value <= 0)
        writ_buffer_append_text(out, "-");
    else
        cli_duration_print(out, (uint64_t)value);
}

static void add_row(struct cli_audit_rows *rows, const struct writ_json *begin, const struct writ_json *end)
{
    char when[CLI_WHEN_BYTES];
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 1024);
    const char *outcome = writ_json_text_or(end, "outcome", "unknown");
    cli_when_print(&rows->clock, writ_json_text_or(begin, "time", "-"), when);
    add_cell(rows, when, sizeof when, CLI_PLAIN);
    add_cell(rows, outcome, 16,
             strcmp(outcome, "succeeded") == 0 ? CLI_GREEN
             : strcmp(outcome, "failed") == 0  ? CLI_RED
                                               : CLI_YELLOW);
    print_duration(&text, writ_json_get(end, "duration_us"));
    add_cell(rows, writ_buffer_text(&text), 32, CLI_PLAIN);
    add_cell(rows, writ_json_text_or(begin, "run", "-"), RUN_DIGITS_SHOWN, CLI_DIM);
    writ_buffer_clear(&text);
    writ_buffer_init(&text, 1024);
    writ_buffer_append_text(&text, writ_json_text_or(begin, "skill", "-"));
    if (writ_json_text_or(begin, "version", "")[0])
        writ_buffer_printf(&text, "@%s", writ_json_text_or(begin, "version", ""));
    add_cell(rows, writ_buffer_text(&text), 512, CLI_PLAIN);
    /* A call without an end has the class that says so. */
    const char *class_name = end ? writ_json_text_or(end, "class", "") : writ_code_class(WRIT_ENDING_UNKNOWN);
    add_cell(rows, class_name, 64, CLI_PLAIN);
}

/* `duration_us` and `memory_peak_bytes` without the unit, which stands beside the value. */
static void print_label(const char *key, char ret_label[MEMBER_COLUMNS + 1])
{
    size_t length = strlen(key);
    if (length > 3 && strcmp(key + length - 3, "_us") == 0)
        length -= 3;
    else if (length > 6 && strcmp(key + length - 6, "_bytes") == 0)
        length -= 6;
    (void)snprintf(ret_label, MEMBER_COLUMNS + 1, "%.*s", (int)length, key);
}

/* Members that hold amounts, for people; all others as they are. */
static void print_value(struct cli_audit_rows *rows, const char *key, const struct writ_json *value,
                        struct writ_buffer *out)
{
    size_t length = strlen(key);
    int64_t amount;
    bool is_amount = value->kind == WRIT_JSON_INTEGER && writ_json_int64(value, &amount) && amount >= 0;
    if (is_amount && length > 3 && strcmp(key + length - 3, "_us") == 0) {
        print_duration(out, value);
    } else if (is_amount && length > 6 && strcmp(key + length - 6, "_bytes") == 0) {
        writ_size_print(out, (uint64_t)amount);
    } else if (value->kind == WRIT_JSON_STRING && strcmp(key, "time") == 0) {
        char when[CLI_WHEN_BYTES];
        cli_when_print(&rows->clock, value->text, when);
        writ_buffer_printf(out, "%s (%.32s)", when, value->text);
    } else if (value->kind == WRIT_JSON_STRING) {
        writ_buffer_append(out, value->text, value->length);
    } else {
        writ_json_print(out, value, WRIT_JSON_COMPACT);
    }
}

/* Every member of one record, a line each. */
static void print_whole(struct cli_audit_rows *rows, const struct writ_json *record)
{
    WRIT_JSON_EACH_MEMBER(key, record)
    {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        writ_buffer_init(&text, WRIT_AUDIT_RECORD_BYTES_MAX * 2);
        print_value(rows, key->text, key + 1, &text);
        char label[MEMBER_COLUMNS + 1];
        print_label(key->text, label);
        (void)printf("  ");
        cli_print_cut(stdout, label, 0, MEMBER_COLUMNS);
        (void)putchar(' ');
        cli_print_safe_line(stdout, writ_buffer_text(&text), text.length);
        (void)putchar('\n');
    }
}

void cli_audit_rows_add(struct cli_audit_rows *rows, const char *begin_line, const char *end_line)
{
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *begin = NULL, *end = NULL;
    writ_arena_init(&arena, (size_t)8 << 20);
    if (writ_json_parse(&arena, begin_line, strlen(begin_line), &begin, &error) < 0 ||
        (end_line && writ_json_parse(&arena, end_line, strlen(end_line), &end, &error) < 0))
        return;
    rows->count++;
    add_row(rows, begin, end);
    if (rows->gathers)
        return;
    (void)!cli_table_print(rows->terminal, stdout, &rows->table);
    rows->table.cell_count = 0;
    rows->table.out_of_memory = false;
    writ_arena_clear(&rows->arena);
    if (rows->whole) {
        print_whole(rows, begin);
        if (end)
            print_whole(rows, end);
    }
}

int cli_audit_rows_print(struct cli_audit_rows *rows, struct writ_error *error)
{
    bool printed = !rows->gathers || cli_table_print(rows->terminal, stdout, &rows->table);
    rows->table.cell_count = 0;
    return printed ? 0 : writ_error_memory(error);
}
