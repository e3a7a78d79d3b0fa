#include "run/program.h"

#include "base/descriptor.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES 256
#define PROGRAM_HEADERS_MAX 64
#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#error "program files are read for x86_64 and aarch64 only"
#endif

static int missing(struct writ_error *error, const char *name, const char *what)
{
    (void)writ_error_set(error, WRIT_DEPENDENCY_MISSING, "%s: %s", name, what);
    return writ_error_at(error, name, 0, 0);
}

/* What is not there, or cannot be used, is looked for further on; any other answer is no answer about the program. */
static bool looks_on(int result)
{
    return result == -ENOENT || result == -ENOTDIR || result == -EACCES || result == -ELOOP || result == -ENAMETOOLONG;
}

static int cannot_open(struct writ_error *error, int sys_errno, const char *path, const char *subject)
{
    enum writ_code code = looks_on(-sys_errno) ? WRIT_DEPENDENCY_MISSING : WRIT_INTERNAL_IO;
    (void)writ_error_set_errno(error, code, sys_errno, "%s", path);
    return writ_error_at(error, subject, 0, 0);
}

static bool read_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, bytes, length, (off_t)offset) == (ssize_t)length;
}

/* `#! /usr/bin/python3 -s` gives the path alone.  A line that is longer than the head is no interpreter line; one that
 * ends with the file is one. */
static int read_script_line(const char *head, size_t length, struct writ_arena *arena, struct writ_program *program,
                            struct writ_error *error)
{
    size_t start = 2;
    while (start < length && (head[start] == ' ' || head[start] == '\t'))
        start++;
    size_t end = start;
    while (end < length && head[end] != '\n' && head[end] != ' ' && head[end] != '\t')
        end++;
    if ((end == length && length == HEAD_BYTES) || end == start || head[start] != '/')
        return missing(error, program->real,
                       "its `#!` line names no interpreter by an absolute path; write one such as `#!/bin/sh`");
    program->format = WRIT_PROGRAM_SCRIPT;
    program->script_interpreter = writ_arena_copy(arena, head + start, end - start);
    return program->script_interpreter ? 0 : writ_error_memory(error);
}

static int read_elf(int fd, const Elf64_Ehdr *header, struct writ_arena *arena, struct writ_program *program,
                    struct writ_error *error)
{
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != MACHINE ||
        header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > PROGRAM_HEADERS_MAX)
        return missing(error, program->real, "is a program for another kind of machine; install the one for this");
    program->format = WRIT_PROGRAM_STATIC;
    Elf64_Phdr segments[PROGRAM_HEADERS_MAX];
    if (!read_at(fd, segments, header->e_phnum * sizeof *segments, header->e_phoff))
        return missing(error, program->real, "is a damaged program; install it again");
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type != PT_INTERP)
            continue;
        char path[PATH_MAX];
        if (segment->p_filesz < 2 || segment->p_filesz > sizeof path ||
            !read_at(fd, path, segment->p_filesz, segment->p_offset) || path[segment->p_filesz - 1] != '\0' ||
            path[0] != '/')
            return missing(error, program->real, "is a damaged program; install it again");
        program->format = WRIT_PROGRAM_DYNAMIC;
        program->elf_interpreter = writ_arena_copy(arena, path, strlen(path));
        return program->elf_interpreter ? 0 : writ_error_memory(error);
    }
    return 0;
}

/* Reads the very file that is held, whatever its name leads to by now. */
static int read_format(struct writ_arena *arena, struct writ_program *program, struct writ_error *error)
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", program->fd);
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    union {
        char bytes[HEAD_BYTES];
        Elf64_Ehdr elf;
    } head;
    ssize_t length = fd < 0 ? -1 : pread(fd, &head, sizeof head, 0);
    if (length < 0)
        return cannot_open(error, errno, program->real, program->name);
    if (length >= (ssize_t)sizeof head.elf && memcmp(head.bytes, ELFMAG, SELFMAG) == 0)
        return read_elf(fd, &head.elf, arena, program, error);
    if (length >= 2 && head.bytes[0] == '#' && head.bytes[1] == '!')
        return read_script_line(head.bytes, (size_t)length, arena, program, error);
    return missing(error, program->real, "is neither a program nor a script with a `#!` line; install the program");
}

/* Opens what `path` leads to and learns its canonical name.  Returns 0, -errno when it is no executable file. */
static int open_executable(int folder_fd, const char *path, int flags, struct writ_arena *arena,
                           struct writ_program *program)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(folder_fd, path, O_PATH | O_CLOEXEC | flags);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return -errno;
    if (!S_ISREG(status.st_mode))
        return S_ISLNK(status.st_mode) ? -ELOOP : -EACCES;
    if (faccessat(fd, "", X_OK, AT_EMPTY_PATH | AT_EACCESS) < 0)
        return -errno;
    char real[PATH_MAX];
    int failed = writ_descriptor_path(fd, real);
    if (failed < 0)
        return failed;
    program->real = writ_arena_copy(arena, real, strlen(real));
    if (!program->real)
        return -ENOMEM;
    program->fd = writ_descriptor_take(&fd);
    return 0;
}

static int finish(struct writ_arena *arena, struct writ_program *program, struct writ_program *ret_program,
                  struct writ_error *error)
{
    int result = read_format(arena, program, error);
    if (result < 0) {
        writ_descriptor_close(&program->fd);
        return result;
    }
    *ret_program = *program;
    return 0;
}

static int open_program(int folder_fd, const char *path, int flags, const char *found, struct writ_arena *arena,
                        struct writ_program *ret_program, struct writ_error *error)
{
    struct writ_program program = {.name = found, .found = found, .fd = -1};
    int result = open_executable(folder_fd, path, flags, arena, &program);
    if (result == -ENOMEM)
        return writ_error_memory(error);
    if (result < 0)
        return cannot_open(error, -result, found, found);
    return finish(arena, &program, ret_program, error);
}

int writ_program_open(const char *path, struct writ_arena *arena, struct writ_program *ret_program,
                      struct writ_error *error)
{
    const char *found = writ_arena_copy(arena, path, strlen(path));
    return found ? open_program(AT_FDCWD, path, 0, found, arena, ret_program, error) : writ_error_memory(error);
}

int writ_program_open_in(int folder_fd, const char *name, const char *path, struct writ_arena *arena,
                         struct writ_program *ret_program, struct writ_error *error)
{
    return open_program(folder_fd, name, O_NOFOLLOW, path, arena, ret_program, error);
}

/* A folder of the search path as a plan can name it: without `//`, `.` or a slash at the end.  False for what is
 * relative, has `..` (where it leads depends on links), or is too long. */
static bool normalise(const char *folder, size_t length, char ret_folder[PATH_MAX])
{
    size_t used = 0;
    if (length == 0 || length >= PATH_MAX || folder[0] != '/')
        return false;
    for (size_t at = 0; at < length;) {
        at += strspn(folder + at, "/");
        size_t part = 0;
        while (at + part < length && folder[at + part] != '/')
            part++;
        if (part == 2 && memcmp(folder + at, "..", 2) == 0)
            return false;
        if (part > 0 && at < length && !(part == 1 && folder[at] == '.')) {
            ret_folder[used++] = '/';
            memcpy(ret_folder + used, folder + at, part);
            used += part;
        }
        at += part;
    }
    ret_folder[used] = '\0';
    return true;
}

int writ_program_find_next(const char **search_path, const char *name, struct writ_arena *arena,
                           struct writ_program *ret_program, struct writ_error *error)
{
    const char *folder = *search_path;
    while (*folder) {
        size_t length = strcspn(folder, ":");
        char place[PATH_MAX], path[PATH_MAX];
        bool usable = normalise(folder, length, place);
        int written = usable ? snprintf(path, sizeof path, "%s/%s", place, name) : 0;
        folder += length + (folder[length] == ':');
        if (!usable || written < 0 || (size_t)written >= sizeof path)
            continue;
        struct writ_program program = {.name = name, .fd = -1};
        int result = open_executable(AT_FDCWD, path, 0, arena, &program);
        if (result < 0 && looks_on(result))
            continue;
        *search_path = folder;
        if (result == -ENOMEM)
            return writ_error_memory(error);
        if (result < 0)
            return writ_error_io(error, -result, path);
        program.found = writ_arena_copy(arena, path, (size_t)written);
        if (!program.found) {
            writ_descriptor_close(&program.fd);
            return writ_error_memory(error);
        }
        return finish(arena, &program, ret_program, error);
    }
    *search_path = folder;
    return missing(error, name, "is not installed (not found in PATH); install it");
}

int writ_program_find(const char *search_path, const char *name, struct writ_arena *arena,
                      struct writ_program *ret_program, struct writ_error *error)
{
    return writ_program_find_next(&search_path, name, arena, ret_program, error);
}
