#include "data/schema_format.h"

#include "data/pattern.h"
#include "data/uri.h"

#include <string.h>

struct text {
    const char *at, *end;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool take(struct text *text, char c)
{
    if (text->at == text->end || *text->at != c)
        return false;
    text->at++;
    return true;
}

static bool take_either(struct text *text, char a, char b)
{
    return take(text, a) || take(text, b);
}

/* Exactly `digits` digits. */
static bool take_number(struct text *text, unsigned digits, unsigned *ret_number)
{
    unsigned number = 0;
    for (unsigned i = 0; i < digits; i++, text->at++) {
        if (text->at == text->end || !is_digit(*text->at))
            return false;
        number = number * 10 + (unsigned)(*text->at - '0');
    }
    *ret_number = number;
    return true;
}

/* ---- RFC 3339 ---- */

static bool take_date(struct text *text)
{
    static const unsigned days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year, month, day;
    if (!take_number(text, 4, &year) || !take(text, '-') || !take_number(text, 2, &month) || !take(text, '-') ||
        !take_number(text, 2, &day) || month < 1 || month > 12)
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

static bool take_offset(struct text *text, int *ret_minutes)
{
    unsigned hours, minutes;
    *ret_minutes = 0;
    if (take_either(text, 'Z', 'z'))
        return true;
    int sign = take(text, '+') ? 1 : take(text, '-') ? -1 : 0;
    if (!sign || !take_number(text, 2, &hours) || !take(text, ':') || !take_number(text, 2, &minutes) || hours > 23 ||
        minutes > 59)
        return false;
    *ret_minutes = sign * (int)(hours * 60 + minutes);
    return true;
}

static bool take_time(struct text *text)
{
    unsigned hours, minutes, seconds;
    int offset;
    if (!take_number(text, 2, &hours) || !take(text, ':') || !take_number(text, 2, &minutes) || !take(text, ':') ||
        !take_number(text, 2, &seconds) || hours > 23 || minutes > 59 || seconds > 60)
        return false;
    if (take(text, '.')) {
        const char *start = text->at;
        while (text->at < text->end && is_digit(*text->at))
            text->at++;
        if (text->at == start)
            return false;
    }
    if (!take_offset(text, &offset))
        return false;
    /* A leap second is the last of a day in UTC. */
    int utc = ((int)(hours * 60 + minutes) - offset + 2 * 1440) % 1440;
    return seconds < 60 || utc == 1439;
}

static bool is_date(const char *bytes, size_t length)
{
    struct text text = {bytes, bytes + length};
    return take_date(&text) && text.at == text.end;
}

static bool is_time(const char *bytes, size_t length)
{
    struct text text = {bytes, bytes + length};
    return take_time(&text) && text.at == text.end;
}

static bool is_date_time(const char *bytes, size_t length)
{
    struct text text = {bytes, bytes + length};
    return take_date(&text) && take_either(&text, 'T', 't') && take_time(&text) && text.at == text.end;
}

/* Units in order, each at most once, `units` those allowed; returns how many there were, or -1. */
static int take_units(struct text *text, const char *units)
{
    int count = 0;
    while (text->at < text->end && is_digit(*text->at)) {
        while (text->at < text->end && is_digit(*text->at))
            text->at++;
        const char *unit = text->at < text->end && *text->at ? strchr(units, *text->at) : NULL;
        /* RFC 3339 appendix A: no unit may be skipped between two. */
        if (!unit || (count > 0 && unit != units))
            return -1;
        units = unit + 1;
        text->at++;
        count++;
    }
    return count;
}

static bool is_duration(const char *bytes, size_t length)
{
    struct text text = {bytes, bytes + length};
    if (!take(&text, 'P'))
        return false;
    struct text weeks = text;
    if (take_units(&weeks, "W") == 1 && weeks.at == weeks.end)
        return true;
    int dates = take_units(&text, "YMD"), times = 0;
    if (dates >= 0 && take(&text, 'T')) {
        times = take_units(&text, "HMS");
        if (times == 0)
            return false;
    }
    return dates >= 0 && times >= 0 && dates + times > 0 && text.at == text.end;
}

/* ---- names and addresses ---- */

static bool is_hostname(const char *bytes, size_t length)
{
    if (length == 0 || length > 253)
        return false;
    for (size_t start = 0; start <= length;) {
        size_t end = start;
        while (end < length && bytes[end] != '.') {
            if (!is_letter(bytes[end]) && !is_digit(bytes[end]) && bytes[end] != '-')
                return false;
            end++;
        }
        if (end == start || end - start > 63 || bytes[start] == '-' || bytes[end - 1] == '-')
            return false;
        /* Hyphens in the third and fourth place mean an encoding, of which only `xn--` is one. */
        if (end - start >= 4 && bytes[start + 2] == '-' && bytes[start + 3] == '-' &&
            ((bytes[start] | 0x20) != 'x' || (bytes[start + 1] | 0x20) != 'n'))
            return false;
        start = end + 1;
    }
    return true;
}

static bool is_ipv4(const char *bytes, size_t length)
{
    struct text text = {bytes, bytes + length};
    for (unsigned part = 0; part < 4; part++) {
        const char *start = text.at;
        unsigned value = 0;
        if (part > 0 && !take(&text, '.'))
            return false;
        start += part > 0;
        while (text.at < text.end && is_digit(*text.at) && text.at - start < 3)
            value = value * 10 + (unsigned)(*text.at++ - '0');
        if (text.at == start || value > 255 || (*start == '0' && text.at - start > 1))
            return false;
    }
    return text.at == text.end;
}

static bool is_ipv6(const char *bytes, size_t length)
{
    unsigned groups = 0;
    bool gap = false;
    size_t at = 0;
    if (length >= 2 && bytes[0] == ':' && bytes[1] == ':') {
        gap = true;
        at = 2;
    }
    while (at < length) {
        size_t start = at;
        while (at < length && is_hex(bytes[at]) && at - start < 5)
            at++;
        if (at < length && bytes[at] == '.')
            return (gap ? groups <= 5 : groups == 6) && is_ipv4(bytes + start, length - start);
        if (at == start || at - start > 4)
            return false;
        groups++;
        if (at == length)
            break;
        if (bytes[at++] != ':' || at == length)
            return false;
        if (bytes[at] == ':') {
            if (gap)
                return false;
            gap = true;
            at++;
        }
    }
    return gap ? groups <= 7 : groups == 8;
}

static bool is_email(const char *bytes, size_t length)
{
    const char *at = NULL;
    for (size_t i = 0; i < length; i++)
        at = bytes[i] == '@' ? bytes + i : at;
    if (!at || at == bytes || at - bytes > 64)
        return false;
    size_t local = (size_t)(at - bytes), domain = length - local - 1;
    if (bytes[0] == '"') {
        if (local < 2 || bytes[local - 1] != '"')
            return false;
        for (size_t i = 1; i + 1 < local; i++) {
            if (bytes[i] == '\\' && i + 2 < local && (uint8_t)bytes[i + 1] >= 32 && (uint8_t)bytes[i + 1] <= 126)
                i++;
            else if ((uint8_t)bytes[i] < 32 || (uint8_t)bytes[i] > 126 || bytes[i] == '"' || bytes[i] == '\\')
                return false;
        }
    } else {
        for (size_t i = 0; i < local; i++) {
            bool dot = bytes[i] == '.';
            if (dot ? i == 0 || i + 1 == local || bytes[i - 1] == '.'
                    : bytes[i] == '\0' ||
                          (!is_letter(bytes[i]) && !is_digit(bytes[i]) && !strchr("!#$%&'*+-/=?^_`{|}~", bytes[i])))
                return false;
        }
    }
    if (domain > 2 && at[1] == '[' && at[domain] == ']')
        return strncasecmp(at + 2, "IPv6:", 5) == 0 ? is_ipv6(at + 7, domain - 7) : is_ipv4(at + 2, domain - 2);
    return is_hostname(at + 1, domain);
}

static bool is_uuid(const char *bytes, size_t length)
{
    if (length != 36)
        return false;
    for (size_t i = 0; i < length; i++) {
        bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (hyphen ? bytes[i] != '-' : !is_hex(bytes[i]))
            return false;
    }
    return true;
}

/* ---- the rest ---- */

static bool is_uri(const char *bytes, size_t length)
{
    return writ_uri_is_valid(bytes, length, false);
}

static bool is_uri_reference(const char *bytes, size_t length)
{
    return writ_uri_is_valid(bytes, length, true);
}

static bool is_json_pointer(const char *bytes, size_t length)
{
    if (length > 0 && bytes[0] != '/')
        return false;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '~' && (i + 1 == length || (bytes[i + 1] != '0' && bytes[i + 1] != '1')))
            return false;
    }
    return true;
}

static bool is_relative_json_pointer(const char *bytes, size_t length)
{
    size_t digits = 0;
    while (digits < length && is_digit(bytes[digits]))
        digits++;
    if (digits == 0 || (digits > 1 && bytes[0] == '0'))
        return false;
    return (length - digits == 1 && bytes[digits] == '#') || is_json_pointer(bytes + digits, length - digits);
}

/* Compiles the text, which is the one format that allocates: an instance that holds patterns is a schema. */
static bool is_regex(const char *bytes, size_t length)
{
    struct writ_pattern *pattern;
    struct writ_error error;
    if (writ_pattern_compile(bytes, length, &pattern, &error))
        return false;
    writ_pattern_free(pattern);
    return true;
}

static const struct {
    const char *name, *example;
    bool (*holds)(const char *bytes, size_t length);
} formats[] = {
    {"date-time", "a date and time such as 2026-11-30T12:00:00Z", is_date_time},
    {"date", "a date such as 2026-11-30", is_date},
    {"time", "a time with its offset such as 12:00:00Z", is_time},
    {"duration", "a duration such as P1DT12H", is_duration},
    {"email", "an email address such as name@example.com", is_email},
    {"hostname", "a host name such as api.example.com", is_hostname},
    {"ipv4", "an IPv4 address such as 192.0.2.1", is_ipv4},
    {"ipv6", "an IPv6 address such as 2001:db8::1", is_ipv6},
    {"uri", "an absolute URI such as https://example.com/a", is_uri},
    {"uri-reference", "a URI or a relative reference such as ../a", is_uri_reference},
    {"uuid", "a UUID such as 123e4567-e89b-12d3-a456-426614174000", is_uuid},
    {"json-pointer", "a JSON pointer such as /a/0", is_json_pointer},
    {"relative-json-pointer", "a relative JSON pointer such as 1/a", is_relative_json_pointer},
    {"regex", "a regular expression of ECMA-262", is_regex},
};

uint32_t writ_schema_format_find(const char *name)
{
    for (uint32_t i = 0; i < WRIT_COUNT(formats); i++) {
        if (strcmp(formats[i].name, name) == 0)
            return i;
    }
    return SCHEMA_FORMAT_NONE;
}

bool writ_schema_format_holds(uint32_t format, const char *text, size_t length)
{
    return formats[format].holds(text, length);
}

int64_t writ_schema_format_steps(uint32_t format, size_t length)
{
    return formats[format].holds == is_regex ? 500 + 10 * (int64_t)length : 1 + (int64_t)(length / 16);
}

const char *writ_schema_format_example(uint32_t format)
{
    return formats[format].example;
}
