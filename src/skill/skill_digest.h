/* The clock of the digest's cache, inside src/skill and its tests only. */
#ifndef WRIT_SKILL_SKILL_DIGEST_H
#define WRIT_SKILL_SKILL_DIGEST_H

#include "skill/catalog.h"

#include <time.h>

/* writ_skill_digest_cached at the time `now`. */
int skill_digest_cached_at(int folder_fd, const char *cache_folder, const struct timespec *now,
                           const struct writ_watch *watch, unsigned char ret_digest[32],
                           struct writ_error *error) WRIT_MUST_USE;

#endif
