#include "run/compare.h"

#include "data/json_pointer.h"

#include <math.h>

#define SHOWN_BYTES_MAX 200

struct comparison {
    const struct writ_compare_options *options;
    struct writ_buffer pointer;
    struct writ_buffer *difference;
};

static bool is_ignored(const struct comparison *comparison)
{
    const struct writ_json *ignore = comparison->options->ignore;
    if (!ignore || ignore->kind != WRIT_JSON_ARRAY)
        return false;
    WRIT_JSON_EACH_ITEM(item, ignore)
    if (item->kind == WRIT_JSON_STRING && item->length == comparison->pointer.length &&
        memcmp(item->text, writ_buffer_text(&comparison->pointer), item->length) == 0)
        return true;
    return false;
}

static void show(struct writ_buffer *out, const struct writ_json *node)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, (size_t)1 << 30);
    if (!node) {
        writ_buffer_append_text(out, "nothing");
        return;
    }
    writ_json_print(&text, node, WRIT_JSON_COMPACT);
    size_t length = text.length;
    if (length > SHOWN_BYTES_MAX) {
        length = SHOWN_BYTES_MAX;
        while (length > 0 && ((unsigned char)text.data[length] & 0xC0) == 0x80)
            length--;
    }
    writ_buffer_append(out, writ_buffer_text(&text), length);
    if (length < text.length)
        writ_buffer_append_text(out, "…");
}

static bool differ(struct comparison *comparison, const struct writ_json *expected, const struct writ_json *got)
{
    const char *pointer = writ_buffer_text(&comparison->pointer);
    writ_buffer_printf(comparison->difference, "%s: expected ", pointer[0] ? pointer : "the output");
    show(comparison->difference, expected);
    writ_buffer_append_text(comparison->difference, ", got ");
    show(comparison->difference, got);
    return false;
}

static bool compare(struct comparison *comparison, const struct writ_json *expected, const struct writ_json *got);

/* Compares one child with its token put on the pointer meanwhile.  Either may be NULL: missing there. */
static bool compare_child(struct comparison *comparison, const char *key, size_t key_length, size_t index,
                          const struct writ_json *expected, const struct writ_json *got)
{
    size_t length = comparison->pointer.length;
    if (key)
        writ_json_pointer_append(&comparison->pointer, key, key_length);
    else
        writ_json_pointer_append_index(&comparison->pointer, index);
    bool same = expected && got ? compare(comparison, expected, got)
                                : is_ignored(comparison) || differ(comparison, expected, got);
    if (!comparison->pointer.failed && comparison->pointer.data) {
        comparison->pointer.length = length;
        comparison->pointer.data[length] = '\0';
    }
    return same;
}

static bool compare_objects(struct comparison *comparison, const struct writ_json *expected,
                            const struct writ_json *got)
{
    WRIT_JSON_EACH_MEMBER(key, expected)
    if (!compare_child(comparison, key->text, key->length, 0, key + 1,
                       writ_json_get_sized(got, key->text, key->length)))
        return false;
    WRIT_JSON_EACH_MEMBER(extra, got)
    if (!writ_json_get_sized(expected, extra->text, extra->length) &&
        !compare_child(comparison, extra->text, extra->length, 0, NULL, extra + 1))
        return false;
    return true;
}

static bool compare_arrays(struct comparison *comparison, const struct writ_json *expected, const struct writ_json *got)
{
    const struct writ_json *other = writ_json_first(got);
    size_t index = 0;
    WRIT_JSON_EACH_ITEM(item, expected)
    {
        bool there = index < got->length;
        if (!compare_child(comparison, NULL, 0, index, item, there ? other : NULL))
            return false;
        if (there)
            other = writ_json_next(other);
        index++;
    }
    return index >= got->length || compare_child(comparison, NULL, 0, index, NULL, other);
}

/* Written so that a NaN or an overflow counts as a difference. */
static bool is_near(const struct writ_json *expected, const struct writ_json *got, double tolerance)
{
    int64_t a, b;
    if (!writ_json_int64(expected, &a) || !writ_json_int64(got, &b))
        return fabs(writ_json_double(expected) - writ_json_double(got)) <= tolerance;
    /* Integers are subtracted before they become doubles, which could not tell large ones apart. */
    uint64_t distance = a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
    return (double)distance <= tolerance;
}

static bool compare(struct comparison *comparison, const struct writ_json *expected, const struct writ_json *got)
{
    if (is_ignored(comparison))
        return true;
    if (writ_json_is_number(expected) && writ_json_is_number(got)) {
        if (writ_json_compare_numbers(expected, got) == 0 || is_near(expected, got, comparison->options->tolerance))
            return true;
        return differ(comparison, expected, got);
    }
    if (expected->kind == WRIT_JSON_OBJECT && got->kind == WRIT_JSON_OBJECT)
        return compare_objects(comparison, expected, got);
    if (expected->kind == WRIT_JSON_ARRAY && got->kind == WRIT_JSON_ARRAY)
        return compare_arrays(comparison, expected, got);
    return writ_json_equal(expected, got) || differ(comparison, expected, got);
}

bool writ_compare_outputs(const struct writ_json *expected, const struct writ_json *got,
                          const struct writ_compare_options *options, struct writ_buffer *ret_difference)
{
    struct comparison comparison = {.options = options, .difference = ret_difference};
    writ_buffer_init(&comparison.pointer, 1 << 16);
    bool same = compare(&comparison, expected, got);
    writ_buffer_clear(&comparison.pointer);
    return same;
}
