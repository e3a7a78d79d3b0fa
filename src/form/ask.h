/*
 * Where a walk through a schema stands, and the questions that it comes to; for walk.c alone.
 */
#ifndef WRIT_FORM_ASK_H
#define WRIT_FORM_ASK_H

#include "form/state.h"

#define FORM_BRANCHINGS_MAX 4 /* of one field, one after the other */
#define FORM_SECRETS_MAX 4096

/* What became of a field. */
enum form_step { STEP_FAILED, STEP_PENDING, STEP_ABSENT, STEP_WRITTEN };

struct form_walk {
    struct writ_form *form;
    struct writ_error *error;
    const struct writ_form_view *root; /* of the whole input */
    struct writ_buffer pointer, label; /* of the field that is looked at */
    size_t at;                         /* answers taken */
    unsigned depth;
    unsigned secrecy;    /* objects and lists around the field that are secret as a whole */
    const char *section; /* an object that began and was not told of yet */
    const struct writ_form_view *section_view;
    bool failed, has_too_many_secrets;
};

struct form_field {
    struct writ_form_view view;
    const struct writ_json *given;                           /* its value before the form, or NULL */
    const struct writ_json *branchings[FORM_BRANCHINGS_MAX]; /* that were decided */
    size_t branching_count;
    bool required, nullable;
    bool was_asked;          /* a question about it as a whole has told of it */
    bool is_element;         /* of a list, */
    bool list_required;      /* which must be there, */
    bool unique;             /* and whose elements must differ */
    size_t index, items_min; /* its place, and how many there must be */
};

/* Tells it as the walk's error; FAILED. */
enum form_step form_fail_for_memory(struct form_walk *walk);
/* Copies that last as long as the question; NULL, and walk->failed, without memory. */
const char *form_copy_text(struct form_walk *walk, const struct writ_buffer *text);
const struct writ_form_view *form_copy_view(struct form_walk *walk, const struct writ_form_view *view);
/* A JSON text as a value, for answers that the schema does not hold. */
const struct writ_json *form_literal(struct form_walk *walk, const char *text);

/* Whether what is answered for the field is not to be shown. */
bool form_is_secret(const struct form_walk *walk, const struct form_field *field);
/* Hides the field as a whole; an element is hidden with its list, so that no place in it changes its meaning. */
void form_note_field(struct form_walk *walk, const struct form_field *field);
/* Hides what is secret of a value that the field has. */
void form_note_secrets(struct form_walk *walk, const struct form_field *field, const struct writ_json *value);
/* The same for an object as far as it was given before the form. */
void form_note_given(struct form_walk *walk, const struct writ_form_view *view, const struct writ_json *given);
/* The same for the whole document, when it is written. */
void form_note_whole(struct form_walk *walk);

/* The answer to a question: WRITTEN with *ret_answer, or PENDING when it is to be asked.  `prepared` holds what the
 * field alone does not tell; NULL for VALUE. */
enum form_step form_ask(struct form_walk *walk, const struct form_field *field, enum writ_form_question_purpose purpose,
                        const struct writ_form_question *prepared, const struct writ_form_answer **ret_answer);

#endif
