/* Printing and writing: what was read comes back byte for byte, doubles come back the same, bounds are exact. */
#include "data/json.h"
#include "support.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#define ARENA_BYTES ((size_t)64 << 20)

static void read_and_print(const char *text, enum writ_json_style style, struct writ_buffer *out)
{
    struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES);
    struct writ_error error;
    const struct writ_json *root;
    if (writ_json_parse(&arena, text, strlen(text), &root, &error) != 0)
        fail_msg("%s: %s", text, error.message);
    writ_json_print(out, root, style);
    assert_false(out->failed);
    writ_arena_clear(&arena);
}

/* Numbers of any notation, text beyond ASCII, nesting: the compact form is the source. */
static const char *const compact[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "0.10",
    "1E+002",
    "1e400",
    "5e-324",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "123456789012345678901234567890.123456789012345678901234567890e-1234567890",
    "\"\"",
    "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7F\"",
    "\"a/b \xE6\x96\x87\xE6\x9C\xAC \xF0\x9F\x98\x80 \xE2\x80\xA8\xE2\x80\xA9 \xC3\xA9\"",
    "\"a longer text of several blocks that has its only escape at the very end of it all\\n\"",
    "[]",
    "{}",
    "[[],{},[[]],[{}],{\"\":[]}]",
    "{\"a\":{\"b\":[1,2,{\"c\":[]}],\"\\u0001\":\"\\u0002\"},\"d\":[null,true,false]}",
};

static void what_was_read_is_printed(void **state)
{
    (void)state;
    for (size_t at = 0; at < WRIT_COUNT(compact); at++) {
        struct writ_buffer out, again;
        writ_buffer_init(&out, ARENA_BYTES);
        writ_buffer_init(&again, ARENA_BYTES);
        read_and_print(compact[at], WRIT_JSON_COMPACT, &out);
        assert_string_equal(writ_buffer_text(&out), compact[at]);
        /* The indented form says the same. */
        writ_buffer_clear(&out);
        read_and_print(compact[at], WRIT_JSON_INDENTED, &out);
        read_and_print(writ_buffer_text(&out), WRIT_JSON_COMPACT, &again);
        assert_string_equal(writ_buffer_text(&again), compact[at]);
        writ_buffer_clear(&out);
        writ_buffer_clear(&again);
    }
}

static void the_indented_form(void **state)
{
    (void)state;
    struct writ_buffer out;
    writ_buffer_init(&out, ARENA_BYTES);
    read_and_print("{\"a\":1,\"b\":[],\"c\":[1,{\"d\":null}],\"e\":{}}", WRIT_JSON_INDENTED, &out);
    assert_string_equal(writ_buffer_text(&out),
                        "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": [\n    1,\n    {\n      \"d\": null\n"
                        "    }\n  ],\n  \"e\": {}\n}");
    writ_buffer_clear(&out);
}

/* A maximum that is exactly enough is enough, and one byte less fails: no room is asked for in advance. */
static void the_maximum_is_exact(void **state)
{
    (void)state;
    for (size_t at = 0; at < WRIT_COUNT(compact); at++) {
        size_t length = strlen(compact[at]);
        for (size_t less = 0; less <= length; less++) {
            struct writ_arena arena;
            writ_arena_init(&arena, ARENA_BYTES);
            struct writ_error error;
            const struct writ_json *root;
            assert_int_equal(writ_json_parse(&arena, compact[at], length, &root, &error), 0);
            struct writ_buffer out;
            writ_buffer_init(&out, length - less);
            writ_json_print(&out, root, WRIT_JSON_COMPACT);
            assert_int_equal(out.failed, less > 0);
            assert_true(out.length <= length - less);
            if (less == 0)
                assert_string_equal(writ_buffer_text(&out), compact[at]);
            writ_buffer_clear(&out);
            writ_arena_clear(&arena);
        }
    }
}

static void text_that_is_no_utf8_is_mended(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *expected;
    } rows[] = {
        {"", 0, "\"\""},
        {"a\0b", 3, "\"a\\u0000b\""},
        {"\xE6\x96\x87\"", 4, "\"\xE6\x96\x87\\\"\""},
        {"\xFF", 1, "\"\xEF\xBF\xBD\""},
        {"a\xE6\x96", 3, "\"a\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xED\xA0\x80!\n", 5, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD!\\n\""},
        {"\xC0\x80\xF0\x9F\x98\x80", 6, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xF0\x9F\x98\x80\""},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        struct writ_buffer out;
        writ_buffer_init(&out, 1000);
        writ_json_print_string(&out, rows[at].bytes, rows[at].length);
        assert_string_equal(writ_buffer_text(&out), rows[at].expected);
        writ_buffer_clear(&out);
    }
}

static void check_double(double value, const char *expected)
{
    struct writ_buffer out;
    writ_buffer_init(&out, 1000);
    writ_json_print_double(&out, value);
    if (strcmp(writ_buffer_text(&out), expected) != 0)
        fail_msg("%a prints as %s, not as %s", value, writ_buffer_text(&out), expected);
    writ_buffer_clear(&out);
}

static void doubles_print_shortest(void **state)
{
    (void)state;
    check_double(0, "0");
    check_double(-0.0, "-0");
    check_double(1, "1");
    check_double(-1.5, "-1.5");
    check_double(0.1, "0.1");
    check_double(0.1 + 0.2, "0.30000000000000004");
    check_double(0.98, "0.98");
    check_double(100, "100");
    check_double(123456789012345680.0, "123456789012345680");
    check_double(1e20, "100000000000000000000");
    check_double(1e21, "1e+21");
    check_double(1.25e21, "1.25e+21");
    check_double(0.000001, "0.000001");
    check_double(0.00000123, "0.00000123");
    check_double(1e-7, "1e-7");
    check_double(5e-324, "5e-324");
    check_double(-1.5e-323, "-1.5e-323");
    check_double(2.2250738585072014e-308, "2.2250738585072014e-308");
    check_double(1.7976931348623157e308, "1.7976931348623157e+308");
    check_double(9007199254740993.0, "9007199254740992");
    check_double(5.684341886080802e-14, "5.684341886080802e-14"); /* 2^-44, whose nearest 16 digits read otherwise */
    check_double(9.5367431640625e-07, "9.5367431640625e-7");
    check_double(NAN, "null");
    check_double(INFINITY, "null");
    check_double(-INFINITY, "null");
}

static uint64_t next_random(uint64_t *seed)
{
    uint64_t mixed = (*seed += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return mixed ^ mixed >> 31;
}

/* Prints, reads with our own reader, compares bits; and no text with one digit less may read back. */
static void check_round_trip(double value)
{
    struct writ_buffer out;
    writ_buffer_init(&out, 1000);
    writ_json_print_double(&out, value);
    struct writ_arena arena;
    writ_arena_init(&arena, 4096);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(writ_json_parse(&arena, out.data, out.length, &root, &error), 0);
    double back = writ_json_double(root);
    if (memcmp(&back, &value, sizeof value) != 0)
        fail_msg("%a prints as %s and reads as %a", value, out.data, back);
    int digits = 0, zeros = 0;
    for (const char *at = out.data; *at && *at != 'e'; at++) {
        bool is_leading_zero = *at == '0' && digits == 0;
        if (*at < '0' || *at > '9' || is_leading_zero)
            continue;
        digits++;
        zeros = *at == '0' ? zeros + 1 : 0;
    }
    digits -= zeros;
    char shorter[64];
    if (digits > 1) {
        (void)snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        assert_true(strtod(shorter, NULL) != value);
    }
    writ_arena_clear(&arena);
    writ_buffer_clear(&out);
}

static void doubles_come_back_the_same(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (unsigned round = 0; round < 20000; round++) {
        uint64_t bits = next_random(&seed);
        if (round % 4 == 0) /* subnormal */
            bits &= ~((uint64_t)0x7FF << 52);
        if (round % 4 == 1) /* a power of two, and its neighbours */
            bits = (bits & ((uint64_t)0xFFF << 52)) + round % 3 - 1;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_round_trip(value);
        check_round_trip((double)(int64_t)(next_random(&seed) % 2000000) / 1000);
    }
}

/* A comma as decimal point, where the system has such a locale, changes nothing. */
static void locales_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8", "de_DE", "fr_FR"};
    bool found = false;
    for (size_t at = 0; at < WRIT_COUNT(names) && !found; at++)
        found = setlocale(LC_ALL, names[at]) != NULL;
    if (!found) {
        print_message("no locale with a decimal comma is installed: not tested\n");
        skip();
    }
    check_double(1.5, "1.5");
    check_double(1.2345678e-10, "1.2345678e-10");
    check_round_trip(0.1 + 0.2);
    (void)setlocale(LC_ALL, "C");
}

static void the_writer_puts_commas_and_colons(void **state)
{
    (void)state;
    struct writ_buffer out;
    writ_buffer_init(&out, 4096);
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "id");
    writ_json_write_text(&writer, "a\"b");
    writ_json_write_key_sized(&writer, "list\0", 5);
    writ_json_write_array(&writer);
    writ_json_write_integer(&writer, INT64_MIN);
    writ_json_write_double(&writer, 0.5);
    writ_json_write_bool(&writer, true);
    writ_json_write_bool(&writer, false);
    writ_json_write_null(&writer);
    writ_json_write_text(&writer, NULL);
    writ_json_write_text_sized(&writer, "xyz", 2);
    writ_json_write_object(&writer);
    writ_json_write_object_end(&writer);
    writ_json_write_array(&writer);
    writ_json_write_array_end(&writer);
    writ_json_write_array_end(&writer);
    writ_json_write_key(&writer, "node");
    struct writ_arena arena;
    writ_arena_init(&arena, 4096);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(writ_json_parse(&arena, "{\"a\":[1.50,{}]}", 15, &root, &error), 0);
    writ_json_write_node(&writer, root);
    writ_json_write_object_end(&writer);
    assert_false(out.failed);
    assert_string_equal(out.data,
                        "{\"id\":\"a\\\"b\",\"list\\u0000\":[-9223372036854775808,0.5,true,false,null,null,\"xy\",{},"
                        "[]],\"node\":{\"a\":[1.50,{}]}}");
    writ_arena_clear(&arena);
    writ_buffer_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_read_is_printed), cmocka_unit_test(the_indented_form),
        cmocka_unit_test(the_maximum_is_exact),     cmocka_unit_test(text_that_is_no_utf8_is_mended),
        cmocka_unit_test(doubles_print_shortest),   cmocka_unit_test(doubles_come_back_the_same),
        cmocka_unit_test(locales_change_nothing),   cmocka_unit_test(the_writer_puts_commas_and_colons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
