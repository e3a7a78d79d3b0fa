/*
 * Words of a command line as a shell reads them back, byte for byte.
 */
#ifndef WRIT_CLI_SHELL_QUOTE_H
#define WRIT_CLI_SHELL_QUOTE_H

#include "base/buffer.h"

/* Appends the word: plain where no shell minds, in single quotes else; with bytes that a terminal would obey or that
 * are no UTF-8, as $'…' with each of those as \ooo, which bash, zsh, ksh and POSIX 2024 read.  The result is one line.
 */
void cli_shell_quote(struct writ_buffer *out, const char *word, size_t length);
/* Appends JSON text with what a terminal would obey written as \uXXXX, which says the same; the text must be JSON. */
void cli_json_make_printable(struct writ_buffer *out, const char *json, size_t length);

#endif
