/* The formats that are asserted on demand, and that they are annotations otherwise. */
#include "schema_case.h"

#include "data/schema_format.h"

static const struct {
    const char *format, *text;
    bool holds;
} rows[] = {
    {"date-time", "2026-11-30T12:00:00Z", true},
    {"date-time", "2026-11-30t12:00:00.123+08:00", true},
    {"date-time", "2026-11-30 12:00:00Z", false},
    {"date-time", "2026-11-30T12:00:00", false},
    {"date-time", "2026-11-30T24:00:00Z", false},
    {"date-time", "1990-12-31T23:59:60Z", true},
    {"date-time", "1990-12-31T15:59:60-08:00", true},
    {"date-time", "1990-12-31T22:59:60Z", false},
    {"date", "2024-02-29", true},
    {"date", "2023-02-29", false},
    {"date", "1900-02-29", false},
    {"date", "2000-02-29", true},
    {"date", "2026-13-01", false},
    {"date", "2026-1-1", false},
    {"date", "2026-11-30Z", false},
    {"time", "12:00:00Z", true},
    {"time", "12:00:00.5-01:30", true},
    {"time", "12:00:00", false},
    {"time", "12:00:00.Z", false},
    {"time", "12:60:00Z", false},
    {"time", "12:00:00+24:00", false},
    {"duration", "P1Y2M3DT4H5M6S", true},
    {"duration", "P4W", true},
    {"duration", "PT1M", true},
    {"duration", "P1D", true},
    {"duration", "P", false},
    {"duration", "P1DT", false},
    {"duration", "PT1D", false},
    {"duration", "P1D2Y", false},
    {"duration", "P1Y2D", false},
    {"duration", "P1YT", false},
    {"duration", "1D", false},
    {"duration", "P1W2D", false},
    {"email", "a.b+c@example.com", true},
    {"email", "\"a b\"@example.com", true},
    {"email", "a@[192.0.2.1]", true},
    {"email", "a@[IPv6:2001:db8::1]", true},
    {"email", "a@[ipv6:2001:db8::1]", true},
    {"email", "\"a\\\"b\"@example.com", true},
    {"email", "\"a\\\n\"@example.com", false}, /* a backslash makes no control character welcome */
    {"email", "\"a\\\xC3\xA9\"@example.com", false},
    {"email", "a..b@example.com", false},
    {"email", ".a@example.com", false},
    {"email", "a@", false},
    {"email", "@b", false},
    {"email", "ab", false},
    {"email", "a b@c", false},
    {"uri", "http://[2001:db8::1]:80/", true},
    {"uri", "http://[::ffff:192.0.2.1]/", true},
    {"uri", "http://[v1.a:b]/", true},
    {"uri", "http://[::zz]/", false},
    {"uri", "http://[v1]/", false},
    {"uri", "http://[vx.a]/", false},
    {"hostname", "api.example.com", true},
    {"hostname", "xn--nxasmq6b", true},
    {"hostname", "-a.com", false},
    {"hostname", "a-.com", false},
    {"hostname", "a..b", false},
    {"hostname", "a_b", false},
    {"hostname", "ab--cd", false},
    {"hostname", "", false},
    {"ipv4", "192.0.2.1", true},
    {"ipv4", "256.0.0.1", false},
    {"ipv4", "1.2.3", false},
    {"ipv4", "1.2.3.4.5", false},
    {"ipv4", "01.2.3.4", false},
    {"ipv4", "1.2.3.4a", false},
    {"ipv6", "::", true},
    {"ipv6", "::1", true},
    {"ipv6", "2001:db8::1", true},
    {"ipv6", "1:2:3:4:5:6:7:8", true},
    {"ipv6", "1:2:3:4:5:6:7::", true},
    {"ipv6", "::ffff:192.0.2.1", true},
    {"ipv6", "1:2:3:4:5:6:1.2.3.4", true},
    {"ipv6", "1:2:3:4:5:6:7:1.2.3.4", false},
    {"ipv6", "1:2:3:4:5:6:7:8:9", false},
    {"ipv6", "1::2::3", false},
    {"ipv6", "12345::", false},
    {"ipv6", ":1", false},
    {"ipv6", "1:", false},
    {"ipv6", "::1%eth0", false},
    {"uri", "https://example.com/a?b#c", true},
    {"uri", "/a", false},
    {"uri-reference", "../a#b", true},
    {"uri-reference", "a b", false},
    {"uuid", "123e4567-e89b-12d3-a456-426614174000", true},
    {"uuid", "123e4567e89b12d3a456426614174000", false},
    {"uuid", "123e4567-e89b-12d3-a456-42661417400g", false},
    {"json-pointer", "", true},
    {"json-pointer", "/a~1b/0", true},
    {"json-pointer", "a", false},
    {"json-pointer", "/a~2", false},
    {"json-pointer", "/a~", false},
    {"relative-json-pointer", "0", true},
    {"relative-json-pointer", "1/a", true},
    {"relative-json-pointer", "2#", true},
    {"relative-json-pointer", "01/a", false},
    {"relative-json-pointer", "/a", false},
    {"relative-json-pointer", "0##", false},
    {"regex", "^a(b)$", true},
    {"regex", "^a(b$", false},
};

static void formats_take_and_refuse(void **state)
{
    (void)state;
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        uint32_t format = writ_schema_format_find(rows[i].format);
        assert_true(format != SCHEMA_FORMAT_NONE);
        if (writ_schema_format_holds(format, rows[i].text, strlen(rows[i].text)) != rows[i].holds)
            fail_msg("%s: `%s`", rows[i].format, rows[i].text);
        assert_true(strlen(writ_schema_format_example(format)) > 5);
    }
    static const char *const annotations[] = {"idn-email", "idn-hostname", "iri", "iri-reference", "uri-template", "x"};
    for (size_t i = 0; i < WRIT_COUNT(annotations); i++)
        assert_true(writ_schema_format_find(annotations[i]) == SCHEMA_FORMAT_NONE);
}

static void formats_are_asserted_only_on_demand(void **state)
{
    (void)state;
    static const struct schema_case silent[] = {{"{\"format\":\"date\"}", "\"x\"", NULL}};
    static const struct schema_case asserted[] = {
        {"{\"format\":\"date\"}", "\"x\"", ". /format format"},
        {"{\"format\":\"date\"}", "\"2026-11-30\"", NULL},
        {"{\"format\":\"date\"}", "1", NULL},
        {"{\"type\":\"string\",\"format\":\"date\"}", "1", ". /type type"},
        {"{\"format\":\"iri\"}", "\"x y\"", NULL},
        {"{\"format\":\"nonsense\"}", "\"x y\"", NULL},
        {"{\"items\":{\"format\":\"uuid\",\"minLength\":3}}", "[\"x\"]",
         "/0 /items/format format; /0 /items/minLength minLength"},
    };
    struct writ_schema_options options = {.assert_format = true};
    case_run_all(silent, WRIT_COUNT(silent), NULL);
    case_run_all(asserted, WRIT_COUNT(asserted), &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_take_and_refuse),
        cmocka_unit_test(formats_are_asserted_only_on_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
