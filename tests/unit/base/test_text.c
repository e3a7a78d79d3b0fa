#include "base/text.h"
#include "support.h"

#include <string.h>

static bool valid(const char *text)
{
    return writ_utf8_is_valid(text, strlen(text));
}

static void well_formed_utf8_is_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "plain",
        "\x7F",
        "\xC2\x80",
        "\xDF\xBF",
        "\xE0\xA0\x80",
        "\xED\x9F\xBF",
        "\xEE\x80\x80",
        "\xEF\xBF\xBF",
        "\xF0\x90\x80\x80",
        "\xF4\x8F\xBF\xBF",
        "\xE6\x96\x87\xE6\x9C\xAC and text, long enough for the eight byte step \xE6\x96\x87",
    };
    for (size_t i = 0; i < WRIT_COUNT(texts); i++)
        assert_true(valid(texts[i]));
    assert_true(writ_utf8_is_valid("a\0b", 3));
    assert_true(writ_utf8_is_valid(NULL, 0));
}

static void malformed_utf8_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\x80",             /* continuation alone */
        "\xC0\x80",         /* overlong NUL */
        "\xC1\xBF",         /* overlong */
        "\xC2",             /* cut */
        "\xE0\x9F\xBF",     /* overlong */
        "\xED\xA0\x80",     /* surrogate */
        "\xED\xBF\xBF",     /* surrogate */
        "\xE6\x96",         /* cut */
        "\xE6\x96z",        /* broken in its last byte */
        "\xF0\x8F\xBF\xBF", /* overlong */
        "\xF4\x90\x80\x80", /* beyond U+10FFFF */
        "\xF5\x80\x80\x80", /* no such lead */
        "\xF0\x9F\x98",     /* cut */
        "\xFF",
    };
    char text[64];
    for (size_t i = 0; i < WRIT_COUNT(texts); i++) {
        size_t length = strlen(texts[i]);
        assert_false(valid(texts[i]));
        /* Wherever it stands against the eight byte steps, and with text behind it. */
        for (size_t at = 0; at < 17; at++) {
            memset(text, 'a', sizeof text);
            memcpy(text + at, texts[i], length);
            assert_false(writ_utf8_is_valid(text, at + length));
            assert_false(writ_utf8_is_valid(text, sizeof text));
        }
    }
    /* The length is believed, not the bytes behind it. */
    assert_false(writ_utf8_is_valid("\xE6\x96\x87", 2));
}

static void every_code_point_is_counted_once(void **state)
{
    (void)state;
    assert_int_equal(writ_utf8_count("", 0), 0);
    assert_int_equal(writ_utf8_count("abc", 3), 3);
    assert_int_equal(writ_utf8_count("\xE6\x96\x87\xE6\x9C\xAC", 6), 2);
    assert_int_equal(writ_utf8_count("a\xF0\x9F\x98\x80z", 6), 3);
    assert_int_equal(writ_utf8_count("a\0b", 3), 3);
}

static void a_certain_name_leaves_no_doubt(void **state)
{
    (void)state;
    static const char *const names[] = {"id", "input", "output", "permissions", "test", "text", "tags"};
    static const struct {
        const char *name, *certain;
    } cases[] = {
        {"permisions", "permissions"},
        {"PERMISSIONS", "permissions"},
        {"ID", "id"},        /* only its case is another */
        {"di", NULL},        /* too short to tell */
        {"inputs", "input"}, /* `output` is three steps away */
        {"tset", NULL},      /* `test`, but `text` is only one step farther */
        {"tagss", "tags"},
        {"outputt", "output"},
        {"colour", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        const char *certain = writ_certain_name(cases[i].name, names, WRIT_COUNT(names));
        if (!cases[i].certain ? certain != NULL : !certain || strcmp(certain, cases[i].certain) != 0)
            fail_msg("`%s` gives `%s`", cases[i].name, certain ? certain : "nothing");
    }
    assert_null(writ_certain_name("tags", NULL, 0));
}

static void the_nearest_name_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"description", "version", "permissions", "runtime", "tags", "id", "input"};
    static const struct {
        const char *name, *nearest;
    } cases[] = {
        {"desription", "description"}, /* a letter lost */
        {"verison", "version"},        /* neighbours swapped */
        {"permisions", "permissions"},
        {"Runtime", "runtime"}, /* case does not count */
        {"RUNTMIE", "runtime"},
        {"tag", "tags"},
        {"tasg", "tags"},
        {"inputs", "input"},
        {"di", "id"},
        {"description", "description"},
        {"tgsx", NULL}, /* two changes in four letters */
        {"author", NULL},
        {"", NULL},
        {"x", NULL},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        const char *nearest = writ_nearest_name(cases[i].name, names, WRIT_COUNT(names));
        if (cases[i].nearest)
            assert_string_equal(nearest, cases[i].nearest);
        else
            assert_null(nearest);
    }
    assert_null(writ_nearest_name("tags", NULL, 0));
}

static void the_first_of_equally_near_names_wins(void **state)
{
    (void)state;
    static const char *const names[] = {"cart", "card", "care", "CARX"};
    assert_string_equal(writ_nearest_name("carx", names, 3), "cart");
    assert_string_equal(writ_nearest_name("carx", names, 4), "CARX");
}

static void long_names_give_no_hint_and_do_no_harm(void **state)
{
    (void)state;
    char longest[128], longer[129], changed[128];
    memset(longest, 'a', sizeof longest);
    memset(longer, 'a', sizeof longer);
    memset(changed, 'a', sizeof changed);
    longest[127] = longer[128] = changed[127] = '\0';
    changed[60] = 'b';
    const char *const names[] = {longer, longest};
    assert_ptr_equal(writ_nearest_name(changed, names, 2), longest);
    assert_null(writ_nearest_name(longer, names, 2));
}

static void times_are_printed_in_utc(void **state)
{
    (void)state;
    static const struct {
        struct timespec time;
        const char *text;
    } cases[] = {
        {{0, 0}, "1970-01-01T00:00:00.000Z"},
        {{0, 999999999}, "1970-01-01T00:00:00.999Z"},
        {{-1, 500000000}, "1969-12-31T23:59:59.500Z"},
        {{951782400, 0}, "2000-02-29T00:00:00.000Z"},
        {{951868800, 1000000}, "2000-03-01T00:00:00.001Z"},
        {{1796040000, 123456789}, "2026-11-30T12:00:00.123Z"},
        {{4107542399, 0}, "2100-02-28T23:59:59.000Z"},
        {{4107542400, 0}, "2100-03-01T00:00:00.000Z"},
        {{253402300799, 0}, "9999-12-31T23:59:59.000Z"},
        {{253402300800, 0}, "9999-12-31T23:59:59.999Z"}, /* clamped */
        {{INT64_MAX, 0}, "9999-12-31T23:59:59.999Z"},
        {{-62167219200, 0}, "0000-01-01T00:00:00.000Z"},
        {{-62162208000, 0}, "0000-02-28T00:00:00.000Z"},
        {{-62162121600, 0}, "0000-02-29T00:00:00.000Z"},
        {{INT64_MIN, 0}, "0000-01-01T00:00:00.000Z"},
        {{0, -5}, "1970-01-01T00:00:00.000Z"},
        {{0, 2000000000}, "1970-01-01T00:00:00.999Z"},
    };
    char text[WRIT_TIME_TEXT_BYTES];
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        writ_time_print(&cases[i].time, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* Every day of a whole 400-year cycle against the calendar counted by hand. */
static void every_day_of_a_cycle_is_right(void **state)
{
    (void)state;
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t second = 951782400 - 59 * 86400; /* 2000-01-01 */
    char text[WRIT_TIME_TEXT_BYTES], wanted[64];
    for (int year = 2000; year < 2400; year++) {
        for (int month = 1; month <= 12; month++) {
            bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (int day = 1; day <= days[month - 1] + (leap && month == 2); day++, second += 86400) {
                struct timespec time = {.tv_sec = second};
                writ_time_print(&time, text);
                (void)snprintf(wanted, sizeof wanted, "%04d-%02d-%02dT00:00:00.000Z", year, month, day);
                assert_string_equal(text, wanted);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_utf8_is_taken),
        cmocka_unit_test(malformed_utf8_is_refused),
        cmocka_unit_test(every_code_point_is_counted_once),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(a_certain_name_leaves_no_doubt),
        cmocka_unit_test(the_first_of_equally_near_names_wins),
        cmocka_unit_test(long_names_give_no_hint_and_do_no_harm),
        cmocka_unit_test(times_are_printed_in_utc),
        cmocka_unit_test(every_day_of_a_cycle_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
