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

static int missing(struct writ_error *error, const char *name, const char *what)
{
    (void)writ_error_set(error, WRIT_DEPENDENCY_MISSING, "%s: %s", name, what);
    return writ_error_at(error, name, 0, 0);
}

static bool read_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, bytes, length, (off_t)offset) == (ssize_t)length;
}

/* `#! /usr/bin/python3 -s` gives the path alone.  A line that is longer than the head is no interpreter line. */
static int read_script_line(const char *head, size_t length, struct writ_arena *arena, struct writ_program *program,
                            struct writ_error *error)
{
    size_t start = 2;
    while (start < length && (head[start] == ' ' || head[start] == '\t'))
        start++;
    size_t end = start;
    while (end < length && head[end] != '\n' && head[end] != ' ' && head[end] != '\t')
        end++;
    if (end == length || end == start || head[start] != '/')
        return missing(error, program->real, "its `#!` line names no interpreter by an absolute path");
    program->format = WRIT_PROGRAM_SCRIPT;
    program->script_interpreter = writ_arena_copy(arena, head + start, end - start);
    return program->script_interpreter ? 0 : writ_error_memory(error);
}

static int read_elf(int fd, const Elf64_Ehdr *header, struct writ_arena *arena, struct writ_program *program,
                    struct writ_error *error)
{
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(Elf64_Phdr) ||
        header->e_phnum > PROGRAM_HEADERS_MAX)
        return missing(error, program->real, "is a program for another kind of machine");
    program->format = WRIT_PROGRAM_STATIC;
    Elf64_Phdr segments[PROGRAM_HEADERS_MAX];
    if (!read_at(fd, segments, header->e_phnum * sizeof *segments, header->e_phoff))
        return missing(error, program->real, "is a damaged program");
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type != PT_INTERP)
            continue;
        char path[PATH_MAX];
        if (segment->p_filesz < 2 || segment->p_filesz > sizeof path ||
            !read_at(fd, path, segment->p_filesz, segment->p_offset) || path[segment->p_filesz - 1] != '\0')
            return missing(error, program->real, "is a damaged program");
        program->format = WRIT_PROGRAM_DYNAMIC;
        program->elf_interpreter = writ_arena_copy(arena, path, strlen(path));
        return program->elf_interpreter ? 0 : writ_error_memory(error);
    }
    return 0;
}

static int read_format(struct writ_arena *arena, struct writ_program *program, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = open(program->real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    struct stat opened, held;
    if (fd < 0 || fstat(fd, &opened) < 0 || fstat(program->fd, &held) < 0) {
        (void)writ_error_set_errno(error, WRIT_DEPENDENCY_MISSING, errno, "%s", program->real);
        return writ_error_at(error, program->name, 0, 0);
    }
    if (opened.st_dev != held.st_dev || opened.st_ino != held.st_ino)
        return missing(error, program->real, "was replaced while it was looked at; try again");
    union {
        char bytes[HEAD_BYTES];
        Elf64_Ehdr elf;
    } head;
    ssize_t length = pread(fd, &head, sizeof head, 0);
    if (length >= (ssize_t)sizeof head.elf && memcmp(head.bytes, ELFMAG, SELFMAG) == 0)
        return read_elf(fd, &head.elf, arena, program, error);
    if (length >= 2 && head.bytes[0] == '#' && head.bytes[1] == '!')
        return read_script_line(head.bytes, (size_t)length, arena, program, error);
    return missing(error, program->real, "is neither a program nor a script with a `#!` line");
}

/* Opens what `path` leads to and learns its canonical name.  Returns 0, -errno when it is no executable file. */
static int open_executable(const char *path, struct writ_arena *arena, struct writ_program *program)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return -errno;
    if (!S_ISREG(status.st_mode))
        return -EACCES;
    if (faccessat(fd, "", X_OK, AT_EMPTY_PATH | AT_EACCESS) < 0)
        return -errno;
    char link[64], real[PATH_MAX];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, real, sizeof real);
    if (length <= 0 || (size_t)length >= sizeof real || real[0] != '/')
        return length < 0 ? -errno : -ENAMETOOLONG;
    program->real = writ_arena_copy(arena, real, (size_t)length);
    program->found = writ_arena_copy(arena, path, strlen(path));
    if (!program->real || !program->found)
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

int writ_program_open(const char *path, struct writ_arena *arena, struct writ_program *ret_program,
                      struct writ_error *error)
{
    struct writ_program program = {.name = path, .fd = -1};
    int result = open_executable(path, arena, &program);
    if (result == -ENOMEM)
        return writ_error_memory(error);
    if (result < 0) {
        (void)writ_error_set_errno(error, WRIT_DEPENDENCY_MISSING, -result, "%s", path);
        return writ_error_at(error, path, 0, 0);
    }
    return finish(arena, &program, ret_program, error);
}

int writ_program_find_next(const char **search_path, const char *name, struct writ_arena *arena,
                           struct writ_program *ret_program, struct writ_error *error)
{
    struct writ_program program = {.name = name, .fd = -1};
    const char *folder = *search_path;
    while (*folder) {
        size_t length = strcspn(folder, ":");
        char path[PATH_MAX];
        int written = snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name);
        bool usable = folder[0] == '/' && written > 0 && (size_t)written < sizeof path;
        folder += length + (folder[length] == ':');
        int result = usable ? open_executable(path, arena, &program) : -ENOENT;
        if (result == -ENOMEM)
            return writ_error_memory(error);
        if (result == 0) {
            *search_path = folder;
            return finish(arena, &program, ret_program, error);
        }
    }
    *search_path = folder;
    return missing(error, name, "is not installed (not found in PATH); install it");
}

int writ_program_find(const char *search_path, const char *name, struct writ_arena *arena,
                      struct writ_program *ret_program, struct writ_error *error)
{
    return writ_program_find_next(&search_path, name, arena, ret_program, error);
}
