/*
 * Walks the bytes of the log line by line through all segments, oldest first, beside writers at work.  Internal to
 * audit.
 *
 * No lock is taken: a line is handed out once its newline is there, and writers never take a whole line back.  Closing
 * a segment under the reader's feet is noticed at its end.
 *
 * Threads: one at a time.
 */
#ifndef WRIT_AUDIT_WALK_H
#define WRIT_AUDIT_WALK_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct writ_audit_walk {
    int folder_fd, fd;
    bool is_closed;       /* fd is a closed segment */
    bool drained_current; /* the last segment walked was first met as current.jsonl */
    bool is_in_line;      /* the last piece was a part of a line */
    uint64_t line_bytes;  /* handed out of that line */
    dev_t device;         /* of fd, or of the segment walked last */
    ino_t inode;
    uint64_t number;   /* of the segment to walk next, or that fd has or will have */
    uint64_t segments; /* walked or being walked */
    uint64_t offset;   /* in fd, of buffer[begin] */
    size_t begin, end;
    char *buffer;
};

/* A line, or a part of one that is longer than any record. */
struct writ_audit_piece {
    const char *text; /* valid until the next call */
    size_t length;    /* without the newline */
    bool begins_line;
    bool ends_line; /* false: more of the line follows, or a closed segment ended without a newline */
};

/* Takes over the folder's descriptor, whatever comes of it. */
int writ_audit_walk_init(struct writ_audit_walk *walk, int folder_fd, struct writ_error *error) WRIT_MUST_USE;
/* Safe on a zeroed struct whose descriptors are -1 and after init. */
void writ_audit_walk_clear(struct writ_audit_walk *walk);

/* Returns 1 with a piece, 0 at the present end (ask again later: more may come), or a negative code: also INTERNAL_IO
 * for a line that is longer than what any writer leaves. */
int writ_audit_walk_next(struct writ_audit_walk *walk, struct writ_audit_piece *ret_piece,
                         struct writ_error *error) WRIT_MUST_USE;

/* After 0: bytes behind the last newline, of a write under way or a torn one. */
size_t writ_audit_walk_rest_bytes(const struct writ_audit_walk *walk) WRIT_PURE;

#endif
