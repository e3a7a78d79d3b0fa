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
 * in the text; missing parts are 0; a distribution's suffix is ignored.  False when there is none. */
bool writ_semver_scan(const char *text, struct writ_semver *ret_version) WRIT_MUST_USE;
/* Precedence of section 11: -1, 0, 1. */
int writ_semver_compare(const struct writ_semver *a, const struct writ_semver *b) WRIT_PURE;

/* A range is a union (`||`) of intersections of comparators.  Forms: `1.2.3`, `=1.2.3`, `>=1.2`, `<2`, `^1.2`, `~1.2`,
 * `1.2.x`, `*`, `1.2 - 1.4`, separated by spaces. */
#define WRIT_SEMVER_COMPARATORS_MAX 32
struct writ_semver_comparator {
    enum { WRIT_SEMVER_LT, WRIT_SEMVER_LE, WRIT_SEMVER_GT, WRIT_SEMVER_GE, WRIT_SEMVER_EQ } operation;
    bool starts_alternative; /* first comparator of a `||` branch */
    struct writ_semver version;
};
struct writ_semver_range {
    size_t count;
    struct writ_semver_comparator comparators[WRIT_SEMVER_COMPARATORS_MAX];
};
int writ_semver_range_parse(const char *text, struct writ_semver_range *ret_range, struct writ_error *error)
    WRIT_MUST_USE;
/* The contract's own shorthand for a runtime or binary version: a bare `3.11` means >=3.11 and below 4; `3.9,3.12` is
 * the range between, both included (3.12.x too); anything else is a range as above. */
int writ_semver_requirement_parse(const char *text, struct writ_semver_range *ret_range, struct writ_error *error)
    WRIT_MUST_USE;
/* A prerelease satisfies a range only when a comparator names a prerelease of the same major.minor.patch. */
bool writ_semver_satisfies(const struct writ_semver *version, const struct writ_semver_range *range) WRIT_PURE;

#endif
