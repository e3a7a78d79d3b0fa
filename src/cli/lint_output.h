/*
 * What `writ lint` prints: for people, as JSON, as SARIF 2.1.0, which tools that show findings in code understand.
 */
#ifndef WRIT_CLI_LINT_OUTPUT_H
#define WRIT_CLI_LINT_OUTPUT_H

#include "cli/command.h"
#include "skill/lint.h"

/* One skill that was judged. */
struct cli_lint_result {
    struct writ_skill *skill;
    const char
        *shown; /* its folder as people see it: below the working folder, or absolute; "" is the working folder */
    struct writ_lint_report report;
    struct writ_lint_fixes fixes; /* count 0: nothing was fixed */
};
struct cli_lint_run {
    struct cli_context *context;
    struct cli_lint_result *items;
    size_t count, capacity;
    enum writ_lint_severity least; /* findings below it are not shown */
    bool fix, with_unsafe, dry_run;
    size_t error_count, warning_count; /* of all, shown or not */
};

void cli_lint_print_text(const struct cli_lint_run *run);
/* Both append one document; a failure shows in `out->failed`. */
void cli_lint_print_json(const struct cli_lint_run *run, struct writ_buffer *out);
void cli_lint_print_sarif(const struct cli_lint_run *run, struct writ_buffer *out);

/* The rules, as a list for people or as JSON. */
void cli_lint_print_rules(const struct cli_terminal *terminal);
void cli_lint_print_rules_json(struct writ_buffer *out);

#endif
