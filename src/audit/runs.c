#include "audit/runs.h"

#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN ((size_t)64)

void writ_audit_runs_clear(struct writ_audit_runs *runs)
{
    free(runs->places);
    *runs = (struct writ_audit_runs){0};
}

static struct writ_audit_run_key key_of(const char *name, size_t length)
{
    unsigned char digest[WRIT_DIGEST_BYTES];
    struct writ_audit_run_key key;
    writ_digest_of(name, length, digest);
    memcpy(&key, digest, sizeof key);
    key.low |= 1;
    return key;
}

/* The place of the key, or the free one where it belongs.  There is always a free one: at most half are taken. */
static size_t find(const struct writ_audit_runs *runs, struct writ_audit_run_key key)
{
    size_t mask = runs->capacity - 1, at = (size_t)key.high & mask;
    while (runs->places[at].low != 0 && (runs->places[at].low != key.low || runs->places[at].high != key.high))
        at = (at + 1) & mask;
    return at;
}

static int grow(struct writ_audit_runs *runs, struct writ_error *error)
{
    struct writ_audit_runs larger = {.capacity = runs->capacity ? runs->capacity * 2 : CAPACITY_MIN,
                                     .count = runs->count};
    larger.places = calloc(larger.capacity, sizeof *larger.places);
    if (!larger.places)
        return writ_error_memory(error);
    for (size_t i = 0; i < runs->capacity; i++)
        if (runs->places[i].low != 0)
            larger.places[find(&larger, runs->places[i])] = runs->places[i];
    free(runs->places);
    *runs = larger;
    return 0;
}

int writ_audit_runs_add(struct writ_audit_runs *runs, const char *name, size_t length, bool *ret_added,
                        struct writ_error *error)
{
    if (runs->count >= WRIT_AUDIT_RUNS_MAX)
        return writ_error_set(
            error, WRIT_INTERNAL_LIMIT,
            "more than %zu calls have no end, which is more than can be looked after; move the log away and keep it",
            WRIT_AUDIT_RUNS_MAX);
    if (2 * (runs->count + 1) > runs->capacity) {
        int result = grow(runs, error);
        if (result)
            return result;
    }
    struct writ_audit_run_key key = key_of(name, length);
    size_t at = find(runs, key);
    *ret_added = runs->places[at].low == 0;
    runs->places[at] = key;
    runs->count += *ret_added;
    return 0;
}

void writ_audit_runs_remove(struct writ_audit_runs *runs, const char *name, size_t length)
{
    if (runs->count == 0)
        return;
    size_t mask = runs->capacity - 1, hole = find(runs, key_of(name, length));
    if (runs->places[hole].low == 0)
        return;
    /* Moves back what stands behind and could not be found across the hole. */
    for (size_t at = (hole + 1) & mask; runs->places[at].low != 0; at = (at + 1) & mask) {
        size_t home = (size_t)runs->places[at].high & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            runs->places[hole] = runs->places[at];
            hole = at;
        }
    }
    runs->places[hole] = (struct writ_audit_run_key){0};
    runs->count--;
}
