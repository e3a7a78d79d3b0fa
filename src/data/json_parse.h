/*
 * The reader's parts: json_parse.c is the grammar, json_string.c strings, json_number.c numbers, json_keys.c duplicate
 * keys.  Private to src/data.
 */
#ifndef WRIT_DATA_JSON_PARSE_H
#define WRIT_DATA_JSON_PARSE_H

#include "data/json.h"
#include "data/json_scan.h"

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

/* Makes the node of the string [start, close) and terminates it. */
static inline void json_set_string(struct writ_json *node, char *start, char *close, unsigned flags)
{
    size_t length = (size_t)(close - start);
    /* One store of one word: the tag is soon read as such.  The hash reads words that contain *close, so that it comes
     * before that is written: a load behind a smaller store to the same place has to wait for it. */
    uint64_t tag =
        WRIT_JSON_STRING | flags << 8 | (uint32_t)json_hash_padded(start, length) << 16 | (uint64_t)length << 32;
    *node = (struct writ_json){.tag = tag, .text = start};
    *close = '\0';
}

/* The rest of a string that is not plain ASCII from `at` on. */
char *json_parse_string_rest(const struct json_parser *parser, char *start, char *at, struct writ_json *node);

/* Each of these reads what starts at `at` (the quotation mark; the digit or minus), fills the node and returns where
 * the text goes on, or NULL with the error set. */
static inline char *json_parse_string(const struct json_parser *parser, char *at, struct writ_json *node)
{
    char *start = at + 1, *close = start;
    size_t plain;
    while ((plain = json_scan_plain(close)) == JSON_SCAN_BYTES)
        close += JSON_SCAN_BYTES;
    close += plain;
    if (WRIT_UNLIKELY(*close != '"'))
        return json_parse_string_rest(parser, start, close, node);
    json_set_string(node, start, close, WRIT_JSON_FLAG_ASCII | WRIT_JSON_FLAG_PLAIN);
    return close + 1;
}

char *json_parse_number(const struct json_parser *parser, char *at, struct writ_json *node);

/* The keys that an open object has so far, as bits chosen by their hashes: a key whose bit is not set is a new one. */
struct json_key_filter {
    uint64_t bits[4];
    bool wants_sorting; /* keys must be compared when the object is complete */
};
/* The bit of `key`, the newest of `object`, was set already: compares it with the others, or puts that off while there
 * are many.  0, or a code with the error set when it occurs twice. */
int json_check_key(const struct json_parser *parser, const struct writ_json *object, const struct writ_json *key,
                   struct json_key_filter *filter);
/* Compares all keys of an object whose content ends at `end`: 0, or a code with the error set when two are equal. */
int json_check_keys(const struct json_parser *parser, const struct writ_json *object, const struct writ_json *end);

#endif
