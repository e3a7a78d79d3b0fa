/*
 * Duplicate keys.  The reader keeps a filter of bits for each open object, which rules out nearly all of them.  A key
 * that it does not rule out is compared with those before it while they are few.  The hash is no secret, so that from
 * then on the comparison is put off, and the complete object sorted: keys chosen to collide cost comparisons of bytes,
 * never a square of their number.
 */
#include "data/json_keys.h"
#include "data/json_parse.h"

/* Members before a key with which it is compared at once. */
#define COMPARED_MAX 32
#define KEY_SHOWN_BYTES ((size_t)80)

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

static const struct writ_json **sort_keys(const struct writ_json *object, const struct writ_json *end)
{
    size_t count = object->length, bytes;
    if (WRIT_MUL_OVERFLOWS(count, 2 * sizeof(const struct writ_json *), &bytes))
        return NULL;
    /* Merging swaps the halves of one allocation; the result is moved to its front. */
    const struct writ_json **keys = malloc(bytes ? bytes : 1);
    if (!keys)
        return NULL;
    size_t filled = 0;
    for (const struct writ_json *key = object + 1; key < end; key = writ_json_next(key + 1))
        keys[filled++] = key;
    const struct writ_json **from = keys, **to = keys + count;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t stop = start + 2 * width < count ? start + 2 * width : count;
            merge(to, (const struct writ_json *const *)from, start, middle, stop);
        }
        const struct writ_json **swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
    return keys;
}

const struct writ_json **json_keys_sorted(const struct writ_json *object)
{
    return sort_keys(object, writ_json_next(object));
}

/* The key is shown as JSON, so that no control character of a document reaches a terminal; a long one is cut. */
static int fail_duplicate(const struct json_parser *parser, const struct writ_json *key)
{
    size_t length = key->length < KEY_SHOWN_BYTES ? key->length : KEY_SHOWN_BYTES;
    while (length < key->length && ((unsigned char)key->text[length] & 0xC0) == 0x80)
        length--; /* not inside a character */
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer shown;
    writ_buffer_init(&shown, 6 * KEY_SHOWN_BYTES + 2);
    writ_json_print_string(&shown, key->text, length);
    /* The text begins right behind its quotation mark, in the copy as in the input. */
    (void)json_fail(parser, key->text - 1, "the key %s%s occurs twice in one object: remove one of the two",
                    writ_buffer_text(&shown), length < key->length ? " ..." : "");
    return parser->error->code;
}

int json_check_key(const struct json_parser *parser, const struct writ_json *object, const struct writ_json *key,
                   struct json_key_filter *filter)
{
    if (object->length > COMPARED_MAX) {
        filter->wants_sorting = true;
        return 0;
    }
    for (const struct writ_json *other = object + 1; other < key; other = writ_json_next(other + 1)) {
        if (WRIT_UNLIKELY(json_key_compare(other, key) == 0))
            return fail_duplicate(parser, key);
    }
    return 0;
}

int json_check_keys(const struct json_parser *parser, const struct writ_json *object, const struct writ_json *end)
{
    const struct writ_json **keys = sort_keys(object, end);
    if (!keys)
        return writ_error_memory(parser->error);
    /* Of all repeated keys the first one in the document is reported. */
    const struct writ_json *duplicate = NULL;
    for (size_t at = 1; at < object->length; at++) {
        if (json_key_compare(keys[at - 1], keys[at]) == 0 && (!duplicate || keys[at] < duplicate))
            duplicate = keys[at];
    }
    free(keys);
    return duplicate ? fail_duplicate(parser, duplicate) : 0;
}
