#include "cli/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#define WIDTH_MIN 40
#define WIDTH_MAX 500
#define ITEM_LEFT_COLUMNS 26

void cli_terminal_init(struct cli_terminal *terminal, bool no_colour, bool dumb)
{
    *terminal = (struct cli_terminal){
        .out_is_terminal = isatty(STDOUT_FILENO) == 1, .err_is_terminal = isatty(STDERR_FILENO) == 1, .is_dumb = dumb};
    terminal->out_colour = terminal->out_is_terminal && !no_colour && !dumb;
    terminal->err_colour = terminal->err_is_terminal && !no_colour && !dumb;
    struct winsize size;
    if (terminal->out_is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal->width = size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col > WIDTH_MAX ? WIDTH_MAX : size.ws_col;
    else if (terminal->out_is_terminal)
        terminal->width = 80;
}

bool cli_terminal_set_colour(struct cli_terminal *terminal, const char *when)
{
    bool always = strcmp(when, "always") == 0;
    if (always || strcmp(when, "never") == 0)
        terminal->out_colour = terminal->err_colour = always;
    else
        return strcmp(when, "auto") == 0;
    return true;
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

static void print_safe(FILE *stream, const char *bytes, size_t length, bool one_line)
{
    for (size_t at = 0; at < length;) {
        size_t used;
        utf8proc_int32_t character = next_character(bytes + at, length - at, &used);
        if (steers_terminal(character) || (one_line && (character == '\n' || character == '\t')))
            (void)fputc('?', stream);
        else
            (void)fwrite(bytes + at, 1, used, stream);
        at += used;
    }
}
void cli_print_safe(FILE *stream, const char *bytes, size_t length)
{
    print_safe(stream, bytes, length, false);
}
void cli_print_safe_line(FILE *stream, const char *bytes, size_t length)
{
    print_safe(stream, bytes, length, true);
}
void cli_print_safe_text(FILE *stream, const char *text)
{
    print_safe(stream, text, strlen(text), true);
}

bool cli_print_document(const struct writ_buffer *document)
{
    if (document->failed)
        return false;
    if (isatty(STDOUT_FILENO) == 1)
        cli_print_safe(stdout, writ_buffer_text(document), document->length);
    else
        (void)fwrite(writ_buffer_text(document), 1, document->length, stdout);
    (void)fputc('\n', stdout);
    return true;
}

static bool is_styled(const struct cli_terminal *terminal, FILE *stream, enum cli_style style)
{
    return style != CLI_PLAIN && (stream == stderr ? terminal->err_colour : terminal->out_colour);
}

void cli_style_begin(const struct cli_terminal *terminal, FILE *stream, enum cli_style style)
{
    static const char *const codes[] = {[CLI_PLAIN] = "",       [CLI_BOLD] = "\033[1m",   [CLI_DIM] = "\033[2m",
                                        [CLI_RED] = "\033[31m", [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m"};
    if (is_styled(terminal, stream, style))
        (void)fputs(codes[style], stream);
}

void cli_style_end(const struct cli_terminal *terminal, FILE *stream, enum cli_style style)
{
    if (is_styled(terminal, stream, style))
        (void)fputs("\033[0m", stream);
}

void cli_print_styled(const struct cli_terminal *terminal, FILE *stream, enum cli_style style, const char *text)
{
    cli_style_begin(terminal, stream, style);
    (void)fputs(text, stream);
    cli_style_end(terminal, stream, style);
}

static size_t width_of(utf8proc_int32_t character)
{
    int width = character < 0 || steers_terminal(character) ? 1 : utf8proc_charwidth(character);
    return width > 0 ? (size_t)width : 0;
}

size_t cli_character_length(const char *text)
{
    size_t length;
    (void)next_character(text, strnlen(text, 8), &length);
    return length;
}

size_t cli_character(const char *bytes, size_t length, size_t *ret_columns, bool *ret_safe)
{
    size_t used;
    utf8proc_int32_t character = next_character(bytes, length, &used);
    *ret_columns = width_of(character);
    *ret_safe = character >= 0 && !steers_terminal(character);
    return used;
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

/* Safe text that stays on its line, so that no name or description can look like another row. */
static void print_line(FILE *stream, const char *text, size_t length)
{
    while (length > 0) {
        const char *end = text;
        while (end < text + length && *end != '\n' && *end != '\t')
            end++;
        cli_print_safe(stream, text, (size_t)(end - text));
        if (end < text + length) {
            (void)fputc(' ', stream);
            end++;
        }
        length -= (size_t)(end - text);
        text = end;
    }
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
    print_line(stream, text, at);
    if (cut) {
        (void)fputs("…", stream);
        shown++;
    }
    for (; shown < pad; shown++)
        (void)fputc(' ', stream);
}

/* Marks that may not begin a line, and those that may not end one; the wide ones stand without a space beside them. */
static bool closes(utf8proc_int32_t character)
{
    static const utf8proc_int32_t marks[] = {0x3001, 0x3002, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x2019,
                                             0x201D, 0xFF01, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F, 0x2026};
    for (size_t i = 0; i < WRIT_COUNT(marks); i++)
        if (character == marks[i])
            return true;
    return character > 0 && character < 0x80 && strchr(",.;:!?)]}%'\"`", (int)character);
}

static bool opens(utf8proc_int32_t character)
{
    static const utf8proc_int32_t marks[] = {0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x2018, 0x201C, 0xFF08};
    for (size_t i = 0; i < WRIT_COUNT(marks); i++)
        if (character == marks[i])
            return true;
    return character > 0 && character < 0x80 && strchr("([{\"`", (int)character);
}

/* Length of what is never broken: a word, or one wide character with the marks that belong to it. */
static size_t piece_length(const char *text)
{
    utf8proc_int32_t before = 0;
    size_t at = 0;
    while (text[at] && text[at] != ' ' && text[at] != '\n') {
        size_t used;
        utf8proc_int32_t character = next_character(text + at, strnlen(text + at, 8), &used);
        bool wide = width_of(character) == 2 || width_of(before) == 2;
        if (at > 0 && wide && !closes(character) && !opens(before))
            break;
        before = character;
        at += used;
    }
    return at;
}

static void print_flowing(FILE *stream, const char *text, size_t column, unsigned indent, unsigned width, bool one_line)
{
    bool fresh = column <= indent, spaced = false; /* fresh: nothing stands on this line but its indent */
    while (*text) {
        if (*text == ' ' || *text == '\n') {
            spaced = *text == ' ' || one_line;
            text++;
            if (spaced)
                continue;
            (void)fprintf(stream, "\n%*s", *text && *text != '\n' ? (int)indent : 0, "");
            column = indent;
            fresh = true;
            continue;
        }
        size_t length = piece_length(text), columns = cli_text_width(text, length);
        if (!fresh && width > 0 && column + spaced + columns > width) {
            (void)fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!fresh && spaced) {
            (void)fputc(' ', stream);
            column++;
        }
        cli_print_safe(stream, text, length);
        column += columns;
        text += length;
        fresh = spaced = false;
    }
    (void)fputc('\n', stream);
}

void cli_print_rest(FILE *stream, const char *text, size_t column, unsigned indent, unsigned width)
{
    print_flowing(stream, text, column, indent, width, true);
}

void cli_print_hanging(FILE *stream, const char *text, unsigned indent, unsigned width)
{
    print_flowing(stream, text, indent, indent, width, false);
}

void cli_print_wrapped(FILE *stream, const char *text, unsigned indent, unsigned width)
{
    (void)fprintf(stream, "%*s", (int)indent, "");
    cli_print_hanging(stream, text, indent, width);
}

void cli_print_item(FILE *stream, const char *left, const char *text, unsigned width)
{
    size_t used = cli_text_width(left, strlen(left));
    (void)fprintf(stream, "  ");
    cli_print_safe_text(stream, left);
    /* A narrow terminal has no room for two columns. */
    bool below = used > ITEM_LEFT_COLUMNS || (width > 0 && width < ITEM_LEFT_COLUMNS + 34);
    unsigned indent = width > 0 && width < ITEM_LEFT_COLUMNS + 34 ? 8 : ITEM_LEFT_COLUMNS + 3;
    if (!text[0]) {
        (void)fputc('\n', stream);
        return;
    }
    if (below)
        (void)fprintf(stream, "\n%*s", (int)indent, "");
    else
        (void)fprintf(stream, "%*s", (int)(ITEM_LEFT_COLUMNS + 1 - used), "");
    cli_print_hanging(stream, text, indent, width);
}
