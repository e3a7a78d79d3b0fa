#include "skill/skill_digest.h"

#include "base/descriptor.h"
#include "base/digest.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/*
 * The digest of a skill's folder, and its cache.
 *
 * First the tree is walked by descriptors and every regular file noted with its identity (device, inode, size, times).
 * Then each is read and hashed, and the sorted notes are hashed as catalog.h says.  A file that is not what was noted
 * when it is opened, or not as long when it was read, changed in between: the digest fails rather than mix two states.
 *
 * The cache holds, for the folder's identity, the fingerprint of all notes and the digest that they led to.  While no
 * note changes, no file is read.  A change time cannot be set back without turning the clock, but two changes within
 * one tick of it look alike: what changed in the last two seconds is therefore not cached.
 *
 * A shared mapping changes a file without a call.  The kernel then sets the change time when a page is first written
 * through a mapping, and not again until that page was written back; and it is sure to do so only where the file system
 * asks to be told of that first write.  Two rules follow.  The cache serves only file systems that ask (ext2 to ext4,
 * btrfs): memory file systems do not; those with layers, on a network or in a program may not know; XFS and F2FS, which
 * ask, have calls that move contents between files and leave their times.  And a digest is kept only if no file was
 * open for writing at a moment between its note and its reading, which a read lease tells: a mapping counts as long as
 * it lasts.  So whoever changes a file after that moment opened it after that moment, and his first write to each page
 * moves the change time past the noted one.  Hence nothing has to be asked again when the cache is used.  A lease is
 * had only on one's own files, or with CAP_LEASE: a skill that belongs to somebody else is read every time, but for
 * shipped ones, whose files are root's and for root alone to write; they are taken to have no writer.
 *
 * Not seen are a device that is still filling memory which was mapped and no longer is, and a mapping that somebody
 * kept from before root took his file over.
 */

#define DEPTH_MAX 32
#define FILES_MAX 10000
#define FOLDERS_MAX 10000
#define BYTES_MAX ((uint64_t)1 << 30)
#define FRESH_SECONDS 2
#define ASK_BYTES ((uint64_t)512 << 10) /* between two looks at the watch */

static const char magic[] = "writ skill digest 1\n";
#define SIGNATURE_PATH ".writ/signature.json"

struct note {
    const char *path; /* below the skill's folder, `/` between parts */
    size_t path_bytes;
    uint64_t size;
    bool executable;
    struct stat identity;
};

struct walk {
    int folder_fd;
    struct writ_arena arena;
    struct note *notes;
    size_t count, capacity, folders;
    uint64_t bytes;
    char path[PATH_MAX]; /* of what is being looked at */
    bool keepable;       /* the digest may be kept, as far as is known */
    const struct writ_watch *watch;
    uint64_t hashed; /* bytes */
    struct writ_error *error;
};

static void clear_walk(struct walk *walk)
{
    writ_arena_clear(&walk->arena);
    free(walk->notes);
}

static void close_folder(DIR **folder)
{
    if (*folder)
        (void)closedir(*folder);
}

/* A path for a message: control characters would let a name play with the terminal. */
static const char *shown(const struct walk *walk, char *text, size_t size)
{
    (void)snprintf(text, size, "%.180s", walk->path);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
    return text;
}

static int fail_at(struct walk *walk, enum writ_code code, const char *what)
{
    char text[200];
    (void)writ_error_set(walk->error, code, "`%s` %s", shown(walk, text, sizeof text), what);
    return code;
}

static int fail_io(struct walk *walk, int sys_errno)
{
    char text[200];
    return writ_error_io(walk->error, sys_errno, shown(walk, text, sizeof text));
}

static int note_file(struct walk *walk, size_t path_bytes, const struct stat *status)
{
    if (strcmp(walk->path, SIGNATURE_PATH) == 0)
        return 0;
    walk->bytes += (uint64_t)status->st_size;
    if (walk->count == FILES_MAX || (uint64_t)status->st_size > BYTES_MAX || walk->bytes > BYTES_MAX)
        return writ_error_set(walk->error, WRIT_INTERNAL_LIMIT,
                              "the skill's folder has more than %d files or more than 1 GiB; move data out of it",
                              FILES_MAX);
    if (walk->count == walk->capacity) {
        size_t capacity = walk->capacity ? walk->capacity * 2 : 32;
        struct note *notes = reallocarray(walk->notes, capacity, sizeof *notes);
        if (!notes)
            return writ_error_memory(walk->error);
        walk->notes = notes;
        walk->capacity = capacity;
    }
    char *path = writ_arena_copy(&walk->arena, walk->path, path_bytes);
    if (!path)
        return writ_error_memory(walk->error);
    walk->notes[walk->count++] = (struct note){.path = path,
                                               .path_bytes = path_bytes,
                                               .size = (uint64_t)status->st_size,
                                               .executable = (status->st_mode & S_IXUSR) != 0,
                                               .identity = *status};
    return 0;
}

static int walk_folder(struct walk *walk, int parent_fd, const char *name, size_t path_bytes, unsigned depth);

static int walk_entry(struct walk *walk, int fd, const char *name, size_t parent_bytes, unsigned depth)
{
    size_t name_bytes = strlen(name), path_bytes = parent_bytes + (parent_bytes > 0) + name_bytes;
    if (path_bytes >= sizeof walk->path)
        return fail_at(walk, WRIT_INTERNAL_LIMIT, "leads to a path that is too long");
    if (parent_bytes > 0)
        walk->path[parent_bytes] = '/';
    memcpy(walk->path + path_bytes - name_bytes, name, name_bytes + 1);
    struct stat status;
    if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_io(walk, errno);
    if (S_ISREG(status.st_mode))
        return note_file(walk, path_bytes, &status);
    if (S_ISDIR(status.st_mode))
        return walk_folder(walk, fd, name, path_bytes, depth + 1);
    if (S_ISLNK(status.st_mode))
        return fail_at(walk, WRIT_TRUST_DIGEST,
                       "is a symbolic link; a skill holds files themselves, so put a copy in its place");
    return fail_at(walk, WRIT_TRUST_DIGEST, "is neither a file nor a folder; remove it");
}

static int walk_folder(struct walk *walk, int parent_fd, const char *name, size_t path_bytes, unsigned depth)
{
    if (depth > DEPTH_MAX)
        return fail_at(walk, WRIT_INTERNAL_LIMIT, "is nested deeper than 32 folders");
    if (++walk->folders > FOLDERS_MAX)
        return fail_at(walk, WRIT_INTERNAL_LIMIT, "is one of more than 10000 folders");
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return fail_io(walk, errno);
    WRIT_CLEANUP(close_folder) DIR *folder = fdopendir(fd);
    if (!folder)
        return fail_io(walk, errno);
    int folder_fd = writ_descriptor_take(&fd); /* closed with the folder */
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry && errno == 0)
            return 0;
        walk->path[path_bytes] = '\0';
        if (!entry)
            return fail_io(walk, errno);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int result = walk_entry(walk, folder_fd, entry->d_name, path_bytes, depth);
        if (result < 0)
            return result;
    }
}

static int compare_notes(const void *a, const void *b)
{
    const struct note *one = a, *other = b;
    size_t shorter = one->path_bytes < other->path_bytes ? one->path_bytes : other->path_bytes;
    int order = memcmp(one->path, other->path, shorter);
    if (order != 0)
        return order;
    return one->path_bytes < other->path_bytes ? -1 : one->path_bytes > other->path_bytes;
}

static int take_notes(struct walk *walk)
{
    int result = walk_folder(walk, walk->folder_fd, ".", 0, 0);
    if (result == 0 && walk->count > 0)
        qsort(walk->notes, walk->count, sizeof *walk->notes, compare_notes);
    return result;
}

static void update_number(struct writ_digest *digest, uint64_t number)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (56 - 8 * i));
    writ_digest_update(digest, bytes, sizeof bytes);
}

/* ---- reading the files ---- */

/* False as well when it cannot be told.  The lease lasts for a moment; whoever opens the file for writing just then
 * waits for its end, and the signal that tells of him must be one that is ignored by default: SIGIO would end the
 * process. */
static bool has_no_writer(int fd, const struct stat *status)
{
    if (status->st_uid == 0 && geteuid() != 0 && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0)
        return true;
    return fcntl(fd, F_SETSIG, SIGURG) == 0 && fcntl(fd, F_SETLEASE, F_RDLCK) == 0 &&
           fcntl(fd, F_SETLEASE, F_UNLCK) == 0;
}

/* Asks every so many bytes. */
static int ask_watch(struct walk *walk, uint64_t bytes)
{
    const struct writ_activity activity = {
        .what = "reading the files of the skill", .done = walk->hashed + bytes, .total = walk->bytes};
    bool due = walk->hashed / ASK_BYTES != (walk->hashed + bytes) / ASK_BYTES;
    walk->hashed += bytes;
    return due ? writ_watch_check(walk->watch, &activity, walk->error) : 0;
}

static int hash_file(struct walk *walk, const struct note *note, unsigned char ret_bytes[WRIT_DIGEST_BYTES])
{
    (void)snprintf(walk->path, sizeof walk->path, "%s", note->path);
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = (int)syscall(SYS_openat2, walk->folder_fd, note->path, &how, sizeof how);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        return fail_io(walk, errno);
    bool same = status.st_dev == note->identity.st_dev && status.st_ino == note->identity.st_ino &&
                status.st_size == note->identity.st_size && status.st_mode == note->identity.st_mode;
    walk->keepable = walk->keepable && has_no_writer(fd, &status);
    struct writ_digest digest;
    writ_digest_init(&digest);
    uint64_t bytes = 0;
    char block[32 * 1024];
    while (same && bytes <= note->size) {
        ssize_t got = read(fd, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_io(walk, errno);
        if (got == 0)
            break;
        writ_digest_update(&digest, block, (size_t)got);
        bytes += (uint64_t)got;
        if (ask_watch(walk, (uint64_t)got) < 0)
            return walk->error->code;
    }
    if (!same || bytes != note->size)
        return fail_at(walk, WRIT_TRUST_DIGEST, "changed while it was read; try again when nothing writes to it");
    writ_digest_final(&digest, ret_bytes);
    return 0;
}

static int hash_notes(struct walk *walk, unsigned char ret_digest[WRIT_DIGEST_BYTES])
{
    struct writ_digest digest;
    writ_digest_init(&digest);
    writ_digest_update(&digest, magic, sizeof magic - 1);
    update_number(&digest, walk->count);
    for (size_t i = 0; i < walk->count; i++) {
        const struct note *note = &walk->notes[i];
        unsigned char bytes[WRIT_DIGEST_BYTES], executable = note->executable;
        int result = hash_file(walk, note, bytes);
        if (result < 0)
            return result;
        update_number(&digest, note->path_bytes);
        writ_digest_update(&digest, note->path, note->path_bytes);
        writ_digest_update(&digest, &executable, 1);
        update_number(&digest, note->size);
        writ_digest_update(&digest, bytes, sizeof bytes);
    }
    writ_digest_final(&digest, ret_digest);
    return 0;
}

static int digest_anew(int folder_fd, const struct writ_watch *watch, unsigned char ret_digest[WRIT_DIGEST_BYTES],
                       struct writ_error *error)
{
    WRIT_CLEANUP(clear_walk) struct walk walk = {.folder_fd = folder_fd, .watch = watch, .error = error};
    writ_arena_init(&walk.arena, (size_t)64 << 20);
    int result = take_notes(&walk);
    return result < 0 ? result : hash_notes(&walk, ret_digest);
}

int writ_skill_digest(int folder_fd, unsigned char ret_digest[WRIT_DIGEST_BYTES], struct writ_error *error)
{
    return digest_anew(folder_fd, NULL, ret_digest, error);
}

/* ---- the cache ---- */

#define CACHE_FORMAT 2 /* 1 was kept by weaker rules */
struct cache_entry {
    uint32_t format, reserved;
    unsigned char fingerprint[WRIT_DIGEST_BYTES], digest[WRIT_DIGEST_BYTES];
    unsigned char check[WRIT_DIGEST_BYTES]; /* of all before it: a torn write is no entry */
};

static void update_time(struct writ_digest *digest, const struct timespec *time)
{
    update_number(digest, (uint64_t)time->tv_sec);
    update_number(digest, (uint64_t)time->tv_nsec);
}

/* True when the change times of the folder's file system tell of every change. */
static bool times_tell(int folder_fd)
{
    struct statfs file_system;
    return fstatfs(folder_fd, &file_system) == 0 &&
           (file_system.f_type == EXT4_SUPER_MAGIC || file_system.f_type == BTRFS_SUPER_MAGIC);
}

/* Nothing is keepable when something changed so lately that a further change might not show, or is mounted from
 * elsewhere. */
static void take_fingerprint(struct walk *walk, dev_t device, const struct timespec *now, unsigned char ret_bytes[32])
{
    struct writ_digest digest;
    writ_digest_init(&digest);
    update_number(&digest, walk->count);
    for (size_t i = 0; i < walk->count; i++) {
        const struct note *note = &walk->notes[i];
        const struct stat *identity = &note->identity;
        update_number(&digest, note->path_bytes);
        writ_digest_update(&digest, note->path, note->path_bytes);
        update_number(&digest, identity->st_dev);
        update_number(&digest, identity->st_ino);
        update_number(&digest, identity->st_mode);
        update_number(&digest, note->size);
        update_time(&digest, &identity->st_mtim);
        update_time(&digest, &identity->st_ctim);
        walk->keepable =
            walk->keepable && identity->st_dev == device && identity->st_ctim.tv_sec + FRESH_SECONDS < now->tv_sec;
    }
    writ_digest_final(&digest, ret_bytes);
}

static void check_of(const struct cache_entry *entry, unsigned char ret_bytes[WRIT_DIGEST_BYTES])
{
    writ_digest_of(entry, offsetof(struct cache_entry, check), ret_bytes);
}

static bool read_entry(int cache_fd, const char *name, struct cache_entry *ret_entry)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = openat(cache_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    unsigned char check[WRIT_DIGEST_BYTES];
    if (fd < 0 || read(fd, ret_entry, sizeof *ret_entry) != (ssize_t)sizeof *ret_entry)
        return false;
    check_of(ret_entry, check);
    return ret_entry->format == CACHE_FORMAT && memcmp(check, ret_entry->check, sizeof check) == 0;
}

/* A cache that cannot be written only costs time. */
static void keep_entry(const char *cache_folder, int *cache_fd, const char *name, struct cache_entry *entry)
{
    struct writ_error unused;
    check_of(entry, entry->check);
    if (*cache_fd < 0 && writ_folder_make(cache_folder, 0700, cache_fd, &unused) < 0)
        return;
    writ_file_sweep(*cache_fd, name);
    if (writ_file_write_atomic(*cache_fd, name, 0600, entry, sizeof *entry, &unused) < 0)
        return;
}

int skill_digest_cached_at(int folder_fd, const char *cache_folder, const struct timespec *now,
                           const struct writ_watch *watch, unsigned char ret_digest[WRIT_DIGEST_BYTES],
                           struct writ_error *error)
{
    if (!times_tell(folder_fd))
        return digest_anew(folder_fd, watch, ret_digest, error);
    WRIT_CLEANUP(clear_walk)
    struct walk walk = {.folder_fd = folder_fd, .keepable = true, .watch = watch, .error = error};
    writ_arena_init(&walk.arena, (size_t)64 << 20);
    int result = take_notes(&walk);
    struct stat status;
    if (result < 0)
        return result;
    if (fstat(folder_fd, &status) < 0)
        return writ_error_io(error, errno, "skill's folder");
    struct cache_entry entry = {.format = CACHE_FORMAT}, kept;
    take_fingerprint(&walk, status.st_dev, now, entry.fingerprint);
    char name[64];
    /* The format is in the name, so that two versions of writ do not replace each other's entries. */
    (void)snprintf(name, sizeof name, "%llx-%llx.%d", (unsigned long long)status.st_dev,
                   (unsigned long long)status.st_ino, CACHE_FORMAT);
    WRIT_CLEANUP(writ_descriptor_close) int cache_fd = open(cache_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cache_fd >= 0 && read_entry(cache_fd, name, &kept) &&
        memcmp(kept.fingerprint, entry.fingerprint, sizeof entry.fingerprint) == 0) {
        memcpy(ret_digest, kept.digest, sizeof kept.digest);
        return 0;
    }
    result = hash_notes(&walk, entry.digest);
    if (result < 0)
        return result;
    if (walk.keepable)
        keep_entry(cache_folder, &cache_fd, name, &entry);
    memcpy(ret_digest, entry.digest, sizeof entry.digest);
    return 0;
}

int writ_skill_digest_cached(int folder_fd, const char *cache_folder, const struct writ_watch *watch,
                             unsigned char ret_digest[WRIT_DIGEST_BYTES], struct writ_error *error)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) < 0)
        return digest_anew(folder_fd, watch, ret_digest, error);
    return skill_digest_cached_at(folder_fd, cache_folder, &now, watch, ret_digest, error);
}
