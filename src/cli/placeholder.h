/*
 * The words that stand for a value in usages and options (`DIR`, `ID`, `text|json`): what each means, for the shells
 * that offer values and for the manual.  A usage is read as people read it: words by spaces, choices by `|`, `[…]` for
 * what may be left out, `...` for what may be repeated.
 *
 * Threads: pure functions over constant tables.
 */
#ifndef WRIT_CLI_PLACEHOLDER_H
#define WRIT_CLI_PLACEHOLDER_H

#include "base/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* What can be offered for a value; several at once, as bits. */
enum cli_offer {
    CLI_OFFER_FILE = 1,
    CLI_OFFER_FOLDER = 2,
    CLI_OFFER_SKILL = 4,    /* the ids that are found */
    CLI_OFFER_VERSION = 8,  /* behind an id and `@`, its versions */
    CLI_OFFER_COMMAND = 16, /* the names of commands */
    CLI_OFFER_CLASS = 32,   /* the classes of errors */
    CLI_OFFER_SETTING = 64, /* the names of settings */
    CLI_OFFER_WORDS = 128,  /* the lower-case words that stand there themselves */
};

struct cli_placeholder {
    const char *word;
    const char *meaning;
    unsigned offers; /* enum cli_offer */
};
/* The vocabulary, sorted by word. */
extern const struct cli_placeholder cli_placeholders[];
extern const size_t cli_placeholder_count;

/* What can be offered for `text`, one value's words (`ID[@VERSION]|DIR`, `auto|always|never`), as bits; 0: nothing. */
unsigned cli_placeholder_offers(const char *text) WRIT_PURE;
/* The value's words in a usage for the positional argument at `index`; a last one with `...` stands for all further
 * ones.  Its length goes to `*ret_length`.  NULL: there is none. */
const char *cli_usage_positional(const char *usage, size_t index, size_t *ret_length) WRIT_PURE;
/* The words themselves among the choices of `text`, one after the other: advances `*cursor` (NULL at the start), gives
 * the word and its length, or false at the end. */
bool cli_placeholder_next_word(const char *text, const char **cursor, const char **ret_word, size_t *ret_length);
/* The first word of `text` that is neither in the vocabulary nor a word itself; NULL: there is none. */
const char *cli_placeholder_unknown(const char *text) WRIT_PURE;

#endif
