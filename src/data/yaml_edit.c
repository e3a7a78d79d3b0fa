#include "data/yaml_edit.h"

#include <string.h>

/*
 * Where a line may be added in a block is known from the spans: behind the end of the last value there is nothing but
 * blanks and a comment on its line, and above a key nothing but comment lines until the span of the value before it
 * ends.  Text within quotation marks that looks like a comment line is inside a span, so it is never taken for one.
 */

static struct writ_yaml_span span_of(const struct writ_yaml_editor *editor, const struct writ_json *node)
{
    return writ_yaml_span_of(editor->yaml, node);
}

static size_t end_of(const struct writ_yaml_editor *editor, const struct writ_json *node)
{
    struct writ_yaml_span span = span_of(editor, node);
    return (size_t)span.offset + span.length;
}

static char first_byte(const struct writ_yaml_editor *editor, const struct writ_json *node)
{
    struct writ_yaml_span span = span_of(editor, node);
    return span.length > 0 ? editor->bytes[span.offset] : '\0';
}

static bool is_flow(const struct writ_yaml_editor *editor, const struct writ_json *container)
{
    char first = first_byte(editor, container);
    return first == '[' || first == '{';
}

static bool is_on_one_line(const struct writ_yaml_editor *editor, const struct writ_json *node)
{
    struct writ_yaml_span span = span_of(editor, node);
    return span.length == 0 || !memchr(editor->bytes + span.offset, '\n', span.length);
}

/* The first line begins behind the byte order mark. */
static size_t line_start(const struct writ_yaml_editor *editor, size_t offset)
{
    size_t first = editor->length >= 3 && memcmp(editor->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (offset > first && editor->bytes[offset - 1] != '\n')
        offset--;
    return offset;
}

/* Behind the line's end, or the end of the text. */
static size_t line_end(const struct writ_yaml_editor *editor, size_t offset)
{
    const char *end = memchr(editor->bytes + offset, '\n', editor->length - offset);
    return end ? (size_t)(end - editor->bytes) + 1 : editor->length;
}

static const char *line_break(const struct writ_yaml_editor *editor)
{
    const char *end = memchr(editor->bytes, '\n', editor->length);
    return end && end > editor->bytes && end[-1] == '\r' ? "\r\n" : "\n";
}

static bool make(struct writ_yaml_editor *editor, size_t offset, size_t length, const char *text,
                 struct writ_edit *ret_edit)
{
    if (!text) {
        editor->out_of_memory = true;
        return false;
    }
    *ret_edit = (struct writ_edit){.offset = offset, .length = length, .text = text, .text_length = strlen(text)};
    return true;
}

/* ---- scalars ---- */

/* Only what no reader of YAML, old ones included, takes for anything but this text, also within brackets. */
static bool may_be_plain(const char *text)
{
    static const char *const typed[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
    char first = text[0];
    bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '/' || first == '_';
    if (!letter)
        return false;
    for (size_t i = 0; i < WRIT_COUNT(typed); i++)
        if (strcasecmp(text, typed[i]) == 0)
            return false;
    for (const char *c = text; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     strchr("/_.-@+", *c) || (*c == ':' && c[1] && c[1] != ':');
        if (!plain)
            return false;
    }
    return true;
}

static const char *print(struct writ_yaml_editor *editor, const char *text, char quote)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init(&out, WRIT_YAML_BYTES_MAX);
    bool controls = false;
    for (const char *c = text; *c; c++)
        controls |= (unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7F;
    if (quote == '"' || controls) {
        writ_json_print_string(&out, text, strlen(text)); /* JSON's strings are YAML's double-quoted ones */
    } else if (quote == '\'' || !may_be_plain(text)) {
        writ_buffer_append_byte(&out, '\'');
        for (const char *c = text; *c; c++) {
            if (*c == '\'')
                writ_buffer_append_byte(&out, '\'');
            writ_buffer_append_byte(&out, *c);
        }
        writ_buffer_append_byte(&out, '\'');
    } else {
        writ_buffer_append_text(&out, text);
    }
    const char *copy = out.failed ? NULL : writ_arena_copy(editor->arena, writ_buffer_text(&out), out.length);
    editor->out_of_memory |= !copy;
    return copy;
}

const char *writ_yaml_edit_print(struct writ_yaml_editor *editor, const char *text)
{
    return print(editor, text, '\0');
}

bool writ_yaml_edit_value(struct writ_yaml_editor *editor, const struct writ_json *node, const char *yaml,
                          struct writ_edit *ret_edit)
{
    struct writ_yaml_span span = span_of(editor, node);
    char first = first_byte(editor, node);
    if (!is_on_one_line(editor, node) || first == '|' || first == '>')
        return false;
    /* A value left out has its place right behind the colon or the dash. */
    bool pressed = span.length == 0 && span.offset > 0 && strchr(":-", editor->bytes[span.offset - 1]);
    const char *text =
        pressed ? writ_arena_printf(editor->arena, " %s", yaml) : writ_arena_copy(editor->arena, yaml, strlen(yaml));
    return make(editor, span.offset, span.length, text, ret_edit);
}

bool writ_yaml_edit_text(struct writ_yaml_editor *editor, const struct writ_json *scalar, const char *text,
                         struct writ_edit *ret_edit)
{
    char first = first_byte(editor, scalar);
    const char *yaml = print(editor, text, first == '"' || first == '\'' ? first : '\0');
    return yaml && writ_yaml_edit_value(editor, scalar, yaml, ret_edit);
}

bool writ_yaml_edit_quote(struct writ_yaml_editor *editor, const struct writ_json *scalar, struct writ_edit *ret_edit)
{
    struct writ_yaml_span span = span_of(editor, scalar);
    char first = first_byte(editor, scalar);
    if (span.length == 0 || first == '"' || first == '\'' || writ_json_is_container(scalar))
        return false;
    const char *text = writ_arena_copy(editor->arena, editor->bytes + span.offset, span.length);
    editor->out_of_memory |= !text;
    const char *yaml = text ? print(editor, text, '"') : NULL;
    return yaml && writ_yaml_edit_value(editor, scalar, yaml, ret_edit);
}

/* ---- members and items ---- */

static const struct writ_json *last_child(const struct writ_json *container)
{
    const struct writ_json *last = NULL, *end = writ_json_next(container);
    for (const struct writ_json *node = container + 1; node < end; node = writ_json_next(node))
        last = node;
    return last;
}

/* Adds `content` behind the last value of `[…]` or `{…}`. */
static bool add_in_flow(struct writ_yaml_editor *editor, const struct writ_json *container, const char *content,
                        struct writ_edit *ret_edit)
{
    const struct writ_json *last = last_child(container);
    if (!last)
        return make(editor, span_of(editor, container).offset + 1, 0,
                    writ_arena_copy(editor->arena, content, strlen(content)), ret_edit);
    return make(editor, end_of(editor, last), 0, writ_arena_printf(editor->arena, ", %s", content), ret_edit);
}

/* Adds a line behind a block.  `indent`: the spaces before its first key or dash. */
static bool add_line(struct writ_yaml_editor *editor, const struct writ_json *container, const char *content,
                     struct writ_edit *ret_edit)
{
    size_t start = span_of(editor, container).offset, end = end_of(editor, container);
    int indent = (int)(start - line_start(editor, start));
    if (end > start && editor->bytes[end - 1] == '\n') /* a block text, which holds its last line's end */
        return make(editor, end, 0,
                    writ_arena_printf(editor->arena, "%*s%s%s", indent, "", content, line_break(editor)), ret_edit);
    size_t next = line_end(editor, end);
    bool ends = next > 0 && editor->bytes[next - 1] == '\n';
    if (ends)
        return make(editor, next, 0,
                    writ_arena_printf(editor->arena, "%*s%s%s", indent, "", content, line_break(editor)), ret_edit);
    /* The last line of the text has no end: a block text there would be given one. */
    const struct writ_json *last = writ_json_next(container) - 1;
    char first = first_byte(editor, last);
    if (first == '|' || first == '>')
        return false;
    return make(editor, next, 0, writ_arena_printf(editor->arena, "%s%*s%s", line_break(editor), indent, "", content),
                ret_edit);
}

static bool is_comment_line(const struct writ_yaml_editor *editor, size_t start)
{
    while (start < editor->length && editor->bytes[start] == ' ')
        start++;
    return start < editor->length && editor->bytes[start] == '#';
}

/* Adds a line above a key, which must be the first on its line, and above the comments that stand right over it. */
static bool add_line_above(struct writ_yaml_editor *editor, const struct writ_json *map, const struct writ_json *key,
                           const char *content, struct writ_edit *ret_edit)
{
    size_t offset = span_of(editor, key).offset, start = line_start(editor, offset), floor = 0;
    for (size_t i = start; i < offset; i++)
        if (editor->bytes[i] != ' ')
            return false;
    int indent = (int)(offset - start);
    for (const struct writ_json *other = map + 1; other < key; other = writ_json_next(other + 1))
        floor = end_of(editor, other + 1);
    /* What stands above the first key may be about the whole. */
    while (key > map + 1 && start > floor && line_start(editor, start - 1) >= floor &&
           is_comment_line(editor, line_start(editor, start - 1)))
        start = line_start(editor, start - 1);
    return make(editor, start, 0, writ_arena_printf(editor->arena, "%*s%s%s", indent, "", content, line_break(editor)),
                ret_edit);
}

bool writ_yaml_edit_member(struct writ_yaml_editor *editor, const struct writ_json *map, const struct writ_json *before,
                           const char *name, const char *yaml, struct writ_edit *ret_edit)
{
    const char *mark = map->length > 0 && first_byte(editor, map + 1) == '"' ? "\"" : "";
    const char *content = writ_arena_printf(editor->arena, "%s%s%s: %s", mark, name, mark, yaml);
    if (!content) {
        editor->out_of_memory = true;
        return false;
    }
    if (is_flow(editor, map))
        return add_in_flow(editor, map, content, ret_edit);
    if (before)
        return add_line_above(editor, map, before, content, ret_edit);
    return add_line(editor, map, content, ret_edit);
}

bool writ_yaml_edit_item(struct writ_yaml_editor *editor, const struct writ_json *list, const char *text,
                         struct writ_edit *ret_edit)
{
    const char *yaml = writ_yaml_edit_print(editor, text);
    if (!yaml)
        return false;
    if (is_flow(editor, list))
        return add_in_flow(editor, list, yaml, ret_edit);
    const char *content = writ_arena_printf(editor->arena, "- %s", yaml);
    editor->out_of_memory |= !content;
    return content && add_line(editor, list, content, ret_edit);
}

/* ---- removal ---- */

static bool is_only(const struct writ_yaml_editor *editor, size_t from, size_t to, const char *bytes)
{
    for (size_t i = from; i < to; i++)
        if (!strchr(bytes, editor->bytes[i]))
            return false;
    return true;
}

bool writ_yaml_edit_remove(struct writ_yaml_editor *editor, const struct writ_json *list, const struct writ_json *item,
                           struct writ_edit *ret_edit)
{
    if (list->length < 2)
        return false;
    const struct writ_json *previous = NULL;
    for (const struct writ_json *other = list + 1; other < item; other = writ_json_next(other))
        previous = other;
    size_t from = span_of(editor, item).offset, to = end_of(editor, item);
    if (is_flow(editor, list)) {
        size_t behind = previous ? end_of(editor, previous) : from;
        size_t next = previous ? to : span_of(editor, writ_json_next(item)).offset;
        return is_only(editor, behind, from, " ,\r\n") && is_only(editor, to, next, " ,\r\n") &&
               make(editor, behind, next - behind, "", ret_edit);
    }
    size_t start = line_start(editor, from), next = line_end(editor, to);
    return is_only(editor, start, from, " -") && is_only(editor, to, next, " \r\n") &&
           make(editor, start, next - start, "", ret_edit);
}
