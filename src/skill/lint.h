/*
 * Lint judges the contract and the folder, never this machine (S1.4, S4.10, S2.7).
 */
#ifndef WRIT_SKILL_LINT_H
#define WRIT_SKILL_LINT_H

#include "skill/catalog.h"

enum writ_lint_severity { WRIT_LINT_ERROR = 1, WRIT_LINT_WARNING, WRIT_LINT_NOTE };
struct writ_lint_finding {
    enum writ_lint_severity severity;
    const char *rule;  /* stable name: `description-vague`, `input-undescribed` … */
    const char *file;  /* relative to the skill's folder */
    uint32_t line, column;
    const char *field;
    const char *message; /* what is wrong and the mend */
};
struct writ_lint_report {
    struct writ_arena arena;
    struct writ_lint_finding *items;
    size_t count, error_count, warning_count;
};
/* Contract faults come first as errors, then the lint's own findings. */
int writ_lint_skill(const struct writ_skill *skill, struct writ_lint_report *ret_report, struct writ_error *error)
    WRIT_MUST_USE;
void writ_lint_report_clear(struct writ_lint_report *report);

#endif
