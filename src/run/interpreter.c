#include "run/interpreter.h"

#include "base/descriptor.h"
#include "run/loader.h"
#include "run/program_version.h"

#include <stdio.h>

/* Candidate names of a language's interpreter, in the order they are tried. */
static const char *const python_names[] = {"python3",    "python3.14", "python3.13", "python3.12",
                                           "python3.11", "python3.10", "python3.9",  NULL};
static const char *const node_names[] = {"node", "nodejs", NULL};
static const char *const sh_names[] = {"sh", NULL};

static const char *const *names_of(enum writ_language language)
{
    switch (language) {
    case WRIT_LANGUAGE_PYTHON:
        return python_names;
    case WRIT_LANGUAGE_NODE:
        return node_names;
    case WRIT_LANGUAGE_SH:
    case WRIT_LANGUAGE_NATIVE:
    default:
        return sh_names;
    }
}

int writ_interpreter_add(struct writ_prepared *prepared, const struct writ_places *places,
                         const struct writ_contract *contract, struct writ_program *ret_program,
                         struct writ_error *error)
{
    const struct writ_contract_runtime *runtime = &contract->runtime;
    char seen[128] = "";
    for (const char *const *name = names_of(runtime->language); *name; name++) {
        struct writ_program program;
        int result = writ_program_find(places->path, *name, &prepared->arena, &program, error);
        if (result == WRIT_INTERNAL_MEMORY)
            return result;
        if (result < 0)
            continue;
        struct writ_semver version;
        if (runtime->version.count > 0) {
            result = writ_program_version(places, &program, &version, error);
            if (result < 0) {
                writ_descriptor_close(&program.fd);
                return result;
            }
            if (!writ_semver_satisfies(&version, &runtime->version)) {
                writ_descriptor_close(&program.fd);
                (void)snprintf(seen, sizeof seen, "%s is %llu.%llu.%llu", program.found,
                               (unsigned long long)version.major, (unsigned long long)version.minor,
                               (unsigned long long)version.patch);
                continue;
            }
        }
        result = writ_loader_add_program(prepared, &program, "runs the skill", error);
        if (result == 0)
            *ret_program = program;
        return result;
    }
    if (seen[0]) {
        (void)writ_error_set(error, WRIT_DEPENDENCY_VERSION,
                             "%s, but the skill needs %s %s; install a version that fits", seen,
                             writ_language_name(runtime->language), runtime->version_text);
        return writ_error_at(error, writ_language_name(runtime->language), 0, 0);
    }
    (void)writ_error_set(error, WRIT_DEPENDENCY_MISSING,
                         "%s: no interpreter is installed (not found in PATH); install it",
                         writ_language_name(runtime->language));
    return writ_error_at(error, writ_language_name(runtime->language), 0, 0);
}
