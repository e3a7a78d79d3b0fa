/* S4.10: a test's expected output compared with a tolerance for numbers. */
#include "run/compare.h"

#include "support.h"

#include <string.h>

static bool compare(const char *expected, const char *got, double tolerance, const char *ignore, char *ret_why,
                    size_t why_bytes)
{
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *a, *b, *pointers = NULL;
    struct writ_buffer difference;
    writ_arena_init(&arena, 1 << 20);
    writ_buffer_init(&difference, 4096);
    assert_int_equal(writ_json_parse(&arena, expected, strlen(expected), &a, &error), 0);
    assert_int_equal(writ_json_parse(&arena, got, strlen(got), &b, &error), 0);
    if (ignore)
        assert_int_equal(writ_json_parse(&arena, ignore, strlen(ignore), &pointers, &error), 0);
    const struct writ_compare_options options = {.tolerance = tolerance, .ignore = pointers};
    bool same = writ_compare_outputs(a, b, &options, &difference);
    (void)snprintf(ret_why, why_bytes, "%s", writ_buffer_text(&difference));
    writ_buffer_clear(&difference);
    writ_arena_clear(&arena);
    return same;
}

static void numbers_have_a_tolerance(void **state)
{
    (void)state;
    char why[512];
    assert_true(compare("{\"c\":0.95}", "{\"c\":0.9501}", 0.001, NULL, why, sizeof why));
    assert_false(compare("{\"c\":0.95}", "{\"c\":0.96}", 0.001, NULL, why, sizeof why));
    assert_string_equal(why, "/c: expected 0.95, got 0.96");
    assert_true(compare("1", "1.0", 0, NULL, why, sizeof why));
    assert_true(compare("1e2", "100", 0, NULL, why, sizeof why));
    assert_false(compare("9007199254740993", "9007199254740992", 0, NULL, why, sizeof why));
    assert_false(compare("1", "\"1\"", 5, NULL, why, sizeof why));
}

static void what_is_missing_or_extra_is_told(void **state)
{
    (void)state;
    char why[512];
    assert_false(compare("{\"a\":1,\"b\":2}", "{\"b\":2}", 0, NULL, why, sizeof why));
    assert_string_equal(why, "/a: expected 1, got nothing");
    assert_false(compare("{\"b\":2}", "{\"a\":1,\"b\":2}", 0, NULL, why, sizeof why));
    assert_string_equal(why, "/a: expected nothing, got 1");
    assert_false(compare("[1,2]", "[1,2,3]", 0, NULL, why, sizeof why));
    assert_string_equal(why, "/2: expected nothing, got 3");
    assert_false(compare("[1,[2,3]]", "[1,[2]]", 0, NULL, why, sizeof why));
    assert_string_equal(why, "/1/1: expected 3, got nothing");
    assert_true(compare("{\"a\":1,\"b\":{}}", "{\"b\":{},\"a\":1}", 0, NULL, why, sizeof why));
    assert_false(compare("{}", "[]", 0, NULL, why, sizeof why));
    assert_string_equal(why, "the output: expected {}, got []");
}

static void named_places_are_left_out(void **state)
{
    (void)state;
    char why[512];
    assert_true(compare("{\"a\":1,\"t\":\"x\"}", "{\"a\":1,\"t\":\"y\"}", 0, "[\"/t\"]", why, sizeof why));
    assert_true(compare("{\"a\":1}", "{\"a\":1,\"t\":\"y\"}", 0, "[\"/t\"]", why, sizeof why));
    assert_true(compare("{\"l\":[{\"t\":1}]}", "{\"l\":[{\"t\":2}]}", 0, "[\"/l/0/t\"]", why, sizeof why));
    assert_false(compare("{\"a\":1}", "{\"a\":2}", 0, "[\"/t\"]", why, sizeof why));
}

static void long_values_are_cut_on_a_character(void **state)
{
    (void)state;
    char why[1024], text[1000] = "\"";
    size_t length = 1;
    while (length < 900) {
        memcpy(text + length, "\xE6\x96\x87", 3);
        length += 3;
    }
    memcpy(text + length, "\"", 2);
    assert_false(compare("1", text, 0, NULL, why, sizeof why));
    assert_non_null(strstr(why, "\xE6\x96\x87\xE2\x80\xA6"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_a_tolerance),
        cmocka_unit_test(what_is_missing_or_extra_is_told),
        cmocka_unit_test(named_places_are_left_out),
        cmocka_unit_test(long_values_are_cut_on_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
