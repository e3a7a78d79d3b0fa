/*
 * com.example.text.stats: {"text": "…"} on stdin, counts of that text on stdout.
 *
 * Theory of operation.  The document is read as a stream: each character of the string is decoded from JSON and from
 * UTF-8, handed to the counters and forgotten, so memory stays the same however long the text is.  Nothing is printed
 * before the whole document has been accepted.
 *
 * The input schema was checked before this program started, yet the reader is strict on its own: it takes exactly one
 * object with exactly the field `text`, and says after how many bytes anything else stands.  A refused document is an
 * answer (success: false, exit status 0); only failing to read or write is a bad exit status.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define END_OF_INPUT (-1)
#define LINE_FEED 0x0A
#define CARRIAGE_RETURN 0x0D

struct reader {
    unsigned char bytes[65536];
    size_t next, filled;
    uint64_t position; /* bytes handed out so far; what messages name */
    bool failed;       /* read(2) itself failed */
    const char *fault; /* first thing that was wrong with the document; NULL while it is fine */
};

struct counts {
    uint64_t bytes, characters, words, lines, longest_line;
    uint64_t line_characters; /* of the line that is being read */
    bool in_line, in_word, after_carriage_return;
};

/* ---- reading ---- */

static int peek_byte(struct reader *reader)
{
    if (reader->next == reader->filled) {
        ssize_t got;
        do
            got = read(STDIN_FILENO, reader->bytes, sizeof reader->bytes);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            reader->failed = true;
        if (got <= 0)
            return END_OF_INPUT;
        reader->next = 0;
        reader->filled = (size_t)got;
    }
    return reader->bytes[reader->next];
}

static int take_byte(struct reader *reader)
{
    int byte = peek_byte(reader);
    if (byte != END_OF_INPUT) {
        reader->next++;
        reader->position++;
    }
    return byte;
}

/* Keeps the first fault only, for what follows it is guesswork. Returns false so that callers can `return refuse(…)`.
 */
static bool refuse(struct reader *reader, const char *fault)
{
    if (!reader->fault)
        reader->fault = fault;
    return false;
}

static void skip_space(struct reader *reader)
{
    for (int byte = peek_byte(reader); byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
         byte = peek_byte(reader))
        (void)take_byte(reader);
}

static bool expect(struct reader *reader, int wanted, const char *fault)
{
    skip_space(reader);
    if (peek_byte(reader) != wanted)
        return refuse(reader, fault);
    (void)take_byte(reader);
    return true;
}

/* Four hexadecimal digits after `\u`. */
static bool take_hex(struct reader *reader, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int byte = take_byte(reader);
        uint32_t digit;
        if (byte >= '0' && byte <= '9')
            digit = (uint32_t)(byte - '0');
        else if (byte >= 'a' && byte <= 'f')
            digit = (uint32_t)(byte - 'a') + 10;
        else if (byte >= 'A' && byte <= 'F')
            digit = (uint32_t)(byte - 'A') + 10;
        else
            return refuse(reader, "a Unicode escape needs four hexadecimal digits");
        value = value << 4 | digit;
    }
    *ret_value = value;
    return true;
}

/* What follows a backslash. */
static bool take_escape(struct reader *reader, uint32_t *ret_character)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    int byte = take_byte(reader);
    if (byte != 'u') {
        const char *found = byte > 0 ? strchr(names, byte) : NULL;
        if (!found)
            return refuse(reader, "unknown escape in a string");
        *ret_character = (unsigned char)values[found - names];
        return true;
    }
    uint32_t high, low;
    if (!take_hex(reader, &high))
        return false;
    if (high < 0xD800 || high > 0xDFFF) {
        *ret_character = high;
        return true;
    }
    if (high > 0xDBFF || take_byte(reader) != '\\' || take_byte(reader) != 'u')
        return refuse(reader, "a surrogate stands alone in a string");
    if (!take_hex(reader, &low))
        return false;
    if (low < 0xDC00 || low > 0xDFFF)
        return refuse(reader, "a surrogate stands alone in a string");
    *ret_character = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

/* The rest of a UTF-8 sequence.  Overlong forms, surrogates and what lies beyond U+10FFFF are refused. */
static bool take_utf8(struct reader *reader, int lead, uint32_t *ret_character)
{
    int more = lead >= 0xF0 && lead <= 0xF4 ? 3 : lead >= 0xE0 && lead < 0xF0 ? 2 : lead >= 0xC2 && lead < 0xE0 ? 1 : 0;
    if (more == 0)
        return refuse(reader, "invalid UTF-8");
    uint32_t character = (uint32_t)lead & (0x3Fu >> more);
    for (int i = 0; i < more; i++) {
        int byte = take_byte(reader);
        if (byte == END_OF_INPUT || (byte & 0xC0) != 0x80)
            return refuse(reader, "invalid UTF-8");
        character = character << 6 | ((uint32_t)byte & 0x3F);
    }
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (character < smallest[more] || character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF))
        return refuse(reader, "invalid UTF-8");
    *ret_character = character;
    return true;
}

/* One character of a string whose opening quote has been taken; *ret_end at the closing quote. */
static bool take_character(struct reader *reader, uint32_t *ret_character, bool *ret_end)
{
    int byte = take_byte(reader);
    *ret_end = byte == '"';
    if (*ret_end)
        return true;
    if (byte == END_OF_INPUT)
        return refuse(reader, "the document ends inside a string");
    if (byte < 0x20)
        return refuse(reader, "a control character in a string must be escaped");
    if (byte == '\\')
        return take_escape(reader, ret_character);
    if (byte >= 0x80)
        return take_utf8(reader, byte, ret_character);
    *ret_character = (uint32_t)byte;
    return true;
}

/* ---- counting ---- */

/* Unicode's White_Space. */
static bool is_space(uint32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/* Scripts that are written without spaces: each character counts as a word.  Han and kana. */
static bool is_word_alone(uint32_t c)
{
    return (c >= 0x3005 && c <= 0x3007) || (c >= 0x3041 && c <= 0x30FF && c != 0x30FB) ||
           (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

/* Punctuation that stands between such characters and belongs to no word. */
static bool is_wide_punctuation(uint32_t c)
{
    return (c >= 0x3001 && c <= 0x3004) || (c >= 0x3008 && c <= 0x3020) || c == 0x3030 || c == 0x30FB ||
           (c >= 0xFF01 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) || (c >= 0xFF3B && c <= 0xFF3D) ||
           (c >= 0xFF5B && c <= 0xFF65) || (c >= 0x2018 && c <= 0x201F) || c == 0x2014 || c == 0x2026;
}

static void end_line(struct counts *counts)
{
    counts->lines++;
    if (counts->line_characters > counts->longest_line)
        counts->longest_line = counts->line_characters;
    counts->line_characters = 0;
    counts->in_line = false;
}

static void count_character(struct counts *counts, uint32_t c)
{
    counts->bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    counts->characters++;

    /* A line ends at LF, CR or CRLF; the pair is one end. */
    if (c == CARRIAGE_RETURN || (c == LINE_FEED && !counts->after_carriage_return)) {
        end_line(counts);
    } else if (c != LINE_FEED) {
        counts->in_line = true;
        counts->line_characters++;
    }
    counts->after_carriage_return = c == CARRIAGE_RETURN;

    if (is_word_alone(c)) {
        counts->words++;
        counts->in_word = false;
    } else if (is_space(c) || is_wide_punctuation(c)) {
        counts->in_word = false;
    } else if (!counts->in_word) {
        counts->words++;
        counts->in_word = true;
    }
}

/* A last line without a line end is a line as well. */
static void finish(struct counts *counts)
{
    if (counts->in_line)
        end_line(counts);
}

/* ---- the document ---- */

static bool read_name(struct reader *reader)
{
    static const char name[] = "text";
    size_t length = 0;
    bool same = true;
    for (;;) {
        uint32_t character = 0;
        bool end;
        if (!take_character(reader, &character, &end))
            return false;
        if (end)
            break;
        same = same && length < sizeof name - 1 && character == (unsigned char)name[length];
        length++;
    }
    return (same && length == sizeof name - 1) || refuse(reader, "the only field is `text`");
}

static bool read_document(struct reader *reader, struct counts *counts)
{
    if (!expect(reader, '{', "the document must be an object with the field `text`") ||
        !expect(reader, '"', "the field `text` is missing") || !read_name(reader) ||
        !expect(reader, ':', "a colon is missing after the field's name") ||
        !expect(reader, '"', "`text` must be a string"))
        return false;
    for (;;) {
        uint32_t character = 0;
        bool end;
        if (!take_character(reader, &character, &end))
            return false;
        if (end)
            break;
        count_character(counts, character);
    }
    finish(counts);
    if (!expect(reader, '}', "after `text` the object must end: it is the only field"))
        return false;
    skip_space(reader);
    return peek_byte(reader) == END_OF_INPUT || refuse(reader, "something follows the document");
}

int main(void)
{
    static struct reader reader;
    struct counts counts = {0};
    bool accepted = read_document(&reader, &counts);
    if (reader.failed) {
        perror("standard input");
        return 1;
    }
    /* Faults are fixed texts of this file without anything that JSON would have escaped. */
    if (!accepted) {
        (void)printf("{\"success\":false,\"error\":\"after %" PRIu64 " bytes: %s\"}\n", reader.position, reader.fault);
    } else {
        (void)printf("{\"success\":true,\"data\":{\"bytes\":%" PRIu64 ",\"characters\":%" PRIu64 ",\"words\":%" PRIu64
                     ",\"lines\":%" PRIu64 ",\"longest_line\":%" PRIu64 "}}\n",
                     counts.bytes, counts.characters, counts.words, counts.lines, counts.longest_line);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("standard output");
        return 1;
    }
    return 0;
}
