/*
 * Equality and uniqueness with their steps counted.  Private to schema*.c.
 */
#ifndef WRIT_DATA_SCHEMA_EQUAL_H
#define WRIT_DATA_SCHEMA_EQUAL_H

#include "data/json.h"

/* Both take what they cost from `*steps`; when that falls below zero they stop and the answer means nothing. */
bool writ_schema_equal(const struct writ_json *a, const struct writ_json *b, int64_t *steps);
bool writ_schema_is_unique(const struct writ_json *array, int64_t *steps);

#endif
