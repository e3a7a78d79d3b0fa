/*
 * The audit log: one `begin` and one `end` record per call, chained by digest (S4.6; interfaces "Audit").
 *
 * Files: STATE/audit/current.jsonl and closed segments STATE/audit/NNNNNNNN.jsonl.  A record is one line of compact
 * JSON:
 * {"v":1,"seq":N,"time":"2026-11-30T12:00:00.123Z","type":"begin|end|mark", …, "prev":"sha256:…"}; `prev` is the
 * SHA-256 of the line before (without its newline; of the head of the closed segment for the first line of the next; 64
 * zeros at the very start).  Appends happen under flock with one write; a torn tail left by a crash is marked by the
 * next writer with a `mark` record and never parsed as a record.  A begin without an end reads `outcome:unknown`.
 *
 * The log directory is 0700, files 0600, opened without following links and refused when not owned by the caller.
 * Threads: a struct writ_audit may be used by one thread at a time; processes exclude each other by flock.
 */
#ifndef WRIT_AUDIT_AUDIT_H
#define WRIT_AUDIT_AUDIT_H

#include "base/buffer.h"
#include "base/digest.h"
#include "base/error.h"
#include "data/json.h"

#include <stdbool.h>

#define WRIT_AUDIT_SEGMENT_BYTES ((uint64_t)8 << 20) /* a segment that is larger is closed */
#define WRIT_AUDIT_RECORD_BYTES_MAX ((size_t)64 << 10)

struct writ_audit;

/* `state_folder` is $XDG_STATE_HOME/writ; it and audit/ are made when missing (0700).
 * Error: INTERNAL_AUDIT with the mend. */
int writ_audit_open(const char *state_folder, struct writ_audit **ret_audit, struct writ_error *error) WRIT_MUST_USE;
void writ_audit_close(struct writ_audit *audit);

/* Appends one record.  `fields` is a compact JSON object's members without the braces (`"run":"…","skill":"…"`),
 * written by the caller with the JSON writer; v, seq, time and prev are added here.  `type` is "begin", "end".
 * Error: INTERNAL_AUDIT. On error nothing was appended. */
int writ_audit_append(struct writ_audit *audit, const char *type, const struct writ_buffer *fields,
                      struct writ_error *error) WRIT_MUST_USE;

/* ---- reading ---- */
struct writ_audit_record {
    uint64_t sequence;
    const char *line; /* as stored, without newline */
    size_t length;
    const struct writ_json *json; /* parsed; valid during the callback */
};
/* Called for each record in order; a non-zero return stops the walk and is returned. */
typedef int writ_audit_visit(void *context, const struct writ_audit_record *record, struct writ_error *error);
/* Walks all segments oldest first, from sequence `from`.  Marks of torn tails are visited, torn bytes are not.  A
 * reader needs no write access and takes no lock longer than one read. */
int writ_audit_read(const char *state_folder, uint64_t from, writ_audit_visit *visit, void *context,
                    struct writ_error *error) WRIT_MUST_USE;
/* Follows: after the present end waits for appended records (inotify, no polling) until `stop_fd` is readable. */
int writ_audit_follow(const char *state_folder, uint64_t from, int stop_fd, writ_audit_visit *visit, void *context,
                      struct writ_error *error) WRIT_MUST_USE;

struct writ_audit_verdict {
    bool intact;
    uint64_t records, segments, torn_tails, unfinished; /* unfinished: begins without an end */
    char head[WRIT_DIGEST_TEXT_BYTES];                  /* digest of the last record */
    uint64_t bad_sequence;                              /* first record that breaks the chain, when not intact */
    char reason[256];
};
/* Checks the whole chain; `expected_head` (or NULL) must be the digest of some record in it. */
int writ_audit_verify(const char *state_folder, const char *expected_head, struct writ_audit_verdict *ret_verdict,
                      struct writ_error *error) WRIT_MUST_USE;

#endif
