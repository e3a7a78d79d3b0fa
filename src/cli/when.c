#include "cli/when.h"

#include "data/quantity.h"

#include <string.h>

#define DAY_SECONDS 86400
#define DAYS_AGO_MAX 36500

void cli_clock_init(struct cli_clock *clock, const struct cli_context *context)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *clock = (struct cli_clock){.now = now.tv_sec,
                                .utc = context->settings.values[WRIT_SETTING_TIME_ZONE].number == WRIT_TIME_ZONE_UTC,
                                .exact = !context->terminal.out_is_terminal};
}

static void break_down(const struct cli_clock *clock, int64_t seconds, struct tm *ret_time)
{
    time_t at = (time_t)seconds;
    *ret_time = (struct tm){0};
    if (clock->utc)
        (void)gmtime_r(&at, ret_time);
    else
        (void)localtime_r(&at, ret_time);
}

static int64_t put_together(bool utc, struct tm *time)
{
    time->tm_isdst = -1;
    return utc ? timegm(time) : mktime(time);
}

/* Reads digits of a fixed form; `d` stands for one.  Fills `values` with the numbers in turn; what is not there stays.
 */
static const char *read_form(const char *text, const char *form, int *values)
{
    for (size_t number = 0; *form; number++) {
        int value = 0;
        for (; *form == 'd'; form++, text++) {
            if (*text < '0' || *text > '9')
                return NULL;
            value = value * 10 + (*text - '0');
        }
        values[number] = value;
        if (!*form)
            break;
        /* `T` may be a space, and after a whole number the rest may be left out. */
        if (*text != *form && !(*form == 'T' && *text == ' '))
            return text;
        form++;
        text++;
    }
    return text;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leaps = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + leaps;
}

/* A calendar time with as much of the time of day as is there.  NULL when it is none; else what follows it. */
static const char *read_calendar(const char *text, struct tm *ret_time)
{
    int values[6] = {0, 0, 0, 0, 0, 0};
    const char *rest = read_form(text, "dddd-dd-ddTdd:dd:dd", values);
    if (!rest || rest - text < 10 || values[1] < 1 || values[1] > 12 || values[2] < 1 ||
        values[2] > days_in(values[0], values[1]) || values[3] > 23 || values[4] > 59 || values[5] > 60)
        return NULL;
    *ret_time = (struct tm){.tm_year = values[0] - 1900,
                            .tm_mon = values[1] - 1,
                            .tm_mday = values[2],
                            .tm_hour = values[3],
                            .tm_min = values[4],
                            .tm_sec = values[5]};
    return rest;
}

void cli_when_print(const struct cli_clock *clock, const char *stored, char ret_text[CLI_WHEN_BYTES])
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm time, today;
    if (!read_calendar(stored, &time)) {
        (void)snprintf(ret_text, CLI_WHEN_BYTES, "%.19s", stored);
        return;
    }
    break_down(clock, put_together(true, &time), &time);
    break_down(clock, clock->now, &today);
    unsigned month = (unsigned)time.tm_mon % 12, day = (unsigned)time.tm_mday % 32, hour = (unsigned)time.tm_hour % 24,
             minute = (unsigned)time.tm_min % 60, second = (unsigned)time.tm_sec % 61;
    unsigned year = (unsigned)(time.tm_year + 1900) % 10000;
    if (clock->exact)
        (void)snprintf(ret_text, CLI_WHEN_BYTES, "%04u-%02u-%02uT%02u:%02u:%02u", year, month + 1, day, hour, minute,
                       second);
    else if (time.tm_year == today.tm_year && time.tm_yday == today.tm_yday)
        (void)snprintf(ret_text, CLI_WHEN_BYTES, "today %02u:%02u", hour, minute);
    else if (time.tm_year == today.tm_year)
        (void)snprintf(ret_text, CLI_WHEN_BYTES, "%u %s %02u:%02u", day, months[month], hour, minute);
    else
        (void)snprintf(ret_text, CLI_WHEN_BYTES, "%u %s %u %02u:%02u", day, months[month], year, hour, minute);
}

/* `2h`, `1h30m`, `7d`: that long before now. */
static bool read_ago(const struct cli_clock *clock, const char *text, int64_t *ret_seconds)
{
    size_t digits = strspn(text, "0123456789");
    uint64_t ms;
    struct writ_error ignored;
    if (digits == 0 || !text[digits])
        return false;
    if (strcmp(text + digits, "d") == 0) {
        long days = digits <= 5 ? strtol(text, NULL, 10) : DAYS_AGO_MAX + 1;
        *ret_seconds = clock->now - (int64_t)days * DAY_SECONDS;
        return days <= DAYS_AGO_MAX;
    }
    if (writ_duration_parse(text, &ms, &ignored) < 0 || ms / 1000 > (uint64_t)DAYS_AGO_MAX * DAY_SECONDS)
        return false;
    *ret_seconds = clock->now - (int64_t)(ms / 1000);
    return true;
}

/* `today`, `yesterday`, `14:03`: of this day's calendar. */
static bool read_of_today(const struct cli_clock *clock, const char *text, int64_t *ret_seconds)
{
    struct tm time;
    int values[3] = {0, 0, 0};
    break_down(clock, clock->now, &time);
    time.tm_hour = time.tm_min = time.tm_sec = 0;
    const char *rest = read_form(text, "dd:dd:dd", values);
    if (strcmp(text, "yesterday") == 0) {
        time.tm_mday--;
    } else if (rest && !*rest && rest - text >= 5 && values[0] < 24 && values[1] < 60 && values[2] < 61) {
        time.tm_hour = values[0];
        time.tm_min = values[1];
        time.tm_sec = values[2];
    } else if (strcmp(text, "today") != 0) {
        return false;
    }
    *ret_seconds = put_together(clock->utc, &time);
    return true;
}

static bool read_calendar_time(const struct cli_clock *clock, const char *text, int64_t *ret_seconds)
{
    struct tm time;
    const char *rest = read_calendar(text, &time);
    if (!rest)
        return false;
    if (*rest == '.') /* a fraction, as in what is stored */
        rest += 1 + strspn(rest + 1, "0123456789");
    bool utc = clock->utc || strcmp(rest, "Z") == 0;
    *ret_seconds = put_together(utc, &time);
    return *rest == '\0' || strcmp(rest, "Z") == 0;
}

int cli_when_parse(const struct cli_clock *clock, const char *text, char ret_stored[WRIT_TIME_TEXT_BYTES],
                   struct writ_error *error)
{
    int64_t seconds;
    if (!read_of_today(clock, text, &seconds) && !read_ago(clock, text, &seconds) &&
        !read_calendar_time(clock, text, &seconds))
        return writ_error_set(error, WRIT_USAGE,
                              "`%.60s` is no time; write it as in today, 14:03, 2h (ago), 2026-11-30 or "
                              "2026-11-30T12:00",
                              text);
    const struct timespec time = {.tv_sec = (time_t)seconds};
    writ_time_print(&time, ret_stored);
    return 0;
}

void cli_duration_print(struct writ_buffer *out, uint64_t us)
{
    if (us < 10000)
        writ_buffer_printf(out, "%.1f ms", (double)us / 1000);
    else
        writ_duration_print(out, us / 1000 + (us % 1000 >= 500));
}
