/*
 * What every sandbox has, whatever it runs: devices without state, account files that name nobody, a scratch folder.
 */
#ifndef WRIT_RUN_FIXED_PLACES_H
#define WRIT_RUN_FIXED_PLACES_H

#include "run/prepared.h"

/* `tmp_bytes` is the size of /tmp.  Error: INTERNAL_LIMIT. */
int writ_fixed_places_add(struct writ_prepared *prepared, uint64_t tmp_bytes, struct writ_error *error) WRIT_MUST_USE;

#endif
