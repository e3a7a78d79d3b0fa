#include "run/needs.h"

#include "base/descriptor.h"
#include "run/dependency.h"
#include "run/interpreter.h"
#include "run/loader.h"
#include "run/program_version.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The next need, not met yet; NULL once there is no room, which the last one then says. */
static struct writ_need *add(struct writ_needs *needs, const char *name)
{
    if (needs->count == WRIT_NEEDS_MAX) {
        struct writ_need *last = &needs->items[WRIT_NEEDS_MAX - 1];
        *last = (struct writ_need){.name = "and more", .found = "more is needed than is looked at"};
        (void)snprintf(last->mend, sizeof last->mend, "see the contract (`writ show`)");
        return NULL;
    }
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

/* Tells where the program is and in which version; that it does is what makes it met. */
static void set_program(struct writ_need *need, const struct writ_places *places, const struct writ_program *program,
                        const struct writ_watch *watch)
{
    struct writ_semver version;
    struct writ_error error;
    need->met = true;
    if (writ_program_version(places, program, watch, &version, &error) < 0)
        (void)snprintf(need->found, sizeof need->found, "%.200s, of unknown version", program->found);
    else
        (void)snprintf(need->found, sizeof need->found, "%.160s %llu.%llu.%llu", program->found,
                       (unsigned long long)version.major, (unsigned long long)version.minor,
                       (unsigned long long)version.patch);
}

static void set_missing(struct writ_need *need, const struct writ_error *error, const char *range_text)
{
    char mend[sizeof need->mend];
    (void)snprintf(mend, sizeof mend,
                   error->code == WRIT_DEPENDENCY_VERSION ? "install a version that fits %.200s" : "install it",
                   range_text ? range_text : "");
    set_failed(need, error, mend);
}

static void check_native(const struct writ_skill *skill, struct writ_prepared *prepared, struct writ_need *need)
{
    struct writ_error error;
    struct writ_program program;
    const char *name = skill->contract->runtime.entry;
    const char *entry = writ_arena_printf(&prepared->arena, "%s/%s", skill->folder, name);
    int result = entry ? writ_program_open_in(skill->folder_fd, name, entry, &prepared->arena, &program, &error)
                       : writ_error_memory(&error);
    if (result < 0) {
        set_failed(need, &error, "build the program: `writ test` does where there is a main.c");
        return;
    }
    const char *kind = program.format == WRIT_PROGRAM_STATIC   ? "static"
                       : program.format == WRIT_PROGRAM_SCRIPT ? "a script"
                                                               : "dynamic";
    /* Takes the descriptor over; what a dynamic program or a script needs to load must be there, too. */
    if (writ_loader_add_program(prepared, &program, "looked at", &error) < 0) {
        set_failed(need, &error, "install it");
        return;
    }
    need->met = true;
    (void)snprintf(need->found, sizeof need->found, "%.200s, %s", entry, kind);
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
    if (contract->runtime.language == WRIT_LANGUAGE_NATIVE)
        check_native(skill, prepared, need);
    else if (writ_interpreter_add(prepared, places, contract, &program, &error) < 0)
        set_missing(need, &error, contract->runtime.version_text);
    else /* its descriptor belongs to `prepared` */
        set_program(need, places, &program, prepared->watch);
}

static void check_permission(const struct writ_contract *contract, const struct writ_permission *permission,
                             const struct writ_places *places, struct writ_prepared *prepared, struct writ_needs *needs)
{
    struct writ_error error;
    struct writ_program program;
    bool is_literal = permission->segment_count == 1 && permission->segments[0].kind == WRIT_SEGMENT_LITERAL;
    if (permission->kind == WRIT_PERMISSION_BINARY_RUN) {
        struct writ_need *need = add(needs, permission->subject);
        struct writ_dependency dependency = writ_dependency_of(contract, permission->subject);
        dependency.watch = prepared->watch;
        if (!need)
            return;
        if (writ_dependency_find(places, &dependency, &prepared->arena, &program, &error) < 0) {
            set_missing(need, &error, dependency.range_text);
            return;
        }
        set_program(need, places, &program, prepared->watch);
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

void writ_needs_check(const struct writ_skill *skill, const struct writ_places *places, const struct writ_watch *watch,
                      struct writ_needs *ret_needs)
{
    *ret_needs = (struct writ_needs){.count = 0};
    struct writ_prepared *prepared = writ_prepared_new();
    if (!prepared) {
        struct writ_error error;
        (void)writ_error_memory(&error);
        set_failed(add(ret_needs, "memory"), &error, "end other programs, and look again");
        return;
    }
    prepared->watch = watch;
    check_interpreter(skill, places, prepared, ret_needs);
    for (size_t i = 0; i < skill->contract->permission_count; i++)
        check_permission(skill->contract, &skill->contract->permissions[i], places, prepared, ret_needs);
    writ_prepared_free(prepared, false);
}
