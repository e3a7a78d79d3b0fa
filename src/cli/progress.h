/*
 * A line that tells what takes long, on stderr: `| running com.example.x, 3 s of at most 30 s`.
 *
 * It appears after half a second of work, is drawn over at most ten times a second, and is gone before anything else is
 * printed: whoever prints after long work hides it first.  The work itself turns it, through the watch that it is given
 * (base/watch.h), so that nothing runs beside it.  Not drawn while the program is in the background of its terminal.
 *
 * Signals that end the program take the line away first.  Where work must be ended with care, they are held: they make
 * the watch want the end of the work, and do nothing else until they are released.
 */
#ifndef WRIT_CLI_PROGRESS_H
#define WRIT_CLI_PROGRESS_H

#include "base/watch.h"

#include <stdbool.h>

struct cli_progress {
    struct writ_watch watch;
    bool is_shown;
    uint64_t began_ns, drawn_ns; /* of the work since it was last hidden; 0: none yet */
    unsigned turns;
};

/* `shows`: whether anything is ever drawn. */
void cli_progress_init(struct cli_progress *progress, bool shows);
/* Until cli_progress_release SIGINT, SIGTERM and SIGHUP end the work and not the program. */
void cli_progress_hold(struct cli_progress *progress);
/* Hides the line; signals end the program again.  Those that were held are forgotten.  True when there were any. */
bool cli_progress_release(struct cli_progress *progress);
/* Takes the line away, when there is one.  NULL is fine. */
void cli_progress_hide(struct cli_progress *progress);

/* For tests: the line of an activity, without what steers the terminal, cut to `columns`, in `text`. */
void cli_progress_print(const struct writ_activity *activity, unsigned turns, unsigned columns, char *text,
                        size_t bytes);

#endif
