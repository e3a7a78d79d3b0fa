/* Equality as schemas mean it, tags, and hashes. */
#include "data/json.h"
#include "support.h"

#include <string.h>

static struct writ_arena arena;

static int set_up(void **state)
{
    (void)state;
    writ_arena_init(&arena, (size_t)64 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    writ_arena_clear(&arena);
    return 0;
}

static const struct writ_json *parse(const char *text, size_t length)
{
    struct writ_error error;
    const struct writ_json *root = NULL;
    if (writ_json_parse(&arena, text, length, &root, &error) != 0)
        fail_msg("%s: %s", text, error.message);
    return root;
}

static void values_are_equal_by_meaning(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool equal;
    } rows[] = {
        {"null", "null", true},
        {"null", "false", false},
        {"true", "true", true},
        {"true", "1", false},
        {"0", "false", false},
        {"1", "1.0", true},
        {"1", "\"1\"", false},
        {"-0", "0.0", true},
        {"\"a\"", "\"\\u0061\"", true},
        {"\"abcdefghXabcdefgh\"", "\"abcdefghYabcdefgh\"", false}, /* equal tags */
        {"\"a\"", "\"ab\"", false},
        {"[]", "{}", false},
        {"[1,2]", "[1,2.0]", true},
        {"[1,2]", "[2,1]", false},
        {"[1,2]", "[1]", false},
        {"[[1],[]]", "[[],[1]]", false},
        {"{\"a\":1,\"b\":[2]}", "{\"b\":[2.0],\"a\":1e0}", true},
        {"{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}", false},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1,\"c\":3,\"b\":2}", true},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
        {"{\"a\":null}", "{\"b\":null}", false},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        const struct writ_json *a = parse(rows[at].a, strlen(rows[at].a)), *b = parse(rows[at].b, strlen(rows[at].b));
        if (writ_json_equal(a, b) != rows[at].equal || writ_json_equal(b, a) != rows[at].equal)
            fail_msg("%s == %s is not %d", rows[at].a, rows[at].b, rows[at].equal);
    }
}

/* Objects of many members in opposite orders: would take hours, were each looked up from the front. */
static void large_objects_are_compared_without_a_square(void **state)
{
    (void)state;
    enum { KEYS = 200000 };
    struct writ_buffer forward, backward;
    writ_buffer_init(&forward, (size_t)64 << 20);
    writ_buffer_init(&backward, (size_t)64 << 20);
    for (unsigned key = 0; key < KEYS; key++) {
        writ_buffer_printf(&forward, "%c\"key%u\":%u", key ? ',' : '{', key, key);
        writ_buffer_printf(&backward, "%c\"key%u\":%u.0", key ? ',' : '{', KEYS - 1 - key, KEYS - 1 - key);
    }
    writ_buffer_append_byte(&forward, '}');
    writ_buffer_append_byte(&backward, '}');
    const struct writ_json *a = parse(forward.data, forward.length), *b = parse(backward.data, backward.length);
    assert_true(writ_json_equal(a, b));
    *strstr(backward.data, "777.0") = '8';
    assert_false(writ_json_equal(a, parse(backward.data, backward.length)));
    writ_buffer_clear(&forward);
    writ_buffer_clear(&backward);
}

/* What was compared before the order of the members came to differ is not compared again: twice at each level would be
 * 2^100 comparisons here. */
static void nested_objects_are_compared_once(void **state)
{
    (void)state;
    enum { LEVELS = 100, KEYS = 40 };
    struct writ_buffer forward, backward;
    writ_buffer_init(&forward, (size_t)1 << 20);
    writ_buffer_init(&backward, (size_t)1 << 20);
    for (unsigned level = 0; level < LEVELS; level++) {
        writ_buffer_append_text(&forward, "{\"inner\":");
        writ_buffer_append_text(&backward, "{\"inner\":");
    }
    writ_buffer_append_text(&forward, "1");
    writ_buffer_append_text(&backward, "1.0");
    for (unsigned level = 0; level < LEVELS; level++) {
        for (unsigned key = 0; key < KEYS; key++) {
            writ_buffer_printf(&forward, ",\"key%u\":%u", key, key);
            writ_buffer_printf(&backward, ",\"key%u\":%u", KEYS - 1 - key, KEYS - 1 - key);
        }
        writ_buffer_append_byte(&forward, '}');
        writ_buffer_append_byte(&backward, '}');
    }
    const struct writ_json *a = parse(forward.data, forward.length), *b = parse(backward.data, backward.length);
    assert_true(writ_json_equal(a, b));
    strstr(backward.data, "1.0")[2] = '1';
    assert_false(writ_json_equal(a, parse(backward.data, backward.length)));
    writ_buffer_clear(&forward);
    writ_buffer_clear(&backward);
}

/* The reader and the functions for other makers of nodes agree on every length. */
static void tags_agree(void **state)
{
    (void)state;
    char text[80], inner[80];
    for (size_t length = 0; length < 70; length++) {
        for (size_t at = 0; at < length; at++)
            inner[at] = (char)('a' + (at * 7 + length) % 26);
        text[0] = '"';
        memcpy(text + 1, inner, length);
        text[length + 1] = '"';
        const struct writ_json *node = parse(text, length + 2);
        assert_int_equal(node->hash, writ_json_hash(inner, length));
        assert_true((node->tag & WRIT_JSON_TAG_MASK) == writ_json_string_tag(inner, length));
    }
}

static void short_names_rarely_share_a_hash(void **state)
{
    (void)state;
    static const char *const names[] = {
        "id",          "name",      "title",     "type",        "items",       "properties",   "required",
        "description", "a",         "b",         "c",           "d",           "a1",           "a2",
        "a3",          "b1",        "version",   "runtime",     "language",    "timeout",      "memory",
        "input",       "output",    "schema",    "format",      "pattern",     "enum",         "const",
        "min",         "max",       "minimum",   "maximum",     "minItems",    "maxItems",     "path",
        "paths",       "file_path", "max_pages", "ocr_enabled", "permissions", "dependencies", "tests",
        "expose",      "signature", "limits"};
    size_t shared = 0;
    for (size_t a = 0; a < WRIT_COUNT(names); a++) {
        for (size_t b = 0; b < a; b++)
            shared += writ_json_hash(names[a], strlen(names[a])) == writ_json_hash(names[b], strlen(names[b]));
    }
    assert_in_range(shared, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_equal_by_meaning),
        cmocka_unit_test(large_objects_are_compared_without_a_square),
        cmocka_unit_test(nested_objects_are_compared_once),
        cmocka_unit_test(tags_agree),
        cmocka_unit_test(short_names_rarely_share_a_hash),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
