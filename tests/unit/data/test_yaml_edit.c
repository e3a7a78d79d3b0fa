/* Edits of YAML: what each makes of a text, that what it does not touch stays, and what it leaves alone. */
#include "data/json_pointer.h"
#include "data/yaml_edit.h"
#include "support.h"

#include <string.h>

static struct writ_arena arena;
static struct writ_yaml yaml;
static struct writ_yaml_editor editor;
static struct writ_edit edit;

static void open_text(const char *text)
{
    struct writ_error error;
    writ_arena_clear(&arena);
    writ_arena_init(&arena, (size_t)8 << 20);
    assert_int_equal(writ_yaml_parse(&arena, text, strlen(text), &yaml, &error), 0);
    editor = (struct writ_yaml_editor){.yaml = &yaml, .bytes = text, .length = strlen(text), .arena = &arena};
}

static const struct writ_json *at(const char *pointer)
{
    const struct writ_json *node = writ_json_pointer_get(yaml.root, pointer, strlen(pointer));
    assert_non_null(node);
    return node;
}

static const struct writ_json *key_at(const char *pointer, const char *name)
{
    WRIT_JSON_EACH_MEMBER(key, at(pointer))
    {
        if (writ_json_is_text(key, name))
            return key;
    }
    fail_msg("there is no key %s", name);
    return NULL;
}

/* The edit gives exactly this text, which is still YAML. */
static void gives(bool made, const char *expected)
{
    struct writ_buffer out;
    struct writ_error error;
    struct writ_yaml again;
    assert_true(made);
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_edits_apply(&out, editor.bytes, editor.length, &edit, 1);
    assert_string_equal(writ_buffer_text(&out), expected);
    assert_int_equal(writ_yaml_parse(&arena, out.data, out.length, &again, &error), 0);
    writ_buffer_clear(&out);
}

static void texts_keep_their_quotation_marks(void **state)
{
    (void)state;
    open_text("a: x  # c\nb: 'y'\nc: \"z\"\n");
    gives(writ_yaml_edit_text(&editor, at("/a"), "new", &edit), "a: new  # c\nb: 'y'\nc: \"z\"\n");
    gives(writ_yaml_edit_text(&editor, at("/b"), "it's", &edit), "a: x  # c\nb: 'it''s'\nc: \"z\"\n");
    gives(writ_yaml_edit_text(&editor, at("/c"), "a \"b\"", &edit), "a: x  # c\nb: 'y'\nc: \"a \\\"b\\\"\"\n");
    gives(writ_yaml_edit_text(&editor, key_at("", "a"), "key", &edit), "key: x  # c\nb: 'y'\nc: \"z\"\n");
}

static void a_text_is_plain_only_where_it_stays_a_text(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"binary:run:git", "a: binary:run:git\n"},
        {"no", "a: 'no'\n"},
        {"null", "a: 'null'\n"},
        {"1.0", "a: '1.0'\n"},
        {"-x", "a: '-x'\n"},
        {"a: b", "a: 'a: b'\n"},
        {"a:", "a: 'a:'\n"},
        {"a #b", "a: 'a #b'\n"},
        {"", "a: ''\n"},
        {"a\tb", "a: \"a\\tb\"\n"},
        {"\xE5\x80\xBC", "a: \"\xE5\x80\xBC\"\n"},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        open_text("a: x\n");
        gives(writ_yaml_edit_text(&editor, at("/a"), cases[i][0], &edit), cases[i][1]);
    }
}

static void values_on_one_line_are_replaced(void **state)
{
    (void)state;
    open_text("a: 1.0\nb:\nc: # c\nd:\n  -\n");
    gives(writ_yaml_edit_value(&editor, at("/a"), "1.0.0", &edit), "a: 1.0.0\nb:\nc: # c\nd:\n  -\n");
    gives(writ_yaml_edit_value(&editor, at("/b"), "[]", &edit), "a: 1.0\nb: []\nc: # c\nd:\n  -\n");
    gives(writ_yaml_edit_value(&editor, at("/c"), "[]", &edit), "a: 1.0\nb:\nc: [] # c\nd:\n  -\n");
    gives(writ_yaml_edit_value(&editor, at("/d/0"), "x", &edit), "a: 1.0\nb:\nc: # c\nd:\n  - x\n");
    open_text("a: |\n  x\nb: x\n  y\n");
    assert_false(writ_yaml_edit_value(&editor, at("/a"), "x", &edit));
    assert_false(writ_yaml_edit_value(&editor, at("/b"), "x", &edit));
}

static void scalars_are_quoted_as_they_stand(void **state)
{
    (void)state;
    open_text("a: 3.10\nb: 'x'\nc: [true]\n");
    gives(writ_yaml_edit_quote(&editor, at("/a"), &edit), "a: \"3.10\"\nb: 'x'\nc: [true]\n");
    gives(writ_yaml_edit_quote(&editor, at("/c/0"), &edit), "a: 3.10\nb: 'x'\nc: [\"true\"]\n");
    assert_false(writ_yaml_edit_quote(&editor, at("/b"), &edit));
    assert_false(writ_yaml_edit_quote(&editor, at("/c"), &edit));
}

static void members_stand_above_the_comments_of_the_next_one(void **state)
{
    (void)state;
    open_text("# head\na: 1 # one\n\n# about b\n# too\nb: 2\n");
    gives(writ_yaml_edit_member(&editor, at(""), key_at("", "b"), "n", "[]", &edit),
          "# head\na: 1 # one\n\nn: []\n# about b\n# too\nb: 2\n");
    gives(writ_yaml_edit_member(&editor, at(""), key_at("", "a"), "n", "[]", &edit),
          "# head\nn: []\na: 1 # one\n\n# about b\n# too\nb: 2\n");
    gives(writ_yaml_edit_member(&editor, at(""), NULL, "n", "[]", &edit),
          "# head\na: 1 # one\n\n# about b\n# too\nb: 2\nn: []\n");
    /* A line within a text is no comment. */
    open_text("a: |\n  x\n  # y\nb: 2\n");
    gives(writ_yaml_edit_member(&editor, at(""), key_at("", "b"), "n", "1", &edit), "a: |\n  x\n  # y\nn: 1\nb: 2\n");
    open_text("a: 'x\n\n  # y'\nb: 2\n");
    gives(writ_yaml_edit_member(&editor, at(""), key_at("", "b"), "n", "1", &edit), "a: 'x\n\n  # y'\nn: 1\nb: 2\n");
    open_text("m:\n  a: 1\n  b:\n    c: 2\nz: 1\n");
    gives(writ_yaml_edit_member(&editor, at("/m"), NULL, "n", "1", &edit),
          "m:\n  a: 1\n  b:\n    c: 2\n  n: 1\nz: 1\n");
    open_text("- a: 1\n  b: 2\n");
    assert_false(writ_yaml_edit_member(&editor, at("/0"), key_at("/0", "a"), "n", "1", &edit));
    gives(writ_yaml_edit_member(&editor, at("/0"), key_at("/0", "b"), "n", "1", &edit), "- a: 1\n  n: 1\n  b: 2\n");
}

static void the_end_of_a_text_is_kept(void **state)
{
    (void)state;
    open_text("a: 1");
    gives(writ_yaml_edit_member(&editor, at(""), NULL, "n", "1", &edit), "a: 1\nn: 1");
    open_text("a: 1 # c");
    gives(writ_yaml_edit_member(&editor, at(""), NULL, "n", "1", &edit), "a: 1 # c\nn: 1");
    open_text("a: 1\r\nb: 2\r\n");
    gives(writ_yaml_edit_member(&editor, at(""), NULL, "n", "1", &edit), "a: 1\r\nb: 2\r\nn: 1\r\n");
    open_text("a: |+\n  x\n\n# end\n");
    gives(writ_yaml_edit_member(&editor, at(""), NULL, "n", "1", &edit), "a: |+\n  x\n\nn: 1\n# end\n");
    open_text("a: |\n  x");
    assert_false(writ_yaml_edit_member(&editor, at(""), NULL, "n", "1", &edit)); /* x would get a line end */
    open_text("\xEF\xBB\xBF"
              "a: 1\n");
    gives(writ_yaml_edit_member(&editor, at(""), key_at("", "a"), "n", "1", &edit), "\xEF\xBB\xBF"
                                                                                    "n: 1\na: 1\n");
}

static void braces_and_brackets_are_added_to_within(void **state)
{
    (void)state;
    open_text("{a: 1, b: {}, c: [], d: [x, y]}\n");
    gives(writ_yaml_edit_member(&editor, at(""), NULL, "n", "1", &edit), "{a: 1, b: {}, c: [], d: [x, y], n: 1}\n");
    gives(writ_yaml_edit_member(&editor, at("/b"), NULL, "n", "1", &edit), "{a: 1, b: {n: 1}, c: [], d: [x, y]}\n");
    gives(writ_yaml_edit_item(&editor, at("/c"), "a b", &edit), "{a: 1, b: {}, c: ['a b'], d: [x, y]}\n");
    gives(writ_yaml_edit_item(&editor, at("/d"), "z", &edit), "{a: 1, b: {}, c: [], d: [x, y, z]}\n");
    open_text("{\"a\": 1\n}\n");
    gives(writ_yaml_edit_member(&editor, at(""), NULL, "n", "1", &edit), "{\"a\": 1, \"n\": 1\n}\n");
}

static void items_are_added_to_lists(void **state)
{
    (void)state;
    open_text("a:\n- x # c\nb:\n  - y\n  # end\n");
    gives(writ_yaml_edit_item(&editor, at("/a"), "new", &edit), "a:\n- x # c\n- new\nb:\n  - y\n  # end\n");
    gives(writ_yaml_edit_item(&editor, at("/b"), "n: n", &edit), "a:\n- x # c\nb:\n  - y\n  - 'n: n'\n  # end\n");
}

static void items_are_removed_but_no_comment_with_them(void **state)
{
    (void)state;
    open_text("a: [x, y, z]\nb:\n  - 1\n  - 2 # c\n  - 3\nc: [1]\n");
    gives(writ_yaml_edit_remove(&editor, at("/a"), at("/a/0"), &edit),
          "a: [y, z]\nb:\n  - 1\n  - 2 # c\n  - 3\nc: [1]\n");
    gives(writ_yaml_edit_remove(&editor, at("/a"), at("/a/2"), &edit),
          "a: [x, y]\nb:\n  - 1\n  - 2 # c\n  - 3\nc: [1]\n");
    gives(writ_yaml_edit_remove(&editor, at("/b"), at("/b/2"), &edit), "a: [x, y, z]\nb:\n  - 1\n  - 2 # c\nc: [1]\n");
    assert_false(writ_yaml_edit_remove(&editor, at("/b"), at("/b/1"), &edit));
    assert_false(writ_yaml_edit_remove(&editor, at("/c"), at("/c/0"), &edit)); /* nothing would be left */
    open_text("a: [x, # c\n  y]\n");
    assert_false(writ_yaml_edit_remove(&editor, at("/a"), at("/a/1"), &edit));
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    open_text("a: x\n");
    struct writ_arena none;
    writ_arena_init(&none, 1);
    editor.arena = &none;
    assert_false(writ_yaml_edit_text(&editor, at("/a"), "new", &edit));
    assert_true(editor.out_of_memory);
    writ_arena_clear(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_keep_their_quotation_marks),
        cmocka_unit_test(a_text_is_plain_only_where_it_stays_a_text),
        cmocka_unit_test(values_on_one_line_are_replaced),
        cmocka_unit_test(scalars_are_quoted_as_they_stand),
        cmocka_unit_test(members_stand_above_the_comments_of_the_next_one),
        cmocka_unit_test(the_end_of_a_text_is_kept),
        cmocka_unit_test(braces_and_brackets_are_added_to_within),
        cmocka_unit_test(items_are_added_to_lists),
        cmocka_unit_test(items_are_removed_but_no_comment_with_them),
        cmocka_unit_test(want_of_memory_is_told),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    writ_arena_clear(&arena);
    return failed;
}
