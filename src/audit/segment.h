/*
 * The files of the log: STATE/audit/current.jsonl and closed segments 00000001.jsonl, 00000002.jsonl, …  Internal to
 * audit.
 *
 * A writer locks current.jsonl itself and then looks whether the name still leads to what it locked; so closing a
 * segment is one rename and no other file is needed.  All errors here are INTERNAL_IO; writers turn them into
 * INTERNAL_AUDIT.
 */
#ifndef WRIT_AUDIT_SEGMENT_H
#define WRIT_AUDIT_SEGMENT_H

#include "audit/audit.h"
#include "base/watch.h"

#include <stdbool.h>
#include <sys/stat.h>

#define WRIT_AUDIT_CURRENT "current.jsonl"
#define WRIT_AUDIT_NUMBER_MAX 99999999U
#define WRIT_AUDIT_NAME_BYTES 32
/* What may stand between two records: a segment is closed once it passes its size, so that a file is at most a record
 * and a mark larger.  More than that in one piece was never written by a writ. */
#define WRIT_AUDIT_FOREIGN_BYTES_MAX ((size_t)WRIT_AUDIT_SEGMENT_BYTES + 4 * WRIT_AUDIT_RECORD_BYTES_MAX)

/* `00000042.jsonl` */
void writ_audit_segment_name(uint64_t number, char ret_name[WRIT_AUDIT_NAME_BYTES]);

/* Makes what is missing (0700) and opens STATE/audit for a writer: refused when it or STATE is not the caller's or
 * others may write there. */
int writ_audit_folder_make(const char *state_folder, int *ret_folder_fd, struct writ_error *error) WRIT_MUST_USE;
/* Opens STATE/audit for a reader; *ret_folder_fd is -1 when there is none yet. */
int writ_audit_folder_open(const char *state_folder, int *ret_folder_fd, struct writ_error *error) WRIT_MUST_USE;

/* Opens current.jsonl for appending, made when missing (0600); refused when it is a link, no regular file, not the
 * caller's, or writable by others. */
int writ_audit_current_open(int folder_fd, int *ret_fd, struct stat *ret_status,
                            struct writ_error *error) WRIT_MUST_USE;
/* Opens a file of the log for reading; *ret_fd is -1 when there is none of that name. */
int writ_audit_segment_open(int folder_fd, const char *name, int *ret_fd, struct stat *ret_status,
                            struct writ_error *error) WRIT_MUST_USE;

/* The lowest number of a closed segment that is at least `at_least`, and the highest; 0 when there is none. */
int writ_audit_segment_range(int folder_fd, uint64_t at_least, uint64_t *ret_lowest, uint64_t *ret_highest,
                             struct writ_error *error) WRIT_MUST_USE;

/* The lock of the present file: LOCK_EX or LOCK_SH, with an end (base/lock.h). */
int writ_audit_lock(int fd, int operation, const struct writ_watch *watch, struct writ_error *error) WRIT_MUST_USE;

#endif
