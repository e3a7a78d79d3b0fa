/* Reading and following; what is no record is passed over (writ_audit_verify tells about it). */
#include "audit/audit.h"

#include "audit/record.h"
#include "audit/segment.h"
#include "audit/walk.h"
#include "base/descriptor.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/* A record's nodes need at most 16 bytes for each byte of it; the rest is for the text. */
#define ARENA_BYTES_MAX (WRIT_AUDIT_RECORD_BYTES_MAX * 32)

static int visit_record(const struct writ_audit_piece *piece, uint64_t sequence, writ_audit_visit *visit, void *context,
                        struct writ_error *error)
{
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES_MAX);
    struct writ_audit_record record = {.sequence = sequence, .line = piece->text, .length = piece->length};
    int result = writ_json_parse(&arena, piece->text, piece->length, &record.json, error);
    if (result == WRIT_INTERNAL_MEMORY)
        return result;
    if (result || record.json->kind != WRIT_JSON_OBJECT)
        return 0;
    return visit(context, &record, error);
}

/* Visits all records up to the present end. */
static int visit_present(struct writ_audit_walk *walk, uint64_t from, writ_audit_visit *visit, void *context,
                         struct writ_error *error)
{
    for (;;) {
        struct writ_audit_piece piece;
        int result = writ_audit_walk_next(walk, &piece, error);
        if (result <= 0)
            return result;
        if (!piece.begins_line || !piece.ends_line)
            continue;
        struct writ_audit_line line;
        writ_audit_line_scan(piece.text, piece.length, &line);
        if (line.kind == WRIT_AUDIT_LINE_NEWER)
            return writ_audit_newer_error(error, "audit", line.version);
        if (line.kind != WRIT_AUDIT_LINE_RECORD || line.sequence < from)
            continue;
        result = visit_record(&piece, line.sequence, visit, context, error);
        if (result)
            return result;
    }
}

int writ_audit_read(const char *state_folder, uint64_t from, writ_audit_visit *visit, void *context,
                    struct writ_error *error)
{
    int folder_fd;
    int result = writ_audit_folder_open(state_folder, &folder_fd, error);
    if (result || folder_fd < 0)
        return result;
    WRIT_CLEANUP(writ_audit_walk_clear) struct writ_audit_walk walk;
    result = writ_audit_walk_init(&walk, folder_fd, error);
    return result ? result : visit_present(&walk, from, visit, context, error);
}

/* Waits for something in the watched folder.  Returns 1, 0 when stop_fd is readable, or a negative code. */
static int wait_for_change(int notify_fd, int stop_fd, struct writ_error *error)
{
    struct pollfd wanted[] = {{.fd = notify_fd, .events = POLLIN}, {.fd = stop_fd, .events = POLLIN}};
    while (poll(wanted, WRIT_COUNT(wanted), -1) < 0)
        if (errno != EINTR)
            return writ_error_io(error, errno, "poll");
    if (wanted[1].revents)
        return 0;
    /* What happened does not matter: everybody looks again.  Only the queue has to be emptied. */
    _Alignas(struct inotify_event) char events[4096];
    while (read(notify_fd, events, sizeof events) > 0)
        continue;
    return 1;
}

/* Watches STATE/audit, or waits in the nearest folder above that exists until it can.  Returns as above. */
static int watch_folder(int notify_fd, const char *state_folder, int stop_fd, struct writ_error *error)
{
    char path[PATH_MAX];
    int printed = snprintf(path, sizeof path, "%s/audit", state_folder);
    if (printed < 0 || (size_t)printed >= sizeof path)
        return writ_error_io(error, ENAMETOOLONG, state_folder);
    size_t full_length = (size_t)printed, length = full_length;
    for (;;) {
        uint32_t events = length == full_length ? IN_CREATE | IN_MOVED_TO | IN_MODIFY : IN_CREATE | IN_MOVED_TO;
        path[length] = '\0';
        int watch = inotify_add_watch(notify_fd, length ? path : "/", events | IN_ONLYDIR);
        if (watch < 0 && errno != ENOENT)
            return writ_error_io(error, errno, length ? path : "/");
        if (watch >= 0 && length == full_length)
            return 1;
        if (watch < 0 && length > 0) {
            const char *slash = memrchr(path, '/', length);
            length = slash ? (size_t)(slash - path) : 0;
            continue;
        }
        if (watch < 0)
            return writ_error_io(error, errno, "/");
        /* One step down again: the folder below may have come between the two looks. */
        (void)snprintf(path, sizeof path, "%s/audit", state_folder);
        size_t below = length + 1 + strcspn(path + length + 1, "/");
        path[below] = '\0';
        if (access(path, F_OK) < 0) {
            int result = wait_for_change(notify_fd, stop_fd, error);
            if (result <= 0)
                return result;
        }
        (void)inotify_rm_watch(notify_fd, watch);
        (void)snprintf(path, sizeof path, "%s/audit", state_folder);
        length = full_length;
    }
}

int writ_audit_follow(const char *state_folder, uint64_t from, int stop_fd, writ_audit_visit *visit, void *context,
                      struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close) int notify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (notify_fd < 0)
        return writ_error_io(error, errno, "inotify (see fs.inotify.max_user_instances)");
    /* Watched before it is read, so that nothing falls between. */
    int result = watch_folder(notify_fd, state_folder, stop_fd, error);
    if (result <= 0)
        return result;
    int folder_fd;
    result = writ_audit_folder_open(state_folder, &folder_fd, error);
    if (result)
        return result;
    if (folder_fd < 0)
        return writ_error_io(error, ENOENT, state_folder);
    WRIT_CLEANUP(writ_audit_walk_clear) struct writ_audit_walk walk;
    result = writ_audit_walk_init(&walk, folder_fd, error);
    while (result == 0) {
        result = visit_present(&walk, from, visit, context, error);
        if (result)
            return result;
        result = wait_for_change(notify_fd, stop_fd, error);
        if (result <= 0)
            return result;
        result = 0;
    }
    return result;
}
