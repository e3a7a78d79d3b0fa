/*
 * SHA-256.  Threads: each state is one thread's.
 */
#ifndef WRIT_BASE_DIGEST_H
#define WRIT_BASE_DIGEST_H

#include "base/macros.h"

#define WRIT_DIGEST_BYTES 32
#define WRIT_DIGEST_TEXT_BYTES 72 /* "sha256:" + 64 hex digits + NUL */

struct writ_digest {
    _Alignas(8) unsigned char opaque[112];
};
void writ_digest_init(struct writ_digest *digest);
void writ_digest_update(struct writ_digest *digest, const void *bytes, size_t length);
void writ_digest_final(struct writ_digest *digest, unsigned char ret_bytes[WRIT_DIGEST_BYTES]);

void writ_digest_of(const void *bytes, size_t length, unsigned char ret_bytes[WRIT_DIGEST_BYTES]);
/* "sha256:<hex>" */
void writ_digest_print(const unsigned char bytes[WRIT_DIGEST_BYTES], char ret_text[WRIT_DIGEST_TEXT_BYTES]);

#endif
