/*
 * Ranges are taken apart into comparators, so that a check is a walk over them: `^1.2` becomes `>=1.2.0 <2.0.0-0`.  An
 * upper bound made here is the lowest prerelease `-0` of the next version, which keeps all its prereleases out.
 */
#include "data/semver.h"
#include "data/semver_read.h"

#include <string.h>

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
        } else if (!(reason = semver_read_number(&parser->cursor, parts[i]))) {
            partial.parts++;
        } else if (!semver_is_digit(*parser->cursor)) {
            reason = "a version is missing; write it as in >=1.2 or 1.2.x";
        }
        if (reason || *parser->cursor != '.' || i == 2)
            break;
        parser->cursor++;
    }
    if (!reason && (*parser->cursor == '-' || *parser->cursor == '+'))
        reason = partial.parts == 3
                     ? semver_read_tail(&parser->cursor, partial.version.prerelease, partial.version.build)
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
        (void)semver_refuse(error, text, "version range", "it is longer than %d bytes; shorten it",
                            WRIT_SEMVER_TEXT_MAX);
        return false;
    }
    skip_spaces(parser);
    return true;
}

static int end(struct range_parser *parser, struct writ_semver_range *ret_range, struct writ_error *error)
{
    if (parser->reason)
        return semver_refuse(error, parser->text, "version range", "%s", parser->reason);
    *ret_range = parser->range;
    return 0;
}

int writ_semver_range_parse(const char *text, struct writ_semver_range *ret_range, struct writ_error *error)
{
    struct range_parser parser;
    if (!begin(&parser, text, error))
        return error->code;
    if (!*parser.cursor)
        return semver_refuse(error, text, "version range", "it is empty; write * for any version");
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
    if (semver_is_digit(*parser.cursor))
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

static bool same_numbers(const struct writ_semver *a, const struct writ_semver *b)
{
    return a->major == b->major && a->minor == b->minor && a->patch == b->patch;
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
