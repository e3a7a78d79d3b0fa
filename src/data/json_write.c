/* The streaming writer. */
#include "data/json.h"

#include <assert.h>

/* Bits of is_object[depth]. */
#define LEVEL_OBJECT 1
#define LEVEL_HAS_KEY 2 /* a key waits for its value */

void writ_json_writer_init(struct writ_json_writer *writer, struct writ_buffer *out)
{
    writer->out = out;
    writer->depth = 0;
    writer->wants_comma = false;
    writer->is_object[0] = 0;
}

/* What comes before a value: nothing after a key, else a comma between neighbours. */
static void begin_value(struct writ_json_writer *writer)
{
    uint8_t *level = &writer->is_object[writer->depth];
    if (*level & LEVEL_OBJECT) {
        assert(*level & LEVEL_HAS_KEY);
        *level = LEVEL_OBJECT;
    } else if (writer->wants_comma) {
        assert(writer->depth > 0);
        writ_buffer_append_byte(writer->out, ',');
    }
    writer->wants_comma = true;
}

static void open_level(struct writ_json_writer *writer, uint8_t level)
{
    begin_value(writer);
    assert(writer->depth < WRIT_JSON_DEPTH_MAX);
    writer->is_object[++writer->depth] = level;
    writer->wants_comma = false;
    writ_buffer_append_byte(writer->out, level == LEVEL_OBJECT ? '{' : '[');
}

static void close_level(struct writ_json_writer *writer, uint8_t level)
{
    assert(writer->depth > 0 && writer->is_object[writer->depth] == level);
    writer->depth--;
    writer->wants_comma = true;
    writ_buffer_append_byte(writer->out, level == LEVEL_OBJECT ? '}' : ']');
}

void writ_json_write_object(struct writ_json_writer *writer)
{
    open_level(writer, LEVEL_OBJECT);
}

void writ_json_write_object_end(struct writ_json_writer *writer)
{
    close_level(writer, LEVEL_OBJECT);
}

void writ_json_write_array(struct writ_json_writer *writer)
{
    open_level(writer, 0);
}

void writ_json_write_array_end(struct writ_json_writer *writer)
{
    close_level(writer, 0);
}

void writ_json_write_key_sized(struct writ_json_writer *writer, const char *key, size_t length)
{
    uint8_t *level = &writer->is_object[writer->depth];
    assert(*level == LEVEL_OBJECT);
    *level |= LEVEL_HAS_KEY;
    if (writer->wants_comma)
        writ_buffer_append_byte(writer->out, ',');
    writ_json_print_string(writer->out, key, length);
    writ_buffer_append_byte(writer->out, ':');
}

void writ_json_write_key(struct writ_json_writer *writer, const char *key)
{
    writ_json_write_key_sized(writer, key, strlen(key));
}

void writ_json_write_text_sized(struct writ_json_writer *writer, const char *bytes, size_t length)
{
    begin_value(writer);
    writ_json_print_string(writer->out, bytes, length);
}

void writ_json_write_text(struct writ_json_writer *writer, const char *text)
{
    if (text)
        writ_json_write_text_sized(writer, text, strlen(text));
    else
        writ_json_write_null(writer);
}

void writ_json_write_integer(struct writ_json_writer *writer, int64_t value)
{
    const struct writ_json node = {.kind = WRIT_JSON_INTEGER, .integer = value};
    writ_json_write_node(writer, &node);
}

void writ_json_write_double(struct writ_json_writer *writer, double value)
{
    begin_value(writer);
    writ_json_print_double(writer->out, value);
}

void writ_json_write_bool(struct writ_json_writer *writer, bool value)
{
    begin_value(writer);
    writ_buffer_append_text(writer->out, value ? "true" : "false");
}

void writ_json_write_null(struct writ_json_writer *writer)
{
    begin_value(writer);
    writ_buffer_append_text(writer->out, "null");
}

void writ_json_write_node(struct writ_json_writer *writer, const struct writ_json *node)
{
    begin_value(writer);
    writ_json_print(writer->out, node, WRIT_JSON_COMPACT);
}

void writ_json_write_member_text(struct writ_json_writer *writer, const char *key, const char *text)
{
    writ_json_write_key(writer, key);
    writ_json_write_text(writer, text);
}

void writ_json_write_member_integer(struct writ_json_writer *writer, const char *key, int64_t value)
{
    writ_json_write_key(writer, key);
    writ_json_write_integer(writer, value);
}

void writ_json_write_member_double(struct writ_json_writer *writer, const char *key, double value)
{
    writ_json_write_key(writer, key);
    writ_json_write_double(writer, value);
}

void writ_json_write_member_bool(struct writ_json_writer *writer, const char *key, bool value)
{
    writ_json_write_key(writer, key);
    writ_json_write_bool(writer, value);
}

void writ_json_write_member_node(struct writ_json_writer *writer, const char *key, const struct writ_json *node)
{
    writ_json_write_key(writer, key);
    writ_json_write_node(writer, node);
}
