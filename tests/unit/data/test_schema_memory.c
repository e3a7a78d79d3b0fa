/* Each allocation of compiling and of explaining fails in turn: a clean error, nothing leaked, nothing written.  A
 * check allocates nothing, valid or not. */
#include "failing_memory.h"
#include "schema_case.h"

static const char schema_text[] =
    "{\"$id\":\"http://a/"
    "b\",\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"},"
    "\"word\":{\"pattern\":\"^\\\\p{L}+$\"},\"long\":{\"pattern\":\"^(ab|cd|ef|gh|ij|kl)x{3,9}$\"},"
    "\"tags\":{\"items\":{\"enum\":[\"a\",\"b\",1]},\"uniqueItems\":true},\"self\":{\"$ref\":\"#\"},"
    "\"meta\":{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}},"
    "\"patternProperties\":{\"^x-\":{\"multipleOf\":3}},\"required\":[\"name\"],\"dependentRequired\":{\"a\":[\"b\"]},"
    "\"anyOf\":[{\"properties\":{\"k\":{\"const\":\"p\"}},\"required\":[\"k\"]},{\"properties\":{\"k\":{\"const\":"
    "\"q\"}},"
    "\"required\":[\"k\"]}],\"if\":{\"required\":[\"tags\"]},\"then\":{\"minProperties\":2},"
    "\"unevaluatedProperties\":false,\"$defs\":{\"z\":{\"$dynamicAnchor\":\"z\",\"$dynamicRef\":\"#y\"},\"y\":{\"$"
    "anchor\":"
    "\"y\"}}}";
static const char good_text[] =
    "{\"name\":\"a\",\"word\":\"π\",\"tags\":[\"a\",1],\"x-n\":9,\"k\":\"q\",\"self\":{\"name\":"
    "\"b\",\"k\":\"p\"},\"meta\":{\"type\":\"null\"}}";
static const char bad_text[] =
    "{\"nam\":\"a\",\"word\":\"1\",\"tags\":[\"a\",\"a\",2],\"x-n\":8,\"k\":\"r\",\"self\":{\"name\":"
    "\"B\",\"k\":3},\"meta\":{\"type\":\"nul\"}}";

static void each_allocation_of_compiling_may_fail(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    writ_arena_init(&arena, 1 << 20);
    const struct writ_json *document = case_parse(&arena, schema_text);
    /* The meta-schema is parsed once for good. */
    assert_non_null(writ_schema_meta_document(&error));
    const struct writ_json *good = case_parse(&arena, good_text), *bad = case_parse(&arena, bad_text);
    unsigned total = 0, tolerated = 0;
    for (unsigned nth = 0; nth <= total; nth++) {
        struct writ_schema *schema = NULL;
        memory_fail(nth, MEMORY_FAILS_ONCE);
        int result = writ_schema_compile(document, NULL, &schema, &error);
        memory_suffice();
        if (nth == 0) {
            total = memory_asked();
            assert_int_equal(result, 0);
            assert_in_range(total, 20, 2000);
        } else if (result == 0) {
            /* Without memory for machine code PCRE2 interprets: slower, with the same verdicts. */
            assert_true(writ_schema_check(schema, good) && !writ_schema_check(schema, bad));
            tolerated++;
        } else if (result != WRIT_INTERNAL_MEMORY || error.code != WRIT_INTERNAL_MEMORY || schema) {
            fail_msg("allocation %u of %u failed and the result is %d", nth, total, result);
        }
        writ_schema_free(schema);
    }
    assert_true(tolerated < total / 2);
    writ_arena_clear(&arena);
}

static void each_allocation_of_explaining_may_fail(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema *schema;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(writ_schema_compile(case_parse(&arena, schema_text), NULL, &schema, &error), 0);
    const struct writ_json *bad = case_parse(&arena, bad_text);
    unsigned total = 0;
    for (unsigned nth = 0; nth <= total; nth++) {
        struct writ_arena room;
        struct writ_schema_faults faults = {.count = 12345};
        writ_arena_init(&room, 1 << 20);
        memory_fail(nth, MEMORY_FAILS_ONCE);
        int result = writ_schema_explain(schema, bad, 0, &room, &faults, &error);
        memory_suffice();
        if (nth == 0) {
            total = memory_asked();
            assert_int_equal(result, 0);
            assert_true(faults.count > 5);
            assert_in_range(total, 5, 500);
        } else {
            assert_int_equal(result, WRIT_INTERNAL_MEMORY);
            assert_int_equal(faults.count, 12345);
        }
        writ_arena_clear(&room);
    }
    writ_schema_free(schema);
    writ_arena_clear(&arena);
}

static void a_check_allocates_nothing(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema *schema;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(writ_schema_compile(case_parse(&arena, schema_text), NULL, &schema, &error), 0);
    const struct writ_json *good = case_parse(&arena, good_text), *bad = case_parse(&arena, bad_text);
    memory_fail(0, MEMORY_FAILS_ONCE);
    assert_true(writ_schema_check(schema, good));
    assert_false(writ_schema_check(schema, bad));
    assert_int_equal(memory_asked(), 0);
    writ_schema_free(schema);
    writ_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_compiling_may_fail),
        cmocka_unit_test(each_allocation_of_explaining_may_fail),
        cmocka_unit_test(a_check_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
