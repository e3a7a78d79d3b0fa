/*
 * Printing for people: colour and width on a terminal, plain text in a pipe; nothing that came from a skill can steer
 * the terminal.
 */
#ifndef WRIT_CLI_TERMINAL_H
#define WRIT_CLI_TERMINAL_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stdio.h>

struct cli_terminal {
    bool out_is_terminal, err_is_terminal;
    bool out_colour, err_colour;
    bool is_dumb;   /* nothing can be drawn over */
    unsigned width; /* columns of stdout; 0 in a pipe: no limit */
};

enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_GREEN, CLI_YELLOW };

/* Auto: on a terminal.  `no_colour`: NO_COLOR is set and not empty; `dumb`: TERM says that there are no colours. */
void cli_terminal_init(struct cli_terminal *terminal, bool no_colour, bool dumb);
/* The words `always` and `never` overrule what cli_terminal_init found, `auto` leaves it; false: some other word. */
bool cli_terminal_set_colour(struct cli_terminal *terminal, const char *when) WRIT_MUST_USE;

/* Text that may come from anywhere: control characters (C0 but newline and tab, DEL, C1) and invalid UTF-8 become `?`.
 */
void cli_print_safe(FILE *stream, const char *bytes, size_t length);
/* On one line: newlines and tabs become `?` too, so that no text can add a line or a column to what is printed. */
void cli_print_safe_line(FILE *stream, const char *bytes, size_t length);
void cli_print_safe_text(FILE *stream, const char *text);
/* A document and a line end on stdout: safe text on a terminal, byte for byte elsewhere.  False, and nothing printed,
 * when the document is not whole (its buffer failed).  Commands use cli_finish_document. */
bool cli_print_document(const struct writ_buffer *document) WRIT_MUST_USE;
/* Our own words, in a style when that stream has colour. */
void cli_style_begin(const struct cli_terminal *terminal, FILE *stream, enum cli_style style);
void cli_style_end(const struct cli_terminal *terminal, FILE *stream, enum cli_style style);
void cli_print_styled(const struct cli_terminal *terminal, FILE *stream, enum cli_style style, const char *text);
/* Bytes of the character that the text begins with; an invalid byte is one of its own. */
size_t cli_character_length(const char *text) WRIT_PURE;
/* The first character of a text: its bytes (an invalid one has 1) and columns; `ret_safe` is false when it is printed
 * as `?`. */
size_t cli_character(const char *bytes, size_t length, size_t *ret_columns, bool *ret_safe);
/* Columns that the text takes on a terminal (East Asian wide characters are two). */
size_t cli_text_width(const char *text, size_t length);
/* Prints safe text on one line (newlines and tabs become spaces), cut to `width` columns with `…` (width 0: whole),
 * padded with spaces to `pad` columns. */
void cli_print_cut(FILE *stream, const char *text, size_t width, size_t pad);
/* Prints words wrapped at `width` columns (0: never) with an indent and a newline at the end.  Lines break at spaces
 * and between wide characters, but before no closing mark. */
void cli_print_wrapped(FILE *stream, const char *text, unsigned indent, unsigned width);
/* The same for a line whose first `indent` columns are printed already. */
void cli_print_hanging(FILE *stream, const char *text, unsigned indent, unsigned width);
/* Goes on with a line of which `column` columns are printed already; lines that it takes more begin at the indent, and
 * line ends in the text become spaces. */
void cli_print_rest(FILE *stream, const char *text, size_t column, unsigned indent, unsigned width);
/* An item of a list: its name (an option, a flag) and what it means, in two columns where there is room. */
void cli_print_item(FILE *stream, const char *left, const char *text, unsigned width);

#endif
