/* Walking and comparing parsed documents. */
#include "data/json.h"

#include "data/json_keys.h"
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

bool writ_json_is_true(const struct writ_json *node)
{
    return node && node->kind == WRIT_JSON_TRUE;
}

/* `a` and `b` are keys. */
static bool same_key(const struct writ_json *a, const struct writ_json *b)
{
    return (a->tag & WRIT_JSON_TAG_MASK) == (b->tag & WRIT_JSON_TAG_MASK) && memcmp(a->text, b->text, a->length) == 0;
}

static bool equal_sorted(const struct writ_json *const *keys_a, const struct writ_json *const *keys_b, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (!same_key(keys_a[at], keys_b[at]) || !writ_json_equal(keys_a[at] + 1, keys_b[at] + 1))
            return false;
    }
    return true;
}

/* Objects of the same number of members, from the member where their order first differs. */
static bool equal_unordered(const struct writ_json *a, const struct writ_json *rest, const struct writ_json *b)
{
    const uint32_t few = 32;
    /* Many members are sorted, so that the order of a hostile document costs no square.  Without memory they may. */
    const struct writ_json **keys_a = a->length > few ? json_keys_sorted(a) : NULL;
    const struct writ_json **keys_b = keys_a ? json_keys_sorted(b) : NULL;
    bool equal = true;
    if (keys_b) {
        equal =
            equal_sorted((const struct writ_json *const *)keys_a, (const struct writ_json *const *)keys_b, a->length);
    } else {
        for (const struct writ_json *end = writ_json_next(a); equal && rest < end; rest = writ_json_next(rest + 1)) {
            const struct writ_json *value = writ_json_get_sized(b, rest->text, rest->length);
            equal = value && writ_json_equal(rest + 1, value);
        }
    }
    free(keys_a);
    free(keys_b);
    return equal;
}

static bool equal_objects(const struct writ_json *a, const struct writ_json *b)
{
    const struct writ_json *key_b = b + 1;
    WRIT_JSON_EACH_MEMBER(key_a, a)
    {
        if (!same_key(key_a, key_b))
            return equal_unordered(a, key_a, b);
        if (!writ_json_equal(key_a + 1, key_b + 1))
            return false;
        key_b = writ_json_next(key_b + 1);
    }
    return true;
}

/* Recurses no deeper than documents nest. */
bool writ_json_equal(const struct writ_json *a, const struct writ_json *b)
{
    if (writ_json_is_number(a) && writ_json_is_number(b))
        return writ_json_compare_numbers(a, b) == 0;
    if (a->kind != b->kind || a->length != b->length)
        return false;
    if (a->kind == WRIT_JSON_STRING)
        return same_key(a, b);
    if (a->kind == WRIT_JSON_OBJECT)
        return equal_objects(a, b);
    if (a->kind != WRIT_JSON_ARRAY)
        return true;
    const struct writ_json *item_b = b + 1;
    WRIT_JSON_EACH_ITEM(item_a, a)
    {
        if (!writ_json_equal(item_a, item_b))
            return false;
        item_b = writ_json_next(item_b);
    }
    return true;
}
