/* A line is edited by keys, and the screen shows it, also where characters are wide. */
#include "cli/line_editor.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 20

static struct cli_line line;
static char screen[4096]; /* cells: a character each, `\1` for the second half of a wide one */
static size_t column;

static int set_up(void **state)
{
    (void)state;
    cli_line_init(&line, false);
    memset(screen, 0, sizeof screen);
    column = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cli_line_clear(&line);
    return 0;
}

/* A terminal that knows backspaces and printing, which is all that a line may use.  Wide here is what has three bytes;
 * its lead byte stands for it.  The one mark takes no cell. */
static void draw(bool afresh)
{
    struct writ_buffer out;
    writ_buffer_init(&out, 1 << 16);
    if (afresh) {
        memset(screen, 0, sizeof screen);
        column = 0;
    }
    cli_line_draw(&line, ROOM, afresh, &out);
    for (size_t i = 0; i < out.length; i++) {
        unsigned char byte = (unsigned char)out.data[i];
        if (byte == '\b') {
            assert_true(column > 0);
            column--;
        } else if ((byte & 0xC0) != 0x80 && byte != 0xCC) {
            assert_true(byte >= 0x20);
            bool wide = byte >= 0xE0;
            screen[column++] = out.data[i];
            if (wide)
                screen[column++] = '\1';
        }
        assert_true(column <= ROOM);
    }
    writ_buffer_clear(&out);
}

static enum cli_line_event press(const char *keys)
{
    enum cli_line_event event = CLI_LINE_GOES_ON;
    for (; *keys; keys++) {
        event = cli_line_feed(&line, *keys);
        draw(false);
    }
    return event;
}

static void holds(const char *text, size_t cursor)
{
    assert_string_equal(writ_buffer_text(&line.text), text);
    assert_int_equal(line.cursor, cursor);
}

static void shows(const char *cells, size_t at)
{
    char found[256];
    size_t length = strnlen(screen, sizeof found - 1);
    memcpy(found, screen, length);
    while (length > 0 && found[length - 1] == ' ')
        length--;
    found[length] = '\0';
    assert_string_equal(found, cells);
    assert_int_equal(column, at);
}

#define ZH "\xe4\xb8\xad"
#define ACUTE "\xcc\x81"

static void typing_and_erasing(void **state)
{
    (void)state;
    press("a" ZH "b");
    holds("a" ZH "b", 5);
    shows("a\xe4\1"
          "b",
          4);
    press("\x7f\x7f");
    holds("a", 1);
    shows("a", 1);
    press("\x7f\x7f");
    holds("", 0);
    shows("", 0);
}

static void moving(void **state)
{
    (void)state;
    press("one two\x1b[D\x1b[D\x1b[D");
    holds("one two", 4);
    shows("one two", 4);
    press("x");
    holds("one xtwo", 5);
    shows("one xtwo", 5);
    press("\x01>\x05<\x1b[H\x1b[3~\x1b[F");
    holds("one xtwo<", 9);
    shows("one xtwo<", 9);
    press("\x1bOH\x1bOC\x1b[1;5C\x1bx\x1b[4~\x1b[A\x1b[20~");
    holds("one xtwo<", 9);
    press("\x17");
    holds("one ", 4);
    press("\x02\x02\x0b");
    holds("on", 2);
    press("\x06\x15");
    holds("", 0);
    shows("", 0);
}

static void marks_go_with_their_character(void **state)
{
    (void)state;
    press("e" ACUTE "x\x1b[D\x1b[D");
    holds("e" ACUTE "x", 0);
    press("\x06");
    holds("e" ACUTE "x", 3);
    press("\x7f");
    holds("x", 0);
    shows("x", 0);
}

static void events(void **state)
{
    (void)state;
    assert_int_equal(press("\x04"), CLI_LINE_END);
    assert_int_equal(press("\t"), CLI_LINE_TAB);
    assert_int_equal(press("\x0c"), CLI_LINE_REDRAW);
    assert_int_equal(press("ab\x01\x04"), CLI_LINE_GOES_ON);
    holds("b", 0);
    assert_int_equal(press("\r"), CLI_LINE_DONE);
}

static void what_is_no_character_is_kept_for_the_verdict(void **state)
{
    (void)state;
    press("\xc3x\xff\x80"
          "y");
    holds("\xc3x\xff\x80y", 5);
    shows("?x??y", 5);
    press("\x7f\x7f\x7f\x7f\x7f");
    holds("", 0);
}

static void what_steers_is_not_shown(void **state)
{
    (void)state;
    cli_line_insert(&line, "a\x1b[31m\n\xe2\x80\xae", 10);
    draw(false);
    shows("a?[31m ?", 8);
}

static void a_long_line_is_shown_through_a_window(void **state)
{
    (void)state;
    press("abcdefghijklmnopqrstuvwxyz");
    shows("ghijklmnopqrstuvwxyz", 20);
    press("\x01");
    shows("abcdefghijklmnopqrst", 0);
    press("\x05");
    shows("ghijklmnopqrstuvwxyz", 20);
    press("\x7f\x7f\x7f\x7f\x7f\x7f");
    shows("abcdefghijklmnopqrst", 20);
    press(ZH ZH);
    holds("abcdefghijklmnopqrst" ZH ZH, 26);
    shows("efghijklmnopqrst\xe4\1\xe4\1", 20);
}

static void hidden_lines_show_nothing(void **state)
{
    (void)state;
    line.hidden = true;
    press("secret\x7f\x01x");
    holds("xsecre", 1);
    shows("", 0);
}

static void what_is_pasted_is_text(void **state)
{
    (void)state;
    assert_int_equal(press("<\x1b[200~one\r\ttwo\x03\x1b[D\x01" ZH "\n\x1b[201~>"), CLI_LINE_GOES_ON);
    holds("<one\n\ttwo" ZH ">", 13);
    shows("<one  two\xe4\1>", 12);
    press("\x1b[201~");
    holds("<one\n\ttwo" ZH ">", 13);
    assert_int_equal(press("\r"), CLI_LINE_DONE);
}

static void drawing_afresh(void **state)
{
    (void)state;
    press("abc\x02");
    draw(true);
    shows("abc", 2);
}

static void too_much_is_dropped_and_told(void **state)
{
    (void)state;
    char *much = malloc(CLI_LINE_BYTES_MAX);
    assert_non_null(much);
    memset(much, 'a', CLI_LINE_BYTES_MAX);
    cli_line_insert(&line, much, CLI_LINE_BYTES_MAX);
    assert_false(line.overflowed);
    press("b");
    assert_true(line.overflowed);
    assert_int_equal(line.text.length, CLI_LINE_BYTES_MAX);
    free(much);
}

static void copy_trimmed(char cells[sizeof screen])
{
    size_t length = strlen(screen);
    while (length > 0 && screen[length - 1] == ' ')
        length--;
    memcpy(cells, screen, length);
    cells[length] = '\0';
}

/* Whatever keys come, the screen shows the text around the cursor. */
static void any_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {"a",    ZH,        "e" ACUTE, " ",    "\x7f",     "\x1b[D", "\x1b[C", "\x01",
                                       "\x05", "\x1b[3~", "\x17",    "\x0b", "b" ZH "c", "xyz",    "\x04",   "\x1b"};
    unsigned seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        seed = seed * 1103515245u + 12345u;
        press(keys[(seed >> 16) % WRIT_COUNT(keys)]);
        char incremental[sizeof screen], afresh[sizeof screen];
        size_t at = column;
        if (i % 16 != 0 || line.first > 0)
            continue;
        copy_trimmed(incremental);
        draw(true);
        copy_trimmed(afresh);
        assert_string_equal(incremental, afresh);
        assert_int_equal(column, at);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(typing_and_erasing),
        CASE(moving),
        CASE(marks_go_with_their_character),
        CASE(events),
        CASE(what_is_no_character_is_kept_for_the_verdict),
        CASE(what_steers_is_not_shown),
        CASE(a_long_line_is_shown_through_a_window),
        CASE(hidden_lines_show_nothing),
        CASE(what_is_pasted_is_text),
        CASE(drawing_afresh),
        CASE(too_much_is_dropped_and_told),
        CASE(any_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
