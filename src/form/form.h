/*
 * A form made from a skill's input schema: one question after the other, each answer checked at once, and at the end
 * the document.  It neither reads nor prints; cli/run_form.h does that at a terminal.
 *
 * Asked are properties in the order of the schema, objects inside with their place (`a.b`), lists element by element,
 * `oneOf` and `anyOf` by a choice of the branch; `$ref` and `allOf` are followed.  What a form cannot ask for (free
 * maps, what lies deeper than ten levels) is taken as JSON.  Keywords that bind fields together (`if`,
 * `dependentRequired` …) are judged at the end, when the whole is checked.
 *
 * Threads: one thread at a time.
 */
#ifndef WRIT_FORM_FORM_H
#define WRIT_FORM_FORM_H

#include "form/question.h"
#include "skill/contract.h"

struct writ_form;

/* `before` is the object that was given already, or NULL; the form asks for nothing that it holds, as long as that fits
 * its schema.  `only_missing`: only for what must be given and has no default.  Both arguments are borrowed and outlive
 * the form.  Errors: INTERNAL_MEMORY, INTERNAL_LIMIT. */
int writ_form_new(const struct writ_contract *contract, const struct writ_json *before, bool only_missing,
                  struct writ_form **ret_form, struct writ_error *error) WRIT_MUST_USE;
/* What was answered is overwritten first. */
void writ_form_free(struct writ_form *form);

/* The question that is to be answered, valid until the form changes; NULL when there is none left. */
const struct writ_form_question *writ_form_question(const struct writ_form *form) WRIT_PURE;

/* Answers it and goes on to the next.  `text` NULL is Enter alone.  Errors: INPUT_INVALID when the answer is not taken,
 * with a sentence that goes on after the field's name; the question then stays.  Others as of writ_form_new. */
int writ_form_answer(struct writ_form *form, const char *text, size_t length, struct writ_error *error) WRIT_MUST_USE;

/* Back to the question before; false when this is the first. */
int writ_form_back(struct writ_form *form, bool *ret_moved, struct writ_error *error) WRIT_MUST_USE;

/* ---- when no question is left ---- */
enum writ_form_document {
    WRIT_FORM_WHOLE,
    WRIT_FORM_SHOWN,    /* secrets are written as a text that says so */
    WRIT_FORM_REPEATED, /* secrets are left out */
};
/* Appends the document as JSON. */
int writ_form_print(const struct writ_form *form, enum writ_form_document which, enum writ_json_style style,
                    struct writ_buffer *out, struct writ_error *error) WRIT_MUST_USE;
size_t writ_form_secret_count(const struct writ_form *form) WRIT_PURE;

/* Judges the whole, with its defaults filled in.  `ret_faults` lives in `arena`; no message of it holds a secret. */
int writ_form_check(const struct writ_form *form, struct writ_arena *arena, struct writ_schema_faults *ret_faults,
                    struct writ_error *error) WRIT_MUST_USE;
/* Makes the form ask again for what a fault is about; false when that was not one of its questions. */
int writ_form_reopen(struct writ_form *form, const struct writ_schema_fault *fault, bool *ret_reopened,
                     struct writ_error *error) WRIT_MUST_USE;

#endif
