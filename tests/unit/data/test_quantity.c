#include "data/quantity.h"
#include "support.h"

#include <string.h>

typedef int quantity_parser(const char *, uint64_t *, struct writ_error *);

struct good {
    const char *text;
    uint64_t value;
};
struct bad {
    const char *text, *message;
};

static void check(quantity_parser *parse, const struct good *good, size_t good_count, const struct bad *bad,
                  size_t bad_count)
{
    struct writ_error error;
    for (size_t i = 0; i < good_count; i++) {
        uint64_t value = 77;
        if (parse(good[i].text, &value, &error) != 0)
            fail_msg("%s", error.message);
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < bad_count; i++) {
        uint64_t value = 77;
        if (parse(bad[i].text, &value, &error) != WRIT_CONTRACT_INVALID)
            fail_msg("taken: %s", bad[i].text);
        assert_string_equal(error.message, bad[i].message);
        assert_int_equal(value, 77);
    }
}

static void sizes(void **state)
{
    (void)state;
    static const struct good good[] = {
        {"512MB", 512000000},
        {"1GiB", 1073741824},
        {"64 kB", 64000},
        {"100B", 100},
        {"0B", 0},
        {"1.5GB", 1500000000},
        {"1.50kB", 1500},
        {"0.5KiB", 512},
        {"0.125 KiB", 128},
        {"1.000000000000TB", 1000000000000},
        {"16MiB", 16777216},
        {"2TiB", 2199023255552},
        {"18446744073709551615B", UINT64_MAX},
        {"16777215TiB", 18446742974197923840u},
        {"0.5000000000000000000000000KiB", 512},
    };
    static const struct bad bad[] = {
        {"512", "`512` is not a size: it has no unit; write 512MB or 512MiB"},
        {"512 ", "`512 ` is not a size: it has no unit; write 512MB or 512MiB"},
        {"1.5", "`1.5` is not a size: it has no unit; write 1.5MB or 1.5MiB"},
        {"", "`` is not a size: it must begin with a number; write it as in 512MB or 512MiB"},
        {"MB", "`MB` is not a size: it must begin with a number; write it as in 512MB or 512MiB"},
        {"-5MB", "`-5MB` is not a size: it cannot be negative; write it as in 512MB or 512MiB"},
        {" 5MB", "` 5MB` is not a size: it must begin with a number; write it as in 512MB or 512MiB"},
        {".5MB", "`.5MB` is not a size: it must begin with a number; write it as in 512MB or 512MiB"},
        {"5.MB", "`5.MB` is not a size: a digit must follow the point; write it as in 512MB or 512MiB"},
        {"512M", "`512M` is not a size: write 512MB (powers of 1000) or 512MiB (powers of 1024)"},
        {"512mb", "`512mb` is not a size: write 512MB (powers of 1000) or 512MiB (powers of 1024)"},
        {"64 KB", "`64 KB` is not a size: write 64kB (powers of 1000) or 64KiB (powers of 1024)"},
        {"64k", "`64k` is not a size: write 64kB (powers of 1000) or 64KiB (powers of 1024)"},
        {"1.5g", "`1.5g` is not a size: write 1.5GB (powers of 1000) or 1.5GiB (powers of 1024)"},
        {"1Gi", "`1Gi` is not a size: write 1GB (powers of 1000) or 1GiB (powers of 1024)"},
        {"5PB", "`5PB` is not a size: `PB` is no unit; use B, kB, MB, GB, TB or KiB, MiB, GiB, TiB"},
        {"5b", "`5b` is not a size: `b` is no unit; use B, kB, MB, GB, TB or KiB, MiB, GiB, TiB"},
        {"5MB ", "`5MB ` is not a size: `MB ` is no unit; use B, kB, MB, GB, TB or KiB, MiB, GiB, TiB"},
        {"1_000MB", "`1_000MB` is not a size: `_000MB` is no unit; use B, kB, MB, GB, TB or KiB, MiB, GiB, TiB"},
        {"1e3MB", "`1e3MB` is not a size: `e3MB` is no unit; use B, kB, MB, GB, TB or KiB, MiB, GiB, TiB"},
        {"0.5B", "`0.5B` is not a size: it is no whole number of bytes"},
        {"0.0001kB", "`0.0001kB` is not a size: it is no whole number of bytes"},
        {"18446744073709551616B", "`18446744073709551616B` is not a size: it is too large; write it as in 512MB or "
                                  "512MiB"},
        {"18446744073709552kB", "`18446744073709552kB` is not a size: it is too large"},
        {"16777216TiB", "`16777216TiB` is not a size: it is too large"},
        {"18446744073709551.616kB", "`18446744073709551.616kB` is not a size: it is too large"},
        {"0.1234567890123456789TB", "`0.1234567890123456789TB` is not a size: it has too many digits after the point; "
                                    "write it as in 512MB or 512MiB"},
    };
    check(writ_size_parse, good, WRIT_COUNT(good), bad, WRIT_COUNT(bad));
}

static void durations(void **state)
{
    (void)state;
    static const struct good good[] = {
        {"30s", 30000},
        {"250ms", 250},
        {"2m", 120000},
        {"1h", 3600000},
        {"1m30s", 90000},
        {"30", 30000},
        {"1.5", 1500},
        {"1.5s", 1500},
        {"0", 0},
        {"0s", 0},
        {"30 s", 30000},
        {"1h 30m", 5400000},
        {"1h2m3s4ms", 3723004},
        {"1.5m30s", 120000},
        {"0.001", 1},
        {"18446744073709551615ms", UINT64_MAX},
        {"5124095576030h", 18446744073708000000u},
    };
    static const struct bad bad[] = {
        {"", "`` is not a duration: it must begin with a number; write it as in 30s, 250ms, 2m or 1m30s"},
        {"s", "`s` is not a duration: it must begin with a number; write it as in 30s, 250ms, 2m or 1m30s"},
        {"-1s", "`-1s` is not a duration: it cannot be negative; write it as in 30s, 250ms, 2m or 1m30s"},
        {"1m-5s", "`1m-5s` is not a duration: it cannot be negative; write it as in 30s, 250ms, 2m or 1m30s"},
        {"5min", "`5min` is not a duration: `min` is no unit; use ms, s, m or h"},
        {"30 sec", "`30 sec` is not a duration: `sec` is no unit; use ms, s, m or h"},
        {"1d", "`1d` is not a duration: `d` is no unit; use ms, s, m or h"},
        {"1M", "`1M` is not a duration: `M` is no unit; use ms, s, m or h"},
        {"30s1m",
         "`30s1m` is not a duration: units go from h to m to s to ms, each once; write it as in 30s, 250ms, 2m or "
         "1m30s"},
        {"1s1s",
         "`1s1s` is not a duration: units go from h to m to s to ms, each once; write it as in 30s, 250ms, 2m or "
         "1m30s"},
        {"1m30", "`1m30` is not a duration: its last number has no unit; write it as in 30s, 250ms, 2m or 1m30s"},
        {"30 ", "`30 ` is not a duration: its last number has no unit; write it as in 30s, 250ms, 2m or 1m30s"},
        {"00:30", "`00:30` is not a duration: `:30` is no unit; use ms, s, m or h"},
        {"1e3", "`1e3` is not a duration: `e3` is no unit; use ms, s, m or h"},
        {"0.5ms", "`0.5ms` is not a duration: it is finer than a millisecond"},
        {"0.0001", "`0.0001` is not a duration: it is finer than a millisecond"},
        {"18446744073709552", "`18446744073709552` is not a duration: it is too large"},
        {"18446744073709551616ms", "`18446744073709551616ms` is not a duration: it is too large; write it as in 30s, "
                                   "250ms, 2m or 1m30s"},
        {"5124095576031h", "`5124095576031h` is not a duration: it is too large"},
        {"5124095576030h60m", "`5124095576030h60m` is not a duration: it is too large"},
    };
    check(writ_duration_parse, good, WRIT_COUNT(good), bad, WRIT_COUNT(bad));
}

static void check_print(void (*print)(struct writ_buffer *, uint64_t), const struct good *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
        writ_buffer_init(&out, 100);
        print(&out, cases[i].value);
        assert_string_equal(writ_buffer_text(&out), cases[i].text);
    }
}

static void sizes_are_printed_for_people(void **state)
{
    (void)state;
    static const struct good cases[] = {
        {"0 B", 0},
        {"999 B", 999},
        {"1 kB", 1000},
        {"1 KiB", 1024},
        {"1.2 MB", 1234567},
        {"1.3 MB", 1250000},
        {"999.9 kB", 999949},
        {"1 MB", 999950},
        {"512 MB", 512000000},
        {"512 MiB", 536870912},
        {"1 GiB", 1073741824},
        {"1.5 MB", 1500000},
        {"5.5 MB", 5324 * 1024},
        {"18.4 EB", UINT64_MAX},
        {"1048576 TiB", (uint64_t)1 << 60},
    };
    check_print(writ_size_print, cases, WRIT_COUNT(cases));
}

static void durations_are_printed_for_people(void **state)
{
    (void)state;
    static const struct good cases[] = {
        {"0 ms", 0},
        {"850 ms", 850},
        {"999 ms", 999},
        {"1 s", 1000},
        {"1.2 s", 1234},
        {"59.9 s", 59949},
        {"1 min", 59950},
        {"1 min", 60000},
        {"1 min 30 s", 90000},
        {"59 min 59 s", 3599499},
        {"1 h", 3599500},
        {"1 h 5 min", 3900000},
        {"24 h", 86400000},
        {"2 h", 7199000},
        {"5124095576030 h 26 min", UINT64_MAX},
    };
    check_print(writ_duration_print, cases, WRIT_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(durations),
        cmocka_unit_test(sizes_are_printed_for_people),
        cmocka_unit_test(durations_are_printed_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
