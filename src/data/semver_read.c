#include "data/semver_read.h"

#include <stdarg.h>
#include <string.h>

static bool is_identifier_byte(char c)
{
    return semver_is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
}

const char *semver_read_number(const char **cursor, uint64_t *ret_number)
{
    const char *p = *cursor;
    if (!semver_is_digit(*p))
        return "a number is missing; write three numbers, as in 1.2.0";
    if (*p == '0' && semver_is_digit(p[1]))
        return "a number has a leading zero; write it without";
    uint64_t number = 0;
    for (; semver_is_digit(*p); p++)
        if (WRIT_MUL_OVERFLOWS(number, (uint64_t)10, &number) ||
            WRIT_ADD_OVERFLOWS(number, (uint64_t)(*p - '0'), &number))
            return "a number is too large; at most 18446744073709551615";
    *cursor = p;
    *ret_number = number;
    return NULL;
}

/* Reads identifiers separated by dots.  NULL when they were read, else why not. */
static const char *read_identifiers(const char **cursor, bool numbers_are_strict, char *ret_text, size_t size)
{
    const char *start = *cursor, *p = start;
    for (;;) {
        const char *identifier = p;
        bool numeric = true;
        for (; is_identifier_byte(*p); p++)
            numeric = numeric && semver_is_digit(*p);
        if (p == identifier)
            return "a part after `-` or `+` is empty; use letters, digits and hyphens between dots";
        if (numbers_are_strict && numeric && *identifier == '0' && p - identifier > 1)
            return "a number in the prerelease has a leading zero; write it without";
        if (*p != '.')
            break;
        p++;
    }
    size_t length = (size_t)(p - start);
    if (length >= size)
        return "a prerelease or build part is longer than 127 bytes; shorten it";
    memcpy(ret_text, start, length);
    ret_text[length] = '\0';
    *cursor = p;
    return NULL;
}

const char *semver_read_tail(const char **cursor, char ret_prerelease[SEMVER_TAIL_BYTES],
                             char ret_build[SEMVER_TAIL_BYTES])
{
    const char *reason = NULL;
    if (**cursor == '-') {
        (*cursor)++;
        reason = read_identifiers(cursor, true, ret_prerelease, SEMVER_TAIL_BYTES);
    }
    if (!reason && **cursor == '+') {
        (*cursor)++;
        reason = read_identifiers(cursor, false, ret_build, SEMVER_TAIL_BYTES);
    }
    return reason;
}

int semver_refuse(struct writ_error *error, const char *text, const char *what, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%.100s` is not a %s: %s", text, what, reason);
}
