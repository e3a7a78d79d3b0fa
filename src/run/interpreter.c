#include "run/interpreter.h"

#include "base/descriptor.h"
#include "run/loader.h"
#include "run/program_version.h"

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

/* A refusal that is remembered while others are looked at: the first that came near is what is told. */
struct refusal {
    struct writ_error error; /* code 0: none yet */
};

static void remember(struct refusal *refusal, const struct writ_error *error)
{
    if (refusal->error.code == WRIT_OK)
        refusal->error = *error;
}

static int check_version(const struct writ_places *places, const struct writ_contract_runtime *runtime,
                         const struct writ_program *program, struct writ_error *error)
{
    if (runtime->version.count == 0)
        return 0;
    struct writ_semver version;
    int result = writ_program_version(places, program, &version, error);
    if (result < 0 || writ_semver_satisfies(&version, &runtime->version))
        return result;
    (void)writ_error_set(
        error, WRIT_DEPENDENCY_VERSION, "%s is %llu.%llu.%llu, but the skill needs %s %s; install a version that fits",
        program->found, (unsigned long long)version.major, (unsigned long long)version.minor,
        (unsigned long long)version.patch, writ_language_name(runtime->language), runtime->version_text);
    return writ_error_at(error, writ_language_name(runtime->language), 0, 0);
}

/* Looks through the whole search path for one name.  A script in the place of an interpreter (a version manager's shim)
 * is passed over: what it would start is not known before it runs.  Returns 0, or the code in `error`. */
static int find(const struct writ_places *places, const struct writ_contract_runtime *runtime, const char *name,
                struct writ_arena *arena, struct writ_program *ret_program, struct refusal *refusal,
                struct writ_error *error)
{
    const char *rest = places->path;
    while (*rest) {
        struct writ_program program;
        int result = writ_program_find_next(&rest, name, arena, &program, error);
        if (result == WRIT_INTERNAL_MEMORY)
            return result;
        if (result < 0)
            continue;
        result = program.format == WRIT_PROGRAM_SCRIPT ? WRIT_DEPENDENCY_MISSING
                                                       : check_version(places, runtime, &program, error);
        if (result == 0) {
            *ret_program = program;
            return 0;
        }
        if (program.format != WRIT_PROGRAM_SCRIPT)
            remember(refusal, error);
        writ_descriptor_close(&program.fd);
        if (result != WRIT_DEPENDENCY_MISSING && result != WRIT_DEPENDENCY_VERSION)
            return result;
    }
    return writ_error_set(error, WRIT_DEPENDENCY_MISSING, "%s: not found in PATH", name);
}

int writ_interpreter_add(struct writ_prepared *prepared, const struct writ_places *places,
                         const struct writ_contract *contract, struct writ_program *ret_program,
                         struct writ_error *error)
{
    const struct writ_contract_runtime *runtime = &contract->runtime;
    const char *language = writ_language_name(runtime->language);
    struct refusal refusal = {.error = {.code = WRIT_OK}};
    for (const char *const *name = names_of(runtime->language); *name; name++) {
        struct writ_program program;
        int result = find(places, runtime, *name, &prepared->arena, &program, &refusal, error);
        if (result == 0) {
            result = writ_loader_add_program(prepared, &program, "runs the skill", error);
            if (result == 0)
                *ret_program = program;
            return result;
        }
        if (result != WRIT_DEPENDENCY_MISSING && result != WRIT_DEPENDENCY_VERSION)
            return result;
    }
    if (refusal.error.code != WRIT_OK) {
        *error = refusal.error;
        return error->code;
    }
    (void)writ_error_set(error, WRIT_DEPENDENCY_MISSING,
                         "%s: no interpreter is installed (not found in PATH); install it", language);
    return writ_error_at(error, language, 0, 0);
}
