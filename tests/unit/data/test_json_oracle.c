/* jansson as the second opinion, on random documents and on random damage to them.  It knows less than we want (no
 * integers beyond int64, no NUL in keys, other bounds), so that the documents keep to what both read. */
#include "data/json.h"
#include "support.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static uint64_t seed = 42;

static uint64_t next_random(uint64_t below)
{
    uint64_t mixed = (seed += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return (mixed ^ mixed >> 31) % below;
}

static void random_space(struct writ_buffer *out)
{
    static const char *const spaces[] = {"", "", "", " ", "\n", "\r\n  ", "\t"};
    writ_buffer_append_text(out, spaces[next_random(WRIT_COUNT(spaces))]);
}

static void random_string(struct writ_buffer *out, const char *start)
{
    static const char *const pieces[] = {"a",
                                         "skill",
                                         " ",
                                         "\xE6\x96\x87\xE4\xBB\xB6",
                                         "\xE6\x8F\x90\xE5\x8F\x96",
                                         "\\n",
                                         "\\\"",
                                         "\\\\",
                                         "\\/",
                                         "\\u6587",
                                         "\\ud83d\\ude00",
                                         "\xF0\x9F\x98\x80",
                                         "/",
                                         "\xC3\xA9",
                                         "0123456789abcdef",
                                         "\x7F",
                                         "\\t",
                                         "\\u00e9"};
    writ_buffer_append_byte(out, '"');
    writ_buffer_append_text(out, start);
    for (uint64_t count = next_random(9); count > 0; count--)
        writ_buffer_append_text(out, pieces[next_random(WRIT_COUNT(pieces))]);
    writ_buffer_append_byte(out, '"');
}

static void random_number(struct writ_buffer *out)
{
    switch (next_random(4)) {
    case 0:
        writ_buffer_printf(out, "%d", (int)next_random(2000) - 1000);
        break;
    case 1:
        writ_buffer_printf(out, "%lld", (long long)(int64_t)(next_random(UINT64_MAX)));
        break;
    case 2:
        writ_buffer_printf(out, "-%d.%03d", (int)next_random(100), (int)next_random(1000));
        break;
    default:
        writ_buffer_printf(out, "%d.%dE%+d", (int)next_random(10), (int)next_random(1000000),
                           (int)next_random(600) - 300);
        break;
    }
}

static void random_value(struct writ_buffer *out, unsigned depth)
{
    static const char *const words[] = {"true", "false", "null"};
    random_space(out);
    uint64_t kind = next_random(depth < 6 ? 8 : 5);
    if (kind < 2) {
        random_string(out, "");
    } else if (kind < 4) {
        random_number(out);
    } else if (kind == 4) {
        writ_buffer_append_text(out, words[next_random(3)]);
    } else {
        bool is_object = kind > 5;
        uint64_t count = next_random(7);
        writ_buffer_append_byte(out, is_object ? '{' : '[');
        random_space(out);
        for (uint64_t child = 0; child < count; child++) {
            char start[8];
            (void)snprintf(start, sizeof start, "%d", (int)child); /* keys differ */
            if (child)
                writ_buffer_append_byte(out, ',');
            random_space(out);
            if (is_object) {
                random_string(out, start);
                random_space(out);
                writ_buffer_append_byte(out, ':');
            }
            random_value(out, depth + 1);
        }
        writ_buffer_append_byte(out, is_object ? '}' : ']');
    }
    random_space(out);
}

static void compare(const struct writ_json *ours, const json_t *theirs)
{
    switch (json_typeof(theirs)) {
    case JSON_OBJECT:
        assert_int_equal(ours->kind, WRIT_JSON_OBJECT);
        assert_int_equal(ours->length, json_object_size(theirs));
        WRIT_JSON_EACH_MEMBER(key, ours)
        {
            const json_t *value = json_object_getn(theirs, key->text, key->length);
            assert_non_null(value);
            compare(key + 1, value);
        }
        break;
    case JSON_ARRAY: {
        assert_int_equal(ours->kind, WRIT_JSON_ARRAY);
        assert_int_equal(ours->length, json_array_size(theirs));
        size_t index = 0;
        WRIT_JSON_EACH_ITEM(item, ours)
        compare(item, json_array_get(theirs, index++));
        break;
    }
    case JSON_STRING:
        assert_int_equal(ours->kind, WRIT_JSON_STRING);
        assert_int_equal(ours->length, json_string_length(theirs));
        assert_memory_equal(ours->text, json_string_value(theirs), ours->length);
        break;
    case JSON_INTEGER: {
        int64_t value;
        assert_true(writ_json_int64(ours, &value));
        assert_true(value == json_integer_value(theirs));
        break;
    }
    case JSON_REAL:
        assert_int_equal(ours->kind, WRIT_JSON_DECIMAL);
        assert_true(writ_json_double(ours) == json_real_value(theirs));
        break;
    case JSON_TRUE:
        assert_int_equal(ours->kind, WRIT_JSON_TRUE);
        break;
    case JSON_FALSE:
        assert_int_equal(ours->kind, WRIT_JSON_FALSE);
        break;
    case JSON_NULL:
        assert_int_equal(ours->kind, WRIT_JSON_NULL);
        break;
    }
}

/* Reads with both; their verdicts and values agree. */
static void check(const char *text, size_t length)
{
    struct writ_arena arena;
    writ_arena_init(&arena, (size_t)16 << 20);
    struct writ_error error;
    json_error_t their_error;
    const struct writ_json *ours;
    int result = writ_json_parse(&arena, text, length, &ours, &error);
    json_t *theirs = json_loadb(text, length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &their_error);
    enum json_error_code code = theirs ? json_error_unknown : json_error_code(&their_error);
    bool we_read_more = code == json_error_numeric_overflow || code == json_error_null_byte_in_key;
    /* It ends its input at a NUL byte behind the document. */
    bool they_read_more = theirs && memchr(text, 0, length);
    if ((result == 0) != (theirs != NULL) && !we_read_more && !they_read_more)
        fail_msg("%.*s: we say %s, they say %s", (int)length, text, result ? error.message : "fine",
                 theirs ? "fine" : their_error.text);
    if (result == 0 && theirs) {
        compare(ours, theirs);
        struct writ_buffer out;
        writ_buffer_init(&out, (size_t)16 << 20);
        writ_json_print(&out, ours, next_random(2) ? WRIT_JSON_COMPACT : WRIT_JSON_INDENTED);
        const struct writ_json *again;
        assert_int_equal(writ_json_parse(&arena, out.data, out.length, &again, &error), 0);
        assert_true(writ_json_equal(ours, again));
        writ_buffer_clear(&out);
    }
    json_decref(theirs);
    writ_arena_clear(&arena);
}

static void random_documents_read_alike(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        struct writ_buffer text;
        writ_buffer_init(&text, 1 << 20);
        random_value(&text, 0);
        assert_false(text.failed);
        check(text.data, text.length);
        for (unsigned damage = 0; damage < 5 && text.length > 0; damage++) {
            size_t place = next_random(text.length);
            char kept = text.data[place];
            text.data[place] = next_random(2) ? "\"\\{}[]:,0-.eE \n"[next_random(15)] : (char)next_random(256);
            check(text.data, text.length);
            if (next_random(2))
                text.data[place] = kept;
        }
        writ_buffer_clear(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_documents_read_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
