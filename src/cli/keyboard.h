/*
 * Reading lines from a person at a terminal: keys from stdin, prompt and echo on stderr, so that stdout stays what the
 * command prints.
 *
 * While it is open the terminal hands over single keys without echo, and the signals that end or stop a program are
 * caught, so that the terminal is as it was before whatever happens: on Ctrl-C, SIGTERM and SIGHUP a read says so, on
 * Ctrl-Z the program stops and afterwards goes on where it was, on Ctrl-\ it ends as it would have.  (Only SIGKILL
 * leaves the terminal as it is.)
 */
#ifndef WRIT_CLI_KEYBOARD_H
#define WRIT_CLI_KEYBOARD_H

#include "base/buffer.h"
#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

struct cli_keyboard {
    struct termios before;
    sigset_t mask_before;
    bool is_open;
    bool marks_pastes; /* the terminal was told to */
    int signal_fd;
    char keys[512]; /* that were read ahead */
    size_t key_count, key_at;
};

enum cli_reading {
    CLI_READ_LINE,
    CLI_READ_END,         /* Ctrl-D, or the terminal is gone */
    CLI_READ_INTERRUPTED, /* Ctrl-C and friends */
    CLI_READ_OVERFLOWED,  /* a line, but longer than cli_line takes */
};

/* Tab: appends to `ret_text` what is to be put at the cursor, or to `ret_listing` what may follow, which is shown. */
typedef void cli_keyboard_complete(void *context, const char *before, size_t length, struct writ_buffer *ret_text,
                                   struct writ_buffer *ret_listing);

struct cli_keyboard_line {
    const char *prompt;              /* anything; printed as safe text, cut to half of the terminal's width */
    bool hidden;                     /* nothing of what is typed is shown */
    cli_keyboard_complete *complete; /* NULL: Tab is passed over */
    void *context;
};

/* stdin and stderr must be terminals; `dumb`: one that knows no escape sequences.  Error: INTERNAL_IO. */
int cli_keyboard_open(struct cli_keyboard *keyboard, bool dumb, struct writ_error *error) WRIT_MUST_USE;
/* Puts the terminal back; fine when it is not open. */
void cli_keyboard_close(struct cli_keyboard *keyboard);
/* Columns of stderr's terminal now. */
unsigned cli_keyboard_columns(void);

/* Reads one line into `text`, without its end.  What stderr holds back is printed first. */
enum cli_reading cli_keyboard_read(struct cli_keyboard *keyboard, const struct cli_keyboard_line *line,
                                   struct writ_buffer *text);

#endif
