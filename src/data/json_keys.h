/* Sorting of an object's keys: for finding equal ones without trusting the hash.  Private to src/data. */
#ifndef WRIT_DATA_JSON_KEYS_H
#define WRIT_DATA_JSON_KEYS_H

#include "data/json.h"

/* An order of string nodes: by tag (flags left out), then by bytes. */
static inline int json_key_compare(const struct writ_json *a, const struct writ_json *b)
{
    uint64_t tag_a = a->tag & WRIT_JSON_TAG_MASK, tag_b = b->tag & WRIT_JSON_TAG_MASK;
    if (tag_a != tag_b)
        return tag_a < tag_b ? -1 : 1;
    return memcmp(a->text, b->text, a->length);
}

/* The keys of `object` in that order; equal ones keep the order of the document.  Linearithmic whatever the keys are.
 * The array has object->length pointers and belongs to the caller (free); NULL when memory refuses. */
const struct writ_json **json_keys_sorted(const struct writ_json *object) WRIT_MUST_USE;

#endif
