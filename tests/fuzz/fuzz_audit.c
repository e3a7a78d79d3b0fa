/*
 * The audit log's readers and its writer on files of any content: a closed segment and, behind the first byte 1 (which
 * no record holds), the current one.  What is read agrees with what is verified; a writer overwrites nothing, keeps a
 * whole log whole, and makes no broken one whole.
 */
#include "audit/audit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CURRENT "audit/current.jsonl"
#define CLOSED "audit/00000001.jsonl"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* One folder for the whole process, removed at its end. */
static char folder[256];

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static const char *path_of(const char *name)
{
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_folder(void)
{
    (void)unlink(path_of(CURRENT));
    (void)unlink(path_of(CLOSED));
    (void)unlink(path_of("audit/00000002.jsonl"));
    (void)rmdir(path_of("audit"));
    (void)rmdir(folder);
}

static void make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    struct writ_audit *audit;
    struct writ_error error;
    (void)snprintf(folder, sizeof folder, "%.200s/writ-fuzz-audit-XXXXXX", parent && *parent ? parent : "/tmp");
    demand(mkdtemp(folder) != NULL);
    demand(atexit(remove_folder) == 0);
    demand(writ_audit_open(folder, &audit, &error) == 0);
    writ_audit_close(audit);
}

static void write_file(const char *name, const uint8_t *bytes, size_t length)
{
    int fd = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    demand(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
    (void)close(fd);
}

static bool begins_with(const char *name, const uint8_t *bytes, size_t length)
{
    static uint8_t found[1 << 20];
    int fd = open(path_of(name), O_RDONLY | O_CLOEXEC);
    demand(length <= sizeof found);
    bool same = fd >= 0 && read(fd, found, length) == (ssize_t)length && memcmp(found, bytes, length) == 0;
    (void)close(fd);
    return same;
}

static int count(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    (void)error;
    demand(record->json->kind == WRIT_JSON_OBJECT && record->line[record->length - 1] == '}');
    ++*(uint64_t *)context;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (!folder[0])
        make_folder();
    if (length > (size_t)1 << 20)
        return 0;
    const uint8_t *split = memchr(bytes, 1, length);
    size_t closed_length = split ? (size_t)(split - bytes) : 0;
    const uint8_t *current = split ? split + 1 : bytes;
    size_t current_length = length - (size_t)(current - bytes);
    (void)unlink(path_of(CLOSED));
    if (split)
        write_file(CLOSED, bytes, closed_length);
    write_file(CURRENT, current, current_length);

    struct writ_error error;
    struct writ_audit_verdict before, after;
    uint64_t seen = 0;
    bool readable = writ_audit_verify(folder, NULL, NULL, &before, &error) == 0;
    if (writ_audit_read(folder, 0, count, &seen, &error) == 0 && readable)
        demand(before.intact ? seen == before.records : seen >= before.records);

    char text[] = "\"run\":\"a\"";
    struct writ_buffer fields = {.data = text, .length = sizeof text - 1, .capacity = sizeof text - 1};
    struct writ_audit *audit;
    demand(writ_audit_open(folder, &audit, &error) == 0);
    bool appended = writ_audit_append(audit, "begin", &fields, &error) == 0;
    writ_audit_close(audit);
    demand(begins_with(CURRENT, current, current_length));
    demand(!split || begins_with(CLOSED, bytes, closed_length));
    if (readable && writ_audit_verify(folder, NULL, NULL, &after, &error) == 0) {
        demand(after.intact == before.intact);
        demand(after.torn_tails == before.torn_tails || !after.intact);
        if (appended && before.intact)
            demand(after.records > before.records && after.records <= before.records + 2);
    }
    return 0;
}
