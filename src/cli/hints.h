/*
 * What to do next after an error, for people: a line below the error's own.
 *
 * Most messages say the mend themselves; a hint names the command that shows more.  It stands below those classes of
 * errors where a newcomer would not know it, and with -v below all; never below a message that names a command of writ
 * already.  What docs/errors.md says of a class is longer; a test demands a row for every class in both.
 */
#ifndef WRIT_CLI_HINTS_H
#define WRIT_CLI_HINTS_H

#include "cli/command.h"

/* The hint for an error of this command line: `ID` stands for the skill that was named, COMMAND for the command.
 * NULL: none is to be shown. */
const char *cli_hint_of(const struct cli_context *context, const struct writ_error *error);
/* Appends it with the words of this command line put in. */
void cli_hint_write(struct writ_buffer *out, const struct cli_context *context, const char *hint);

#endif
