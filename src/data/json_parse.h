/*
 * The reader's parts: json_parse.c is the grammar, json_string.c strings, json_number.c numbers, json_keys.c duplicate
 * keys.  Private to src/data.
 */
#ifndef WRIT_DATA_JSON_PARSE_H
#define WRIT_DATA_JSON_PARSE_H

#include "data/json.h"

/* Zero bytes behind the reader's copy of a document.  A zero byte ends every scan (it may stand nowhere in JSON), and
 * every block or word read that starts inside the text stays inside the padding. */
#define JSON_PADDING_BYTES 32

struct json_parser {
    const char *input; /* the caller's bytes: only for places in errors */
    char *text;        /* the copy in the arena, where strings are unescaped in place */
    char *end;         /* of the copy, at the padding */
    struct writ_error *error;
};

/* Fills the error with the place of `at` in the document and returns NULL. */
char *json_fail(const struct json_parser *parser, const char *at, const char *format, ...) WRIT_PRINTF(3, 4);

/* Read one string or number that starts at `at` (the quotation mark; the digit or minus), fill the node and return
 * where the text goes on, or NULL with the error set. */
char *json_parse_string(const struct json_parser *parser, char *at, struct writ_json *node);
char *json_parse_number(const struct json_parser *parser, char *at, struct writ_json *node);

/* Checks a finished object for two equal keys: 0, or a code with the error set. */
int json_check_keys(const struct json_parser *parser, const struct writ_json *object);

#endif
