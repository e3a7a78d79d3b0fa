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

/* The build clears local variables by default.  For five kilobytes that would be a fifth of the time of a small
 * document. */
#if __has_attribute(uninitialized)
#define NOT_CLEARED __attribute__((uninitialized))
#else
#define NOT_CLEARED
#endif

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

static inline bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline char *skip_space(char *at)
{
    /* Most documents that programs exchange have none. */
    while (WRIT_UNLIKELY((unsigned char)*at <= ' ') && is_space(*at))
        at++;
    return at;
}

/* The failures are kept out of the functions that run for every value. */
__attribute__((noinline, cold)) static char *fail_value(const struct json_parser *parser, const char *at)
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

__attribute__((noinline, cold)) static char *fail_key(const struct json_parser *parser, const char *at)
{
    char room[32];
    if (*at == '}')
        return json_fail(parser, at, "a key is due, but here is `}`: remove the comma before it");
    return json_fail(parser, at, "a key in quotation marks is due, but here is %s", name_byte(parser, at, room));
}

__attribute__((noinline, cold)) static char *fail_colon(const struct json_parser *parser, const char *at)
{
    char room[32];
    return json_fail(parser, at, "a colon is due after the key, but here is %s", name_byte(parser, at, room));
}

__attribute__((noinline, cold)) static char *fail_separator(const struct json_parser *parser, const char *at,
                                                            bool in_object)
{
    char room[32];
    return json_fail(parser, at, "a comma or `%c` is due to go on with or end the %s, but here is %s",
                     in_object ? '}' : ']', in_object ? "object" : "array", name_byte(parser, at, room));
}

__attribute__((noinline, cold)) static char *fail_rest(const struct json_parser *parser, const char *at)
{
    char room[32];
    return json_fail(parser, at, "the document ended before this place, but %s follows: remove it",
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
        *node = (struct writ_json){.tag = WRIT_JSON_TRUE};
        return at + 4;
    case 'f':
        if (!is_word(at + 1, "alse"))
            break;
        *node = (struct writ_json){.tag = WRIT_JSON_FALSE};
        return at + 5;
    case 'n':
        if (!is_word(at, "null"))
            break;
        *node = (struct writ_json){.tag = WRIT_JSON_NULL};
        return at + 4;
    default:
        break;
    }
    return fail_value(parser, at);
}

/* One key and its colon; returns where the value begins. */
static inline char *parse_key(const struct json_parser *parser, char *at, const struct writ_json *object,
                              struct writ_json *node, struct json_key_filter *filter)
{
    if (WRIT_UNLIKELY(*at != '"'))
        return fail_key(parser, at);
    at = json_parse_string(parser, at, node);
    if (WRIT_UNLIKELY(!at))
        return NULL;
    uint64_t *word = &filter->bits[node->hash >> 14], bit = (uint64_t)1 << (node->hash >> 8 & 63);
    if (WRIT_UNLIKELY(*word & bit) && json_check_key(parser, object, node, filter) != 0)
        return NULL;
    *word |= bit;
    at = skip_space(at);
    if (WRIT_UNLIKELY(*at != ':'))
        return fail_colon(parser, at);
    return skip_space(at + 1);
}

/* Fills the nodes of a document whose root, at `at`, is an array or object.  Returns what follows it, or NULL.
 * One function larger than others: its variables live in registers over the whole document. */
static char *parse_containers(const struct json_parser *parser, char *at, struct writ_json *node)
{
    NOT_CLEARED struct json_key_filter filters[WRIT_JSON_DEPTH_MAX]; /* each is cleared when its level opens */
    struct writ_json *container = node;
    size_t depth = 0;
    bool in_object;

open:
    if (WRIT_UNLIKELY(depth == WRIT_JSON_DEPTH_MAX))
        return json_fail(parser, at, "arrays and objects are nested deeper than %d", WRIT_JSON_DEPTH_MAX);
    in_object = *at == '{';
    *node =
        (struct writ_json){.tag = in_object ? WRIT_JSON_OBJECT : WRIT_JSON_ARRAY, .skip = (uint64_t)(node - container)};
    container = node++;
    filters[depth++] = (struct json_key_filter){0};
    at = skip_space(at + 1);
    if (*at == (in_object ? '}' : ']'))
        goto close;

next:
    if (in_object && WRIT_UNLIKELY(!(at = parse_key(parser, at, container, node++, &filters[depth - 1]))))
        return NULL;
    container->length++;
    if (*at == '{' || *at == '[')
        goto open;
    at = parse_scalar(parser, at, node++);
    if (WRIT_UNLIKELY(!at))
        return NULL;

after_value:
    at = skip_space(at);
    if (WRIT_LIKELY(*at == ',')) {
        at = skip_space(at + 1);
        goto next;
    }
    if (WRIT_UNLIKELY(*at != (in_object ? '}' : ']')))
        return fail_separator(parser, at, in_object);

close:
    at++;
    if (WRIT_UNLIKELY(filters[--depth].wants_sorting) && json_check_keys(parser, container, node) != 0)
        return NULL;
    uint64_t to_parent = container->skip;
    container->skip = (uint64_t)(node - container);
    container -= to_parent;
    in_object = container->kind == WRIT_JSON_OBJECT;
    if (depth > 0)
        goto after_value;
    return at;
}

static int parse_document(const struct json_parser *parser, struct writ_json *nodes)
{
    char *at = skip_space(parser->text);
    at = *at == '{' || *at == '[' ? parse_containers(parser, at, nodes) : parse_scalar(parser, at, nodes);
    if (!at)
        return parser->error->code;
    at = skip_space(at);
    if (at != parser->end) {
        (void)fail_rest(parser, at);
        return parser->error->code;
    }
    return 0;
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
    return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                          "the document needs %zu bytes of memory where %zu are allowed; make it smaller", need, left);
}

int writ_json_parse(struct writ_arena *arena, const char *bytes, size_t length, const struct writ_json **ret_root,
                    struct writ_error *error)
{
    if (length > WRIT_JSON_BYTES_MAX)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                              "the document has %zu bytes; at most %zu are read, so make it smaller", length,
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
    int result = parse_document(&parser, nodes);
    if (result != 0)
        return result;
    assert((size_t)(writ_json_next(nodes) - nodes) <= nodes_max);
    *ret_root = nodes;
    return 0;
}
