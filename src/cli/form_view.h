/*
 * What the schema of one field says, gathered from every place that says something about it: the field's own schema,
 * what `$ref` leads to, each part of `allOf`, and a branch that was chosen.
 *
 * A form needs only so much of JSON Schema as tells what to ask; whether an answer is valid is for data/schema.h to
 * say. Followed are references inside the document (`#`, `#/a/b`, `#anchor`); what leads elsewhere says nothing here.
 *
 * Threads: a view is one thread's; the document is only read.
 */
#ifndef WRIT_CLI_FORM_VIEW_H
#define WRIT_CLI_FORM_VIEW_H

#include "data/json.h"

#define CLI_VIEW_PARTS_MAX 32
#define CLI_VIEW_TOPS_MAX 8

enum cli_type {
    CLI_TYPE_NULL = 1,
    CLI_TYPE_BOOLEAN = 2,
    CLI_TYPE_INTEGER = 4,
    CLI_TYPE_NUMBER = 8, /* with INTEGER: any number */
    CLI_TYPE_TEXT = 16,
    CLI_TYPE_LIST = 32,
    CLI_TYPE_OBJECT = 64,
    CLI_TYPE_ANY = 127,
};

struct cli_view {
    const struct writ_json *root;                    /* the document */
    const struct writ_json *tops[CLI_VIEW_TOPS_MAX]; /* what a value is checked against: all of them */
    size_t top_count;
    const struct writ_json *parts[CLI_VIEW_PARTS_MAX]; /* objects, each saying something, the nearest first */
    size_t part_count;
};

void cli_view_init(struct cli_view *view, const struct writ_json *root);
/* Adds a schema and all that it leads to.  What does not fit is left out. */
void cli_view_add(struct cli_view *view, const struct writ_json *schema);
/* Value of a keyword in the first part that has it, or NULL. */
const struct writ_json *cli_view_get(const struct cli_view *view, const char *keyword) WRIT_PURE;
const char *cli_view_text(const struct cli_view *view, const char *keyword) WRIT_PURE;
/* The types that a value may have, as bits of enum cli_type; what no `type` tells is guessed from other keywords. */
unsigned cli_view_types(const struct cli_view *view) WRIT_PURE;
/* Whether an object that holds the members of `beside` (or NULL) must have that member. */
bool cli_view_requires(const struct cli_view *view, const struct writ_json *name,
                       const struct writ_json *beside) WRIT_PURE;
/* The view of a property; false when no part declares it. */
bool cli_view_property(const struct cli_view *view, const struct writ_json *name, struct cli_view *ret_view);
/* The view of the element with that index; without a schema for it a view that says nothing. */
void cli_view_element(const struct cli_view *view, size_t index, struct cli_view *ret_view);
/* A bound such as `minItems` as a count; `fallback` when it is not given or no count. */
size_t cli_view_count(const struct cli_view *view, const char *keyword, size_t fallback) WRIT_PURE;
/* Its value is not shown: some part says `writeOnly`, or `format: password`. */
bool cli_view_is_secret(const struct cli_view *view) WRIT_PURE;

#endif
