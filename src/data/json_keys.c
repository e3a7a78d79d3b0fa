/*
 * Duplicate keys.  Small objects compare each pair of tags; the hash in a tag is no secret, so that larger objects are
 * sorted instead: keys chosen to collide cost comparisons of bytes, never a square of their number.
 */
#include "data/json_keys.h"
#include "data/json_parse.h"

#define PAIRWISE_MAX 32

int json_key_compare(const struct writ_json *a, const struct writ_json *b)
{
    uint64_t tag_a = a->tag & WRIT_JSON_TAG_MASK, tag_b = b->tag & WRIT_JSON_TAG_MASK;
    if (tag_a != tag_b)
        return tag_a < tag_b ? -1 : 1;
    return memcmp(a->text, b->text, a->length);
}

/* Merges the sorted runs [start, middle) and [middle, end) of `from` into `to`. */
static void merge(const struct writ_json **to, const struct writ_json *const *from, size_t start, size_t middle,
                  size_t end)
{
    size_t left = start, right = middle;
    for (size_t at = start; at < end; at++) {
        bool take_left = left < middle && (right >= end || json_key_compare(from[left], from[right]) <= 0);
        to[at] = take_left ? from[left++] : from[right++];
    }
}

const struct writ_json **json_keys_sorted(const struct writ_json *object)
{
    size_t count = object->length, bytes;
    if (WRIT_MUL_OVERFLOWS(count, 2 * sizeof(const struct writ_json *), &bytes))
        return NULL;
    /* Merging swaps the halves of one allocation; the result is moved to its front. */
    const struct writ_json **keys = malloc(bytes ? bytes : 1);
    if (!keys)
        return NULL;
    size_t filled = 0;
    WRIT_JSON_EACH_MEMBER(key, object)
    keys[filled++] = key;
    const struct writ_json **from = keys, **to = keys + count;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = start + 2 * width < count ? start + 2 * width : count;
            merge(to, (const struct writ_json *const *)from, start, middle, end);
        }
        const struct writ_json **swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
    return keys;
}

static int fail_duplicate(const struct json_parser *parser, const struct writ_json *key)
{
    /* The text begins right behind its quotation mark, in the copy as in the input. */
    (void)json_fail(parser, key->text - 1, "the key \"%.*s%s\" occurs twice in one object: remove one of the two",
                    key->length > 100 ? 100 : (int)key->length, key->text, key->length > 100 ? "..." : "");
    return parser->error->code;
}

static int check_sorted(const struct json_parser *parser, const struct writ_json *object)
{
    const struct writ_json **keys = json_keys_sorted(object);
    if (!keys)
        return writ_error_memory(parser->error);
    /* Of all repeated keys the first one in the document is reported, as for small objects. */
    const struct writ_json *duplicate = NULL;
    for (size_t at = 1; at < object->length; at++) {
        if (json_key_compare(keys[at - 1], keys[at]) == 0 && (!duplicate || keys[at] < duplicate))
            duplicate = keys[at];
    }
    free(keys);
    return duplicate ? fail_duplicate(parser, duplicate) : 0;
}

int json_check_keys(const struct json_parser *parser, const struct writ_json *object)
{
    if (object->length > PAIRWISE_MAX)
        return check_sorted(parser, object);
    const struct writ_json *keys[PAIRWISE_MAX];
    size_t count = 0;
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        for (size_t at = 0; at < count; at++) {
            /* Equal text has equal flags, so that whole tags may be compared. */
            if (WRIT_UNLIKELY(keys[at]->tag == key->tag) && memcmp(keys[at]->text, key->text, key->length) == 0)
                return fail_duplicate(parser, key);
        }
        keys[count++] = key;
    }
    return 0;
}
