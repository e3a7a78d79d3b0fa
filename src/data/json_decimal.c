/* Exact values of numbers: view, order, integers, nearest double.  Nothing here allocates. */
#include "data/json_decimal.h"

#include <errno.h>

#define EXPONENT_FAR ((int64_t)1000000000000000000)  /* 10^18 */
#define DIFFERENCE_FAR ((int64_t)100000000000000000) /* 10^17 */

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static void init_from_text(struct json_decimal *decimal, const char *at, const char *end)
{
    *decimal = (struct json_decimal){.negative = at < end && *at == '-'};
    at += decimal->negative;
    const char *last = NULL; /* behind the last digit that is not 0 */
    size_t digits = 0, before_point = 0, before_first = 0, before_last = 0;
    bool has_point = false;
    for (; at < end && (*at == '.' || is_digit(*at)); at++) {
        if (*at == '.') {
            has_point = true;
            before_point = digits;
            continue;
        }
        if (*at != '0') {
            if (!last) {
                decimal->digits = at;
                before_first = digits;
            }
            last = at + 1;
            before_last = digits + 1;
        }
        digits++;
    }
    if (!has_point)
        before_point = digits;
    if (!last)
        return;
    decimal->count = before_last - before_first;
    decimal->offset = (int64_t)before_point - (int64_t)before_first;
    if (at == end)
        return;
    at++;
    decimal->exponent_negative = *at == '-';
    at += *at == '-' || *at == '+';
    while (at < end && *at == '0')
        at++;
    decimal->exponent = at;
    decimal->exponent_length = (size_t)(end - at);
}

void json_decimal_init(struct json_decimal *decimal, const struct writ_json *number)
{
    if (number->kind == WRIT_JSON_DECIMAL) {
        init_from_text(decimal, number->text, number->text + number->length);
        return;
    }
    bool negative = number->integer < 0;
    uint64_t magnitude = negative ? -(uint64_t)number->integer : (uint64_t)number->integer;
    *decimal = (struct json_decimal){.negative = negative};
    char *at = decimal->room + sizeof decimal->room;
    for (; magnitude; magnitude /= 10)
        *--at = (char)('0' + magnitude % 10);
    decimal->digits = at;
    decimal->count = (size_t)(decimal->room + sizeof decimal->room - at);
    decimal->offset = (int64_t)decimal->count;
    while (decimal->count > 0 && at[decimal->count - 1] == '0')
        decimal->count--;
}

int64_t json_decimal_scale(const struct json_decimal *decimal)
{
    int64_t exponent = 0;
    if (decimal->exponent_length > 18)
        exponent = EXPONENT_FAR;
    else
        for (size_t at = 0; at < decimal->exponent_length; at++)
            exponent = exponent * 10 + (decimal->exponent[at] - '0');
    return decimal->offset + (decimal->exponent_negative ? -exponent : exponent);
}

/* The signed digit of weight 10^place in the exponent. */
static int exponent_digit(const struct json_decimal *decimal, size_t place)
{
    if (place >= decimal->exponent_length)
        return 0;
    int digit = decimal->exponent[decimal->exponent_length - 1 - place] - '0';
    return decimal->exponent_negative ? -digit : digit;
}

int64_t json_decimal_scale_difference(const struct json_decimal *a, const struct json_decimal *b)
{
    size_t places = a->exponent_length > b->exponent_length ? a->exponent_length : b->exponent_length;
    int64_t difference = 0;
    while (places > 0) {
        places--;
        difference = difference * 10 + exponent_digit(a, places) - exponent_digit(b, places);
        /* The digits still to come change the difference by less than 18 times its unit, so that it stays beyond. */
        if (difference > DIFFERENCE_FAR || difference < -DIFFERENCE_FAR)
            break;
    }
    return difference + a->offset - b->offset;
}

/* Compares the digits of two numbers of the same scale. */
static int compare_digits(const struct json_decimal *a, const struct json_decimal *b)
{
    size_t common = a->count < b->count ? a->count : b->count;
    const char *at_a = a->digits, *at_b = b->digits;
    for (size_t at = 0; at < common; at++) {
        unsigned digit_a = json_decimal_digit(&at_a), digit_b = json_decimal_digit(&at_b);
        if (digit_a != digit_b)
            return digit_a < digit_b ? -1 : 1;
    }
    return a->count == b->count ? 0 : a->count < b->count ? -1 : 1;
}

int writ_json_compare_numbers(const struct writ_json *a, const struct writ_json *b)
{
    if (a->kind == WRIT_JSON_INTEGER && b->kind == WRIT_JSON_INTEGER)
        return a->integer == b->integer ? 0 : a->integer < b->integer ? -1 : 1;
    struct json_decimal left, right;
    json_decimal_init(&left, a);
    json_decimal_init(&right, b);
    int sign_left = left.count == 0 ? 0 : left.negative ? -1 : 1;
    int sign_right = right.count == 0 ? 0 : right.negative ? -1 : 1;
    if (sign_left != sign_right)
        return sign_left < sign_right ? -1 : 1;
    if (sign_left == 0)
        return 0;
    int64_t difference = json_decimal_scale_difference(&left, &right);
    int order = difference != 0 ? (difference < 0 ? -1 : 1) : compare_digits(&left, &right);
    return sign_left * order;
}

bool writ_json_is_integral(const struct writ_json *number)
{
    if (number->kind == WRIT_JSON_INTEGER || !(number->flags & WRIT_JSON_FLAG_FRACTION))
        return true;
    struct json_decimal decimal;
    json_decimal_init(&decimal, number);
    return decimal.count == 0 || json_decimal_scale(&decimal) >= (int64_t)decimal.count;
}

bool writ_json_int64(const struct writ_json *number, int64_t *ret_value)
{
    if (number->kind == WRIT_JSON_INTEGER) {
        *ret_value = number->integer;
        return true;
    }
    struct json_decimal decimal;
    json_decimal_init(&decimal, number);
    int64_t scale = json_decimal_scale(&decimal);
    if (decimal.count == 0) {
        *ret_value = 0;
        return true;
    }
    if (scale < (int64_t)decimal.count || scale > 19)
        return false;
    /* At most 19 digits: the magnitude fits 64 bits without a sign. */
    uint64_t magnitude = 0;
    const char *at = decimal.digits;
    for (int64_t place = 0; place < scale; place++)
        magnitude = magnitude * 10 + (place < (int64_t)decimal.count ? json_decimal_digit(&at) : 0);
    if (magnitude > (uint64_t)INT64_MAX + decimal.negative)
        return false;
    *ret_value = (int64_t)(decimal.negative ? -magnitude : magnitude);
    return true;
}

/*
 * The nearest double of any decimal, by strtod on a bounded text.  767 digits decide every double; what follows them
 * only matters in not being zero, for which one digit more stands.  The text has no point, so that no locale can change
 * how it is read.
 */
#define DOUBLE_DIGITS_MAX 768
#define DOUBLE_SCALE_MAX 20000

static double read_slowly(const struct json_decimal *decimal, int64_t scale)
{
    char text[DOUBLE_DIGITS_MAX + 32];
    size_t used = decimal->count < DOUBLE_DIGITS_MAX ? decimal->count : DOUBLE_DIGITS_MAX;
    const char *at = decimal->digits;
    size_t length = 0;
    while (length < used)
        text[length++] = (char)('0' + json_decimal_digit(&at));
    if (used < decimal->count)
        text[length++] = '1';
    if (scale > DOUBLE_SCALE_MAX)
        scale = DOUBLE_SCALE_MAX;
    if (scale < -DOUBLE_SCALE_MAX)
        scale = -DOUBLE_SCALE_MAX;
    (void)snprintf(text + length, sizeof text - length, "e%d", (int)scale - (int)length);
    int saved = errno; /* strtod reports out of range there; the result itself says it here */
    double value = strtod(text, NULL);
    errno = saved;
    return value;
}

double writ_json_double(const struct writ_json *number)
{
    /* Powers of ten that a double holds exactly. */
    static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number->kind == WRIT_JSON_INTEGER)
        return (double)number->integer;
    struct json_decimal decimal;
    json_decimal_init(&decimal, number);
    double value;
    int64_t scale = json_decimal_scale(&decimal);
    int64_t power = scale - (int64_t)decimal.count;
    if (decimal.count <= 15 && power >= -22 && power <= 22) {
        /* Both operands are exact, so that the one operation rounds correctly. */
        int64_t digits = 0;
        const char *at = decimal.digits;
        for (size_t place = 0; place < decimal.count; place++)
            digits = digits * 10 + json_decimal_digit(&at);
        value = power < 0 ? (double)digits / exact_powers[-power] : (double)digits * exact_powers[power];
    } else {
        value = read_slowly(&decimal, scale);
    }
    return decimal.negative ? -value : value;
}
