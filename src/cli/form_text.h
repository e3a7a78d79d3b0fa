/*
 * Questions of a form in words, on stderr.
 */
#ifndef WRIT_CLI_FORM_TEXT_H
#define WRIT_CLI_FORM_TEXT_H

#include "cli/terminal.h"
#include "form/question.h"

/* All that helps to answer: the title, the description, what is taken, the choices, an example. */
void cli_question_print(const struct cli_terminal *terminal, const struct writ_form_question *question,
                        unsigned columns);
/* What stands before the answer, ending in `> `: the label and what Enter takes. */
void cli_question_prompt(const struct writ_form_question *question, struct writ_buffer *out);
/* `whole number from 1 to 10`, `text of at most 20 characters`. */
void cli_question_describe(const struct writ_form_question *question, struct writ_buffer *out);

#endif
