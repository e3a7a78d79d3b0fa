#include "run/needs.h"

#include "base/descriptor.h"
#include "run/interpreter.h"
#include "run/loader.h"
#include "run/prepare.h"
#include "run/program_version.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct writ_need *add(struct writ_needs *needs, const char *name)
{
    if (needs->count == WRIT_NEEDS_MAX)
        return NULL;
    struct writ_need *need = &needs->items[needs->count++];
    *need = (struct writ_need){.met = false};
    (void)snprintf(need->name, sizeof need->name, "%.63s", name);
    return need;
}

static void set_failed(struct writ_need *need, const struct writ_error *error, const char *mend)
{
    (void)snprintf(need->found, sizeof need->found, "%.255s", error->message);
    (void)snprintf(need->mend, sizeof need->mend, "%.255s", mend);
}

static void set_program(struct writ_need *need, const struct writ_places *places, const struct writ_program *program,
                        const struct writ_semver_range *range, const char *wanted)
{
    struct writ_semver version;
    struct writ_error error;
    if (writ_program_version(places, program, &version, &error) < 0) {
        need->met = !range || range->count == 0;
        (void)snprintf(need->found, sizeof need->found, "%.200s, of unknown version", program->found);
        if (!need->met)
            (void)snprintf(need->mend, sizeof need->mend, "install one that tells its version with --version");
        return;
    }
    need->met = !range || range->count == 0 || writ_semver_satisfies(&version, range);
    (void)snprintf(need->found, sizeof need->found, "%.160s %llu.%llu.%llu", program->found,
                   (unsigned long long)version.major, (unsigned long long)version.minor,
                   (unsigned long long)version.patch);
    if (!need->met)
        (void)snprintf(need->mend, sizeof need->mend, "install a version that fits %.200s", wanted);
}

static void check_interpreter(const struct writ_skill *skill, const struct writ_places *places,
                              struct writ_prepared *prepared, struct writ_needs *needs)
{
    const struct writ_contract *contract = skill->contract;
    struct writ_need *need = add(needs, writ_language_name(contract->runtime.language));
    struct writ_error error;
    struct writ_program program;
    if (!need)
        return;
    if (contract->runtime.language == WRIT_LANGUAGE_NATIVE) {
        const char *entry = writ_arena_printf(&prepared->arena, "%s/%s", skill->folder, contract->runtime.entry);
        if (!entry || writ_program_open(entry, &prepared->arena, &program, &error) < 0) {
            set_failed(need, &error, "build the program: `writ test` does where there is a main.c");
            return;
        }
        need->met = true;
        (void)snprintf(need->found, sizeof need->found, "%.200s, %s", entry,
                       program.format == WRIT_PROGRAM_STATIC ? "static" : "dynamic");
        writ_descriptor_close(&program.fd);
        return;
    }
    /* The interpreter's descriptor belongs to `prepared` from here on. */
    if (writ_interpreter_add(prepared, places, contract, &program, &error) < 0)
        set_failed(need, &error, "install it");
    else
        set_program(need, places, &program, &contract->runtime.version, contract->runtime.version_text);
}

static const struct writ_contract_binary *find_binary(const struct writ_contract *contract, const char *name)
{
    for (size_t i = 0; i < contract->binary_count; i++)
        if (strcmp(contract->binaries[i].name, name) == 0)
            return &contract->binaries[i];
    return NULL;
}

static void check_permission(const struct writ_contract *contract, const struct writ_permission *permission,
                             const struct writ_places *places, struct writ_arena *arena, struct writ_needs *needs)
{
    struct writ_error error;
    struct writ_program program;
    bool is_literal = permission->segment_count == 1 && permission->segments[0].kind == WRIT_SEGMENT_LITERAL;
    if (permission->kind == WRIT_PERMISSION_BINARY_RUN) {
        struct writ_need *need = add(needs, permission->subject);
        const struct writ_contract_binary *binary = find_binary(contract, permission->subject);
        if (!need)
            return;
        if (writ_program_find(places->path, permission->subject, arena, &program, &error) < 0) {
            set_failed(need, &error, "install it");
            return;
        }
        set_program(need, places, &program, binary ? &binary->version : NULL, binary ? binary->version_text : "");
        writ_descriptor_close(&program.fd);
    } else if (permission->kind == WRIT_PERMISSION_FILESYSTEM_READ && is_literal &&
               permission->segments[0].text[0] == '/') {
        struct writ_need *need = add(needs, permission->segments[0].text);
        if (!need)
            return;
        need->met = faccessat(AT_FDCWD, permission->segments[0].text, R_OK, AT_EACCESS) == 0;
        (void)snprintf(need->found, sizeof need->found, need->met ? "readable" : "not there, or not readable");
        if (!need->met)
            (void)snprintf(need->mend, sizeof need->mend, "install what brings it");
    } else if (permission->kind == WRIT_PERMISSION_NETWORK || permission->kind == WRIT_PERMISSION_CREDENTIAL ||
               permission->kind == WRIT_PERMISSION_CLIPBOARD_READ) {
        struct writ_need *need = add(needs, permission->source);
        if (!need)
            return;
        (void)snprintf(need->found, sizeof need->found, "a kind that this version of writ does not enforce yet");
        (void)snprintf(need->mend, sizeof need->mend, "a run is refused until it is");
    }
}

void writ_needs_check(const struct writ_skill *skill, const struct writ_places *places, struct writ_needs *ret_needs)
{
    *ret_needs = (struct writ_needs){.count = 0};
    struct writ_prepared *prepared = writ_prepared_new();
    if (!prepared)
        return;
    check_interpreter(skill, places, prepared, ret_needs);
    for (size_t i = 0; i < skill->contract->permission_count; i++)
        check_permission(skill->contract, &skill->contract->permissions[i], places, &prepared->arena, ret_needs);
    writ_prepared_free(prepared, false);
}
