/* The file of the settings: who may have written it, reading it, replacing it. */
#include "base/descriptor.h"
#include "base/file.h"
#include "base/lock.h"
#include "skill/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETTINGS_NAME "config.yaml"
#define SETTINGS_LOCK_NAME "config.lock"

int writ_settings_path(const struct writ_places *places, struct writ_arena *arena, const char **ret_path,
                       struct writ_error *error)
{
    *ret_path = writ_arena_printf(arena, "%s/" SETTINGS_NAME, places->config);
    return *ret_path ? 0 : writ_error_memory(error);
}

/* Who may write this file decides what limits hold. */
static int check_file(int fd, const char *path, struct writ_error *error)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return writ_error_io(error, errno, path);
    if (!S_ISREG(status.st_mode))
        return writ_error_set(error, WRIT_CONFIG_INVALID, "`%s` is not a regular file; move it away", path);
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return writ_error_set(error, WRIT_CONFIG_INVALID,
                              "`%s` belongs to another user, who could change your settings; move it away, or copy it "
                              "to a file of your own",
                              path);
    if (writ_file_is_shared(&status))
        return writ_error_set(error, WRIT_CONFIG_INVALID,
                              "`%s` can be written by others, who could change your settings; run `chmod go-w` on it",
                              path);
    return 0;
}

/* Nothing is read when there is no file. */
static int read_file(int folder_fd, const char *path, struct writ_buffer *text, struct writ_error *error)
{
    /* O_NONBLOCK: a FIFO in its place must not hold the caller. */
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(folder_fd, SETTINGS_NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0 && errno == ELOOP)
        return writ_error_set(error, WRIT_CONFIG_INVALID,
                              "`%s` is a symbolic link, which is not followed; put the file itself there", path);
    if (fd < 0)
        return writ_error_io(error, errno, path);
    int result = check_file(fd, path, error);
    if (result < 0)
        return result;
    result = writ_descriptor_read_all(fd, text);
    if (result == -EFBIG)
        return writ_error_set(error, WRIT_CONFIG_INVALID, "`%s` is larger than %zu KiB; shorten it", path,
                              WRIT_SETTINGS_BYTES_MAX >> 10);
    if (result == -ENOMEM)
        return writ_error_memory(error);
    return result < 0 ? writ_error_io(error, -result, path) : 0;
}

static void print_path(const struct writ_places *places, char path[PATH_MAX])
{
    (void)snprintf(path, PATH_MAX, "%.4000s/" SETTINGS_NAME, places->config);
}

/* The folder that holds the file; -1 in `*ret_fd` where there is none.  A link to nowhere is not none: limits that a
 * person has set would be gone without a word.  Whoever may write the folder could take the file away. */
static int open_folder(const char *folder, int *ret_fd, struct writ_error *error)
{
    struct stat status;
    int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), open_errno = errno;
    if (fd < 0 && lstat(folder, &status) < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
        return 0;
    if (fd < 0 && (open_errno == ENOENT || open_errno == ENOTDIR))
        return writ_error_set(error, WRIT_CONFIG_INVALID,
                              "`%s` is no folder and leads to none; make it the folder of your settings, or remove it",
                              folder);
    if (fd < 0)
        return writ_error_io(error, open_errno, folder);
    *ret_fd = fd;
    if (fstat(fd, &status) < 0)
        return writ_error_io(error, errno, folder);
    if ((status.st_uid != geteuid() && status.st_uid != 0) || writ_file_is_shared(&status))
        return writ_error_set(error, WRIT_CONFIG_INVALID,
                              "`%s` can be written by others, who could change your settings; make it your own and run "
                              "`chmod go-w` on it",
                              folder);
    return 0;
}

int writ_settings_load(const struct writ_places *places, struct writ_settings *ret_settings, struct writ_error *error)
{
    char path[PATH_MAX];
    WRIT_CLEANUP(writ_descriptor_close) int folder_fd = -1;
    int opened = places->config ? open_folder(places->config, &folder_fd, error) : 0;
    if (opened < 0)
        return opened;
    if (folder_fd < 0) {
        writ_settings_init(ret_settings);
        return 0;
    }
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_SETTINGS_BYTES_MAX);
    print_path(places, path);
    int result = read_file(folder_fd, path, &text, error);
    return result < 0 ? result : writ_settings_parse(writ_buffer_text(&text), text.length, path, ret_settings, error);
}

int writ_settings_change(const struct writ_places *places, enum writ_setting_id id, const char *value,
                         bool *ret_changed, struct writ_error *error)
{
    char path[PATH_MAX];
    WRIT_CLEANUP(writ_descriptor_close) int folder_fd = -1;
    WRIT_CLEANUP(writ_descriptor_close) int lock_fd = -1;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer before;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer after;
    writ_buffer_init(&before, WRIT_SETTINGS_BYTES_MAX);
    writ_buffer_init(&after, WRIT_SETTINGS_BYTES_MAX);
    if (!places->config)
        return writ_error_set(error, WRIT_USAGE, "there is no configuration folder: set HOME or XDG_CONFIG_HOME");
    print_path(places, path);
    int result = writ_folder_make(places->config, 0700, &folder_fd, error);
    if (result == 0)
        result = writ_lock_open(folder_fd, SETTINGS_LOCK_NAME, path, &lock_fd, error);
    if (result == 0)
        writ_file_sweep(folder_fd, SETTINGS_NAME);
    if (result == 0)
        result = read_file(folder_fd, path, &before, error);
    if (result == 0)
        result = writ_settings_edit(writ_buffer_text(&before), before.length, path, id, value, &after, error);
    if (result < 0)
        return result;
    bool changed =
        before.length != after.length || memcmp(writ_buffer_text(&before), writ_buffer_text(&after), after.length) != 0;
    if (changed)
        result = writ_file_write_atomic(folder_fd, SETTINGS_NAME, 0600, writ_buffer_text(&after), after.length, error);
    if (result == 0)
        *ret_changed = changed;
    return result;
}
