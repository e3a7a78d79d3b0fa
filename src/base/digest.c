#include "base/digest.h"

#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>
#include <string.h>

_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(struct writ_digest), "the state fits");
_Static_assert(crypto_hash_sha256_BYTES == WRIT_DIGEST_BYTES, "SHA-256 gives 32 bytes");

static crypto_hash_sha256_state *state_of(struct writ_digest *digest)
{
    return (crypto_hash_sha256_state *)(void *)digest->opaque;
}

void writ_digest_init(struct writ_digest *digest)
{
    (void)crypto_hash_sha256_init(state_of(digest));
}

void writ_digest_update(struct writ_digest *digest, const void *bytes, size_t length)
{
    (void)crypto_hash_sha256_update(state_of(digest), bytes, length);
}

void writ_digest_final(struct writ_digest *digest, unsigned char ret_bytes[WRIT_DIGEST_BYTES])
{
    (void)crypto_hash_sha256_final(state_of(digest), ret_bytes);
}

void writ_digest_of(const void *bytes, size_t length, unsigned char ret_bytes[WRIT_DIGEST_BYTES])
{
    (void)crypto_hash_sha256(ret_bytes, bytes, length);
}

void writ_digest_print(const unsigned char bytes[WRIT_DIGEST_BYTES], char ret_text[WRIT_DIGEST_TEXT_BYTES])
{
    memcpy(ret_text, "sha256:", 7);
    (void)sodium_bin2hex(ret_text + 7, WRIT_DIGEST_TEXT_BYTES - 7, bytes, WRIT_DIGEST_BYTES);
}
