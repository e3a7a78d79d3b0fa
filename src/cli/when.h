/*
 * Points in time as people read and write them: `today 14:03`, `12 Nov 09:30`, `12 Nov 2024 09:30` on a terminal, and
 * `2026-11-30T14:03:05` where what is printed may be kept.  In the person's time zone (the C library takes it from TZ
 * or /etc/localtime) or in UTC, as the setting time-zone says.  JSON has the exact times in UTC, as they are stored.
 *
 * Threads: any, once a clock was made.
 */
#ifndef WRIT_CLI_WHEN_H
#define WRIT_CLI_WHEN_H

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"

#define CLI_WHEN_BYTES 32

struct cli_clock {
    int64_t now; /* seconds since 1970 */
    bool utc;
    bool exact; /* no `today` and no names: the same whenever it is read */
};

void cli_clock_init(struct cli_clock *clock, const struct cli_context *context);
/* `stored` is a time as writ_time_print writes it; what is no such time comes out as it is, cut. */
void cli_when_print(const struct cli_clock *clock, const char *stored, char ret_text[CLI_WHEN_BYTES]);
/* Reads `2026-11-30`, `2026-11-30T12:00` (a space will do for the T, `Z` at the end means UTC), `14:03`, `today`,
 * `yesterday`, and `2h`, `30m` or `7d` for so long ago.  Writes it as times are stored.  Error: USAGE. */
int cli_when_parse(const struct cli_clock *clock, const char *text, char ret_stored[WRIT_TIME_TEXT_BYTES],
                   struct writ_error *error) WRIT_MUST_USE;

/* `0.8 ms`, `850 ms`, `1.2 s` */
void cli_duration_print(struct writ_buffer *out, uint64_t us);

#endif
