#include "base/digest.h"
#include "support.h"

#include <string.h>

/* The examples of FIPS 180-4's test vectors. */
static void known_digests(void **state)
{
    (void)state;
    static const struct {
        const char *text, *digest;
    } cases[] = {
        {"", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    unsigned char bytes[WRIT_DIGEST_BYTES];
    char text[WRIT_DIGEST_TEXT_BYTES];
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        writ_digest_of(cases[i].text, strlen(cases[i].text), bytes);
        writ_digest_print(bytes, text);
        assert_string_equal(text, cases[i].digest);
    }
}

static void pieces_give_the_digest_of_the_whole(void **state)
{
    (void)state;
    unsigned char data[300], whole[WRIT_DIGEST_BYTES], pieces[WRIT_DIGEST_BYTES];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7);
    writ_digest_of(data, sizeof data, whole);
    for (size_t step = 1; step < 130; step += 3) {
        struct writ_digest digest;
        writ_digest_init(&digest);
        for (size_t at = 0; at < sizeof data; at += step)
            writ_digest_update(&digest, data + at, sizeof data - at < step ? sizeof data - at : step);
        writ_digest_update(&digest, data, 0);
        writ_digest_final(&digest, pieces);
        assert_memory_equal(pieces, whole, sizeof whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_digests),
        cmocka_unit_test(pieces_give_the_digest_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
