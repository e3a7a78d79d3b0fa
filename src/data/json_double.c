/*
 * Doubles to the shortest text that reads back the same.
 *
 * The C library prints a given number of digits correctly rounded, and reads correctly; the shortest text is found by
 * asking for more digits until the value comes back.  Any decimal of 15 digits survives a normal double, so that the
 * search begins there (zeros at the end are dropped); subnormal doubles hold fewer digits, and it begins at 1.
 *
 * One value needs more thought: a power of two lies twice as near to its lower neighbour as to its upper one.  The
 * nearest text may then lie below and read as the lower neighbour, while the next text above still reads back.
 *
 * Locales change the decimal point.  Digits are taken from the printed text whatever stands between them, and are read
 * back without a point.
 */
#include "data/json.h"

#include <errno.h>
#include <float.h>
#include <math.h>

#define DIGITS_MAX 17

struct digits {
    char text[DIGITS_MAX + 1];
    int count;
    int exponent; /* of the first digit */
};

static void print_rounded(struct digits *digits, double value, int count)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.*e", count - 1, value);
    digits->count = 0;
    const char *at = text;
    for (; *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9')
            digits->text[digits->count++] = *at;
    }
    digits->exponent = (int)strtol(at + 1, NULL, 10);
}

static bool reads_as(const struct digits *digits, double value)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.*se%d", digits->count, digits->text, digits->exponent - digits->count + 1);
    int saved = errno; /* subnormal values set it */
    double read = strtod(text, NULL);
    errno = saved;
    return read == value;
}

/* Adds one to the last digit. */
static void step_up(struct digits *digits)
{
    int at = digits->count - 1;
    while (at >= 0 && digits->text[at] == '9')
        digits->text[at--] = '0';
    if (at >= 0) {
        digits->text[at]++;
    } else {
        digits->text[0] = '1';
        digits->exponent++;
    }
}

/* `value` is finite and above 0. */
static void find_shortest(struct digits *digits, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool is_power_of_two = (bits & (((uint64_t)1 << 52) - 1)) == 0;
    for (int count = value < DBL_MIN ? 1 : DBL_DIG; count <= DIGITS_MAX; count++) {
        print_rounded(digits, value, count);
        if (reads_as(digits, value))
            break;
        if (is_power_of_two && count < DIGITS_MAX) {
            step_up(digits);
            if (reads_as(digits, value))
                break;
        }
    }
    while (digits->count > 1 && digits->text[digits->count - 1] == '0')
        digits->count--;
}

void writ_json_print_double(struct writ_buffer *out, double value)
{
    if (!isfinite(value)) {
        writ_buffer_append_text(out, "null");
        return;
    }
    char sign[2] = {signbit(value) ? '-' : '\0', '\0'};
    if (value == 0) {
        writ_buffer_printf(out, "%s0", sign);
        return;
    }
    struct digits digits;
    find_shortest(&digits, fabs(value));
    int count = digits.count, point = digits.exponent + 1; /* digits before the point */
    const char *text = digits.text;
    /* Where exponents begin is ECMAScript's choice. */
    if (point > 0 && point <= 21 && count <= point)
        writ_buffer_printf(out, "%s%.*s%.*s", sign, count, text, point - count, "00000000000000000000");
    else if (point > 0 && point <= 21)
        writ_buffer_printf(out, "%s%.*s.%.*s", sign, point, text, count - point, text + point);
    else if (point <= 0 && point > -6)
        writ_buffer_printf(out, "%s0.%.*s%.*s", sign, -point, "00000", count, text);
    else if (count == 1)
        writ_buffer_printf(out, "%s%ce%+d", sign, text[0], point - 1);
    else
        writ_buffer_printf(out, "%s%c.%.*se%+d", sign, text[0], count - 1, text + 1, point - 1);
}
