/*
 * Comparing a test's expected output with what came out (S4.10): exact, but for a tolerance between numbers and for
 * places that the test names as not to be compared.
 */
#ifndef WRIT_RUN_COMPARE_H
#define WRIT_RUN_COMPARE_H

#include "base/buffer.h"
#include "data/json.h"

struct writ_compare_options {
    double tolerance;               /* absolute difference that two numbers may have */
    const struct writ_json *ignore; /* array of JSON pointers into the output, or NULL */
};

/* True when equal.  Else `ret_difference` gets one sentence about the first difference in document order:
 * `/data/confidence: expected 0.95, got 0.4`. */
bool writ_compare_outputs(const struct writ_json *expected, const struct writ_json *got,
                          const struct writ_compare_options *options, struct writ_buffer *ret_difference);

#endif
