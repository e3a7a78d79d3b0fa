/*
 * Theory of operation.
 *
 * A writer locks current.jsonl, then makes sure that the name still leads to the file it locked (another process may
 * have closed that segment while it waited), reads the last record for its number and digest, and adds one line with
 * one write.  All that a next writer needs is in the files, so nothing has to be repaired in memory, and a process may
 * die between any two steps:
 *
 *   during the write          the tail is torn.  The next writer closes it with ` #torn` and a newline and adds a
 * `mark` that names the torn bytes; the chain goes on from the last whole record. between mark and record   the mark is
 * there, nothing is torn. after the closing rename  there is no current.jsonl.  Whoever comes next makes it, finds it
 * empty, and continues from the head of the newest closed segment.
 *
 * Closing happens only by a holder of the lock on the file that current.jsonl names, and the next holder's file exists
 * only after the rename; so no two processes ever close at once, and the new number is always free.
 *
 * A write that the disk takes only in part is cut back under the lock.  The mark is written by itself before the
 * record, so that no line that a reader has seen whole is ever cut back.
 *
 * While a handle lives, the tail it wrote last is remembered: when the file still has that size, nobody else has
 * written, and the tail is not read again.
 */
#include "audit/audit.h"

#include "audit/record.h"
#include "audit/segment.h"
#include "audit/tail.h"
#include "base/descriptor.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#define REOPEN_TRIES 1000 /* each means that a segment of 8 MiB was closed meanwhile */
#define TORN_CLOSE WRIT_AUDIT_TORN_SUFFIX "\n"

struct writ_audit {
    int folder_fd;
    int current_fd; /* -1: to be opened */
    struct stat current;
    /* The tail as last written or read; good while the file's size is tail_bytes. */
    bool tail_is_known;
    uint64_t tail_bytes;
    struct writ_audit_tail tail;
    struct writ_buffer line;
    char *state_folder; /* for messages */
    const struct writ_watch *watch;
};

/* Every way to fail ends in one class, with the place, what was not done and the way out. */
static int cannot_record(const struct writ_audit *audit, const char *state_folder, struct writ_error *error)
{
    if (error->code == WRIT_INTERNAL_MEMORY || error->code == WRIT_INTERRUPTED)
        return error->code;
    error->code = WRIT_INTERNAL_AUDIT;
    return writ_error_wrap(error, "cannot record the call in %s/audit (XDG_STATE_HOME names another place)",
                           audit ? audit->state_folder : state_folder);
}

int writ_audit_open(const char *state_folder, struct writ_audit **ret_audit, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close) int folder_fd = -1;
    int result = writ_audit_folder_make(state_folder, &folder_fd, error);
    if (result)
        return cannot_record(NULL, state_folder, error);
    struct writ_audit *audit = calloc(1, sizeof *audit);
    char *copy = strdup(state_folder);
    if (!audit || !copy) {
        free(audit);
        free(copy);
        return writ_error_memory(error);
    }
    audit->folder_fd = writ_descriptor_take(&folder_fd);
    audit->current_fd = -1;
    audit->state_folder = copy;
    /* With the newline, and room to see that a record is too long by how much. */
    writ_buffer_init(&audit->line, 2 * WRIT_AUDIT_RECORD_BYTES_MAX);
    *ret_audit = audit;
    return 0;
}

void writ_audit_set_watch(struct writ_audit *audit, const struct writ_watch *watch)
{
    audit->watch = watch;
}

void writ_audit_close(struct writ_audit *audit)
{
    if (!audit)
        return;
    writ_descriptor_close(&audit->current_fd);
    writ_descriptor_close(&audit->folder_fd);
    writ_buffer_clear(&audit->line);
    free(audit->state_folder);
    free(audit);
}

static void unlock(struct writ_audit *audit)
{
    if (audit->current_fd >= 0)
        (void)flock(audit->current_fd, LOCK_UN);
}

/* Locks the file that current.jsonl names now; audit->current then holds its status. */
static int lock_current(struct writ_audit *audit, struct writ_error *error)
{
    for (unsigned tries = 0; tries < REOPEN_TRIES; tries++) {
        int result;
        if (audit->current_fd < 0) {
            audit->tail_is_known = false;
            result = writ_audit_current_open(audit->folder_fd, &audit->current_fd, &audit->current, error);
            if (result)
                return result;
        }
        result = writ_audit_lock(audit->current_fd, LOCK_EX, audit->watch, error);
        if (result)
            return result;
        struct stat named;
        bool is_named = fstatat(audit->folder_fd, WRIT_AUDIT_CURRENT, &named, AT_SYMLINK_NOFOLLOW) == 0;
        if (!is_named && errno != ENOENT)
            return writ_error_io(error, errno, WRIT_AUDIT_CURRENT);
        if (is_named && named.st_dev == audit->current.st_dev && named.st_ino == audit->current.st_ino) {
            audit->current = named;
            return 0;
        }
        writ_descriptor_close(&audit->current_fd); /* drops the lock, too */
    }
    return writ_error_set(error, WRIT_INTERNAL_IO,
                          "%s is replaced again and again by another program; end that one, then try again",
                          WRIT_AUDIT_CURRENT);
}

/* Adds bytes to the locked file whole or not at all. */
static int add_bytes(struct writ_audit *audit, const char *bytes, size_t length, struct writ_error *error)
{
    uint64_t old_bytes = (uint64_t)audit->current.st_size;
    struct rlimit limit;
    /* Past RLIMIT_FSIZE the kernel would send SIGXFSZ, which ends a process that does not expect it. */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && old_bytes + length > limit.rlim_cur)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, EFBIG,
                                    "the log would pass the limit on file sizes of this process (raise ulimit -f)");
    ssize_t written;
    do
        written = write(audit->current_fd, bytes, length);
    while (written < 0 && errno == EINTR);
    if (written == (ssize_t)length) {
        audit->current.st_size += (off_t)length;
        return 0;
    }
    int reason = written < 0 ? errno : ENOSPC;
    audit->tail_is_known = false;
    if (written > 0 && ftruncate(audit->current_fd, (off_t)old_bytes) < 0)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, reason,
                                    "only %zd of %zu bytes could be written and not taken back (the next writer marks "
                                    "them); make room and try again",
                                    written, length);
    return writ_error_set_errno(
        error, WRIT_INTERNAL_IO, reason,
        "nothing was written; make room on that file system (du -sh shows what the log takes) or "
        "point XDG_STATE_HOME elsewhere, then try again");
}

/* Adds the line in audit->line, which becomes the new tail. */
static int add_record(struct writ_audit *audit, const char *prefix, const char *type, const char *fields,
                      size_t fields_length, struct writ_error *error)
{
    struct writ_buffer *line = &audit->line;
    size_t start = strlen(prefix);
    line->length = 0;
    line->failed = false;
    if (audit->tail.sequence >= WRIT_AUDIT_SEQUENCE_MAX)
        return writ_error_set(error, WRIT_INTERNAL_IO, "the log has no number left; move it away");
    writ_buffer_append(line, prefix, start);
    writ_audit_record_print(line, audit->tail.sequence + 1, type, fields, fields_length, audit->tail.head);
    if (line->failed && fields_length < WRIT_AUDIT_RECORD_BYTES_MAX)
        return writ_error_memory(error);
    if (line->failed || line->length - start > WRIT_AUDIT_RECORD_BYTES_MAX)
        return writ_error_set(error, WRIT_INTERNAL_IO, "a record of %zu bytes is too long: at most %zu fit",
                              fields_length, WRIT_AUDIT_RECORD_BYTES_MAX);
    struct writ_audit_line scan;
    writ_audit_line_scan(line->data + start, line->length - start - 1, &scan);
    assert(scan.kind == WRIT_AUDIT_LINE_RECORD); /* what a JSON writer wrote holds no control bytes */
    int result = add_bytes(audit, line->data, line->length, error);
    if (result)
        return result;
    audit->tail.sequence++;
    writ_audit_line_digest(line->data + start, line->length - start - 1, audit->tail.head);
    audit->tail_bytes = (uint64_t)audit->current.st_size;
    audit->tail_is_known = true;
    return 0;
}

/* Knows the tail afterwards, and has marked what was torn. */
static int load_tail(struct writ_audit *audit, struct writ_error *error)
{
    uint64_t current_bytes = (uint64_t)audit->current.st_size;
    if (audit->tail_is_known && audit->tail_bytes == current_bytes)
        return 0;
    audit->tail_is_known = false;
    int result =
        writ_audit_tail_read(audit->folder_fd, audit->current_fd, current_bytes, TORN_CLOSE, &audit->tail, error);
    if (result)
        return result;
    if (audit->tail.torn_bytes == 0) {
        audit->tail_bytes = current_bytes;
        audit->tail_is_known = true;
        return 0;
    }
    char fields[64 + WRIT_DIGEST_TEXT_BYTES];
    int length = snprintf(fields, sizeof fields, "\"torn_bytes\":%llu,\"torn_digest\":\"%s\"",
                          (unsigned long long)audit->tail.torn_bytes, audit->tail.torn_digest);
    return add_record(audit, audit->tail.torn_is_open ? TORN_CLOSE : "", "mark", fields, (size_t)length, error);
}

/* Closes the locked segment: its name becomes the next number, and the handle must lock anew. */
static int close_segment(struct writ_audit *audit, struct writ_error *error)
{
    uint64_t lowest, highest;
    char name[WRIT_AUDIT_NAME_BYTES];
    int result = writ_audit_segment_range(audit->folder_fd, 1, &lowest, &highest, error);
    if (result)
        return result;
    if (highest >= WRIT_AUDIT_NUMBER_MAX)
        return writ_error_set(error, WRIT_INTERNAL_IO, "segment %llu is the last there can be; move the log away",
                              (unsigned long long)highest);
    writ_audit_segment_name(highest + 1, name);
    /* The rename must not reach the disk before the bytes, or a power cut would leave a hole in the middle of the
     * chain. */
    if (fdatasync(audit->current_fd) < 0)
        return writ_error_io(error, errno, WRIT_AUDIT_CURRENT);
    result = renameat2(audit->folder_fd, WRIT_AUDIT_CURRENT, audit->folder_fd, name, RENAME_NOREPLACE);
    if (result < 0 && errno == EINVAL) {
        /* A file system without RENAME_NOREPLACE.  The number is free (see above); this look is for a stray file. */
        struct stat status;
        if (fstatat(audit->folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            return writ_error_io(error, EEXIST, name);
        result = renameat(audit->folder_fd, WRIT_AUDIT_CURRENT, audit->folder_fd, name);
    }
    if (result < 0)
        return writ_error_io(error, errno, name);
    writ_descriptor_close(&audit->current_fd);
    return 0;
}

/* Comes back with the lock held, the tail known and room in the segment. */
static int lock_with_room(struct writ_audit *audit, struct writ_error *error)
{
    for (;;) {
        int result = lock_current(audit, error);
        if (result == 0)
            result = load_tail(audit, error);
        if (result || (uint64_t)audit->current.st_size <= WRIT_AUDIT_SEGMENT_BYTES)
            return result;
        result = close_segment(audit, error);
        if (result)
            return result;
    }
}

int writ_audit_append(struct writ_audit *audit, const char *type, const struct writ_buffer *fields,
                      struct writ_error *error)
{
    assert(strcmp(type, "begin") == 0 || strcmp(type, "end") == 0);
    if (fields->failed)
        return writ_error_memory(error);
    int result = lock_with_room(audit, error);
    if (result == 0)
        result = add_record(audit, "", type, writ_buffer_text(fields), fields->length, error);
    unlock(audit);
    return result ? cannot_record(audit, NULL, error) : 0;
}
