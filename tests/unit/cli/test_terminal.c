/* Nothing that came from a skill steers the terminal or passes for another line. */
#include "cli/terminal.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static char *printed;
static size_t printed_bytes;
static FILE *stream;

static int set_up(void **state)
{
    (void)state;
    stream = open_memstream(&printed, &printed_bytes);
    return stream ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    int result = fclose(stream);
    free(printed);
    return result;
}

static void is_printed(const char *expected)
{
    assert_int_equal(fflush(stream), 0);
    assert_string_equal(printed, expected);
    rewind(stream);
}

static void controls_become_question_marks(void **state)
{
    (void)state;
    cli_print_safe_text(stream, "a\033[31mb\a\r\x7f");
    is_printed("a?[31mb???");
}

static void lines_of_bytes_stay_lines(void **state)
{
    (void)state;
    cli_print_safe(stream, "one\ntwo\t\r", 9);
    is_printed("one\ntwo\t?");
}

static void a_text_is_one_line(void **state)
{
    (void)state;
    cli_print_safe_text(stream, "one\nwrit: forged\tx");
    is_printed("one?writ: forged?x");
}

static void invalid_bytes_and_turns_of_direction_too(void **state)
{
    (void)state;
    cli_print_safe_text(stream, "\xff\xc3x\xed\xa0\x80"
                                "\xc2\x9b"
                                "\xe2\x80\xae"
                                "\xe6\x96\x87");
    is_printed("??x?????\xe6\x96\x87");
}

static void a_cell_stays_on_its_line(void **state)
{
    (void)state;
    cli_print_cut(stream, "one\ncom.example.forged\tready", 0, 0);
    is_printed("one com.example.forged ready");
}

static void cells_are_cut_and_padded_by_columns(void **state)
{
    (void)state;
    cli_print_cut(stream, "\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97", 5, 7); /* six columns */
    is_printed("\xe4\xb8\xad\xe6\x96\x87\xe2\x80\xa6  ");
}

static void short_cells_are_padded(void **state)
{
    (void)state;
    cli_print_cut(stream, "ab", 5, 4);
    is_printed("ab  ");
}

static void a_document_that_failed_is_not_printed(void **state)
{
    (void)state;
    struct writ_buffer document;
    writ_buffer_init(&document, 4);
    writ_buffer_append_text(&document, "{\"a\"");
    writ_buffer_append_text(&document, ":1}");
    assert_false(cli_print_document(&document));
    writ_buffer_clear(&document);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(controls_become_question_marks), CASE(a_text_is_one_line),
        CASE(lines_of_bytes_stay_lines),      CASE(invalid_bytes_and_turns_of_direction_too),
        CASE(a_cell_stays_on_its_line),       CASE(cells_are_cut_and_padded_by_columns),
        CASE(short_cells_are_padded),         CASE(a_document_that_failed_is_not_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
