/*
 * Recorded calls for people: a row each, and all that was recorded of one.
 *
 * What stands in a log may have been written by anybody who owns it; nothing of it steers the terminal or passes for
 * another row.
 */
#ifndef WRIT_CLI_AUDIT_ROWS_H
#define WRIT_CLI_AUDIT_ROWS_H

#include "cli/table.h"
#include "cli/when.h"

struct cli_audit_rows {
    const struct cli_terminal *terminal;
    struct cli_clock clock;
    bool gathers; /* rows are kept until print, so that columns are no wider than needed; else printed at once */
    bool whole;   /* each row is followed by all members of its records */
    struct cli_table table;
    struct writ_arena arena; /* what the cells hold */
    size_t count;
};

void cli_audit_rows_init(struct cli_audit_rows *rows, const struct cli_context *context, bool gathers, bool whole);
/* Usable with WRIT_CLEANUP. */
void cli_audit_rows_clear(struct cli_audit_rows *rows);
/* One call: its records as stored; `end` NULL: none.  Records that cannot be read are passed over. */
void cli_audit_rows_add(struct cli_audit_rows *rows, const char *begin, const char *end);
/* Prints what was gathered.  Error: INTERNAL_MEMORY. */
int cli_audit_rows_print(struct cli_audit_rows *rows, struct writ_error *error) WRIT_MUST_USE;

#endif
