/*
 * Contracts: whatever is read holds what its struct promises, and whatever is refused says so in UTF-8, with every
 * fault at a place and in order.  Permissions of a good contract expand or are denied for any input, and never climb.
 */
#include "base/text.h"
#include "skill/contract.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void demand_text(const char *text)
{
    demand(text && writ_utf8_is_valid(text, strlen(text)));
}

static void check_faults(const struct writ_contract_faults *faults, const struct writ_error *error)
{
    demand(faults->count > 0 && faults->count <= WRIT_CONTRACT_FAULTS_MAX);
    demand(error->line == faults->items[0].line && error->column == faults->items[0].column);
    for (size_t i = 0; i < faults->count; i++) {
        const struct writ_contract_fault *fault = &faults->items[i];
        demand(fault->line > 0 && fault->column > 0);
        demand(i == 0 || fault[-1].line <= fault->line);
        demand_text(fault->field);
        demand_text(fault->message);
        demand(fault->message[0] != '\0');
    }
}

static bool has_parent(const char *path)
{
    for (const char *part = path; *part;) {
        size_t size = strcspn(part, "/");
        if (size == 2 && part[0] == '.' && part[1] == '.')
            return true;
        part += size + (part[size] == '/');
    }
    return false;
}

static void check_permission(const struct writ_permission *permission, const struct writ_json *input,
                             struct writ_arena *arena)
{
    struct writ_interpolation values = {.input = input, .state_folder = "/state", .identity_id = "me"};
    const struct writ_expanded_path *paths;
    struct writ_error error;
    size_t count;
    demand(permission->line > 0);
    demand_text(permission->source);
    if (permission->kind != WRIT_PERMISSION_FILESYSTEM_READ && permission->kind != WRIT_PERMISSION_FILESYSTEM_WRITE)
        return;
    demand(permission->segment_count > 0);
    if (writ_permission_expand(permission, &values, arena, &paths, &count, &error) < 0)
        return;
    for (size_t i = 0; i < count; i++) {
        demand(paths[i].path[0] != '\0');
        /* Only what begins with a caller's own value may hold `..`. */
        demand(paths[i].input_pointer || !has_parent(paths[i].path));
    }
}

static void check_contract(const struct writ_contract *contract)
{
    struct writ_error error;
    struct writ_arena arena;
    demand(writ_skill_id_check(contract->id, &error) == 0);
    demand_text(contract->name);
    demand_text(contract->description);
    demand_text(contract->author);
    demand_text(contract->license);
    demand(contract->input && contract->output && contract->input_node && contract->output_node);
    demand(contract->runtime.language && contract->runtime.entry && contract->runtime.timeout_ms > 0);
    writ_arena_init(&arena, (size_t)64 << 20);
    for (size_t i = 0; i < contract->binary_count; i++)
        demand(writ_permission_name_is_valid(contract->binaries[i].name));
    for (size_t i = 0; i < contract->skill_count; i++)
        demand(writ_skill_id_check(contract->skills[i].id, &error) == 0);
    for (size_t i = 0; i < contract->test_count; i++) {
        struct writ_buffer filled;
        const struct writ_json *input = contract->tests[i].input;
        writ_buffer_init(&filled, (size_t)8 << 20);
        demand_text(contract->tests[i].name);
        if (writ_contract_apply_defaults(contract, input, &filled, &error) == 0)
            demand(writ_json_parse(&arena, filled.data, filled.length, &input, &error) == 0);
        writ_buffer_clear(&filled);
        for (size_t j = 0; j < contract->permission_count; j++)
            check_permission(&contract->permissions[j], input, &arena);
    }
    writ_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct writ_contract *contract = NULL;
    struct writ_contract_faults faults;
    struct writ_error error = {0};
    writ_contract_faults_init(&faults);
    int result = writ_contract_parse((const char *)bytes, length, "skill.yaml", NULL, &contract, &faults, &error);
    demand((result == 0) == (contract != NULL));
    if (result == 0)
        check_contract(contract);
    else if (result == WRIT_CONTRACT_INVALID)
        check_faults(&faults, &error);
    else
        demand(result == WRIT_INTERNAL_MEMORY);
    writ_contract_free(contract);
    writ_contract_faults_clear(&faults);
    return 0;
}
