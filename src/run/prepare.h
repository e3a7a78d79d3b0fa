/*
 * Steps 4 and 5 of a call: decide and plan.
 *
 * The decision here is a function of contract, validated input, caller's roots and this machine; nothing is started.
 * A refusal is INPUT-independent where it can be: kinds that are not enforced yet are refused before any path is looked
 * at.
 */
#ifndef WRIT_RUN_PREPARE_H
#define WRIT_RUN_PREPARE_H

#include "run/prepared.h"

/* `ret_prepared` is set on success; on refusal it is set too when a denial is to be shown (denial.kind).  Free it with
 * writ_prepared_free in both cases.  Errors: FILESYSTEM_DENIED, NETWORK_DENIED, CREDENTIAL_UNAVAILABLE, POLICY_REFUSED,
 * DEPENDENCY_MISSING, DEPENDENCY_VERSION, INTERNAL_*. */
int writ_call_prepare(const struct writ_prepare_request *request, struct writ_prepared **ret_prepared,
                      struct writ_error *error) WRIT_MUST_USE;

#endif
