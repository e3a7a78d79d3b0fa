/*
 * YAML: whatever is taken makes the same nodes as its own JSON does, each node's place is where its text stands, and
 * its span is that text; whatever is refused says so in UTF-8, at a place in the document.
 */
#include "base/text.h"
#include "data/yaml.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

/* Offset of a place; -1 when it is in no line of the text, or past its line's end by more than one. */
static long offset_of(const char *text, size_t length, struct writ_yaml_place place)
{
    size_t at = 0;
    for (uint32_t line = 1; line < place.line; line++) {
        const char *end = memchr(text + at, '\n', length - at);
        if (!end)
            return -1;
        at = (size_t)(end - text) + 1;
    }
    const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
    size_t line_length = end ? (size_t)(end - text) - at : length - at;
    return place.column >= 1 && place.column <= line_length + 1 ? (long)(at + place.column - 1) : -1;
}

static void same_nodes(const struct writ_json *a, const struct writ_json *b)
{
    size_t count = (size_t)(writ_json_next(a) - a);
    demand((size_t)(writ_json_next(b) - b) == count);
    for (size_t i = 0; i < count; i++) {
        demand(a[i].tag == b[i].tag);
        if (a[i].kind == WRIT_JSON_STRING || a[i].kind == WRIT_JSON_DECIMAL)
            demand(memcmp(a[i].text, b[i].text, a[i].length) == 0);
        else
            demand(a[i].integer == b[i].integer);
    }
}

static void check_json(const struct writ_yaml *yaml)
{
    struct writ_buffer json;
    struct writ_arena arena;
    struct writ_error error;
    struct writ_yaml again;
    const struct writ_json *root;
    writ_buffer_init(&json, (size_t)32 << 20);
    writ_arena_init(&arena, (size_t)256 << 20);
    writ_json_print(&json, yaml->root, WRIT_JSON_COMPACT);
    demand(!json.failed);
    demand(writ_json_parse(&arena, json.data, json.length, &root, &error) == 0);
    same_nodes(yaml->root, root);
    /* JSON is YAML, but for keys over 1024 bytes and raw control characters that JSON allows. */
    if (writ_yaml_parse(&arena, json.data, json.length, &again, &error) == 0)
        same_nodes(yaml->root, again.root);
    writ_arena_clear(&arena);
    writ_buffer_clear(&json);
}

static void check_places(const struct writ_yaml *yaml, const char *text, size_t length)
{
    long before = 0;
    for (const struct writ_json *node = yaml->root, *end = writ_json_next(node); node < end; node++) {
        long at = offset_of(text, length, writ_yaml_place_of(yaml, node));
        demand(at >= before);
        before = at;
        bool has_text = node->kind == WRIT_JSON_STRING || node->kind == WRIT_JSON_DECIMAL;
        if (!has_text || node->length == 0 || strchr("\"'|>", text[at]))
            continue;
        demand(text[at] == node->text[0]);
    }
}

/* Spans begin at the node's place, hold those of what is inside, and for a plain text on one line are that text. */
static void check_spans(const struct writ_yaml *yaml, const char *bytes, size_t length, size_t mark_length)
{
    for (const struct writ_json *node = yaml->root, *end = writ_json_next(node); node < end; node++) {
        struct writ_yaml_span span = writ_yaml_span_of(yaml, node);
        long at = offset_of(bytes + mark_length, length - mark_length, writ_yaml_place_of(yaml, node));
        demand(span.offset == (size_t)at + mark_length && span.length <= length - span.offset);
        const char *text = bytes + span.offset;
        if (writ_json_is_container(node)) {
            for (const struct writ_json *inner = node + 1; inner < writ_json_next(node); inner++) {
                struct writ_yaml_span part = writ_yaml_span_of(yaml, inner);
                demand(part.offset >= span.offset && part.offset + part.length <= span.offset + span.length);
            }
            bool flow = text[0] == '[' || text[0] == '{';
            demand(!flow || text[span.length - 1] == (text[0] == '[' ? ']' : '}'));
        } else if (span.length > 0 && (text[0] == '"' || text[0] == '\'')) {
            demand(span.length >= 2 && text[span.length - 1] == text[0]);
        } else if (span.length > 0 && node->kind == WRIT_JSON_STRING && !strchr("|>", text[0]) &&
                   !memchr(text, '\n', span.length)) {
            demand(span.length == node->length && memcmp(text, node->text, span.length) == 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    struct writ_arena arena;
    struct writ_yaml yaml;
    struct writ_error error;
    size_t mark_length = 0;
    writ_arena_init(&arena, (size_t)64 << 20);
    int result = writ_yaml_parse(&arena, text, length, &yaml, &error);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        mark_length = 3;
        text += 3;
        length -= 3;
    }
    if (result == 0) {
        check_json(&yaml);
        check_places(&yaml, text, length);
        check_spans(&yaml, (const char *)bytes, length + mark_length, mark_length);
    } else {
        demand(error.code == result && error.message[0]);
        demand(writ_utf8_is_valid(error.message, strlen(error.message)));
        if (result == WRIT_DATA_SYNTAX)
            demand(offset_of(text, length, (struct writ_yaml_place){error.line, error.column}) >= 0);
    }
    writ_arena_clear(&arena);
    return 0;
}
