/*
 * What a person types, read as the answer to a question.
 *
 * Threads: pure functions of their arguments.
 */
#ifndef WRIT_FORM_ANSWER_H
#define WRIT_FORM_ANSWER_H

#include "form/question.h"

/* Reads a text as the question's kind demands; NULL is Enter alone, "" the empty text.  The value lives in `arena`, or
 * is the question's own.  Whether its schema takes the value is not asked here.  Errors: INPUT_INVALID with a sentence
 * that goes on after the field's name (`must be …`); INTERNAL_MEMORY, INTERNAL_LIMIT. */
int writ_form_answer_read(const struct writ_form_question *question, const char *text, size_t length,
                          struct writ_arena *arena, struct writ_form_answer *ret_answer,
                          struct writ_error *error) WRIT_MUST_USE;

enum writ_form_word {
    WRIT_FORM_WORD_TEXT = 0, /* an answer */
    WRIT_FORM_WORD_BACK,     /* `<` */
    WRIT_FORM_WORD_QUIT,     /* `\q` */
    WRIT_FORM_WORD_HELP,     /* `\?` */
    WRIT_FORM_WORD_LINES,    /* `"""`: lines until the next of these are one answer */
    WRIT_FORM_WORD_EMPTY,    /* `""`: the empty text */
};
/* What a line is to a form.  A text that is one of these words, or backslashes and one, is written with a backslash
 * more in front, which `*ret_skip` (0 or 1) says to pass over. */
enum writ_form_word writ_form_word(const char *line, size_t length, size_t *ret_skip);
/* The same for a line of several that are one answer, where LINES, which ends them, is the only such word. */
enum writ_form_word writ_form_word_within(const char *line, size_t length, size_t *ret_skip);

#endif
