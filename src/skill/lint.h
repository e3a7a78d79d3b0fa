/*
 * Lint judges the contract and the folder, never this machine (S1.4, S4.10).
 *
 * Rules.  Errors: `contract` (a fault of the contract), `description-vague`, `input-undescribed`, `input-unexampled`,
 * `example-invalid`, `permission-never-granted`, `test-input-invalid`, `test-output-invalid`, `entry-missing`,
 * `entry-not-executable`, `folder-unpackable`.  Warnings: `permissions-undeclared`, `permission-wide`,
 * `permission-never-written`, `binary-not-permitted`, `binary-undeclared`, `api-without-network`, `file-not-permitted`,
 * `schema-keyword-unknown`, `required-undeclared`, `test-missing`, `license-missing`, `author-missing`.  Notes:
 * `permission-not-enforced`, `entry-unbuilt`, `input-open`, `output-error-undeclared`.
 */
#ifndef WRIT_SKILL_LINT_H
#define WRIT_SKILL_LINT_H

#include "skill/catalog.h"

#define WRIT_LINT_FINDINGS_MAX 500

enum writ_lint_severity { WRIT_LINT_ERROR = 1, WRIT_LINT_WARNING, WRIT_LINT_NOTE };
/* `error`, `warning`, `note` */
const char *writ_lint_severity_name(enum writ_lint_severity severity) WRIT_PURE;

struct writ_lint_finding {
    enum writ_lint_severity severity;
    const char *rule;      /* stable name, see above */
    const char *file;      /* relative to the skill's folder */
    uint32_t line, column; /* 0 when the finding has no place */
    const char *field;     /* as in writ_contract_fault; "" when there is none */
    const char *message;   /* what is wrong and the mend */
};
struct writ_lint_report {
    struct writ_arena arena;
    struct writ_lint_finding *items;
    size_t count, error_count, warning_count;
    bool truncated; /* more than WRIT_LINT_FINDINGS_MAX were found */
};
/* Contract faults come first as errors; a contract that has any is judged no further.  Then the lint's own findings.
 * With skill->folder_fd -1 the folder is not judged.  An error only when writ itself failed. */
int writ_lint_skill(const struct writ_skill *skill, struct writ_lint_report *ret_report,
                    struct writ_error *error) WRIT_MUST_USE;
/* Safe on a zeroed struct. */
void writ_lint_report_clear(struct writ_lint_report *report);

#endif
