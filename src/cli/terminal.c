#include "cli/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#define WIDTH_MIN 40
#define WIDTH_MAX 500

void cli_terminal_init(struct cli_terminal *terminal, bool no_colour, bool dumb)
{
    *terminal = (struct cli_terminal){.out_is_terminal = isatty(STDOUT_FILENO) == 1,
                                      .err_is_terminal = isatty(STDERR_FILENO) == 1};
    terminal->out_colour = terminal->out_is_terminal && !no_colour && !dumb;
    terminal->err_colour = terminal->err_is_terminal && !no_colour && !dumb;
    struct winsize size;
    if (terminal->out_is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal->width = size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col > WIDTH_MAX ? WIDTH_MAX : size.ws_col;
    else if (terminal->out_is_terminal)
        terminal->width = 80;
}

/* The next character of a text and its length; an invalid byte is a character of its own, -1. */
static utf8proc_int32_t next_character(const char *bytes, size_t length, size_t *ret_length)
{
    utf8proc_int32_t character;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)(length < 8 ? length : 8), &character);
    *ret_length = used > 0 ? (size_t)used : 1;
    return used > 0 ? character : -1;
}

/* Characters that a terminal obeys instead of showing: controls, and those that turn the direction of writing. */
static bool steers_terminal(utf8proc_int32_t character)
{
    if (character < 0x20)
        return character != '\n' && character != '\t';
    return (character >= 0x7F && character < 0xA0) || (character >= 0x202A && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069);
}

void cli_print_safe(FILE *stream, const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t used;
        utf8proc_int32_t character = next_character(bytes + at, length - at, &used);
        if (steers_terminal(character))
            (void)fputc('?', stream);
        else
            (void)fwrite(bytes + at, 1, used, stream);
        at += used;
    }
}

void cli_print_safe_text(FILE *stream, const char *text)
{
    cli_print_safe(stream, text, strlen(text));
}

void cli_print_styled(const struct cli_terminal *terminal, FILE *stream, enum cli_style style, const char *text)
{
    static const char *const codes[] = {[CLI_PLAIN] = "",       [CLI_BOLD] = "\033[1m",   [CLI_DIM] = "\033[2m",
                                        [CLI_RED] = "\033[31m", [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m"};
    bool colour = stream == stderr ? terminal->err_colour : terminal->out_colour;
    if (!colour || style == CLI_PLAIN)
        (void)fputs(text, stream);
    else
        (void)fprintf(stream, "%s%s\033[0m", codes[style], text);
}

static size_t width_of(utf8proc_int32_t character)
{
    int width = character < 0 || steers_terminal(character) ? 1 : utf8proc_charwidth(character);
    return width > 0 ? (size_t)width : 0;
}

size_t cli_text_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t at = 0; at < length;) {
        size_t used;
        width += width_of(next_character(text + at, length - at, &used));
        at += used;
    }
    return width;
}

void cli_print_cut(FILE *stream, const char *text, size_t width, size_t pad)
{
    size_t length = strlen(text), whole = cli_text_width(text, length), shown = 0, at = 0;
    bool cut = width > 0 && whole > width;
    while (at < length) {
        size_t used;
        size_t columns = width_of(next_character(text + at, length - at, &used));
        if (cut && shown + columns > width - 1)
            break;
        shown += columns;
        at += used;
    }
    cli_print_safe(stream, text, at);
    if (cut) {
        (void)fputs("…", stream);
        shown++;
    }
    for (; shown < pad; shown++)
        (void)fputc(' ', stream);
}

void cli_print_wrapped(FILE *stream, const char *text, unsigned indent, unsigned width)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n"), columns = cli_text_width(text, length);
        if (column > 0 && width > 0 && column + 1 + columns > width) {
            (void)fputc('\n', stream);
            column = 0;
        }
        if (column == 0) {
            (void)fprintf(stream, "%*s", (int)indent, "");
            column = indent;
        } else {
            (void)fputc(' ', stream);
            column++;
        }
        cli_print_safe(stream, text, length);
        column += columns;
        text += length;
        if (*text == '\n') {
            (void)fputc('\n', stream);
            column = 0;
        }
        text += *text != '\0';
    }
    if (column > 0)
        (void)fputc('\n', stream);
}
