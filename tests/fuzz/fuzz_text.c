/*
 * UTF-8: what is called valid must be what a decoder written from the definition says, and errors are cut between
 * characters.
 */
#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Decodes one character; returns its length, or 0 when it is not well-formed (Unicode, table 3-7). */
static size_t decode(const uint8_t *bytes, size_t length)
{
    static const struct {
        uint8_t first_low, first_high, second_low, second_high;
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        if (bytes[0] < rows[row].first_low || bytes[0] > rows[row].first_high) {
            continue;
        }
        if (rows[row].length > length) {
            return 0;
        }
        if (rows[row].length > 1 && (bytes[1] < rows[row].second_low || bytes[1] > rows[row].second_high)) {
            return 0;
        }
        for (size_t index = 2; index < rows[row].length; index++) {
            if (bytes[index] < 0x80 || bytes[index] > 0xbf) {
                return 0;
            }
        }
        return rows[row].length;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t at = 0, count = 0;
    while (at < length) {
        size_t step = decode(bytes + at, length - at);
        if (step == 0) {
            break;
        }
        at += step;
        count++;
    }
    bool valid = at == length;
    demand(writ_utf8_is_valid((const char *)bytes, length) == valid);
    if (!valid) {
        return 0;
    }
    demand(writ_utf8_count((const char *)bytes, length) == count);
    if (memchr(bytes, 0, length) == NULL && length < INT32_MAX) {
        struct writ_error error;
        (void)writ_error_set(&error, WRIT_INPUT_INVALID, "%.*s", (int)length, (const char *)bytes);
        demand(writ_utf8_is_valid(error.message, strlen(error.message)));
        demand(length >= sizeof error.message || strlen(error.message) == length);
    }
    return 0;
}
