#include "run/resolve.h"

#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40
#define COMPONENTS_MAX 256

/* The walk's state: the folder reached, its canonical name, and what is left to walk. */
struct walk {
    const struct writ_resolve_options *options;
    bool write, from_input, created;
    int fd;
    int folder_fd;       /* of the file that was reached; -1 while it is a folder */
    char path[PATH_MAX]; /* canonical; "" is the root */
    char rest[PATH_MAX];
    unsigned links, components;
};

static int denied(struct writ_error *error, const char *path, const char *what)
{
    (void)writ_error_set(error, WRIT_FILESYSTEM_DENIED, "%.300s: %s", path, what);
    return writ_error_at(error, path, 0, 0);
}

static int denied_errno(struct writ_error *error, const char *path, int sys_errno)
{
    switch (sys_errno) {
    case ENOENT:
        return denied(error, path, "does not exist; name a file that is there");
    case ENOTDIR:
        return denied(error, path, "a part of the path is not a folder; name a file that is there");
    case EACCES:
    case EPERM:
        return denied(error, path, "you may not read it, so no skill can be granted it; ask its owner for that right");
    default:
        (void)writ_error_set_errno(error, WRIT_FILESYSTEM_DENIED, sys_errno, "%.300s", path);
        return writ_error_at(error, path, 0, 0);
    }
}

/* True when only root or the caller decides what stands there. */
static bool is_ours(const struct stat *status)
{
    return status->st_uid == 0 || status->st_uid == geteuid();
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int append_name(struct walk *walk, const char *name)
{
    size_t used = strlen(walk->path), length = strlen(name);
    if (used + 1 + length >= sizeof walk->path)
        return -ENAMETOOLONG;
    walk->path[used] = '/';
    memcpy(walk->path + used + 1, name, length + 1);
    return 0;
}

/* Takes the next component off `rest` into `name`; false at the end. */
static bool next_component(struct walk *walk, char name[NAME_MAX + 1], int *ret_errno)
{
    char *start = walk->rest + strspn(walk->rest, "/");
    size_t length = strcspn(start, "/");
    *ret_errno = 0;
    if (length == 0)
        return false;
    if (length > NAME_MAX || ++walk->components > COMPONENTS_MAX) {
        *ret_errno = ENAMETOOLONG;
        return false;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    char *left = start + length;
    memmove(walk->rest, left, strlen(left) + 1);
    return true;
}

static bool rest_is_empty(const struct walk *walk)
{
    return walk->rest[strspn(walk->rest, "/")] == '\0';
}

/* Puts a link's target in front of what is left.  The link was opened as `link_fd` inside the folder walk->fd. */
static int follow_link(struct walk *walk, int link_fd, const struct stat *link_status, const char *path,
                       struct writ_error *error)
{
    struct stat folder_status;
    if (fstat(walk->fd, &folder_status) < 0)
        return denied_errno(error, path, errno);
    if (!is_ours(link_status) || !is_ours(&folder_status) || (folder_status.st_mode & (S_IWGRP | S_IWOTH)))
        return denied(error, path,
                      "goes through a symbolic link that others could have planted; name the real path instead");
    if (++walk->links > LINKS_MAX)
        return denied_errno(error, path, ELOOP);
    char target[PATH_MAX];
    ssize_t length = readlinkat(link_fd, "", target, sizeof target - 1);
    if (length <= 0)
        return denied_errno(error, path, length < 0 ? errno : ENOENT);
    target[length] = '\0';
    size_t rest_length = strlen(walk->rest);
    if ((size_t)length + rest_length + 1 >= sizeof walk->rest)
        return denied_errno(error, path, ENAMETOOLONG);
    memmove(walk->rest + length, walk->rest, rest_length + 1);
    memcpy(walk->rest, target, (size_t)length);
    if (target[0] == '/') {
        int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (root < 0)
            return denied_errno(error, path, errno);
        writ_descriptor_close(&walk->fd);
        walk->fd = root;
        walk->path[0] = '\0';
    }
    return 0;
}

static int go_up(struct walk *walk, const char *path, struct writ_error *error)
{
    int up = openat(walk->fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (up < 0)
        return denied_errno(error, path, errno);
    writ_descriptor_close(&walk->fd);
    walk->fd = up;
    char *slash = strrchr(walk->path, '/');
    if (slash)
        *slash = '\0';
    return 0;
}

static bool lies_under(const char *path, const char *root)
{
    size_t length = strlen(root);
    while (length > 0 && root[length - 1] == '/')
        length--;
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool is_own_state(const struct walk *walk, const char *path)
{
    return walk->options->own_state && lies_under(path, walk->options->own_state);
}

/* Whether a path of this canonical name may be granted to this caller at all. */
static int check_place(const struct walk *walk, const char *path, struct writ_error *error)
{
    const struct writ_resolve_options *options = walk->options;
    bool inside = !walk->from_input || !options->roots;
    for (size_t i = 0; !inside && i < options->root_count; i++)
        inside = lies_under(path, options->roots[i]);
    if (!inside)
        return denied(error, path, "lies outside the folders that this caller was granted");
    char why[WRIT_ERROR_MESSAGE_MAX / 2];
    if (!is_own_state(walk, path) && writ_never_granted_path(options->never, path, why, sizeof why))
        return denied(error, path, why);
    return 0;
}

void writ_resolve_unmake(int folder_fd, const char *path, int fd)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat made, now;
    if (fstat(fd, &made) == 0 && made.st_size == 0 && fstatat(folder_fd, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
        is_same_file(&made, &now))
        (void)unlinkat(folder_fd, name, 0);
}

/* A missing last component of a path that may be written: made now, so that there is something to grant.  What would
 * be refused once it stood there is refused before it does. */
static int create_file(struct walk *walk, const char *name, const char *path, int *ret_fd, struct writ_error *error)
{
    size_t length = strlen(walk->path);
    int result = append_name(walk, name) < 0 ? denied_errno(error, path, ENAMETOOLONG) : 0;
    if (result == 0)
        result = check_place(walk, walk->path, error);
    walk->path[length] = '\0';
    if (result < 0)
        return result;
    WRIT_CLEANUP(writ_descriptor_close)
    int made = openat(walk->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (made < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
        return denied(error, path, "does not exist, and you may not make it there; name a place where you may");
    if (made < 0)
        return denied_errno(error, path, errno);
    /* What is granted is opened anew, without the right to write; it must be what was made. */
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int reason = fd < 0 ? errno : 0;
    struct stat made_status, status;
    if (fd < 0 || fstat(made, &made_status) < 0 || fstat(fd, &status) < 0 || !is_same_file(&made_status, &status)) {
        writ_resolve_unmake(walk->fd, name, made);
        return reason ? denied_errno(error, path, reason)
                      : denied(error, path, "was replaced while it was made; try again");
    }
    walk->created = true;
    *ret_fd = writ_descriptor_take(&fd);
    return 0;
}

static int step(struct walk *walk, const char *name, const char *path, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && walk->write && walk->rest[0] == '/')
        return denied(error, path, "needs a folder that does not exist; make it first");
    if (fd < 0 && errno == ENOENT && walk->write && rest_is_empty(walk)) {
        int result = create_file(walk, name, path, &fd, error);
        if (result < 0)
            return result;
    }
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return denied_errno(error, path, errno);
    if (S_ISLNK(status.st_mode)) {
        if (rest_is_empty(walk))
            return denied(error, path, "is a symbolic link; name the file that it points to");
        return follow_link(walk, fd, &status, path, error);
    }
    if (append_name(walk, name) < 0) /* not after creating: that had room for it */
        return denied_errno(error, path, ENAMETOOLONG);
    if (!S_ISDIR(status.st_mode))
        walk->folder_fd = writ_descriptor_take(&walk->fd);
    writ_descriptor_close(&walk->fd);
    walk->fd = writ_descriptor_take(&fd);
    return 0;
}

static int walk_to_end(struct walk *walk, const char *path, struct writ_error *error)
{
    char name[NAME_MAX + 1];
    int failed;
    while (next_component(walk, name, &failed)) {
        int result = 0;
        if (strcmp(name, "..") == 0)
            result = go_up(walk, path, error);
        else if (strcmp(name, ".") != 0)
            result = step(walk, name, path, error);
        if (result < 0)
            return result;
    }
    return failed ? denied_errno(error, path, failed) : 0;
}

static int check_target(const struct walk *walk, bool *ret_is_folder, struct writ_error *error)
{
    const char *path = walk->path[0] ? walk->path : "/";
    int result = check_place(walk, path, error);
    if (result < 0)
        return result;
    struct stat status;
    if (fstat(walk->fd, &status) < 0)
        return denied_errno(error, path, errno);
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return denied(error, path, "is neither a regular file nor a folder; name a file");
    char why[WRIT_ERROR_MESSAGE_MAX / 2];
    if (writ_never_granted_kernel(walk->fd, why, sizeof why) ||
        (!is_own_state(walk, path) &&
         writ_never_granted_identity(walk->options->never, walk->fd, walk->folder_fd, &status, why, sizeof why)))
        return denied(error, path, why);
    *ret_is_folder = S_ISDIR(status.st_mode);
    int rights = R_OK | (walk->write ? W_OK : 0) | (*ret_is_folder ? X_OK : 0);
    if (faccessat(walk->fd, "", rights, AT_EMPTY_PATH | AT_EACCESS) == 0)
        return 0;
    if (walk->write && (errno == EACCES || errno == EPERM || errno == EROFS))
        return denied(error, path, "you may not write it, so no skill can be granted it; name a place where you may");
    return denied_errno(error, path, errno);
}

static void clear_walk(struct walk *walk)
{
    writ_descriptor_close(&walk->fd);
    writ_descriptor_close(&walk->folder_fd);
}

static int begin(struct walk *walk, const char *path, struct writ_error *error)
{
    walk->fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (walk->fd < 0)
        return denied_errno(error, path, errno);
    int length = path[0] == '/' ? snprintf(walk->rest, sizeof walk->rest, "%s", path)
                                : snprintf(walk->rest, sizeof walk->rest, "%s/%s", walk->options->working_folder, path);
    if (length < 0 || (size_t)length >= sizeof walk->rest)
        return denied_errno(error, path, ENAMETOOLONG);
    return 0;
}

int writ_resolve_grant(const struct writ_resolve_options *options, const char *path, bool write, bool from_input,
                       struct writ_arena *arena, struct writ_resolved *ret_resolved, struct writ_error *error)
{
    WRIT_CLEANUP(clear_walk)
    struct walk walk = {.options = options, .write = write, .from_input = from_input, .fd = -1, .folder_fd = -1};
    bool is_folder = false;
    int result = begin(&walk, path, error);
    if (result == 0)
        result = walk_to_end(&walk, path, error);
    if (result == 0)
        result = check_target(&walk, &is_folder, error);
    const char *name = walk.path[0] ? walk.path : "/";
    char *copy = NULL;
    if (result == 0 && !(copy = writ_arena_copy(arena, name, strlen(name))))
        result = writ_error_memory(error);
    if (result < 0) {
        if (walk.created)
            writ_resolve_unmake(walk.folder_fd, walk.path, walk.fd);
        return result;
    }
    *ret_resolved = (struct writ_resolved){.path = copy,
                                           .fd = writ_descriptor_take(&walk.fd),
                                           .is_folder = is_folder,
                                           .created = walk.created,
                                           .folder_fd = walk.created ? writ_descriptor_take(&walk.folder_fd) : -1};
    return 0;
}

int writ_resolve_name(const struct writ_resolve_options *options, const char *path, struct writ_arena *arena,
                      const char **ret_path, struct writ_error *error)
{
    WRIT_CLEANUP(clear_walk) struct walk walk = {.options = options, .fd = -1, .folder_fd = -1};
    int result = begin(&walk, path, error);
    if (result == 0)
        result = walk_to_end(&walk, path, error);
    if (result < 0)
        return result;
    const char *name = walk.path[0] ? walk.path : "/";
    char *copy = writ_arena_copy(arena, name, strlen(name));
    if (!copy)
        return writ_error_memory(error);
    *ret_path = copy;
    return 0;
}
