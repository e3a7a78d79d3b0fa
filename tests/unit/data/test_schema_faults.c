/* What people read when a document is at fault: the sentence, the nearest name, the branch that was meant. */
#include "schema_case.h"

static void explain(struct writ_arena *arena, const char *schema_text, const char *document_text, size_t faults_max,
                    struct writ_schema_faults *ret_faults)
{
    struct writ_error error;
    struct writ_schema *schema;
    struct writ_schema_options options = {.assert_format = true};
    if (writ_schema_compile(case_parse(arena, schema_text), &options, &schema, &error))
        fail_msg("%s: %s", schema_text, error.message);
    assert_int_equal(
        writ_schema_explain(schema, case_parse(arena, document_text), faults_max, arena, ret_faults, &error), 0);
    writ_schema_free(schema);
}

static void sentences_name_what_is_wrong_and_the_mend(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *document, *message, *nearest;
    } rows[] = {
        {"{\"type\":\"string\"}", "3", "must be a string, but is the number 3", NULL},
        {"{\"type\":[\"object\",\"null\",\"integer\"]}", "1.5",
         "must be an integer, an object or null, but is the number 1.5", NULL},
        {"{\"type\":\"boolean\"}", "[1]", "must be true or false, but is an array of 1 item", NULL},
        {"{\"type\":\"null\"}", "{}", "must be null, but is an object of 0 properties", NULL},
        {"{\"enum\":[\"red\",\"green\"]}", "\"gren\"",
         "must be one of \"red\", \"green\", but is the string \"gren\"; did you mean \"green\"?", "green"},
        {"{\"const\":1}", "2", "must be 1, but is the number 2", NULL},
        {"{\"maximum\":10}", "10.5", "must be at most 10, but is 10.5", NULL},
        {"{\"exclusiveMinimum\":0}", "0", "must be greater than 0, but is 0", NULL},
        {"{\"multipleOf\":0.5}", "0.7", "must be a multiple of 0.5, but is 0.7", NULL},
        {"{\"minLength\":3}", "\"ab\"", "must have at least 3 characters, but has 2", NULL},
        {"{\"maxLength\":1}", "\"文本\"", "must have at most 1 character, but has 2", NULL},
        {"{\"pattern\":\"^a\"}", "\"b\"", "must match the pattern ^a, but is the string \"b\"", NULL},
        {"{\"format\":\"date\"}", "\"x\"", "must be a date such as 2026-11-30, but is the string \"x\"", NULL},
        {"{\"maxItems\":1}", "[1,2]", "must have at most 1 item, but has 2", NULL},
        {"{\"uniqueItems\":true}", "[1,2,1]", "items 0 and 2 are equal, but each must be different", NULL},
        {"{\"contains\":{\"type\":\"null\"}}", "[1]",
         "must contain at least 1 item of the kind that `contains` describes, but contains 0", NULL},
        {"{\"contains\":true,\"maxContains\":1}", "[1,2]",
         "must contain at most 1 item of the kind that `contains` describes, but contains 2", NULL},
        {"{\"items\":false}", "[1]", "no item is allowed here", NULL},
        {"{\"prefixItems\":[true],\"items\":false}", "[1,2]", "item 1 is not allowed: only the first 1 may be there",
         NULL},
        {"{\"minProperties\":2}", "{\"a\":1}", "must have at least 2 properties, but has 1", NULL},
        {"{\"required\":[\"path\"]}", "{\"pth\":1}",
         "the property \"path\" is missing; there is \"pth\" (a slip of the pen?)", "pth"},
        {"{\"required\":[\"path\"],\"properties\":{\"pth\":true}}", "{\"pth\":1}", "the property \"path\" is missing",
         NULL},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
         "the property \"b\" is missing: it must be there when \"a\" is", NULL},
        {"{\"properties\":{\"encoding\":{},\"path\":{}},\"additionalProperties\":false}", "{\"encodng\":1}",
         "the property \"encodng\" is not known here; did you mean \"encoding\"?", "encoding"},
        {"{\"properties\":{\"encoding\":{}},\"additionalProperties\":false}", "{\"encoding\":1,\"encodin\":1}",
         "the property \"encodin\" is not known here", NULL},
        {"{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"properties\":{\"limit\":{}}}},\"unevaluatedProperties\":false}",
         "{\"limti\":1}", "the property \"limti\" is not known here; did you mean \"limit\"?", "limit"},
        {"{\"properties\":{\"a\":false}}", "{\"a\":1}", "the property \"a\" must not be there", NULL},
        {"{\"propertyNames\":{\"maxLength\":1}}", "{\"ab\":1}",
         "the name \"ab\" of a property: must have at most 1 character, but has 2", NULL},
        {"false", "1", "nothing is allowed here: the schema is false", NULL},
        {"{\"not\":true}", "1", "must not be what `not` describes", NULL},
        {"{\"anyOf\":[{\"type\":\"string\"},{\"type\":[\"integer\",\"null\"]}]}", "true",
         "must be a string, an integer or null, but is true", NULL},
        {"{\"oneOf\":[true,true,false]}", "1",
         "must satisfy exactly one of the 3 alternatives, but satisfies number 0 and number 1 (counted from 0)", NULL},
        {"{\"oneOf\":[{\"properties\":{\"op\":{\"const\":\"range\"}},\"required\":[\"op\"]},{\"properties\":{\"op\":{"
         "\"enum\":["
         "\"and\",\"or\"]}},\"required\":[\"op\"]}]}",
         "{\"op\":\"rnage\"}",
         "must be one of \"range\", \"and\", \"or\", but is the string \"rnage\"; did you mean \"range\"?", "range"},
        {"{\"enum\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14]}", "0",
         "must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 or 2 more, but is the number 0", NULL},
    };
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        struct writ_arena arena;
        struct writ_schema_faults faults;
        writ_arena_init(&arena, (size_t)1 << 24);
        explain(&arena, rows[i].schema, rows[i].document, 0, &faults);
        assert_true(faults.count >= 1);
        const char *nearest = faults.items[0].nearest;
        if (strcmp(faults.items[0].message, rows[i].message) != 0 || (nearest == NULL) != (rows[i].nearest == NULL) ||
            (nearest && strcmp(nearest, rows[i].nearest) != 0))
            fail_msg("%s on %s:\n  %s\n  nearest %s", rows[i].schema, rows[i].document, faults.items[0].message,
                     nearest);
        writ_arena_clear(&arena);
    }
}

static void long_values_are_cut_at_a_character(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_schema_faults faults;
    char document[512] = "\"a";
    for (int i = 0; i < 100; i++)
        memcpy(document + 2 + i * 3, "文", 4);
    memcpy(document + 2 + 300, "\"", 2);
    writ_arena_init(&arena, (size_t)1 << 24);
    explain(&arena, "{\"type\":\"null\"}", document, 0, &faults);
    assert_int_equal(faults.count, 1);
    assert_non_null(strstr(faults.items[0].message, "文\" (cut)"));
    assert_null(strstr(faults.items[0].message, "\xEF\xBF\xBD"));
    writ_arena_clear(&arena);
}

static void every_fault_is_found_up_to_the_limit(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_schema_faults faults;
    struct writ_buffer text;
    writ_arena_init(&arena, (size_t)1 << 26);
    writ_buffer_init(&text, 1 << 20);
    for (int i = 0; i < 20000; i++)
        writ_buffer_append_text(&text, i ? ",1" : "[1");
    writ_buffer_append_byte(&text, ']');
    explain(&arena, "{\"items\":{\"type\":\"null\"}}", text.data, 0, &faults);
    assert_int_equal(faults.count, 100);
    assert_true(faults.truncated);
    assert_string_equal(faults.items[99].instance_pointer, "/99");
    explain(&arena, "{\"items\":{\"type\":\"null\"}}", text.data, 3, &faults);
    assert_int_equal(faults.count, 3);
    explain(&arena, "{\"items\":{\"type\":\"null\"}}", "[1,null,2]", 2, &faults);
    assert_int_equal(faults.count, 2);
    assert_false(faults.truncated);
    explain(&arena, "{\"items\":{\"type\":\"null\"}}", "[]", 2, &faults);
    assert_int_equal(faults.count, 0);
    writ_buffer_clear(&text);
    writ_arena_clear(&arena);
}

/* One wrong value in a branch brings no complaint about what that branch would have evaluated. */
static void faults_bring_no_noise(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"allOf\":[{\"properties\":{\"limit\":{\"type\":\"integer\"}}}],\"properties\":{\"a\":true},"
         "\"unevaluatedProperties\":false}",
         "{\"limit\":\"x\",\"a\":1,\"other\":1}",
         "/limit /allOf/0/properties/limit/type type; /other /unevaluatedProperties unevaluatedProperties"},
        {"{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"object\",\"properties\":{\"a\":{\"minimum\":1},\"b\":{"
         "\"minimum\":1}}},"
         "{\"type\":\"array\"}]}",
         "{\"a\":0,\"b\":0}", "/a /oneOf/1/properties/a/minimum minimum; /b /oneOf/1/properties/b/minimum minimum"},
        {"{\"anyOf\":[{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]},{\"type\":\"array\"}]}", "1",
         ". /anyOf anyOf"},
        {"{\"contains\":{\"properties\":{\"a\":{\"minimum\":3}},\"required\":[\"a\"]}}", "[{\"a\":1},{}]",
         ". /contains contains"},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_name_what_is_wrong_and_the_mend),
        cmocka_unit_test(long_values_are_cut_at_a_character),
        cmocka_unit_test(every_fault_is_found_up_to_the_limit),
        cmocka_unit_test(faults_bring_no_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
