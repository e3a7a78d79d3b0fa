/*
 * YAML to the JSON model, for contracts: libyaml's events, a builder of our own.
 *
 * Accepted: one document, block or flow style, comments, a byte order mark, CRLF.  Scalars follow the YAML 1.2 core
 * schema: only plain true/false/null/~ and JSON-like numbers are typed; yes, on, 017, 1_000, 12:30 are strings.
 * Refused with line, column and the mend: duplicate keys, aliases, anchors, tags, merge keys, non-string keys, several
 * documents, tabs as indentation, depth over 32, more than bytes_max bytes, 100,000 nodes, a scalar over 1 MiB,
 * invalid UTF-8, NaN and infinities.
 *
 * Each node's place in the source is kept beside the document for error reports.
 * Threads: a parsed document is read-only and may be shared.
 */
#ifndef WRIT_DATA_YAML_H
#define WRIT_DATA_YAML_H

#include "data/json.h"

#define WRIT_YAML_DEPTH_MAX 32
#define WRIT_YAML_BYTES_MAX ((size_t)1 << 20)

struct writ_yaml_place {
    uint32_t line, column; /* 1-based; columns count bytes */
};
struct writ_yaml {
    const struct writ_json *root;
    const struct writ_yaml_place *places; /* places[node - root] */
};

/* Errors: DATA_SYNTAX with line and column; INTERNAL_LIMIT; INTERNAL_MEMORY. */
int writ_yaml_parse(struct writ_arena *arena, const char *bytes, size_t length, struct writ_yaml *ret_yaml,
                    struct writ_error *error) WRIT_MUST_USE;
/* The place of a node of this document. */
struct writ_yaml_place writ_yaml_place_of(const struct writ_yaml *yaml, const struct writ_json *node) WRIT_PURE;

#endif
