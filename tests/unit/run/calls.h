/* Real calls of small skills for tests, all below one temporary folder (tests/unit/skill/folders.h). */
#ifndef WRIT_TESTS_RUN_CALLS_H
#define WRIT_TESTS_RUN_CALLS_H

#include "run/invoke.h"

struct calls {
    char home[128], config[128], data[128], state[128], cache[128], skills[128], working[128];
    const char *folders[1];
    struct writ_places places;
    struct writ_catalog_options catalog;
    struct writ_call call; /* what every call begins from: caller "test", identity "someone", no cancelling */
};
extern struct calls calls;

/* set_up also asks whether this machine allows a sandbox at all: see calls_can_run. */
int calls_set_up(void **state);
int calls_tear_down(void **state);
/* False (and said loudly) where the kernel allows no sandbox: the test is then to be skipped. */
bool calls_can_run(void);

/* Writes a skill of the shell: its permissions (YAML flow items: `'filesystem:read:${{ .input.file }}'`), its input's
 * properties (YAML flow members), and main.sh. */
void calls_skill(const char *id, const char *permissions, const char *properties, const char *script);
/* One call of `id` with `input`; the caller clears the outcome.  Returns its code. */
int calls_make(const char *id, const char *input, struct writ_outcome *ret_outcome);

/* What the log says of the call: its begin and end as parsed JSON in `arena`, NULL when there is none. */
struct calls_record {
    const struct writ_json *begin, *end;
    size_t records; /* of that run */
};
struct calls_record calls_record_of(const char *run_id, struct writ_arena *arena);

#endif
