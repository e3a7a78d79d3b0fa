/*
 * The parent's part before the clone: the plan is checked, sorted and turned into what the child carries out.
 */
#ifndef WRIT_SANDBOX_PREPARE_H
#define WRIT_SANDBOX_PREPARE_H

#include "sandbox/enter.h"

/* Fills `enter`, of a sandbox that was begun, from the plan.  Started by root, makes the detached mounts; close them
 * with writ_prepare_clear, which is safe after a failure too. */
int writ_prepare(const struct writ_plan *plan, struct writ_enter *enter, struct writ_error *error) WRIT_MUST_USE;
void writ_prepare_clear(struct writ_enter *enter);

/* Resource limits and processors, from the plan and what the caller itself is allowed. */
int writ_prepare_limits(struct writ_enter *enter, struct writ_error *error) WRIT_MUST_USE;

#endif
