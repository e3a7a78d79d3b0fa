/*
 * The input of `writ run`: --input, the skill's flags over it, and what a person is asked for.
 */
#ifndef WRIT_CLI_RUN_INPUT_H
#define WRIT_CLI_RUN_INPUT_H

#include "cli/command.h"

/* One more than the pipeline takes, so that it is the pipeline that says what is too large. */
#define CLI_RUN_INPUT_BYTES_MAX (((size_t)16 << 20) + 1)

/* True when a person may be asked for fields: they said so, or somebody sits there and the input is not all on stdin.
 */
bool cli_run_may_ask(const struct cli_context *context, const struct cli_arguments *arguments);

/* Appends the input to `input`.  The skill is opened into `*ret_skill` when it takes that to know what a flag means;
 * one that cannot be used is left to the call, which is then on record.  Errors: USAGE, INPUT_INVALID, INTERRUPTED when
 * the person left the form, INTERNAL_*; with CONTRACT_INVALID and others of the catalog `*ret_skill` may be set too. */
int cli_run_input(const struct cli_context *context, const struct cli_arguments *arguments,
                  const struct writ_catalog_options *catalog, struct writ_buffer *input, struct writ_skill **ret_skill,
                  struct writ_error *error) WRIT_MUST_USE;

/* Something waits on stdin that nobody said to read. */
bool cli_run_stdin_waits(const struct cli_arguments *arguments);

#endif
