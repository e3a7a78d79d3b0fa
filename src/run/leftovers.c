#include "run/leftovers.h"

#include "base/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64
#define ENTRIES_MAX 200000

struct search {
    const struct timespec *started;
    char path[PATH_MAX];
    unsigned entries;
    const char *what; /* what is wrong with `path`; NULL while nothing is */
};

static bool changed_since(const struct stat *status, const struct timespec *started)
{
    return status->st_ctim.tv_sec > started->tv_sec ||
           (status->st_ctim.tv_sec == started->tv_sec && status->st_ctim.tv_nsec >= started->tv_nsec);
}

static const char *fault_of(const struct stat *status)
{
    if (S_ISLNK(status->st_mode))
        return "a symbolic link";
    if (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode))
        return "a file that is neither regular nor a folder";
    if (status->st_mode & (S_ISUID | S_ISGID) && !(S_ISDIR(status->st_mode)))
        return "a file with set-id bits";
    return NULL;
}

static void look_into(struct search *search, int folder_fd, unsigned depth);

static void look_at(struct search *search, int folder_fd, const char *name, unsigned depth)
{
    size_t used = strlen(search->path), length = strlen(name);
    if (used + length + 2 > sizeof search->path || ++search->entries > ENTRIES_MAX || depth > DEPTH_MAX) {
        search->what = "more files or deeper folders than can be checked";
        return;
    }
    struct stat status;
    if (fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    search->path[used] = '/';
    memcpy(search->path + used + 1, name, length + 1);
    if (changed_since(&status, search->started))
        search->what = fault_of(&status);
    if (!search->what && S_ISDIR(status.st_mode)) {
        int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0)
            look_into(search, fd, depth + 1);
    }
    if (!search->what)
        search->path[used] = '\0';
}

/* Takes the descriptor over. */
static void look_into(struct search *search, int folder_fd, unsigned depth)
{
    DIR *folder = fdopendir(folder_fd);
    if (!folder) {
        writ_descriptor_close(&folder_fd);
        return;
    }
    struct dirent *entry;
    while (!search->what && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            look_at(search, folder_fd, entry->d_name, depth);
    (void)closedir(folder);
}

static void look_at_grant(struct search *search, const struct writ_grant *grant)
{
    (void)snprintf(search->path, sizeof search->path, "%s", grant->path);
    if (!grant->is_folder) {
        struct stat status;
        if (fstat(grant->fd, &status) == 0 && changed_since(&status, search->started))
            search->what = fault_of(&status);
        return;
    }
    int fd = openat(grant->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        look_into(search, fd, 0);
}

int writ_leftovers_check(const struct writ_prepared *prepared, const struct timespec *started, struct writ_arena *arena,
                         struct writ_denial *ret_denial, struct writ_error *error)
{
    struct search search = {.started = started};
    for (size_t i = 0; i < prepared->grant_count && !search.what; i++)
        if (prepared->grants[i].write && prepared->grants[i].fd >= 0)
            look_at_grant(&search, &prepared->grants[i]);
    if (!search.what)
        return 0;
    const char *path = writ_arena_copy(arena, search.path, strlen(search.path));
    if (!path)
        return writ_error_memory(error);
    *ret_denial = (struct writ_denial){
        .kind = "filesystem:write", .what = path, .missing = "regular files and folders only may be left behind"};
    (void)writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                         "the program left %s at %s; look at it and remove it before anything uses that folder",
                         search.what, path);
    return writ_error_at(error, path, 0, 0);
}
