/* Equality of values, in time linear but for the sorting of members in different order. */
#include "data/json_keys.h"

/* `a` and `b` are keys. */
static bool same_key(const struct writ_json *a, const struct writ_json *b)
{
    return (a->tag & WRIT_JSON_TAG_MASK) == (b->tag & WRIT_JSON_TAG_MASK) && memcmp(a->text, b->text, a->length) == 0;
}

/* Values before `rest` are known to be equal; compared once more at each level, they would cost twice as much for each
 * level that they lie below. */
static bool equal_sorted(const struct writ_json *const *keys_a, const struct writ_json *const *keys_b, size_t count,
                         const struct writ_json *rest)
{
    for (size_t at = 0; at < count; at++) {
        if (!same_key(keys_a[at], keys_b[at]))
            return false;
    }
    for (size_t at = 0; at < count; at++) {
        if (keys_a[at] >= rest && !writ_json_equal(keys_a[at] + 1, keys_b[at] + 1))
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
        equal = equal_sorted((const struct writ_json *const *)keys_a, (const struct writ_json *const *)keys_b,
                             a->length, rest);
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
