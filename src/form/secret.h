/*
 * Which parts of a value are not to be shown: a schema may call a member or an element of it a secret, wherever it
 * stands.
 *
 * Found are secrets of every schema that could apply: of all branches, of all patterns.  So too much may be hidden,
 * never too little; where looking on would take too long the whole value is hidden.
 */
#ifndef WRIT_FORM_SECRET_H
#define WRIT_FORM_SECRET_H

#include "form/view.h"

/* `pointer` is that of the secret; for an element of a list that of the list, so that no place in it changes its
 * meaning. */
typedef void writ_form_secret_visit(void *context, const char *pointer, size_t length);

/* A value that may hold secrets without being one. */
bool writ_form_is_compound(const struct writ_json *value) WRIT_PURE;

/* True when a schema in the document calls anything a secret. */
bool writ_form_schema_has_secrets(const struct writ_json *root) WRIT_PURE;

/* Visits the secrets of a value; `pointer` is the value's own and is as before afterwards. */
void writ_form_secrets_find(const struct writ_form_view *view, const struct writ_json *value,
                            struct writ_buffer *pointer, writ_form_secret_visit *visit, void *context);

/* Whether what `pointer` leads to below a value of the view may be called a secret.  No value is needed: a part of the
 * pointer is taken for a member's name and for an element's place alike. */
bool writ_form_place_is_secret(const struct writ_form_view *view, const char *pointer, size_t length);

#endif
