/*
 * Semantic Versioning 2.0.0 and ranges.  Threads: pure functions.
 */
#ifndef WRIT_DATA_SEMVER_H
#define WRIT_DATA_SEMVER_H

#include "base/error.h"

#include <stdbool.h>

#define WRIT_SEMVER_TEXT_MAX 256

struct writ_semver {
    uint64_t major, minor, patch;
    char prerelease[128]; /* without the `-`; "" when none */
    char build[128];      /* without the `+`; ignored in comparisons */
};

/* Strict: `1.2.0-rc.1+b5`.  Error: CONTRACT_INVALID with the mend. */
int writ_semver_parse(const char *text, struct writ_semver *ret_version, struct writ_error *error) WRIT_MUST_USE;
/* Lenient, for what other programs print (`git version 2.39.5`, `3.11`, `v20.20.2`, `5.3.0-2`): the first dotted number
 * in the text, or else the first number that is a word of its own (`less 590`); missing parts are 0; whatever follows,
 * such as a distribution's suffix, is ignored.  False when there is none. */
bool writ_semver_scan(const char *text, struct writ_semver *ret_version) WRIT_MUST_USE;
/* Precedence of section 11: -1, 0, 1. */
int writ_semver_compare(const struct writ_semver *a, const struct writ_semver *b) WRIT_PURE;

/* A range is a union (`||`) of intersections of comparators.  Forms: `1.2.3`, `=1.2.3`, `>=1.2`, `<2`, `^1.2`, `~1.2`,
 * `1.2.x`, `*`, `1.2 - 1.4`, separated by spaces.  A version with parts left out means all that begin with it: `1.2`
 * and `<=1.2` take 1.2.9, `>1.2` begins at 1.3.0.  `^` keeps the leftmost number not 0, `~` the minor number. */
#define WRIT_SEMVER_COMPARATORS_MAX 32
enum writ_semver_operation { WRIT_SEMVER_LT, WRIT_SEMVER_LE, WRIT_SEMVER_GT, WRIT_SEMVER_GE, WRIT_SEMVER_EQ };
struct writ_semver_comparator {
    enum writ_semver_operation operation;
    bool starts_alternative; /* first comparator of a `||` branch */
    struct writ_semver version;
};
struct writ_semver_range {
    size_t count;
    struct writ_semver_comparator comparators[WRIT_SEMVER_COMPARATORS_MAX];
};
/* Error: CONTRACT_INVALID with the mend; so it is for requirements. */
int writ_semver_range_parse(const char *text, struct writ_semver_range *ret_range,
                            struct writ_error *error) WRIT_MUST_USE;
/* The contract's own shorthand for a runtime or binary version: a bare `3.11`, `3` or `3.11.2` means at least that and
 * below 4 (`=3.11.2` is exactly that one); `3.9,3.12` is the range between, both included (3.12.x too); anything else
 * is a range as above. */
int writ_semver_requirement_parse(const char *text, struct writ_semver_range *ret_range,
                                  struct writ_error *error) WRIT_MUST_USE;
/* A prerelease satisfies an alternative only when a comparator of it names a prerelease of the same major.minor.patch.
 * A range of count 0 stands for none given: anything satisfies it. */
bool writ_semver_satisfies(const struct writ_semver *version, const struct writ_semver_range *range) WRIT_PURE;

#endif
