#include "cli/folder_watch.h"

#include "base/arena.h"
#include "base/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define FOLDERS_MAX 1000
#define ENTRIES_MAX 20000
#define DEPTH_MAX 32
#define ARENA_BYTES_MAX ((size_t)64 << 20)
#define WATCHES_MAX 64
#define LOOK_MS 500 /* where nothing tells of changes */
#define EVENTS                                                                                                         \
    (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF |   \
     IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

struct entry {
    const char *path;
    mode_t kind; /* file type and permissions; of folders the type alone */
    ino_t inode; /* of folders and below 0: what is in them tells */
    off_t size;
    struct timespec changed;
};

/* One look at a folder. */
struct look {
    struct writ_arena arena;
    struct entry *entries; /* sorted by path */
    size_t count, folders;
    int notify_fd; /* -1: nothing tells of changes */
    bool is_there, is_cut, by_clock;
};

struct cli_folder_watch {
    char *folder;
    struct look last;
    bool has_stirred; /* events were taken since the last look */
};

static void clear_look(struct look *look)
{
    writ_descriptor_close(&look->notify_fd);
    writ_arena_clear(&look->arena);
    *look = (struct look){.notify_fd = -1};
}

/* ---- what is passed over ---- */

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool ends(const char *name, const char *with)
{
    size_t length = strlen(name), tail = strlen(with);
    return length >= tail && strcmp(name + length - tail, with) == 0;
}

static bool is_passed_over(const char *name)
{
    static const char *const names[] = {".", "..", ".git", ".hg", ".svn", "__pycache__", "4913"};
    for (size_t i = 0; i < WRIT_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    size_t length = strlen(name);
    bool swap = name[0] == '.' && length > 5 && strncmp(name + length - 4, ".sw", 3) == 0;
    return swap || ends(name, "~") || begins(name, ".#") || (name[0] == '#' && ends(name, "#")) ||
           begins(name, ".goutputstream-") || ends(name, "___jb_tmp___") || ends(name, "___jb_old___");
}

/* What building main.c leaves in the skill's folder: `main`, and `.main.…` while it is written. */
static bool is_own_work(int folder_fd, unsigned depth, const char *name)
{
    if (depth > 0 || (strcmp(name, "main") != 0 && !begins(name, ".main.")))
        return false;
    return faccessat(folder_fd, "main.c", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- looking ---- */

/* File systems of this machine alone, whose every change inotify sees. */
static bool tells_of_changes(int fd)
{
    static const uint32_t known[] = {
        0xEF53u /* ext2 to ext4 */, 0x9123683Eu /* btrfs */, 0x58465342u /* xfs */, 0x01021994u /* tmpfs */,
        0x794C7630u /* overlay */,  0xF2F52010u /* f2fs */,  0x2FC12FC1u /* zfs */, 0xCA451A4Eu /* bcachefs */};
    struct statfs status;
    if (fstatfs(fd, &status) < 0)
        return false;
    for (size_t i = 0; i < WRIT_COUNT(known); i++)
        if ((uint32_t)status.f_type == known[i])
            return true;
    return false;
}

static void mark(struct look *look, int folder_fd)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", folder_fd);
    if (look->notify_fd < 0 || inotify_add_watch(look->notify_fd, path, EVENTS) < 0)
        look->by_clock = true;
}

static int add_entry(struct look *look, const char *path, const struct stat *status, struct writ_error *error)
{
    bool folder = S_ISDIR(status->st_mode);
    if (!look->entries)
        look->entries = writ_arena_alloc(&look->arena, ENTRIES_MAX * sizeof *look->entries);
    if (!look->entries || !path)
        return writ_error_memory(error);
    look->entries[look->count++] = (struct entry){.path = path,
                                                  .kind = folder ? status->st_mode & S_IFMT : status->st_mode,
                                                  .inode = folder ? 0 : status->st_ino,
                                                  .size = folder ? 0 : status->st_size,
                                                  .changed = folder ? (struct timespec){0} : status->st_mtim};
    return 0;
}

static void close_listing(DIR **listing)
{
    if (*listing)
        (void)closedir(*listing);
}

static int look_into(struct look *look, int *folder_fd, const char *path, unsigned depth, struct writ_error *error);

static int look_at(struct look *look, int folder_fd, const char *above, const char *name, unsigned depth,
                   struct writ_error *error)
{
    struct stat status;
    if (is_passed_over(name) || is_own_work(folder_fd, depth, name))
        return 0;
    if (fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return 0; /* gone again: that makes an event */
    if (look->count == ENTRIES_MAX) {
        look->is_cut = true;
        return 0;
    }
    const char *path = writ_arena_printf(&look->arena, "%s%s%s", above, above[0] ? "/" : "", name);
    int result = add_entry(look, path, &status, error);
    if (result < 0 || !S_ISDIR(status.st_mode))
        return result;
    if (depth + 1 == DEPTH_MAX || look->folders == FOLDERS_MAX) {
        look->is_cut = true;
        return 0;
    }
    int inner = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return inner < 0 ? 0 : look_into(look, &inner, path, depth + 1, error);
}

/* Takes over the descriptor.  Folders that cannot be read have nothing in them. */
static int look_into(struct look *look, int *folder_fd, const char *path, unsigned depth, struct writ_error *error)
{
    look->folders++;
    mark(look, *folder_fd);
    WRIT_CLEANUP(close_listing) DIR *listing = fdopendir(*folder_fd);
    if (!listing) {
        writ_descriptor_close(folder_fd);
        return 0;
    }
    int result = 0;
    for (const struct dirent *entry; result == 0 && (entry = readdir(listing));)
        result = look_at(look, dirfd(listing), path, entry->d_name, depth, error);
    return result;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

static int take_look(const char *folder, struct look *ret_look, struct writ_error *error)
{
    struct look look = {.notify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
    writ_arena_init(&look.arena, ARENA_BYTES_MAX);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), result = 0;
    look.is_there = fd >= 0;
    look.by_clock = fd < 0 || !tells_of_changes(fd);
    if (fd >= 0)
        result = look_into(&look, &fd, "", 0, error);
    if (result < 0) {
        clear_look(&look);
        return result;
    }
    if (look.count > 1)
        qsort(look.entries, look.count, sizeof *look.entries, compare_paths);
    *ret_look = look;
    return 0;
}

/* ---- comparing ---- */

static void note(struct cli_changes *changes, enum cli_change_kind kind, const char *path)
{
    changes->total++;
    if (changes->count < CLI_WATCH_CHANGES_MAX)
        changes->items[changes->count++] = (struct cli_change){kind, path};
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    return a->kind == b->kind && a->inode == b->inode && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

static void compare_looks(const struct look *before, const struct look *after, struct cli_changes *changes)
{
    *changes = (struct cli_changes){.count = 0};
    if (before->is_there != after->is_there) {
        note(changes, after->is_there ? CLI_ADDED : CLI_REMOVED, "");
        return;
    }
    size_t i = 0, j = 0;
    while (i < before->count || j < after->count) {
        int order = i == before->count  ? 1
                    : j == after->count ? -1
                                        : strcmp(before->entries[i].path, after->entries[j].path);
        if (order < 0)
            note(changes, CLI_REMOVED, before->entries[i++].path);
        else if (order > 0)
            note(changes, CLI_ADDED, after->entries[j++].path);
        else if (!is_same(&before->entries[i++], &after->entries[j++]))
            note(changes, CLI_CHANGED, after->entries[j - 1].path);
    }
}

/* ---- a watch ---- */

int cli_folder_watch_new(const char *folder, struct cli_folder_watch **ret_watch, struct writ_error *error)
{
    struct cli_folder_watch *watch = calloc(1, sizeof *watch);
    char *copy = strdup(folder);
    if (!watch || !copy) {
        free(watch);
        free(copy);
        return writ_error_memory(error);
    }
    watch->folder = copy;
    watch->last.notify_fd = -1;
    int result = take_look(folder, &watch->last, error);
    if (result == 0)
        *ret_watch = watch;
    else
        cli_folder_watch_free(watch);
    return result;
}

void cli_folder_watch_free(struct cli_folder_watch *watch)
{
    if (!watch)
        return;
    clear_look(&watch->last);
    free(watch->folder);
    free(watch);
}

const char *cli_folder_watch_folder(const struct cli_folder_watch *watch)
{
    return watch->folder;
}

bool cli_folder_watch_is_cut(const struct cli_folder_watch *watch)
{
    return watch->last.is_cut;
}

/* Looks again.  The names of what was removed are the old look's, so they are kept by the new one. */
static int look_again(struct cli_folder_watch *watch, struct cli_changes *changes, struct writ_error *error)
{
    struct look look;
    int result = take_look(watch->folder, &look, error);
    if (result < 0)
        return result;
    compare_looks(&watch->last, &look, changes);
    for (size_t i = 0; result == 0 && i < changes->count; i++) {
        const char *path = changes->items[i].path;
        changes->items[i].path = writ_arena_copy(&look.arena, path, strlen(path));
        if (!changes->items[i].path)
            result = writ_error_memory(error);
    }
    clear_look(&watch->last);
    watch->last = look;
    watch->has_stirred = false;
    return result;
}

/* ---- waiting ---- */

static void drain(int fd)
{
    char events[16 << 10];
    while (fd >= 0 && read(fd, events, sizeof events) > 0)
        continue;
}

static int64_t now_ms(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct waiting {
    struct pollfd fds[WATCHES_MAX + 2]; /* the watches, then cancel, then stdout */
    struct cli_folder_watch *const *watches;
    size_t count;
    bool by_clock, has_stirred;
};

static void prepare(struct waiting *waiting, struct cli_folder_watch *const *watches, size_t count, int cancel_fd)
{
    *waiting = (struct waiting){.watches = watches, .count = count};
    for (size_t i = 0; i < count; i++) {
        waiting->fds[i] = (struct pollfd){.fd = watches[i]->last.notify_fd, .events = POLLIN};
        waiting->by_clock = waiting->by_clock || watches[i]->last.by_clock;
        waiting->has_stirred = waiting->has_stirred || watches[i]->has_stirred;
    }
    waiting->fds[count] = (struct pollfd){.fd = cancel_fd, .events = POLLIN};
    waiting->fds[count + 1] = (struct pollfd){.fd = STDOUT_FILENO, .events = 0};
}

/* Polls once and takes what events there are; true when the wait is over. */
static bool poll_once(struct waiting *waiting, int timeout_ms, bool *stirred, enum cli_folder_watch_end *end)
{
    *stirred = false;
    if (poll(waiting->fds, (nfds_t)(waiting->count + 2), timeout_ms) < 0)
        return false;
    for (size_t i = 0; i < waiting->count; i++)
        if (waiting->fds[i].revents) {
            *stirred = waiting->watches[i]->has_stirred = true;
            drain(waiting->fds[i].fd);
        }
    if (waiting->fds[waiting->count].revents) {
        *end = CLI_WATCH_CANCELLED;
        return true;
    }
    if (waiting->fds[waiting->count + 1].revents & (POLLERR | POLLHUP | POLLNVAL)) {
        *end = CLI_WATCH_READER_GONE;
        return true;
    }
    return false;
}

/* Waits until nothing has stirred for a while. */
static bool come_to_rest(struct waiting *waiting, enum cli_folder_watch_end *end)
{
    int64_t until = now_ms() + CLI_WATCH_SETTLE_MS;
    for (bool stirred = true; stirred && now_ms() < until;)
        if (poll_once(waiting, CLI_WATCH_QUIET_MS, &stirred, end))
            return true;
    return false;
}

int cli_folder_watch_wait(struct cli_folder_watch *const *watches, size_t count, int cancel_fd,
                          struct cli_changes *changed, enum cli_folder_watch_end *ret_end, struct writ_error *error)
{
    if (count > WATCHES_MAX)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "at most %d folders can be watched", WATCHES_MAX);
    for (;;) {
        struct waiting waiting;
        bool stirred;
        prepare(&waiting, watches, count, cancel_fd);
        if (poll_once(&waiting, waiting.has_stirred ? 0 : waiting.by_clock ? LOOK_MS : -1, &stirred, ret_end))
            return 0;
        if ((stirred || waiting.has_stirred) && come_to_rest(&waiting, ret_end))
            return 0;
        size_t total = 0;
        for (size_t i = 0; i < count; i++) {
            int result = look_again(watches[i], &changed[i], error);
            if (result < 0)
                return result;
            total += changed[i].total;
        }
        if (total > 0) {
            *ret_end = CLI_WATCH_CHANGE;
            return 0;
        }
    }
}
