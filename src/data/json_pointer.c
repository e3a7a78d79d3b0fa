#include "data/json_pointer.h"

/* True when the escaped token reads as the text.  False also for a malformed escape. */
static bool token_is(const char *token, const char *end, const char *text, size_t length)
{
    const char *text_end = text + length;
    for (; token < end; token++, text++) {
        char c = *token;
        if (c == '~') {
            if (++token == end || (*token != '0' && *token != '1'))
                return false;
            c = *token == '0' ? '~' : '/';
        }
        if (text == text_end || *text != c)
            return false;
    }
    return text == text_end;
}

static const struct writ_json *find_member(const struct writ_json *object, const char *token, const char *end)
{
    if (!memchr(token, '~', (size_t)(end - token)))
        return writ_json_get_sized(object, token, (size_t)(end - token));
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        if (token_is(token, end, key->text, key->length))
            return key + 1;
    }
    return NULL;
}

static const struct writ_json *find_item(const struct writ_json *array, const char *token, const char *end)
{
    /* No index of an array has more than ten digits. */
    if (token == end || end - token > 10 || (*token == '0' && end - token > 1))
        return NULL;
    size_t index = 0;
    for (; token < end; token++) {
        if (*token < '0' || *token > '9')
            return NULL;
        index = index * 10 + (size_t)(*token - '0');
    }
    return writ_json_at(array, index);
}

const struct writ_json *writ_json_pointer_get(const struct writ_json *root, const char *pointer, size_t length)
{
    const char *end = pointer + length;
    while (root && pointer < end) {
        if (*pointer++ != '/')
            return NULL;
        const char *token = pointer;
        while (pointer < end && *pointer != '/')
            pointer++;
        if (root->kind == WRIT_JSON_OBJECT)
            root = find_member(root, token, pointer);
        else if (root->kind == WRIT_JSON_ARRAY)
            root = find_item(root, token, pointer);
        else
            return NULL;
    }
    return root;
}

void writ_json_pointer_append(struct writ_buffer *pointer, const char *token, size_t length)
{
    writ_buffer_append_byte(pointer, '/');
    size_t start = 0;
    for (size_t at = 0; at < length; at++) {
        if (token[at] != '~' && token[at] != '/')
            continue;
        writ_buffer_append(pointer, token + start, at - start);
        writ_buffer_append(pointer, token[at] == '~' ? "~0" : "~1", 2);
        start = at + 1;
    }
    writ_buffer_append(pointer, token + start, length - start);
}

void writ_json_pointer_append_index(struct writ_buffer *pointer, size_t index)
{
    writ_buffer_printf(pointer, "/%zu", index);
}

/* The child of `container` that is or contains `node`; appends its token. */
static const struct writ_json *step_to(struct writ_buffer *pointer, const struct writ_json *container,
                                       const struct writ_json *node)
{
    if (container->kind == WRIT_JSON_OBJECT) {
        WRIT_JSON_EACH_MEMBER(key, container)
        {
            if (node < writ_json_next(key + 1)) {
                writ_json_pointer_append(pointer, key->text, key->length);
                return key + 1;
            }
        }
    } else {
        size_t index = 0;
        WRIT_JSON_EACH_ITEM(item, container)
        {
            if (node < writ_json_next(item)) {
                writ_json_pointer_append_index(pointer, index);
                return item;
            }
            index++;
        }
    }
    return node;
}

void writ_json_pointer_to(struct writ_buffer *pointer, const struct writ_json *root, const struct writ_json *node)
{
    /* A key stands for its member: its place lies before the value's, and the loop ends there as well. */
    while (root < node)
        root = step_to(pointer, root, node);
}
