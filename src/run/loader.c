#include "run/loader.h"

#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char library_reason[] = "programs load their libraries from here";

/* The places of shared libraries that the dynamic linker of any supported distribution uses.  Debian's alternatives are
 * links that stand between a library's name and its file (libblas.so.3). */
static const char *const library_places[] = {"/lib",           "/lib64",           "/usr/lib",         "/usr/lib64",
                                             "/usr/local/lib", "/etc/ld.so.cache", "/etc/alternatives"};
/* Folders of programs that are links on merged-usr systems, so that `/bin/sh` leads where it does outside. */
static const char *const program_folders[] = {"/bin", "/sbin"};

static bool has_mount(const struct writ_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->mount_count; i++)
        if (strcmp(plan->mounts[i].path, path) == 0)
            return true;
    return false;
}

int writ_loader_add_bind(struct writ_prepared *prepared, const char *path, int fd, bool is_folder, bool executable,
                         const char *reason, struct writ_error *error)
{
    if (has_mount(&prepared->plan, path)) {
        writ_descriptor_close(&fd);
        return 0;
    }
    struct writ_mount *mount = prepared->descriptor_count < WRIT_COUNT(prepared->descriptors)
                                   ? writ_plan_add(&prepared->plan, WRIT_MOUNT_BIND, path, reason)
                                   : NULL;
    if (!mount) {
        writ_descriptor_close(&fd);
        return writ_prepared_is_full(error);
    }
    prepared->descriptors[prepared->descriptor_count++] = fd;
    mount->source_fd = fd;
    mount->is_folder = is_folder;
    mount->executable = executable;
    return 0;
}

static int add_link(struct writ_prepared *prepared, const char *path, const char *target, const char *reason,
                    struct writ_error *error)
{
    if (has_mount(&prepared->plan, path))
        return 0;
    struct writ_mount *mount = writ_plan_add(&prepared->plan, WRIT_MOUNT_SYMLINK, path, reason);
    if (!mount)
        return writ_prepared_is_full(error);
    mount->content = target;
    mount->content_length = strlen(target);
    return 0;
}

/* Adds a place of the host as it stands: a link as a link, a file or folder as a bind; what is missing is skipped. */
static int add_as_it_stands(struct writ_prepared *prepared, const char *path, const char *reason,
                            struct writ_error *error)
{
    if (has_mount(&prepared->plan, path))
        return 0;
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return errno == ENOENT ? 0 : writ_error_io(error, errno, path);
    if (!S_ISLNK(status.st_mode))
        return writ_loader_add_bind(prepared, path, writ_descriptor_take(&fd), S_ISDIR(status.st_mode), false, reason,
                                    error);
    char target[PATH_MAX];
    ssize_t length = readlinkat(fd, "", target, sizeof target);
    if (length <= 0 || (size_t)length >= sizeof target)
        return writ_error_io(error, length < 0 ? errno : ENAMETOOLONG, path);
    char *copy = writ_arena_copy(&prepared->arena, target, (size_t)length);
    return copy ? add_link(prepared, path, copy, reason, error) : writ_error_memory(error);
}

static int add_libraries(struct writ_prepared *prepared, const struct writ_program *program, struct writ_error *error)
{
    for (size_t i = 0; i < WRIT_COUNT(library_places); i++) {
        int result = add_as_it_stands(prepared, library_places[i], library_reason, error);
        if (result < 0)
            return result;
    }
    struct writ_program linker;
    int result = writ_program_open(program->elf_interpreter, &prepared->arena, &linker, error);
    if (result < 0)
        return writ_error_wrap(error, "the dynamic linker of %s", program->real);
    /* Bound on its own, for the linker is the one file among the libraries that may be executed. */
    return writ_loader_add_bind(prepared, linker.real, linker.fd, false, true, "the dynamic linker", error);
}

/* Modules that an interpreter has beside its libraries, and the libraries of one installed under its own prefix. */
static int add_modules(struct writ_prepared *prepared, const struct writ_program *program, struct writ_error *error)
{
    static const char reason[] = "the interpreter loads its modules from here";
    const char *base = strrchr(program->real, '/');
    const char *bin = base - 4;
    if (bin < program->real || strncmp(bin, "/bin", 4) != 0)
        return 0;
    size_t prefix_length = (size_t)(bin - program->real);
    bool is_usr = prefix_length == 4 && strncmp(program->real, "/usr", 4) == 0;
    if (is_usr || prefix_length == 0)
        return strncmp(base + 1, "node", 4) == 0 ? add_as_it_stands(prepared, "/usr/share/nodejs", reason, error) : 0;
    static const char *const below[] = {"lib", "lib64"};
    for (size_t i = 0; i < WRIT_COUNT(below); i++) {
        const char *place = writ_arena_printf(&prepared->arena, "%.*s/%s", (int)prefix_length, program->real, below[i]);
        int result = place ? add_as_it_stands(prepared, place, reason, error) : writ_error_memory(error);
        if (result < 0)
            return result;
    }
    return 0;
}

/* A program found through a link (`python3` for `python3.11`, `/bin/sh` for `/usr/bin/dash`): its folder as it stands
 * where that is a link, and the link in the folder that it then leads to. */
static int add_found(struct writ_prepared *prepared, const struct writ_program *program, const char *reason,
                     struct writ_error *error)
{
    char folder[PATH_MAX], real[PATH_MAX];
    const char *name = strrchr(program->found, '/') + 1;
    size_t length = (size_t)(name - program->found) - 1;
    if (length >= sizeof folder)
        return writ_error_io(error, ENAMETOOLONG, program->found);
    memcpy(folder, length ? program->found : "/", length ? length : 1);
    folder[length ? length : 1] = '\0';
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct stat status;
    int failed = fd < 0 ? -errno : writ_descriptor_path(fd, real);
    if (failed == 0 && lstat(folder, &status) < 0)
        failed = -errno;
    if (failed < 0)
        return writ_error_io(error, -failed, folder);
    int result = 0;
    if (S_ISLNK(status.st_mode)) {
        const char *copy = writ_arena_copy(&prepared->arena, folder, length);
        result = copy ? add_as_it_stands(prepared, copy, reason, error) : writ_error_memory(error);
    } else if (strcmp(folder, real) != 0) {
        /* A link further up: the way there is made of folders inside. */
        result = add_link(prepared, program->found, program->real, reason, error);
    }
    if (result < 0)
        return result;
    const char *place = writ_arena_printf(&prepared->arena, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name);
    if (!place)
        return writ_error_memory(error);
    return strcmp(place, program->real) == 0 ? 0 : add_link(prepared, place, program->real, reason, error);
}

static int add_program(struct writ_prepared *prepared, const struct writ_program *program, const char *reason,
                       struct writ_error *error)
{
    int result = writ_loader_add_bind(prepared, program->real, program->fd, false, true, reason, error);
    if (result == 0 && program->format == WRIT_PROGRAM_DYNAMIC)
        result = add_libraries(prepared, program, error);
    for (size_t i = 0; result == 0 && i < WRIT_COUNT(program_folders); i++) {
        struct stat status;
        if (lstat(program_folders[i], &status) == 0 && S_ISLNK(status.st_mode))
            result = add_as_it_stands(prepared, program_folders[i], "leads to the folder of programs", error);
    }
    if (result == 0 && strcmp(program->found, program->real) != 0)
        result = add_found(prepared, program, reason, error);
    return result < 0 ? result : add_modules(prepared, program, error);
}

int writ_loader_add_program(struct writ_prepared *prepared, const struct writ_program *program, const char *reason,
                            struct writ_error *error)
{
    int result = add_program(prepared, program, reason, error);
    if (result < 0 || program->format != WRIT_PROGRAM_SCRIPT)
        return result;
    struct writ_program interpreter;
    result = writ_program_open(program->script_interpreter, &prepared->arena, &interpreter, error);
    if (result < 0)
        return writ_error_wrap(error, "the interpreter of %s", program->real);
    if (interpreter.format == WRIT_PROGRAM_SCRIPT) {
        writ_descriptor_close(&interpreter.fd);
        return writ_error_set(error, WRIT_DEPENDENCY_MISSING,
                              "%s: its interpreter %s is itself a script; name a program in its first line",
                              program->real, interpreter.real);
    }
    return add_program(prepared, &interpreter, "the interpreter of a granted program", error);
}
