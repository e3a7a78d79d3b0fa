/*
 * Theory of operation.  The input is copied once, with padding, into the arena; strings are unescaped and terminated in
 * that copy, so that nodes point into it and nothing else is allocated but the array of nodes.
 *
 * The array is allocated once, before parsing: every node but the root comes right behind a comma, a colon, or the
 * bracket that opens its container, so the number of these four characters, plus one, bounds the nodes of every input,
 * well-formed or not.  Counting them costs about as much as the copy.  Those inside strings count as well; should the
 * arena refuse the array, they are counted again without strings before the document is called too large.
 *
 * While a container is open, its `skip` holds the distance back to its parent, so that no stack is needed.
 */
#include "data/json_parse.h"

#include <assert.h>
#include <stdarg.h>

char *json_fail(const struct json_parser *parser, const char *at, const char *format, ...)
{
    char message[WRIT_ERROR_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    unsigned line = 1, column = 1;
    const char *place = parser->input + (at - parser->text);
    for (const char *byte = parser->input; byte < place; byte++) {
        column++;
        if (*byte == '\n') {
            line++;
            column = 1;
        }
    }
    (void)writ_error_set(parser->error, WRIT_DATA_SYNTAX, "%s", message);
    (void)writ_error_at(parser->error, "", line, column);
    return NULL;
}

/* Names the byte at `at` for a message; `room` is filled and returned. */
static const char *name_byte(const struct json_parser *parser, const char *at, char room[static 32])
{
    unsigned char byte = (unsigned char)*at;
    if (at >= parser->end)
        (void)snprintf(room, 32, "the end of the document");
    else if (byte >= 0x20 && byte < 0x7F)
        (void)snprintf(room, 32, "`%c`", byte);
    else
        (void)snprintf(room, 32, "the byte 0x%02X", byte);
    return room;
}

static inline char *skip_space(char *at)
{
    while (WRIT_UNLIKELY((unsigned char)*at <= ' ') && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

static char *fail_value(const struct json_parser *parser, const char *at)
{
    char room[32];
    if (*at == '/')
        return json_fail(parser, at, "a value is due, but JSON has no comments: remove it");
    if (*at == '\'')
        return json_fail(parser, at,
                         "a value is due, but here is `'`: strings are written with quotation marks (`\"`)");
    if (*at == ']' || *at == '}')
        return json_fail(parser, at, "a value is due, but here is `%c`: remove the comma before it or add the value",
                         *at);
    if (at == parser->text && parser->end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        return json_fail(parser, at, "the document begins with a byte order mark: save it as UTF-8 without one");
    if (at == parser->end && at == skip_space(parser->text))
        return json_fail(parser, at, "the document is empty: write one JSON value");
    return json_fail(parser, at,
                     "a value is due, but here is %s: write an object, array, string, number, true, false or null",
                     name_byte(parser, at, room));
}

/* Compares four bytes at once; reading them is safe because of the padding. */
static inline bool is_word(const char *at, const char word[static 4])
{
    return memcmp(at, word, 4) == 0;
}

static inline char *parse_scalar(const struct json_parser *parser, char *at, struct writ_json *node)
{
    switch (*at) {
    case '"':
        return json_parse_string(parser, at, node);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return json_parse_number(parser, at, node);
    case 't':
        if (!is_word(at, "true"))
            break;
        *node = (struct writ_json){.kind = WRIT_JSON_TRUE};
        return at + 4;
    case 'f':
        if (!is_word(at + 1, "alse"))
            break;
        *node = (struct writ_json){.kind = WRIT_JSON_FALSE};
        return at + 5;
    case 'n':
        if (!is_word(at, "null"))
            break;
        *node = (struct writ_json){.kind = WRIT_JSON_NULL};
        return at + 4;
    default:
        break;
    }
    return fail_value(parser, at);
}

/* A key and its colon; returns where the value begins. */
static inline char *parse_key(const struct json_parser *parser, char *at, struct writ_json *node)
{
    char room[32];
    at = skip_space(at);
    if (WRIT_UNLIKELY(*at != '"')) {
        if (*at == '}')
            return json_fail(parser, at, "a key is due, but here is `}`: remove the comma before it");
        return json_fail(parser, at, "a key in quotation marks is due, but here is %s", name_byte(parser, at, room));
    }
    at = json_parse_string(parser, at, node);
    if (WRIT_UNLIKELY(!at))
        return NULL;
    at = skip_space(at);
    if (WRIT_UNLIKELY(*at != ':'))
        return json_fail(parser, at, "a colon is due after the key, but here is %s", name_byte(parser, at, room));
    return skip_space(at + 1);
}

static int fail_after_value(const struct json_parser *parser, const char *at, const struct writ_json *container)
{
    char room[32];
    bool in_object = container->kind == WRIT_JSON_OBJECT;
    (void)json_fail(parser, at, "a comma or `%c` is due to go on with or end the %s, but here is %s",
                    in_object ? '}' : ']', in_object ? "object" : "array", name_byte(parser, at, room));
    return parser->error->code;
}

/* Fills the nodes of the whole document; `ret_count` tells how many. */
static int parse_document(const struct json_parser *parser, struct writ_json *nodes, size_t *ret_count)
{
    struct writ_json *node = nodes, *container = NULL;
    unsigned depth = 0;
    char *at = skip_space(parser->text);
    for (;;) {
        /* A value begins at `at`. */
        bool opened = *at == '{' || *at == '[';
        if (opened) {
            if (++depth > WRIT_JSON_DEPTH_MAX) {
                (void)json_fail(parser, at, "arrays and objects are nested deeper than %d", WRIT_JSON_DEPTH_MAX);
                return parser->error->code;
            }
            *node = (struct writ_json){.kind = *at == '{' ? WRIT_JSON_OBJECT : WRIT_JSON_ARRAY,
                                       .skip = container ? (uint64_t)(node - container) : 0};
            container = node++;
            at = skip_space(at + 1);
            if (*at != (container->kind == WRIT_JSON_OBJECT ? '}' : ']')) {
                if (container->kind == WRIT_JSON_OBJECT && !(at = parse_key(parser, at, node++)))
                    return parser->error->code;
                continue;
            }
        } else {
            at = parse_scalar(parser, at, node++);
            if (WRIT_UNLIKELY(!at))
                return parser->error->code;
        }
        /* A value has ended, or an empty container waits for its bracket: go on to the next value's beginning. */
        for (;; opened = false) {
            if (!container) {
                *ret_count = (size_t)(node - nodes);
                at = skip_space(at);
                if (at == parser->end)
                    return 0;
                char room[32];
                (void)json_fail(parser, at, "the document ended before this place, but %s follows: remove it",
                                name_byte(parser, at, room));
                return parser->error->code;
            }
            bool in_object = container->kind == WRIT_JSON_OBJECT;
            if (!opened) {
                container->length++;
                at = skip_space(at);
                if (*at == ',') {
                    at = in_object ? parse_key(parser, at + 1, node++) : skip_space(at + 1);
                    if (WRIT_UNLIKELY(!at))
                        return parser->error->code;
                    break;
                }
                if (WRIT_UNLIKELY(*at != (in_object ? '}' : ']')))
                    return fail_after_value(parser, at, container);
            }
            at++;
            depth--;
            uint64_t to_parent = container->skip;
            container->skip = (uint64_t)(node - container);
            if (in_object && json_check_keys(parser, container) != 0)
                return parser->error->code;
            container = to_parent ? container - to_parent : NULL;
        }
    }
}

/* Copies the text and returns the most nodes it can make (see the head of the file). */
static size_t copy_and_count(char *restrict copy, const char *restrict bytes, size_t length)
{
    size_t count = 1;
    for (size_t start = 0; start < length;) {
        /* Blocks short enough for a count in one byte: compilers turn this loop into vector code. */
        size_t block = length - start < 128 ? length - start : 128;
        unsigned char marks = 0;
        for (size_t at = start; at < start + block; at++) {
            char byte = bytes[at];
            copy[at] = byte;
            marks = (unsigned char)(marks + ((byte == ',') | (byte == ':') | ((byte | 0x20) == '{')));
        }
        count += marks;
        start += block;
    }
    return count;
}

/* As copy_and_count, without what stands inside strings: exact for well-formed text. */
static size_t count_outside_strings(const char *text, size_t length)
{
    size_t count = 1;
    bool in_string = false;
    for (size_t at = 0; at < length; at++) {
        char byte = text[at];
        if (in_string && byte == '\\')
            at++;
        else if (byte == '"')
            in_string = !in_string;
        else if (!in_string)
            count += (byte == ',') | (byte == ':') | ((byte | 0x20) == '{');
    }
    return count;
}

/* The arena gave nothing: for it is full by its own maximum, or because the system has no memory. */
static int fail_room(const struct writ_arena *arena, size_t need, struct writ_error *error)
{
    size_t left = arena->bytes_max - arena->used_bytes;
    if (need < left && left - need >= 16) /* arenas round up */
        return writ_error_memory(error);
    return writ_error_set(error, WRIT_INTERNAL_LIMIT, "the document needs %zu bytes of memory where %zu are allowed",
                          need, left);
}

int writ_json_parse(struct writ_arena *arena, const char *bytes, size_t length, const struct writ_json **ret_root,
                    struct writ_error *error)
{
    if (length > WRIT_JSON_BYTES_MAX)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "the document has %zu bytes; at most %zu are read", length,
                              WRIT_JSON_BYTES_MAX);
    char *text = writ_arena_alloc(arena, length + JSON_PADDING_BYTES);
    if (!text)
        return fail_room(arena, length + JSON_PADDING_BYTES, error);
    size_t nodes_max = copy_and_count(text, bytes, length);
    memset(text + length, 0, JSON_PADDING_BYTES);
    struct writ_json *nodes = writ_arena_alloc(arena, nodes_max * sizeof *nodes);
    if (!nodes) {
        nodes_max = count_outside_strings(text, length);
        nodes = writ_arena_alloc(arena, nodes_max * sizeof *nodes);
        if (!nodes)
            return fail_room(arena, nodes_max * sizeof *nodes, error);
    }
    struct json_parser parser = {.input = bytes, .text = text, .end = text + length, .error = error};
    size_t count;
    int result = parse_document(&parser, nodes, &count);
    if (result != 0)
        return result;
    assert(count <= nodes_max);
    *ret_root = nodes;
    return 0;
}
