#include "run/dependency.h"

#include "base/descriptor.h"
#include "run/program_version.h"

#include <string.h>

struct writ_dependency writ_dependency_of(const struct writ_contract *contract, const char *name)
{
    struct writ_dependency dependency = {.name = name, .shown = name};
    for (size_t i = 0; i < contract->binary_count; i++)
        if (strcmp(contract->binaries[i].name, name) == 0) {
            dependency.range = &contract->binaries[i].version;
            dependency.range_text = contract->binaries[i].version_text;
        }
    return dependency;
}

static int check(const struct writ_places *places, const struct writ_dependency *dependency,
                 const struct writ_program *program, struct writ_error *error)
{
    if (dependency->no_script && program->format == WRIT_PROGRAM_SCRIPT) {
        (void)writ_error_set(error, WRIT_DEPENDENCY_MISSING, "%s is a script, which cannot stand in for %s; install it",
                             program->found, dependency->shown);
        return writ_error_at(error, dependency->shown, 0, 0);
    }
    if (!dependency->range || dependency->range->count == 0)
        return 0;
    struct writ_semver version;
    int result = writ_program_version(places, program, dependency->watch, &version, error);
    if (result < 0 || writ_semver_satisfies(&version, dependency->range))
        return result;
    (void)writ_error_set(error, WRIT_DEPENDENCY_VERSION,
                         "%s is %llu.%llu.%llu, but the skill needs %s %s; install a version that fits", program->found,
                         (unsigned long long)version.major, (unsigned long long)version.minor,
                         (unsigned long long)version.patch, dependency->shown, dependency->range_text);
    return writ_error_at(error, dependency->shown, 0, 0);
}

int writ_dependency_find(const struct writ_places *places, const struct writ_dependency *dependency,
                         struct writ_arena *arena, struct writ_program *ret_program, struct writ_error *error)
{
    const char *rest = places->path;
    struct writ_error refusal = {.code = WRIT_OK}; /* the first, but a wrong version is nearer than none */
    do {
        /* The caller's error stays as it is while another candidate may do. */
        struct writ_error reason;
        struct writ_program program;
        int result = writ_program_find_next(&rest, dependency->name, arena, &program, &reason);
        if (result == 0 && (result = check(places, dependency, &program, &reason)) < 0)
            writ_descriptor_close(&program.fd);
        if (result == 0) {
            *ret_program = program;
            return 0;
        }
        if (result != WRIT_DEPENDENCY_MISSING && result != WRIT_DEPENDENCY_VERSION) {
            *error = reason;
            return result;
        }
        if (refusal.code == WRIT_OK || (refusal.code == WRIT_DEPENDENCY_MISSING && result == WRIT_DEPENDENCY_VERSION))
            refusal = reason;
    } while (*rest);
    *error = refusal;
    return refusal.code;
}
