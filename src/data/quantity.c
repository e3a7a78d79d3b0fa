#include "data/quantity.h"

#include <stdarg.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

WRIT_PRINTF(4, 5)
static int refuse(struct writ_error *error, const char *text, const char *what, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%.100s` is not a %s: %s", text, what, reason);
}

/* ---- numbers ---- */

#define FRACTION_DIGITS_MAX 18 /* as many as 64 bits hold, so that nothing is rounded */

struct decimal {
    uint64_t whole;
    uint64_t fraction, fraction_scale; /* fraction / fraction_scale, the scale a power of ten */
};

/* Reads `12` or `1.5`.  NULL when it was read, else why not. */
static const char *read_decimal(const char **cursor, struct decimal *ret_decimal)
{
    const char *p = *cursor;
    struct decimal decimal = {.fraction_scale = 1};
    if (*p == '-')
        return "it cannot be negative";
    if (!is_digit(*p))
        return "it must begin with a number";
    for (; is_digit(*p); p++)
        if (WRIT_MUL_OVERFLOWS(decimal.whole, (uint64_t)10, &decimal.whole) ||
            WRIT_ADD_OVERFLOWS(decimal.whole, (uint64_t)(*p - '0'), &decimal.whole))
            return "it is too large";
    if (*p == '.') {
        p++;
        if (!is_digit(*p))
            return "a digit must follow the point";
        size_t digits = strspn(p, "0123456789"), used = digits;
        while (used > 0 && p[used - 1] == '0')
            used--;
        if (used > FRACTION_DIGITS_MAX)
            return "it has too many digits after the point";
        for (size_t i = 0; i < used; i++) {
            decimal.fraction = decimal.fraction * 10 + (uint64_t)(p[i] - '0');
            decimal.fraction_scale *= 10;
        }
        p += digits;
    }
    *cursor = p;
    *ret_decimal = decimal;
    return NULL;
}

/* decimal * unit, when the result is whole.  NULL when it is, else why not. */
static const char *multiply(const struct decimal *decimal, uint64_t unit, const char *broken, uint64_t *ret_value)
{
    /* Below 10^18 * 2^40, so it fits. */
    unsigned __int128 scaled = (unsigned __int128)decimal->fraction * unit;
    uint64_t value;
    if (scaled % decimal->fraction_scale)
        return broken;
    if (WRIT_MUL_OVERFLOWS(decimal->whole, unit, &value) ||
        WRIT_ADD_OVERFLOWS(value, (uint64_t)(scaled / decimal->fraction_scale), &value))
        return "it is too large";
    *ret_value = value;
    return NULL;
}

/* ---- sizes ---- */

static const struct {
    char name[4];
    uint64_t bytes;
} size_units[] = {
    {"B", 1},
    {"kB", 1000},
    {"MB", 1000 * 1000},
    {"GB", 1000 * 1000 * 1000},
    {"TB", (uint64_t)1000 * 1000 * 1000 * 1000},
    {"KiB", (uint64_t)1 << 10},
    {"MiB", (uint64_t)1 << 20},
    {"GiB", (uint64_t)1 << 30},
    {"TiB", (uint64_t)1 << 40},
};

int writ_size_parse(const char *text, uint64_t *ret_bytes, struct writ_error *error)
{
    struct decimal decimal;
    const char *cursor = text;
    const char *reason = read_decimal(&cursor, &decimal);
    if (reason)
        return refuse(error, text, "size", "%s; write it as in 512MB or 512MiB", reason);
    int number = (int)(cursor - text);
    cursor += strspn(cursor, " ");
    if (!*cursor)
        return refuse(error, text, "size", "it has no unit; write %.*sMB or %.*sMiB", number, text, number, text);
    for (size_t i = 0; i < WRIT_COUNT(size_units); i++) {
        if (strcmp(cursor, size_units[i].name) != 0)
            continue;
        uint64_t bytes = 0;
        reason = multiply(&decimal, size_units[i].bytes, "it is no whole number of bytes", &bytes);
        if (reason)
            return refuse(error, text, "size", "%s", reason);
        *ret_bytes = bytes;
        return 0;
    }
    /* `512M`, `512mb`, `512 KB`: whether 1000 or 1024 is meant is not for us to guess. */
    char prefix = *cursor >= 'a' && *cursor <= 'z' ? (char)(*cursor - 32) : *cursor;
    if (strchr("KMGT", prefix) && strspn(cursor + 1, "iIbB") == strlen(cursor + 1)) {
        char decimal_prefix = prefix == 'K' ? 'k' : prefix;
        return refuse(error, text, "size", "write %.*s%cB (powers of 1000) or %.*s%ciB (powers of 1024)", number, text,
                      decimal_prefix, number, text, prefix);
    }
    return refuse(error, text, "size", "`%.20s` is no unit; use B, kB, MB, GB, TB or KiB, MiB, GiB, TiB", cursor);
}

/* ---- durations ---- */

static const struct {
    char name[4];
    uint64_t ms;
} time_units[] = {{"h", 3600 * 1000}, {"m", 60 * 1000}, {"s", 1000}, {"ms", 1}};

/* The unit at the cursor, which moves behind it.  WRIT_COUNT(time_units) when there is none. */
static size_t read_time_unit(const char **cursor)
{
    size_t length = 0;
    while (is_letter((*cursor)[length]))
        length++;
    size_t unit = 0;
    while (unit < WRIT_COUNT(time_units) &&
           (strlen(time_units[unit].name) != length || strncmp(*cursor, time_units[unit].name, length) != 0))
        unit++;
    if (unit < WRIT_COUNT(time_units))
        *cursor += length;
    return unit;
}

int writ_duration_parse(const char *text, uint64_t *ret_ms, struct writ_error *error)
{
    static const char form[] = "write it as in 30s, 250ms, 2m or 1m30s";
    static const char broken[] = "it is finer than a millisecond";
    const char *cursor = text;
    uint64_t total = 0;
    size_t units_used = 0; /* units must go down, so that each stands once */
    do {
        struct decimal decimal;
        uint64_t ms = 0;
        const char *reason = read_decimal(&cursor, &decimal);
        if (reason)
            return refuse(error, text, "duration", "%s; %s", reason, form);
        if (!*cursor && units_used == 0) {
            reason = multiply(&decimal, 1000, broken, &total);
            if (reason)
                return refuse(error, text, "duration", "%s", reason);
            break;
        }
        cursor += strspn(cursor, " ");
        size_t unit = read_time_unit(&cursor);
        if (unit == WRIT_COUNT(time_units))
            return *cursor ? refuse(error, text, "duration", "`%.20s` is no unit; use ms, s, m or h", cursor)
                           : refuse(error, text, "duration", "its last number has no unit; %s", form);
        if (unit < units_used)
            return refuse(error, text, "duration", "units go from h to m to s to ms, each once; %s", form);
        units_used = unit + 1;
        reason = multiply(&decimal, time_units[unit].ms, broken, &ms);
        if (!reason && WRIT_ADD_OVERFLOWS(total, ms, &total))
            reason = "it is too large";
        if (reason)
            return refuse(error, text, "duration", "%s", reason);
        cursor += strspn(cursor, " ");
    } while (*cursor);
    *ret_ms = total;
    return 0;
}

/* ---- printing ---- */

/* `tenths` with a point, without `.0`. */
static void print_tenths(struct writ_buffer *out, uint64_t tenths, const char *unit)
{
    writ_buffer_printf(out, "%llu", (unsigned long long)(tenths / 10));
    if (tenths % 10)
        writ_buffer_printf(out, ".%u", (unsigned)(tenths % 10));
    writ_buffer_printf(out, " %s", unit);
}

void writ_size_print(struct writ_buffer *out, uint64_t bytes)
{
    static const char *const binary[] = {"KiB", "MiB", "GiB", "TiB"};
    static const char *const decimal[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    /* What was given in powers of 1024, as limits are, reads as it was given. */
    for (unsigned i = WRIT_COUNT(binary); i-- > 0;) {
        uint64_t unit = (uint64_t)1 << (10 * (i + 1));
        if (bytes >= unit && bytes % unit == 0 && (bytes / unit < 1024 || i + 1 == WRIT_COUNT(binary))) {
            writ_buffer_printf(out, "%llu %s", (unsigned long long)(bytes / unit), binary[i]);
            return;
        }
    }
    size_t step = 0;
    uint64_t unit = 1;
    while (step + 1 < WRIT_COUNT(decimal) && bytes / unit >= 1000) {
        unit *= 1000;
        step++;
    }
    uint64_t tenths = bytes / unit * 10 + (unit > 1 ? (bytes % unit + unit / 20) / (unit / 10) : 0);
    /* 999.95 kB rounds to 1 MB. */
    if (tenths >= 10000 && step + 1 < WRIT_COUNT(decimal)) {
        tenths /= 1000;
        step++;
    }
    print_tenths(out, tenths, decimal[step]);
}

void writ_duration_print(struct writ_buffer *out, uint64_t ms)
{
    if (ms < 1000) {
        writ_buffer_printf(out, "%llu ms", (unsigned long long)ms);
        return;
    }
    if (ms < 59950) {
        print_tenths(out, (ms + 50) / 100, "s");
        return;
    }
    uint64_t seconds = ms / 1000 + (ms % 1000 >= 500);
    uint64_t minutes = seconds / 60;
    if (minutes < 60) {
        writ_buffer_printf(out, "%llu min", (unsigned long long)minutes);
        if (seconds % 60)
            writ_buffer_printf(out, " %llu s", (unsigned long long)(seconds % 60));
        return;
    }
    minutes += seconds % 60 >= 30; /* from an hour on seconds are noise */
    writ_buffer_printf(out, "%llu h", (unsigned long long)(minutes / 60));
    if (minutes % 60)
        writ_buffer_printf(out, " %llu min", (unsigned long long)(minutes % 60));
}
