/*
 * Printing.  A cursor keeps the free part of the buffer in hand, so that most appends are a comparison and a copy; what
 * has been written is committed when the room is used up and at the end.
 */
#include "base/text.h"
#include "data/json.h"
#include "data/json_scan.h"

#include <assert.h>

#define ROOM_BYTES_MIN 512

struct cursor {
    struct writ_buffer *out;
    char *at, *end; /* equal, NULL, once the buffer has failed */
};

/* Commits, and makes room for `length` more bytes; false when there is none. */
static bool make_room(struct cursor *cursor, size_t length)
{
    struct writ_buffer *out = cursor->out;
    if (cursor->at)
        writ_buffer_commit(out, (size_t)(cursor->at - (out->data + out->length)));
    cursor->at = cursor->end = NULL;
    /* More room than asked for, but never more than the maximum allows: only a real need may fail. */
    size_t most = out->bytes_max - out->length, want = length < ROOM_BYTES_MIN ? ROOM_BYTES_MIN : length;
    if (want > most)
        want = length > most ? length : most;
    char *room = writ_buffer_reserve(out, want);
    if (!room)
        return false;
    size_t have = out->capacity - out->length - 1;
    cursor->at = room;
    cursor->end = room + (have < most ? have : most);
    return true;
}

static inline bool has_room(struct cursor *cursor, size_t length)
{
    return WRIT_LIKELY((size_t)(cursor->end - cursor->at) >= length) || make_room(cursor, length);
}

static inline void put_byte(struct cursor *cursor, char byte)
{
    if (has_room(cursor, 1))
        *cursor->at++ = byte;
}

/* memcpy for what is mostly short: overlapping words instead of a call. */
static inline void copy_short(char *to, const char *from, size_t length)
{
    if (length > 32) {
        memcpy(to, from, length);
    } else if (length >= 16) {
        memcpy(to, from, 16);
        memcpy(to + length - 16, from + length - 16, 16);
    } else if (length >= 8) {
        memcpy(to, from, 8);
        memcpy(to + length - 8, from + length - 8, 8);
    } else if (length >= 4) {
        memcpy(to, from, 4);
        memcpy(to + length - 4, from + length - 4, 4);
    } else {
        for (size_t at = 0; at < length; at++)
            to[at] = from[at];
    }
}

static inline void put_bytes(struct cursor *cursor, const char *bytes, size_t length)
{
    if (length > 0 && has_room(cursor, length)) {
        copy_short(cursor->at, bytes, length);
        cursor->at += length;
    }
}

static void put_escape(struct cursor *cursor, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    char text[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
    size_t length = 2;
    switch (byte) {
    case '"':
    case '\\':
        text[1] = (char)byte;
        break;
    case '\b':
        text[1] = 'b';
        break;
    case '\f':
        text[1] = 'f';
        break;
    case '\n':
        text[1] = 'n';
        break;
    case '\r':
        text[1] = 'r';
        break;
    case '\t':
        text[1] = 't';
        break;
    default:
        length = sizeof text;
        break;
    }
    put_bytes(cursor, text, length);
}

/* Valid UTF-8 with its escapes, without the quotation marks. */
static void put_escaped(struct cursor *cursor, const char *bytes, size_t length)
{
    size_t start = 0;
    for (size_t at = 0; at < length; at++) {
        unsigned char byte = (unsigned char)bytes[at];
        if (byte >= 0x20 && byte != '"' && byte != '\\')
            continue;
        put_bytes(cursor, bytes + start, at - start);
        put_escape(cursor, byte);
        start = at + 1;
    }
    put_bytes(cursor, bytes + start, length - start);
}

static inline void put_string(struct cursor *cursor, const struct writ_json *node)
{
    size_t length = node->length;
    if (WRIT_LIKELY(node->flags & WRIT_JSON_FLAG_PLAIN)) {
        if (!has_room(cursor, length + 2))
            return;
        cursor->at[0] = '"';
        copy_short(cursor->at + 1, node->text, length);
        cursor->at[length + 1] = '"';
        cursor->at += length + 2;
    } else {
        put_byte(cursor, '"');
        put_escaped(cursor, node->text, length);
        put_byte(cursor, '"');
    }
}

static void put_integer(struct cursor *cursor, int64_t value)
{
    char text[24], *at = text + sizeof text;
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        *--at = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude);
    if (value < 0)
        *--at = '-';
    put_bytes(cursor, at, (size_t)(text + sizeof text - at));
}

static inline void put_scalar(struct cursor *cursor, const struct writ_json *node)
{
    switch (node->kind) {
    case WRIT_JSON_STRING:
        put_string(cursor, node);
        break;
    case WRIT_JSON_INTEGER:
        put_integer(cursor, node->integer);
        break;
    case WRIT_JSON_DECIMAL:
        put_bytes(cursor, node->text, node->length);
        break;
    case WRIT_JSON_TRUE:
        put_bytes(cursor, "true", 4);
        break;
    case WRIT_JSON_FALSE:
        put_bytes(cursor, "false", 5);
        break;
    case WRIT_JSON_ARRAY:
        put_bytes(cursor, "[]", 2);
        break;
    case WRIT_JSON_OBJECT:
        put_bytes(cursor, "{}", 2);
        break;
    default:
        put_bytes(cursor, "null", 4);
        break;
    }
}

static void put_line(struct cursor *cursor, size_t depth)
{
    if (!has_room(cursor, 1 + 2 * depth))
        return;
    *cursor->at++ = '\n';
    memset(cursor->at, ' ', 2 * depth);
    cursor->at += 2 * depth;
}

/* What stands before a value or member: its line and, in an object, its key.  Returns the value. */
static inline const struct writ_json *put_lead(struct cursor *cursor, const struct writ_json *node, bool in_object,
                                               bool indented, size_t depth)
{
    if (indented)
        put_line(cursor, depth);
    if (!in_object)
        return node;
    put_string(cursor, node);
    put_byte(cursor, ':');
    if (indented)
        put_byte(cursor, ' ');
    return node + 1;
}

static inline void put_node(struct cursor *cursor, const struct writ_json *node, bool indented)
{
    const struct writ_json *open[WRIT_JSON_DEPTH_MAX];
    size_t depth = 0;
    for (;;) {
        if (writ_json_is_container(node) && node->length > 0) {
            assert(depth < WRIT_JSON_DEPTH_MAX);
            bool in_object = node->kind == WRIT_JSON_OBJECT;
            open[depth++] = node;
            put_byte(cursor, in_object ? '{' : '[');
            node = put_lead(cursor, node + 1, in_object, indented, depth);
            continue;
        }
        put_scalar(cursor, node);
        node++;
        while (depth > 0 && node == open[depth - 1] + open[depth - 1]->skip) {
            depth--;
            if (indented)
                put_line(cursor, depth);
            put_byte(cursor, open[depth]->kind == WRIT_JSON_OBJECT ? '}' : ']');
        }
        if (depth == 0)
            return;
        put_byte(cursor, ',');
        node = put_lead(cursor, node, open[depth - 1]->kind == WRIT_JSON_OBJECT, indented, depth);
    }
}

static void finish(struct cursor *cursor)
{
    if (cursor->at)
        writ_buffer_commit(cursor->out, (size_t)(cursor->at - (cursor->out->data + cursor->out->length)));
}

void writ_json_print(struct writ_buffer *out, const struct writ_json *node, enum writ_json_style style)
{
    struct cursor cursor = {.out = out};
    if (style == WRIT_JSON_INDENTED)
        put_node(&cursor, node, true);
    else
        put_node(&cursor, node, false);
    finish(&cursor);
}

/* Bytes of the well-formed sequence at `bytes`, or 0. */
static size_t sequence_length(const char *bytes, size_t length)
{
    for (size_t count = 1; count <= 4 && count <= length; count++) {
        if (writ_utf8_is_valid(bytes, count))
            return count;
    }
    return 0;
}

void writ_json_print_string(struct writ_buffer *out, const char *bytes, size_t length)
{
    struct cursor cursor = {.out = out};
    put_byte(&cursor, '"');
    if (WRIT_LIKELY(writ_utf8_is_valid(bytes, length))) {
        put_escaped(&cursor, bytes, length);
    } else {
        for (size_t at = 0; at < length;) {
            size_t count = sequence_length(bytes + at, length - at);
            if (count)
                put_escaped(&cursor, bytes + at, count);
            else
                put_bytes(&cursor, "\xEF\xBF\xBD", 3);
            at += count ? count : 1;
        }
    }
    put_byte(&cursor, '"');
    finish(&cursor);
}
