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
#define ENTRIES_TOLD 4096 /* between two words to the watch */

/* A clock that differs by more than this from the time that passed was set. */
#define CLOCK_STEP_MS 100

struct search {
    struct timespec started;
    char path[PATH_MAX];
    unsigned entries;
    const struct writ_watch *watch;
    const char *what;    /* is left at `path`; NULL while nothing is */
    const char *unknown; /* why `path` could not be looked at; NULL while everything can */
};

static bool is_over(const struct search *search)
{
    return search->what || search->unknown;
}

static void cannot_look(struct search *search, int sys_errno)
{
    const char *reason = strerrordesc_np(sys_errno);
    search->unknown = reason ? reason : "unknown error";
}

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

/* A folder that may not be read and was not changed could not be read by the program either; one that was changed may
 * have been closed to hide what is in it. */
static void look_into_folder(struct search *search, int folder_fd, const char *name, const struct stat *status,
                             unsigned depth)
{
    int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        look_into(search, fd, depth + 1);
    else if (errno != ENOENT && (errno != EACCES || changed_since(status, &search->started)))
        cannot_look(search, errno);
}

static void look_at(struct search *search, int folder_fd, const char *name, unsigned depth)
{
    size_t used = strlen(search->path), length = strlen(name);
    if (used + length + 2 > sizeof search->path || ++search->entries > ENTRIES_MAX || depth > DEPTH_MAX) {
        search->unknown = "there are more files or deeper folders than are looked at";
        return;
    }
    if (search->entries % ENTRIES_TOLD == 0)
        writ_watch_tell(search->watch,
                        &(struct writ_activity){.what = "looking at what the program left in its folders"});
    search->path[used] = '/';
    memcpy(search->path + used + 1, name, length + 1);
    struct stat status;
    if (fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
        if (errno != ENOENT)
            cannot_look(search, errno);
    } else {
        if (changed_since(&status, &search->started))
            search->what = fault_of(&status);
        if (!search->what && S_ISDIR(status.st_mode))
            look_into_folder(search, folder_fd, name, &status, depth);
    }
    if (!is_over(search))
        search->path[used] = '\0';
}

/* Takes the descriptor over. */
static void look_into(struct search *search, int folder_fd, unsigned depth)
{
    DIR *folder = fdopendir(folder_fd);
    if (!folder) {
        cannot_look(search, errno);
        writ_descriptor_close(&folder_fd);
        return;
    }
    while (!is_over(search)) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry && errno)
            cannot_look(search, errno);
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            look_at(search, folder_fd, entry->d_name, depth);
    }
    (void)closedir(folder);
}

static void look_at_grant(struct search *search, const struct writ_grant *grant)
{
    struct stat status;
    (void)snprintf(search->path, sizeof search->path, "%s", grant->path);
    if (fstat(grant->fd, &status) < 0)
        cannot_look(search, errno);
    else if (grant->is_folder)
        look_into_folder(search, grant->fd, ".", &status, 0);
    else if (changed_since(&status, &search->started))
        search->what = fault_of(&status);
}

void writ_leftovers_begin(struct writ_leftovers_start *ret_start)
{
    /* Neither clock can fail. */
    (void)clock_gettime(CLOCK_REALTIME_COARSE, &ret_start->real);
    (void)clock_gettime(CLOCK_BOOTTIME, &ret_start->boot);
}

/* Milliseconds, for a clock may jump by more nanoseconds than can be counted. */
static int64_t milliseconds_between(const struct timespec *from, const struct timespec *to)
{
    return (int64_t)(to->tv_sec - from->tv_sec) * 1000 + (to->tv_nsec - from->tv_nsec) / 1000000;
}

/* The start as the clock would tell it now: earlier than it did, when the clock was set back since. */
static struct timespec start_by_present_clock(const struct writ_leftovers_start *start)
{
    struct writ_leftovers_start now;
    writ_leftovers_begin(&now);
    struct timespec started = start->real;
    int64_t set_back_ms = milliseconds_between(&start->boot, &now.boot) - milliseconds_between(&start->real, &now.real);
    if (set_back_ms > CLOCK_STEP_MS)
        started.tv_sec -= set_back_ms / 1000 + 1;
    return started;
}

int writ_leftovers_check(const struct writ_prepared *prepared, const struct writ_leftovers_start *start,
                         struct writ_arena *arena, struct writ_denial *ret_denial, struct writ_error *error)
{
    struct search search = {.started = start_by_present_clock(start), .watch = prepared->watch};
    for (size_t i = 0; i < prepared->grant_count && !is_over(&search); i++)
        if (prepared->grants[i].write && prepared->grants[i].fd >= 0)
            look_at_grant(&search, &prepared->grants[i]);
    if (!is_over(&search))
        return 0;
    const char *path = writ_arena_copy(arena, search.path, strlen(search.path));
    if (!path)
        return writ_error_memory(error);
    *ret_denial = (struct writ_denial){
        .kind = "filesystem:write", .what = path, .missing = "regular files and folders only may be left behind"};
    if (search.what)
        (void)writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                             "the program left %s at %s; look at it and remove it before anything uses that folder",
                             search.what, path);
    else
        (void)writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                             "what the program left at %s could not be looked at (%s); grant a smaller folder, or look "
                             "at it yourself before anything uses it",
                             path, search.unknown);
    return writ_error_at(error, path, 0, 0);
}
