/*
 * The permissions of a contract turned into grants for one input (S4.3).
 */
#ifndef WRIT_RUN_GRANTS_H
#define WRIT_RUN_GRANTS_H

#include "run/prepared.h"

/* Refuses permissions that nothing enforces yet, with the reason.  Looks at the contract alone. */
int writ_grants_check_kinds(const struct writ_contract *contract, struct writ_denial *ret_denial,
                            struct writ_error *error) WRIT_MUST_USE;
/* True when a permission names `${{ .state }}`. */
bool writ_grants_need_state(const struct writ_contract *contract) WRIT_PURE;
/* Expands and resolves every filesystem permission into prepared->grants and writes prepared->input: the input with the
 * paths that permissions begin with made absolute. */
int writ_grants_resolve(const struct writ_prepare_request *request, struct writ_prepared *prepared,
                        struct writ_error *error) WRIT_MUST_USE;

#endif
