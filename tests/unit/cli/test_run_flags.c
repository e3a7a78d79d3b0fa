/* S4.9: the flags of `writ run` are made from the input schema. */
#include "cli/run_flags.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static const char schema_text[] =
    "{\"type\": \"object\", \"properties\": {\"file_path\": {\"type\": \"string\"}, \"count\": {\"type\": \"integer\"},"
    "\"on\": {\"type\": \"boolean\"}, \"no-way\": {\"type\": \"boolean\"}, \"tags\": {\"type\": \"array\", \"items\": "
    "{\"type\": \"string\"}}, \"sizes\": {\"type\": \"array\", \"items\": {\"type\": \"integer\"}}, \"deep\": "
    "{\"type\": "
    "\"object\", \"properties\": {\"a\": {\"type\": \"string\"}, \"b\": {\"type\": \"integer\"}}}, \"x.y\": {\"type\": "
    "\"string\"}, \"any\": {}}}";

static struct writ_arena arena;
static const struct writ_json *schema;

static int set_up(void **state)
{
    (void)state;
    struct writ_error error;
    writ_arena_init(&arena, 1 << 20);
    return writ_json_parse(&arena, schema_text, strlen(schema_text), &schema, &error);
}

static int tear_down(void **state)
{
    (void)state;
    writ_arena_clear(&arena);
    return 0;
}

static int write_flags(const char *base_text, const char *const *flags, size_t count, struct writ_buffer *out,
                       struct writ_error *error)
{
    const struct writ_json *base = NULL;
    if (base_text)
        assert_int_equal(writ_json_parse(&arena, base_text, strlen(base_text), &base, error), 0);
    return cli_run_flags_write(schema, base, flags, count, out, error);
}

#define FLAGS(...) ((const char *const[]){__VA_ARGS__}), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

static void gives(const char *base, const char *const *flags, size_t count, const char *expected)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_error error;
    writ_buffer_init(&out, 1 << 16);
    if (write_flags(base, flags, count, &out, &error) < 0)
        fail_msg("%s: %s", flags[0], error.message);
    assert_string_equal(writ_buffer_text(&out), expected);
}

static void refuses(const char *const *flags, size_t count, const char *part)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_error error;
    writ_buffer_init(&out, 1 << 16);
    assert_int_equal(write_flags(NULL, flags, count, &out, &error), WRIT_USAGE);
    if (!strstr(error.message, part))
        fail_msg("%s: said %s", flags[0], error.message);
    assert_int_equal(out.length, 0);
}

static void values_take_the_type_of_their_property(void **state)
{
    (void)state;
    gives(NULL, FLAGS("--file-path", "5"), "{\"file_path\":\"5\"}");
    gives(NULL, FLAGS("--file_path=a=b"), "{\"file_path\":\"a=b\"}");
    gives(NULL, FLAGS("--file-path="), "{\"file_path\":\"\"}");
    gives(NULL, FLAGS("--file-path", "--json"), "{\"file_path\":\"--json\"}");
    gives(NULL, FLAGS("--count", "-5"), "{\"count\":-5}");
    gives(NULL, FLAGS("--count", "five"), "{\"count\":\"five\"}"); /* the schema says what is wrong with it */
    gives(NULL, FLAGS("--on"), "{\"on\":true}");
    gives(NULL, FLAGS("--no-on"), "{\"on\":false}");
    gives(NULL, FLAGS("--on=false"), "{\"on\":false}");
    gives(NULL, FLAGS("--no-way"), "{\"no-way\":true}");
    gives(NULL, FLAGS("--any", "{\"a\": [1]}"), "{\"any\":{\"a\":[1]}}");
    gives(NULL, FLAGS("--any", "text"), "{\"any\":\"text\"}");
    gives(NULL, FLAGS("--x.y", "z"), "{\"x.y\":\"z\"}");
}

static void lists_grow_or_are_given_whole(void **state)
{
    (void)state;
    gives(NULL, FLAGS("--tags", "a", "--tags", "b"), "{\"tags\":[\"a\",\"b\"]}");
    gives(NULL, FLAGS("--tags", "5"), "{\"tags\":[\"5\"]}");
    gives(NULL, FLAGS("--sizes", "5"), "{\"sizes\":[5]}");
    gives(NULL, FLAGS("--sizes", "[1, 2]"), "{\"sizes\":[1,2]}");
    /* An element that only looks like a list. */
    gives(NULL, FLAGS("--tags", "[draft] report"), "{\"tags\":[\"[draft] report\"]}");
    gives(NULL, FLAGS("--tags", "[a]", "--tags", "[b]"), "{\"tags\":[\"[a]\",\"[b]\"]}");
}

static void dots_reach_inside_and_flags_go_over_the_base(void **state)
{
    (void)state;
    gives(NULL, FLAGS("--deep.a", "x", "--deep.b", "7"), "{\"deep\":{\"a\":\"x\",\"b\":7}}");
    gives("{\"deep\": {\"a\": \"old\", \"c\": 1}, \"count\": 1.50}", FLAGS("--deep.a", "new"),
          "{\"count\":1.50,\"deep\":{\"c\":1,\"a\":\"new\"}}");
    gives("{\"tags\": [\"old\"]}", FLAGS("--tags", "new"), "{\"tags\":[\"new\"]}");
}

static void what_cannot_be_meant_is_refused(void **state)
{
    (void)state;
    refuses(FLAGS("--flie-path", "x"), "did you mean --file-path?");
    refuses(FLAGS("--deep.", "x"), "no `deep.`");
    refuses(FLAGS("--deep.q", "x"), "no `q`");
    refuses(FLAGS("--.a", "x"), "no `.a`");
    refuses(FLAGS("--"), "is no flag");
    refuses(FLAGS("--=x"), "is no flag");
    refuses(FLAGS("-x"), "is no flag");
    refuses(FLAGS("word"), "is no flag");
    refuses(FLAGS("--count"), "needs a value");
    refuses(FLAGS("--count", "1", "--count", "2"), "twice");
    refuses(FLAGS("--no-count"), "true-or-false");
    refuses(FLAGS("--no-on=true"), "takes no value");
    refuses(FLAGS("--deep", "{}", "--deep.a", "x"), "given whole");
    refuses(FLAGS("--deep.a", "x", "--deep", "{}"), "given whole");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_take_the_type_of_their_property),
        cmocka_unit_test(lists_grow_or_are_given_whole),
        cmocka_unit_test(dots_reach_inside_and_flags_go_over_the_base),
        cmocka_unit_test(what_cannot_be_meant_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
