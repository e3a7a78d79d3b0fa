/* Numbers of the reader: the grammar, and the choice between value and source text. */
#include "data/json_parse.h"

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static char *skip_digits(char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* The rest of a number behind its integer digits. */
static char *skip_fraction(const struct json_parser *parser, char *at)
{
    if (*at == '.') {
        at++;
        if (!is_digit(*at))
            return json_fail(parser, at, "a digit is due after the decimal point");
        at = skip_digits(at);
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        if (!is_digit(*at))
            return json_fail(parser, at, "a digit is due in the exponent");
        at = skip_digits(at);
    }
    return at;
}

char *json_parse_number(const struct json_parser *parser, char *at, struct writ_json *node)
{
    char *start = at;
    bool negative = *at == '-';
    at += negative;
    char *digits = at;
    /* Digits beyond the 19th may overflow this, and are then never looked at. */
    uint64_t value = 0;
    for (unsigned digit; (digit = (unsigned)(unsigned char)*at - '0') < 10; at++)
        value = value * 10 + digit;
    size_t count = (size_t)(at - digits);
    if (WRIT_UNLIKELY(count == 0))
        return json_fail(parser, at, "a digit is due after the minus sign");
    if (WRIT_UNLIKELY(*digits == '0' && count > 1))
        return json_fail(parser, digits, "a number does not begin with zeros: remove them");
    bool has_fraction = *at == '.' || *at == 'e' || *at == 'E';
    if (WRIT_LIKELY(!has_fraction) && count <= 19 && value <= (uint64_t)INT64_MAX + negative &&
        !(negative && value == 0)) {
        *node = (struct writ_json){.kind = WRIT_JSON_INTEGER, .integer = (int64_t)(negative ? -value : value)};
        return at;
    }
    if (has_fraction && !(at = skip_fraction(parser, at)))
        return NULL;
    *node = (struct writ_json){.kind = WRIT_JSON_DECIMAL,
                               .flags = has_fraction ? WRIT_JSON_FLAG_FRACTION : 0,
                               .length = (uint32_t)(at - start),
                               .text = start};
    return at;
}
