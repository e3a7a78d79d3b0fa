/*
 * One round of `writ test`: the tests of one skill or of several, told to people or as one JSON document.
 */
#ifndef WRIT_CLI_TEST_ROUND_H
#define WRIT_CLI_TEST_ROUND_H

#include "cli/command.h"
#include "cli/folder_watch.h"

struct cli_test_target {
    const char *argument;           /* ID or DIR */
    struct cli_folder_watch *watch; /* owned by whoever made it; NULL: not watched */
    struct cli_changes *since;      /* what has changed since the last round; NULL: this is the first */
    bool is_due;                    /* its tests are to be run in this round */
};

struct cli_test_plan {
    const struct writ_catalog_options *catalog;
    struct cli_test_target *targets;
    size_t count;
    const char *only; /* name of the one test; NULL: all */
    bool is_watched;
};

/* Runs the tests of the targets that are due, and tells what came out.  The context's progress holds the signals.
 * Returns the exit status; `*ret_interrupted` when the caller wants no more. */
int cli_test_round(struct cli_context *context, const struct cli_test_plan *plan, size_t number, bool *ret_interrupted);

#endif
