/*
 * A number's exact value, as a view of its digits.  Private to src/data.
 *
 * The value is +-0.DDD * 10^(exponent + offset), where DDD are the significant digits: neither the first nor the last
 * of them is 0.  Zero has none.  The exponent is the one written in the source, of any size; the offset comes from
 * where the point stands and is bounded by the length of the source.
 */
#ifndef WRIT_DATA_JSON_DECIMAL_H
#define WRIT_DATA_JSON_DECIMAL_H

#include "data/json.h"

struct json_decimal {
    const char *digits;   /* first significant digit; a point may stand among them */
    size_t count;         /* significant digits, without the point */
    const char *exponent; /* its digits without leading zeros */
    size_t exponent_length;
    int64_t offset;
    bool negative, exponent_negative;
    char room[24]; /* the digits of an integer node */
};

/* The view points into itself for integers: it must not be copied. */
void json_decimal_init(struct json_decimal *decimal, const struct writ_json *number);

/* The digit at *at, which is then moved past it (and past a point before it). */
static inline unsigned json_decimal_digit(const char **at)
{
    if (**at == '.')
        ++*at;
    return (unsigned)(unsigned char)*(*at)++ - '0';
}

/* exponent + offset, that is, the place of the first digit.  Exponents beyond 18 digits are cut to +-10^18: still
 * greater, or less, than everything that a length can add. */
int64_t json_decimal_scale(const struct json_decimal *decimal) WRIT_PURE;

/* The difference of the scales of a and b: exact while it is small, else any number beyond +-10^15 of the right sign.
 */
int64_t json_decimal_scale_difference(const struct json_decimal *a, const struct json_decimal *b) WRIT_PURE;

#endif
