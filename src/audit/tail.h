/*
 * The end of the log as a writer finds it.  Internal to audit.  All errors are INTERNAL_IO or INTERNAL_MEMORY.
 */
#ifndef WRIT_AUDIT_TAIL_H
#define WRIT_AUDIT_TAIL_H

#include "base/digest.h"
#include "base/error.h"

#include <stdbool.h>

struct writ_audit_tail {
    uint64_t sequence;                 /* of the last whole record; 0 when there is none yet */
    char head[WRIT_DIGEST_TEXT_BYTES]; /* its digest, or WRIT_AUDIT_HEAD_NONE */
    /* What follows that record and is none: left by a crash, or by somebody's hand. */
    uint64_t torn_bytes;
    char torn_digest[WRIT_DIGEST_TEXT_BYTES];
    bool torn_is_open; /* the current segment's last line lacks its newline */
};

/* Reads the tail under the writer's lock.  A current segment that holds no record is continued from the newest closed
 * one.  The digest over torn bytes includes what `suffix_when_open` will add to an open line. */
int writ_audit_tail_read(int folder_fd, int current_fd, uint64_t current_bytes, const char *suffix_when_open,
                         struct writ_audit_tail *ret_tail, struct writ_error *error) WRIT_MUST_USE;

#endif
