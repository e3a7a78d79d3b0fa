/* Sorting of an object's keys: for finding equal ones without trusting the hash.  Private to src/data. */
#ifndef WRIT_DATA_JSON_KEYS_H
#define WRIT_DATA_JSON_KEYS_H

#include "data/json.h"

/* An order of string nodes: by tag (flags left out), then by bytes. */
int json_key_compare(const struct writ_json *a, const struct writ_json *b) WRIT_PURE;

/* The keys of `object` in that order; equal ones keep the order of the document.  Linearithmic whatever the keys are.
 * The array has object->length pointers and belongs to the caller (free); NULL when memory refuses. */
const struct writ_json **json_keys_sorted(const struct writ_json *object) WRIT_MUST_USE;

#endif
