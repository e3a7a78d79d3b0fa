/*
 * JSON (RFC 8259): strict reader into an arena, exact printer, streaming writer.
 *
 * Theory.  A document is one flat array of 16-byte nodes in document order.  A scalar is one node.  A container is its
 * own node followed by all nodes of its content; `skip` leads past them, so that walking the children of a container
 * and leaping over a child are both one addition.  An object's content is key, value, key, value.  Nodes are immutable
 * after parsing: a changed document is written anew with the writer.
 *
 * The first eight bytes of a string node (`tag`) hold kind, flags, a 16-bit hash of the text and its length.  Two
 * strings whose tags differ differ; equal tags want one memcmp.  Schema checks compare compiled tags with these.
 *
 * Exactness.  An integer whose shortest decimal form is its source text and which fits int64 is kept as value
 * (WRIT_JSON_INTEGER); every other number (decimals, exponents, -0, beyond int64) keeps its source text
 * (WRIT_JSON_DECIMAL).  Both print back byte for byte.
 *
 * Refused, with line and column (bytes, 1-based): duplicate keys, NaN and Infinity, lone surrogates, invalid UTF-8
 * (overlong, surrogates, beyond U+10FFFF), control characters in strings, a byte order mark, comments, trailing commas
 * or text, depth over 128, more than WRIT_JSON_BYTES_MAX bytes or than the arena's maximum leaves room for (a document
 * needs its own length and 16 bytes for each value and key).
 *
 * Threads: a parsed document is read-only and may be shared.
 */
#ifndef WRIT_DATA_JSON_H
#define WRIT_DATA_JSON_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

#include <stdbool.h>
#include <string.h>

#define WRIT_JSON_DEPTH_MAX 128
/* Largest document the reader takes: node offsets are 32 bit. */
#define WRIT_JSON_BYTES_MAX ((size_t)1 << 30)

enum writ_json_kind {
    WRIT_JSON_NULL = 1,
    WRIT_JSON_FALSE,
    WRIT_JSON_TRUE,
    WRIT_JSON_INTEGER, /* number, value in `integer` */
    WRIT_JSON_DECIMAL, /* number, source text in `text`, tag length is its length */
    WRIT_JSON_STRING,
    WRIT_JSON_ARRAY,
    WRIT_JSON_OBJECT,
};

struct writ_json {
    union {
        uint64_t tag;
        struct {
            uint8_t kind;    /* enum writ_json_kind */
            uint8_t flags;   /* see WRIT_JSON_FLAG_* */
            uint16_t hash;   /* strings: hash of the text; else 0 */
            uint32_t length; /* strings, decimals: bytes; arrays: elements; objects: members */
        };
    };
    union {
        const char *text; /* strings: NUL-terminated (a NUL may also be inside); decimals: not terminated */
        int64_t integer;
        uint64_t skip; /* containers: nodes from this one to the next sibling, at least 1 */
    };
};
_Static_assert(sizeof(struct writ_json) == 16, "a node is 16 bytes");

#define WRIT_JSON_FLAG_ASCII 1    /* string: all bytes below 0x80, so length is also the count of characters */
#define WRIT_JSON_FLAG_PLAIN 2    /* string: prints without any escape */
#define WRIT_JSON_FLAG_FRACTION 4 /* decimal: source has `.` or an exponent */

/* Parses exactly one document.  `bytes` need not be NUL-terminated and is not kept: everything lives in `arena`.
 * Errors: DATA_SYNTAX with line and column (the caller names the subject), INTERNAL_LIMIT, INTERNAL_MEMORY. */
int writ_json_parse(struct writ_arena *arena, const char *bytes, size_t length, const struct writ_json **ret_root,
                    struct writ_error *error) WRIT_MUST_USE;

/* ---- walking ---- */
static inline bool writ_json_is_container(const struct writ_json *node)
{
    return node->kind >= WRIT_JSON_ARRAY;
}
static inline bool writ_json_is_number(const struct writ_json *node)
{
    return node->kind == WRIT_JSON_INTEGER || node->kind == WRIT_JSON_DECIMAL;
}
/* The node after this one and all its content. */
static inline const struct writ_json *writ_json_next(const struct writ_json *node)
{
    return node + (writ_json_is_container(node) ? node->skip : 1);
}
/* First node of a container's content (an object's first key).  Only while there are children. */
static inline const struct writ_json *writ_json_first(const struct writ_json *container)
{
    return container + 1;
}
/* Visits each element of an array: `item` is the element. */
#define WRIT_JSON_EACH_ITEM(item, array)                                                                               \
    for (const struct writ_json *item = (array) + 1, *item##_end = (array) + (array)->skip; item < item##_end;         \
         item = writ_json_next(item))
/* Visits each member of an object: `key` is the key's string node, `key + 1` its value. */
#define WRIT_JSON_EACH_MEMBER(key, object)                                                                             \
    for (const struct writ_json *key = (object) + 1, *key##_end = (object) + (object)->skip; key < key##_end;          \
         key = writ_json_next(key + 1))

/* Value of a member, or NULL (also when `object` is NULL or no object). */
const struct writ_json *writ_json_get(const struct writ_json *object, const char *key) WRIT_PURE;
const struct writ_json *writ_json_get_sized(const struct writ_json *object, const char *key, size_t length) WRIT_PURE;
/* Element of an array, or NULL.  Linear. */
const struct writ_json *writ_json_at(const struct writ_json *array, size_t index) WRIT_PURE;
/* Text of a string, or NULL when the node is NULL or no string. */
const char *writ_json_text(const struct writ_json *node) WRIT_PURE;
/* Text of a member that is a string, else `otherwise`. */
const char *writ_json_text_or(const struct writ_json *object, const char *key, const char *otherwise) WRIT_PURE;
/* True when `list` is an array that holds an equal value. */
bool writ_json_has_item(const struct writ_json *list, const struct writ_json *value) WRIT_PURE;
/* True when node is a string equal to `text`. */
bool writ_json_is_text(const struct writ_json *node, const char *text) WRIT_PURE;
bool writ_json_is_true(const struct writ_json *node) WRIT_PURE;

/* The hash stored in string nodes.  Cheap, not keyed: never the only defence against chosen keys. */
uint16_t writ_json_hash(const char *bytes, size_t length) WRIT_PURE;
/* The tag a parsed string of this text carries, flags zeroed: compare under WRIT_JSON_TAG_MASK. */
uint64_t writ_json_string_tag(const char *bytes, size_t length) WRIT_PURE;
#define WRIT_JSON_TAG_MASK (~(uint64_t)0xFF00) /* everything but the flags byte (little-endian hosts) */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tags are compared as little-endian words");

/* ---- numbers ---- */
/* Nearest double (round half even); huge magnitudes give +-HUGE_VAL.  Only for number nodes. */
double writ_json_double(const struct writ_json *number) WRIT_PURE;
/* True when the number's mathematical value is an integer (1.0 and 1e2 are). */
bool writ_json_is_integral(const struct writ_json *number) WRIT_PURE;
/* Exact value as int64 when it is an integer that fits. */
bool writ_json_int64(const struct writ_json *number, int64_t *ret_value) WRIT_MUST_USE;
/* Exact comparison of mathematical values, whatever their size or notation: -1, 0, 1. */
int writ_json_compare_numbers(const struct writ_json *a, const struct writ_json *b) WRIT_PURE;
/* Exact, with exponents of any size: is `number` a multiple of `divisor` (divisor > 0)?  Only when the divisor has more
 * than 18 significant digits and either of the two more than 4096, the answer is false without looking. */
bool writ_json_is_multiple(const struct writ_json *number, const struct writ_json *divisor) WRIT_PURE;

/* Equality as JSON Schema means it: numbers by value, objects without order.  Large objects in different orders are
 * sorted, in memory that is freed before the return. */
bool writ_json_equal(const struct writ_json *a, const struct writ_json *b) WRIT_PURE;

/* ---- printing ---- */
enum writ_json_style {
    WRIT_JSON_COMPACT, /* no white space at all */
    WRIT_JSON_INDENTED /* two spaces, one member a line, no newline at the end */
};
/* Appends the node.  Non-ASCII text is printed as it is; U+2028/9 too.  Failure shows in `out->failed`. */
void writ_json_print(struct writ_buffer *out, const struct writ_json *node, enum writ_json_style style);
/* Appends a JSON string literal with quotes.  `bytes` must be UTF-8 (invalid bytes are printed as U+FFFD). */
void writ_json_print_string(struct writ_buffer *out, const char *bytes, size_t length);
/* Appends the shortest decimal that reads back as the same double, in ECMAScript's notation (100, 0.5, 1e-7, 1e+21; but
 * -0 for negative zero); NaN and infinities print as null.  No locale changes it. */
void writ_json_print_double(struct writ_buffer *out, double value);

/* ---- writing ---- */
/* Streaming writer: puts commas and colons, checks nesting by assertion (our own mistakes only).
 * In an object every value is preceded by writ_json_write_key.  Failure shows in `out->failed`. */
struct writ_json_writer {
    struct writ_buffer *out;
    unsigned depth;
    bool wants_comma;
    uint8_t is_object[WRIT_JSON_DEPTH_MAX + 1];
};
void writ_json_writer_init(struct writ_json_writer *writer, struct writ_buffer *out);
void writ_json_write_object(struct writ_json_writer *writer);
void writ_json_write_object_end(struct writ_json_writer *writer);
void writ_json_write_array(struct writ_json_writer *writer);
void writ_json_write_array_end(struct writ_json_writer *writer);
void writ_json_write_key(struct writ_json_writer *writer, const char *key);
void writ_json_write_key_sized(struct writ_json_writer *writer, const char *key, size_t length);
void writ_json_write_text(struct writ_json_writer *writer, const char *text); /* NULL writes null */
void writ_json_write_text_sized(struct writ_json_writer *writer, const char *bytes, size_t length);
void writ_json_write_integer(struct writ_json_writer *writer, int64_t value);
void writ_json_write_double(struct writ_json_writer *writer, double value);
void writ_json_write_bool(struct writ_json_writer *writer, bool value);
void writ_json_write_null(struct writ_json_writer *writer);
/* A whole parsed value. */
void writ_json_write_node(struct writ_json_writer *writer, const struct writ_json *node);
/* A key and its value. */
void writ_json_write_member_text(struct writ_json_writer *writer, const char *key, const char *text);
void writ_json_write_member_integer(struct writ_json_writer *writer, const char *key, int64_t value);
void writ_json_write_member_double(struct writ_json_writer *writer, const char *key, double value);
void writ_json_write_member_bool(struct writ_json_writer *writer, const char *key, bool value);
void writ_json_write_member_node(struct writ_json_writer *writer, const char *key, const struct writ_json *node);

#endif
