/* A state folder of a test's own, and ways to write to the log in it and to tamper with it. */
#ifndef WRIT_TESTS_UNIT_AUDIT_PLACE_H
#define WRIT_TESTS_UNIT_AUDIT_PLACE_H

#include "audit/audit.h"
#include "support.h"

#include <limits.h>

struct place {
    char root[PATH_MAX / 2];
    char state[PATH_MAX - 64]; /* root/state/writ: not made yet */
};

/* cmocka set-up and teardown; *state is the struct place. */
int place_make(void **state);
int place_remove(void **state);

/* The path of a file of the log, valid until the next call. */
const char *place_file(const struct place *place, const char *name);
/* A whole file of the log, NUL-terminated; to be freed. */
char *place_read(const struct place *place, const char *name, size_t *ret_length);
void place_write(const struct place *place, const char *name, const char *bytes, size_t length);

/* Appends one record of run `run`, padded with `padding` bytes; asserts success. */
void append(struct writ_audit *audit, const char *type, unsigned run, size_t padding);
int try_append(struct writ_audit *audit, const char *type, unsigned run, size_t padding, struct writ_error *error);
/* Opens, appends `count` pairs of begin and end counted from run `first`, closes. */
void append_calls(const struct place *place, unsigned first, unsigned count);

struct writ_audit_verdict verify(const struct place *place, const char *expected_head);
void assert_intact(const struct place *place, uint64_t records, uint64_t torn_tails);
/* Asserts a fault at `sequence` whose reason holds `words`. */
void assert_broken(const struct place *place, const char *expected_head, uint64_t sequence, const char *words);

/* Records seen by writ_audit_read, asserted to be numbered without a gap from `from`. */
uint64_t count_records(const struct place *place, uint64_t from);

#endif
