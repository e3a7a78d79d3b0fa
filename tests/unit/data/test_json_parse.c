/* What the reader takes and refuses, and where it says so.  Proves the JSON part of the ground of S4: strict UTF-8,
 * duplicate keys, lone surrogates, depth and places of errors. */
#include "base/text.h"
#include "data/json.h"
#include "support.h"

#include <string.h>

#define ARENA_BYTES ((size_t)64 << 20)

/* Parses an exact copy without terminator or slack, so that a sanitizer sees every read beyond it. */
static int parse(struct writ_arena *arena, const char *text, size_t length, const struct writ_json **ret_root,
                 struct writ_error *error)
{
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    int result = writ_json_parse(arena, exact, length, ret_root, error);
    free(exact);
    return result;
}

struct refusal {
    const char *text;
    size_t length; /* 0: strlen */
    unsigned line, column;
    const char *says;
};

static void check_refusals(const struct refusal *rows, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        struct writ_arena arena;
        writ_arena_init(&arena, ARENA_BYTES);
        struct writ_error error = {0};
        const struct writ_json *root = NULL;
        size_t length = rows[at].length ? rows[at].length : strlen(rows[at].text);
        int result = parse(&arena, rows[at].text, length, &root, &error);
        if (result != WRIT_DATA_SYNTAX || error.code != WRIT_DATA_SYNTAX || error.line != rows[at].line ||
            error.column != rows[at].column || !strstr(error.message, rows[at].says) || root)
            fail_msg("%s: result %d at %u:%u, expected %u:%u `%s`, says: %s", rows[at].text, result, error.line,
                     error.column, rows[at].line, rows[at].column, rows[at].says, error.message);
        writ_arena_clear(&arena);
    }
}

static void bad_documents_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"{\"a\":1,\"a\":2}", 0, 1, 8, "\"a\" occurs twice"},
        {"{\"a\":1,\n \"b\":2,\n \"\\u0061\":2}", 0, 3, 2, "\"a\" occurs twice"},
        {"{\"a\":{\"b\":1,\"b\":2},\"a\":1}", 0, 1, 13, "\"b\" occurs twice"},
        {"{\"a\":{\"a\":1},\"a\":1}", 0, 1, 14, "\"a\" occurs twice"},
        {"{\"\":1,\"\":2}", 0, 1, 7, "occurs twice"},
        {"\"\\ud800\"", 0, 1, 2, "surrogate"},
        {"\"a\\udc00\\ud800\"", 0, 1, 3, "surrogate"},
        {"\"\\ud800\\u0041\"", 0, 1, 2, "surrogate"},
        {"\"\\ud800x\"", 0, 1, 2, "surrogate"},
        {"\"\\ud800\\", 0, 1, 2, "surrogate"},
        {"\"\\ud8", 0, 1, 2, "four hexadecimal digits"},
        {"\"\\u00g0\"", 0, 1, 2, "four hexadecimal digits"},
        {"\"\xFF\"", 0, 1, 2, "UTF-8"},
        {"\"\xC0\x80\"", 0, 1, 2, "UTF-8"},
        {"\"\xC1\xBF\"", 0, 1, 2, "UTF-8"},
        {"\"\xE0\x9F\xBF\"", 0, 1, 2, "UTF-8"},
        {"\"\xED\xA0\x80\"", 0, 1, 2, "UTF-8"},
        {"\"\xF0\x8F\xBF\xBF\"", 0, 1, 2, "UTF-8"},
        {"\"\xF4\x90\x80\x80\"", 0, 1, 2, "UTF-8"},
        {"\"\xF5\x80\x80\x80\"", 0, 1, 2, "UTF-8"},
        {"\"\x80\"", 0, 1, 2, "UTF-8"},
        {"\"\xE6\x96\x87\xE6\x96\"", 0, 1, 5, "UTF-8"},
        {"\"\xE6\x96\x87\xE6\x96", 0, 1, 5, "UTF-8"},
        {"[\"\xE6\x96\x87\", \xE6\x96\x87]", 0, 1, 9, "the byte 0xE6"},
        {"\"\x01\"", 0, 1, 2, "control character 0x01"},
        {"\"a\nb\"", 0, 1, 3, "line ends inside a string"},
        {"\"a\0b\"", 5, 1, 3, "control character 0x00"},
        {"\"a\tb\"", 0, 1, 3, "`\\u0009`"},
        {"[1,]", 0, 1, 4, "remove the comma"},
        {"[,1]", 0, 1, 2, "a value is due"},
        {"{\"a\":1,}", 0, 1, 8, "remove the comma"},
        {"{,}", 0, 1, 2, "a key in quotation marks"},
        {"{a:1}", 0, 1, 2, "a key in quotation marks"},
        {"{1:1}", 0, 1, 2, "a key in quotation marks"},
        {"{\"a\" 1}", 0, 1, 6, "a colon is due"},
        {"{\"a\"}", 0, 1, 5, "a colon is due"},
        {"{\"a\":}", 0, 1, 6, "a value is due"},
        {"[1 2]", 0, 1, 4, "end the array"},
        {"[1}", 0, 1, 3, "end the array"},
        {"{\"a\":1]", 0, 1, 7, "end the object"},
        {"[1", 0, 1, 3, "the end of the document"},
        {"[", 0, 1, 2, "the end of the document"},
        {"{", 0, 1, 2, "the end of the document"},
        {"]", 0, 1, 1, "a value is due"},
        {"\"abc", 0, 1, 1, "not closed"},
        {"[\n  \"abc\\\"]", 0, 2, 3, "not closed"},
        {"01", 0, 1, 1, "begin with zeros"},
        {"-01", 0, 1, 2, "begin with zeros"},
        {"00", 0, 1, 1, "begin with zeros"},
        {"+1", 0, 1, 1, "a value is due"},
        {"-", 0, 1, 2, "after the minus"},
        {"-a", 0, 1, 2, "after the minus"},
        {".5", 0, 1, 1, "a value is due"},
        {"1.", 0, 1, 3, "after the decimal point"},
        {"1.e5", 0, 1, 3, "after the decimal point"},
        {"1e", 0, 1, 3, "exponent"},
        {"1e+", 0, 1, 4, "exponent"},
        {"1E-x", 0, 1, 4, "exponent"},
        {"NaN", 0, 1, 1, "a value is due"},
        {"nan", 0, 1, 1, "a value is due"},
        {"[Infinity]", 0, 1, 2, "a value is due"},
        {"-Infinity", 0, 1, 2, "after the minus"},
        {"{'a':1}", 0, 1, 2, "a key in quotation marks"},
        {"['a']", 0, 1, 2, "quotation marks"},
        {"/* c */ 1", 0, 1, 1, "no comments"},
        {"[1, // c\n2]", 0, 1, 5, "no comments"},
        {"1 x", 0, 1, 3, "the document ended before"},
        {"{} {}", 0, 1, 4, "the document ended before"},
        {"1\0", 2, 1, 2, "the byte 0x00"},
        {"\xEF\xBB\xBF{}", 0, 1, 1, "byte order mark"},
        {" \n ", 0, 2, 2, "the document is empty"},
        {"0x10", 0, 1, 2, "the document ended before"},
        {"True", 0, 1, 1, "a value is due"},
        {"tru", 0, 1, 1, "a value is due"},
        {"nul", 0, 1, 1, "a value is due"},
        {"falsE", 0, 1, 1, "a value is due"},
        {"truex", 0, 1, 5, "the document ended before"},
        {"\"\\x41\"", 0, 1, 2, "backslash must be followed"},
        {"[\"a\",\n\"b\\q\"]", 0, 2, 3, "backslash must be followed"},
        {"\f1", 0, 1, 1, "the byte 0x0C"},
        {"\xC2\xA0"
         "1",
         0, 1, 1, "the byte 0xC2"},
    };
    check_refusals(rows, WRIT_COUNT(rows));
    struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(parse(&arena, "", 0, &root, &error), WRIT_DATA_SYNTAX);
    assert_non_null(strstr(error.message, "the document is empty"));
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 1);
    writ_arena_clear(&arena);
}

/* The text of a one-value document: kind, and source text or value. */
static void numbers_are_kept_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum writ_json_kind kind;
        int64_t integer;
        unsigned flags;
    } rows[] = {
        {"0", WRIT_JSON_INTEGER, 0, 0},
        {"-1", WRIT_JSON_INTEGER, -1, 0},
        {"9007199254740993", WRIT_JSON_INTEGER, 9007199254740993, 0},
        {"9223372036854775807", WRIT_JSON_INTEGER, INT64_MAX, 0},
        {"-9223372036854775808", WRIT_JSON_INTEGER, INT64_MIN, 0},
        {"9223372036854775808", WRIT_JSON_DECIMAL, 0, 0},
        {"-9223372036854775809", WRIT_JSON_DECIMAL, 0, 0},
        {"18446744073709551615", WRIT_JSON_DECIMAL, 0, 0},
        {"18446744073709551616", WRIT_JSON_DECIMAL, 0, 0},
        {"18446744073709551617", WRIT_JSON_DECIMAL, 0, 0},
        {"123456789012345678901234567890", WRIT_JSON_DECIMAL, 0, 0},
        {"-0", WRIT_JSON_DECIMAL, 0, 0},
        {"-0.0", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
        {"0.1", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
        {"1.0", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
        {"1e2", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
        {"1E+2", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
        {"1e400", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
        {"5e-324", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
        {"0.30000000000000004", WRIT_JSON_DECIMAL, 0, WRIT_JSON_FLAG_FRACTION},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        struct writ_arena arena;
        writ_arena_init(&arena, ARENA_BYTES);
        struct writ_error error;
        const struct writ_json *root;
        assert_int_equal(parse(&arena, rows[at].text, strlen(rows[at].text), &root, &error), 0);
        assert_int_equal(root->kind, rows[at].kind);
        assert_int_equal(root->flags, rows[at].flags);
        if (root->kind == WRIT_JSON_INTEGER) {
            assert_true(root->integer == rows[at].integer);
        } else {
            assert_int_equal(root->length, strlen(rows[at].text));
            assert_memory_equal(root->text, rows[at].text, root->length);
        }
        writ_arena_clear(&arena);
    }
}

static void strings_are_unescaped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *value;
        size_t length;
        unsigned flags;
    } rows[] = {
        {"\"\"", "", 0, WRIT_JSON_FLAG_ASCII | WRIT_JSON_FLAG_PLAIN},
        {"\"a\\u0000b\"", "a\0b", 3, WRIT_JSON_FLAG_ASCII},
        {"\"a\\/b\"", "a/b", 3, WRIT_JSON_FLAG_ASCII | WRIT_JSON_FLAG_PLAIN},
        {"\"\\\"\\\\\\b\\f\\n\\r\\t\"", "\"\\\b\f\n\r\t", 7, WRIT_JSON_FLAG_ASCII},
        {"\"\\u0041\\u007f\"", "A\x7F", 2, WRIT_JSON_FLAG_ASCII | WRIT_JSON_FLAG_PLAIN},
        {"\"\x7F\xF0\x9F\x98\x80\"", "\x7F\xF0\x9F\x98\x80", 5, WRIT_JSON_FLAG_PLAIN},
        {"\"\\ud83d\\uDE00\"", "\xF0\x9F\x98\x80", 4, WRIT_JSON_FLAG_PLAIN},
        {"\"\\u00e9\\u6587\"", "\xC3\xA9\xE6\x96\x87", 5, WRIT_JSON_FLAG_PLAIN},
        {"\"\xE6\x8A\x80\xE8\x83\xBD\xE8\xAE\xB0\xE5\xBD\x95 and more text, long enough\\nfor two blocks\"",
         "\xE6\x8A\x80\xE8\x83\xBD\xE8\xAE\xB0\xE5\xBD\x95 and more text, long enough\nfor two blocks", 54, 0},
        {"\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"",
         "\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 24,
         WRIT_JSON_FLAG_PLAIN},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        struct writ_arena arena;
        writ_arena_init(&arena, ARENA_BYTES);
        struct writ_error error;
        const struct writ_json *root;
        assert_int_equal(parse(&arena, rows[at].text, strlen(rows[at].text), &root, &error), 0);
        assert_int_equal(root->kind, WRIT_JSON_STRING);
        assert_int_equal(root->length, rows[at].length);
        assert_memory_equal(root->text, rows[at].value, rows[at].length + 1);
        assert_int_equal(root->flags, rows[at].flags);
        assert_true((root->tag & WRIT_JSON_TAG_MASK) == writ_json_string_tag(rows[at].value, rows[at].length));
        writ_arena_clear(&arena);
    }
}

/* Each byte at each place of a block: plain, ending, or refused, whatever surrounds it. */
static void every_byte_is_judged_at_every_place(void **state)
{
    (void)state;
    char text[64];
    for (unsigned place = 0; place < 36; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            memset(text, 'x', sizeof text);
            text[0] = '"';
            text[1 + place] = (char)byte;
            text[41] = '"';
            struct writ_arena arena;
            writ_arena_init(&arena, ARENA_BYTES);
            struct writ_error error;
            const struct writ_json *root;
            int result = parse(&arena, text, 42, &root, &error);
            if (byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\') {
                assert_int_equal(result, 0);
                assert_int_equal(root->length, 40);
                assert_memory_equal(root->text, text + 1, 40);
            } else {
                assert_int_equal(result, WRIT_DATA_SYNTAX);
                assert_int_equal(error.column, byte == '"' ? place + 3 : place + 2);
            }
            writ_arena_clear(&arena);
        }
    }
}

static uint64_t next_random(uint64_t *seed)
{
    uint64_t mixed = (*seed += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return mixed ^ mixed >> 31;
}

/* Text where scripts mix, damaged at random: refused at the first bad sequence, or taken as it is. */
static void mixed_scripts_are_judged_by_sequence(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a",
                                         "text",
                                         " ",
                                         "\xC3\xA9",
                                         "\xE6\x96\x87",
                                         "\xE6\x96\x87\xE4\xBB\xB6",
                                         "\xF0\x9F\x98\x80",
                                         "\xED\x95\x9C",
                                         "\xE0\xA4\x85",
                                         "\xEF\xBC\x8C",
                                         "0123456789abcdef"};
    uint64_t seed = 11;
    for (unsigned round = 0; round < 200000; round++) {
        char text[160] = "\"";
        size_t length = 1;
        uint64_t few = next_random(&seed) % 4; /* some rounds use only some pieces, so that runs are long */
        for (uint64_t count = next_random(&seed) % 16; count > 0 && length < 100; count--) {
            const char *piece = pieces[next_random(&seed) % WRIT_COUNT(pieces)];
            if (few == 0)
                piece = pieces[4 + next_random(&seed) % 2];
            size_t size = strlen(piece);
            memcpy(text + length, piece, size);
            length += size;
        }
        if (round % 4 && length > 1) {
            char *place = &text[1 + next_random(&seed) % (length - 1)];
            *place = (char)(0x80 | next_random(&seed));
        }
        size_t good = 0, size = 1;
        for (; good < length - 1; good += size) {
            for (size = 1; size <= 4 && good + size <= length - 1; size++) {
                if (writ_utf8_is_valid(text + 1 + good, size))
                    break;
            }
            if (size > 4 || good + size > length - 1)
                break;
        }
        text[length] = '"';
        struct writ_arena arena;
        writ_arena_init(&arena, ARENA_BYTES);
        struct writ_error error;
        const struct writ_json *root;
        int result = parse(&arena, text, length + 1, &root, &error);
        assert_int_equal(result, good == length - 1 ? 0 : WRIT_DATA_SYNTAX);
        if (result != 0) {
            assert_int_equal(error.column, good + 2);
        } else {
            bool is_ascii = true;
            for (size_t at = 1; at < length; at++)
                is_ascii = is_ascii && (unsigned char)text[at] < 0x80;
            assert_int_equal(root->length, length - 1);
            assert_memory_equal(root->text, text + 1, length - 1);
            assert_int_equal(root->flags, WRIT_JSON_FLAG_PLAIN | (is_ascii ? WRIT_JSON_FLAG_ASCII : 0));
        }
        writ_arena_clear(&arena);
    }
}

static void depth_is_bounded(void **state)
{
    (void)state;
    static const unsigned depths[] = {31, 127, 128, 129, 1000, 100000, 5000000};
    for (size_t at = 0; at < WRIT_COUNT(depths); at++) {
        size_t depth = depths[at];
        for (unsigned in_object = 0; in_object < 2; in_object++) {
            const char *opening = in_object ? "{\"\":" : "[";
            size_t step = strlen(opening), length = depth * (step + 1) + 1;
            char *text = malloc(length);
            assert_non_null(text);
            for (size_t level = 0; level < depth; level++)
                memcpy(text + level * step, opening, step);
            text[depth * step] = '1';
            memset(text + depth * step + 1, in_object ? '}' : ']', depth);
            struct writ_arena arena;
            writ_arena_init(&arena, (size_t)1 << 30);
            struct writ_error error;
            const struct writ_json *root;
            int result = writ_json_parse(&arena, text, length, &root, &error);
            if (depth <= WRIT_JSON_DEPTH_MAX) {
                assert_int_equal(result, 0);
                assert_int_equal(root->skip, depth * (in_object ? 2 : 1) + 1);
            } else {
                assert_int_equal(result, WRIT_DATA_SYNTAX);
                assert_int_equal(error.column, WRIT_JSON_DEPTH_MAX * step + 1);
                assert_non_null(strstr(error.message, "deeper than 128"));
            }
            writ_arena_clear(&arena);
            free(text);
        }
    }
}

static const char sample[] =
    "{\n  \"id\": \"com.example.file.text-extract\", \"versions\": [1, 2.5, -3e10, 12345678901234567890],\n"
    "  \"name\": \"\xE6\x96\x87\xE6\x9C\xAC\xE6\x8F\x90\xE5\x8F\x96 \\u6587\\n\xF0\x9F\x98\x80\", \"on\": true, "
    "\"off\": false,"
    " \"none\": null,\r\n\t\"empty\": [{}, [], \"\"], \"deep\": {\"a\": {\"b\": [[[{\"c\": 0}]]]}}\n}\n";

static void every_prefix_is_refused(void **state)
{
    (void)state;
    size_t length = strlen(sample) - 1; /* without the newline at the end, which is no part of the value */
    for (size_t cut = 0; cut <= length; cut++) {
        struct writ_arena arena;
        writ_arena_init(&arena, ARENA_BYTES);
        struct writ_error error = {0};
        const struct writ_json *root;
        int result = parse(&arena, sample, cut, &root, &error);
        assert_int_equal(result, cut == length ? 0 : WRIT_DATA_SYNTAX);
        writ_arena_clear(&arena);
    }
}

/* Every single byte changed to every other: no crash, and a place inside the document when it is refused. */
static void every_changed_byte_is_survived(void **state)
{
    (void)state;
    char text[sizeof sample];
    for (size_t place = 0; place < sizeof sample - 1; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            memcpy(text, sample, sizeof sample);
            text[place] = (char)byte;
            struct writ_arena arena;
            writ_arena_init(&arena, ARENA_BYTES);
            struct writ_error error = {0};
            const struct writ_json *root;
            int result = parse(&arena, text, sizeof sample - 1, &root, &error);
            if (result != 0) {
                assert_int_equal(result, WRIT_DATA_SYNTAX);
                assert_in_range(error.line, 1, 7);
                assert_in_range(error.column, 1, sizeof sample);
            }
            writ_arena_clear(&arena);
        }
    }
}

static void the_nodes_lie_as_promised(void **state)
{
    (void)state;
    struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(parse(&arena, sample, sizeof sample - 1, &root, &error), 0);
    assert_int_equal(root->kind, WRIT_JSON_OBJECT);
    assert_int_equal(root->length, 8);
    const struct writ_json *versions = writ_json_get(root, "versions");
    assert_int_equal(versions->length, 4);
    assert_int_equal(versions->skip, 5);
    assert_int_equal(writ_json_at(versions, 3)->kind, WRIT_JSON_DECIMAL);
    assert_null(writ_json_at(versions, 4));
    assert_ptr_equal(writ_json_next(versions), versions + 5);
    assert_true(writ_json_is_text(writ_json_get(root, "id"), "com.example.file.text-extract"));
    assert_false(writ_json_is_text(writ_json_get(root, "id"), "com.example.file.text-extrac"));
    assert_true(writ_json_is_true(writ_json_get(root, "on")));
    assert_false(writ_json_is_true(writ_json_get(root, "off")));
    const struct writ_json *empty = writ_json_get(root, "empty");
    assert_int_equal(empty->length, 3);
    assert_int_equal(writ_json_at(empty, 0)->skip, 1);
    assert_int_equal(writ_json_at(empty, 1)->skip, 1);
    assert_null(writ_json_get(root, "absent"));
    assert_null(writ_json_get(NULL, "id"));
    assert_null(writ_json_get(versions, "id"));
    assert_null(writ_json_text(versions));
    assert_null(writ_json_text(NULL));
    size_t members = 0;
    WRIT_JSON_EACH_MEMBER(key, root)
    {
        assert_int_equal(key->kind, WRIT_JSON_STRING);
        members++;
    }
    assert_int_equal(members, root->length);
    writ_arena_clear(&arena);
}

/* Large objects take the sorting way; keys are chosen so that all hashes and lengths are equal. */
static void many_colliding_keys_are_told_apart(void **state)
{
    (void)state;
    enum { KEYS = 20000 };
    struct writ_buffer text;
    for (unsigned with_duplicate = 0; with_duplicate < 2; with_duplicate++) {
        writ_buffer_init(&text, ARENA_BYTES);
        writ_buffer_append_byte(&text, '{');
        size_t duplicate_column = 0;
        for (unsigned key = 0; key < KEYS; key++) {
            if (with_duplicate && (key == 15000 || key == 19000) && !duplicate_column)
                duplicate_column = text.length + 1;
            unsigned number = with_duplicate && (key == 15000 || key == 19000) ? key - 14000 : key;
            writ_buffer_printf(&text, "\"same-head%08u%02d%08usame-tail\":[{\"x\":0}],", number % 97, 0, number);
        }
        text.data[text.length - 1] = '}';
        struct writ_arena arena;
        writ_arena_init(&arena, ARENA_BYTES);
        struct writ_error error;
        const struct writ_json *root;
        int result = writ_json_parse(&arena, text.data, text.length, &root, &error);
        if (with_duplicate) {
            assert_int_equal(result, WRIT_DATA_SYNTAX);
            assert_int_equal(error.column, duplicate_column);
        } else {
            assert_int_equal(result, 0);
            assert_int_equal(root->length, KEYS);
        }
        writ_arena_clear(&arena);
        writ_buffer_clear(&text);
    }
}

static void a_repeated_key_is_shown_safely(void **state)
{
    (void)state;
    /* Over the length that is shown, cut inside a Chinese character; and one that would move a terminal's cursor. */
    struct writ_buffer text;
    writ_buffer_init(&text, 4096);
    writ_buffer_append_text(&text, "{\"\\u001b[2J\":1,\"\\u001b[2J\":2}");
    struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(parse(&arena, text.data, text.length, &root, &error), WRIT_DATA_SYNTAX);
    assert_non_null(strstr(error.message, "the key \"\\u001b[2J\" occurs twice"));
    writ_buffer_clear(&text);
    for (unsigned shift = 0; shift < 3; shift++) {
        for (unsigned copy = 0; copy < 2; copy++) {
            writ_buffer_printf(&text, "%s%.*s", copy ? "\":1,\"" : "{\"", (int)shift, "xx");
            for (unsigned count = 0; count < 50; count++)
                writ_buffer_append_text(&text, "\xE6\x96\x87");
        }
        writ_buffer_append_text(&text, "\":2}");
        assert_int_equal(parse(&arena, text.data, text.length, &root, &error), WRIT_DATA_SYNTAX);
        assert_true(writ_utf8_is_valid(error.message, strlen(error.message)));
        assert_non_null(strstr(error.message, "\" ... occurs twice"));
        writ_buffer_clear(&text);
    }
    writ_arena_clear(&arena);
}

/* A string full of commas must not make a small document too large for its arena. */
static void marks_inside_strings_cost_no_room(void **state)
{
    (void)state;
    enum { MARKS = 100000 };
    char *text = malloc(MARKS + 2);
    assert_non_null(text);
    memset(text, ',', MARKS + 2);
    text[0] = text[MARKS + 1] = '"';
    struct writ_arena arena;
    writ_arena_init(&arena, MARKS + 1024);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(writ_json_parse(&arena, text, MARKS + 2, &root, &error), 0);
    assert_int_equal(root->length, MARKS);
    writ_arena_clear(&arena);
    /* The same marks outside need the room, and are refused. */
    for (size_t at = 1; at < MARKS; at += 2)
        text[at] = '1';
    text[0] = '[';
    text[MARKS] = ' ';
    text[MARKS + 1] = ']';
    text[MARKS - 1] = '1';
    for (size_t at = 1; at < MARKS; at += 2)
        text[at + 1] = at + 1 == MARKS ? ' ' : ',';
    assert_int_equal(writ_json_parse(&arena, text, MARKS + 2, &root, &error), WRIT_INTERNAL_LIMIT);
    writ_arena_clear(&arena);
    writ_arena_init(&arena, MARKS * 10);
    assert_int_equal(writ_json_parse(&arena, text, MARKS + 2, &root, &error), 0);
    assert_int_equal(root->length, MARKS / 2);
    writ_arena_clear(&arena);
    free(text);
}

static void sizes_are_bounded(void **state)
{
    (void)state;
    struct writ_arena arena;
    writ_arena_init(&arena, 100);
    struct writ_error error;
    const struct writ_json *root;
    assert_int_equal(writ_json_parse(&arena, sample, sizeof sample - 1, &root, &error), WRIT_INTERNAL_LIMIT);
    /* Refused before a byte is read. */
    assert_int_equal(writ_json_parse(&arena, sample, WRIT_JSON_BYTES_MAX + 1, &root, &error), WRIT_INTERNAL_LIMIT);
    writ_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_documents_are_refused_with_their_place),
        cmocka_unit_test(numbers_are_kept_exactly),
        cmocka_unit_test(strings_are_unescaped),
        cmocka_unit_test(every_byte_is_judged_at_every_place),
        cmocka_unit_test(mixed_scripts_are_judged_by_sequence),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(every_changed_byte_is_survived),
        cmocka_unit_test(the_nodes_lie_as_promised),
        cmocka_unit_test(many_colliding_keys_are_told_apart),
        cmocka_unit_test(a_repeated_key_is_shown_safely),
        cmocka_unit_test(marks_inside_strings_cost_no_room),
        cmocka_unit_test(sizes_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
