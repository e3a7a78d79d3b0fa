/*
 * One value against the schema of its own field, for a verdict at once.
 */
#ifndef WRIT_CLI_FORM_CHECK_H
#define WRIT_CLI_FORM_CHECK_H

#include "cli/form_view.h"
#include "data/schema.h"

/* Said of a secret instead of what the schema says; %s is the keyword. */
#define CLI_SECRET_FAULT "must satisfy `%s` of its schema, and does not"

/* A registry for cli_view_check in which the input's whole schema is found. */
int cli_view_registry_new(const struct writ_json *root, struct writ_schema_registry **ret_registry,
                          struct writ_error *error) WRIT_MUST_USE;

/* INPUT_INVALID with the first fault (`must be at most 10, but is 12`); 0 also where the field's schema cannot stand
 * alone, for the whole is checked at the end in any case.  `secret`: the value is not in the message. */
int cli_view_check(const struct cli_view *view, const struct writ_schema_registry *registry,
                   const struct writ_json *value, bool secret, struct writ_error *error) WRIT_MUST_USE;

#endif
