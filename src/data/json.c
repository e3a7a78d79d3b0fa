/* Walking parsed documents, and the tags of their strings. */
#include "data/json.h"

#include "data/json_scan.h"

uint16_t writ_json_hash(const char *bytes, size_t length)
{
    uint64_t head = 0, tail = 0;
    size_t end = length < 8 ? length : 8;
    if (end > 0) {
        memcpy(&head, bytes, end);
        memcpy(&tail, bytes + (length - end), end);
    }
    return json_hash_ends(head, tail, length);
}

uint64_t writ_json_string_tag(const char *bytes, size_t length)
{
    struct writ_json node = {
        .kind = WRIT_JSON_STRING, .hash = writ_json_hash(bytes, length), .length = (uint32_t)length};
    return node.tag;
}

const struct writ_json *writ_json_get_sized(const struct writ_json *object, const char *key, size_t length)
{
    if (!object || object->kind != WRIT_JSON_OBJECT || length > UINT32_MAX)
        return NULL;
    uint64_t tag = writ_json_string_tag(key, length);
    WRIT_JSON_EACH_MEMBER(member, object)
    {
        if ((member->tag & WRIT_JSON_TAG_MASK) == tag && memcmp(member->text, key, length) == 0)
            return member + 1;
    }
    return NULL;
}

const struct writ_json *writ_json_get(const struct writ_json *object, const char *key)
{
    return writ_json_get_sized(object, key, strlen(key));
}

const struct writ_json *writ_json_at(const struct writ_json *array, size_t index)
{
    if (!array || array->kind != WRIT_JSON_ARRAY || index >= array->length)
        return NULL;
    const struct writ_json *item = array + 1;
    while (index-- > 0)
        item = writ_json_next(item);
    return item;
}

const char *writ_json_text(const struct writ_json *node)
{
    return node && node->kind == WRIT_JSON_STRING ? node->text : NULL;
}

bool writ_json_is_text(const struct writ_json *node, const char *text)
{
    return node && node->kind == WRIT_JSON_STRING && strlen(text) == node->length &&
           memcmp(node->text, text, node->length) == 0;
}

const char *writ_json_text_or(const struct writ_json *object, const char *key, const char *otherwise)
{
    const char *text = writ_json_text(writ_json_get(object, key));
    return text ? text : otherwise;
}

bool writ_json_has_item(const struct writ_json *list, const struct writ_json *value)
{
    if (!list || list->kind != WRIT_JSON_ARRAY)
        return false;
    WRIT_JSON_EACH_ITEM(item, list)
    {
        if (writ_json_equal(item, value))
            return true;
    }
    return false;
}

bool writ_json_is_true(const struct writ_json *node)
{
    return node && node->kind == WRIT_JSON_TRUE;
}
