#include "audit/walk.h"

#include "audit/audit.h"
#include "audit/segment.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer than any record, so that a record is always handed out whole. */
#define BUFFER_BYTES (2 * WRIT_AUDIT_RECORD_BYTES_MAX)
/* Kept back from a part of an overlong line, so that the line's last piece is long enough to show how it ends. */
#define KEPT_BYTES 64

int writ_audit_walk_init(struct writ_audit_walk *walk, int folder_fd, struct writ_error *error)
{
    *walk = (struct writ_audit_walk){.folder_fd = folder_fd, .fd = -1, .number = 1, .buffer = malloc(BUFFER_BYTES)};
    if (walk->buffer)
        return 0;
    writ_audit_walk_clear(walk);
    return writ_error_memory(error);
}

void writ_audit_walk_clear(struct writ_audit_walk *walk)
{
    writ_descriptor_close(&walk->fd);
    writ_descriptor_close(&walk->folder_fd);
    free(walk->buffer);
    walk->buffer = NULL;
}

size_t writ_audit_walk_rest_bytes(const struct writ_audit_walk *walk)
{
    return walk->end - walk->begin;
}

static bool is_same_file(const struct writ_audit_walk *walk, const struct stat *status)
{
    return status->st_dev == walk->device && status->st_ino == walk->inode;
}

static void enter(struct writ_audit_walk *walk, int fd, const struct stat *status, bool is_closed)
{
    walk->fd = fd;
    walk->device = status->st_dev;
    walk->inode = status->st_ino;
    walk->is_closed = is_closed;
    walk->drained_current = !is_closed;
    walk->is_in_line = false;
    walk->line_bytes = 0;
    walk->offset = 0;
    walk->begin = walk->end = 0;
    walk->segments++;
}

/* Opens the next closed segment.  Returns 1, 0 when there is none, or a negative code. */
static int open_closed(struct writ_audit_walk *walk, struct writ_error *error)
{
    for (;;) {
        char name[WRIT_AUDIT_NAME_BYTES];
        struct stat status;
        int fd;
        writ_audit_segment_name(walk->number, name);
        int result = writ_audit_segment_open(walk->folder_fd, name, &fd, &status, error);
        if (result)
            return result;
        if (fd < 0) {
            /* The numbers may begin later, or have a hole: somebody moved old segments away. */
            uint64_t lowest, highest;
            result = writ_audit_segment_range(walk->folder_fd, walk->number, &lowest, &highest, error);
            if (result || lowest <= walk->number)
                return result;
            walk->number = lowest;
            continue;
        }
        if (walk->drained_current && is_same_file(walk, &status)) {
            /* What was walked as current.jsonl has got its number meanwhile. */
            writ_descriptor_close(&fd);
            walk->drained_current = false;
            walk->number++;
            continue;
        }
        enter(walk, fd, &status, true);
        return 1;
    }
}

/* Opens what is to be walked next.  Returns 1, 0 when there is nothing yet, or a negative code. */
static int open_next(struct writ_audit_walk *walk, struct writ_error *error)
{
    for (;;) {
        int result = open_closed(walk, error);
        if (result)
            return result;
        struct stat status, named;
        int fd;
        result = writ_audit_segment_open(walk->folder_fd, WRIT_AUDIT_CURRENT, &fd, &status, error);
        if (result || fd < 0)
            return result;
        /* Closed between the two looks: then it, or an older one, has a number by now. */
        char name[WRIT_AUDIT_NAME_BYTES];
        writ_audit_segment_name(walk->number, name);
        if (fstatat(walk->folder_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0) {
            writ_descriptor_close(&fd);
            continue;
        }
        enter(walk, fd, &status, false);
        return 1;
    }
}

/* At the end of the file: true when no writer can add to it any more. */
static bool was_closed(const struct writ_audit_walk *walk)
{
    struct stat named;
    return fstatat(walk->folder_fd, WRIT_AUDIT_CURRENT, &named, AT_SYMLINK_NOFOLLOW) < 0 || !is_same_file(walk, &named);
}

/* Reads on.  Returns the count of bytes, 0 at the end of the file. */
static int refill(struct writ_audit_walk *walk, size_t *ret_got, struct writ_error *error)
{
    memmove(walk->buffer, walk->buffer + walk->begin, walk->end - walk->begin);
    walk->end -= walk->begin;
    walk->begin = 0;
    ssize_t got;
    do
        got = pread(walk->fd, walk->buffer + walk->end, BUFFER_BYTES - walk->end, (off_t)(walk->offset + walk->end));
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return writ_error_io(error, errno, WRIT_AUDIT_CURRENT);
    walk->end += (size_t)got;
    *ret_got = (size_t)got;
    return 0;
}

static int hand_out(struct writ_audit_walk *walk, size_t length, size_t newline, struct writ_audit_piece *ret_piece)
{
    *ret_piece = (struct writ_audit_piece){.text = walk->buffer + walk->begin,
                                           .length = length,
                                           .begins_line = !walk->is_in_line,
                                           .ends_line = newline > 0};
    walk->is_in_line = newline == 0;
    walk->line_bytes = newline ? 0 : walk->line_bytes + length;
    walk->begin += length + newline;
    walk->offset += length + newline;
    return 1;
}

int writ_audit_walk_next(struct writ_audit_walk *walk, struct writ_audit_piece *ret_piece, struct writ_error *error)
{
    for (;;) {
        if (walk->fd < 0) {
            int result = open_next(walk, error);
            if (result <= 0)
                return result;
        }
        size_t rest = walk->end - walk->begin;
        const char *text = walk->buffer + walk->begin;
        const char *newline = memchr(text, '\n', rest);
        if (newline)
            return hand_out(walk, (size_t)(newline - text), 1, ret_piece);
        /* Whoever counts what is no record has noticed before. */
        if (rest == BUFFER_BYTES && walk->line_bytes > WRIT_AUDIT_FOREIGN_BYTES_MAX + BUFFER_BYTES)
            return writ_error_set(error, WRIT_INTERNAL_IO,
                                  "the log holds a line of more than %zu bytes: it is no audit log; move it away",
                                  WRIT_AUDIT_FOREIGN_BYTES_MAX);
        if (rest == BUFFER_BYTES)
            return hand_out(walk, rest - KEPT_BYTES, 0, ret_piece);
        /* A writer may have cut back an unfinished line since it was read. */
        if (!walk->is_closed)
            walk->end = walk->begin;
        size_t got = 0;
        int result = refill(walk, &got, error);
        if (result)
            return result;
        if (memchr(walk->buffer, '\n', walk->end) || walk->end == BUFFER_BYTES)
            continue;
        if (!walk->is_closed) {
            /* Only what is read after the segment was seen closed is surely all of it. */
            if (!was_closed(walk))
                return 0;
            walk->is_closed = true;
            walk->end = walk->begin;
            continue;
        }
        if (got > 0)
            continue;
        rest = walk->end - walk->begin;
        writ_descriptor_close(&walk->fd);
        if (!walk->drained_current)
            walk->number++;
        if (rest > 0)
            return hand_out(walk, rest, 0, ret_piece);
    }
}
