/*
 * The walk through a schema that finds the next question of a form, or its document.
 *
 * Theory.  A form is a function of its answers: each walk begins at the schema's root, takes an answer wherever it
 * comes to a question, and stops at the first that has none.  So going back is forgetting an answer, and what an answer
 * opens (a branch, a further element) needs no state of its own.  While it goes it writes the document.
 */
#ifndef WRIT_FORM_WALK_H
#define WRIT_FORM_WALK_H

#include "form/state.h"

/* Fills form->question and sets form->pending, or writes form->document and form->secrets.  Errors: INTERNAL_MEMORY,
 * INTERNAL_LIMIT. */
int writ_form_walk(struct writ_form *form, struct writ_error *error) WRIT_MUST_USE;

#endif
