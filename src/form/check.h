/*
 * One value against the schema of its own field, for a verdict at once.
 */
#ifndef WRIT_FORM_CHECK_H
#define WRIT_FORM_CHECK_H

#include "data/schema.h"
#include "form/view.h"

/* Said of a secret instead of what the schema says; %s is the keyword. */
#define WRIT_FORM_SECRET_FAULT "must satisfy `%s` of its schema, and does not"

/* A registry for writ_form_view_check in which the input's whole schema is found. */
int writ_form_view_registry_new(const struct writ_json *root, struct writ_schema_registry **ret_registry,
                                struct writ_error *error) WRIT_MUST_USE;

/* INPUT_INVALID with the first fault (`must be at most 10, but is 12`); 0 also where the field's schema cannot stand
 * alone, for the whole is checked at the end in any case.  `secret`: the value is not in the message. */
int writ_form_view_check(const struct writ_form_view *view, const struct writ_schema_registry *registry,
                         const struct writ_json *value, bool secret, struct writ_error *error) WRIT_MUST_USE;

#endif
