/*
 * `ID[@VERSION]` and `ID|DIR` as arguments, and a broken contract's faults as text.
 */
#ifndef WRIT_CLI_SKILL_ARGUMENT_H
#define WRIT_CLI_SKILL_ARGUMENT_H

#include "cli/command.h"

struct cli_skill_argument {
    const char *folder; /* the argument, when it names a folder (a slash in it, `.`, `..`); then nothing below is set */
    char id[160];
    struct writ_semver_range storage;
    const struct writ_semver_range *range; /* NULL: any version */
};
/* Error: USAGE, also for a folder that is written without a slash. */
int cli_skill_argument_parse(const char *text, struct cli_skill_argument *ret_argument,
                             struct writ_error *error) WRIT_MUST_USE;

/* Opens what the argument names.  Errors as of the catalog. */
int cli_skill_open(const struct writ_catalog_options *options, const char *text, struct writ_skill **ret_skill,
                   struct writ_error *error) WRIT_MUST_USE;

/* A skill that is not found, but lies in a folder of that name here: the error says how to name it.  Returns its
 * code. */
int cli_skill_explain_missing(const char *text, struct writ_error *error);

/* Every fault of the skill's contract on stderr, `file:line:column: field: message`; nothing when the error that was
 * told says it all. */
void cli_print_contract_faults(const struct cli_context *context, const struct writ_skill *skill);
/* As cli_report, with the faults of the skill that the error is about (NULL: none) between the error and the hint. */
int cli_report_skill(const struct cli_context *context, const struct writ_error *error, const struct writ_skill *skill);

#endif
