/* cli/when.h: times as people read and write them, in a zone of their own and in UTC. */
#include "cli/when.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* 2026-11-30 14:03:05 UTC, a Monday. */
#define NOW 1796047385

static const struct cli_clock utc = {.now = NOW, .utc = true};
static const struct cli_clock local = {.now = NOW}; /* two hours ahead, see main */
static const struct cli_clock exact = {.now = NOW, .exact = true};

static void is_read_as(const struct cli_clock *clock, const char *stored, const char *expected)
{
    char text[CLI_WHEN_BYTES];
    cli_when_print(clock, stored, text);
    assert_string_equal(text, expected);
}

static void times_are_printed_for_people(void **state)
{
    (void)state;
    is_read_as(&utc, "2026-11-30T14:03:05.123Z", "today 14:03");
    is_read_as(&utc, "2026-11-30T00:00:00.000Z", "today 00:00");
    is_read_as(&utc, "2026-11-29T23:59:59.999Z", "29 Nov 23:59");
    is_read_as(&utc, "2026-01-02T03:04:05.000Z", "2 Jan 03:04");
    is_read_as(&utc, "2025-11-30T14:03:05.123Z", "30 Nov 2025 14:03");
    is_read_as(&utc, "2027-01-01T00:00:00.000Z", "1 Jan 2027 00:00"); /* clocks jump */
    is_read_as(&local, "2026-11-30T14:03:05.123Z", "today 16:03");
    is_read_as(&local, "2026-11-29T22:30:00.000Z", "today 00:30");
    is_read_as(&local, "2025-12-31T22:30:00.000Z", "1 Jan 00:30");
    is_read_as(&exact, "2026-11-30T14:03:05.123Z", "2026-11-30T16:03:05");
    is_read_as(&exact, "1970-01-01T00:00:00.000Z", "1970-01-01T02:00:00");
}

static void what_is_no_time_comes_out_as_it_is(void **state)
{
    (void)state;
    is_read_as(&utc, "-", "-");
    is_read_as(&utc, "", "");
    is_read_as(&utc, "2026-13-30T14:03:05.123Z", "2026-13-30T14:03:05");
    is_read_as(&utc, "2026-11-30T25:03:05.123Z", "2026-11-30T25:03:05");
    is_read_as(&utc, "a text that is very much longer than any time", "a text that is very");
}

static void is_parsed_as(const struct cli_clock *clock, const char *text, const char *expected)
{
    char stored[WRIT_TIME_TEXT_BYTES];
    struct writ_error error;
    if (cli_when_parse(clock, text, stored, &error) != 0)
        fail_msg("%s", error.message);
    assert_string_equal(stored, expected);
}

static void times_are_read_as_people_write_them(void **state)
{
    (void)state;
    is_parsed_as(&utc, "2026-11-30", "2026-11-30T00:00:00.000Z");
    is_parsed_as(&utc, "2028-02-29", "2028-02-29T00:00:00.000Z");
    is_parsed_as(&utc, "2026-11-30T12", "2026-11-30T12:00:00.000Z");
    is_parsed_as(&utc, "2026-11-30T12:30", "2026-11-30T12:30:00.000Z");
    is_parsed_as(&utc, "2026-11-30 12:30:59", "2026-11-30T12:30:59.000Z");
    is_parsed_as(&local, "2026-11-30", "2026-11-29T22:00:00.000Z");
    is_parsed_as(&local, "2026-11-30T12:30Z", "2026-11-30T12:30:00.000Z");
    is_parsed_as(&local, "2026-11-30T12:30:00.123Z", "2026-11-30T12:30:00.000Z");
    is_parsed_as(&utc, "today", "2026-11-30T00:00:00.000Z");
    is_parsed_as(&local, "today", "2026-11-29T22:00:00.000Z");
    is_parsed_as(&utc, "yesterday", "2026-11-29T00:00:00.000Z");
    is_parsed_as(&utc, "09:30", "2026-11-30T09:30:00.000Z");
    is_parsed_as(&local, "09:30:15", "2026-11-30T07:30:15.000Z");
    is_parsed_as(&utc, "2h", "2026-11-30T12:03:05.000Z");
    is_parsed_as(&utc, "1h30m", "2026-11-30T12:33:05.000Z");
    is_parsed_as(&local, "7d", "2026-11-23T14:03:05.000Z");
}

static void other_words_are_no_time(void **state)
{
    (void)state;
    static const char *const words[] = {"",           "tomorrow",    "2026",      "2026-11", "2026-11-3", "2026-13-01",
                                        "2026-11-32", "2026-11-30T", "25:00",     "12:60",   "1:30",      "2026-11-30x",
                                        "-2h",        "2w",          "99999999d", "12",      "d",         "2026/11/30",
                                        "2026-02-29", "2100-02-29",  "2026-04-31"};
    for (size_t i = 0; i < WRIT_COUNT(words); i++) {
        char stored[WRIT_TIME_TEXT_BYTES] = "as it was";
        struct writ_error error;
        if (cli_when_parse(&utc, words[i], stored, &error) != WRIT_USAGE)
            fail_msg("`%s` was taken for %s", words[i], stored);
        assert_string_equal(stored, "as it was");
        assert_non_null(strstr(error.message, "is no time; write it as in today, 14:03"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_printed_for_people),
        cmocka_unit_test(what_is_no_time_comes_out_as_it_is),
        cmocka_unit_test(times_are_read_as_people_write_them),
        cmocka_unit_test(other_words_are_no_time),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    if (setenv("TZ", "XYZ-2", 1) != 0)
        return 1;
    tzset();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
