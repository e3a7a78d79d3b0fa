/*
 * The pieces of versions, which ranges are made of as well.  Each reader moves the cursor behind what it read and
 * returns NULL, or leaves it and says why not, with the mend.  Private to src/data.
 */
#ifndef WRIT_DATA_SEMVER_READ_H
#define WRIT_DATA_SEMVER_READ_H

#include "base/error.h"

#include <stdbool.h>

#define SEMVER_TAIL_BYTES 128

static inline bool semver_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number without leading zeros. */
const char *semver_read_number(const char **cursor, uint64_t *ret_number);
/* `-prerelease` and `+build`, either, both or none; what is not there is left as it was. */
const char *semver_read_tail(const char **cursor, char ret_prerelease[SEMVER_TAIL_BYTES],
                             char ret_build[SEMVER_TAIL_BYTES]);

/* CONTRACT_INVALID: `<text>` is not a <what>: <reason>. */
int semver_refuse(struct writ_error *error, const char *text, const char *what, const char *format, ...)
    WRIT_PRINTF(4, 5);

#endif
