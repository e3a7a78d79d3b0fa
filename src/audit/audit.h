/*
 * The audit log: one `begin` and one `end` record per call, chained by digest (S4.6; interfaces "Audit").
 *
 * Files: STATE/audit/current.jsonl and closed segments STATE/audit/NNNNNNNN.jsonl, counted from 00000001.  A record is
 * one line of compact JSON:
 *
 *   {"v":1,"seq":N,"time":"2026-11-30T12:00:00.123Z","type":"begin|end|mark", …, "prev":"sha256:…"}
 *
 * `seq` counts from 1 through all segments without a gap.  `prev` is the SHA-256 of the record before (its line without
 * the newline; for the first record of a segment the last one of the segment before; at the very start 64 zeros).  The
 * times are the clock's and may jump.  Nothing that was recorded is ever overwritten or removed by writ.
 *
 * What a crash leaves.  A record counts once its newline is in the file.  What a writer left behind without one is
 * kept; the next writer closes it with ` #torn` and a newline, and adds a record of type `mark` with `torn_bytes` and
 * `torn_digest` over all that stands between the record before and the mark.  A begin without an end reads
 * `outcome:unknown`.
 *
 * What is promised.  A record that was appended survives the end of writ by any signal and the end of every other
 * process, for it is in the kernel's hands; it is not forced onto the disk (only a segment is, when it is closed), so a
 * power cut may cost the last seconds.  Whoever owns the files could write the whole chain anew: only a head digest
 * kept elsewhere proves that nobody did.
 *
 * Rights.  The folder is made 0700 and the files 0600; they are opened by descriptor without following a link in their
 * last component, and a writer refuses what is not its own or may be written by others.
 *
 * Threads: a struct writ_audit may be used by one thread at a time; processes, and several structs in one, exclude each
 * other by flock.
 */
#ifndef WRIT_AUDIT_AUDIT_H
#define WRIT_AUDIT_AUDIT_H

#include "base/buffer.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/watch.h"
#include "data/json.h"

#include <stdbool.h>

#define WRIT_AUDIT_SEGMENT_BYTES ((uint64_t)8 << 20) /* a segment that is larger is closed by the next append */
#define WRIT_AUDIT_RECORD_BYTES_MAX ((size_t)64 << 10)

struct writ_audit;

/* `state_folder` is $XDG_STATE_HOME/writ, absolute; it and audit/ are made when missing (0700).
 * Errors: INTERNAL_AUDIT with the mend; INTERNAL_MEMORY. */
int writ_audit_open(const char *state_folder, struct writ_audit **ret_audit, struct writ_error *error) WRIT_MUST_USE;
/* Who is told while other writers are waited for, and may end that wait: an append then gives INTERRUPTED.  Borrowed;
 * NULL: nobody. */
void writ_audit_set_watch(struct writ_audit *audit, const struct writ_watch *watch);
/* NULL is fine. */
void writ_audit_close(struct writ_audit *audit);

/* Appends one record.  `fields` is a compact JSON object's members without the braces (`"run":"…","skill":"…"`),
 * written by the caller with the JSON writer; v, seq, time, type and prev are added here.  `type` is "begin" or "end";
 * both carry `run`, the text that joins a begin to its end.  `fields->failed` gives INTERNAL_MEMORY.
 * Waits for other writers, about 30 seconds at the most.
 * Errors: INTERNAL_AUDIT with the mend (also when the log was written by a newer writ); INTERNAL_MEMORY.  On error no
 * record was appended; a mark of torn bytes may have been. */
int writ_audit_append(struct writ_audit *audit, const char *type, const struct writ_buffer *fields,
                      struct writ_error *error) WRIT_MUST_USE;

/* ---- reading ---- */
/* A reader needs no write access, may be another user than the writer, makes nothing, and holds no writer up. A log
 * that does not exist is an empty log.  Errors: INTERNAL_IO (also when the log was written by a newer writ);
 * INTERNAL_MEMORY. */
struct writ_audit_record {
    uint64_t sequence;
    const char *line; /* as stored, without newline */
    size_t length;
    const struct writ_json *json; /* parsed, an object; valid during the callback, as `line` is */
};
/* Called for each record in order; a non-zero return stops the walk and is returned. */
typedef int writ_audit_visit(void *context, const struct writ_audit_record *record, struct writ_error *error);
/* Walks all segments oldest first, from sequence `from`.  Marks are visited, torn bytes are not; nor is a line that is
 * no record at all, which writ_audit_verify reports. */
int writ_audit_read(const char *state_folder, uint64_t from, writ_audit_visit *visit, void *context,
                    struct writ_error *error) WRIT_MUST_USE;
/* Follows: after the present end waits for appended records (inotify, no polling) until `stop_fd` is readable or hung
 * up, then returns 0.  Waits for the log to come into being, too. */
int writ_audit_follow(const char *state_folder, uint64_t from, int stop_fd, writ_audit_visit *visit, void *context,
                      struct writ_error *error) WRIT_MUST_USE;

struct writ_audit_verdict {
    bool intact;
    uint64_t records, segments, torn_tails; /* torn_tails: marked ones, and one at the end that nobody marked yet */
    uint64_t unfinished;                    /* begins without an end, of calls still running too */
    char head[WRIT_DIGEST_TEXT_BYTES]; /* digest of the last good record; "sha256:" and 64 zeros when there is none */
    uint64_t bad_sequence;             /* first record that breaks the chain, when not intact */
    char reason[256];                  /* a sentence about it, for people */
};
/* Checks the whole chain; `expected_head` (or NULL) must be the digest of some record in it.  A fault in the log is a
 * verdict, not an error; counts and head then tell of what stands before the fault.
 * Told to the watch: bytes read, of all.  INTERRUPTED when it wants the end.
 * Memory: fixed, and 32 bytes for each begin without an end (INTERNAL_LIMIT beyond a million of them). */
int writ_audit_verify(const char *state_folder, const char *expected_head, const struct writ_watch *watch,
                      struct writ_audit_verdict *ret_verdict, struct writ_error *error) WRIT_MUST_USE;

#endif
