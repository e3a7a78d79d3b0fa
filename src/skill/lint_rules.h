/* What the rules of lint share, inside src/skill only. */
#ifndef WRIT_SKILL_LINT_RULES_H
#define WRIT_SKILL_LINT_RULES_H

#include "skill/lint.h"

struct lint {
    const struct writ_skill *skill;
    const struct writ_contract *contract;
    struct writ_lint_report *report;
    struct writ_error *error;
    bool out_of_memory;
    bool *seen; /* by node of the contract: the `properties` that have been looked at */
};

/* `node` is in the contract and gives the place; NULL: none. */
void lint_add(struct lint *lint, enum writ_lint_severity severity, const char *rule, const struct writ_json *node,
              const char *field, const char *format, ...) WRIT_PRINTF(6, 7);

/* True when a description says too little to choose by. */
bool lint_is_vague(const char *description, const char *name) WRIT_PURE;

void lint_schemas(struct lint *lint);  /* inputs described, examples and defaults valid */
void lint_keywords(struct lint *lint); /* keywords and required names that mean nothing */
void lint_tests(struct lint *lint);    /* inputs and expected outputs valid */
void lint_folder(struct lint *lint);   /* entry, links */

#endif
