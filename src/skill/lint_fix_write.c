/* Putting what was fixed into the folder. */
#include "skill/lint.h"

#include "base/descriptor.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Opens for reading what is below the folder and is nothing but the caller's own file. */
static int open_own(int folder_fd, const char *name, int *ret_fd, struct stat *ret_status, struct writ_error *error)
{
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    WRIT_CLEANUP(writ_descriptor_close) int fd = (int)syscall(SYS_openat2, folder_fd, name, &how, sizeof how);
    if (fd < 0 && errno == ELOOP)
        return writ_error_set(error, WRIT_INTERNAL_IO, "%s: is a symbolic link, which is not written through", name);
    if (fd < 0 || fstat(fd, ret_status) < 0)
        return writ_error_io(error, errno, name);
    if (!S_ISREG(ret_status->st_mode))
        return writ_error_set(error, WRIT_INTERNAL_IO, "%s: is not a regular file, so it was left alone", name);
    if (ret_status->st_uid != geteuid())
        return writ_error_set(error, WRIT_INTERNAL_IO, "%s: belongs to another user (uid %u), so it was left alone",
                              name, ret_status->st_uid);
    if (ret_status->st_nlink != 1)
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "%s: has other names (hard links), so it was left alone; copy it", name);
    *ret_fd = writ_descriptor_take(&fd);
    return 0;
}

static int check_unchanged(int fd, const struct writ_lint_fixes *fixes, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_YAML_BYTES_MAX);
    int failed = writ_descriptor_read_all(fd, &text);
    if (failed == -ENOMEM)
        return writ_error_memory(error);
    if (failed < 0 && failed != -EFBIG)
        return writ_error_io(error, -failed, "skill.yaml");
    if (failed < 0 || text.length != fixes->before_length ||
        memcmp(writ_buffer_text(&text), fixes->before, text.length) != 0)
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "skill.yaml: was changed while it was mended, so nothing was written; try again");
    return 0;
}

int writ_lint_fix_write(const struct writ_skill *skill, const struct writ_lint_fixes *fixes, struct writ_error *error)
{
    bool changed = fixes->before && (fixes->before_length != fixes->after_length ||
                                     memcmp(fixes->before, fixes->after, fixes->after_length) != 0);
    WRIT_CLEANUP(writ_descriptor_close) int text_fd = -1;
    WRIT_CLEANUP(writ_descriptor_close) int program_fd = -1;
    struct stat text, program;
    int result = 0;
    /* Both are looked at before either is touched. */
    if (fixes->makes_executable)
        result = open_own(skill->folder_fd, fixes->makes_executable, &program_fd, &program, error);
    if (result == 0 && changed)
        result = open_own(skill->folder_fd, "skill.yaml", &text_fd, &text, error);
    if (result == 0 && changed)
        result = check_unchanged(text_fd, fixes, error);
    if (result == 0 && changed)
        result =
            writ_file_replace_atomic(skill->folder_fd, "skill.yaml", &text, fixes->after, fixes->after_length, error);
    if (result < 0 || program_fd < 0)
        return result;
    /* Who may read it may execute it. */
    mode_t mode = (program.st_mode & 07777) | ((program.st_mode & 0444) >> 2);
    return fchmod(program_fd, mode) < 0 ? writ_error_io(error, errno, fixes->makes_executable) : 0;
}
