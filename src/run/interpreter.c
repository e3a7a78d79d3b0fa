#include "run/interpreter.h"

#include "run/dependency.h"
#include "run/loader.h"

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
    struct writ_dependency dependency = {.shown = writ_language_name(runtime->language),
                                         .range = &runtime->version,
                                         .range_text = runtime->version_text,
                                         .watch = prepared->watch,
                                         .no_script = true};
    struct writ_error wrong_version = {.code = WRIT_OK}; /* the first that came near */
    for (const char *const *name = names_of(runtime->language); *name; name++) {
        struct writ_program program;
        dependency.name = *name;
        struct writ_error reason;
        int result = writ_dependency_find(places, &dependency, &prepared->arena, &program, &reason);
        if (result == 0) {
            result = writ_loader_add_program(prepared, &program, "runs the skill", error);
            if (result == 0)
                *ret_program = program;
            return result;
        }
        if (result != WRIT_DEPENDENCY_MISSING && result != WRIT_DEPENDENCY_VERSION) {
            *error = reason;
            return result;
        }
        if (result == WRIT_DEPENDENCY_VERSION && wrong_version.code == WRIT_OK)
            wrong_version = reason;
    }
    if (wrong_version.code != WRIT_OK) {
        *error = wrong_version;
        return error->code;
    }
    (void)writ_error_set(error, WRIT_DEPENDENCY_MISSING,
                         "%s: no interpreter is installed (not found in PATH); install it", dependency.shown);
    return writ_error_at(error, dependency.shown, 0, 0);
}
