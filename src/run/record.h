/*
 * The audit records of one call (S4.6): inputs and outputs by digest and size only, grants and denials by name.
 */
#ifndef WRIT_RUN_RECORD_H
#define WRIT_RUN_RECORD_H

#include "audit/audit.h"
#include "run/prepared.h"

struct writ_record_begin {
    const char *run_id, *caller, *identity_id;
    const char *skill_id, *skill_version;
    const char *source, *folder; /* NULL while the skill was not found */
    const unsigned char *digest; /* of the skill's folder; NULL when not known */
    const char *input;
    size_t input_length;
    const struct writ_prepared *prepared; /* NULL when it was refused before planning */
};
struct writ_record_end {
    const char *run_id, *outcome;
    const struct writ_error *error;   /* NULL: none */
    const struct writ_denial *denial; /* NULL: none */
    const struct writ_json *output;   /* NULL: none */
    int exit_status, signal_number;
    uint64_t duration_us, setup_us, cpu_us, memory_peak_bytes;
    const char *limits_held_by;
};

/* Error: INTERNAL_AUDIT. */
int writ_record_append_begin(struct writ_audit *audit, const struct writ_record_begin *begin,
                             struct writ_error *error) WRIT_MUST_USE;
int writ_record_append_end(struct writ_audit *audit, const struct writ_record_end *end,
                           struct writ_error *error) WRIT_MUST_USE;

#endif
