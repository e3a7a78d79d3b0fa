/*
 * Versions, ranges, sizes and durations: two lines of text, each tried as each of them.  What is taken prints back, is
 * ordered, and satisfies what names it; nothing is written when it is refused.
 */
#include "data/quantity.h"
#include "data/semver.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static bool check_version(const char *text, struct writ_semver *version)
{
    struct writ_error error;
    if (writ_semver_parse(text, version, &error) != 0) {
        demand(error.code == WRIT_CONTRACT_INVALID && error.message[0]);
        return false;
    }
    char again[512];
    (void)snprintf(again, sizeof again, "%llu.%llu.%llu%s%s%s%s", (unsigned long long)version->major,
                   (unsigned long long)version->minor, (unsigned long long)version->patch,
                   version->prerelease[0] ? "-" : "", version->prerelease, version->build[0] ? "+" : "",
                   version->build);
    demand(strcmp(again, text) == 0);
    demand(writ_semver_compare(version, version) == 0);
    struct writ_semver_range range;
    demand(writ_semver_range_parse(text, &range, &error) == 0);
    demand(writ_semver_satisfies(version, &range));
    struct writ_semver scanned;
    demand(writ_semver_scan(text, &scanned));
    demand(scanned.major == version->major && scanned.minor == version->minor && scanned.patch == version->patch);
    return true;
}

static void check_range(const char *text, const struct writ_semver *version)
{
    static int (*const parsers[])(const char *, struct writ_semver_range *,
                                  struct writ_error *) = {writ_semver_range_parse, writ_semver_requirement_parse};
    for (size_t i = 0; i < WRIT_COUNT(parsers); i++) {
        struct writ_semver_range range = {.count = 99};
        struct writ_error error;
        if (parsers[i](text, &range, &error) != 0) {
            demand(error.code == WRIT_CONTRACT_INVALID && error.message[0] && range.count == 99);
            continue;
        }
        demand(range.count >= 1 && range.count <= WRIT_SEMVER_COMPARATORS_MAX);
        demand(range.comparators[0].starts_alternative);
        (void)writ_semver_satisfies(version, &range);
    }
}

static void check_quantities(const char *text)
{
    struct writ_error error;
    struct writ_buffer out;
    uint64_t value = 12345;
    writ_buffer_init(&out, 1000);
    if (writ_size_parse(text, &value, &error) == 0)
        writ_size_print(&out, value);
    else
        demand(error.code == WRIT_CONTRACT_INVALID && value == 12345);
    value = 12345;
    if (writ_duration_parse(text, &value, &error) == 0)
        writ_duration_print(&out, value);
    else
        demand(error.code == WRIT_CONTRACT_INVALID && value == 12345);
    demand(!out.failed);
    writ_buffer_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length > 4096)
        return 0;
    char *text = malloc(length + 1);
    if (!text)
        return 0;
    memcpy(text, bytes, length);
    text[length] = '\0';
    char *second = strchr(text, '\n');
    if (second)
        *second++ = '\0';
    else
        second = text;
    struct writ_semver a = {0}, b = {0};
    bool both = check_version(text, &a);
    both = check_version(second, &b) && both;
    if (both)
        demand(writ_semver_compare(&a, &b) == -writ_semver_compare(&b, &a));
    check_range(text, &b);
    check_range(second, &a);
    check_quantities(text);
    struct writ_semver scanned = {0};
    demand(writ_semver_scan(text, &scanned) || (!scanned.major && !scanned.minor && !scanned.patch));
    free(text);
    return 0;
}
