/*
 * YAML to the JSON model, for contracts: libyaml's events, a builder of our own.
 *
 * Accepted: one document, block or flow style, comments, a byte order mark, CRLF.  Scalars follow the YAML 1.2 core
 * schema: only plain null/~/nothing, true, false (also True, TRUE …) and numbers in JSON's notation are typed, the
 * numbers exactly as the JSON reader does; yes, on, 017, 0x1F, +1, 1_000, 12:30 are strings. Refused with line, column
 * and the mend: duplicate keys (both places are named), aliases, anchors, tags, directives, merge keys, non-string
 * keys, several documents, none, tabs as indentation, depth over 32, more than WRIT_YAML_BYTES_MAX bytes, 100,000
 * nodes, a scalar over 1 MiB, NaN and infinities; NUL in a text even as an escape; any encoding but UTF-8, raw control
 * characters, and what some readers take for a line end and others do not (a lone CR, NEL, U+2028, U+2029).
 *
 * Each node's place in the source is kept beside the document for error reports, and the bytes that it was made of for
 * those who edit the source.
 * Threads: a parsed document is read-only and may be shared.
 */
#ifndef WRIT_DATA_YAML_H
#define WRIT_DATA_YAML_H

#include "data/json.h"

#define WRIT_YAML_DEPTH_MAX 32
#define WRIT_YAML_BYTES_MAX ((size_t)1 << 20)

struct writ_yaml_place {
    uint32_t line, column; /* 1-based; columns count bytes, a byte order mark counts nothing */
};
struct writ_yaml_span {
    uint32_t offset, length; /* in the bytes given, a byte order mark counted */
};
struct writ_yaml {
    const struct writ_json *root;
    const struct writ_yaml_place *places; /* places[node - root] */
    const struct writ_yaml_span *spans;   /* likewise; NULL where a document was not read from YAML */
};

/* `bytes` are not kept: everything lives in `arena`.
 * Errors: DATA_SYNTAX with line and column (the caller names the subject; depth is among these); INTERNAL_LIMIT for
 * bytes (without a place), nodes and scalars; INTERNAL_MEMORY. */
int writ_yaml_parse(struct writ_arena *arena, const char *bytes, size_t length, struct writ_yaml *ret_yaml,
                    struct writ_error *error) WRIT_MUST_USE;
/* The place of a node of this document: where its text begins, for a quoted one at the quotation mark, for a value left
 * out behind its colon, for a block mapping at its first key. */
struct writ_yaml_place writ_yaml_place_of(const struct writ_yaml *yaml, const struct writ_json *node) WRIT_PURE;
/* The node's text in the source, from its place on: a quoted text with its quotation marks, `[…]` and `{…}` with their
 * brackets, `|` and `>` with all lines that belong to them, the last line's end too; a block mapping or list up to the
 * end of its last value; nothing for a value left out.  A node's span lies in that of its container. */
struct writ_yaml_span writ_yaml_span_of(const struct writ_yaml *yaml, const struct writ_json *node) WRIT_PURE;

#endif
