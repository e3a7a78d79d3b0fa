/*
 * The compiler runs in a sandbox of its own: what it reads is as foreign as what it makes, and could include any file
 * of the caller, or keep it busy without end.
 */
#include "run/build_native.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "run/fixed_places.h"
#include "run/loader.h"
#include "run/program.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPILER_WORDS_MAX 4096
#define PROGRAM_BYTES_MAX ((uint64_t)64 << 20)
#define TMP_BYTES ((uint64_t)256 << 20)
#define BUILD_MS 120000

static bool is_newer(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec > b->st_mtim.tv_sec ||
           (a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec >= b->st_mtim.tv_nsec);
}

/* `source` is that of main.c when it is to be built. */
static bool needs_building(const struct writ_skill *skill, struct stat *source)
{
    struct stat program;
    if (skill->contract->runtime.language != WRIT_LANGUAGE_NATIVE ||
        strcmp(skill->contract->runtime.entry, "main") != 0 ||
        fstatat(skill->folder_fd, "main.c", source, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(source->st_mode))
        return false;
    return fstatat(skill->folder_fd, "main", &program, AT_SYMLINK_NOFOLLOW) < 0 || !is_newer(&program, source);
}

/* A program of the machine that the build needs, by its real name: the name it was found by is a link that the
 * machine's own folders show already. */
static int add_tool(struct writ_prepared *prepared, const struct writ_places *places, const char *name,
                    const char **ret_path, struct writ_error *error)
{
    struct writ_program program;
    int result = writ_program_find(places->path, name, &prepared->arena, &program, error);
    if (result < 0)
        return result;
    *ret_path = program.found = program.real;
    return writ_loader_add_program(prepared, &program, "builds main.c", error);
}

/* A folder of the machine, when it is there. */
static int add_folder(struct writ_prepared *prepared, const char *path, bool executable, struct writ_error *error)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? 0 : writ_loader_add_bind(prepared, path, fd, true, executable, "the compiler's own", error);
}

static int plan_build(struct writ_prepared *prepared, const struct writ_places *places, const struct writ_skill *skill,
                      bool is_static, struct writ_error *error)
{
    /* The program comes out of stdout, so that nothing of the machine can be written. */
    static const char script[] = "cc=$1; shift; \"$cc\" \"$@\" -o /tmp/main main.c >&2 && exec cat /tmp/main";
    struct writ_plan *plan = &prepared->plan;
    const char *compiler = NULL, *shell = NULL;
    int skill_fd = fcntl(skill->folder_fd, F_DUPFD_CLOEXEC, 3);
    if (skill_fd < 0)
        return writ_error_io(error, errno, skill->folder);
    int result = writ_loader_add_bind(prepared, skill->folder, skill_fd, true, false, "what is built", error);
    if (result == 0)
        result = add_folder(prepared, "/usr", true, error); /* where compilers keep their parts, under names of many */
    if (result == 0)
        result = add_folder(prepared, "/etc/alternatives", false, error);
    if (result == 0)
        result = add_tool(prepared, places, "sh", &shell, error);
    if (result == 0)
        result = add_tool(prepared, places, "cc", &compiler, error);
    if (result == 0)
        result = writ_fixed_places_add(prepared, TMP_BYTES, error);
    if (result < 0)
        return result;
    const char *arguments[] = {
        shell, "-c", script, "sh", compiler, "-std=c17", "-O2", "-Wall", is_static ? "-static" : NULL};
    for (size_t i = 0; i < WRIT_COUNT(arguments); i++)
        plan->args[i] = arguments[i];
    plan->program = shell;
    plan->env[0] = "PATH=/usr/local/bin:/usr/bin:/bin";
    plan->env[1] = "LANG=C.UTF-8";
    plan->env[2] = "TMPDIR=/tmp";
    plan->working_folder = skill->folder;
    plan->limits = (struct writ_limits){.wall_ms = BUILD_MS,
                                        .memory_bytes = (uint64_t)2 << 30,
                                        .processes = 32,
                                        .output_bytes = PROGRAM_BYTES_MAX,
                                        .stderr_bytes = COMPILER_WORDS_MAX,
                                        .file_bytes = TMP_BYTES,
                                        .open_files = 256};
    return 0;
}

static int judge(const struct writ_skill *skill, const struct writ_run_result *run, struct writ_error *error)
{
    bool ended = run->ending == WRIT_ENDED_EXIT;
    if (ended && run->exit_status == 0)
        return writ_file_write_atomic(skill->folder_fd, "main", 0755, writ_buffer_text(&run->output),
                                      run->output.length, error);
    if (run->ending == WRIT_ENDED_INTERRUPTED)
        return writ_error_set(error, WRIT_INTERRUPTED, "interrupted while building main.c");
    (void)writ_error_set(error, WRIT_PROGRAM_FAILED, "main.c does not compile%s: %.500s",
                         ended ? "" : " within the limits of a build", writ_buffer_text(&run->errors));
    return writ_error_at(error, skill->folder, 0, 0);
}

static int build(const struct writ_skill *skill, const struct writ_places *places, const struct writ_watch *watch,
                 bool is_static, struct writ_error *error)
{
    struct writ_prepared *prepared = writ_prepared_new();
    if (!prepared)
        return writ_error_memory(error);
    int result = plan_build(prepared, places, skill, is_static, error);
    if (result == 0) {
        const struct writ_sandbox_options options = {.watch = watch, .what = "building main.c of", .about = skill->id};
        struct writ_run_result run;
        result = writ_sandbox_run(&prepared->plan, &options, &run, error);
        if (result == 0)
            result = judge(skill, &run, error);
        writ_run_result_clear(&run);
    }
    writ_prepared_free(prepared, false);
    return result;
}

int writ_build_native(const struct writ_skill *skill, const struct writ_places *places, const struct writ_watch *watch,
                      bool *ret_built, struct writ_error *error)
{
    *ret_built = false;
    struct stat source;
    if (!needs_building(skill, &source))
        return 0;
    /* Static first: such a program needs nothing of the machine and starts soonest. */
    int result = build(skill, places, watch, true, error);
    if (result == WRIT_PROGRAM_FAILED)
        result = build(skill, places, watch, false, error);
    *ret_built = result == 0;
    /* As old as the source it was made from: what was saved while the compiler ran is newer, and will be built. */
    const struct timespec times[] = {source.st_mtim, source.st_mtim};
    if (result == 0)
        (void)!utimensat(skill->folder_fd, "main", times, AT_SYMLINK_NOFOLLOW);
    return result;
}
