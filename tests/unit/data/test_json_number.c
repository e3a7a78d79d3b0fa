/* Exact arithmetic on number texts: order, integers, multiples, nearest doubles. */
#include "data/json.h"
#include "support.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static struct writ_arena arena;

static int set_up(void **state)
{
    (void)state;
    writ_arena_init(&arena, (size_t)256 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    writ_arena_clear(&arena);
    return 0;
}

static const struct writ_json *number(const char *text)
{
    struct writ_error error;
    const struct writ_json *root = NULL;
    if (writ_json_parse(&arena, text, strlen(text), &root, &error) != 0)
        fail_msg("%s: %s", text, error.message);
    return root;
}

/* Rising: each is less than every one after it; equal ones share a line. */
static const char *const ladder[][4] = {
    {"-1e99999999999999999999999", NULL},
    {"-1e99999999999999999999998", "-10e99999999999999999999997", "-0.01e+00100000000000000000000000", NULL},
    {"-1e400", NULL},
    {"-9223372036854775809", NULL},
    {"-9223372036854775808", "-9223372036854775808.0", "-9.223372036854775808e18", NULL},
    {"-9223372036854775807", NULL},
    {"-2", "-2.0", "-20e-1", NULL},
    {"-1.5", "-15e-1", NULL},
    {"-1e-5", "-0.00001", NULL},
    {"-1e-99999999999999999999999", NULL},
    {"0", "-0", "0e999999999999999999999", "-0.000"},
    {"1e-99999999999999999999999", "0.1e-99999999999999999999998", NULL},
    {"1e-99999999999999999999998", NULL},
    {"5e-324", NULL},
    {"0.1", "1e-1", "0.10", "100E-3"},
    {"0.1000000000000000055511151231257827", NULL},
    {"0.30000000000000004", NULL},
    {"1", "1.0", "10e-1", "0.00001e5"},
    {"1.0000000000000000000000000000000000000000000000001", NULL},
    {"99.99", NULL},
    {"100", "1e2", "1E+2", "100.000"},
    {"9007199254740992", "9007199254740992.0", NULL},
    {"9007199254740993", "9007199254740993.0", "9.007199254740993e15", NULL},
    {"9223372036854775807", NULL},
    {"9223372036854775807.5", NULL},
    {"9223372036854775808", NULL},
    {"18446744073709551616", NULL},
    {"123456789012345678901234567890", "12345678901234567890123456789e1", NULL},
    {"123456789012345678901234567891", NULL},
    {"1e308", NULL},
    {"1e400", NULL},
    {"9e999999999999999999", NULL},
    {"1e1000000000000000000", "10e999999999999999999", "0.01e1000000000000000002", NULL},
    {"1e99999999999999999999999", NULL},
};

static void numbers_have_one_order(void **state)
{
    (void)state;
    for (size_t a = 0; a < WRIT_COUNT(ladder); a++) {
        for (size_t b = 0; b < WRIT_COUNT(ladder); b++) {
            int expected = a == b ? 0 : a < b ? -1 : 1;
            for (size_t i = 0; i < 4 && ladder[a][i]; i++) {
                for (size_t j = 0; j < 4 && ladder[b][j]; j++) {
                    const struct writ_json *left = number(ladder[a][i]), *right = number(ladder[b][j]);
                    if (writ_json_compare_numbers(left, right) != expected)
                        fail_msg("%s against %s is not %d", ladder[a][i], ladder[b][j], expected);
                    assert_int_equal(writ_json_equal(left, right), expected == 0);
                }
            }
        }
    }
}

static void integers_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool integral, fits;
        int64_t value;
    } rows[] = {
        {"0", true, true, 0},
        {"-0", true, true, 0},
        {"-0.0", true, true, 0},
        {"0e-5", true, true, 0},
        {"1.0", true, true, 1},
        {"1e2", true, true, 100},
        {"1.5", false, false, 0},
        {"1.5e1", true, true, 15},
        {"-1.50e1", true, true, -15},
        {"15e-1", false, false, 0},
        {"150e-1", true, true, 15},
        {"1e-1", false, false, 0},
        {"1e18", true, true, 1000000000000000000},
        {"1e19", true, false, 0},
        {"1e400", true, false, 0},
        {"1e99999999999999999999", true, false, 0},
        {"1e-99999999999999999999", false, false, 0},
        {"9223372036854775807", true, true, INT64_MAX},
        {"9223372036854775807.000", true, true, INT64_MAX},
        {"9223372036854775808", true, false, 0},
        {"-9223372036854775808.0", true, true, INT64_MIN},
        {"-9223372036854775809", true, false, 0},
        {"99999999999999999999", true, false, 0},
        {"9999999999999999999.0", true, false, 0},
        {"12345678901234567890123", true, false, 0},
        {"0.00000000000000000001e20", true, true, 1},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        int64_t value = 77;
        const struct writ_json *node = number(rows[at].text);
        bool fits = writ_json_int64(node, &value);
        if (writ_json_is_integral(node) != rows[at].integral || fits != rows[at].fits ||
            value != (fits ? rows[at].value : 77))
            fail_msg("%s: fits %d, value %" PRId64, rows[at].text, fits, value);
    }
}

static void multiples_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *number, *divisor;
        bool expected;
    } rows[] = {
        {"10", "2", true},
        {"7", "2", false},
        {"-9223372036854775808", "1", true},
        {"0", "0.01", true},
        {"-0", "123456789012345678901234567890", true},
        {"0.0075", "0.0001", true},
        {"0.00751", "0.0001", false},
        {"4.5", "1.5", true},
        {"35", "1.5", false},
        {"19.99", "0.01", true},
        {"0.3", "0.1", true},
        {"1.1", "0.1", true},
        {"1e308", "0.123456789", false},
        {"1e308", "0.5", true},
        {"1e400", "1e-400", true},
        {"1e99999999999999999999", "1e-99999999999999999999", true},
        {"1e99999999999999999999", "3", false},
        {"3e99999999999999999999", "3", true},
        {"3e99999999999999999999", "6", true},
        {"1e-99999999999999999999", "3", false},
        {"12391239123", "1e-8", true},
        {"9007199254740993", "3", true},
        {"9007199254740993.0", "2", false},
        {"123456789012345678901234567890", "10", true},
        {"123456789012345678901234567890", "7", true},
        {"123456789012345678901234567891", "7", false},
        {"123456789012345678901234567890", "12345678901234567890123456789", true},
        {"15241578753238836750495351562536198787501905199875019052100", "123456789012345678901234567890", true},
        {"15241578753238836750495351562536198787501905199875019052101", "123456789012345678901234567890", false},
        {"1e60", "1180591620717411303424", false}, /* 2^70 */
        {"1e70", "1180591620717411303424", true},
        {"1e69", "1180591620717411303424", false},
        {"1e5000", "1180591620717411303424", true},
        {"999999999999999999999999999999", "999999999000000000999999999", false},
        {"999999999999999999999999999998000000000000000000000000000001", "999999999999999999999999999999", true},
        {"1000000000", "1000000000000000000000001", false},
        {"5", "0", false},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        if (writ_json_is_multiple(number(rows[at].number), number(rows[at].divisor)) != rows[at].expected)
            fail_msg("%s by %s is not %d", rows[at].number, rows[at].divisor, rows[at].expected);
    }
}

static uint64_t next_random(uint64_t *seed)
{
    uint64_t mixed = (*seed += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return mixed ^ mixed >> 31;
}

/* Products of random decimals, multiplied out by hand, are multiples of each factor; one more is none. */
static void products_are_multiples(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned round = 0; round < 2000; round++) {
        unsigned a[60] = {0}, b[60] = {0}, product[120] = {0};
        size_t length_a = 1 + next_random(&seed) % 60, length_b = 1 + next_random(&seed) % 60;
        for (size_t at = 0; at < length_a; at++)
            a[at] = next_random(&seed) % 3 ? (unsigned)(next_random(&seed) % 10) : 9;
        for (size_t at = 0; at < length_b; at++)
            b[at] = next_random(&seed) % 3 ? (unsigned)(next_random(&seed) % 10) : 0;
        a[length_a - 1] += a[length_a - 1] == 0;
        b[length_b - 1] += b[length_b - 1] == 0;
        for (size_t i = 0; i < length_a; i++)
            for (size_t j = 0; j < length_b; j++)
                product[i + j] += a[i] * b[j];
        size_t length = length_a + length_b;
        for (size_t at = 0; at + 1 < length; at++) {
            product[at + 1] += product[at] / 10;
            product[at] %= 10;
        }
        length -= product[length - 1] == 0;
        char text_a[64], text_product[128];
        for (size_t at = 0; at < length_a; at++)
            text_a[at] = (char)('0' + a[length_a - 1 - at]);
        text_a[length_a] = '\0';
        for (size_t at = 0; at < length; at++)
            text_product[at] = (char)('0' + product[length - 1 - at]);
        text_product[length] = '\0';
        const struct writ_json *divisor = number(text_a);
        if (!writ_json_is_multiple(number(text_product), divisor))
            fail_msg("%s is a multiple of %s", text_product, text_a);
        bool is_one = length_a == 1 && a[0] == 1;
        text_product[length - 1] = (char)(text_product[length - 1] == '9' ? '8' : text_product[length - 1] + 1);
        if (writ_json_is_multiple(number(text_product), divisor) != is_one)
            fail_msg("%s is no multiple of %s", text_product, text_a);
    }
}

/* Numbers as large as documents allow end quickly: this test would not, were the work not bounded. */
static void huge_numbers_cost_little(void **state)
{
    (void)state;
    enum { DIGITS = 1000000 };
    char *text = malloc(DIGITS + 1);
    assert_non_null(text);
    memset(text, '7', DIGITS);
    text[DIGITS] = '\0';
    const struct writ_json *big = number(text);
    text[DIGITS - 1] = '8';
    const struct writ_json *bigger = number(text);
    assert_int_equal(writ_json_compare_numbers(big, bigger), -1);
    assert_false(writ_json_is_multiple(bigger, big));
    assert_true(writ_json_is_multiple(big, number("7")));
    assert_true(writ_json_double(big) == HUGE_VAL);
    text[1] = '.';
    assert_true(writ_json_double(number(text)) == 7.7777777777777777);
    text[0] = '1';
    text[1] = 'e';
    const struct writ_json *steep = number(text);
    assert_int_equal(writ_json_compare_numbers(steep, big), 1);
    assert_true(writ_json_is_multiple(steep, number("1024")));
    assert_true(writ_json_double(steep) == HUGE_VAL);
    free(text);
}

static void doubles_are_the_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double expected;
    } rows[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"-0.0", -0.0},
        {"0.1", 0.1},
        {"-1.5", -1.5},
        {"1e22", 1e22},
        {"1e23", 1e23},
        {"123456789012345e22", 123456789012345e22},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.0", 9007199254740992.0},
        {"9007199254740993.00000000000000000000000000000000000000000001", 9007199254740994.0},
        {"9223372036854775807", 9223372036854775808.0},
        {"1e400", HUGE_VAL},
        {"-1e400", -HUGE_VAL},
        {"1e99999999999999999999", HUGE_VAL},
        {"1e-99999999999999999999", 0.0},
        {"5e-324", 5e-324},
        {"2.4703282292062327e-324", 0.0},
        {"2.4703282292062328e-324", 5e-324},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"1.7976931348623157e308", DBL_MAX},
        {"179769313486231580793728971405301e276", DBL_MAX},
        {"1.7976931348623159e308", HUGE_VAL},
        {"0.000000000000000000000000000000000000000000000000000123e52", 1.23},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        errno = 0;
        double value = writ_json_double(number(rows[at].text));
        if (memcmp(&value, &rows[at].expected, sizeof value) != 0)
            fail_msg("%s reads as %a", rows[at].text, value);
        assert_int_equal(errno, 0);
    }
    /* Just above the middle of two doubles, told only by the last of very many digits. */
    char text[2000];
    int length = snprintf(text, sizeof text, "9007199254740993.");
    memset(text + length, '0', 1500);
    text[length + 1500] = '\0';
    assert_true(writ_json_double(number(text)) == 9007199254740992.0);
    text[length + 1499] = '1';
    assert_true(writ_json_double(number(text)) == 9007199254740994.0);
}

/* Against the C library on random texts of many shapes. */
static void doubles_agree_with_the_library(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned round = 0; round < 20000; round++) {
        char text[64];
        uint64_t digits = next_random(&seed) >> next_random(&seed) % 60;
        int exponent = (int)(next_random(&seed) % 60) - 30;
        if (round % 8 == 0)
            exponent *= 11;
        (void)snprintf(text, sizeof text, "%s%" PRIu64 ".%03ue%d", round % 2 ? "-" : "", digits, round % 1000,
                       exponent);
        assert_true(writ_json_double(number(text)) == strtod(text, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_one_order),
        cmocka_unit_test(integers_are_recognised),
        cmocka_unit_test(multiples_are_exact),
        cmocka_unit_test(products_are_multiples),
        cmocka_unit_test(huge_numbers_cost_little),
        cmocka_unit_test(doubles_are_the_nearest),
        cmocka_unit_test(doubles_agree_with_the_library),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
