/*
 * ECMA-262 pattern grammar to a tree.  Recursion is bounded by the nesting of groups.
 */
#include "data/pattern_set.h"
#include "data/pattern_syntax.h"

#include <string.h>

#define GROUP_DEPTH_MAX 64
#define GROUP_COUNT_MAX 256
#define END_OF_PATTERN UINT32_MAX

struct group_name {
    const char *text;
    size_t length;
    uint32_t number;
};

struct parser {
    struct writ_arena *arena;
    const char *source;
    size_t length, at;
    unsigned depth;
    unsigned behind; /* look-behinds around this place */
    bool irregular;
    uint32_t groups;       /* opened so far */
    uint32_t groups_total; /* in the whole pattern: back references may look ahead */
    struct group_name names[GROUP_COUNT_MAX];
    size_t name_count;
    const struct pattern_node *closed[GROUP_COUNT_MAX]; /* by number: groups whose end has been read */
    struct writ_error *error;
};

static int parse_alternatives(struct parser *parser, struct pattern_node **ret_node);

static int refuse(struct parser *parser, const char *what)
{
    return writ_error_set(parser->error, WRIT_SCHEMA_INVALID, "the pattern %.*s%s %s at character %zu",
                          parser->length > 100 ? 100 : (int)parser->length, parser->source,
                          parser->length > 100 ? "..." : "", what, parser->at + 1);
}

static uint32_t peek_byte(const struct parser *parser, size_t ahead)
{
    return parser->at + ahead < parser->length ? (uint8_t)parser->source[parser->at + ahead] : END_OF_PATTERN;
}

static bool take(struct parser *parser, const char *text)
{
    size_t length = strlen(text);
    if (parser->length - parser->at < length || memcmp(parser->source + parser->at, text, length) != 0)
        return false;
    parser->at += length;
    return true;
}

/* The next code point; the source was checked to be UTF-8. */
static uint32_t take_code_point(struct parser *parser)
{
    uint32_t lead = (uint8_t)parser->source[parser->at++];
    unsigned more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    uint32_t point = more == 0 ? lead : lead & (0x3Fu >> more);
    while (more-- > 0)
        point = point << 6 | ((uint8_t)parser->source[parser->at++] & 0x3Fu);
    return point;
}

static struct pattern_node *new_node(struct parser *parser, enum pattern_kind kind)
{
    struct pattern_node *node = writ_arena_zalloc(parser->arena, 1, sizeof(*node));
    if (node) {
        node->kind = kind;
        parser->irregular |= kind >= PATTERN_EDGE;
    }
    return node;
}

static int finish_node(struct parser *parser, struct pattern_node *node, struct pattern_node **ret_node)
{
    if (!node)
        return writ_error_memory(parser->error);
    *ret_node = node;
    return 0;
}

/* ---- escapes ---- */

static int hex_value(uint32_t byte)
{
    return byte >= '0' && byte <= '9'   ? (int)(byte - '0')
           : byte >= 'a' && byte <= 'f' ? (int)(byte - 'a' + 10)
           : byte >= 'A' && byte <= 'F' ? (int)(byte - 'A' + 10)
                                        : -1;
}

static bool take_hex(struct parser *parser, unsigned digits, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < digits; i++) {
        int digit = hex_value(peek_byte(parser, i));
        if (digit < 0)
            return false;
        value = value << 4 | (uint32_t)digit;
    }
    parser->at += digits;
    *ret_value = value;
    return true;
}

/* After `\u`: XXXX, a surrogate pair of two of them, or {X...}. */
static int take_unicode_escape(struct parser *parser, uint32_t *ret_point)
{
    uint32_t point = 0;
    if (take(parser, "{")) {
        size_t digits = 0;
        for (int digit; (digit = hex_value(peek_byte(parser, 0))) >= 0; parser->at++, digits++) {
            point = point << 4 | (uint32_t)digit;
            if (point > PATTERN_CODE_POINT_MAX)
                return refuse(parser, "names a code point beyond 10FFFF");
        }
        if (digits == 0 || !take(parser, "}"))
            return refuse(parser, "has a \\u{...} that is not closed");
    } else if (!take_hex(parser, 4, &point)) {
        return refuse(parser, "has a \\u without four hexadecimal digits");
    } else if (point >= 0xD800 && point <= 0xDBFF && peek_byte(parser, 0) == '\\' && peek_byte(parser, 1) == 'u') {
        size_t before = parser->at;
        uint32_t low = 0;
        parser->at += 2;
        if (take_hex(parser, 4, &low) && low >= 0xDC00 && low <= 0xDFFF)
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        else
            parser->at = before;
    }
    *ret_point = point;
    return 0;
}

/* An escape that stands for one code point; the backslash is taken, the letter is not. */
static int take_character_escape(struct parser *parser, bool in_class, uint32_t *ret_point)
{
    static const char letters[] = "tnvfr", values[] = "\t\n\v\f\r";
    uint32_t byte = peek_byte(parser, 0);
    if (byte == END_OF_PATTERN)
        return refuse(parser, "ends in a single backslash");
    const char *letter = byte < 0x80 && byte > 0 ? strchr(letters, (int)byte) : NULL;
    if (letter) {
        parser->at++;
        *ret_point = (uint8_t)values[letter - letters];
        return 0;
    }
    if (in_class && byte == 'b') {
        parser->at++;
        *ret_point = 8;
        return 0;
    }
    if (byte == 'c') {
        uint32_t control = peek_byte(parser, 1) | 0x20;
        if (peek_byte(parser, 1) == END_OF_PATTERN || control < 'a' || control > 'z')
            return refuse(parser, "has a \\c that no letter follows");
        parser->at += 2;
        *ret_point = control & 0x1F;
        return 0;
    }
    if (byte == '0') {
        uint32_t after = peek_byte(parser, 1);
        if (after >= '0' && after <= '9')
            return refuse(parser, "has an octal escape (write \\xHH)");
        parser->at++;
        *ret_point = 0;
        return 0;
    }
    if (byte == 'x') {
        parser->at++;
        return take_hex(parser, 2, ret_point) ? 0 : refuse(parser, "has a \\x without two hexadecimal digits");
    }
    if (byte == 'u') {
        parser->at++;
        return take_unicode_escape(parser, ret_point);
    }
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9'))
        return refuse(parser, "has an escape that ECMA-262 does not know");
    *ret_point = take_code_point(parser);
    return 0;
}

/* \d \D \w \W \s \S \p{} \P{}: adds them to the set and says so; otherwise takes nothing. */
static int take_class_escape(struct parser *parser, struct set_builder *set, bool *ret_taken)
{
    uint32_t byte = peek_byte(parser, 0);
    *ret_taken = true;
    if (byte < 0x80 && byte > 0 && strchr("dDwWsS", (int)byte)) {
        parser->at++;
        set_add_shorthand(set, (char)byte);
        return 0;
    }
    if (byte == 'p' || byte == 'P') {
        size_t start = parser->at + 2, end = start;
        while (end < parser->length && parser->source[end] != '}')
            end++;
        const char *name = peek_byte(parser, 1) == '{' && end < parser->length
                               ? writ_pattern_property(parser->arena, parser->source + start, end - start)
                               : NULL;
        if (!name)
            return refuse(parser, "names no Unicode property (write \\p{L} or \\p{Letter})");
        set_add_property(set, name, byte == 'P');
        parser->irregular = true;
        parser->at = end + 1;
        return 0;
    }
    *ret_taken = false;
    return 0;
}

/* ---- classes ---- */

/* One member of a class: a code point, or a shorthand that was added to the set at once. */
static int take_class_atom(struct parser *parser, struct set_builder *set, bool *ret_is_point, uint32_t *ret_point)
{
    *ret_is_point = true;
    if (!take(parser, "\\")) {
        *ret_point = take_code_point(parser);
        return 0;
    }
    bool taken;
    int result = take_class_escape(parser, set, &taken);
    if (result || taken) {
        *ret_is_point = false;
        return result;
    }
    return take_character_escape(parser, true, ret_point);
}

static int parse_class(struct parser *parser, struct pattern_node **ret_node)
{
    struct set_builder set;
    set_init(&set, parser->arena);
    bool negated = take(parser, "^");
    while (!take(parser, "]")) {
        if (parser->at >= parser->length)
            return refuse(parser, "has a [ that is not closed");
        bool first_is_point, last_is_point;
        uint32_t first, last;
        int result = take_class_atom(parser, &set, &first_is_point, &first);
        if (result)
            return result;
        if (peek_byte(parser, 0) != '-' || peek_byte(parser, 1) == ']' || peek_byte(parser, 1) == END_OF_PATTERN) {
            if (first_is_point)
                set_add(&set, first, first);
            continue;
        }
        parser->at++;
        result = take_class_atom(parser, &set, &last_is_point, &last);
        if (result)
            return result;
        if (first_is_point && last_is_point) {
            if (first > last)
                return refuse(parser, "has a range in the wrong order");
            set_add(&set, first, last);
        } else {
            /* `[\w-.]`: a range needs two ends, so the hyphen stands for itself. */
            set_add(&set, '-', '-');
            if (first_is_point)
                set_add(&set, first, first);
            if (last_is_point)
                set_add(&set, last, last);
        }
    }
    struct pattern_node *node = new_node(parser, PATTERN_SET);
    if (!node || !set_finish(&set, negated, &node->set))
        return writ_error_memory(parser->error);
    *ret_node = node;
    return 0;
}

static int point_node(struct parser *parser, uint32_t point, struct pattern_node **ret_node)
{
    struct set_builder set;
    set_init(&set, parser->arena);
    set_add(&set, point, point);
    struct pattern_node *node = new_node(parser, PATTERN_SET);
    if (!node || !set_finish(&set, false, &node->set))
        return writ_error_memory(parser->error);
    *ret_node = node;
    return 0;
}

/* Any code point but a line terminator. */
static int dot_node(struct parser *parser, struct pattern_node **ret_node)
{
    struct set_builder set;
    set_init(&set, parser->arena);
    set_add(&set, '\n', '\n');
    set_add(&set, '\r', '\r');
    set_add(&set, 0x2028, 0x2029);
    struct pattern_node *node = new_node(parser, PATTERN_SET);
    if (!node || !set_finish(&set, true, &node->set))
        return writ_error_memory(parser->error);
    *ret_node = node;
    return 0;
}

/* ---- groups and references ---- */

static bool is_name_byte(uint32_t byte)
{
    return byte != END_OF_PATTERN && ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
                                      byte == '$' || byte >= 0x80 || (byte >= '0' && byte <= '9'));
}

/* After `(?<` or `\k<`: the name up to `>`. */
static bool take_name(struct parser *parser, struct group_name *ret_name)
{
    size_t start = parser->at;
    while (is_name_byte(peek_byte(parser, 0)))
        parser->at++;
    *ret_name = (struct group_name){.text = parser->source + start, .length = parser->at - start};
    return ret_name->length > 0 && (*ret_name->text < '0' || *ret_name->text > '9') && take(parser, ">");
}

/* Counts the capturing groups and their names, for references that come before what they name. */
static int scan_groups(struct parser *parser)
{
    bool in_class = false;
    for (parser->at = 0; parser->at < parser->length; parser->at++) {
        char c = parser->source[parser->at];
        if (c == '\\') {
            parser->at++;
        } else if (c == '[') {
            in_class = true;
        } else if (c == ']') {
            in_class = false;
        } else if (c == '(' && !in_class) {
            bool named = peek_byte(parser, 1) == '?' && peek_byte(parser, 2) == '<' && peek_byte(parser, 3) != '=' &&
                         peek_byte(parser, 3) != '!';
            if (peek_byte(parser, 1) == '?' && !named)
                continue;
            if (++parser->groups_total >= GROUP_COUNT_MAX)
                return refuse(parser, "has too many groups");
            if (!named)
                continue;
            struct group_name name;
            parser->at += 3;
            if (!take_name(parser, &name))
                return refuse(parser, "has a group name that is not closed");
            for (size_t i = 0; i < parser->name_count; i++) {
                if (parser->names[i].length == name.length &&
                    memcmp(parser->names[i].text, name.text, name.length) == 0)
                    return refuse(parser, "names two groups alike");
            }
            name.number = parser->groups_total;
            parser->names[parser->name_count++] = name;
            parser->at--;
        }
    }
    parser->at = 0;
    return 0;
}

static int backref_node(struct parser *parser, uint32_t number, struct pattern_node **ret_node)
{
    /* ECMA-262 reads a look-behind from its end, PCRE2 from its start. */
    if (parser->behind)
        return refuse(parser, "refers to a group from within a look-behind");
    /* What a group has taken is known from its end on: before that it is empty. */
    struct pattern_node *node = new_node(parser, parser->closed[number] ? PATTERN_BACKREF : PATTERN_EMPTY);
    if (node)
        node->number = number;
    return finish_node(parser, node, ret_node);
}

static int parse_named_reference(struct parser *parser, struct pattern_node **ret_node)
{
    struct group_name name;
    if (!take(parser, "<") || !take_name(parser, &name))
        return refuse(parser, "has a \\k without <name>");
    for (size_t i = 0; i < parser->name_count; i++) {
        if (parser->names[i].length == name.length && memcmp(parser->names[i].text, name.text, name.length) == 0)
            return backref_node(parser, parser->names[i].number, ret_node);
    }
    return refuse(parser, "refers to a group that it does not have");
}

static int parse_escape(struct parser *parser, struct pattern_node **ret_node)
{
    uint32_t byte = peek_byte(parser, 0);
    if (byte >= '1' && byte <= '9') {
        uint32_t number = 0;
        for (; peek_byte(parser, 0) >= '0' && peek_byte(parser, 0) <= '9' && number < 1000; parser->at++)
            number = number * 10 + (peek_byte(parser, 0) - '0');
        return number <= parser->groups_total ? backref_node(parser, number, ret_node)
                                              : refuse(parser, "refers to a group that it does not have");
    }
    if (byte == 'k') {
        parser->at++;
        return parse_named_reference(parser, ret_node);
    }
    if (byte == 'b' || byte == 'B') {
        parser->at++;
        struct pattern_node *node = new_node(parser, PATTERN_EDGE);
        if (node)
            node->negated = byte == 'B';
        return finish_node(parser, node, ret_node);
    }
    struct set_builder set;
    set_init(&set, parser->arena);
    bool taken;
    int result = take_class_escape(parser, &set, &taken);
    if (result)
        return result;
    if (!taken) {
        uint32_t point;
        result = take_character_escape(parser, false, &point);
        return result ? result : point_node(parser, point, ret_node);
    }
    struct pattern_node *node = new_node(parser, PATTERN_SET);
    if (!node || !set_finish(&set, false, &node->set))
        return writ_error_memory(parser->error);
    *ret_node = node;
    return 0;
}

static int parse_group(struct parser *parser, struct pattern_node **ret_node)
{
    struct group_name name;
    struct pattern_node *node = NULL;
    if (take(parser, "?:")) {
        /* no node of its own */
    } else if (take(parser, "?=") || take(parser, "?!")) {
        node = new_node(parser, PATTERN_LOOK);
        if (!node)
            return writ_error_memory(parser->error);
        node->negated = parser->source[parser->at - 1] == '!';
    } else if (take(parser, "?<=") || take(parser, "?<!")) {
        node = new_node(parser, PATTERN_LOOK);
        if (!node)
            return writ_error_memory(parser->error);
        node->behind = true;
        node->negated = parser->source[parser->at - 1] == '!';
    } else {
        if (take(parser, "?") && !(take(parser, "<") && take_name(parser, &name)))
            return refuse(parser, "has a (? that ECMA-262 does not know");
        node = new_node(parser, PATTERN_CAPTURE);
        if (!node)
            return writ_error_memory(parser->error);
        node->number = ++parser->groups;
    }
    struct pattern_node *inner;
    bool behind = node && node->behind;
    parser->behind += behind;
    int result = parse_alternatives(parser, &inner);
    parser->behind -= behind;
    if (result)
        return result;
    if (!take(parser, ")"))
        return refuse(parser, "has a ( that is not closed");
    if (node)
        node->child = inner;
    if (node && node->kind == PATTERN_CAPTURE)
        parser->closed[node->number] = node;
    *ret_node = node ? node : inner;
    return 0;
}

/* ---- terms ---- */

/* `{n}`, `{n,}`, `{n,m}`; anything else that starts with { stands for itself. */
static bool take_braces(struct parser *parser, uint32_t *ret_min, uint32_t *ret_max)
{
    size_t before = parser->at;
    uint32_t bounds[2] = {0, 0};
    size_t digits[2] = {0, 0};
    size_t which = 0;
    parser->at++;
    for (;; parser->at++) {
        uint32_t byte = peek_byte(parser, 0);
        if (byte >= '0' && byte <= '9') {
            digits[which]++;
            bounds[which] = bounds[which] > PATTERN_REPEAT_MAX ? bounds[which] : bounds[which] * 10 + (byte - '0');
        } else if (byte == ',' && which == 0) {
            which = 1;
        } else {
            break;
        }
    }
    if (digits[0] == 0 || !take(parser, "}")) {
        parser->at = before;
        return false;
    }
    *ret_min = bounds[0];
    *ret_max = which == 0 ? bounds[0] : digits[1] ? bounds[1] : PATTERN_UNBOUNDED;
    return true;
}

static int parse_quantifier(struct parser *parser, struct pattern_node **node)
{
    uint32_t min = 0, max = PATTERN_UNBOUNDED;
    uint32_t byte = peek_byte(parser, 0);
    if (byte == '*' || byte == '+' || byte == '?') {
        parser->at++;
        min = byte == '+';
        max = byte == '?' ? 1 : PATTERN_UNBOUNDED;
    } else if (byte != '{' || !take_braces(parser, &min, &max)) {
        return 0;
    }
    if (min > PATTERN_REPEAT_MAX || (max > PATTERN_REPEAT_MAX && max != PATTERN_UNBOUNDED))
        return refuse(parser, "repeats more than 65535 times");
    if (min > max)
        return refuse(parser, "has a repeat whose bounds are in the wrong order");
    enum pattern_kind kind = (*node)->kind;
    if (kind == PATTERN_START || kind == PATTERN_END || kind == PATTERN_EDGE || kind == PATTERN_LOOK)
        return refuse(parser, "repeats what has no width");
    struct pattern_node *repeat = new_node(parser, PATTERN_REPEAT);
    if (!repeat)
        return writ_error_memory(parser->error);
    repeat->min = min;
    repeat->max = max;
    repeat->lazy = take(parser, "?");
    repeat->child = *node;
    *node = repeat;
    return 0;
}

static int parse_atom(struct parser *parser, struct pattern_node **ret_node)
{
    uint32_t min, max;
    switch (peek_byte(parser, 0)) {
    case '^':
        parser->at++;
        return finish_node(parser, new_node(parser, PATTERN_START), ret_node);
    case '$':
        parser->at++;
        return finish_node(parser, new_node(parser, PATTERN_END), ret_node);
    case '.':
        parser->at++;
        return dot_node(parser, ret_node);
    case '[':
        parser->at++;
        return parse_class(parser, ret_node);
    case '(':
        parser->at++;
        return parse_group(parser, ret_node);
    case '\\':
        parser->at++;
        return parse_escape(parser, ret_node);
    case '*':
    case '+':
    case '?':
        return refuse(parser, "has nothing to repeat");
    case '{':
        if (take_braces(parser, &min, &max))
            return refuse(parser, "has nothing to repeat");
        break;
    default:
        break;
    }
    return point_node(parser, take_code_point(parser), ret_node);
}

static int parse_alternative(struct parser *parser, struct pattern_node **ret_node)
{
    struct pattern_node *sequence = new_node(parser, PATTERN_EMPTY);
    if (!sequence)
        return writ_error_memory(parser->error);
    struct pattern_node **tail = &sequence->child;
    for (uint32_t byte; (byte = peek_byte(parser, 0)) != END_OF_PATTERN && byte != '|' && byte != ')';) {
        struct pattern_node *atom = NULL;
        int result = parse_atom(parser, &atom);
        if (!result)
            result = parse_quantifier(parser, &atom);
        if (result)
            return result;
        sequence->kind = PATTERN_CAT;
        atom->previous = sequence->last;
        sequence->last = atom;
        *tail = atom;
        tail = &atom->next;
    }
    *ret_node = sequence;
    return 0;
}

static int parse_alternatives(struct parser *parser, struct pattern_node **ret_node)
{
    if (parser->depth >= GROUP_DEPTH_MAX)
        return refuse(parser, "nests groups more than 64 deep");
    parser->depth++;
    struct pattern_node *first = NULL;
    struct pattern_node **tail = &first;
    size_t count = 0;
    do {
        int result = parse_alternative(parser, tail);
        if (result)
            return result;
        tail = &(*tail)->next;
        count++;
    } while (take(parser, "|"));
    parser->depth--;
    if (count == 1) {
        *ret_node = first;
        return 0;
    }
    struct pattern_node *node = new_node(parser, PATTERN_OR);
    if (node)
        node->child = first;
    return finish_node(parser, node, ret_node);
}

/* Recursion is as deep as the parser's was. */
static int check_references(struct parser *parser, struct pattern_node *node)
{
    int result = 0;
    if (node->kind == PATTERN_BACKREF && !writ_pattern_reference_is_plain(node, parser->closed[node->number]))
        return writ_error_set(parser->error, WRIT_SCHEMA_INVALID,
                              "the pattern refers back to its group %u, which a turn of a repeat may leave out: put "
                              "group and reference together into one turn",
                              node->number);
    for (struct pattern_node *child = node->child; child && !result; child = child->next)
        result = check_references(parser, child);
    return result;
}

static void set_parents(struct pattern_node *node)
{
    for (struct pattern_node *child = node->child; child; child = child->next) {
        child->parent = node;
        set_parents(child);
    }
}

int writ_pattern_parse(struct writ_arena *arena, const char *source, size_t length, struct pattern_syntax *ret_syntax,
                       struct writ_error *error)
{
    struct parser parser = {.arena = arena, .source = source, .length = length, .error = error};
    struct pattern_node *root;
    int result = scan_groups(&parser);
    if (!result)
        result = parse_alternatives(&parser, &root);
    if (result)
        return result;
    if (parser.at < length)
        return refuse(&parser, "has a ) without its (");
    if (parser.irregular) {
        set_parents(root);
        result = check_references(&parser, root);
        if (result)
            return result;
    }
    *ret_syntax = (struct pattern_syntax){.root = root, .irregular = parser.irregular};
    return 0;
}
