#include "cli/line_editor.h"

#include "cli/terminal.h"

#include <string.h>

#define ROOM_MIN 8
#define SHOWN_BYTES_MAX ((size_t)64 << 10)
#define CTRL(letter) ((letter)&0x1F)
#define ESCAPE 0x1B
#define DELETE 0x7F

void cli_line_init(struct cli_line *line, bool hidden)
{
    *line = (struct cli_line){.hidden = hidden};
    writ_buffer_init_secret(&line->text, CLI_LINE_BYTES_MAX);
    writ_buffer_init_secret(&line->shown, SHOWN_BYTES_MAX);
}

void cli_line_clear(struct cli_line *line)
{
    writ_buffer_clear(&line->text);
    writ_buffer_clear(&line->shown);
    line->cursor = 0;
}

/* ---- characters ---- */

/* Bytes and columns of the character at a place before the end, as it is shown: a line end or a tab is shown as a
 * space. */
static size_t measure(const struct cli_line *line, size_t at, size_t *ret_columns, bool *ret_safe)
{
    const char *text = writ_buffer_text(&line->text);
    size_t used = cli_character(text + at, line->text.length - at, ret_columns, ret_safe);
    if (text[at] == '\n' || text[at] == '\t')
        *ret_columns = 1;
    return used;
}

static size_t columns_between(const struct cli_line *line, size_t from, size_t to)
{
    size_t sum = 0;
    while (from < to) {
        size_t columns;
        bool safe;
        from += measure(line, from, &columns, &safe);
        sum += columns;
    }
    return sum;
}

static size_t next(const struct cli_line *line, size_t at)
{
    size_t columns;
    bool safe;
    if (at >= line->text.length)
        return line->text.length;
    at += measure(line, at, &columns, &safe);
    /* What takes no columns of its own belongs to the character before. */
    while (at < line->text.length) {
        size_t used = measure(line, at, &columns, &safe);
        if (columns > 0)
            break;
        at += used;
    }
    return at;
}

static size_t previous(const struct cli_line *line, size_t at)
{
    const char *text = writ_buffer_text(&line->text);
    size_t columns = 0;
    while (at > 0 && columns == 0) {
        size_t end = at--;
        bool safe;
        while (at > 0 && end - at < 4 && ((unsigned char)text[at] & 0xC0) == 0x80)
            at--;
        /* A byte that belongs to no character is one. */
        if (at + measure(line, at, &columns, &safe) != end) {
            at = end - 1;
            columns = 1;
        }
    }
    return at;
}

/* ---- editing ---- */

void cli_line_insert(struct cli_line *line, const char *bytes, size_t length)
{
    size_t behind = line->text.length - line->cursor;
    if (line->text.length + length > CLI_LINE_BYTES_MAX) {
        line->overflowed = true;
        return;
    }
    writ_buffer_append(&line->text, bytes, length);
    if (line->text.failed)
        return;
    char *at = line->text.data + line->cursor;
    memmove(at + length, at, behind);
    memcpy(at, bytes, length);
    line->cursor += length;
}

static void remove_range(struct cli_line *line, size_t from, size_t to)
{
    char *text = line->text.data;
    size_t length = line->text.length;
    if (from >= to)
        return;
    memmove(text + from, text + to, length - to);
    explicit_bzero(text + length - (to - from), to - from);
    line->text.length = length - (to - from);
    line->cursor = from;
}

static size_t word_start(const struct cli_line *line)
{
    const char *text = writ_buffer_text(&line->text);
    size_t at = line->cursor;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    while (at > 0 && text[at - 1] != ' ')
        at--;
    return at;
}

/* ESC [ 200 ~ and ESC [ 201 ~; false: some other key. */
static bool obey_paste(struct cli_line *line)
{
    if (line->pending_length != 5 || memcmp(line->pending + 1, "[20", 3) != 0)
        return false;
    if (line->pending[4] == '1' && line->pasting && line->cursor > 0 && line->text.data[line->cursor - 1] == '\n')
        remove_range(line, line->cursor - 1, line->cursor);
    line->pasting = line->pending[4] == '0';
    return true;
}

/* Keys that come as an escape and what follows: `ESC [ C`, `ESC O H`, `ESC [ 3 ~`. */
static void obey_sequence(struct cli_line *line, char final, char parameter)
{
    if (final == '~')
        final = parameter == '1' || parameter == '7'   ? 'H'
                : parameter == '4' || parameter == '8' ? 'F'
                : parameter == '3'                     ? '~'
                                                       : 0;
    switch (final) {
    case 'C':
        line->cursor = next(line, line->cursor);
        break;
    case 'D':
        line->cursor = previous(line, line->cursor);
        break;
    case 'H':
        line->cursor = 0;
        break;
    case 'F':
        line->cursor = line->text.length;
        break;
    case '~':
        remove_range(line, line->cursor, next(line, line->cursor));
        break;
    default: /* keys that mean nothing in a line */
        break;
    }
}

/* The next byte of an escape sequence. */
static void feed_escape(struct cli_line *line, char byte)
{
    if (byte == ESCAPE) {
        line->pending_length = 1; /* the one before was pressed by itself */
        return;
    }
    bool introduces = line->pending_length == 1 && (byte == '[' || byte == 'O');
    bool goes_on = line->pending_length > 1 && (byte < '@' || byte > '~');
    if (introduces || goes_on) {
        if (line->pending_length < sizeof line->pending)
            line->pending[line->pending_length++] = byte;
        return;
    }
    bool is_sequence = line->pending_length > 1 && !(byte == '~' && obey_paste(line)) && !line->pasting;
    char parameter = line->pending_length == 3 ? line->pending[2] : '\0';
    line->pending_length = 0;
    if (is_sequence)
        obey_sequence(line, byte, parameter);
}

/* Bytes of one character are put in together, so that no half of one is ever shown. */
static void feed_text(struct cli_line *line, char byte)
{
    unsigned char first = (unsigned char)(line->pending_length > 0 ? line->pending[0] : byte);
    size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    bool continues = ((unsigned char)byte & 0xC0) == 0x80;
    if (line->pending_length > 0 && !continues) {
        cli_line_insert(line, line->pending, line->pending_length);
        line->pending_length = 0;
        (void)cli_line_feed(line, byte);
        return;
    }
    line->pending[line->pending_length++] = byte;
    if (line->pending_length < wanted)
        return;
    cli_line_insert(line, line->pending, line->pending_length);
    line->pending_length = 0;
}

enum cli_line_event cli_line_feed(struct cli_line *line, char byte)
{
    if (line->pending_length > 0 && line->pending[0] == ESCAPE) {
        feed_escape(line, byte);
        return CLI_LINE_GOES_ON;
    }
    if (line->pasting && byte != ESCAPE) {
        if (byte == '\r' || byte == '\n' || byte == '\t')
            cli_line_insert(line, byte == '\t' ? "\t" : "\n", 1);
        else if ((unsigned char)byte >= 0x20)
            feed_text(line, byte);
        return CLI_LINE_GOES_ON;
    }
    switch (byte) {
    case '\n':
    case '\r':
        return CLI_LINE_DONE;
    case '\t':
        return CLI_LINE_TAB;
    case CTRL('L'):
        return CLI_LINE_REDRAW;
    case CTRL('D'):
        if (line->text.length == 0)
            return CLI_LINE_END;
        remove_range(line, line->cursor, next(line, line->cursor));
        break;
    case CTRL('H'):
    case DELETE:
        remove_range(line, previous(line, line->cursor), line->cursor);
        break;
    case CTRL('A'):
        line->cursor = 0;
        break;
    case CTRL('E'):
        line->cursor = line->text.length;
        break;
    case CTRL('B'):
        line->cursor = previous(line, line->cursor);
        break;
    case CTRL('F'):
        line->cursor = next(line, line->cursor);
        break;
    case CTRL('U'):
        remove_range(line, 0, line->cursor);
        break;
    case CTRL('K'): {
        size_t cursor = line->cursor;
        remove_range(line, cursor, line->text.length);
        break;
    }
    case CTRL('W'):
        remove_range(line, word_start(line), line->cursor);
        break;
    case ESCAPE:
        line->pending[0] = byte;
        line->pending_length = 1;
        break;
    default:
        if ((unsigned char)byte >= 0x20)
            feed_text(line, byte);
        break;
    }
    return CLI_LINE_GOES_ON;
}

/* ---- the screen ---- */

/* Moves the window so that the cursor is in it, with some text before it. */
static void move_window(struct cli_line *line)
{
    if (columns_between(line, 0, line->text.length) <= line->room)
        line->first = 0;
    if (line->cursor < line->first)
        line->first = line->cursor;
    size_t columns = columns_between(line, line->first, line->cursor);
    while (columns > line->room) {
        size_t after = next(line, line->first);
        columns -= columns_between(line, line->first, after);
        line->first = after;
    }
    if (columns >= line->room / 4)
        return;
    while (line->first > 0 && columns < line->room / 2) {
        size_t before = previous(line, line->first);
        columns += columns_between(line, before, line->first);
        line->first = before;
    }
}

/* What is to stand on the screen, and how many columns of it before the cursor. */
static size_t fill_window(struct cli_line *line, struct writ_buffer *window)
{
    const char *text = writ_buffer_text(&line->text);
    size_t columns = 0, before = 0;
    for (size_t at = line->first; !line->hidden && at < line->text.length;) {
        size_t width;
        bool safe;
        size_t used = measure(line, at, &width, &safe);
        if (columns + width > line->room)
            break;
        if (text[at] == '\n' || text[at] == '\t')
            writ_buffer_append_byte(window, ' ');
        else if (safe)
            writ_buffer_append(window, text + at, used);
        else
            writ_buffer_append_byte(window, '?');
        columns += width;
        at += used;
        if (at <= line->cursor)
            before = columns;
    }
    return before;
}

/* How much of both texts is the same, up to the start of a character that stands for itself, and to the cursor. */
static size_t common_length(const struct cli_line *line, const struct writ_buffer *window)
{
    const char *old = writ_buffer_text(&line->shown), *new = writ_buffer_text(window);
    size_t at = 0, columns = 0, common = 0;
    while (at < line->shown.length && at < window->length) {
        size_t width, other;
        bool safe;
        size_t used = cli_character(old + at, line->shown.length - at, &width, &safe);
        if (width > 0) {
            common = at;
            if (columns >= line->shown_columns)
                return common;
        }
        if (cli_character(new + at, window->length - at, &other, &safe) != used ||
            memcmp(old + at, new + at, used) != 0)
            return common;
        columns += width;
        at += used;
    }
    /* A mark that is added belongs to the character before it. */
    size_t width = 1;
    bool safe;
    if (at < window->length)
        (void)cli_character(new + at, window->length - at, &width, &safe);
    else if (at < line->shown.length)
        (void)cli_character(old + at, line->shown.length - at, &width, &safe);
    return width > 0 ? at : common;
}

static void repeat(struct writ_buffer *out, char byte, size_t count)
{
    while (count-- > 0)
        writ_buffer_append_byte(out, byte);
}

void cli_line_draw(struct cli_line *line, size_t room, bool afresh, struct writ_buffer *out)
{
    struct writ_buffer window;
    writ_buffer_init_secret(&window, SHOWN_BYTES_MAX);
    line->room = room < ROOM_MIN ? ROOM_MIN : room;
    if (afresh) {
        writ_buffer_clear(&line->shown);
        line->shown_columns = line->first = 0;
    }
    move_window(line);
    size_t before = fill_window(line, &window), common = common_length(line, &window);
    size_t at = line->shown_columns, start = cli_text_width(writ_buffer_text(&window), common);
    size_t old = cli_text_width(writ_buffer_text(&line->shown), line->shown.length);
    size_t new = cli_text_width(writ_buffer_text(&window), window.length);
    bool same = common == window.length && common == line->shown.length;
    if (!same || before != at) {
        repeat(out, '\b', at - start);
        writ_buffer_append(out, writ_buffer_text(&window) + common, window.length - common);
        repeat(out, ' ', old > new ? old - new : 0);
        repeat(out, '\b', (old > new ? old : new) - before);
    }
    line->shown_columns = before;
    writ_buffer_clear(&line->shown);
    line->shown = window;
}
