/* What the rules of lint share, inside src/skill only. */
#ifndef WRIT_SKILL_LINT_RULES_H
#define WRIT_SKILL_LINT_RULES_H

#include "data/yaml_edit.h"
#include "skill/lint.h"

struct lint {
    const struct writ_skill *skill;
    const struct writ_contract *contract;
    const struct writ_yaml *yaml; /* the document that is judged: the contract, or a file of tests/ */
    const char *file;             /* its name */
    struct writ_lint_report *report;
    struct writ_lint_finding *last; /* that was added; NULL: it was one too many */
    struct writ_yaml_editor editor; /* of the contract */
    struct writ_error *error;
    bool out_of_memory;
    bool without_digest; /* the folder's files are not all read, as would take long each time */
    bool *seen;          /* by node of the contract: the `properties` that have been looked at */
};

/* `node` is in the document that is judged and gives the place; NULL: none. */
void lint_add(struct lint *lint, enum writ_lint_rule_id rule, const struct writ_json *node, const char *field,
              const char *format, ...) WRIT_PRINTF(5, 6);
void lint_add_at(struct lint *lint, enum writ_lint_rule_id rule, uint32_t line, uint32_t column, const char *field,
                 const char *message);

/* A field at the top of the contract, or the whole contract where it is not given. */
const struct writ_json *lint_top(const struct lint *lint, const char *name);

/* ---- fixes: each gives the finding that was added last its mend, where the text of the contract allows it ---- */
/* The program becomes executable. */
void lint_mend_executable(struct lint *lint, const char *entry);
/* The edits are copied; their texts are in the report's arena. */
void lint_mend_edits(struct lint *lint, const struct writ_edit *edits, size_t count, const char *title, bool is_unsafe,
                     bool reveals);
void lint_mend_text(struct lint *lint, const struct writ_json *scalar, const char *text);
/* A member of a map, before another one or (NULL) as the last. */
void lint_mend_member(struct lint *lint, const struct writ_json *map, const struct writ_json *before, const char *name,
                      const char *yaml, bool is_unsafe);
/* A field at the top of the contract, put where the manual lists it. */
void lint_mend_top(struct lint *lint, const char *name, const char *yaml, bool is_unsafe);
void lint_mend_item(struct lint *lint, const struct writ_json *list, const char *text, bool is_unsafe);
/* A permission, always unsafe. */
void lint_mend_permission(struct lint *lint, const char *permission);

/* True when a description says too little to choose by. */
bool lint_is_vague(const char *description, const char *name) WRIT_PURE;

/* The input as a run would see it, with its defaults; NULL marks the lint. */
const struct writ_json *lint_with_defaults(struct lint *lint, const struct writ_json *input);
/* Finds what is wrong with an input, or a document, by its schema. */
void lint_check_input(struct lint *lint, const struct writ_json *input, enum writ_lint_rule_id rule, const char *field);
void lint_add_faults(struct lint *lint, enum writ_lint_rule_id rule, const struct writ_json *node, const char *field,
                     const struct writ_schema_faults *faults);

/* True when other parts of the schema than its own `properties` may declare properties too. */
bool lint_is_composed(const struct writ_json *schema) WRIT_PURE;

void lint_permissions(struct lint *lint);
void lint_dependencies(struct lint *lint);
void lint_schemas(struct lint *lint);  /* inputs described, examples and defaults valid */
void lint_keywords(struct lint *lint); /* keywords and required names that mean nothing */
void lint_tests(struct lint *lint);    /* inputs and expected outputs valid, in the contract and in tests/ */
void lint_source(struct lint *lint);   /* the bytes of skill.yaml */
void lint_folder(struct lint *lint);   /* name, entry, links */

/* As writ_lint_skill, for other bytes of skill.yaml than the ones in the folder. */
int lint_bytes(const struct writ_skill *skill, const char *bytes, size_t length, bool without_digest,
               struct writ_lint_report *ret_report, struct writ_error *error) WRIT_MUST_USE;

#endif
