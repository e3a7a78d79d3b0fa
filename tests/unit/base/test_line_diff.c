#include "base/line_diff.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void differs(const char *old, const char *new, const char *expected)
{
    struct writ_buffer out;
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_line_diff_print(&out, "f", old, strlen(old), new, strlen(new));
    assert_false(out.failed);
    assert_string_equal(writ_buffer_text(&out), expected);
    writ_buffer_clear(&out);
}

#define HEAD "--- f\n+++ f\n"

static void what_changed_is_shown_with_three_lines_around_it(void **state)
{
    (void)state;
    differs("a\nb\n", "a\nb\n", "");
    differs("", "", "");
    differs("a\n", "b\n", HEAD "@@ -1,1 +1,1 @@\n-a\n+b\n");
    differs("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
            HEAD "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
    differs("a\nc\n", "a\nb\nc\n", HEAD "@@ -1,2 +1,3 @@\n a\n+b\n c\n");
    differs("a\nb\nc\n", "a\nc\n", HEAD "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
    differs("a\na\nb\n", "a\nb\na\n", HEAD "@@ -1,3 +1,3 @@\n a\n-a\n b\n+a\n");
}

static void an_empty_side_is_named_by_the_line_before_it(void **state)
{
    (void)state;
    differs("", "a\n", HEAD "@@ -0,0 +1,1 @@\n+a\n");
    differs("a\n", "", HEAD "@@ -1,1 +0,0 @@\n-a\n");
}

static void a_last_line_without_an_end_is_told(void **state)
{
    (void)state;
    differs("a\nb", "a\nb\n", HEAD "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
    differs("a\nb", "c\nb", HEAD "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n");
}

static void near_changes_share_a_hunk_and_far_ones_do_not(void **state)
{
    (void)state;
    differs("x\n1\n2\n3\n4\n5\n6\ny\n", "X\n1\n2\n3\n4\n5\n6\nY\n",
            HEAD "@@ -1,8 +1,8 @@\n-x\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n+Y\n");
    differs("x\n1\n2\n3\n4\n5\n6\n7\ny\n", "X\n1\n2\n3\n4\n5\n6\n7\nY\n",
            HEAD "@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-y\n+Y\n");
}

/* Too many lines to be compared one by one: all of them change, and it takes no time. */
static void very_long_differences_are_shown_whole(void **state)
{
    (void)state;
    struct writ_buffer old, new, out;
    writ_buffer_init(&old, (size_t)1 << 20);
    writ_buffer_init(&new, (size_t)1 << 20);
    writ_buffer_init(&out, (size_t)4 << 20);
    for (unsigned i = 0; i < 20000; i++) {
        writ_buffer_printf(&old, "%u\n", i);
        writ_buffer_printf(&new, "%u\r\n", i);
    }
    writ_line_diff_print(&out, "f", old.data, old.length, new.data, new.length);
    assert_false(out.failed);
    assert_int_equal(strncmp(out.data, HEAD "@@ -1,20000 +1,20000 @@\n-0\n-1\n", 42), 0);
    writ_buffer_clear(&out);
    writ_buffer_init(&out, 100);
    writ_line_diff_print(&out, "f", old.data, old.length, new.data, new.length);
    assert_true(out.failed && out.too_large);
    writ_buffer_clear(&out);
    writ_buffer_clear(&old);
    writ_buffer_clear(&new);
}

static void take(struct writ_buffer *to, const char *line)
{
    writ_buffer_append(to, line, 2); /* a letter and a line end */
}

/* Builds both texts from the difference and what of the old text lies between its hunks. */
static void follow(const char *diff, const char *old, struct writ_buffer *ret_old, struct writ_buffer *ret_new)
{
    const char *next = old;
    for (const char *line = diff + strlen(HEAD); *line; line = strchr(line, '\n') + 1) {
        if (*line == '@') {
            size_t start = strtoul(line + 4, NULL, 10), count = strtoul(strchr(line, ',') + 1, NULL, 10);
            for (const char *to = old + 2 * (start - (count > 0)); next < to; next += 2) {
                take(ret_old, next);
                take(ret_new, next);
            }
            continue;
        }
        if (*line != '+') {
            take(ret_old, line + 1);
            next += 2;
        }
        if (*line != '-')
            take(ret_new, line + 1);
    }
    writ_buffer_append_text(ret_old, next);
    writ_buffer_append_text(ret_new, next);
}

static void every_difference_leads_from_one_text_to_the_other(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (unsigned round = 0; round < 2000; round++) {
        struct writ_buffer texts[2], followed[2], diff;
        writ_buffer_init(&diff, 4096);
        for (unsigned side = 0; side < 2; side++) {
            writ_buffer_init(&texts[side], 1024);
            writ_buffer_init(&followed[side], 1024);
            for (unsigned i = 0; i < 24; i++) {
                static const char *const lines[] = {"a\n", "b\n", "c\n", ""};
                seed = seed * 1103515245 + 12345;
                writ_buffer_append_text(&texts[side], lines[(seed >> 16) % 4]);
            }
        }
        const char *old = writ_buffer_text(&texts[0]), *new = writ_buffer_text(&texts[1]);
        writ_line_diff_print(&diff, "f", old, texts[0].length, new, texts[1].length);
        if (strcmp(old, new) == 0) {
            assert_int_equal(diff.length, 0);
        } else {
            follow(writ_buffer_text(&diff), old, &followed[0], &followed[1]);
            assert_string_equal(writ_buffer_text(&followed[0]), old);
            assert_string_equal(writ_buffer_text(&followed[1]), new);
        }
        for (unsigned side = 0; side < 2; side++) {
            writ_buffer_clear(&texts[side]);
            writ_buffer_clear(&followed[side]);
        }
        writ_buffer_clear(&diff);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed_is_shown_with_three_lines_around_it),
        cmocka_unit_test(an_empty_side_is_named_by_the_line_before_it),
        cmocka_unit_test(a_last_line_without_an_end_is_told),
        cmocka_unit_test(near_changes_share_a_hunk_and_far_ones_do_not),
        cmocka_unit_test(very_long_differences_are_shown_whole),
        cmocka_unit_test(every_difference_leads_from_one_text_to_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
