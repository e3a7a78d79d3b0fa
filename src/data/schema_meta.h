/*
 * The 2020-12 meta-schema and its vocabularies as documents.  Private to schema*.c.
 */
#ifndef WRIT_DATA_SCHEMA_META_H
#define WRIT_DATA_SCHEMA_META_H

#include "data/json.h"

#define SCHEMA_META_BASE "https://json-schema.org/draft/2020-12/"
#define SCHEMA_META_URI SCHEMA_META_BASE "schema"

/* The document of that URI; NULL when it is none of them.  Parsed at the first call, kept for the life of the process;
 * threads may call at once.  Errors: INTERNAL_MEMORY. */
int writ_schema_meta_find(const char *uri, const struct writ_json **ret_document,
                          struct writ_error *error) WRIT_MUST_USE;

#endif
