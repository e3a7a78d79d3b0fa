#include "base/text.h"

#include <string.h>

/* ---- UTF-8 ---- */

/* Length of the well-formed sequence at `p`, of at most `left` bytes; 0 when it is none.  The second byte's range is
 * what excludes overlong forms, surrogates and what lies beyond U+10FFFF (Unicode, table 3-7). */
static size_t sequence_length(const unsigned char *p, size_t left)
{
    unsigned char lead = p[0];
    if (lead < 0x80)
        return 1;
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > left)
        return 0;
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

size_t writ_utf8_valid_length(const char *bytes, size_t length)
{
    const unsigned char *p = (const unsigned char *)bytes;
    size_t at = 0;
    while (at < length) {
        uint64_t word;
        if (length - at >= sizeof word) {
            memcpy(&word, p + at, sizeof word);
            if ((word & 0x8080808080808080u) == 0) {
                at += sizeof word;
                continue;
            }
        }
        size_t step = sequence_length(p + at, length - at);
        if (step == 0)
            break;
        at += step;
    }
    return at;
}

bool writ_utf8_is_valid(const char *bytes, size_t length)
{
    return writ_utf8_valid_length(bytes, length) == length;
}

size_t writ_utf8_count(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
    return count;
}

/* ---- nearest names ---- */

#define NAME_BYTES_MAX ((size_t)127) /* longer names get no hint: rows live on the stack */

static unsigned char lower(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + 32) : byte;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: insertions, deletions, replacements and swaps of neighbours each cost 1.  Only three rows
 * of the table are ever needed. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NAME_BYTES_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3], *twice_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned char x = lower(a[i - 1]), y = lower(b[j - 1]);
            size_t cost = above[j - 1] + (x != y);
            cost = least(cost, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                cost = least(cost, twice_above[j - 2] + 1);
            row[j] = cost;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *writ_nearest_name(const char *name, const char *const *candidates, size_t count)
{
    size_t length = strnlen(name, NAME_BYTES_MAX + 1);
    if (length == 0 || length > NAME_BYTES_MAX)
        return NULL;
    size_t best = (length / 3 ? length / 3 : 1) + 1; /* the first of equals wins */
    const char *nearest = NULL;
    for (size_t i = 0; i < count && best > 0; i++) {
        size_t other = strnlen(candidates[i], NAME_BYTES_MAX + 1);
        size_t apart = other > length ? other - length : length - other;
        if (other > NAME_BYTES_MAX || apart >= best) /* the difference in length alone already costs that much */
            continue;
        size_t cost = distance(name, length, candidates[i], other);
        /* Where every letter would be another one there is no likeness to hint at. */
        if (cost >= best || cost >= length)
            continue;
        best = cost;
        nearest = candidates[i];
    }
    return nearest;
}

const char *writ_certain_name(const char *name, const char *const *candidates, size_t count)
{
    const char *nearest = writ_nearest_name(name, candidates, count);
    if (!nearest)
        return NULL;
    size_t length = strlen(name), cost = distance(name, length, nearest, strlen(nearest));
    if (cost > 0 && length < 4)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strnlen(candidates[i], NAME_BYTES_MAX + 1);
        if (other <= NAME_BYTES_MAX && strcmp(candidates[i], nearest) != 0 &&
            distance(name, length, candidates[i], other) < cost + 2)
            return NULL;
    }
    return nearest;
}

/* ---- time ---- */

static char *put_digits(char *to, unsigned width, uint64_t value)
{
    for (unsigned i = width; i-- > 0; value /= 10)
        to[i] = (char)('0' + value % 10);
    return to + width;
}

/* gmtime_r is not used: glibc's reads TZ from the environment and may open the zone file. */
void writ_time_print(const struct timespec *time, char ret_text[WRIT_TIME_TEXT_BYTES])
{
    /* Years 0000 to 9999 have the form; what lies outside is clamped to its ends. */
    const int64_t first = -62167219200, last = 253402300799;
    int64_t seconds = time->tv_sec;
    uint64_t ms = time->tv_nsec < 0 ? 0 : (uint64_t)time->tv_nsec / 1000000;
    ms = ms > 999 ? 999 : ms;
    if (seconds < first)
        seconds = first, ms = 0;
    if (seconds > last)
        seconds = last, ms = 999;
    uint64_t since = (uint64_t)(seconds - first);
    uint64_t day = since / 86400, second = since % 86400;
    /* Years are counted from March, so that the leap day comes last; 0000-03-01 is day 60 of the count. */
    uint64_t shifted = day + 400 * 365 + 97 - 60;
    uint64_t era = shifted / 146097, in_era = shifted % 146097;
    uint64_t in_era_year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    uint64_t in_year = in_era - (365 * in_era_year + in_era_year / 4 - in_era_year / 100);
    uint64_t march_month = (5 * in_year + 2) / 153;
    uint64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
    uint64_t year = era * 400 + in_era_year + (month <= 2) - 400;
    char *p = ret_text;
    p = put_digits(p, 4, year);
    *p++ = '-';
    p = put_digits(p, 2, month);
    *p++ = '-';
    p = put_digits(p, 2, in_year - (153 * march_month + 2) / 5 + 1);
    *p++ = 'T';
    p = put_digits(p, 2, second / 3600);
    *p++ = ':';
    p = put_digits(p, 2, second / 60 % 60);
    *p++ = ':';
    p = put_digits(p, 2, second % 60);
    *p++ = '.';
    p = put_digits(p, 3, ms);
    *p++ = 'Z';
    *p = '\0';
}
