/* cli/table.h: what is printed in a pipe and at several widths; a line is never wider, nor ends in spaces. */
#include "cli/table.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_column plain[] = {{.least = 0}, {.is_right = true}, {.least = 0}};
static const struct cli_column shrinking[] = {{.least = 8, .cut_front = true}, {.least = 0}, {.least = 0}};
static const struct cli_column wrapping[] = {{.least = 0}, {.wraps = true}};

static void is_printed(unsigned width, const struct cli_column *columns, size_t column_count, const char *const *cells,
                       size_t count, const char *expected)
{
    char *printed = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&printed, &bytes);
    assert_non_null(stream);
    const struct cli_terminal terminal = {.width = width};
    WRIT_CLEANUP(cli_table_clear) struct cli_table table;
    cli_table_init(&table, columns, column_count);
    for (size_t i = 0; i < count; i++)
        cli_table_add(&table, cells[i], CLI_BOLD);
    assert_true(cli_table_print(&terminal, stream, &table));
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(printed, expected);
    for (const char *line = printed; *line && width > 0; line = strchr(line, '\n') + 1)
        assert_true(cli_text_width(line, strcspn(line, "\n")) <= width);
    free(printed);
}
#define PRINTS(width, columns, cells, expected)                                                                        \
    is_printed(width, columns, WRIT_COUNT(columns), cells, WRIT_COUNT(cells), expected)

static void columns_are_as_wide_as_needed(void **state)
{
    (void)state;
    static const char *const cells[] = {"a", "1", "first", "bcd", "222", "", "名前", "33", NULL};
    PRINTS(0, plain, cells, "a       1  first\nbcd   222\n名前   33\n");
    PRINTS(80, plain, cells, "a       1  first\nbcd   222\n名前   33\n");
    PRINTS(80, plain, (const char *const[]){""}, "");
    /* A row that is not full yet is not printed. */
    PRINTS(0, plain, ((const char *const[]){"a", "1", "b", "rest"}), "a  1  b\n");
}

static void the_last_is_cut(void **state)
{
    (void)state;
    static const char *const cells[] = {"a", "1", "a description of some length that does not fit"};
    PRINTS(0, plain, cells, "a  1  a description of some length that does not fit\n");
    PRINTS(40, plain, cells, "a  1  a description of some length that…\n");
    static const char *const wide[] = {"a", "1", "说明很长，放不下的部分被截断，不会超过终端的宽度"};
    PRINTS(40, plain, wide, "a  1  说明很长，放不下的部分被截断，不…\n");
}

static void columns_shrink_before_rows_break(void **state)
{
    (void)state;
    static const char *const cells[] = {"com.example.some.long.name@1.0.0", "ready", "and what is said of it"};
    PRINTS(0, shrinking, cells, "com.example.some.long.name@1.0.0  ready  and what is said of it\n");
    PRINTS(50, shrinking, cells, "…me.long.name@1.0.0  ready  and what is said of it\n");
    PRINTS(40, shrinking, cells, "…me@1.0.0  ready  and what is said of it\n");
}

static void rows_break_where_nothing_fits(void **state)
{
    (void)state;
    static const char *const cells[] = {"a.name.of.25.letters.or.so", "1234567890", "something to say"};
    PRINTS(40, plain, cells, "a.name.of.25.letters.or.so  1234567890\n    something to say\n");
    static const char *const longer[] = {"a.name.of.more.than.forty.letters.which.is.too.long", "1", "x"};
    PRINTS(40, plain, longer, "a.name.of.more.than.forty.letters.w…\n    1  x\n");
}

static void the_last_wraps(void **state)
{
    (void)state;
    static const char *const cells[] = {"name", "what it means in words that take two lines", "other", "short"};
    PRINTS(40, wrapping, cells, "name   what it means in words that take\n       two lines\nother  short\n");
    PRINTS(0, wrapping, cells, "name   what it means in words that take two lines\nother  short\n");
}

/* No name can look like another row. */
static void cells_stay_on_their_line(void **state)
{
    (void)state;
    static const char *const cells[] = {"a\nb", "1\033[2J", "c\r\nd"};
    PRINTS(0, plain, cells, "a b  1?[2J  c? d\n");
}

static void colour_is_for_words(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&printed, &bytes);
    const struct cli_terminal terminal = {.out_colour = true};
    WRIT_CLEANUP(cli_table_clear) struct cli_table table;
    cli_table_init(&table, plain, WRIT_COUNT(plain));
    cli_table_add(&table, "a", CLI_GREEN);
    cli_table_add(&table, "1", CLI_PLAIN);
    cli_table_add(&table, "", CLI_RED);
    assert_true(cli_table_print(&terminal, stream, &table));
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(printed, "\033[32ma\033[0m  1\n");
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_as_wide_as_needed),
        cmocka_unit_test(the_last_is_cut),
        cmocka_unit_test(columns_shrink_before_rows_break),
        cmocka_unit_test(rows_break_where_nothing_fits),
        cmocka_unit_test(the_last_wraps),
        cmocka_unit_test(cells_stay_on_their_line),
        cmocka_unit_test(colour_is_for_words),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
