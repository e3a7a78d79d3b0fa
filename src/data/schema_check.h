/*
 * The verdict.  Private to schema*.c.
 */
#ifndef WRIT_DATA_SCHEMA_CHECK_H
#define WRIT_DATA_SCHEMA_CHECK_H

#include "data/schema_program.h"

/* Values within values and branches within branches that one check goes into: bounds the C stack. */
#define CHECK_DEPTH_MAX 1024
/* Steps that every check may take, and more for each node of the instance: a step is a value looked at by an
 * instruction. */
#define CHECK_STEPS_MIN 10000000
#define CHECK_STEPS_PER_NODE 64
#define CHECK_MARK_WORDS_MAX 8192

enum check_stop {
    CHECK_GOES_ON,
    CHECK_STEPS_SPENT,
    CHECK_TOO_DEEP,
    CHECK_PATTERN_TOO_COSTLY,
    CHECK_TOO_MANY_MARKS,
};

struct check_marks {
    uint64_t *words; /* a bit a member or item; NULL when nobody asks at this value */
    uint32_t count;  /* words */
};

struct check {
    const struct schema_program *program;
    int64_t steps;
    unsigned depth;
    enum check_stop stop;
    struct check_marks marks; /* of the value being checked, for collecting units */
    uint64_t *mark_space;     /* CHECK_MARK_WORDS_MAX words, when the program has scopes */
    uint32_t mark_space_used;
};

int64_t writ_schema_steps(const struct writ_json *instance) WRIT_PURE;
bool writ_schema_run(struct check *check, const struct writ_json *instance);

/* What a check against the plan costs, the number's own length aside. */
uint32_t writ_schema_number_steps(const struct schema_number_plan *plan) WRIT_PURE;
/* True when the number satisfies bounds, divisors and integrality. */
bool writ_schema_number_holds(const struct schema_number_plan *plan, const struct writ_json *number) WRIT_PURE;
/* Characters of a string. */
uint32_t writ_schema_characters(const struct writ_json *string) WRIT_PURE;

#endif
