/* References, resources, anchors, dialects, and what is refused at compile time, with the place.  Proves that nothing
 * is ever fetched: what is not registered is an error. */
#include "schema_case.h"

static void references(void **state)
{
    (void)state;
    static const struct schema_case rows[] = {
        {"{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"additionalProperties\":false}", "{\"a\":{\"a\":{}}}", NULL},
        {"{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"additionalProperties\":false}", "{\"a\":{\"b\":{}}}",
         "/a/b /additionalProperties additionalProperties"},
        {"{\"$ref\":\"#/$defs/a~1b%20c\",\"$defs\":{\"a/b c\":{\"type\":\"null\"}}}", "1", ". /$defs/a~1b c/type type"},
        {"{\"$ref\":\"#/$defs/x\",\"maximum\":3,\"$defs\":{\"x\":{\"minimum\":1}}}", "4", ". /maximum maximum"},
        {"{\"$ref\":\"#here\",\"$defs\":{\"x\":{\"$anchor\":\"here\",\"type\":\"null\"}}}", "1",
         ". /$defs/x/type type"},
        {"{\"$ref\":\"#/unknown/x\",\"unknown\":{\"x\":{\"type\":\"null\"}}}", "1", ". /unknown/x/type type"},
        {"{\"$ref\":\"#/definitions/x\",\"definitions\":{\"x\":{\"type\":\"null\"}}}", "1",
         ". /definitions/x/type type"},
        {"{\"$id\":\"http://a/b/c\",\"$ref\":\"d\",\"$defs\":{\"x\":{\"$id\":\"http://a/b/d\",\"type\":\"null\"}}}",
         "1", ". /$defs/x/type type"},
        {"{\"$id\":\"urn:a:b\",\"$ref\":\"urn:a:b#x\",\"$defs\":{\"x\":{\"$anchor\":\"x\",\"type\":\"null\"}}}", "1",
         ". /$defs/x/type type"},
        /* The outermost dynamic anchor decides, in each dynamic scope anew. */
        {"{\"$id\":\"http://a/"
         "root\",\"$ref\":\"list\",\"$defs\":{\"s\":{\"$dynamicAnchor\":\"item\",\"type\":\"string\"},"
         "\"list\":{\"$id\":\"list\",\"items\":{\"$dynamicRef\":\"#item\"},\"$defs\":{\"i\":{\"$dynamicAnchor\":"
         "\"item\"}}}}}",
         "[\"a\",1]", "/1 /$defs/s/type type"},
        {"{\"$id\":\"http://a/"
         "root\",\"properties\":{\"n\":{\"$ref\":\"numbers\"},\"s\":{\"$ref\":\"strings\"}},\"$defs\":{"
         "\"list\":{\"$id\":\"list\",\"items\":{\"$dynamicRef\":\"#item\"},\"$defs\":{\"i\":{\"$dynamicAnchor\":"
         "\"item\"}}},"
         "\"numbers\":{\"$id\":\"numbers\",\"$ref\":\"list\",\"$defs\":{\"i\":{\"$dynamicAnchor\":\"item\",\"type\":"
         "\"number\"}}},\"strings\":{\"$id\":\"strings\",\"$ref\":\"list\",\"$defs\":{\"i\":{\"$dynamicAnchor\":"
         "\"item\","
         "\"type\":\"string\"}}}}}",
         "{\"n\":[1,\"a\"],\"s\":[1,\"a\"]}",
         "/n/1 /$defs/numbers/$defs/i/type type; /s/0 /$defs/strings/$defs/i/type type"},
        {"{\"$dynamicRef\":\"#/$defs/x\",\"$defs\":{\"x\":{\"type\":\"null\"}}}", "1", ". /$defs/x/type type"},
        /* A name in properties or enum is no keyword. */
        {"{\"properties\":{\"$ref\":{\"type\":\"null\"}},\"enum\":[{\"$ref\":\"#/nowhere\"},{\"$ref\":null}]}",
         "{\"$ref\":\"#/nowhere\"}", "/$ref /properties/$ref/type type"},
        {"{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}", "{\"items\":{\"minimum\":\"a\"}}",
         "/items/minimum https://json-schema.org/draft/2020-12/meta/validation#/properties/minimum/type type"},
        {"{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}", "{\"$defs\":{\"a\":{\"$anchor\":\"1\"}}}",
         "/$defs/a/$anchor https://json-schema.org/draft/2020-12/meta/core#/$defs/anchorString/pattern pattern"},
    };
    case_run_all(rows, WRIT_COUNT(rows), NULL);
}

static void the_meta_schema_accepts_itself(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema *schema;
    writ_arena_init(&arena, (size_t)16 << 20);
    const struct writ_json *meta = writ_schema_meta_document(&error);
    assert_non_null(meta);
    assert_ptr_equal(meta, writ_schema_meta_document(&error));
    assert_int_equal(writ_schema_compile(meta, NULL, &schema, &error), 0);
    assert_true(writ_schema_check(schema, meta));
    assert_true(
        writ_schema_check(schema, case_parse(&arena, "{\"properties\":{\"a\":{\"type\":[\"null\",\"array\"]}}}")));
    static const char *const bad[] = {
        "1",
        "{\"type\":\"strin\"}",
        "{\"required\":[\"a\",\"a\"]}",
        "{\"allOf\":[]}",
        "{\"properties\":{\"a\":{\"minLength\":-1}}}",
        "{\"$defs\":{\"a\":{\"not\":3}}}",
        "{\"$vocabulary\":{\"x\":1}}",
        "{\"unevaluatedItems\":{\"multipleOf\":0}}",
        "{\"contentSchema\":{\"title\":1}}",
        "{\"$id\":\"a#b\"}",
    };
    for (size_t i = 0; i < WRIT_COUNT(bad); i++) {
        if (writ_schema_check(schema, case_parse(&arena, bad[i])))
            fail_msg("the meta-schema accepts %s", bad[i]);
    }
    writ_schema_free(schema);
    writ_arena_clear(&arena);
}

static void registered_documents(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema_registry *registry;
    writ_arena_init(&arena, (size_t)1 << 20);
    assert_int_equal(writ_schema_registry_new(&registry, &error), 0);
    static const char *const documents[][2] = {
        {"http://x/int.json", "{\"type\":\"integer\"}"},
        {"http://x/own.json",
         "{\"$id\":\"http://y/name\",\"$ref\":\"other\",\"$defs\":{\"unused\":{\"$ref\":\"gone\"}}}"},
        {"http://y/other", "{\"$anchor\":\"a\",\"type\":\"null\",\"$defs\":{\"d\":{\"type\":\"string\"}}}"},
        {"http://x/no-validation", "{\"$id\":\"http://x/no-validation\",\"$vocabulary\":{"
                                   "\"https://json-schema.org/draft/2020-12/vocab/core\":true,"
                                   "\"https://json-schema.org/draft/2020-12/vocab/applicator\":true}}"},
        {"http://x/asserts-format", "{\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/core\":true,"
                                    "\"https://json-schema.org/draft/2020-12/vocab/format-assertion\":true,"
                                    "\"http://x/optional\":false}}"},
        {"http://x/demands", "{\"$vocabulary\":{\"http://x/unheard-of\":true}}"},
    };
    for (size_t i = 0; i < WRIT_COUNT(documents); i++)
        assert_int_equal(
            writ_schema_registry_add(registry, documents[i][0], case_parse(&arena, documents[i][1]), &error), 0);
    struct writ_schema_options options = {.registry = registry, .base_uri = "http://x/main.json"};
    static const struct schema_case rows[] = {
        {"{\"$ref\":\"http://x/int.json\"}", "\"a\"", ". http://x/int.json#/type type"},
        {"{\"$ref\":\"int.json#\"}", "\"a\"", ". http://x/int.json#/type type"},
        {"{\"$ref\":\"own.json\"}", "1", ". http://y/other#/type type"},
        {"{\"$ref\":\"http://y/name\"}", "1", ". http://y/other#/type type"},
        {"{\"$ref\":\"http://y/other#a\"}", "1", ". http://y/other#/type type"},
        {"{\"$ref\":\"http://y/other#/$defs/d\"}", "1", ". http://y/other#/$defs/d/type type"},
        {"{\"$schema\":\"http://x/no-validation\",\"minimum\":5,\"properties\":{\"a\":false}}", "1", NULL},
        {"{\"$schema\":\"http://x/no-validation\",\"minimum\":5,\"properties\":{\"a\":false}}", "{\"a\":1}",
         "/a /properties properties"},
        {"{\"$schema\":\"http://x/asserts-format\",\"format\":\"date\"}", "\"x\"", ". /format format"},
    };
    case_run_all(rows, WRIT_COUNT(rows), &options);
    case_refused("{\"$schema\":\"http://x/demands\"}", &options, "/$schema", "http://x/unheard-of");
    case_refused("{\"$ref\":\"http://x/nowhere.json\"}", &options, "/$ref", "not registered");
    case_refused("{\"$ref\":\"http://y/other#b\"}", &options, "/$ref", "#b, but no $anchor");
    assert_int_equal(writ_schema_registry_add(registry, "http://x/int.json", case_parse(&arena, "{}"), &error),
                     WRIT_SCHEMA_INVALID);
    assert_int_equal(writ_schema_registry_add(registry, "int.json", case_parse(&arena, "{}"), &error),
                     WRIT_SCHEMA_INVALID);
    assert_int_equal(writ_schema_registry_add(registry, "http://x/a#b", case_parse(&arena, "{}"), &error),
                     WRIT_SCHEMA_INVALID);
    options.base_uri = "main.json";
    case_refused("{}", &options, "", "not absolute");
    writ_schema_registry_free(registry);
    writ_arena_clear(&arena);
}

static void bad_schemas_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *pointer, *says;
    } rows[] = {
        {"1", "", "an object, true or false"},
        {"{\"properties\":{\"a\":1}}", "/properties/a", "an object, true or false"},
        {"{\"properties\":[]}", "/properties", "an object whose values are schemas"},
        {"{\"patternProperties\":1}", "/patternProperties", "patterns"},
        {"{\"allOf\":[]}", "/allOf", "at least one"},
        {"{\"anyOf\":{}}", "/anyOf", "an array"},
        {"{\"oneOf\":[true,3]}", "/oneOf/1", "an object, true or false"},
        {"{\"not\":null}", "/not", "an object, true or false"},
        {"{\"type\":\"strin\"}", "/type", "\"string\""},
        {"{\"type\":[]}", "/type", "\"null\""},
        {"{\"type\":[\"null\",\"null\"]}", "/type", "different"},
        {"{\"enum\":1}", "/enum", "an array"},
        {"{\"multipleOf\":0}", "/multipleOf", "greater than 0"},
        {"{\"minimum\":\"1\"}", "/minimum", "a number"},
        {"{\"maxLength\":-1}", "/maxLength", "not negative"},
        {"{\"minItems\":1.5}", "/minItems", "an integer"},
        {"{\"uniqueItems\":1}", "/uniqueItems", "true or false"},
        {"{\"required\":[1]}", "/required", "array of different strings"},
        {"{\"required\":[\"a\",\"b\",\"a\"]}", "/required", "different strings"},
        {"{\"dependentRequired\":{\"a\":1}}", "/dependentRequired", "arrays of different strings"},
        {"{\"pattern\":1}", "/pattern", "a string"},
        {"{\"pattern\":\"(\"}", "/pattern", "not closed"},
        {"{\"patternProperties\":{\"[\":{}}}", "/patternProperties/[", "not closed"},
        {"{\"format\":1}", "/format", "a string"},
        {"{\"title\":1}", "/title", "a string"},
        {"{\"$anchor\":\"1a\"}", "/$anchor", "starts with a letter"},
        {"{\"$id\":\"a#b\"}", "/$id", "$anchor"},
        {"{\"$id\":1}", "/$id", "a string"},
        {"{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}}", "/$defs/b/$anchor", "the anchor x"},
        {"{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\"}}}", "/$defs/b/$id", "two schemas"},
        {"{\"$ref\":\"#/$defs/a\"}", "/$ref", "#/$defs/a, but there is nothing"},
        {"{\"$ref\":\"#a\"}", "/$ref", "no $anchor"},
        {"{\"$ref\":\"#/%ff\"}", "/$ref", "#/%ff"}, /* decoded it would be no UTF-8 */
        {"{\"$ref\":\"#/enum/0\",\"enum\":[1]}", "/enum/0", "an object, true or false"},
        {"{\"$defs\":{\"a\":{\"$ref\":\"http://example.com/x\"}}}", "/$defs/a/$ref", "nothing is fetched"},
        {"{\"$schema\":\"http://json-schema.org/draft-07/schema#\"}", "/$schema", "draft 2020-12"},
        {"{\"$schema\":3}", "/$schema", "a string"},
        {"{\"$ref\":\"#\"}", "", "would never end"},
        {"{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"anyOf\":[true,{\"$ref\":\"#/$defs/"
         "b\"}]},\"b\":{\"not\":{"
         "\"$ref\":\"#/$defs/a\"}}}}",
         "/$defs/a", "would never end"},
        {"{\"properties\":{\"a\":{\"if\":{\"$ref\":\"#/properties/a\"}}}}", "/properties/a", "would never end"},
        {"{\"dependentSchemas\":{\"a\":{\"$ref\":\"#\"}}}", "", "would never end"},
        {"{\"$dynamicAnchor\":\"x\",\"$dynamicRef\":\"#x\"}", "", "would never end"},
    };
    for (size_t i = 0; i < WRIT_COUNT(rows); i++)
        case_refused(rows[i].schema, NULL, rows[i].pointer, rows[i].says);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references),
        cmocka_unit_test(the_meta_schema_accepts_itself),
        cmocka_unit_test(registered_documents),
        cmocka_unit_test(bad_schemas_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
