/* Schemas and documents that were made to cost time, memory or stack: each ends within its count of steps and says so.
 * Steps are counted, never clocks. */
#include "schema_case.h"

#define ARENA_BYTES ((size_t)512 << 20)

struct trial {
    struct writ_arena arena;
    struct writ_schema *schema;
    struct writ_error error;
    int compiled;
    bool valid;
    int64_t steps;
    enum check_stop stop;
    struct writ_schema_faults faults;
};

static void run(struct trial *trial, const char *schema, const char *document)
{
    memset(trial, 0, sizeof(*trial));
    writ_arena_init(&trial->arena, ARENA_BYTES);
    trial->compiled = writ_schema_compile(case_parse(&trial->arena, schema), NULL, &trial->schema, &trial->error);
    if (trial->compiled)
        return;
    const struct writ_json *instance = case_parse(&trial->arena, document);
    int64_t budget = writ_schema_steps(instance);
    struct check check = {.program = &trial->schema->program, .steps = budget};
    trial->valid = writ_schema_run(&check, instance);
    trial->steps = check.stop == CHECK_GOES_ON ? budget - check.steps : budget;
    trial->stop = check.stop;
    assert_int_equal(trial->valid, writ_schema_check(trial->schema, instance));
    assert_int_equal(writ_schema_explain(trial->schema, instance, 0, &trial->arena, &trial->faults, &trial->error), 0);
    assert_int_equal(trial->faults.count == 0, trial->valid);
}

static void end(struct trial *trial)
{
    writ_schema_free(trial->schema);
    writ_arena_clear(&trial->arena);
}

/* d0 holds d1 twice under `keyword`, d1 holds d2 twice, ... */
static void write_doubling(struct writ_buffer *text, const char *keyword, int depth, const char *innermost)
{
    writ_buffer_printf(text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{\"d%d\":%s", depth, innermost);
    for (int i = 0; i < depth; i++)
        writ_buffer_printf(text, ",\"d%d\":{\"%s\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}", i,
                           keyword, i + 1, i + 1);
    writ_buffer_append_text(text, "}}");
}

static void doubled_references_cost_nothing_unconditionally(void **state)
{
    (void)state;
    struct writ_buffer text;
    struct trial trial;
    writ_buffer_init(&text, 1 << 20);
    write_doubling(&text, "allOf", 60, "{\"type\":\"integer\"}");
    run(&trial, text.data, "1");
    assert_int_equal(trial.compiled, 0);
    assert_true(trial.valid);
    assert_true(trial.steps < 100);
    end(&trial);
    writ_buffer_clear(&text);
}

static void doubled_branches_stop_after_their_steps(void **state)
{
    (void)state;
    static const char *const keywords[] = {"anyOf", "oneOf"};
    for (size_t i = 0; i < WRIT_COUNT(keywords); i++) {
        struct writ_buffer text;
        struct trial trial;
        writ_buffer_init(&text, 1 << 20);
        write_doubling(&text, keywords[i], 60, "{\"minimum\":5,\"multipleOf\":7}");
        run(&trial, text.data, "1");
        assert_int_equal(trial.compiled, 0);
        assert_false(trial.valid);
        assert_int_equal(trial.stop, CHECK_STEPS_SPENT);
        assert_non_null(strstr(trial.faults.items[trial.faults.count - 1].message, "too complex"));
        end(&trial);
        writ_buffer_clear(&text);
    }
}

/* Each level checks the same member through both branches: doubling with the depth of the document. */
static void doubling_with_the_depth_of_the_document_stops(void **state)
{
    (void)state;
    struct writ_buffer document;
    struct trial trial;
    writ_buffer_init(&document, 1 << 16);
    for (int i = 0; i < 100; i++)
        writ_buffer_append_text(&document, "{\"a\":");
    writ_buffer_append_text(&document, "1");
    for (int i = 0; i < 100; i++)
        writ_buffer_append_byte(&document, '}');
    run(&trial,
        "{\"anyOf\":[{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"minProperties\":9,\"type\":\"object\"},"
        "{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"type\":\"object\",\"required\":[\"b\"]}]}",
        document.data);
    assert_false(trial.valid);
    end(&trial);
    writ_buffer_clear(&document);
}

/* unevaluated* over branches is one pass, not one more for every level. */
static void nested_unevaluated_is_linear(void **state)
{
    (void)state;
    struct writ_buffer document;
    struct trial trial;
    writ_buffer_init(&document, 1 << 16);
    for (int i = 0; i < 100; i++)
        writ_buffer_append_text(&document, "{\"k\":1,\"a\":");
    writ_buffer_append_text(&document, "{}");
    for (int i = 0; i < 100; i++)
        writ_buffer_append_byte(&document, '}');
    run(&trial,
        "{\"anyOf\":[{\"properties\":{\"k\":{\"const\":1},\"a\":{\"$ref\":\"#\"}}},{\"required\":[\"z\"],"
        "\"properties\":{\"z\":"
        "true}}],\"unevaluatedProperties\":false}",
        document.data);
    assert_int_equal(trial.compiled, 0);
    assert_true(trial.valid);
    assert_true(trial.steps < 5000);
    end(&trial);
    writ_buffer_clear(&document);
}

static void a_long_chain_of_branches_is_too_deep(void **state)
{
    (void)state;
    struct writ_buffer text;
    struct trial trial;
    writ_buffer_init(&text, (size_t)4 << 20);
    writ_buffer_append_text(&text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{\"d20000\":{\"minimum\":1}");
    for (int i = 0; i < 20000; i++)
        writ_buffer_printf(&text, ",\"d%d\":{\"anyOf\":[{\"$ref\":\"#/$defs/d%d\"},false]}", i, i + 1);
    writ_buffer_append_text(&text, "}}");
    run(&trial, text.data, "1");
    assert_int_equal(trial.compiled, 0);
    assert_false(trial.valid);
    assert_int_equal(trial.stop, CHECK_TOO_DEEP);
    assert_non_null(strstr(trial.faults.items[trial.faults.count - 1].message, "1024"));
    end(&trial);
    writ_buffer_clear(&text);
}

static void a_long_chain_of_references_is_followed(void **state)
{
    (void)state;
    struct writ_buffer text;
    struct trial trial;
    writ_buffer_init(&text, (size_t)4 << 20);
    writ_buffer_append_text(&text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{\"d500\":{\"minimum\":1}");
    for (int i = 0; i < 500; i++)
        writ_buffer_printf(&text, ",\"d%d\":{\"$ref\":\"#/$defs/d%d\"}", i, i + 1);
    writ_buffer_append_text(&text, "}}");
    run(&trial, text.data, "1");
    assert_int_equal(trial.compiled, 0);
    assert_true(trial.valid);
    end(&trial);
    writ_buffer_clear(&text);
}

/* Few schemas with many properties, applied together in many ways: every way needs its own table. */
static void code_that_would_grow_without_bound_is_refused(void **state)
{
    (void)state;
    struct writ_buffer text;
    struct trial trial;
    writ_buffer_init(&text, (size_t)16 << 20);
    writ_buffer_append_text(&text, "{\"properties\":{");
    for (int i = 0; i < 400; i++) {
        writ_buffer_printf(&text, "%s\"p%d\":{\"minimum\":%d,\"allOf\":[", i ? "," : "", i, i);
        for (int k = 0; k < 60; k++)
            writ_buffer_printf(&text, "%s{\"$ref\":\"#/$defs/c%d\"}", k ? "," : "", k);
        writ_buffer_append_text(&text, "]}");
    }
    writ_buffer_append_text(&text, "},\"$defs\":{");
    for (int k = 0; k < 60; k++) {
        writ_buffer_printf(&text, "%s\"c%d\":{\"properties\":{", k ? "," : "", k);
        for (int i = 0; i < 60; i++)
            writ_buffer_printf(&text, "%s\"q%d_%d\":{}", i ? "," : "", k, i);
        writ_buffer_append_text(&text, "}}");
    }
    writ_buffer_append_text(&text, "}}");
    run(&trial, text.data, "1");
    assert_int_equal(trial.compiled, WRIT_SCHEMA_INVALID);
    assert_non_null(strstr(trial.error.message, "make it "));
    end(&trial);
    writ_buffer_clear(&text);
}

static void too_many_conditions_on_one_value_are_refused(void **state)
{
    (void)state;
    struct writ_buffer text;
    struct trial trial;
    writ_buffer_init(&text, 1 << 20);
    writ_buffer_append_text(&text, "{\"allOf\":[");
    for (int i = 0; i < 200; i++)
        writ_buffer_printf(&text, "%s{\"minimum\":%d}", i ? "," : "", i);
    writ_buffer_append_text(&text, "]}");
    run(&trial, text.data, "1");
    assert_int_equal(trial.compiled, WRIT_SCHEMA_INVALID);
    end(&trial);
    writ_buffer_clear(&text);
    writ_buffer_append_text(&text, "{\"patternProperties\":{");
    for (int i = 0; i < 300; i++)
        writ_buffer_printf(&text, "%s\"^x%d\":{}", i ? "," : "", i);
    writ_buffer_append_text(&text, "}}");
    run(&trial, text.data, "1");
    assert_int_equal(trial.compiled, WRIT_SCHEMA_INVALID);
    end(&trial);
    writ_buffer_clear(&text);
}

static void hostile_patterns_end(void **state)
{
    (void)state;
    struct trial trial;
    static const char document[] = "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"";
    /* On an automaton: no cost at all. */
    run(&trial, "{\"pattern\":\"^(a|aa)+$\"}", document);
    assert_false(trial.valid);
    assert_int_equal(trial.stop, CHECK_GOES_ON);
    assert_true(trial.steps < 100);
    end(&trial);
    /* A back reference cannot run there: the match limit ends it. */
    run(&trial, "{\"pattern\":\"^(a|aa)+\\\\1$\"}", document);
    assert_false(trial.valid);
    assert_int_equal(trial.stop, CHECK_PATTERN_TOO_COSTLY);
    assert_non_null(strstr(trial.faults.items[0].message, "takes too long"));
    end(&trial);
    run(&trial, "{\"not\":{\"pattern\":\"^(a|aa)+\\\\1$\"}}", document);
    assert_false(trial.valid);
    end(&trial);
    run(&trial, "{\"patternProperties\":{\"^(a|aa)+\\\\1$\":true}}",
        "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\":1}");
    assert_false(trial.valid);
    end(&trial);
}

/* Each reference once through all definitions before its own would be 200,000,000 names looked at. */
static void many_references_through_one_object_are_followed(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    struct writ_buffer schema;
    struct trial trial;
    writ_buffer_init(&schema, (size_t)16 << 20);
    writ_buffer_append_text(&schema, "{\"properties\":{");
    for (unsigned i = 0; i < COUNT; i++)
        writ_buffer_printf(&schema, "\"p%u\":{\"$ref\":\"#/$defs/x%u\"},", i, i);
    writ_buffer_append_text(&schema, "\"slash\":{\"$ref\":\"#/$defs/a~1b\"},\"deep\":{\"$ref\":\"#/$defs/x7/not\"}},"
                                     "\"$defs\":{\"a/b\":{\"const\":\"slash\"}");
    for (unsigned i = 0; i < COUNT; i++)
        writ_buffer_printf(&schema, ",\"x%u\":{\"type\":\"integer\",\"not\":{\"const\":%u}}", i, i);
    writ_buffer_append_text(&schema, "}}");
    run(&trial, schema.data, "{\"p7\":8,\"p19999\":1,\"slash\":\"slash\",\"deep\":7}");
    assert_true(trial.valid);
    end(&trial);
    run(&trial, schema.data, "{\"p7\":7,\"p19999\":19999,\"slash\":1,\"deep\":8}");
    assert_int_equal(trial.faults.count, 4);
    end(&trial);
    *strstr(schema.data, "$defs/x1999") = '#';
    run(&trial, schema.data, "1");
    assert_int_equal(trial.compiled, WRIT_SCHEMA_INVALID);
    end(&trial);
    writ_buffer_clear(&schema);
}

static void repeat_items(struct writ_buffer *document, unsigned count, const char *item)
{
    writ_buffer_clear(document);
    writ_buffer_init(document, (size_t)8 << 20);
    for (unsigned i = 0; i < count; i++)
        writ_buffer_printf(document, "%c%s", i ? ',' : '[', item);
    writ_buffer_append_byte(document, ']');
}

/* What costs more than a step is counted as more: each of these took seconds to minutes while it was one. */
static void costly_steps_count_for_more(void **state)
{
    (void)state;
    struct writ_buffer schema, document;
    struct trial trial;
    writ_buffer_init(&document, 1);
    /* Searches that end just below PCRE2's limit. */
    repeat_items(&document, 4000, "\"aaaaaaaaaaaaaaaaaaaaaab\"");
    run(&trial, "{\"items\":{\"not\":{\"pattern\":\"^(?=a)(a|aa)+$\"}}}", document.data);
    assert_int_equal(trial.stop, CHECK_PATTERN_TOO_COSTLY);
    end(&trial);
    repeat_items(&document, 20000, "\"abc-d\"");
    run(&trial, "{\"items\":{\"pattern\":\"^(?!-)[a-z-]+$\"}}", document.data);
    assert_true(trial.valid);
    end(&trial);
    /* Characters counted once for each branch. */
    writ_buffer_init(&schema, 1 << 20);
    write_doubling(&schema, "anyOf", 18, "{\"maxLength\":5}");
    writ_buffer_clear(&document);
    writ_buffer_init(&document, (size_t)1 << 20);
    writ_buffer_append_byte(&document, '"');
    for (int i = 0; i < 100000; i++)
        writ_buffer_append_text(&document, "\u4e2d");
    writ_buffer_append_byte(&document, '"');
    run(&trial, schema.data, document.data);
    assert_int_equal(trial.stop, CHECK_STEPS_SPENT);
    end(&trial);
    /* Long division. */
    repeat_items(&document, 3000, "1e999999");
    writ_buffer_clear(&schema);
    writ_buffer_init(&schema, 1 << 20);
    writ_buffer_append_text(&schema, "{\"items\":{\"not\":{\"multipleOf\":");
    for (int i = 0; i < 4000; i++)
        writ_buffer_append_byte(&schema, '7');
    writ_buffer_append_text(&schema, "}}}");
    run(&trial, schema.data, document.data);
    assert_int_equal(trial.stop, CHECK_STEPS_SPENT);
    end(&trial);
    writ_buffer_clear(&schema);
    writ_buffer_init(&schema, 1 << 20);
    writ_buffer_append_text(&schema, "{\"maximum\":");
    for (int i = 0; i < 5000; i++)
        writ_buffer_append_byte(&schema, '7');
    writ_buffer_append_byte(&schema, '}');
    run(&trial, schema.data, "1");
    assert_int_equal(trial.compiled, WRIT_SCHEMA_INVALID);
    assert_non_null(strstr(trial.error.message, "of at most 4096"));
    end(&trial);
    writ_buffer_clear(&schema);
    writ_buffer_clear(&document);
}

static void large_arrays_of_unique_items_are_linear_enough(void **state)
{
    (void)state;
    struct writ_buffer text;
    struct trial trial;
    writ_buffer_init(&text, (size_t)16 << 20);
    for (int i = 0; i < 60000; i++)
        writ_buffer_printf(&text, "%c%d", i ? ',' : '[', i);
    writ_buffer_append_byte(&text, ']');
    run(&trial, "{\"uniqueItems\":true}", text.data);
    assert_true(trial.valid);
    end(&trial);
    writ_buffer_clear(&text);
}

/* Members in the opposite order make the comparison of objects quadratic: it stops. */
static void equality_counts_its_steps(void **state)
{
    (void)state;
    struct writ_buffer schema, document;
    struct trial trial;
    writ_buffer_init(&schema, (size_t)4 << 20);
    writ_buffer_init(&document, (size_t)4 << 20);
    writ_buffer_append_text(&schema, "{\"const\":{");
    writ_buffer_append_byte(&document, '{');
    for (int i = 0; i < 20000; i++) {
        writ_buffer_printf(&schema, "%s\"k%d\":0", i ? "," : "", i);
        writ_buffer_printf(&document, "%s\"k%d\":0", i ? "," : "", 19999 - i);
    }
    writ_buffer_append_text(&schema, "}}");
    writ_buffer_append_byte(&document, '}');
    run(&trial, schema.data, document.data);
    assert_false(trial.valid);
    assert_int_equal(trial.stop, CHECK_STEPS_SPENT);
    end(&trial);
    writ_buffer_clear(&schema);
    writ_buffer_clear(&document);
}

static void every_ordinary_check_costs_few_steps(void **state)
{
    (void)state;
    struct trial trial;
    run(&trial,
        "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\",\"minLength\":1},\"limit\":{\"type\":"
        "\"integer\"}},"
        "\"required\":[\"path\"],\"additionalProperties\":false}",
        "{\"path\":\"/a\",\"limit\":3}");
    assert_true(trial.valid);
    assert_int_equal(trial.steps, 3);
    end(&trial);
}

/* Resources that each bind one name of their own make a power set of dynamic scopes. */
static void too_many_dynamic_scopes_are_refused(void **state)
{
    (void)state;
    struct writ_buffer text;
    struct trial trial;
    writ_buffer_init(&text, (size_t)4 << 20);
    writ_buffer_append_text(&text, "{\"$id\":\"http://a/root\",\"$ref\":\"r0\",\"$defs\":{");
    for (int i = 0; i < 30; i++) {
        writ_buffer_printf(
            &text,
            "%s\"r%d\":{\"$id\":\"r%d\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"n%d\"}},\"properties\":{\"x\":{"
            "\"$dynamicRef\":\"#n%d\"}",
            i ? "," : "", i, i, i, i);
        for (int k = 0; k < 30; k++)
            writ_buffer_printf(&text, ",\"p%d\":{\"$ref\":\"r%d\"}", k, k);
        writ_buffer_append_text(&text, "}}");
    }
    writ_buffer_append_text(&text, "}}");
    run(&trial, text.data, "1");
    assert_int_equal(trial.compiled, WRIT_SCHEMA_INVALID);
    end(&trial);
    writ_buffer_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubled_references_cost_nothing_unconditionally),
        cmocka_unit_test(doubled_branches_stop_after_their_steps),
        cmocka_unit_test(doubling_with_the_depth_of_the_document_stops),
        cmocka_unit_test(nested_unevaluated_is_linear),
        cmocka_unit_test(a_long_chain_of_branches_is_too_deep),
        cmocka_unit_test(a_long_chain_of_references_is_followed),
        cmocka_unit_test(code_that_would_grow_without_bound_is_refused),
        cmocka_unit_test(too_many_conditions_on_one_value_are_refused),
        cmocka_unit_test(hostile_patterns_end),
        cmocka_unit_test(many_references_through_one_object_are_followed),
        cmocka_unit_test(costly_steps_count_for_more),
        cmocka_unit_test(large_arrays_of_unique_items_are_linear_enough),
        cmocka_unit_test(equality_counts_its_steps),
        cmocka_unit_test(every_ordinary_check_costs_few_steps),
        cmocka_unit_test(too_many_dynamic_scopes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
