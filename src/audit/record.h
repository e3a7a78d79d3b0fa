/*
 * The stored form of one line of the log.  Internal to audit.
 *
 * A record's line begins `{"v":1,"seq":N,"time":"` and ends `,"prev":"sha256:<64 hex>"}`: fixed at both ends, so that a
 * writer learns all it needs from the last line without parsing JSON.  Bytes that a crash left behind are closed with
 * ` #torn` and a newline: even a line that lost nothing but its newline can then never be taken for a record.
 *
 * Threads: pure functions.
 */
#ifndef WRIT_AUDIT_RECORD_H
#define WRIT_AUDIT_RECORD_H

#include "base/buffer.h"
#include "base/digest.h"
#include "base/error.h"

#include <stdbool.h>

#define WRIT_AUDIT_VERSION 1
#define WRIT_AUDIT_TORN_SUFFIX " #torn"
/* 18 digits: what a signed 64 bit reader of the log can hold, and more calls than there will be. */
#define WRIT_AUDIT_SEQUENCE_MAX ((uint64_t)999999999999999999)

enum writ_audit_line_kind {
    WRIT_AUDIT_LINE_OTHER,  /* nothing that writ writes: damage */
    WRIT_AUDIT_LINE_RECORD, /* of this version */
    WRIT_AUDIT_LINE_NEWER,  /* a record of a later format */
    WRIT_AUDIT_LINE_TORN,   /* left by a crash and closed by a later writer */
};

struct writ_audit_line {
    enum writ_audit_line_kind kind;
    uint64_t version, sequence; /* sequence: records only */
    const char *prev;           /* records only: WRIT_DIGEST_TEXT_BYTES - 1 bytes inside the line */
};

/* Looks at both ends of a line (without its newline) and for control bytes between; the JSON inside is not judged. */
void writ_audit_line_scan(const char *text, size_t length, struct writ_audit_line *ret_line);

/* Appends a whole record with its newline.  `fields` may be empty. */
void writ_audit_record_print(struct writ_buffer *out, uint64_t sequence, const char *type, const char *fields,
                             size_t fields_length, const char *prev);

/* The digest that the next record carries. */
void writ_audit_line_digest(const char *text, size_t length, char ret_text[WRIT_DIGEST_TEXT_BYTES]);

/* What stands in for the digest before the first record. */
#define WRIT_AUDIT_HEAD_NONE "sha256:0000000000000000000000000000000000000000000000000000000000000000"
_Static_assert(sizeof WRIT_AUDIT_HEAD_NONE == WRIT_DIGEST_TEXT_BYTES, "printed as a digest is");

/* Fills the error for a record of a later format. */
int writ_audit_newer_error(struct writ_error *error, const char *where, uint64_t version);

#endif
