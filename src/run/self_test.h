/*
 * `writ test`: the contract's own tests and the skill's `tests/` folder, each a real call (S4.10).
 *
 * Files tests/NAME.yaml and tests/NAME.json hold one test each, of the shape of an item of `test:`.  Paths in inputs
 * are taken from the skill's folder, or from a fresh copy of it, and `${{ .state }}` is a fresh folder: test_folder.h
 * says when and why.
 */
#ifndef WRIT_RUN_SELF_TEST_H
#define WRIT_RUN_SELF_TEST_H

#include "run/invoke.h"

struct writ_self_test_result {
    const char *name;
    bool passed;
    uint64_t duration_us;
    const char *difference; /* why it failed; NULL when it passed */
};
/* Called after each test. */
typedef void writ_self_test_report(void *context, const struct writ_self_test_result *result);

struct writ_self_test_options {
    const struct writ_catalog_options *catalog;
    const struct writ_skill *skill; /* loaded */
    const char *identity_id;
    struct writ_ceilings ceilings;
    const struct writ_watch *watch;
    const char *only; /* the one test of this name; NULL: all */
    writ_self_test_report *report;
    void *context;
};
struct writ_self_test_summary {
    size_t passed, failed;
};
/* Runs them.  Returns 0 when they were run, whatever came out.  Errors: USAGE when no test has the name in `only`, with
 * the nearest one; INTERRUPTED; what reading the tests/ folder and making a test's own folder may say. */
int writ_self_test_run(const struct writ_self_test_options *options, struct writ_self_test_summary *ret_summary,
                       struct writ_error *error) WRIT_MUST_USE;

#endif
