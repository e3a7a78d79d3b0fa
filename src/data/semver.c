#include "data/semver.h"

#include "data/semver_read.h"

#include <string.h>

_Static_assert(sizeof(((struct writ_semver *)0)->prerelease) == SEMVER_TAIL_BYTES, "the readers fill both fields");
_Static_assert(sizeof(((struct writ_semver *)0)->build) == SEMVER_TAIL_BYTES, "the readers fill both fields");

int writ_semver_parse(const char *text, struct writ_semver *ret_version, struct writ_error *error)
{
    struct writ_semver version = {0};
    const char *cursor = text, *reason = NULL;
    if (strnlen(text, WRIT_SEMVER_TEXT_MAX + 1) > WRIT_SEMVER_TEXT_MAX)
        return semver_refuse(error, text, "version", "it is longer than %d bytes; shorten it", WRIT_SEMVER_TEXT_MAX);
    if ((text[0] == 'v' || text[0] == 'V') && semver_is_digit(text[1]))
        return semver_refuse(error, text, "version", "leave out the `%c`", text[0]);
    uint64_t *const parts[] = {&version.major, &version.minor, &version.patch};
    for (size_t i = 0; i < 3 && !reason; i++) {
        reason = semver_read_number(&cursor, parts[i]);
        if (!reason && i < 2 && *cursor++ != '.')
            reason = "it needs three numbers, as in 1.2.0";
    }
    if (!reason)
        reason = semver_read_tail(&cursor, version.prerelease, version.build);
    if (!reason && *cursor)
        return semver_refuse(error, text, "version",
                             "`%.20s` is left over after it; write it as in 1.2.0 or 1.2.0-rc.1", cursor);
    if (reason)
        return semver_refuse(error, text, "version", "%s", reason);
    *ret_version = version;
    return 0;
}

/* Reads up to three dotted numbers; leading zeros are fine (`22.02.0`).  Returns how many; 0 when one does not fit. */
static unsigned scan_numbers(const char *p, struct writ_semver *version, const char **ret_end)
{
    uint64_t parts[3] = {0};
    unsigned count = 0;
    for (;;) {
        uint64_t number = 0;
        for (; semver_is_digit(*p); p++)
            if (WRIT_MUL_OVERFLOWS(number, (uint64_t)10, &number) ||
                WRIT_ADD_OVERFLOWS(number, (uint64_t)(*p - '0'), &number))
                return 0;
        parts[count++] = number;
        if (count == 3 || *p != '.' || !semver_is_digit(p[1]))
            break;
        p++;
    }
    *version = (struct writ_semver){.major = parts[0], .minor = parts[1], .patch = parts[2]};
    *ret_end = p;
    return count;
}

bool writ_semver_scan(const char *text, struct writ_semver *ret_version)
{
    /* A dotted number is taken wherever it stands (`n4.4.1`, `jq-1.6`); a lone one (`less 590`) only as a word of its
     * own, and only when no dotted one follows. */
    struct writ_semver lone;
    bool has_lone = false;
    for (const char *p = text; *p; p++) {
        if (!semver_is_digit(*p) || (p > text && (semver_is_digit(p[-1]) || p[-1] == '.')))
            continue;
        struct writ_semver version;
        const char *end = p;
        unsigned count = scan_numbers(p, &version, &end);
        if (count >= 2) {
            *ret_version = version;
            return true;
        }
        /* strchr finds the end of the text, too. */
        bool starts_word = p == text || strchr(" \t\n-=", p[-1]) || (p[-1] == 'v' && (p == text + 1 || p[-2] == ' '));
        if (count == 1 && !has_lone && starts_word && strchr(" \t\r\n-,;)", *end)) {
            lone = version;
            has_lone = true;
        }
    }
    if (has_lone)
        *ret_version = lone;
    return has_lone;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static bool is_numeric(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!semver_is_digit(text[i]))
            return false;
    return true;
}

/* Numeric ones by value, whatever their size (without leading zeros the longer is the larger), and below the others. */
static int compare_identifiers(const char *a, size_t a_length, const char *b, size_t b_length)
{
    bool a_numeric = is_numeric(a, a_length), b_numeric = is_numeric(b, b_length);
    if (a_numeric != b_numeric)
        return a_numeric ? -1 : 1;
    if (a_numeric && a_length != b_length)
        return a_length < b_length ? -1 : 1;
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? (order < 0 ? -1 : 1) : compare_numbers(a_length, b_length);
}

static int compare_prereleases(const char *a, const char *b)
{
    if (!*a || !*b) /* a version without prerelease is above all its prereleases */
        return (*a == '\0') - (*b == '\0');
    for (;;) {
        size_t a_length = strcspn(a, "."), b_length = strcspn(b, ".");
        int order = compare_identifiers(a, a_length, b, b_length);
        if (order)
            return order;
        a += a_length;
        b += b_length;
        if (!*a || !*b) /* all equal so far: more identifiers are above fewer */
            return (*a != '\0') - (*b != '\0');
        a++;
        b++;
    }
}

int writ_semver_compare(const struct writ_semver *a, const struct writ_semver *b)
{
    int order = compare_numbers(a->major, b->major);
    order = order ? order : compare_numbers(a->minor, b->minor);
    order = order ? order : compare_numbers(a->patch, b->patch);
    return order ? order : compare_prereleases(a->prerelease, b->prerelease);
}
