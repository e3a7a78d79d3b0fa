#include "run/build_native.h"

#include "base/descriptor.h"
#include "run/program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMPILER_WORDS_MAX 4096
#define TEMPORARY "main.new"

static bool is_newer(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec > b->st_mtim.tv_sec ||
           (a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec >= b->st_mtim.tv_nsec);
}

static bool needs_building(const struct writ_skill *skill)
{
    struct stat source, program;
    if (skill->contract->runtime.language != WRIT_LANGUAGE_NATIVE ||
        strcmp(skill->contract->runtime.entry, "main") != 0 ||
        fstatat(skill->folder_fd, "main.c", &source, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(source.st_mode))
        return false;
    return fstatat(skill->folder_fd, "main", &program, AT_SYMLINK_NOFOLLOW) < 0 || !is_newer(&program, &source);
}

static int read_words(int fd, struct writ_buffer *words)
{
    char sink[4096];
    int result = writ_descriptor_read_all(fd, words);
    while (result == -EFBIG && read(fd, sink, sizeof sink) > 0)
        continue; /* what is beyond is read, so that the compiler never waits */
    return result == -EFBIG ? 0 : result;
}

static int compile(const struct writ_program *compiler, const struct writ_places *places,
                   const struct writ_skill *skill, bool is_static, struct writ_buffer *words, int *ret_status)
{
    int pipe_fds[2];
    if (pipe2(pipe_fds, O_CLOEXEC) < 0)
        return -errno;
    WRIT_CLEANUP(writ_descriptor_close) int read_fd = pipe_fds[0];
    WRIT_CLEANUP(writ_descriptor_close) int write_fd = pipe_fds[1];
    char path[4096];
    (void)snprintf(path, sizeof path, "PATH=%s", places->path);
    char *environment[] = {path, (char[]){"LANG=C.UTF-8"}, NULL};
    char *arguments[] = {(char[]){"cc"},
                         (char[]){"-std=c17"},
                         (char[]){"-O2"},
                         (char[]){"-Wall"},
                         (char[]){"-o"},
                         (char[]){TEMPORARY},
                         (char[]){"main.c"},
                         is_static ? (char[]){"-static"} : NULL,
                         NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return -failed;
    (void)(posix_spawn_file_actions_addfchdir_np(&actions, skill->folder_fd) ||
           posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) ||
           posix_spawn_file_actions_adddup2(&actions, write_fd, 1) ||
           posix_spawn_file_actions_adddup2(&actions, write_fd, 2));
    pid_t child;
    failed = posix_spawn(&child, compiler->real, &actions, NULL, arguments, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return -failed;
    writ_descriptor_close(&write_fd);
    int result = read_words(read_fd, words);
    while (waitpid(child, ret_status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return result;
}

static int build(const struct writ_skill *skill, const struct writ_places *places, const struct writ_program *compiler,
                 struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer words;
    writ_buffer_init(&words, COMPILER_WORDS_MAX);
    /* Static first: such a program needs nothing of the machine and starts soonest. */
    for (int is_static = 1; is_static >= 0; is_static--) {
        int status = 0;
        writ_buffer_clear(&words);
        int result = compile(compiler, places, skill, is_static, &words, &status);
        if (result < 0)
            return writ_error_set_errno(error, WRIT_DEPENDENCY_MISSING, -result, "running %s", compiler->real);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            if (renameat(skill->folder_fd, TEMPORARY, skill->folder_fd, "main") < 0)
                return writ_error_io(error, errno, "main");
            return 0;
        }
        (void)unlinkat(skill->folder_fd, TEMPORARY, 0);
    }
    (void)writ_error_set(error, WRIT_PROGRAM_FAILED, "main.c does not compile: %.500s", writ_buffer_text(&words));
    return writ_error_at(error, skill->folder, 0, 0);
}

int writ_build_native(const struct writ_skill *skill, const struct writ_places *places, bool *ret_built,
                      struct writ_error *error)
{
    *ret_built = false;
    if (!needs_building(skill))
        return 0;
    struct writ_arena arena;
    writ_arena_init(&arena, 1 << 16);
    struct writ_program compiler;
    int result = writ_program_find(places->path, "cc", &arena, &compiler, error);
    if (result == 0) {
        result = build(skill, places, &compiler, error);
        writ_descriptor_close(&compiler.fd);
    }
    writ_arena_clear(&arena);
    *ret_built = result == 0;
    return result;
}
