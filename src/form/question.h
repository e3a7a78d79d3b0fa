/*
 * One question of a form, as data: what is asked, and what may be answered.
 */
#ifndef WRIT_FORM_QUESTION_H
#define WRIT_FORM_QUESTION_H

#include "form/view.h"

/* What an answer decides. */
enum writ_form_question_purpose {
    WRIT_FORM_ASK_VALUE = 1, /* the value of a field */
    WRIT_FORM_ASK_WHETHER,   /* whether an optional object is given at all */
    WRIT_FORM_ASK_MORE,      /* whether a list gets a further element */
    WRIT_FORM_ASK_BRANCH,    /* which of several schemas */
};

/* How an answer is written. */
enum writ_form_question_kind {
    WRIT_FORM_QUESTION_TEXT = 1,
    WRIT_FORM_QUESTION_INTEGER,
    WRIT_FORM_QUESTION_NUMBER,
    WRIT_FORM_QUESTION_BOOLEAN, /* also WHETHER and MORE */
    WRIT_FORM_QUESTION_CHOICE,  /* also BRANCH */
    WRIT_FORM_QUESTION_MIXED,   /* JSON where it is JSON, else a text */
    WRIT_FORM_QUESTION_JSON,
};

struct writ_form_choice {
    const char *text;              /* as it may be typed */
    const char *meaning;           /* NULL: none */
    const struct writ_json *value; /* NULL: a branch */
};

struct writ_form_question {
    enum writ_form_question_purpose purpose;
    enum writ_form_question_kind kind;
    const char *label;   /* `a.b[0]`; "" for the whole input */
    const char *pointer; /* JSON pointer into the input */
    const struct writ_form_view *view;
    const struct writ_json *fallback; /* what Enter takes; NULL: nothing */
    bool nullable;                    /* null is a value too */
    bool required;                    /* Enter alone does not do without it */
    bool ends_list;                   /* Enter ends the list that it is an element of */
    bool unique;                      /* an element that must differ from the others */
    bool secret;                      /* neither typed text nor value is shown */
    bool is_path;                     /* a permission makes a path of it */
    size_t index, items_min;          /* of an element: its place, and how many the list must have */
    const struct writ_form_choice *choices;
    size_t choice_count;
    bool choices_by_number; /* no choice looks like a number, so that one may be meant by its place */
    const char *section;    /* label of an object that begins here; NULL: none */
    const struct writ_form_view *section_view;
    const char *note; /* why the question comes although a value was given; NULL: none */
};

enum writ_form_answer_kind { WRIT_FORM_ANSWER_VALUE = 1, WRIT_FORM_ANSWER_NONE, WRIT_FORM_ANSWER_CHOICE };
struct writ_form_answer {
    enum writ_form_answer_kind kind; /* NONE: no value, or the end of a list */
    const struct writ_json *value;   /* of VALUE */
    size_t choice;                   /* of CHOICE: which */
};

#endif
