#include "skill/lint_rules.h"

#include "skill/contract_reader.h"

#define REPORT_ARENA_BYTES_MAX ((size_t)64 << 20)

/* ---- what the contract says of itself ---- */

const struct writ_json *lint_top(const struct lint *lint, const char *name)
{
    const struct writ_json *node = writ_json_get(lint->contract->yaml.root, name);
    return node ? node : lint->contract->yaml.root;
}

static void lint_identity(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    if (lint_is_vague(contract->description, contract->name))
        lint_add(lint, WRIT_RULE_DESCRIPTION_VAGUE, lint_top(lint, "description"), "description",
                 "says too little to choose by; say what it takes and what it returns, as in `Returns the current "
                 "temperature, humidity and wind of a named city`");
    if (!contract->author[0])
        lint_add(lint, WRIT_RULE_AUTHOR_MISSING, contract->yaml.root, "author",
                 "is missing; say who answers for the skill");
    if (!contract->license[0])
        lint_add(lint, WRIT_RULE_LICENSE_MISSING, contract->yaml.root, "license",
                 "is missing; without one nobody else may use the skill");
    if (!contract->permissions_declared) {
        lint_add(lint, WRIT_RULE_PERMISSIONS_UNDECLARED, contract->yaml.root, "permissions",
                 "is missing; write `permissions: []` when the program touches nothing");
        lint_mend_top(lint, "permissions", "[]", false); /* what it comes to without the field */
    }
}

/* ---- a contract that cannot be used ---- */

/* Fixes live with the faults: the report outlives them. */
static void copy_fix(struct lint *lint, const struct writ_fix *fix)
{
    struct writ_arena *arena = &lint->report->arena;
    if (!fix || !lint->last)
        return;
    struct writ_edit edits[WRIT_FIX_EDITS_MAX];
    for (size_t i = 0; i < fix->edit_count; i++) {
        edits[i] = fix->edits[i];
        edits[i].text = writ_arena_copy(arena, edits[i].text, edits[i].text_length);
        lint->out_of_memory |= !edits[i].text;
    }
    lint_mend_edits(lint, edits, fix->edit_count, writ_arena_copy(arena, fix->title, strlen(fix->title)),
                    fix->is_unsafe, fix->reveals);
}

static void lint_faults(struct lint *lint)
{
    const struct writ_skill *skill = lint->skill;
    for (size_t i = 0; i < skill->faults.count; i++) {
        const struct writ_contract_fault *fault = &skill->faults.items[i];
        lint_add_at(lint, WRIT_RULE_CONTRACT, fault->line, fault->column, fault->field, fault->message);
        copy_fix(lint, fault->fix);
    }
    lint->report->truncated = skill->faults.truncated;
    if (skill->faults.count == 0)
        lint_add_at(lint, WRIT_RULE_CONTRACT, 0, 0, "",
                    skill->fault.code != WRIT_OK ? skill->fault.message : "the contract was not read");
}

/* ---- the whole ---- */

static void keep_source(struct lint *lint, const char *source, size_t length)
{
    struct writ_lint_report *report = lint->report;
    if (!source)
        return;
    report->source = writ_arena_copy(&report->arena, source, length);
    report->source_length = length;
    lint->out_of_memory |= !report->source;
}

static void judge(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    lint->report->stage = WRIT_LINT_JUDGED;
    keep_source(lint, contract->source, contract->source_length);
    if (lint->out_of_memory)
        return;
    lint_source(lint);
    lint_identity(lint);
    lint_schemas(lint);
    lint_keywords(lint);
    lint_permissions(lint);
    lint_dependencies(lint);
    lint_tests(lint);
    if (lint->skill->folder_fd >= 0)
        lint_folder(lint);
}

static int lint_skill(const struct writ_skill *skill, bool without_digest, struct writ_lint_report *ret_report,
                      struct writ_error *error)
{
    const struct writ_contract *contract = skill->contract;
    struct writ_lint_report report = {.stage = WRIT_LINT_FAULTY};
    struct lint lint = {.skill = skill,
                        .contract = contract,
                        .file = "skill.yaml",
                        .report = &report,
                        .error = error,
                        .without_digest = without_digest};
    writ_arena_init(&report.arena, REPORT_ARENA_BYTES_MAX);
    if (contract) {
        lint.yaml = &contract->yaml;
        lint.editor = (struct writ_yaml_editor){.yaml = &contract->yaml,
                                                .bytes = contract->source,
                                                .length = contract->source_length,
                                                .arena = &report.arena};
        judge(&lint);
    } else {
        if (skill->faults.is_syntax || !skill->faults.source)
            report.stage = WRIT_LINT_UNREADABLE;
        keep_source(&lint, skill->faults.source, skill->faults.source_length);
        lint_faults(&lint);
    }
    if (lint.out_of_memory || lint.editor.out_of_memory) {
        writ_lint_report_clear(&report);
        return writ_error_memory(error);
    }
    *ret_report = report;
    return 0;
}

int writ_lint_skill(const struct writ_skill *skill, struct writ_lint_report *ret_report, struct writ_error *error)
{
    return lint_skill(skill, false, ret_report, error);
}

int lint_bytes(const struct writ_skill *skill, const char *bytes, size_t length, bool without_digest,
               struct writ_lint_report *ret_report, struct writ_error *error)
{
    struct writ_skill judged = *skill;
    judged.contract = NULL;
    judged.fault = (struct writ_error){.code = WRIT_OK};
    writ_contract_faults_init(&judged.faults);
    int result = contract_parse(bytes, length, "skill.yaml", skill->expected_id, skill->folder_fd, &judged.contract,
                                &judged.faults, &judged.fault);
    if (result == 0 || result == WRIT_CONTRACT_INVALID)
        result = lint_skill(&judged, without_digest, ret_report, error);
    else
        *error = judged.fault;
    writ_contract_free(judged.contract);
    writ_contract_faults_clear(&judged.faults);
    return result;
}
