/*
 * One call of one skill: the single entry point of every caller (CLI, tests, MCP, HTTP, another skill).
 *
 * The nine steps (docs/ARCHITECTURE.md): find, trust, check input, decide, plan, enter, supervise, check output,
 * record. Whatever happens becomes an outcome; a call that cannot be recorded is not made (S4.6).
 *
 * Threads: re-entrant; one outcome belongs to one thread.
 */
#ifndef WRIT_RUN_INVOKE_H
#define WRIT_RUN_INVOKE_H

#include "run/ending.h"
#include "run/prepared.h"
#include "sandbox/sandbox.h"
#include "skill/catalog.h"

enum writ_outcome_kind {
    WRIT_OUTCOME_REFUSED = 0, /* before the program ran; zeroed memory refuses */
    WRIT_OUTCOME_SUCCEEDED,
    WRIT_OUTCOME_FAILED,
    WRIT_OUTCOME_UNKNOWN,
};

struct writ_call {
    const struct writ_catalog_options *catalog;
    const char *id;                          /* with `skill` NULL: found in the catalog */
    const struct writ_semver_range *version; /* NULL: any */
    const char *folder; /* the skill's folder named directly (WRIT_SOURCE_FOLDER), with `id` and `version` unused */
    /* Already opened (`writ test DIR`), borrowed; NULL: find it.  It is held to trust as one that is found. */
    const struct writ_skill *skill;
    const char *input; /* JSON text */
    size_t input_length;
    const char *caller;         /* for the record: "cli", "test" */
    const char *identity_id;    /* for the record and `${{ .identity.id }}` */
    const char *working_folder; /* relative paths start here */
    const char *state_folder;   /* absolute: what `${{ .state }}` stands for; NULL: the skill's own for this identity */
    struct writ_ceilings ceilings;
    const char *const *roots; /* see struct writ_resolve_options; NULL for a person's own command line */
    size_t root_count;
    struct writ_sandbox_spare *spare; /* a sandbox begun ahead, or one to be kept for further calls; NULL: none */
    const struct writ_watch *watch;   /* told what goes on, and may stop the call; NULL: nobody watches */
    bool explain_only;                /* stop after step 5: nothing runs, nothing is recorded */
};

struct writ_outcome {
    struct writ_arena arena; /* owns what is below, but for the ids: those are the skill's, or the call's */
    enum writ_outcome_kind kind;
    struct writ_error error; /* code 0 when it succeeded */
    const struct writ_json *output;
    struct writ_schema_faults faults; /* of input:invalid and output:invalid */
    struct writ_denial denial;        /* kind NULL: none */
    const char *advice; /* for people: what the failed program probably lacks, and the mend; NULL: nothing is known */
    struct writ_skill *skill;       /* found by the call, owned; NULL when borrowed or not found */
    struct writ_prepared *prepared; /* explain_only: the plan; else NULL.  Then the kind is REFUSED: nothing ran */
    char run_id[40];
    const char *skill_id, *skill_version; /* as far as known; version "" */
    uint64_t duration_us, setup_us, cpu_us, memory_peak_bytes;
    const char *limits_held_by; /* "" when nothing ran */
    struct writ_buffer errors;  /* the program's stderr, bounded */
    uint64_t errors_dropped;
    struct writ_limit_hit limit;
    int exit_status, signal_number; /* of program:failed and program:crashed */
};

/* Always fills `ret_outcome`; free it with writ_outcome_clear.  The result is the outcome's code. */
int writ_invoke(const struct writ_call *call, struct writ_outcome *ret_outcome);
void writ_outcome_clear(struct writ_outcome *outcome);

/* The envelope of interfaces "What a call gives back".  Where no call came about (a command line that is not
 * understood), run.id is null. */
void writ_outcome_print(struct writ_buffer *out, const struct writ_outcome *outcome, enum writ_json_style style);
/* Its `error` alone, as an object with that member: what a command says that makes no call. */
void writ_outcome_print_error(struct writ_buffer *out, const struct writ_outcome *outcome);
const char *writ_outcome_name(enum writ_outcome_kind kind) WRIT_PURE;

#endif
