/*
 * JSON Schema: the input is a JSON array of a schema and documents.  The verdict of the instructions and that of the
 * fault finder, which share no code beyond the graph, are the same; every fault's place exists and its sentence is
 * UTF-8; a refused schema says so in UTF-8.
 */
#include "base/text.h"
#include "data/json_pointer.h"
#include "data/schema_explain.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_text(const char *text)
{
    demand(text && writ_utf8_is_valid(text, strlen(text)));
}

/* A fault that says the search was given up has no keyword. */
static bool was_given_up(const struct writ_schema_faults *faults)
{
    return faults->count > 0 && faults->items[faults->count - 1].keyword[0] == '\0';
}

static void check_faults(const struct writ_schema_faults *faults, const struct writ_json *document,
                         const struct writ_json *schema)
{
    for (size_t i = 0; i < faults->count; i++) {
        const struct writ_schema_fault *fault = &faults->items[i];
        demand_text(fault->instance_pointer);
        demand_text(fault->schema_pointer);
        demand_text(fault->message);
        /* A pointer with a NUL inside is cut, and one into another document has a URI before it. */
        if (memchr(fault->schema_pointer, '#', strlen(fault->schema_pointer)) == NULL &&
            !writ_json_pointer_get(schema, fault->schema_pointer, strlen(fault->schema_pointer)))
            demand(strlen(fault->schema_pointer) > 0);
        if (!writ_json_pointer_get(document, fault->instance_pointer, strlen(fault->instance_pointer)))
            demand(strlen(fault->instance_pointer) > 0);
    }
}

static void check_document(const struct writ_schema *schema, const struct writ_json *schema_json,
                           const struct writ_json *document)
{
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema_faults walked, explained;
    writ_arena_init(&arena, (size_t)256 << 20);
    struct check check = {.program = &schema->program, .steps = writ_schema_steps(document)};
    bool valid = writ_schema_run(&check, document);
    demand(valid == writ_schema_check(schema, document));
    demand(writ_schema_find_faults(schema, document, 0, &arena, &walked, &error) == 0);
    demand(writ_schema_explain(schema, document, 0, &arena, &explained, &error) == 0);
    if (check.stop == CHECK_GOES_ON && !was_given_up(&walked))
        demand(valid == (walked.count == 0));
    demand(valid == (explained.count == 0) || check.stop != CHECK_GOES_ON || was_given_up(&walked));
    check_faults(&walked, document, schema_json);
    writ_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *root;
    struct writ_schema *schema;
    writ_arena_init(&arena, (size_t)64 << 20);
    if (length <= 65536 && writ_json_parse(&arena, (const char *)bytes, length, &root, &error) == 0 &&
        root->kind == WRIT_JSON_ARRAY && root->length > 0) {
        struct writ_schema_options options = {.assert_format = root->length % 2};
        const struct writ_json *first = root + 1;
        if (writ_schema_compile(first, &options, &schema, &error) == 0) {
            for (const struct writ_json *at = writ_json_next(first); at < root + root->skip; at = writ_json_next(at))
                check_document(schema, first, at);
            writ_schema_free(schema);
        } else {
            demand(error.code == WRIT_SCHEMA_INVALID);
            demand_text(error.message);
        }
    }
    writ_arena_clear(&arena);
    return 0;
}
