#include "audit/tail.h"

#include "audit/audit.h"
#include "audit/record.h"
#include "audit/segment.h"
#include "base/buffer.h"
#include "base/descriptor.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define WINDOW_BYTES_MIN ((size_t)4 << 10) /* nearly always holds the last record */
/* The last whole record of one file. */
struct last {
    bool found;
    uint64_t sequence, end; /* end: offset behind its newline; 0 when none was found */
    char head[WRIT_DIGEST_TEXT_BYTES];
    bool is_open; /* the file's last line has no newline */
};

/* Reads exactly [start, start + length). */
static int read_range(int fd, uint64_t start, char *bytes, size_t length, const char *name, struct writ_error *error)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(fd, bytes + done, length - done, (off_t)(start + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return writ_error_io(error, got < 0 ? errno : EIO, name);
        done += (size_t)got;
    }
    return 0;
}

/* Looks for the last record among the lines that lie whole in the window.  Returns 1 when the search is over (found, or
 * the window begins the file), 0 when a larger window is wanted. */
static int search_window(const char *window, size_t length, uint64_t start, const char *name, struct last *ret_last,
                         struct writ_error *error)
{
    const char *line_end = memrchr(window, '\n', length);
    ret_last->is_open = line_end ? line_end + 1 < window + length : length > 0;
    while (line_end) {
        const char *before = memrchr(window, '\n', (size_t)(line_end - window));
        if (!before && start > 0)
            return 0;
        const char *text = before ? before + 1 : window;
        struct writ_audit_line line;
        writ_audit_line_scan(text, (size_t)(line_end - text), &line);
        if (line.kind == WRIT_AUDIT_LINE_NEWER)
            return writ_audit_newer_error(error, name, line.version);
        if (line.kind == WRIT_AUDIT_LINE_RECORD) {
            ret_last->found = true;
            ret_last->sequence = line.sequence;
            ret_last->end = start + (uint64_t)(line_end + 1 - window);
            writ_audit_line_digest(text, (size_t)(line_end - text), ret_last->head);
            return 1;
        }
        line_end = before;
    }
    return start == 0;
}

static int find_last(int fd, uint64_t file_bytes, const char *name, struct last *ret_last, struct writ_error *error)
{
    *ret_last = (struct last){0};
    for (size_t window = WINDOW_BYTES_MIN;; window *= 4) {
        size_t length = file_bytes < window ? (size_t)file_bytes : window;
        if (length > WRIT_AUDIT_FOREIGN_BYTES_MAX)
            return writ_error_set(error, WRIT_INTERNAL_IO,
                                  "%s ends in more than %zu bytes without a record: it is no audit log; move it away",
                                  name, WRIT_AUDIT_FOREIGN_BYTES_MAX);
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
        writ_buffer_init(&buffer, length + 1);
        char *bytes = writ_buffer_reserve(&buffer, length + 1);
        if (!bytes)
            return writ_error_memory(error);
        int result = read_range(fd, file_bytes - length, bytes, length, name, error);
        if (result == 0)
            result = search_window(bytes, length, file_bytes - length, name, ret_last, error);
        if (result)
            return result < 0 ? result : 0;
    }
}

static int digest_range(struct writ_digest *digest, int fd, uint64_t start, uint64_t end, const char *name,
                        struct writ_error *error)
{
    char bytes[4096];
    while (start < end) {
        size_t step = end - start < sizeof bytes ? (size_t)(end - start) : sizeof bytes;
        int result = read_range(fd, start, bytes, step, name, error);
        if (result)
            return result;
        writ_digest_update(digest, bytes, step);
        start += step;
    }
    return 0;
}

/* The newest closed segment, when there is one. */
static int find_closed(int folder_fd, int *ret_fd, uint64_t *ret_bytes, struct last *ret_last, struct writ_error *error)
{
    uint64_t lowest, highest;
    char name[WRIT_AUDIT_NAME_BYTES];
    struct stat status;
    int result = writ_audit_segment_range(folder_fd, 1, &lowest, &highest, error);
    if (result || highest == 0)
        return result;
    writ_audit_segment_name(highest, name);
    WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
    result = writ_audit_segment_open(folder_fd, name, &fd, &status, error);
    if (result)
        return result;
    if (fd < 0)
        return writ_error_io(error, ENOENT, name);
    result = find_last(fd, (uint64_t)status.st_size, name, ret_last, error);
    if (result)
        return result;
    if (!ret_last->found)
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "%s holds no record to continue from; put the right file back, or move the log away",
                              name);
    *ret_bytes = (uint64_t)status.st_size;
    *ret_fd = writ_descriptor_take(&fd);
    return 0;
}

int writ_audit_tail_read(int folder_fd, int current_fd, uint64_t current_bytes, const char *suffix_when_open,
                         struct writ_audit_tail *ret_tail, struct writ_error *error)
{
    struct last last, closed = {0};
    uint64_t closed_bytes = 0;
    WRIT_CLEANUP(writ_descriptor_close) int closed_fd = -1;
    int result = find_last(current_fd, current_bytes, WRIT_AUDIT_CURRENT, &last, error);
    if (result == 0 && !last.found)
        result = find_closed(folder_fd, &closed_fd, &closed_bytes, &closed, error);
    if (result)
        return result;
    const struct last *whole = last.found ? &last : &closed;
    struct writ_audit_tail tail = {
        .sequence = whole->sequence, .head = WRIT_AUDIT_HEAD_NONE, .torn_is_open = last.is_open};
    if (whole->found)
        memcpy(tail.head, whole->head, sizeof tail.head);
    tail.torn_bytes = (closed_bytes - closed.end) + (current_bytes - last.end);
    if (tail.torn_bytes > 0) {
        struct writ_digest digest;
        unsigned char bytes[WRIT_DIGEST_BYTES];
        writ_digest_init(&digest);
        result = digest_range(&digest, closed_fd, closed.end, closed_bytes, "closed segment", error);
        if (result == 0)
            result = digest_range(&digest, current_fd, last.end, current_bytes, WRIT_AUDIT_CURRENT, error);
        if (result)
            return result;
        if (tail.torn_is_open) {
            writ_digest_update(&digest, suffix_when_open, strlen(suffix_when_open));
            tail.torn_bytes += strlen(suffix_when_open);
        }
        writ_digest_final(&digest, bytes);
        writ_digest_print(bytes, tail.torn_digest);
    }
    *ret_tail = tail;
    return 0;
}
