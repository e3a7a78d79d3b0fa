/*
 * The interpreter of a contract's language: found, its version checked, added to the plan.
 */
#ifndef WRIT_RUN_INTERPRETER_H
#define WRIT_RUN_INTERPRETER_H

#include "run/prepared.h"
#include "run/program.h"

/* Finds the interpreter of the contract's language, in a version that the contract allows, adds it and gives it.
 * Errors: DEPENDENCY_MISSING, DEPENDENCY_VERSION. */
int writ_interpreter_add(struct writ_prepared *prepared, const struct writ_places *places,
                         const struct writ_contract *contract, struct writ_program *ret_program,
                         struct writ_error *error) WRIT_MUST_USE;
#endif
