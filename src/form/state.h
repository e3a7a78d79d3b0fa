/*
 * What a form is made of; for form.c, walk.c and ask.c alone.
 */
#ifndef WRIT_FORM_STATE_H
#define WRIT_FORM_STATE_H

#include "data/schema.h"
#include "form/question.h"
#include "skill/contract.h"

#define WRIT_FORM_ANSWERS_MAX 1000

struct writ_form_entry {
    const char *pointer; /* of the question */
    enum writ_form_question_purpose purpose;
    struct writ_form_answer given;
    bool automatic; /* taken from what was given before the form, so going back passes it over */
    bool open;      /* to be asked again, while the answers after it stay */
};

struct writ_form {
    const struct writ_contract *contract;
    const struct writ_json *before; /* the object that is given already, or NULL */
    bool only_missing;
    struct writ_arena answers_arena; /* values and pointers of answers */
    struct writ_arena walk_arena;    /* one walk: the question, or the secrets */
    struct writ_form_entry answers[WRIT_FORM_ANSWERS_MAX];
    size_t answer_count;
    struct writ_form_question question; /* that is to be answered */
    size_t asked_at;                    /* index of its answer */
    bool pending;
    struct writ_buffer document; /* the answers as JSON, while nothing is pending */
    const char **secrets;        /* pointers of values that are not to be shown, sorted once nothing is pending */
    size_t secret_count;
    bool has_secrets; /* a schema calls something a secret */
    struct writ_schema_registry *registry;
};

#endif
