#include "cli/shell_quote.h"

#include "cli/terminal.h"

#include <stdbool.h>
#include <string.h>

static bool is_plain(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           (byte && strchr("_-./:@%+,=", byte));
}

static bool is_shown_as_it_is(const char *bytes, size_t length, size_t *ret_used)
{
    size_t columns;
    bool safe;
    *ret_used = cli_character(bytes, length, &columns, &safe);
    return safe && bytes[0] != '\n' && bytes[0] != '\t';
}

static void quote_with_escapes(struct writ_buffer *out, const char *word, size_t length)
{
    writ_buffer_append_text(out, "$'");
    for (size_t at = 0; at < length;) {
        size_t used;
        bool shown = is_shown_as_it_is(word + at, length - at, &used);
        if (word[at] == '\'' || word[at] == '\\')
            writ_buffer_append_byte(out, '\\');
        if (shown)
            writ_buffer_append(out, word + at, used);
        for (size_t i = 0; i < used && !shown; i++)
            writ_buffer_printf(out, "\\%03o", (unsigned)(unsigned char)word[at + i]);
        at += used;
    }
    writ_buffer_append_byte(out, '\'');
}

void cli_shell_quote(struct writ_buffer *out, const char *word, size_t length)
{
    bool plain = length > 0 && word[0] != '=', shown = true; /* zsh looks for a program of that name */
    for (size_t at = 0, used; at < length; at += used) {
        shown = is_shown_as_it_is(word + at, length - at, &used) && shown;
        plain = plain && is_plain(word[at]);
    }
    if (plain) {
        writ_buffer_append(out, word, length);
    } else if (!shown) {
        quote_with_escapes(out, word, length);
    } else {
        writ_buffer_append_byte(out, '\'');
        for (size_t i = 0; i < length; i++)
            if (word[i] == '\'')
                writ_buffer_append_text(out, "'\\''");
            else
                writ_buffer_append_byte(out, word[i]);
        writ_buffer_append_byte(out, '\'');
    }
}

void cli_json_make_printable(struct writ_buffer *out, const char *json, size_t length)
{
    for (size_t at = 0, used; at < length; at += used) {
        size_t columns;
        bool safe;
        used = cli_character(json + at, length - at, &columns, &safe);
        const unsigned char *bytes = (const unsigned char *)json + at;
        unsigned character =
            used == 1   ? bytes[0]
            : used == 2 ? (unsigned)(bytes[0] & 0x1F) << 6 | (bytes[1] & 0x3F)
            : used == 3 ? (unsigned)(bytes[0] & 0x0F) << 12 | (unsigned)(bytes[1] & 0x3F) << 6 | (bytes[2] & 0x3F)
                        : 0;
        /* All that steers lies in the basic plane, and within strings. */
        if (safe)
            writ_buffer_append(out, json + at, used);
        else
            writ_buffer_printf(out, "\\u%04x", character);
    }
}
