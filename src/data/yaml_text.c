#include "data/yaml_text.h"

#include "base/text.h"

int yaml_text_place_error(const char *text, size_t offset, struct writ_error *error)
{
    unsigned line = 1, column = 1;
    for (size_t i = 0; i < offset; i++) {
        column++;
        if (text[i] == '\n') {
            line++;
            column = 1;
        }
    }
    return writ_error_at(error, "", line, column);
}

/* Length of the character at `p` when it may not stand in a document; 0 when it may.  The `left` bytes are UTF-8. */
static size_t forbidden_length(const unsigned char *p, size_t left)
{
    if (p[0] >= 0x20 && p[0] < 0x7F)
        return 0;
    if (p[0] < 0x80)
        return p[0] == '\n' || p[0] == '\t' || (p[0] == '\r' && left > 1 && p[1] == '\n') ? 0 : 1;
    if (p[0] == 0xC2)
        return p[1] < 0xA0 ? 2 : 0; /* the second row of control characters, NEL among them */
    if (p[0] == 0xE2 && p[1] == 0x80)
        return p[2] == 0xA8 || p[2] == 0xA9 ? 3 : 0; /* U+2028, U+2029 */
    if (p[0] == 0xEF && p[1] == 0xBF)
        return p[2] >= 0xBE ? 3 : 0; /* U+FFFE, U+FFFF */
    return 0;
}

static int refuse(const char *text, size_t offset, size_t length, struct writ_error *error)
{
    const unsigned char *at = (const unsigned char *)text + offset;
    if (*at == '\r')
        (void)writ_error_set(error, WRIT_DATA_SYNTAX,
                             "a carriage return stands without a line feed: end lines with LF or CRLF");
    else if (length == 1)
        (void)writ_error_set(
            error, WRIT_DATA_SYNTAX,
            "the control character 0x%02X cannot stand in the text: remove it, or write it as an escape "
            "in double quotes; if it is everywhere, save the file as UTF-8",
            at[0]);
    else
        (void)writ_error_set(error, WRIT_DATA_SYNTAX,
                             "an invisible control character (bytes %02X %02X) cannot stand in the text: remove it, or "
                             "write it as an escape in double quotes",
                             at[0], at[1]);
    return yaml_text_place_error(text, offset, error);
}

int yaml_text_check(const char *text, size_t length, struct writ_error *error)
{
    size_t valid = writ_utf8_valid_length(text, length);
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t i = 0; i < valid; i++) {
        if ((bytes[i] & 0xC0) == 0x80)
            continue;
        size_t forbidden = forbidden_length(bytes + i, valid - i);
        if (forbidden)
            return refuse(text, i, forbidden, error);
    }
    if (valid == length)
        return 0;
    (void)writ_error_set(error, WRIT_DATA_SYNTAX, "the byte 0x%02X is not valid UTF-8 here: save the file as UTF-8",
                         bytes[valid]);
    return yaml_text_place_error(text, valid, error);
}
