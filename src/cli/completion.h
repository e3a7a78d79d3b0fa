/*
 * What a shell offers at the cursor: commands, options, ids, and the fields of a skill's input with their choices.
 *
 * A line of answer is `CANDIDATE<TAB>MEANING`; the first line says how to go on: `words` (only these), `files` or
 * `folders` (these, and the file names that the shell knows better).  Candidates are whole words, never quoted: that is
 * the shell's affair.  Whatever cannot be one word on one line (control characters, bad UTF-8) is not offered.
 *
 * Nothing runs, nothing is recorded, and no fault is told: a shell that asks wants an answer or none.
 */
#ifndef WRIT_CLI_COMPLETION_H
#define WRIT_CLI_COMPLETION_H

#include "cli/command.h"

/* `words`: those of the line behind `writ`, the last one being written, maybe empty; at least one.  Bounded by the
 * buffer: what has no room is left out. */
void cli_complete(const struct cli_context *context, const char *const *words, size_t count, struct writ_buffer *out);

/* What the shells source, embedded from src/cli/completion/. */
extern const char cli_completion_bash[], cli_completion_zsh[], cli_completion_fish[];

#endif
