/*
 * The sandbox's file tree, made by its init.  Raw system calls only; see enter.c.
 *
 * Mount points are made in folders that we made ourselves, never in one of the host's: where a folder on the way is a
 * bound one, or a link of the plan leads on, the way is walked one name at a time and nothing is made outside the
 * root's own tmpfs.  All of it happens after pivot_root, so that even a link to `/` leads to the sandbox's root.
 */
#include "sandbox/enter.h"
#include "sandbox/kernel.h"
#include "sandbox/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define DETACH_MOUNT 2 /* MNT_DETACH; <sys/mount.h> and <linux/mount.h> cannot be included together everywhere */
#define POINT_FLAGS (O_PATH | O_NOFOLLOW | O_CLOEXEC)
#define HOST_FOLDER ".host" /* where the old root is until all is mounted */

static int fail(struct writ_enter *enter, enum writ_step step, long answer)
{
    return writ_enter_fail(enter, step, answer, SIZE_MAX);
}

static void close_fd(long fd)
{
    if (fd >= 0)
        (void)WRIT_RAW1(close, fd);
}

/* ---- the root ---- */

static long make_root(void)
{
    long context = WRIT_RAW2(fsopen, "tmpfs", FSOPEN_CLOEXEC);
    if (context < 0)
        return context;
    long answer = WRIT_RAW5(fsconfig, context, FSCONFIG_SET_STRING, "size", WRIT_ENTER_ROOT_BYTES_TEXT, 0);
    if (answer == 0)
        answer = WRIT_RAW5(fsconfig, context, FSCONFIG_SET_STRING, "nr_inodes", WRIT_ENTER_ROOT_FILES_TEXT, 0);
    if (answer == 0)
        answer = WRIT_RAW5(fsconfig, context, FSCONFIG_SET_STRING, "mode", "0755", 0);
    if (answer == 0)
        answer = WRIT_RAW5(fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0);
    if (answer == 0)
        answer = WRIT_RAW3(fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    close_fd(context);
    return answer;
}

/* The new root is mounted over the old one, which needs no folder of the host's, and then changes places with it. */
int writ_enter_root(struct writ_enter *enter)
{
    long root = make_root();
    if (root < 0)
        return fail(enter, WRIT_STEP_ROOT, root);
    enter->root_fd = (int)root;
    long answer = WRIT_RAW5(move_mount, root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH);
    if (answer == 0)
        answer = WRIT_RAW1(fchdir, root);
    if (answer == 0)
        answer = WRIT_RAW3(mkdirat, root, HOST_FOLDER, 0700);
    if (answer < 0)
        return fail(enter, WRIT_STEP_ROOT, answer);
    writ_enter_trace(enter, WRIT_STEP_ROOT);
    struct stat status = {0};
    answer = WRIT_RAW2(fstat, root, &status);
    enter->root_device = status.st_dev;
    if (answer == 0)
        answer = WRIT_RAW3(open_tree, root, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    if (answer < 0)
        return fail(enter, WRIT_STEP_ROOT, answer);
    enter->root_writer_fd = (int)answer;
    answer = WRIT_RAW2(pivot_root, ".", HOST_FOLDER);
    if (answer == 0)
        answer = WRIT_RAW1(chdir, "/");
    if (answer == 0)
        answer = WRIT_RAW4(openat, root, HOST_FOLDER, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    if (answer < 0)
        return fail(enter, WRIT_STEP_PIVOT, answer);
    enter->host_fd = (int)answer;
    writ_enter_trace(enter, WRIT_STEP_PIVOT);
    return 0;
}

int writ_enter_proc(struct writ_enter *enter)
{
    long answer = WRIT_RAW3(mkdirat, enter->root_fd, "proc", 0555);
    if (answer == 0)
        answer = WRIT_RAW5(mount, "proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
                           "hidepid=invisible,subset=pid");
    /* In a container whose own /proc is partly covered the kernel allows no new one; the folder then stays empty. */
    if (answer < 0 && answer != -EPERM)
        return fail(enter, WRIT_STEP_PROC, answer);
    writ_enter_trace(enter, WRIT_STEP_PROC);
    return 0;
}

int writ_enter_seal(struct writ_enter *enter)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};
    long answer = WRIT_RAW5(mount_setattr, enter->root_fd, "", AT_EMPTY_PATH, &attributes, sizeof attributes);
    return answer < 0 ? fail(enter, WRIT_STEP_SEAL, answer) : 0;
}

/* Taken out of the tree at once; the call comes back much later.  The empty folder is removed through a mount of the
 * root of which the program knows nothing: nothing hangs on it. */
int writ_enter_detach(struct writ_enter *enter)
{
    long answer = WRIT_RAW2(umount2, "/" HOST_FOLDER, DETACH_MOUNT);
    if (answer < 0)
        return fail(enter, WRIT_STEP_DETACH, answer);
    writ_enter_trace(enter, WRIT_STEP_DETACH);
    __atomic_store_n(&enter->host_gone, 1, __ATOMIC_RELEASE);
    (void)WRIT_RAW3(futex, &enter->host_gone, FUTEX_WAKE_PRIVATE, 1);
    (void)WRIT_RAW3(unlinkat, enter->root_writer_fd, HOST_FOLDER, AT_REMOVEDIR);
    return 0;
}

bool writ_enter_host_is_gone(const struct writ_enter *enter)
{
    struct stat folder = {0};
    long answer = WRIT_RAW4(newfstatat, AT_FDCWD, "/" HOST_FOLDER, &folder, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
    return answer == -ENOENT || (answer == 0 && folder.st_dev == enter->root_device);
}

/* ---- mount points ---- */

/* Folders that only lead somewhere.  Below a private tmpfs nothing else keeps the program from writing into them, and
 * what it wrote into its working folder there would be lost without a word. */
#define MADE_FOLDER_MODE 0555

/* Makes the folders before the last name of a path that is wholly ours. */
static long make_parents(struct writ_enter *enter, const char *path)
{
    size_t length = 0;
    for (const char *next = path; *next; next++) {
        if (*next == '/') {
            enter->path[length] = '\0';
            long answer = WRIT_RAW3(mkdirat, enter->root_fd, enter->path, MADE_FOLDER_MODE);
            if (answer < 0 && answer != -EEXIST)
                return answer;
        }
        if (length >= sizeof enter->path - 1)
            return -ENAMETOOLONG;
        enter->path[length++] = *next;
    }
    return 0;
}

static long make_leaf(int folder_fd, const char *name, bool is_folder)
{
    return is_folder ? WRIT_RAW3(mkdirat, folder_fd, name, MADE_FOLDER_MODE)
                     : WRIT_RAW4(mknodat, folder_fd, name, S_IFREG | 0444, 0);
}

static bool is_ours(const struct writ_enter *enter, int fd)
{
    struct stat one = {0}, root = {0};
    return WRIT_RAW2(fstat, fd, &one) == 0 && WRIT_RAW2(fstat, enter->root_fd, &root) == 0 && one.st_dev == root.st_dev;
}

/* One name on the way: opens the folder, making it when it is missing and what it lies in is ours.  Links are followed
 * only where they are ours. */
static long step_into(struct writ_enter *enter, int folder_fd, const char *name)
{
    bool ours = is_ours(enter, folder_fd);
    int flags = O_PATH | O_CLOEXEC | O_DIRECTORY | (ours ? 0 : O_NOFOLLOW);
    long fd = WRIT_RAW4(openat, folder_fd, name, flags, 0);
    if (fd != -ENOENT || !ours)
        return fd;
    long answer = WRIT_RAW3(mkdirat, folder_fd, name, MADE_FOLDER_MODE);
    return answer < 0 ? answer : WRIT_RAW4(openat, folder_fd, name, flags | O_NOFOLLOW, 0);
}

/* A path that leads through a link of the plan or a bound folder: returns its folder, and its last name in
 * `enter->path`. */
static long walk(struct writ_enter *enter, const char *path)
{
    long folder = WRIT_RAW3(fcntl, enter->root_fd, F_DUPFD_CLOEXEC, 3);
    while (folder >= 0) {
        size_t length = 0;
        while (path[length] && path[length] != '/' && length < sizeof enter->path - 1) {
            enter->path[length] = path[length];
            length++;
        }
        enter->path[length] = '\0';
        if (path[length] == '\0')
            return folder;
        long next = step_into(enter, (int)folder, enter->path);
        close_fd(folder);
        folder = next;
        path += length + 1;
    }
    return folder;
}

/* Makes the mount point where it is missing, and opens it. */
static long make_point(struct writ_enter *enter, const struct writ_enter_mount *entry, bool is_folder)
{
    const char *path = entry->mount->path + 1;
    if (!entry->ours) {
        long folder = walk(enter, path);
        if (folder < 0)
            return folder;
        long point = WRIT_RAW4(openat, folder, enter->path, POINT_FLAGS, 0);
        if (point == -ENOENT && is_ours(enter, (int)folder)) {
            point = make_leaf((int)folder, enter->path, is_folder);
            if (point == 0)
                point = WRIT_RAW4(openat, folder, enter->path, POINT_FLAGS, 0);
        }
        close_fd(folder);
        return point;
    }
    long answer = make_leaf(enter->root_fd, path, is_folder);
    if (answer == -ENOENT) {
        answer = make_parents(enter, path);
        if (answer == 0)
            answer = make_leaf(enter->root_fd, path, is_folder);
    }
    if (answer < 0 && answer != -EEXIST)
        return answer;
    return WRIT_RAW4(openat, enter->root_fd, path, POINT_FLAGS, 0);
}

/* ---- mounts ---- */

static long receive_some(const struct writ_enter *enter, int *trees, size_t *ret_count)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int) * WRIT_ENTER_TREES_AT_ONCE)];
        struct cmsghdr align;
    } control;
    char byte;
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    long answer = WRIT_RAW3(recvmsg, enter->trees_fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (answer < 0)
        return answer;
    if (!header || header->cmsg_type != SCM_RIGHTS || (message.msg_flags & MSG_CTRUNC))
        return -EMFILE;
    *ret_count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < *ret_count; i++)
        trees[i] = ((const int *)(const void *)CMSG_DATA(header))[i];
    return 0;
}

/* In the order of the entries, as they were sent, and all of them before the word to go. */
int writ_enter_receive(struct writ_enter *enter)
{
    int trees[WRIT_ENTER_TREES_AT_ONCE];
    size_t count = 0, next = 0;
    for (size_t i = 0; i < enter->mount_count; i++) {
        if (!enter->mounts[i].by_parent)
            continue;
        if (next == count) {
            next = 0;
            long answer = receive_some(enter, trees, &count);
            if (answer < 0)
                return writ_enter_fail(enter, WRIT_STEP_MOUNT, answer, i);
        }
        enter->mounts[i].child_tree = trees[next++];
    }
    return 0;
}

static bool is_source(const struct writ_enter_mount *entry, long fd)
{
    struct stat status = {0};
    return WRIT_RAW2(fstat, fd, &status) == 0 && status.st_dev == entry->device && status.st_ino == entry->inode;
}

static long clone_tree(const struct writ_enter *enter, const char *path)
{
    unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
    long tree = WRIT_RAW3(open_tree, enter->host_fd, path, flags);
    /* Mounts inherited from a more privileged namespace cannot be split from what is mounted below them. */
    return tree == -EINVAL ? WRIT_RAW3(open_tree, enter->host_fd, path, flags | AT_RECURSIVE) : tree;
}

/* The descriptor that the plan holds belongs to the caller's mount namespace, which cannot be cloned from; so the file
 * is found again by path, and is taken only when it is the same file. */
static long find_source(const struct writ_enter *enter, const struct writ_enter_mount *entry)
{
    long tree = clone_tree(enter, (entry->source_path ? entry->source_path : entry->mount->path) + 1);
    if (tree >= 0 && !is_source(entry, tree)) {
        close_fd(tree);
        return -ESTALE;
    }
    return tree;
}

static int attach(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index, long tree,
                  bool is_folder)
{
    long point = make_point(enter, entry, is_folder);
    if (point < 0)
        return writ_enter_fail(enter, WRIT_STEP_MOUNT_POINT, point, index);
    long answer = WRIT_RAW5(move_mount, tree, "", point, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
    close_fd(point);
    return answer < 0 ? writ_enter_fail(enter, WRIT_STEP_MOUNT, answer, index) : 0;
}

static long restrict_tree(const struct writ_enter_mount *entry, long tree)
{
    struct mount_attr attributes = {.attr_set = entry->attributes, .propagation = MS_PRIVATE};
    return WRIT_RAW5(mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes);
}

static int add_rule(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index, long fd)
{
    if (!entry->rights || enter->ruleset_fd < 0)
        return 0;
    return writ_enter_rule(enter, (int)fd, entry->rights) < 0
               ? writ_enter_fail(enter, WRIT_STEP_LANDLOCK, -enter->failed_errno, index)
               : 0;
}

/* True when the place shows the very file already, read-only, by an earlier mount. */
static bool is_shown(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index, int *ret_result)
{
    struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
                           .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    long fd = WRIT_RAW4(openat2, enter->root_fd, entry->mount->path + 1, &how, sizeof how);
    bool shown = fd >= 0 && is_source(entry, fd);
    if (shown)
        *ret_result = add_rule(enter, entry, index, fd);
    close_fd(fd);
    return shown;
}

static int mount_bind(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index)
{
    int result = 0;
    if (entry->may_be_shown && is_shown(enter, entry, index, &result))
        return result;
    long tree = entry->child_tree;
    if (!entry->by_parent) {
        tree = find_source(enter, entry);
        if (tree < 0)
            return writ_enter_fail(enter, WRIT_STEP_SOURCE, tree, index);
        long answer = restrict_tree(entry, tree);
        if (answer < 0)
            return writ_enter_fail(enter, WRIT_STEP_MOUNT, answer, index);
    }
    result = attach(enter, entry, index, tree, entry->mount->is_folder);
    if (result == 0)
        result = add_rule(enter, entry, index, tree);
    close_fd(tree);
    return result;
}

static int mount_device(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index)
{
    long tree = clone_tree(enter, entry->mount->path + 1);
    struct stat status = {0};
    if (tree == -ENOENT && entry->may_lack)
        return 0;
    if (tree < 0)
        return writ_enter_fail(enter, WRIT_STEP_SOURCE, tree, index);
    if (WRIT_RAW2(fstat, tree, &status) < 0 || !S_ISCHR(status.st_mode) || status.st_rdev != entry->device)
        return writ_enter_fail(enter, WRIT_STEP_SOURCE, -ENODEV, index);
    long answer = restrict_tree(entry, tree);
    if (answer < 0)
        return writ_enter_fail(enter, WRIT_STEP_MOUNT, answer, index);
    int result = attach(enter, entry, index, tree, false);
    if (result == 0)
        result = add_rule(enter, entry, index, tree);
    close_fd(tree);
    return result;
}

static int mount_tmpfs(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index)
{
    long point = make_point(enter, entry, true);
    if (point < 0)
        return writ_enter_fail(enter, WRIT_STEP_MOUNT_POINT, point, index);
    long answer = WRIT_RAW1(fchdir, point);
    close_fd(point);
    if (answer == 0)
        answer = WRIT_RAW5(mount, "tmpfs", ".", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, entry->options);
    if (answer == 0)
        answer = WRIT_RAW1(chdir, "/");
    if (answer < 0)
        return writ_enter_fail(enter, WRIT_STEP_MOUNT, answer, index);
    point = WRIT_RAW4(openat, enter->root_fd, entry->mount->path + 1, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    if (point < 0)
        return writ_enter_fail(enter, WRIT_STEP_MOUNT, point, index);
    int result = add_rule(enter, entry, index, point);
    close_fd(point);
    return result;
}

/* A file of our own, filled through its descriptor. */
static int make_file(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index)
{
    const char *path = entry->mount->path + 1, *name = path;
    long folder = enter->root_fd;
    if (!entry->ours) {
        folder = walk(enter, path);
        name = enter->path;
        if (folder >= 0 && !is_ours(enter, (int)folder))
            return writ_enter_fail(enter, WRIT_STEP_MOUNT_POINT, -EROFS, index);
    }
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    long fd = folder < 0 ? folder : WRIT_RAW4(openat, folder, name, flags, 0444);
    if (fd == -ENOENT && entry->ours) {
        fd = make_parents(enter, path);
        if (fd == 0)
            fd = WRIT_RAW4(openat, folder, name, flags, 0444);
    }
    if (fd < 0)
        return writ_enter_fail(enter, WRIT_STEP_MOUNT_POINT, fd, index);
    long answer = 0;
    for (size_t written = 0; answer >= 0 && written < entry->mount->content_length;) {
        answer = WRIT_RAW3(write, fd, entry->mount->content + written, entry->mount->content_length - written);
        if (answer == 0)
            answer = -EIO;
        if (answer > 0)
            written += (size_t)answer;
    }
    close_fd(fd);
    if (!entry->ours)
        close_fd(folder);
    return answer < 0 ? writ_enter_fail(enter, WRIT_STEP_MOUNT, answer, index) : 0;
}

/* A link that the host has at the same place already, in a bound folder, is as good as made. */
static bool is_link_to(int folder_fd, const char *name, const char *target)
{
    char found[256] = {0};
    long length = WRIT_RAW4(readlinkat, folder_fd, name, found, sizeof found);
    for (long i = 0; i < length; i++)
        if (found[i] != target[i]) /* a shorter target ends with NUL, which no link holds */
            return false;
    return length > 0 && length < (long)sizeof found && target[length] == '\0';
}

static int make_link(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index)
{
    const char *path = entry->mount->path + 1;
    long answer;
    if (entry->ours) {
        answer = WRIT_RAW3(symlinkat, entry->mount->content, enter->root_fd, path);
        if (answer == -ENOENT) {
            answer = make_parents(enter, path);
            if (answer == 0)
                answer = WRIT_RAW3(symlinkat, entry->mount->content, enter->root_fd, path);
        }
    } else {
        long folder = walk(enter, path);
        answer = folder;
        if (folder >= 0 && is_ours(enter, (int)folder))
            answer = WRIT_RAW3(symlinkat, entry->mount->content, folder, enter->path);
        else if (folder >= 0)
            answer = is_link_to((int)folder, enter->path, entry->mount->content) ? 0 : -EROFS;
        close_fd(folder);
    }
    return answer < 0 ? writ_enter_fail(enter, WRIT_STEP_MOUNT_POINT, answer, index) : 0;
}

static int make_folder(struct writ_enter *enter, const struct writ_enter_mount *entry, size_t index)
{
    long point = make_point(enter, entry, true);
    close_fd(point);
    return point < 0 ? writ_enter_fail(enter, WRIT_STEP_MOUNT_POINT, point, index) : 0;
}

int writ_enter_mounts(struct writ_enter *enter)
{
    for (size_t i = 0; i < enter->mount_count; i++) {
        const struct writ_enter_mount *entry = &enter->mounts[i];
        int result = -1;
        switch (entry->mount->kind) {
        case WRIT_MOUNT_BIND:
            result = mount_bind(enter, entry, i);
            break;
        case WRIT_MOUNT_SYMLINK:
            result = make_link(enter, entry, i);
            break;
        case WRIT_MOUNT_FILE:
            result = make_file(enter, entry, i);
            break;
        case WRIT_MOUNT_FOLDER:
            result = make_folder(enter, entry, i);
            break;
        case WRIT_MOUNT_TMPFS:
            result = mount_tmpfs(enter, entry, i);
            break;
        case WRIT_MOUNT_DEVICE:
            result = mount_device(enter, entry, i);
            break;
        }
        if (result < 0)
            return -1;
    }
    writ_enter_trace(enter, WRIT_STEP_MOUNT);
    return 0;
}
