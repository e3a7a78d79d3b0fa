#include "data/semver.h"

#include <stdarg.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_identifier_byte(char c)
{
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
}

WRIT_PRINTF(4, 5)
static int refuse(struct writ_error *error, const char *text, const char *what, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%.100s` is not a %s: %s", text, what, reason);
}

/* ---- one version ---- */

/* Reads a number without leading zeros.  NULL when it was read, else why not. */
static const char *read_number(const char **cursor, uint64_t *ret_number)
{
    const char *p = *cursor;
    if (!is_digit(*p))
        return "a number is missing; write three numbers, as in 1.2.0";
    if (*p == '0' && is_digit(p[1]))
        return "a number has a leading zero; write it without";
    uint64_t number = 0;
    for (; is_digit(*p); p++)
        if (WRIT_MUL_OVERFLOWS(number, (uint64_t)10, &number) ||
            WRIT_ADD_OVERFLOWS(number, (uint64_t)(*p - '0'), &number))
            return "a number is too large; at most 18446744073709551615";
    *cursor = p;
    *ret_number = number;
    return NULL;
}

/* Reads identifiers separated by dots.  NULL when they were read, else why not. */
static const char *read_identifiers(const char **cursor, bool numbers_are_strict, char *ret_text, size_t size)
{
    const char *start = *cursor, *p = start;
    for (;;) {
        const char *identifier = p;
        bool numeric = true;
        for (; is_identifier_byte(*p); p++)
            numeric = numeric && is_digit(*p);
        if (p == identifier)
            return "a part after `-` or `+` is empty; use letters, digits and hyphens between dots";
        if (numbers_are_strict && numeric && *identifier == '0' && p - identifier > 1)
            return "a number in the prerelease has a leading zero; write it without";
        if (*p != '.')
            break;
        p++;
    }
    size_t length = (size_t)(p - start);
    if (length >= size)
        return "a prerelease or build part is longer than 127 bytes; shorten it";
    memcpy(ret_text, start, length);
    ret_text[length] = '\0';
    *cursor = p;
    return NULL;
}

/* `-prerelease` and `+build`, either, both or none. */
static const char *read_tail(const char **cursor, struct writ_semver *version)
{
    const char *reason = NULL;
    if (**cursor == '-') {
        (*cursor)++;
        reason = read_identifiers(cursor, true, version->prerelease, sizeof version->prerelease);
    }
    if (!reason && **cursor == '+') {
        (*cursor)++;
        reason = read_identifiers(cursor, false, version->build, sizeof version->build);
    }
    return reason;
}

int writ_semver_parse(const char *text, struct writ_semver *ret_version, struct writ_error *error)
{
    struct writ_semver version = {0};
    const char *cursor = text, *reason = NULL;
    if (strnlen(text, WRIT_SEMVER_TEXT_MAX + 1) > WRIT_SEMVER_TEXT_MAX)
        return refuse(error, text, "version", "it is longer than %d bytes; shorten it", WRIT_SEMVER_TEXT_MAX);
    if ((text[0] == 'v' || text[0] == 'V') && is_digit(text[1]))
        return refuse(error, text, "version", "leave out the `%c`", text[0]);
    uint64_t *const parts[] = {&version.major, &version.minor, &version.patch};
    for (size_t i = 0; i < 3 && !reason; i++) {
        reason = read_number(&cursor, parts[i]);
        if (!reason && i < 2 && *cursor++ != '.')
            reason = "it needs three numbers, as in 1.2.0";
    }
    if (!reason)
        reason = read_tail(&cursor, &version);
    if (!reason && *cursor)
        return refuse(error, text, "version", "`%.20s` is left over after it; write it as in 1.2.0 or 1.2.0-rc.1",
                      cursor);
    if (reason)
        return refuse(error, text, "version", "%s", reason);
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
        for (; is_digit(*p); p++)
            if (WRIT_MUL_OVERFLOWS(number, (uint64_t)10, &number) ||
                WRIT_ADD_OVERFLOWS(number, (uint64_t)(*p - '0'), &number))
                return 0;
        parts[count++] = number;
        if (count == 3 || *p != '.' || !is_digit(p[1]))
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
        if (!is_digit(*p) || (p > text && (is_digit(p[-1]) || p[-1] == '.')))
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
        if (!is_digit(text[i]))
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

static bool same_numbers(const struct writ_semver *a, const struct writ_semver *b)
{
    return a->major == b->major && a->minor == b->minor && a->patch == b->patch;
}

int writ_semver_compare(const struct writ_semver *a, const struct writ_semver *b)
{
    int order = compare_numbers(a->major, b->major);
    order = order ? order : compare_numbers(a->minor, b->minor);
    order = order ? order : compare_numbers(a->patch, b->patch);
    return order ? order : compare_prereleases(a->prerelease, b->prerelease);
}

/* ---- ranges ---- */

/* A version of which parts may be left out or be `x`. */
struct partial {
    struct writ_semver version; /* missing parts are 0 */
    unsigned parts;             /* 0 (`*`) to 3 */
};

struct range_parser {
    const char *text, *cursor;
    const char *reason; /* why the range is refused, or NULL */
    bool alternative_begins;
    struct writ_semver_range range;
};

static void skip_spaces(struct range_parser *parser)
{
    parser->cursor += strspn(parser->cursor, " \t");
}

static bool is_wildcard(char c)
{
    return c == '*' || c == 'x' || c == 'X';
}

static bool ends_word(char c)
{
    return c == '\0' || c == ' ' || c == '\t' || c == '|' || c == ',';
}

/* Sets the reason when there is no partial version. */
static struct partial read_partial(struct range_parser *parser)
{
    struct partial partial = {0};
    uint64_t *const parts[] = {&partial.version.major, &partial.version.minor, &partial.version.patch};
    bool wild = false;
    const char *reason = NULL;
    for (unsigned i = 0; i < 3 && !reason; i++) {
        if (is_wildcard(*parser->cursor)) {
            wild = true;
            parser->cursor++;
        } else if (wild) {
            reason = "a number stands behind `x`; write `x` or nothing there";
        } else if (!(reason = read_number(&parser->cursor, parts[i]))) {
            partial.parts++;
        } else if (!is_digit(*parser->cursor)) {
            reason = "a version is missing; write it as in >=1.2 or 1.2.x";
        }
        if (reason || *parser->cursor != '.' || i == 2)
            break;
        parser->cursor++;
    }
    if (!reason && (*parser->cursor == '-' || *parser->cursor == '+'))
        reason = partial.parts == 3 ? read_tail(&parser->cursor, &partial.version)
                                    : "a prerelease needs three numbers before it, as in 1.2.0-rc.1";
    if (!reason && !ends_word(*parser->cursor))
        reason = "something stands behind a version that does not belong there; separate comparators by spaces";
    parser->reason = reason;
    return partial;
}

static void add(struct range_parser *parser, enum writ_semver_operation operation, const struct writ_semver *version)
{
    if (parser->reason)
        return;
    if (parser->range.count == WRIT_SEMVER_COMPARATORS_MAX) {
        parser->reason = "it has more than 32 comparators; shorten it";
        return;
    }
    struct writ_semver_comparator *comparator = &parser->range.comparators[parser->range.count++];
    comparator->operation = operation;
    comparator->starts_alternative = parser->alternative_begins;
    comparator->version = *version;
    parser->alternative_begins = false;
}

/* The first version that no longer begins with the first `parts` numbers: 2 of 1.4.7 gives 1.5.0.  With `below`, its
 * lowest prerelease `-0`, so that `<` keeps all its prereleases out. */
static struct writ_semver next_of(struct range_parser *parser, const struct partial *partial, unsigned parts,
                                  bool below)
{
    struct writ_semver next = {.major = partial->version.major};
    if (parts >= 2)
        next.minor = partial->version.minor;
    if (parts >= 3)
        next.patch = partial->version.patch;
    uint64_t *last = parts == 1 ? &next.major : parts == 2 ? &next.minor : &next.patch;
    if (WRIT_ADD_OVERFLOWS(*last, (uint64_t)1, last))
        parser->reason = "a number is too large for what it means here";
    next.prerelease[0] = below ? '0' : '\0';
    return next;
}

static void add_below_next(struct range_parser *parser, const struct partial *partial, unsigned parts)
{
    struct writ_semver next = next_of(parser, partial, parts, true);
    add(parser, WRIT_SEMVER_LT, &next);
}

/* At most `partial`: `<=1.4` takes all of 1.4. */
static void add_up_to(struct range_parser *parser, const struct partial *partial)
{
    if (partial->parts == 3)
        add(parser, WRIT_SEMVER_LE, &partial->version);
    else if (partial->parts > 0)
        add_below_next(parser, partial, partial->parts);
}

static void add_less(struct range_parser *parser, const struct partial *partial)
{
    struct writ_semver bound = partial->version;
    if (partial->parts < 3)
        bound.prerelease[0] = '0';
    add(parser, WRIT_SEMVER_LT, &bound);
}

static void add_greater(struct range_parser *parser, const struct partial *partial)
{
    if (partial->parts == 3) {
        add(parser, WRIT_SEMVER_GT, &partial->version);
    } else {
        struct writ_semver next = next_of(parser, partial, partial->parts, false);
        add(parser, WRIT_SEMVER_GE, &next);
    }
}

/* Up to the next version that may break: the leftmost number that is not 0 must stay. */
static void add_caret(struct range_parser *parser, const struct partial *partial)
{
    add(parser, WRIT_SEMVER_GE, &partial->version);
    unsigned kept = partial->version.major || partial->parts == 1   ? 1
                    : partial->version.minor || partial->parts == 2 ? 2
                                                                    : 3;
    add_below_next(parser, partial, kept);
}

/* `A - B` when a hyphen between spaces follows. */
static bool read_hyphen_range(struct range_parser *parser, const struct partial *low)
{
    const char *p = parser->cursor + strspn(parser->cursor, " \t");
    if (p == parser->cursor || p[0] != '-' || (p[1] != ' ' && p[1] != '\t'))
        return false;
    parser->cursor = p + 1;
    skip_spaces(parser);
    struct partial high = read_partial(parser);
    if (!parser->reason) {
        add(parser, WRIT_SEMVER_GE, &low->version);
        add_up_to(parser, &high);
    }
    return true;
}

static void read_comparator(struct range_parser *parser)
{
    static const char signs[][3] = {">=", "<=", ">", "<", "=", "^", "~"};
    const char *found = "";
    for (size_t i = 0; i < WRIT_COUNT(signs) && !*found; i++)
        if (strncmp(parser->cursor, signs[i], strlen(signs[i])) == 0)
            found = signs[i];
    parser->cursor += strlen(found);
    skip_spaces(parser);
    struct partial partial = read_partial(parser);
    if (parser->reason)
        return;
    if (!*found && read_hyphen_range(parser, &partial))
        return;
    char sign = *found ? found[0] : '=';
    bool or_equal = *found && found[1] == '=';
    if (partial.parts == 0) {
        /* `*` is any version; `>*` and `<*` would be none. */
        if (!or_equal && (sign == '<' || sign == '>'))
            parser->reason = "nothing is above or below `*`; write a number";
        add(parser, WRIT_SEMVER_GE, &partial.version);
    } else if (sign == '>') {
        or_equal ? add(parser, WRIT_SEMVER_GE, &partial.version) : add_greater(parser, &partial);
    } else if (sign == '<') {
        or_equal ? add_up_to(parser, &partial) : add_less(parser, &partial);
    } else if (sign == '^') {
        add_caret(parser, &partial);
    } else if (sign == '=' && partial.parts == 3) {
        add(parser, WRIT_SEMVER_EQ, &partial.version);
    } else {
        /* `1.2`, `=1.2`, `~1.2.3`, `~1.2`, `~1` */
        add(parser, WRIT_SEMVER_GE, &partial.version);
        add_below_next(parser, &partial, partial.parts < 2 ? partial.parts : 2);
    }
}

static bool begin(struct range_parser *parser, const char *text, struct writ_error *error)
{
    *parser = (struct range_parser){.text = text, .cursor = text, .alternative_begins = true};
    if (strnlen(text, WRIT_SEMVER_TEXT_MAX + 1) > WRIT_SEMVER_TEXT_MAX) {
        (void)refuse(error, text, "version range", "it is longer than %d bytes; shorten it", WRIT_SEMVER_TEXT_MAX);
        return false;
    }
    skip_spaces(parser);
    return true;
}

static int end(struct range_parser *parser, struct writ_semver_range *ret_range, struct writ_error *error)
{
    if (parser->reason)
        return refuse(error, parser->text, "version range", "%s", parser->reason);
    *ret_range = parser->range;
    return 0;
}

int writ_semver_range_parse(const char *text, struct writ_semver_range *ret_range, struct writ_error *error)
{
    struct range_parser parser;
    if (!begin(&parser, text, error))
        return error->code;
    if (!*parser.cursor)
        return refuse(error, text, "version range", "it is empty; write * for any version");
    for (;;) {
        if (!*parser.cursor || *parser.cursor == '|')
            parser.reason = "an alternative of `||` is empty; write one on each side";
        while (!parser.reason && *parser.cursor && *parser.cursor != '|') {
            if (*parser.cursor == ',')
                parser.reason = "comparators are separated by spaces, not by a comma";
            else
                read_comparator(&parser);
            skip_spaces(&parser);
        }
        if (parser.reason || !*parser.cursor)
            break;
        if (parser.cursor[1] != '|') {
            parser.reason = "alternatives are separated by `||`";
            break;
        }
        parser.cursor += 2;
        parser.alternative_begins = true;
        skip_spaces(&parser);
    }
    return end(&parser, ret_range, error);
}

int writ_semver_requirement_parse(const char *text, struct writ_semver_range *ret_range, struct writ_error *error)
{
    struct range_parser parser;
    if (!begin(&parser, text, error))
        return error->code;
    struct partial low = {0};
    if (is_digit(*parser.cursor))
        low = read_partial(&parser);
    skip_spaces(&parser);
    bool complete = !parser.reason && low.parts > 0 && (low.parts == 3 || !strpbrk(text, "xX*"));
    if (complete && !*parser.cursor) {
        add(&parser, WRIT_SEMVER_GE, &low.version);
        add_below_next(&parser, &low, 1);
        return end(&parser, ret_range, error);
    }
    if (!complete || *parser.cursor != ',')
        return writ_semver_range_parse(text, ret_range, error);
    parser.cursor++;
    skip_spaces(&parser);
    struct partial high = read_partial(&parser);
    skip_spaces(&parser);
    if (!parser.reason && (*parser.cursor || high.parts == 0))
        parser.reason = "two versions around one comma are a range, as in 3.9,3.12";
    struct writ_semver top = high.version;
    if (!parser.reason && high.parts < 3)
        top = next_of(&parser, &high, high.parts, true);
    if (!parser.reason && writ_semver_compare(&low.version, &top) > 0)
        parser.reason = "the first version is above the second; swap them";
    add(&parser, WRIT_SEMVER_GE, &low.version);
    add_up_to(&parser, &high);
    return end(&parser, ret_range, error);
}

static bool holds(const struct writ_semver_comparator *comparator, const struct writ_semver *version)
{
    int order = writ_semver_compare(version, &comparator->version);
    switch (comparator->operation) {
    case WRIT_SEMVER_LT:
        return order < 0;
    case WRIT_SEMVER_LE:
        return order <= 0;
    case WRIT_SEMVER_GT:
        return order > 0;
    case WRIT_SEMVER_GE:
        return order >= 0;
    case WRIT_SEMVER_EQ:
        return order == 0;
    }
    return false;
}

bool writ_semver_satisfies(const struct writ_semver *version, const struct writ_semver_range *range)
{
    if (range->count == 0)
        return true;
    bool prerelease = version->prerelease[0] != '\0';
    for (size_t i = 0; i < range->count;) {
        bool all = true, named = !prerelease;
        do {
            const struct writ_semver_comparator *comparator = &range->comparators[i++];
            all = all && holds(comparator, version);
            named = named || (comparator->version.prerelease[0] && same_numbers(version, &comparator->version));
        } while (i < range->count && !range->comparators[i].starts_alternative);
        if (all && named)
            return true;
    }
    return false;
}
