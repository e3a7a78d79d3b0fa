#include "place.h"

#include "base/descriptor.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int place_make(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    const char *parent = getenv("TMPDIR");
    if (!place)
        return -1;
    (void)snprintf(place->root, sizeof place->root, "%.1000s/writ-audit-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(place->root))
        return -1;
    (void)snprintf(place->state, sizeof place->state, "%s/state/writ", place->root);
    *state = place;
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

int place_remove(void **state)
{
    struct place *place = *state;
    int result = nftw(place->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(place);
    return result;
}

const char *place_file(const struct place *place, const char *name)
{
    static char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/audit/%s", place->state, name);
    return path;
}

char *place_read(const struct place *place, const char *name, size_t *ret_length)
{
    struct writ_buffer buffer;
    writ_buffer_init(&buffer, (size_t)64 << 20);
    int fd = open(place_file(place, name), O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(writ_descriptor_read_all(fd, &buffer), 0);
    writ_descriptor_close(&fd);
    *ret_length = buffer.length;
    return buffer.data;
}

void place_write(const struct place *place, const char *name, const char *bytes, size_t length)
{
    int fd = open(place_file(place, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(writ_descriptor_write_all(fd, bytes, length), 0);
    writ_descriptor_close(&fd);
}

int try_append(struct writ_audit *audit, const char *type, unsigned run, size_t padding, struct writ_error *error)
{
    struct writ_buffer fields;
    writ_buffer_init(&fields, (size_t)1 << 20);
    writ_buffer_printf(&fields, "\"run\":\"run-%u\",\"padding\":\"", run);
    for (size_t i = 0; i < padding; i++)
        writ_buffer_append_byte(&fields, (char)('a' + i % 26));
    writ_buffer_append_byte(&fields, '"');
    int result = writ_audit_append(audit, type, &fields, error);
    writ_buffer_clear(&fields);
    return result;
}

void append(struct writ_audit *audit, const char *type, unsigned run, size_t padding)
{
    struct writ_error error;
    if (try_append(audit, type, run, padding, &error))
        fail_msg("%s: %s", writ_code_class(error.code), error.message);
}

void append_calls(const struct place *place, unsigned first, unsigned count)
{
    struct writ_error error;
    struct writ_audit *audit;
    if (writ_audit_open(place->state, &audit, &error))
        fail_msg("%s: %s", writ_code_class(error.code), error.message);
    for (unsigned run = first; run < first + count; run++) {
        append(audit, "begin", run, 10);
        append(audit, "end", run, 20);
    }
    writ_audit_close(audit);
}

struct writ_audit_verdict verify(const struct place *place, const char *expected_head)
{
    struct writ_error error;
    struct writ_audit_verdict verdict;
    if (writ_audit_verify(place->state, expected_head, NULL, &verdict, &error))
        fail_msg("%s: %s", writ_code_class(error.code), error.message);
    return verdict;
}

void assert_intact(const struct place *place, uint64_t records, uint64_t torn_tails)
{
    struct writ_audit_verdict verdict = verify(place, NULL);
    if (!verdict.intact)
        fail_msg("at %llu: %s", (unsigned long long)verdict.bad_sequence, verdict.reason);
    assert_int_equal(verdict.records, records);
    assert_int_equal(verdict.torn_tails, torn_tails);
}

void assert_broken(const struct place *place, const char *expected_head, uint64_t sequence, const char *words)
{
    struct writ_audit_verdict verdict = verify(place, expected_head);
    assert_false(verdict.intact);
    if (!strstr(verdict.reason, words) || verdict.bad_sequence != sequence)
        fail_msg("wanted %llu and \"%s\", but got %llu: %s", (unsigned long long)sequence, words,
                 (unsigned long long)verdict.bad_sequence, verdict.reason);
}

static int count_one(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    (void)error;
    uint64_t *next = context;
    assert_int_equal(record->sequence, *next);
    assert_int_equal(record->json->kind, WRIT_JSON_OBJECT);
    ++*next;
    return 0;
}

uint64_t count_records(const struct place *place, uint64_t from)
{
    struct writ_error error;
    uint64_t next = from;
    if (writ_audit_read(place->state, from, count_one, &next, &error))
        fail_msg("%s: %s", writ_code_class(error.code), error.message);
    return next - from;
}
