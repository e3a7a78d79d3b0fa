/*
 * Theory of operation.
 *
 * One pass over all bytes.  Between two records there may be only torn bytes: lines closed with ` #torn`, or the end of
 * a closed segment without a newline; the record after them must be the mark that names their count and digest.  Each
 * record must be JSON, carry the next number and the digest of the record before.  The first thing that is otherwise
 * ends the pass: what stands behind a broken link proves nothing.
 *
 * Torn bytes at the very end are of a crash that nobody has written after, or of a writer at work; a shared lock tells
 * the two apart.
 */
#include "audit/audit.h"

#include "audit/record.h"
#include "audit/runs.h"
#include "audit/segment.h"
#include "audit/walk.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

#define CHECK_BYTES ((uint64_t)256 << 10) /* between two looks at the watch */
#define ARENA_BYTES_MAX (WRIT_AUDIT_RECORD_BYTES_MAX * 32)

struct check {
    struct writ_audit_verdict verdict;
    struct writ_audit_runs runs;
    uint64_t sequence;         /* of the last record */
    const char *expected_head; /* NULL once found, or when none is expected */
    struct writ_digest torn;   /* over the bytes since the last record */
    uint64_t torn_bytes;
    struct writ_arena *arena;
    const struct writ_watch *watch;
    uint64_t bytes, bytes_total, bytes_told; /* read, of all, and when the watch was last asked */
};

/* Records the first fault.  Returns 1, which ends the pass. */
static int broken(struct check *check, uint64_t sequence, const char *format, ...) WRIT_PRINTF(3, 4);
static int broken(struct check *check, uint64_t sequence, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(check->verdict.reason, sizeof check->verdict.reason, format, arguments);
    va_end(arguments);
    check->verdict.intact = false;
    check->verdict.bad_sequence = sequence;
    return 1;
}

static int add_torn(struct check *check, const char *bytes, size_t length, bool newline)
{
    if (check->torn_bytes == 0)
        writ_digest_init(&check->torn);
    writ_digest_update(&check->torn, bytes, length);
    if (newline)
        writ_digest_update(&check->torn, "\n", 1);
    check->torn_bytes += length + newline;
    if (check->torn_bytes <= WRIT_AUDIT_FOREIGN_BYTES_MAX)
        return 0;
    return broken(check, check->sequence + 1,
                  "after record %llu stand more than %zu bytes without a record: they were put in, or it is no audit "
                  "log",
                  (unsigned long long)check->sequence, WRIT_AUDIT_FOREIGN_BYTES_MAX);
}

/* The record after torn bytes must name them, and a mark must have something to name. */
static int check_mark(struct check *check, const struct writ_json *json)
{
    bool is_mark = writ_json_is_text(writ_json_get(json, "type"), "mark");
    if (!is_mark && check->torn_bytes == 0)
        return 0;
    if (!is_mark)
        return broken(check, check->sequence + 1,
                      "between records %llu and %llu are %llu torn bytes without their mark",
                      (unsigned long long)check->sequence, (unsigned long long)check->sequence + 1,
                      (unsigned long long)check->torn_bytes);
    char digest[WRIT_DIGEST_TEXT_BYTES] = WRIT_AUDIT_HEAD_NONE;
    if (check->torn_bytes > 0) {
        unsigned char bytes[WRIT_DIGEST_BYTES];
        writ_digest_final(&check->torn, bytes);
        writ_digest_print(bytes, digest);
    }
    const struct writ_json *count = writ_json_get(json, "torn_bytes");
    if (!count || count->kind != WRIT_JSON_INTEGER || (uint64_t)count->integer != check->torn_bytes ||
        !writ_json_is_text(writ_json_get(json, "torn_digest"), digest))
        return broken(check, check->sequence + 1,
                      "record %llu marks torn bytes that are not the ones that stand before it: they were changed",
                      (unsigned long long)check->sequence + 1);
    check->torn_bytes = 0;
    check->verdict.torn_tails++;
    return 0;
}

static int count_run(struct check *check, const struct writ_json *json, struct writ_error *error)
{
    const struct writ_json *run = writ_json_get(json, "run");
    const char *name = writ_json_text(run);
    bool is_begin = writ_json_is_text(writ_json_get(json, "type"), "begin");
    if (is_begin && name) {
        bool added;
        int result = writ_audit_runs_add(&check->runs, name, run->length, &added, error);
        /* A second begin of an open run: one of the two will never get its end. */
        check->verdict.unfinished += result == 0 && !added;
        return result;
    }
    if (is_begin)
        check->verdict.unfinished++;
    else if (name && writ_json_is_text(writ_json_get(json, "type"), "end"))
        writ_audit_runs_remove(&check->runs, name, run->length);
    return 0;
}

/* The number must be the next. */
static int check_sequence(struct check *check, uint64_t found)
{
    uint64_t wanted = check->sequence + 1;
    if (found == wanted)
        return 0;
    if (found > wanted && check->sequence == 0)
        return broken(check, found, "the log begins with record %llu: records 1 to %llu are missing",
                      (unsigned long long)found, (unsigned long long)found - 1);
    if (found > wanted)
        return broken(check, found, "record %llu follows record %llu: what was between is missing or was moved",
                      (unsigned long long)found, (unsigned long long)check->sequence);
    return broken(check, found, "record %llu follows record %llu: it was moved or is there twice",
                  (unsigned long long)found, (unsigned long long)check->sequence);
}

static int check_record(struct check *check, const struct writ_audit_piece *piece, const struct writ_audit_line *line,
                        struct writ_error *error)
{
    const struct writ_json *json;
    writ_arena_clear(check->arena);
    int result = check_sequence(check, line->sequence);
    if (result)
        return result;
    if (memcmp(line->prev, check->verdict.head, WRIT_DIGEST_TEXT_BYTES - 1) != 0)
        return check->sequence == 0
                   ? broken(check, 1, "record 1 names a record before it: the log's beginning was taken away")
                   : broken(check, line->sequence,
                            "record %llu does not carry the digest of record %llu: one of the two was changed",
                            (unsigned long long)line->sequence, (unsigned long long)check->sequence);
    result = writ_json_parse(check->arena, piece->text, piece->length, &json, error);
    if (result == WRIT_INTERNAL_MEMORY)
        return result;
    if (result || json->kind != WRIT_JSON_OBJECT)
        return broken(check, line->sequence, "record %llu is not JSON: it was changed",
                      (unsigned long long)line->sequence);
    result = check_mark(check, json);
    if (result == 0)
        result = count_run(check, json, error);
    if (result)
        return result;
    check->sequence = line->sequence;
    check->verdict.records++;
    writ_audit_line_digest(piece->text, piece->length, check->verdict.head);
    if (check->expected_head && strcmp(check->expected_head, check->verdict.head) == 0)
        check->expected_head = NULL;
    return 0;
}

static int check_piece(struct check *check, const struct writ_audit_piece *piece, struct writ_error *error)
{
    struct writ_audit_line line = {.kind = WRIT_AUDIT_LINE_OTHER};
    if (piece->ends_line)
        writ_audit_line_scan(piece->text, piece->length, &line);
    if (piece->begins_line && piece->ends_line && line.kind == WRIT_AUDIT_LINE_NEWER)
        return writ_audit_newer_error(error, "audit", line.version);
    if (piece->begins_line && piece->ends_line && line.kind == WRIT_AUDIT_LINE_RECORD)
        return check_record(check, piece, &line, error);
    if (piece->ends_line && line.kind != WRIT_AUDIT_LINE_TORN)
        return broken(check, check->sequence + 1,
                      "after record %llu stands a line that is no record: it was changed or put in",
                      (unsigned long long)check->sequence);
    return add_torn(check, piece->text, piece->length, piece->ends_line);
}

static int ask_watch(struct check *check, size_t read_bytes, struct writ_error *error)
{
    check->bytes += read_bytes;
    if (check->bytes - check->bytes_told < CHECK_BYTES)
        return 0;
    check->bytes_told = check->bytes;
    const struct writ_activity activity = {
        .what = "verifying the audit", .done = check->bytes, .total = check->bytes_total};
    return writ_watch_check(check->watch, &activity, error);
}

/* Checks up to the present end.  Returns 0, 1 at a fault, or a negative code. */
static int check_present(struct check *check, struct writ_audit_walk *walk, struct writ_error *error)
{
    for (;;) {
        struct writ_audit_piece piece;
        int result = writ_audit_walk_next(walk, &piece, error);
        if (result <= 0)
            return result;
        result = check_piece(check, &piece, error);
        if (result == 0)
            result = ask_watch(check, piece.length + 1, error);
        if (result)
            return result;
    }
}

static int check_all(struct check *check, struct writ_audit_walk *walk, struct writ_error *error)
{
    int result = check_present(check, walk, error);
    if (result == 0 && writ_audit_walk_rest_bytes(walk) > 0) {
        /* With the lock no writer is in the middle of its line. */
        result = writ_audit_lock(walk->fd, LOCK_SH, check->watch, error);
        if (result == 0)
            result = check_present(check, walk, error);
    }
    if (result < 0)
        return result;
    check->verdict.segments = walk->segments;
    check->verdict.unfinished += check->runs.count;
    if (result == 0 && (check->torn_bytes > 0 || writ_audit_walk_rest_bytes(walk) > 0))
        check->verdict.torn_tails++;
    return 0;
}

/* How large the log is by now; what cannot be learnt counts nothing, for it is only told. */
static uint64_t count_bytes(int folder_fd)
{
    uint64_t lowest = 0, highest = 0, bytes = 0;
    struct writ_error ignored;
    struct stat status;
    if (fstatat(folder_fd, WRIT_AUDIT_CURRENT, &status, AT_SYMLINK_NOFOLLOW) == 0)
        bytes = (uint64_t)status.st_size;
    if (writ_audit_segment_range(folder_fd, 1, &lowest, &highest, &ignored) < 0 || lowest == 0)
        return bytes;
    for (uint64_t number = lowest; number <= highest; number++) {
        char name[WRIT_AUDIT_NAME_BYTES];
        writ_audit_segment_name(number, name);
        if (fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
            break;
        bytes += (uint64_t)status.st_size;
    }
    return bytes;
}

int writ_audit_verify(const char *state_folder, const char *expected_head, const struct writ_watch *watch,
                      struct writ_audit_verdict *ret_verdict, struct writ_error *error)
{
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES_MAX);
    struct check check = {.verdict = {.intact = true, .head = WRIT_AUDIT_HEAD_NONE}, .arena = &arena, .watch = watch};
    if (expected_head && strcmp(expected_head, WRIT_AUDIT_HEAD_NONE) != 0)
        check.expected_head = expected_head;
    int folder_fd;
    int result = writ_audit_folder_open(state_folder, &folder_fd, error);
    if (result)
        return result;
    if (folder_fd >= 0) {
        WRIT_CLEANUP(writ_audit_walk_clear) struct writ_audit_walk walk;
        if (watch && watch->tick)
            check.bytes_total = count_bytes(folder_fd);
        result = writ_audit_walk_init(&walk, folder_fd, error);
        if (result == 0)
            result = check_all(&check, &walk, error);
        writ_audit_runs_clear(&check.runs);
        if (result)
            return result;
    }
    if (check.verdict.intact && check.expected_head)
        (void)broken(
            &check, check.sequence + 1,
            "after record %llu the log ends without the record whose digest was kept elsewhere: records at its "
            "end are missing or were written anew",
            (unsigned long long)check.sequence);
    *ret_verdict = check.verdict;
    return 0;
}
