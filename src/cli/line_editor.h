/*
 * Editing of one line, apart from the terminal: keys in, bytes for the screen out.
 *
 * Theory.  The terminal delivers keys one by one and echoes nothing, since the kernel's own editing does not know how
 * wide characters are.  What is shown of the text is kept; after each key only what differs is printed, with backspaces
 * and nothing else, so that it works on any terminal, a dumb one too.  A text wider than the line is shown through a
 * window that follows the cursor.
 *
 * Keys: Left and Right, Home and End (Ctrl-A, Ctrl-E), Backspace, Delete, Ctrl-U and Ctrl-K (to the start, to the end),
 * Ctrl-W (the word before), Enter, Ctrl-D in an empty line (the end), Tab.
 *
 * What is pasted (a terminal that was told to puts it between ESC [ 200 ~ and ESC [ 201 ~) is text through and through:
 * its line ends do not end the line, and a last one is left out.
 *
 * Threads: one thread at a time.
 */
#ifndef WRIT_CLI_LINE_EDITOR_H
#define WRIT_CLI_LINE_EDITOR_H

#include "base/buffer.h"

#define CLI_LINE_BYTES_MAX ((size_t)1 << 20)

enum cli_line_event {
    CLI_LINE_GOES_ON,
    CLI_LINE_DONE, /* Enter */
    CLI_LINE_END,  /* Ctrl-D, nothing typed */
    CLI_LINE_TAB,
    CLI_LINE_REDRAW, /* Ctrl-L */
};

struct cli_line {
    struct writ_buffer text;
    size_t cursor; /* bytes before it */
    bool hidden;   /* nothing is shown */
    bool pasting;
    bool overflowed; /* more was typed than fits, and was dropped */
    size_t room;     /* columns for the text */
    /* what is on the screen */
    struct writ_buffer shown;
    size_t shown_columns; /* before the cursor */
    size_t first;         /* byte that the window begins with */
    /* a key of several bytes */
    char pending[8];
    size_t pending_length;
};

void cli_line_init(struct cli_line *line, bool hidden);
/* Frees; what was typed is overwritten. */
void cli_line_clear(struct cli_line *line);

/* Takes one byte of what the terminal delivers. */
enum cli_line_event cli_line_feed(struct cli_line *line, char byte);
/* Puts a text at the cursor. */
void cli_line_insert(struct cli_line *line, const char *bytes, size_t length);
/* Appends what brings the screen up to date, where the prompt is followed by `room` columns.  `afresh`: nothing of the
 * text stands there. */
void cli_line_draw(struct cli_line *line, size_t room, bool afresh, struct writ_buffer *out);

#endif
