#include "skill/scaffold_place.h"

#include "base/descriptor.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MODE 0644
#define EXECUTABLE_MODE 0755
#define FOLDER_MODE 0755

static int open_folder(int folder_fd, const char *name)
{
    return openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* ---- looking at the place ---- */

/* A link that others could turn elsewhere chooses where the files go. */
static int check_link(int folder_fd, const char *name, const char *path, struct writ_error *error)
{
    struct stat link, holder;
    if (fstatat(folder_fd, name, &link, AT_SYMLINK_NOFOLLOW) < 0 || fstat(folder_fd, &holder) < 0)
        return writ_error_io(error, errno, path);
    bool ours = link.st_uid == geteuid() || link.st_uid == 0;
    bool by_others = writ_file_is_shared(&holder) && !(holder.st_mode & S_ISVTX);
    bool holder_ours = holder.st_uid == geteuid() || holder.st_uid == 0;
    if (ours && holder_ours && !by_others)
        return 0;
    return writ_error_set(error, WRIT_USAGE,
                          "`%s`: the link `%s` in it can be changed by others; name the folder that it leads to", path,
                          name);
}

/* Goes from `*fd` to one component; 1 when there is none of that name. */
static int step_into(int *fd, const char *name, bool is_last, const char *path, struct writ_error *error)
{
    struct stat status;
    if (fstatat(*fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 1 : writ_error_io(error, errno, path);
    if (S_ISLNK(status.st_mode) && is_last)
        return writ_error_set(error, WRIT_USAGE, "`%s` is a symbolic link; name the folder itself, or a new one", path);
    if (S_ISLNK(status.st_mode)) {
        int result = check_link(*fd, name, path, error);
        if (result < 0)
            return result;
    } else if (!S_ISDIR(status.st_mode)) {
        return writ_error_set(error, WRIT_USAGE, "`%s` cannot be made: `%s` is no folder; name a new one", path, name);
    }
    int flags = O_PATH | O_DIRECTORY | O_CLOEXEC | (S_ISLNK(status.st_mode) ? 0 : O_NOFOLLOW);
    int next = openat(*fd, name, flags);
    if (next < 0)
        return writ_error_io(error, errno, path);
    writ_descriptor_close(fd);
    *fd = next;
    return 0;
}

/* Reads the next component of `*rest`; false at the end. */
static bool next_component(const char **rest, char name[NAME_MAX + 1], bool *ret_fits)
{
    const char *at = *rest + strspn(*rest, "/");
    size_t length = strcspn(at, "/");
    *rest = at + length;
    *ret_fits = length <= NAME_MAX;
    (void)snprintf(name, NAME_MAX + 1, "%.*s", (int)(*ret_fits ? length : 0), at);
    return length > 0;
}

static int add_missing(struct writ_scaffold_place *place, const char *name, const char *path, struct writ_error *error)
{
    size_t used = strlen(place->missing);
    if (strcmp(name, ".") == 0)
        return 0;
    if (strcmp(name, "..") == 0)
        return writ_error_set(error, WRIT_USAGE, "`%s` goes up from a folder that is not there; write it without `..`",
                              path);
    int length = snprintf(place->missing + used, sizeof place->missing - used, "%s%s", used ? "/" : "", name);
    if (length < 0 || (size_t)length >= sizeof place->missing - used)
        return writ_error_io(error, ENAMETOOLONG, path);
    (void)snprintf(place->name, sizeof place->name, "%s", name);
    return 0;
}

static int walk(const char *path, struct writ_scaffold_place *place, struct writ_error *error)
{
    char name[NAME_MAX + 1];
    const char *rest = path;
    bool fits;
    while (next_component(&rest, name, &fits)) {
        if (!fits)
            return writ_error_io(error, ENAMETOOLONG, path);
        bool is_last = rest[strspn(rest, "/")] == '\0';
        int result = place->missing[0] ? 1 : step_into(&place->base_fd, name, is_last, path, error);
        if (result == 1)
            result = add_missing(place, name, path, error);
        if (result < 0)
            return result;
    }
    return 0;
}

static void close_listing(DIR **listing)
{
    if (*listing)
        (void)closedir(*listing);
}

/* The folder is there: it must be empty, and bears the name that the kernel tells. */
static int check_empty(const char *path, struct writ_scaffold_place *place, struct writ_error *error)
{
    char real[PATH_MAX];
    int listed = open_folder(place->base_fd, "."), failed = writ_descriptor_path(place->base_fd, real);
    WRIT_CLEANUP(close_listing) DIR *listing = listed < 0 ? NULL : fdopendir(listed);
    if (!listing) {
        int reason = errno;
        writ_descriptor_close(&listed);
        return writ_error_io(error, reason, path);
    }
    if (failed < 0)
        return writ_error_io(error, -failed, path);
    (void)snprintf(place->name, sizeof place->name, "%.*s", NAME_MAX, strrchr(real, '/') + 1);
    for (const struct dirent *entry; (entry = readdir(listing));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return writ_error_set(error, WRIT_USAGE,
                                  "`%.200s` is not empty (`%.100s` is in it), and nothing is written over; name a new "
                                  "folder",
                                  path, entry->d_name);
    return 0;
}

int writ_scaffold_place_open(const char *path, struct writ_scaffold_place *ret_place, struct writ_error *error)
{
    WRIT_CLEANUP(writ_scaffold_place_clear) struct writ_scaffold_place place = {.base_fd = -1};
    if (!path[0])
        return writ_error_set(error, WRIT_USAGE, "the folder's name is empty; name a new folder");
    place.base_fd = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (place.base_fd < 0)
        return writ_error_io(error, errno, path);
    int result = walk(path, &place, error);
    if (result == 0 && !place.missing[0])
        result = check_empty(path, &place, error);
    if (result < 0)
        return result;
    *ret_place = place;
    place.base_fd = -1;
    return 0;
}

void writ_scaffold_place_clear(struct writ_scaffold_place *place)
{
    writ_descriptor_close(&place->base_fd);
}

/* ---- writing ---- */

static int write_file(int folder_fd, const char *name, const struct writ_scaffold_file *file, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    file->executable ? EXECUTABLE_MODE : FILE_MODE);
    int failed = fd < 0 ? -errno : writ_descriptor_write_all(fd, file->text, file->length);
    return failed < 0 ? writ_error_io(error, -failed, file->path) : 0;
}

static int write_files(int skill_fd, const struct writ_scaffold *scaffold, struct writ_error *error)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < scaffold->file_count; i++) {
        const struct writ_scaffold_file *file = &scaffold->files[i];
        const char *slash = strchr(file->path, '/');
        if (!slash) {
            result = write_file(skill_fd, file->path, file, error);
            continue;
        }
        char folder[NAME_MAX + 1];
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - file->path), file->path);
        if (mkdirat(skill_fd, folder, FOLDER_MODE) < 0 && errno != EEXIST)
            return writ_error_io(error, errno, file->path);
        WRIT_CLEANUP(writ_descriptor_close) int fd = open_folder(skill_fd, folder);
        result = fd < 0 ? writ_error_io(error, errno, file->path) : write_file(fd, slash + 1, file, error);
    }
    return result;
}

/* Makes the folders named by `path` below `folder_fd` and opens the last one. */
static int make_chain(int folder_fd, const char *path, int *ret_fd, struct writ_error *error)
{
    char name[NAME_MAX + 1];
    const char *rest = path;
    bool fits;
    WRIT_CLEANUP(writ_descriptor_close) int fd = open_folder(folder_fd, ".");
    while (fd >= 0 && next_component(&rest, name, &fits)) {
        int next = mkdirat(fd, name, FOLDER_MODE) < 0 ? -1 : open_folder(fd, name);
        writ_descriptor_close(&fd);
        fd = next;
    }
    if (fd < 0)
        return writ_error_io(error, errno, path);
    *ret_fd = writ_descriptor_take(&fd);
    return 0;
}

/* Never over anything.  Returns 0 or an errno. */
static int move_file(int from_fd, int to_fd, const char *name)
{
    if (renameat2(from_fd, name, to_fd, name, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL)
        return errno;
    /* A file system that cannot promise it: only what came in this very moment would be lost. */
    if (faccessat(to_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return EEXIST;
    return renameat(from_fd, name, to_fd, name) < 0 ? errno : 0;
}

/* Moves what stands in the one folder into the other, names of files alone being enough: they are our own.  What a
 * skill is known by comes last. */
static int move_into(int from_fd, int to_fd, const struct writ_scaffold *scaffold, struct writ_error *error)
{
    static const char *const last[] = {"SKILL.md", "skill.yaml"};
    const char *names[WRIT_SCAFFOLD_FILES_MAX];
    char folder[NAME_MAX + 1] = "";
    size_t count = 0;
    for (size_t i = 0; i < scaffold->file_count; i++) {
        const char *path = scaffold->files[i].path, *slash = strchr(path, '/');
        bool is_last = strcmp(path, last[0]) == 0 || strcmp(path, last[1]) == 0;
        if (slash && folder[0])
            continue; /* templates have one folder, tests/ */
        if (slash)
            (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (!is_last)
            names[count++] = slash ? folder : path;
    }
    for (size_t i = 0; i < WRIT_COUNT(last); i++)
        names[count++] = last[i];
    for (size_t i = 0; i < count; i++) {
        /* Looked at a moment ago, the folder was empty; whoever writes into it meanwhile keeps what is theirs. */
        int failed = move_file(from_fd, to_fd, names[i]);
        if (!failed)
            continue;
        for (size_t moved = 0; moved < i; moved++)
            (void)renameat(to_fd, names[moved], from_fd, names[moved]);
        return writ_error_io(error, failed, names[i]);
    }
    return 0;
}

/* Fills the skill's folder within the hidden one and brings it to its place. */
static int fill_and_move(int hidden_fd, int skill_fd, const struct writ_scaffold *scaffold,
                         const struct writ_scaffold_place *place, struct writ_error *error)
{
    int result = write_files(skill_fd, scaffold, error);
    if (result < 0)
        return result;
    if (!place->missing[0])
        return move_into(skill_fd, place->base_fd, scaffold, error);
    char first[NAME_MAX + 1];
    (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(place->missing, "/"), place->missing);
    if (renameat(hidden_fd, first, place->base_fd, first) == 0)
        return 0;
    if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
        return writ_error_set(error, WRIT_USAGE, "`%s` came into being meanwhile; name a new folder", first);
    return writ_error_io(error, errno, first);
}

/* ---- taking away ---- */

/* By name, and nothing but what was written: in a folder of somebody else another may stand at any name meanwhile, with
 * all that is in it. */
static void remove_files(int skill_fd, const struct writ_scaffold *scaffold)
{
    for (size_t i = 0; i < scaffold->file_count; i++) {
        const char *path = scaffold->files[i].path, *slash = strchr(path, '/');
        if (!slash) {
            (void)unlinkat(skill_fd, path, 0);
            continue;
        }
        char folder[NAME_MAX + 1];
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        WRIT_CLEANUP(writ_descriptor_close) int fd = open_folder(skill_fd, folder);
        if (fd >= 0)
            (void)unlinkat(fd, slash + 1, 0);
        (void)unlinkat(skill_fd, folder, AT_REMOVEDIR);
    }
}

/* The folders that make_chain has made, the innermost first. */
static void remove_chain(int folder_fd, const char *path)
{
    char chain[PATH_MAX];
    (void)snprintf(chain, sizeof chain, "%s", path);
    for (char *slash = chain; slash; slash = strrchr(chain, '/')) {
        if (slash != chain)
            *slash = '\0';
        (void)unlinkat(folder_fd, chain, AT_REMOVEDIR);
    }
}

/* Opens the hidden folder; one that came in its place is not ours alone. */
static int open_hidden(int base_fd, const char *hidden, int *ret_fd, struct writ_error *error)
{
    struct stat status;
    WRIT_CLEANUP(writ_descriptor_close) int fd = open_folder(base_fd, hidden);
    if (fd < 0 || fstat(fd, &status) < 0)
        return writ_error_io(error, errno, hidden);
    if (status.st_uid != geteuid() || (status.st_mode & 077))
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "`%s` was put in the place of a folder that was just made; make the skill in a folder "
                              "that is yours",
                              hidden);
    *ret_fd = writ_descriptor_take(&fd);
    return 0;
}

/* Leaves the hidden folder empty. */
static int build_in(int hidden_fd, const struct writ_scaffold *scaffold, const struct writ_scaffold_place *place,
                    struct writ_error *error)
{
    const char *chain = place->missing[0] ? place->missing : place->name;
    WRIT_CLEANUP(writ_descriptor_close) int skill_fd = -1;
    int result = make_chain(hidden_fd, chain, &skill_fd, error);
    if (result == 0)
        result = fill_and_move(hidden_fd, skill_fd, scaffold, place, error);
    if (result < 0 && skill_fd >= 0)
        remove_files(skill_fd, scaffold);
    remove_chain(hidden_fd, chain);
    return result;
}

int writ_scaffold_write(const struct writ_scaffold *scaffold, const struct writ_scaffold_place *place,
                        struct writ_error *error)
{
    char hidden[64];
    uint64_t salt;
    if (getrandom(&salt, sizeof salt, 0) != (ssize_t)sizeof salt)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, errno, "the kernel gave no random bytes");
    (void)snprintf(hidden, sizeof hidden, ".writ-init-%016llx", (unsigned long long)salt);
    if (mkdirat(place->base_fd, hidden, 0700) < 0)
        return writ_error_io(error, errno, place->missing[0] ? place->missing : place->name);
    WRIT_CLEANUP(writ_descriptor_close) int hidden_fd = -1;
    int result = open_hidden(place->base_fd, hidden, &hidden_fd, error);
    if (result == 0)
        result = build_in(hidden_fd, scaffold, place, error);
    (void)unlinkat(place->base_fd, hidden, AT_REMOVEDIR);
    return result;
}
