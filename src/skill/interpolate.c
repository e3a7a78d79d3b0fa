#include "data/json_pointer.h"
#include "skill/cut.h"
#include "skill/permission.h"

#include <limits.h>
#include <string.h>

/*
 * Expansion of a permission's PATH with the values of one call.
 *
 * A path is expanded as text only; what it leads to is for the opener to find out, by descriptors.  The one thing that
 * text must guarantee is that a value cannot climb out of what the contract wrote before it: `/data/${{ .input.name }}`
 * stays below /data.  At the head a value may be anything the caller is able to name, for there the caller's roots are
 * the bound.
 */

struct expansion {
    const struct writ_permission *permission;
    const struct writ_interpolation *values;
    struct writ_arena *arena;
    struct writ_error *error;
    const struct writ_json *nodes[WRIT_PERMISSION_SEGMENTS_MAX]; /* of INPUT segments */
    const struct writ_json *array;                               /* the one array among them, or NULL */
};

/* The permission as written, for `%.*s`. */
#define SOURCE(expansion) cut((expansion)->permission->source, 200), (expansion)->permission->source

static int deny(struct expansion *expansion, const char *pointer, const char *what)
{
    return writ_error_set(expansion->error, WRIT_FILESYSTEM_DENIED, "the value at `%.*s` %s (permission `%.*s`)",
                          cut(pointer, 200), pointer, what, SOURCE(expansion));
}

/* Finds every value.  Returns 1 when an optional one is absent, so that the permission is dropped. */
static int find_values(struct expansion *expansion)
{
    for (size_t i = 0; i < expansion->permission->segment_count; i++) {
        const struct writ_segment *segment = &expansion->permission->segments[i];
        if (segment->kind != WRIT_SEGMENT_INPUT)
            continue;
        const struct writ_json *node =
            expansion->values->input
                ? writ_json_pointer_get(expansion->values->input, segment->text, strlen(segment->text))
                : NULL;
        if (!node || node->kind == WRIT_JSON_NULL)
            return 1;
        if (node->kind == WRIT_JSON_ARRAY) {
            if (expansion->array && expansion->array != node)
                return deny(expansion, segment->text,
                            "is a second list in one path; a path is expanded from one list only");
            if (node->length > WRIT_PERMISSION_PATHS_MAX)
                return deny(expansion, segment->text, "has more than 256 paths; pass fewer");
            expansion->array = node;
        } else if (node->kind != WRIT_JSON_STRING) {
            return deny(expansion, segment->text, "is no text and no list of texts, so it names no path");
        }
        expansion->nodes[i] = node;
    }
    return 0;
}

static bool has_parent_component(const char *path, size_t from)
{
    for (const char *part = path; *part;) {
        size_t size = strcspn(part, "/");
        /* A component counts when any byte of it lies beyond `from`: joined pieces may make what none of them holds. */
        if (size == 2 && part[0] == '.' && part[1] == '.' && (size_t)(part - path) + size > from)
            return true;
        part += size + (part[size] == '/');
    }
    return false;
}

static int check_value(struct expansion *expansion, const struct writ_json *value, const char *pointer, bool at_head)
{
    if (value->kind != WRIT_JSON_STRING)
        return deny(expansion, pointer, "is no text, so it names no path");
    if (value->length == 0)
        return deny(expansion, pointer, "is empty, so it names no path");
    if (memchr(value->text, '\0', value->length))
        return deny(expansion, pointer, "holds a NUL character, which no path can hold");
    if (at_head)
        return 0;
    if (value->text[0] == '/')
        return deny(expansion, pointer, "begins with `/`, but is only a part of a path; pass it without");
    if (has_parent_component(value->text, 0))
        return deny(expansion, pointer, "has a `..` part, which would lead out of the granted folder");
    return 0;
}

static const char *value_pointer(struct expansion *expansion, size_t segment, size_t element)
{
    const char *pointer = expansion->permission->segments[segment].text;
    if (!expansion->array || expansion->nodes[segment] != expansion->array)
        return pointer;
    return writ_arena_printf(expansion->arena, "%s/%zu", pointer, element);
}

/* The text of one segment.  `item` is the element of the one array, when there is one. */
static int segment_text(struct expansion *expansion, size_t index, const struct writ_json *item, size_t element,
                        const char **ret_text, const char **ret_pointer)
{
    const struct writ_segment *segment = &expansion->permission->segments[index];
    const struct writ_interpolation *values = expansion->values;
    switch (segment->kind) {
    case WRIT_SEGMENT_LITERAL:
        *ret_text = segment->text;
        return 0;
    case WRIT_SEGMENT_STATE:
        if (!values->state_folder)
            return writ_error_set(expansion->error, WRIT_FILESYSTEM_DENIED,
                                  "there is no private folder for this call (permission `%.*s`)", SOURCE(expansion));
        *ret_text = values->state_folder;
        return 0;
    case WRIT_SEGMENT_IDENTITY:
        /* An identity that could act as more than one plain component would name another's folder. */
        if (!values->identity_id || !values->identity_id[0] || strchr(values->identity_id, '/') ||
            strcmp(values->identity_id, ".") == 0 || strcmp(values->identity_id, "..") == 0)
            return writ_error_set(expansion->error, WRIT_FILESYSTEM_DENIED,
                                  "the caller's identity cannot stand in a path (permission `%.*s`)",
                                  SOURCE(expansion));
        *ret_text = values->identity_id;
        return 0;
    case WRIT_SEGMENT_INPUT:
        break;
    }
    const struct writ_json *value = expansion->nodes[index] == expansion->array ? item : expansion->nodes[index];
    const char *pointer = value_pointer(expansion, index, element);
    if (!pointer)
        return writ_error_memory(expansion->error);
    int result = check_value(expansion, value, pointer, index == 0);
    if (result < 0)
        return result;
    *ret_text = value->text;
    *ret_pointer = pointer;
    return 0;
}

static int expand_one(struct expansion *expansion, const struct writ_json *item, size_t element,
                      struct writ_expanded_path *ret_path)
{
    char path[PATH_MAX];
    size_t length = 0, head_bytes = 0;
    struct writ_expanded_path expanded = {0};
    for (size_t i = 0; i < expansion->permission->segment_count; i++) {
        const char *text = NULL, *pointer = NULL;
        int result = segment_text(expansion, i, item, element, &text, &pointer);
        if (result < 0)
            return result;
        size_t size = strlen(text);
        if (size >= sizeof path - length)
            return writ_error_set(expansion->error, WRIT_FILESYSTEM_DENIED,
                                  "the path is longer than %zu bytes (permission `%.*s`)", sizeof path - 1,
                                  SOURCE(expansion));
        memcpy(path + length, text, size);
        length += size;
        expanded.from_input |= pointer != NULL;
        if (i == 0 && pointer)
            expanded.input_pointer = pointer;
        if (i == 0 && (pointer || expansion->permission->segments[0].kind == WRIT_SEGMENT_STATE))
            head_bytes = length;
    }
    path[length] = '\0';
    if (has_parent_component(path, head_bytes))
        return writ_error_set(expansion->error, WRIT_FILESYSTEM_DENIED,
                              "the values make a `..` part, which would lead out of the granted folder (permission "
                              "`%.*s`)",
                              SOURCE(expansion));
    expanded.in_state = expansion->permission->segments[0].kind == WRIT_SEGMENT_STATE;
    expanded.path = writ_arena_copy(expansion->arena, path, length);
    if (!expanded.path)
        return writ_error_memory(expansion->error);
    *ret_path = expanded;
    return 0;
}

int writ_permission_expand(const struct writ_permission *permission, const struct writ_interpolation *values,
                           struct writ_arena *arena, const struct writ_expanded_path **ret_paths, size_t *ret_count,
                           struct writ_error *error)
{
    struct expansion expansion = {.permission = permission, .values = values, .arena = arena, .error = error};
    int result = find_values(&expansion);
    if (result < 0)
        return result;
    size_t count = result > 0 ? 0 : expansion.array ? expansion.array->length : 1;
    struct writ_expanded_path *paths = writ_arena_zalloc(arena, count, sizeof *paths);
    if (!paths)
        return writ_error_memory(error);
    const struct writ_json *item = count > 0 && expansion.array ? writ_json_first(expansion.array) : NULL;
    for (size_t i = 0; i < count; i++) {
        result = expand_one(&expansion, item, i, &paths[i]);
        if (result < 0)
            return result;
        item = item ? writ_json_next(item) : NULL;
    }
    *ret_paths = paths;
    *ret_count = count;
    return 0;
}
