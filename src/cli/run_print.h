/*
 * What `writ run` prints of a call.  Those that return something return the exit status.
 */
#ifndef WRIT_CLI_RUN_PRINT_H
#define WRIT_CLI_RUN_PRINT_H

#include "cli/command.h"
#include "run/invoke.h"

/* For people: the output on stdout; on stderr what failed and, as -q and -v say, what the program said. */
int cli_run_print(const struct cli_context *context, const struct writ_outcome *outcome);
/* Under -v, on stderr, what ran and how it went.  `skill` NULL: none was opened. */
void cli_run_print_course(const struct cli_context *context, const struct writ_outcome *outcome,
                          const struct writ_skill *skill);
/* The envelope of --json. */
int cli_run_print_envelope(const struct cli_context *context, const struct writ_outcome *outcome);
/* The plan of --explain, or why there is none. */
int cli_run_print_plan(const struct cli_context *context, const struct writ_outcome *outcome);

#endif
