/*
 * What the schema of one field says, gathered from every place that says something about it: the field's own schema,
 * what `$ref` leads to, each part of `allOf`, and a branch that was chosen.
 *
 * A form needs only so much of JSON Schema as tells what to ask; whether an answer is valid is for data/schema.h to
 * say. Followed are references inside the document (`#`, `#/a/b`, `#anchor`); what leads elsewhere says nothing here.
 *
 * Threads: a view is one thread's; the document is only read.
 */
#ifndef WRIT_FORM_VIEW_H
#define WRIT_FORM_VIEW_H

#include "data/json.h"

#define WRIT_FORM_VIEW_PARTS_MAX 32
#define WRIT_FORM_VIEW_TOPS_MAX 8

enum writ_form_type {
    WRIT_FORM_TYPE_NULL = 1,
    WRIT_FORM_TYPE_BOOLEAN = 2,
    WRIT_FORM_TYPE_INTEGER = 4,
    WRIT_FORM_TYPE_NUMBER = 8, /* with INTEGER: any number */
    WRIT_FORM_TYPE_TEXT = 16,
    WRIT_FORM_TYPE_LIST = 32,
    WRIT_FORM_TYPE_OBJECT = 64,
    WRIT_FORM_TYPE_ANY = 127,
};

struct writ_form_view {
    const struct writ_json *root;                          /* the document */
    const struct writ_json *tops[WRIT_FORM_VIEW_TOPS_MAX]; /* what a value is checked against: all of them */
    size_t top_count;
    const struct writ_json *parts[WRIT_FORM_VIEW_PARTS_MAX]; /* objects, each saying something, the nearest first */
    size_t part_count;
};

void writ_form_view_init(struct writ_form_view *view, const struct writ_json *root);
/* Adds a schema and all that it leads to.  What does not fit is left out. */
void writ_form_view_add(struct writ_form_view *view, const struct writ_json *schema);
/* Value of a keyword in the first part that has it, or NULL. */
const struct writ_json *writ_form_view_get(const struct writ_form_view *view, const char *keyword) WRIT_PURE;
const char *writ_form_view_text(const struct writ_form_view *view, const char *keyword) WRIT_PURE;
/* The types that a value may have, as bits of enum writ_form_type; what no `type` tells is guessed from other keywords.
 */
unsigned writ_form_view_types(const struct writ_form_view *view) WRIT_PURE;
/* Whether an object that holds the members of `beside` (or NULL) must have that member. */
bool writ_form_view_requires(const struct writ_form_view *view, const struct writ_json *name,
                             const struct writ_json *beside) WRIT_PURE;
/* The view of a property; false when no part declares it. */
bool writ_form_view_property(const struct writ_form_view *view, const struct writ_json *name,
                             struct writ_form_view *ret_view);
/* The view of the element with that index; without a schema for it a view that says nothing. */
void writ_form_view_element(const struct writ_form_view *view, size_t index, struct writ_form_view *ret_view);
/* A bound such as `minItems` as a count; `fallback` when it is not given or no count. */
size_t writ_form_view_count(const struct writ_form_view *view, const char *keyword, size_t fallback) WRIT_PURE;
/* Its value is not shown: some part says `writeOnly`, or `format: password`. */
bool writ_form_view_is_secret(const struct writ_form_view *view) WRIT_PURE;

#endif
