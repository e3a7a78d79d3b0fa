/* What the schema tests share: one schema, one document, the faults that are expected.  The verdict of the instructions
 * and that of the fault finder are held together in each. */
#ifndef WRIT_TESTS_SCHEMA_CASE_H
#define WRIT_TESTS_SCHEMA_CASE_H

#include "data/schema_explain.h"
#include "support.h"

#include <string.h>

struct schema_case {
    const char *schema, *document;
    /* Each fault as `instance-pointer schema-pointer keyword` with `.` for an empty pointer, joined by `; `;
     * NULL: the document is valid. */
    const char *faults;
};

static inline const struct writ_json *case_parse(struct writ_arena *arena, const char *text)
{
    struct writ_error error;
    const struct writ_json *root;
    if (writ_json_parse(arena, text, strlen(text), &root, &error))
        fail_msg("%s: %u:%u: %s", text, error.line, error.column, error.message);
    return root;
}

static inline const char *case_or_dot(const char *pointer)
{
    return *pointer ? pointer : ".";
}

static inline void case_list(struct writ_buffer *out, const struct writ_schema_faults *faults)
{
    for (size_t i = 0; i < faults->count; i++)
        writ_buffer_printf(out, "%s%s %s %s", i ? "; " : "", case_or_dot(faults->items[i].instance_pointer),
                           case_or_dot(faults->items[i].schema_pointer), faults->items[i].keyword);
}

static inline void case_run(const struct schema_case *row, const struct writ_schema_options *options)
{
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema *schema;
    struct writ_schema_faults faults, walked;
    struct writ_buffer text;
    writ_arena_init(&arena, (size_t)64 << 20);
    writ_buffer_init(&text, 1 << 20);
    const struct writ_json *schema_json = case_parse(&arena, row->schema),
                           *document = case_parse(&arena, row->document);
    if (writ_schema_compile(schema_json, options, &schema, &error))
        fail_msg("%s: not compiled: %s: %s", row->schema, error.subject, error.message);
    bool valid = writ_schema_check(schema, document);
    assert_int_equal(writ_schema_explain(schema, document, 0, &arena, &faults, &error), 0);
    assert_int_equal(writ_schema_find_faults(schema, document, 0, &arena, &walked, &error), 0);
    if (valid != (faults.count == 0) || valid != (walked.count == 0))
        fail_msg("%s on %s: the check says %s, explain %zu faults, the fault finder %zu", row->schema, row->document,
                 valid ? "valid" : "invalid", faults.count, walked.count);
    case_list(&text, &faults);
    if (strcmp(writ_buffer_text(&text), row->faults ? row->faults : "") != 0)
        fail_msg("%s on %s:\n  expected %s\n  found    %s", row->schema, row->document,
                 row->faults ? row->faults : "nothing", writ_buffer_text(&text));
    for (size_t i = 0; i < faults.count; i++)
        assert_true(strlen(faults.items[i].message) > 10);
    writ_buffer_clear(&text);
    writ_schema_free(schema);
    writ_arena_clear(&arena);
}

static inline void case_run_all(const struct schema_case *rows, size_t count, const struct writ_schema_options *options)
{
    for (size_t i = 0; i < count; i++)
        case_run(&rows[i], options);
}

/* The schema must be refused at `pointer` with a message that holds `says`. */
static inline void case_refused(const char *schema_text, const struct writ_schema_options *options, const char *pointer,
                                const char *says)
{
    struct writ_arena arena;
    struct writ_error error = {0};
    struct writ_schema *schema = NULL;
    writ_arena_init(&arena, (size_t)64 << 20);
    int result = writ_schema_compile(case_parse(&arena, schema_text), options, &schema, &error);
    if (result != WRIT_SCHEMA_INVALID || strcmp(error.subject, pointer) != 0 || !strstr(error.message, says) || schema)
        fail_msg("%s: result %d at `%s`, expected `%s` and `%s`: %s", schema_text, result, error.subject, pointer, says,
                 error.message);
    writ_arena_clear(&arena);
}

#endif
