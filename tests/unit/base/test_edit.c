#include "base/edit.h"
#include "support.h"

#include <string.h>

static struct writ_edit edit(size_t offset, size_t length, const char *text)
{
    return (struct writ_edit){.offset = offset, .length = length, .text = text, .text_length = strlen(text)};
}

static void becomes(const char *text, const struct writ_edit *edits, size_t count, const char *expected)
{
    struct writ_buffer out;
    writ_buffer_init(&out, 1000);
    writ_edits_apply(&out, text, strlen(text), edits, count);
    assert_false(out.failed);
    assert_string_equal(writ_buffer_text(&out), expected);
    writ_buffer_clear(&out);
}

static void pieces_are_replaced_and_all_else_stays(void **state)
{
    (void)state;
    becomes("abc", NULL, 0, "abc");
    becomes("", (struct writ_edit[]){edit(0, 0, "x")}, 1, "x");
    becomes("abcdef", (struct writ_edit[]){edit(0, 1, "A"), edit(2, 0, "--"), edit(3, 2, ""), edit(6, 0, "!")}, 4,
            "Ab--cf!");
    becomes("abc", (struct writ_edit[]){edit(0, 3, "")}, 1, "");
    becomes("abc", (struct writ_edit[]){edit(0, 1, "x"), edit(1, 1, "y")}, 2, "xyc");
}

static void a_text_that_would_be_too_long_shows_in_the_buffer(void **state)
{
    (void)state;
    struct writ_buffer out;
    writ_buffer_init(&out, 4);
    const struct writ_edit more = edit(1, 0, "xyz");
    writ_edits_apply(&out, "ab", 2, &more, 1);
    assert_true(out.failed && out.too_large);
    writ_buffer_clear(&out);
}

static void edits_of_one_place_meet(void **state)
{
    (void)state;
    const struct {
        struct writ_edit one, other;
        bool meet;
    } cases[] = {
        {edit(0, 2, ""), edit(2, 2, ""), false}, /* side by side */
        {edit(0, 3, ""), edit(2, 2, ""), true},  /* one byte is in both */
        {edit(0, 9, ""), edit(2, 2, ""), true},  /* one within the other */
        {edit(2, 0, ""), edit(2, 0, ""), true},  /* two insertions, whose order nobody knows */
        {edit(2, 0, ""), edit(3, 0, ""), false},
        {edit(0, 2, ""), edit(2, 0, ""), true}, /* an insertion at the end of what goes */
        {edit(2, 2, ""), edit(2, 0, ""), true},
        {edit(2, 2, ""), edit(3, 0, ""), true},
        {edit(2, 2, ""), edit(5, 0, ""), false},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++)
        if (writ_edits_meet(&cases[i].one, &cases[i].other) != cases[i].meet ||
            writ_edits_meet(&cases[i].other, &cases[i].one) != cases[i].meet)
            fail_msg("case %zu", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_replaced_and_all_else_stays),
        cmocka_unit_test(a_text_that_would_be_too_long_shows_in_the_buffer),
        cmocka_unit_test(edits_of_one_place_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
