/*
 * The form of `writ run`: a skill's input asked for field by field at the terminal (S4.9).
 */
#ifndef WRIT_CLI_RUN_FORM_H
#define WRIT_CLI_RUN_FORM_H

#include "cli/command.h"

/* True when a person can be asked: stdin and stderr are terminals. */
bool cli_run_form_is_possible(const struct cli_context *context);

/* Asks for what `input` (JSON text) lacks and puts what was answered in its place, after the person has seen it and
 * agreed.  `only_missing`: for what is required alone, and nothing at all is asked when that is there.  An
 * input that no answer could make valid stays as it is.  Errors: INTERRUPTED when the person left the form;
 * INPUT_INVALID when no answer makes the whole valid; INTERNAL_*. */
int cli_run_form(const struct cli_context *context, const struct cli_arguments *arguments,
                 const struct writ_contract *contract, bool only_missing, struct writ_buffer *input,
                 struct writ_error *error) WRIT_MUST_USE;

#endif
