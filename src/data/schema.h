/*
 * JSON Schema 2020-12: compiled once to a flat instruction list, checked without allocating on the valid path.
 *
 * A check first runs for the verdict alone.  Only when that says no does a second pass (writ_schema_explain) walk again
 * and collect every fault.  Remote references resolve only to documents registered beforehand; nothing is ever fetched.
 * The 2020-12 meta-schema and its vocabularies are always registered, written out by the project from the
 * specification.
 *
 * A schema that names no `$schema` is 2020-12; one that names another must have that meta-schema registered, and its
 * `$vocabulary` then tells which keywords count (older drafts are refused: their keywords mean other things).  Unknown
 * keywords are annotations.  Asserted formats, with assert_format or the format-assertion vocabulary: date-time, date,
 * time, duration, email, hostname, ipv4, ipv6, uri, uri-reference, uuid, json-pointer, relative-json-pointer, regex
 * (the one format that allocates).  idn-email, idn-hostname, iri, iri-reference, uri-template and unknown ones are
 * annotations.
 *
 * Bounds.  At compile time, each told by SCHEMA_INVALID: 500,000 subschemas, 1,000,000 instructions with all references
 * followed, 128 schemas that apply to one value unconditionally, 256 patternProperties and 60,000 names in one object,
 * patterns as in data/pattern.h; a schema that applies itself to the same value is refused, for it would never end.  At
 * check time, where reaching one means "not valid" and a fault that says so: 10,000,000 steps and 64 more a node of the
 * instance, 1024 schemas applied within each other, PCRE2's match limit, and 500,000 members or items under an
 * unevaluated* whose answer depends on the instance.  The C stack used stays below 1 MiB.
 *
 * Threads: a compiled schema is immutable; any number of threads may check and explain with it at once.
 */
#ifndef WRIT_DATA_SCHEMA_H
#define WRIT_DATA_SCHEMA_H

#include "data/json.h"

struct writ_schema;          /* a compiled schema */
struct writ_schema_registry; /* documents that $ref may reach, by absolute URI */

/* `documents` are borrowed and must outlive the registry and what is compiled with it. */
int writ_schema_registry_new(struct writ_schema_registry **ret_registry, struct writ_error *error) WRIT_MUST_USE;
void writ_schema_registry_free(struct writ_schema_registry *registry);
/* Registers under `uri` (without fragment) and under its own $id. A URI registered twice is refused. */
int writ_schema_registry_add(struct writ_schema_registry *registry, const char *uri, const struct writ_json *document,
                             struct writ_error *error) WRIT_MUST_USE;

struct writ_schema_options {
    const struct writ_schema_registry *registry; /* NULL: the meta-schema alone */
    const char *base_uri;                        /* NULL: a private one */
    bool assert_format;                          /* check `format` for the common ones; otherwise annotation only */
};

/* Compiles; `document` must outlive the result.  Errors: SCHEMA_INVALID, subject = schema pointer, message names what
 * is wrong and the mend; INTERNAL_MEMORY. */
int writ_schema_compile(const struct writ_json *document, const struct writ_schema_options *options,
                        struct writ_schema **ret_schema, struct writ_error *error) WRIT_MUST_USE;
void writ_schema_free(struct writ_schema *schema);

/* True when valid.  Allocates nothing.  A document that exhausts the step budget is not valid. */
bool writ_schema_check(const struct writ_schema *schema, const struct writ_json *instance) WRIT_MUST_USE;

/* One fault; strings live in the arena given to explain. */
struct writ_schema_fault {
    const char *instance_pointer; /* "" is the whole document */
    const char *schema_pointer; /* keyword location in its document, e.g. "/properties/a/type"; with URI when remote */
    const char *keyword;        /* "type" */
    const char *message;        /* a plain sentence with the mend: `must be a string, but is the number 3` */
    const char *nearest;        /* for unknown or missing properties: the nearest known name, or NULL */
};
struct writ_schema_faults {
    const struct writ_schema_fault *items;
    size_t count;
    bool truncated; /* more than faults_max were found */
};
/* The second pass.  Finds every fault up to `faults_max` (0: 100). A valid document gives count 0. */
int writ_schema_explain(const struct writ_schema *schema, const struct writ_json *instance, size_t faults_max,
                        struct writ_arena *arena, struct writ_schema_faults *ret_faults,
                        struct writ_error *error) WRIT_MUST_USE;

/* The 2020-12 meta-schema, parsed once per process (thread-safe), for callers that check a schema as a document. */
const struct writ_json *writ_schema_meta_document(struct writ_error *error);

#endif
