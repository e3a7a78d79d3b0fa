/*
 * Theory of operation.  Three stages, each of which may assume what the one before has seen to.
 *
 * 1. The size and the bytes (yaml_text.h).  From here on the text is UTF-8, and a line is what ends in LF.
 * 2. libyaml turns the text into events.  Its scanner looks at most 1024 characters ahead and its time grows with the
 *    square of the flow depth, so the builder stops it at the first event that is too deep: nothing deeper is scanned.
 *    Aliases and anchors end the parse at their first event, so nothing is ever expanded.
 * 3. The builder appends one node an event to three growing arrays, nodes, places and spans.  An open container's node
 *    is known by its index, for the arrays move; its length and skip are filled in when it ends.  In the end the arrays
 *    are copied into the arena at their exact size.
 *
 * Scalars are typed here and not by libyaml; the number's node is made by the JSON reader itself, so that a document
 * means the same in both notations.
 */
#include "data/yaml.h"

#include "data/json_keys.h"
#include "data/json_parse.h"
#include "data/yaml_explain.h"
#include "data/yaml_text.h"

#include <stdarg.h>
#include <yaml.h>

#define NODES_MAX 100000
#define SCALAR_BYTES_MAX ((size_t)1 << 20)
#define KEY_SHOWN_BYTES ((size_t)100)

struct open_container {
    size_t node;
    uint32_t children; /* keys and values both count */
};

struct builder {
    struct writ_arena *arena;
    struct writ_error *error;
    const char *text; /* behind the byte order mark */
    size_t length;
    struct writ_json *nodes;
    struct writ_yaml_place *places;
    struct writ_yaml_span *spans;
    size_t count, capacity;
    size_t last_end; /* where the last scalar or bracket ended: that of the block around it, when it ends */
    struct open_container open[WRIT_YAML_DEPTH_MAX];
    unsigned depth;
    bool document_seen;
    /* How far marks have been turned into places: they never go back. */
    struct {
        size_t characters, offset, line_start;
        uint32_t line;
    } cursor;
};

static void builder_clear(struct builder *builder)
{
    free(builder->nodes);
    free(builder->places);
    free(builder->spans);
}

/* ---- places ---- */

/* Moves the cursor on to the mark.  A mark behind the cursor gets the cursor's own place. */
static struct writ_yaml_place place_of_mark(struct builder *builder, const yaml_mark_t *mark)
{
    while (builder->cursor.characters < mark->index && builder->cursor.offset < builder->length) {
        size_t at = builder->cursor.offset;
        do
            at++;
        while (at < builder->length && ((unsigned char)builder->text[at] & 0xC0) == 0x80);
        if (builder->text[builder->cursor.offset] == '\n') {
            builder->cursor.line++;
            builder->cursor.line_start = at;
        }
        builder->cursor.offset = at;
        builder->cursor.characters++;
    }
    return (struct writ_yaml_place){
        .line = builder->cursor.line,
        .column = (uint32_t)(builder->cursor.offset - builder->cursor.line_start) + 1,
    };
}

WRIT_PRINTF(4, 5)
static int refuse(struct writ_error *error, enum writ_code code, struct writ_yaml_place place, const char *format, ...)
{
    char message[WRIT_ERROR_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)writ_error_set(error, code, "%s", message);
    return writ_error_at(error, "", place.line, place.column);
}

/* ---- nodes ---- */

static int grow(struct builder *builder)
{
    size_t capacity = builder->capacity ? builder->capacity * 2 : 256;
    struct writ_json *nodes = realloc(builder->nodes, capacity * sizeof *nodes);
    if (!nodes)
        return writ_error_memory(builder->error);
    builder->nodes = nodes;
    struct writ_yaml_place *places = realloc(builder->places, capacity * sizeof *places);
    if (!places)
        return writ_error_memory(builder->error);
    builder->places = places;
    struct writ_yaml_span *spans = realloc(builder->spans, capacity * sizeof *spans);
    if (!spans)
        return writ_error_memory(builder->error);
    builder->spans = spans;
    builder->capacity = capacity;
    return 0;
}

static bool wants_key(const struct builder *builder)
{
    if (builder->depth == 0)
        return false;
    const struct open_container *open = &builder->open[builder->depth - 1];
    return builder->nodes[open->node].kind == WRIT_JSON_OBJECT && open->children % 2 == 0;
}

/* The node begins at `start`; a scalar has ended where the cursor is, a container will be given its end. */
static int append(struct builder *builder, const struct writ_json *node, struct writ_yaml_place place, size_t start)
{
    if (builder->count == NODES_MAX)
        return refuse(builder->error, WRIT_INTERNAL_LIMIT, place, "the document has more than %d values: shorten it",
                      NODES_MAX);
    if (builder->count == builder->capacity && grow(builder) != 0)
        return builder->error->code;
    if (builder->depth > 0)
        builder->open[builder->depth - 1].children++;
    builder->nodes[builder->count] = *node;
    builder->places[builder->count] = place;
    builder->spans[builder->count++] =
        (struct writ_yaml_span){.offset = (uint32_t)start, .length = (uint32_t)(builder->cursor.offset - start)};
    builder->last_end = builder->cursor.offset;
    return 0;
}

static int open_container(struct builder *builder, enum writ_json_kind kind, struct writ_yaml_place place)
{
    if (wants_key(builder))
        return refuse(builder->error, WRIT_DATA_SYNTAX, place,
                      "a key must be text, not a %s: write it in one line, or put the whole value in quotes",
                      kind == WRIT_JSON_OBJECT ? "mapping" : "list");
    if (builder->depth == WRIT_YAML_DEPTH_MAX)
        return refuse(builder->error, WRIT_DATA_SYNTAX, place, "mappings and lists are nested deeper than %d",
                      WRIT_YAML_DEPTH_MAX);
    const struct writ_json node = {.kind = (uint8_t)kind};
    int result = append(builder, &node, place, builder->cursor.offset);
    if (result == 0)
        builder->open[builder->depth++] = (struct open_container){.node = builder->count - 1};
    return result;
}

/* Escapes of a double-quoted key may have made control characters, which no message may hand to a terminal. */
static int refuse_duplicate(struct builder *builder, const struct writ_json *first, const struct writ_json *again)
{
    struct writ_yaml_place before = builder->places[first - builder->nodes];
    char shown[KEY_SHOWN_BYTES + 1];
    size_t length = again->length < KEY_SHOWN_BYTES ? again->length : KEY_SHOWN_BYTES;
    while (length < again->length && ((unsigned char)again->text[length] & 0xC0) == 0x80)
        length--; /* not inside a character */
    for (size_t at = 0; at < length; at++)
        shown[at] = (unsigned char)again->text[at] < 0x20 || again->text[at] == 0x7F ? ' ' : again->text[at];
    shown[length] = '\0';
    return refuse(builder->error, WRIT_DATA_SYNTAX, builder->places[again - builder->nodes],
                  "the key `%s%s` occurs twice, here and in line %u, column %u: remove one of the two", shown,
                  length < again->length ? "..." : "", before.line, before.column);
}

/* Of all repeated keys the first one in the document is told. */
static int check_keys(struct builder *builder, const struct writ_json *object)
{
    const struct writ_json **keys = json_keys_sorted(object);
    if (!keys)
        return writ_error_memory(builder->error);
    const struct writ_json *first = NULL, *again = NULL;
    for (size_t at = 1; at < object->length; at++) {
        if (json_key_compare(keys[at - 1], keys[at]) == 0 && (!again || keys[at] < again)) {
            first = keys[at - 1];
            again = keys[at];
        }
    }
    free(keys);
    return again ? refuse_duplicate(builder, first, again) : 0;
}

static int close_container(struct builder *builder, const yaml_mark_t *end)
{
    const struct open_container *open = &builder->open[--builder->depth];
    struct writ_json *node = &builder->nodes[open->node];
    struct writ_yaml_span *span = &builder->spans[open->node];
    char first = span->offset < builder->length ? builder->text[span->offset] : '\0';
    if (first == '[' || first == '{') { /* no block begins so */
        (void)place_of_mark(builder, end);
        builder->last_end = builder->cursor.offset;
    }
    span->length = (uint32_t)builder->last_end - span->offset;
    node->skip = builder->count - open->node;
    if (node->kind == WRIT_JSON_ARRAY) {
        node->length = open->children;
        return 0;
    }
    node->length = open->children / 2;
    return node->length > 1 ? check_keys(builder, node) : 0;
}

/* ---- scalars ---- */

static bool is_one_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(text, ...)                                                                                           \
    is_one_of(text, (const char *const[]){__VA_ARGS__}, WRIT_COUNT(((const char *const[]){__VA_ARGS__})))

static const char *skip_digits(const char *p)
{
    return p + strspn(p, "0123456789");
}

/* The number grammar of JSON, whole text. */
static bool is_number(const char *text)
{
    const char *p = text + (*text == '-');
    const char *digits = p;
    p = skip_digits(p);
    if (p == digits || (*digits == '0' && p - digits > 1))
        return false;
    if (*p == '.') {
        digits = ++p;
        p = skip_digits(p);
        if (p == digits)
            return false;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        digits = p;
        p = skip_digits(p);
        if (p == digits)
            return false;
    }
    return *p == '\0';
}

static struct writ_json string_node(const char *text, size_t length)
{
    unsigned flags = WRIT_JSON_FLAG_ASCII | WRIT_JSON_FLAG_PLAIN;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte >= 0x80)
            flags &= ~(unsigned)WRIT_JSON_FLAG_ASCII;
        else if (byte < 0x20 || byte == '"' || byte == '\\')
            flags &= ~(unsigned)WRIT_JSON_FLAG_PLAIN;
    }
    struct writ_json node = {.tag = writ_json_string_tag(text, length), .text = text};
    node.flags = (uint8_t)flags;
    return node;
}

/* Types a plain scalar as the YAML 1.2 core schema does, numbers only in JSON's notation.  `text` stays in the arena.
 */
static int plain_node(struct builder *builder, char *text, size_t length, struct writ_yaml_place place,
                      struct writ_json *ret_node)
{
    if (IS_ONE_OF(text, "", "~", "null", "Null", "NULL")) {
        *ret_node = (struct writ_json){.kind = WRIT_JSON_NULL};
    } else if (IS_ONE_OF(text, "true", "True", "TRUE")) {
        *ret_node = (struct writ_json){.kind = WRIT_JSON_TRUE};
    } else if (IS_ONE_OF(text, "false", "False", "FALSE")) {
        *ret_node = (struct writ_json){.kind = WRIT_JSON_FALSE};
    } else if (is_number(text)) {
        const struct json_parser parser = {.input = text, .text = text, .end = text + length, .error = builder->error};
        if (!json_parse_number(&parser, text, ret_node))
            return builder->error->code;
    } else {
        const char *magnitude = text + (*text == '-' || *text == '+');
        if (IS_ONE_OF(magnitude, ".inf", ".Inf", ".INF") || IS_ONE_OF(text, ".nan", ".NaN", ".NAN"))
            return refuse(builder->error, WRIT_DATA_SYNTAX, place,
                          "`%s` is a number that JSON does not have: give a finite one, or put it in quotes", text);
        *ret_node = string_node(text, length);
    }
    return 0;
}

static int add_scalar(struct builder *builder, const yaml_event_t *event, struct writ_yaml_place place)
{
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (length > SCALAR_BYTES_MAX)
        return refuse(builder->error, WRIT_INTERNAL_LIMIT, place, "this value has more than %zu bytes: shorten it",
                      SCALAR_BYTES_MAX);
    if (memchr(value, '\0', length))
        return refuse(builder->error, WRIT_DATA_SYNTAX, place,
                      "a text cannot hold the character NUL: remove its escape");
    bool is_key = wants_key(builder);
    if (is_key && plain && strcmp(value, "<<") == 0)
        return refuse(builder->error, WRIT_DATA_SYNTAX, place,
                      "merge keys are not used here: write the members out, or put `<<` in quotes");
    size_t start = builder->cursor.offset;
    (void)place_of_mark(builder, &event->end_mark);
    char *text = writ_arena_copy(builder->arena, value, length);
    if (!text)
        return writ_error_memory(builder->error);
    struct writ_json node = {0};
    int result = 0;
    if (plain)
        result = plain_node(builder, text, length, place, &node);
    else
        node = string_node(text, length);
    if (result == 0 && is_key && node.kind != WRIT_JSON_STRING)
        return refuse(builder->error, WRIT_DATA_SYNTAX, place,
                      *text ? "the key `%.100s` is not text: put it in quotes" : "a key is missing before the colon",
                      text);
    return result == 0 ? append(builder, &node, place, start) : result;
}

/* ---- events ---- */

static int refuse_properties(struct builder *builder, struct writ_yaml_place place, const yaml_char_t *anchor)
{
    if (anchor)
        return refuse(builder->error, WRIT_DATA_SYNTAX, place,
                      "anchors are not used here: remove `&%.100s`, or put the whole value in quotes",
                      (const char *)anchor);
    return refuse(builder->error, WRIT_DATA_SYNTAX, place,
                  "tags are not used here: remove what begins with `!`, or put the whole value in quotes");
}

static int take_event(struct builder *builder, const yaml_event_t *event)
{
    struct writ_yaml_place place = place_of_mark(builder, &event->start_mark);
    /* libyaml drops the tag `!`, but the event still begins with it, as no untagged one can. */
    bool tagged = builder->cursor.offset < builder->length && builder->text[builder->cursor.offset] == '!';
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (builder->document_seen)
            return refuse(builder->error, WRIT_DATA_SYNTAX, place, "a second document begins here: only one is read");
        builder->document_seen = true;
        if (event->data.document_start.version_directive ||
            event->data.document_start.tag_directives.start != event->data.document_start.tag_directives.end)
            return refuse(builder->error, WRIT_DATA_SYNTAX, place, "directives are not used here: remove the line");
        return 0;
    case YAML_ALIAS_EVENT:
        return refuse(
            builder->error, WRIT_DATA_SYNTAX, place,
            "aliases are not used here: write out what `*%.100s` stands for, or put the whole value in quotes",
            (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        if (tagged || event->data.scalar.anchor || event->data.scalar.tag)
            return refuse_properties(builder, place, event->data.scalar.anchor);
        return add_scalar(builder, event, place);
    case YAML_SEQUENCE_START_EVENT:
        if (tagged || event->data.sequence_start.anchor || event->data.sequence_start.tag)
            return refuse_properties(builder, place, event->data.sequence_start.anchor);
        return open_container(builder, WRIT_JSON_ARRAY, place);
    case YAML_MAPPING_START_EVENT:
        if (tagged || event->data.mapping_start.anchor || event->data.mapping_start.tag)
            return refuse_properties(builder, place, event->data.mapping_start.anchor);
        return open_container(builder, WRIT_JSON_OBJECT, place);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_container(builder, &event->end_mark);
    default: /* the stream's and the document's ends */
        return 0;
    }
}

static int fail(const struct builder *builder, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return writ_error_memory(builder->error);
    yaml_mark_t mark = yaml_explain_failure(parser, builder->text, builder->length, builder->error);
    return yaml_text_place_error(builder->text, yaml_mark_offset(&mark, builder->text, builder->length),
                                 builder->error);
}

static int build(struct builder *builder, yaml_parser_t *parser)
{
    for (bool ended = false; !ended;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return fail(builder, parser);
        ended = event.type == YAML_STREAM_END_EVENT;
        int result = take_event(builder, &event);
        yaml_event_delete(&event);
        if (result != 0)
            return result;
    }
    if (builder->count == 0)
        return refuse(builder->error, WRIT_DATA_SYNTAX, (struct writ_yaml_place){1, 1},
                      "the document is empty: write a mapping such as `id: com.example.name`");
    return 0;
}

int writ_yaml_parse(struct writ_arena *arena, const char *bytes, size_t length, struct writ_yaml *ret_yaml,
                    struct writ_error *error)
{
    if (length > WRIT_YAML_BYTES_MAX)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                              "the document has %zu bytes; at most %zu are read, so make it smaller", length,
                              WRIT_YAML_BYTES_MAX);
    size_t mark_length = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    WRIT_CLEANUP(builder_clear)
    struct builder builder = {.arena = arena,
                              .error = error,
                              .text = bytes + mark_length,
                              .length = length - mark_length,
                              .cursor = {.line = 1}};
    int result = yaml_text_check(builder.text, builder.length, error);
    if (result != 0)
        return result;
    WRIT_CLEANUP(yaml_parser_delete) yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return writ_error_memory(error); /* what a failed start has left behind may be deleted */
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)builder.text, builder.length);
    result = build(&builder, &parser);
    if (result != 0)
        return result;
    struct writ_json *nodes = writ_arena_zalloc(arena, builder.count, sizeof *nodes);
    struct writ_yaml_place *places = writ_arena_zalloc(arena, builder.count, sizeof *places);
    struct writ_yaml_span *spans = writ_arena_zalloc(arena, builder.count, sizeof *spans);
    if (!nodes || !places || !spans)
        return writ_error_memory(error);
    memcpy(nodes, builder.nodes, builder.count * sizeof *nodes);
    memcpy(places, builder.places, builder.count * sizeof *places);
    for (size_t i = 0; i < builder.count; i++)
        spans[i] = (struct writ_yaml_span){builder.spans[i].offset + (uint32_t)mark_length, builder.spans[i].length};
    *ret_yaml = (struct writ_yaml){.root = nodes, .places = places, .spans = spans};
    return 0;
}

struct writ_yaml_place writ_yaml_place_of(const struct writ_yaml *yaml, const struct writ_json *node)
{
    return yaml->places[node - yaml->root];
}

struct writ_yaml_span writ_yaml_span_of(const struct writ_yaml *yaml, const struct writ_json *node)
{
    return yaml->spans[node - yaml->root];
}
