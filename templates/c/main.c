/*
 * Counts the lines and words of a text file: one JSON document on standard input, one on standard output.
 *
 * The input satisfies the schema in skill.yaml, defaults filled in; writ has seen to that, and looks at the output the
 * same way. The file is there because the caller named it; no other file of theirs is. What goes to standard error is
 * for people: it is shown when a call fails.
 *
 * Because the document has been checked, the reader below takes only what the schema allows, and gives up on all else.
 * A larger input deserves a JSON library: put its source beside this file and include it here, for `writ test` compiles
 * main.c alone.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
    char file[32768];
    bool skip_blank;
};

/* ---- reading JSON ---- */

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Four hexadecimal digits. */
static const char *read_hex(const char *at, unsigned *value)
{
    char digits[5] = "", *end;
    if (strlen(at) < 4)
        return NULL;
    memcpy(digits, at, 4);
    *value = (unsigned)strtoul(digits, &end, 16);
    return end == digits + 4 ? at + 4 : NULL;
}

/* One character behind a backslash, as UTF-8 in `bytes`. */
static const char *read_escape(const char *at, char bytes[5])
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *name = *at ? strchr(names, *at) : NULL;
    unsigned c, low;
    if (name) {
        bytes[0] = values[name - names];
        bytes[1] = '\0';
        return at + 1;
    }
    if (*at != 'u' || !(at = read_hex(at + 1, &c)))
        return NULL;
    if (c >= 0xD800 && c < 0xDC00) { /* the first half of a character beyond U+FFFF */
        if (at[0] != '\\' || at[1] != 'u' || !(at = read_hex(at + 2, &low)) || low < 0xDC00 || low > 0xDFFF)
            return NULL;
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
    if (c == 0) /* no path holds it */
        return NULL;
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3F));
    bytes[0] = (char)(length == 1 ? c : (0xF00u >> length & 0xF0) | c);
    bytes[length] = '\0';
    return at;
}

/* A text in quotation marks.  Returns what follows it, or NULL when there is none or it does not fit. */
static const char *read_text(const char *at, char *text, size_t size)
{
    size_t length = 0;
    if (*at++ != '"')
        return NULL;
    while (*at != '"') {
        char bytes[5] = {*at, '\0'};
        if (*at == '\0')
            return NULL;
        at = *at == '\\' ? read_escape(at + 1, bytes) : at + 1;
        if (!at || length + strlen(bytes) >= size)
            return NULL;
        memcpy(text + length, bytes, strlen(bytes));
        length += strlen(bytes);
    }
    text[length] = '\0';
    return at + 1;
}

static bool read_input(const char *at, struct input *input)
{
    at = skip_space(at);
    if (*at++ != '{')
        return false;
    for (;;) {
        char key[32];
        at = read_text(skip_space(at), key, sizeof key);
        if (!at || *(at = skip_space(at)) != ':')
            return false;
        at = skip_space(at + 1);
        if (strcmp(key, "file") == 0)
            at = read_text(at, input->file, sizeof input->file);
        else if (strcmp(key, "skip_blank") == 0 && (*at == 't' || *at == 'f'))
            at += (input->skip_blank = *at == 't') ? strlen("true") : strlen("false");
        else
            return false;
        if (!at)
            return false;
        at = skip_space(at);
        if (*at == '}')
            return input->file[0] != '\0';
        if (*at++ != ',')
            return false;
    }
}

/* ---- the work ---- */

/* Our own sentences and the system's need no escapes in JSON; a text from elsewhere would. */
static int fail(const char *what, const char *why)
{
    printf("{\"success\": false, \"error\": \"%s%s\"}\n", what, why);
    return 0;
}

static int count(const struct input *input)
{
    unsigned long long lines = 0, words = 0;
    bool in_word = false, begun = false, blank = true;
    FILE *file = fopen(input->file, "rb");
    if (!file)
        return fail("the file cannot be read: ", strerror(errno));
    for (int c; (c = getc(file)) != EOF;) {
        if (c == '\0')
            return fail("this is no text: ", "it holds a NUL byte");
        bool space = strchr(" \t\n\v\f\r", c) != NULL;
        words += !space && !in_word;
        in_word = !space;
        begun = true;
        blank = blank && space;
        if (c == '\n') {
            lines += !blank || !input->skip_blank;
            begun = false;
            blank = true;
        }
    }
    if (ferror(file))
        return fail("the file cannot be read: ", strerror(errno));
    lines += begun && (!blank || !input->skip_blank);
    printf("{\"success\": true, \"data\": {\"lines\": %llu, \"words\": %llu}}\n", lines, words);
    return 0;
}

int main(void)
{
    static char document[65536];
    static struct input input;
    size_t length = fread(document, 1, sizeof document - 1, stdin);
    document[length] = '\0';
    if (!read_input(document, &input))
        return fail("the input is not ", "what skill.yaml says");
    return count(&input);
}
