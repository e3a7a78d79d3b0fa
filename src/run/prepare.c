#include "run/prepare.h"

#include "base/descriptor.h"
#include "run/dependency.h"
#include "run/fixed_places.h"
#include "run/grants.h"
#include "run/interpreter.h"
#include "run/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define STDERR_BYTES_KEPT ((uint64_t)64 << 10)
#define OPEN_FILES_MAX 256 /* each may be a socket that holds memory of the kernel */
#define PATH_BYTES_MAX ((size_t)WRIT_GRANTS_MAX * PATH_MAX)
#define WRITTEN_FILE_BYTES_MAX ((uint64_t)4 << 30)

/* The skill's own folder, read-only, and the program in it that is run. */
static int add_skill(const struct writ_prepare_request *request, struct writ_prepared *prepared,
                     struct writ_error *error)
{
    const struct writ_contract *contract = request->skill->contract;
    struct writ_plan *plan = &prepared->plan;
    int fd = fcntl(request->skill->folder_fd, F_DUPFD_CLOEXEC, 3);
    if (fd < 0)
        return writ_error_io(error, errno, request->skill->folder);
    int result = writ_loader_add_bind(prepared, request->skill->folder, fd, true, true, "the skill itself", error);
    if (result < 0)
        return result;
    const char *entry = writ_arena_printf(&prepared->arena, "%s/%s", request->skill->folder, contract->runtime.entry);
    if (!entry)
        return writ_error_memory(error);
    if (contract->runtime.language == WRIT_LANGUAGE_NATIVE) {
        struct writ_program program;
        /* Through the folder whose bytes were looked at, not by its name anew. */
        result = writ_program_open_in(request->skill->folder_fd, contract->runtime.entry, entry, &prepared->arena,
                                      &program, error);
        if (result < 0 && result != WRIT_DEPENDENCY_MISSING)
            return result;
        if (result < 0)
            return writ_error_wrap(error, "the skill's program (build it first: `writ test %s` does)",
                                   request->skill->folder);
        plan->program = plan->args[0] = entry;
        if (program.format == WRIT_PROGRAM_STATIC) {
            writ_descriptor_close(&program.fd);
            return 0;
        }
        return writ_loader_add_program(prepared, &program, "the skill's program", error);
    }
    /* The interpreter would say it in words of its own. */
    bool is_there = faccessat(request->skill->folder_fd, contract->runtime.entry, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (!is_there && errno != ENOENT && errno != ENOTDIR)
        return writ_error_io(error, errno, entry);
    if (!is_there)
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "runtime.entry: `%s` is not in the skill's folder; add the program or name it there",
                              contract->runtime.entry);
    struct writ_program interpreter;
    result = writ_interpreter_add(prepared, request->places, contract, &interpreter, error);
    if (result < 0)
        return result;
    size_t count = 0;
    plan->program = interpreter.real;
    plan->args[count++] = interpreter.found;
    if (contract->runtime.language == WRIT_LANGUAGE_PYTHON) {
        plan->args[count++] = "-B"; /* its folder is read-only: no byte code is left there */
        plan->args[count++] = "-s"; /* no modules of the user */
    }
    plan->args[count] = entry;
    return 0;
}

static int add_binaries(const struct writ_prepare_request *request, struct writ_prepared *prepared,
                        struct writ_error *error)
{
    const struct writ_contract *contract = request->skill->contract;
    for (size_t i = 0; i < contract->permission_count; i++) {
        const struct writ_permission *permission = &contract->permissions[i];
        if (permission->kind != WRIT_PERMISSION_BINARY_RUN)
            continue;
        struct writ_program program;
        struct writ_dependency dependency = writ_dependency_of(contract, permission->subject);
        dependency.watch = request->watch;
        int result = writ_dependency_find(request->places, &dependency, &prepared->arena, &program, error);
        if (result < 0)
            return result;
        if (prepared->grant_count == WRIT_GRANTS_MAX) {
            writ_descriptor_close(&program.fd);
            return writ_prepared_is_full(error);
        }
        prepared->grants[prepared->grant_count++] = (struct writ_grant){
            .permission = permission, .path = program.real, .found = program.found, .fd = -1, .folder_fd = -1};
        result = writ_loader_add_program(prepared, &program, permission->source, error);
        if (result < 0)
            return result;
    }
    return 0;
}

/* A program that the skill runs and could write would choose what runs next, in here or outside. */
static int check_not_a_program(const struct writ_prepared *prepared, const struct writ_grant *grant,
                               struct writ_error *error)
{
    size_t length = strlen(grant->path);
    for (size_t i = 0; grant->write && i < prepared->plan.mount_count; i++) {
        const struct writ_mount *mount = &prepared->plan.mounts[i];
        if (!mount->executable || strncmp(mount->path, grant->path, length) != 0 ||
            (mount->path[length] != '\0' && mount->path[length] != '/'))
            continue;
        (void)writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                             "%s: %s is run by the skill, which may not write it; name another place", grant->path,
                             mount->path);
        return writ_error_at(error, grant->path, 0, 0);
    }
    return 0;
}

/* Grants come last and win: a file that the runtime also needs stays what it is, a writable grant of the same path
 * makes it writable. */
static int add_grants(struct writ_prepared *prepared, struct writ_error *error)
{
    for (size_t i = 0; i < prepared->grant_count; i++) {
        const struct writ_grant *grant = &prepared->grants[i];
        if (grant->fd < 0)
            continue;
        int result = check_not_a_program(prepared, grant, error);
        if (result < 0)
            return result;
        struct writ_mount *mount = NULL;
        for (size_t j = 0; j < prepared->plan.mount_count && !mount; j++)
            if (strcmp(prepared->plan.mounts[j].path, grant->path) == 0)
                mount = &prepared->plan.mounts[j];
        if (mount && mount->kind != WRIT_MOUNT_BIND) {
            (void)writ_error_set(
                error, WRIT_FILESYSTEM_DENIED,
                "%s has a meaning of its own inside the sandbox and cannot be granted; name another place",
                grant->path);
            return writ_error_at(error, grant->path, 0, 0);
        }
        if (!mount) {
            mount = writ_plan_add(&prepared->plan, WRIT_MOUNT_BIND, grant->path, grant->permission->source);
            if (!mount)
                return writ_prepared_is_full(error);
            mount->source_fd = grant->fd;
            mount->is_folder = grant->is_folder;
            mount->noexec = grant->from_input; /* data: no code is mapped from what a caller names */
        }
        mount->writable = mount->writable || grant->write;
    }
    return 0;
}

/* True when the folder, of this length, is in the colon-separated list. */
static bool lists_folder(const char *list, const char *folder, size_t length)
{
    for (const char *at = list; *at;) {
        size_t part = strcspn(at, ":");
        if (part == length && memcmp(at, folder, length) == 0)
            return true;
        at += part + (at[part] == ':');
    }
    return false;
}

/* PATH inside: the usual folders, and those where the caller's PATH has the granted programs; they hold only what was
 * granted. */
static int set_environment(struct writ_prepared *prepared, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer path;
    writ_buffer_init(&path, PATH_BYTES_MAX);
    writ_buffer_append_text(&path, "PATH=/usr/local/bin:/usr/bin:/bin");
    for (size_t i = 0; i < prepared->grant_count; i++) {
        const char *found = prepared->grants[i].found;
        size_t length = found ? (size_t)(strrchr(found, '/') - found) : 0;
        if (length == 0 || path.failed || lists_folder(writ_buffer_text(&path) + strlen("PATH="), found, length))
            continue;
        writ_buffer_append_byte(&path, ':');
        writ_buffer_append(&path, found, length);
    }
    char *copy = path.failed ? NULL : writ_arena_copy(&prepared->arena, writ_buffer_text(&path), path.length);
    if (!copy)
        return writ_error_memory(error);
    prepared->plan.env[0] = copy;
    prepared->plan.env[1] = "LANG=C.UTF-8";
    prepared->plan.env[2] = "HOME=/tmp";
    return 0;
}

/* Lowers a limit to what the person allows; `ret_asked` is what it was. */
static void lower(uint64_t *limit, uint64_t ceiling, uint64_t *ret_asked)
{
    if (ceiling == 0 || *limit <= ceiling)
        return;
    *ret_asked = *limit;
    *limit = ceiling;
}

static void set_limits(struct writ_prepared *prepared, const struct writ_contract *contract,
                       const struct writ_ceilings *ceilings)
{
    const struct writ_contract_runtime *runtime = &contract->runtime;
    prepared->plan.limits = (struct writ_limits){.wall_ms = runtime->timeout_ms,
                                                 .memory_bytes = runtime->memory_bytes,
                                                 .cpus = runtime->cpus,
                                                 .processes = runtime->processes,
                                                 .output_bytes = runtime->output_bytes,
                                                 .stderr_bytes = STDERR_BYTES_KEPT,
                                                 .file_bytes = WRITTEN_FILE_BYTES_MAX,
                                                 .open_files = OPEN_FILES_MAX};
    lower(&prepared->plan.limits.wall_ms, ceilings->wall_ms, &prepared->lowered_from.wall_ms);
    lower(&prepared->plan.limits.memory_bytes, ceilings->memory_bytes, &prepared->lowered_from.memory_bytes);
}

static int fill(const struct writ_prepare_request *request, struct writ_prepared *prepared, struct writ_error *error)
{
    const struct writ_contract *contract = request->skill->contract;
    int result = writ_grants_check_kinds(contract, &prepared->denial, error);
    if (result == 0)
        result = writ_grants_resolve(request, prepared, error);
    if (result == 0)
        result = writ_fixed_places_add(prepared, contract->runtime.tmp_bytes, error);
    if (result == 0)
        result = add_skill(request, prepared, error);
    if (result == 0)
        result = add_binaries(request, prepared, error);
    if (result == 0)
        result = add_grants(prepared, error);
    if (result == 0)
        result = set_environment(prepared, error);
    if (result < 0)
        return result;
    set_limits(prepared, contract, &request->ceilings);
    prepared->plan.working_folder = request->working_folder;
    prepared->plan.input = writ_buffer_text(&prepared->input);
    prepared->plan.input_length = prepared->input.length;
    return 0;
}

int writ_call_prepare(const struct writ_prepare_request *request, struct writ_prepared **ret_prepared,
                      struct writ_error *error)
{
    *ret_prepared = NULL;
    struct writ_prepared *prepared = writ_prepared_new();
    if (!prepared)
        return writ_error_memory(error);
    prepared->watch = request->watch;
    int result = fill(request, prepared, error);
    *ret_prepared = prepared;
    return result;
}
