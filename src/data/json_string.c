/*
 * Strings of the reader: checked, unescaped in place, terminated, hashed.  What was read is never behind what is
 * written, for every escape is longer than the character it stands for.
 */
#include "data/json_parse.h"

static inline uint32_t load_word(const char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Passes over well-formed UTF-8 sequences beyond ASCII and stops at the first byte that begins none. */
static char *skip_utf8(char *at)
{
    for (;;) {
        uint32_t word = load_word(at);
        /* Three bytes in a row, the case of Chinese: 1110xxxx 10xxxxxx 10xxxxxx, neither overlong (x all 0 down to the
         * first bit of the second byte) nor a surrogate (ED A0 and above). */
        while ((word & 0x00C0C0F0U) == 0x008080E0U && (word & 0x0000200FU) != 0 &&
               (word & 0x0000200FU) != 0x0000200DU) {
            at += 3;
            word = load_word(at);
        }
        unsigned lead = word & 0xFF, second = word >> 8 & 0xFF;
        if (lead < 0x80)
            return at;
        if ((word & 0xC0E0U) == 0x80C0U && lead >= 0xC2)
            at += 2;
        else if ((word & 0xC0C0C0F8U) == 0x808080F0U && lead <= 0xF4 && (lead != 0xF0 || second >= 0x90) &&
                 (lead != 0xF4 || second < 0x90))
            at += 4;
        else
            return at;
    }
}

/* Passes over characters that stand for themselves; stops at a quotation mark, backslash, or what is not allowed. */
static char *skip_run_by_character(char *at, unsigned *flags)
{
    for (;;) {
        size_t plain = json_scan_plain(at);
        at += plain;
        if (plain == JSON_SCAN_BYTES)
            continue;
        if ((unsigned char)*at < 0x80)
            return at;
        *flags &= ~(unsigned)WRIT_JSON_FLAG_ASCII;
        char *next = skip_utf8(at);
        if (next == at)
            return at;
        at = next;
    }
}

#if JSON_SSE2
static inline unsigned mask_of(__m128i bytes)
{
    return (unsigned)_mm_movemask_epi8(bytes);
}

/*
 * As skip_run_by_character, a block at a time and without a branch on what the characters are, for text where scripts
 * mix.  Sets of bytes are bit masks, a bit for each byte of the block.  Every lead byte wants a continuation byte
 * behind it, those from E0 on a second one; the text is well-formed when exactly the wanted bytes are continuation
 * bytes.  What this does not tell (C0, C1, F0 and above are no such leads; behind E0 and ED not every continuation is
 * allowed) is left to the other function, from a place where a character begins for certain: behind the last ASCII byte
 * before the block.
 */
static inline char *skip_run(char *at, unsigned *flags)
{
    const char *start = at;
    for (unsigned wanted = 0;; at += JSON_SCAN_BYTES) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        /* Comparisons are signed: bytes above 0x7F are the negative ones. */
        __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
        __m128i ends =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        __m128i odd =
            _mm_or_si128(_mm_cmpeq_epi8(_mm_and_si128(bytes, _mm_set1_epi8((char)0xFE)), _mm_set1_epi8((char)0xC0)),
                         _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)0xE0)),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)0xED))));
        unsigned high = mask_of(bytes), from_e0 = mask_of(_mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)0xDF))) & high;
        unsigned from_f0 = mask_of(_mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)0xEF))) & high;
        unsigned continuing = mask_of(_mm_cmplt_epi8(bytes, _mm_set1_epi8((char)0xC0)));
        unsigned special = (mask_of(low) & ~high) | mask_of(ends);
        wanted |= (high & ~continuing) << 1 | from_e0 << 2;
        /* The special byte is judged as well: it may stand where a continuation byte is wanted. */
        unsigned judged = (special ^ (special - 1)) & 0xFFFFU;
        if (WRIT_UNLIKELY(((wanted ^ continuing) | mask_of(odd) | from_f0) & judged)) {
            while (at > start && (unsigned char)at[-1] >= 0x80)
                at--;
            return skip_run_by_character(at, flags);
        }
        if (high & judged)
            *flags &= ~(unsigned)WRIT_JSON_FLAG_ASCII;
        if (special)
            return at + __builtin_ctz(special);
        wanted >>= JSON_SCAN_BYTES;
    }
}
#else
static inline char *skip_run(char *at, unsigned *flags)
{
    return skip_run_by_character(at, flags);
}
#endif

/* The value of four hexadecimal digits, or -1.  Reading four is safe because of the padding. */
static int32_t hex4(const char *at)
{
    int32_t value = 0;
    for (int digit = 0; digit < 4; digit++) {
        char c = at[digit];
        int nibble = c >= '0' && c <= '9'   ? c - '0'
                     : c >= 'a' && c <= 'f' ? c - 'a' + 10
                     : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                            : -1;
        if (nibble < 0)
            return -1;
        value = value * 16 + nibble;
    }
    return value;
}

static char *put_utf8(char *out, uint32_t point)
{
    if (point < 0x80) {
        *out++ = (char)point;
    } else if (point < 0x800) {
        *out++ = (char)(0xC0 | point >> 6);
        *out++ = (char)(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        *out++ = (char)(0xE0 | point >> 12);
        *out++ = (char)(0x80 | (point >> 6 & 0x3F));
        *out++ = (char)(0x80 | (point & 0x3F));
    } else {
        *out++ = (char)(0xF0 | point >> 18);
        *out++ = (char)(0x80 | (point >> 12 & 0x3F));
        *out++ = (char)(0x80 | (point >> 6 & 0x3F));
        *out++ = (char)(0x80 | (point & 0x3F));
    }
    return out;
}

/* `at` is the backslash of \uXXXX.  Stores the code point of one escape or of a surrogate pair. */
static char *parse_unicode_escape(const struct json_parser *parser, char *at, uint32_t *ret_point)
{
    int32_t unit = hex4(at + 2);
    if (unit < 0)
        return json_fail(parser, at, "`\\u` must be followed by four hexadecimal digits");
    if (unit < 0xD800 || unit > 0xDFFF) {
        *ret_point = (uint32_t)unit;
        return at + 6;
    }
    int32_t low = unit <= 0xDBFF && at[6] == '\\' && at[7] == 'u' ? hex4(at + 8) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return json_fail(parser, at, "`\\u%.4s` is half of a surrogate pair: write both halves or the character itself",
                         at + 2);
    *ret_point = 0x10000 + (((uint32_t)unit & 0x3FF) << 10) + ((uint32_t)low & 0x3FF);
    return at + 12;
}

/* `at` is a backslash; writes the character to *out and returns where the text goes on. */
static char *parse_escape(const struct json_parser *parser, char *at, char **out, unsigned *flags)
{
    uint32_t point = 0;
    char *next = at + 2;
    switch (at[1]) {
    case '"':
    case '\\':
    case '/':
        point = (unsigned char)at[1];
        break;
    case 'b':
        point = '\b';
        break;
    case 'f':
        point = '\f';
        break;
    case 'n':
        point = '\n';
        break;
    case 'r':
        point = '\r';
        break;
    case 't':
        point = '\t';
        break;
    case 'u':
        next = parse_unicode_escape(parser, at, &point);
        if (!next)
            return NULL;
        break;
    default:
        return json_fail(parser, at,
                         "a backslash must be followed by one of \" \\ / b f n r t u: write `\\\\` for itself");
    }
    if (point >= 0x80)
        *flags &= ~(unsigned)WRIT_JSON_FLAG_ASCII;
    else if (point < 0x20 || point == '"' || point == '\\')
        *flags &= ~(unsigned)WRIT_JSON_FLAG_PLAIN;
    *out = put_utf8(*out, point);
    return next;
}

static char *fail_in_string(const struct json_parser *parser, const char *start, const char *at)
{
    unsigned char byte = (unsigned char)*at;
    if (at >= parser->end)
        return json_fail(parser, start - 1, "the string that begins here is not closed: add the quotation mark");
    if (byte == '\n')
        return json_fail(parser, at, "a line ends inside a string: write `\\n`, or close the string");
    if (byte < 0x20)
        return json_fail(parser, at, "the control character 0x%02X stands in a string: write it as `\\u%04X`", byte,
                         byte);
    return json_fail(parser, at, "the byte 0x%02X is not valid UTF-8 here", byte);
}

/* The string has an escape at `at`: from here on characters move to the front. */
static char *unescape(const struct json_parser *parser, const char *start, char *at, unsigned *flags, char **ret_close)
{
    char *out = at;
    for (;;) {
        if (*at == '"') {
            *ret_close = out;
            return at + 1;
        }
        if (*at != '\\')
            return fail_in_string(parser, start, at);
        at = parse_escape(parser, at, &out, flags);
        if (!at)
            return NULL;
        char *run = at;
        at = skip_run(at, flags);
        memmove(out, run, (size_t)(at - run));
        out += at - run;
    }
}

char *json_parse_string_rest(const struct json_parser *parser, char *start, char *at, struct writ_json *node)
{
    unsigned flags = WRIT_JSON_FLAG_ASCII | WRIT_JSON_FLAG_PLAIN;
    char *close = skip_run(at, &flags), *next = close + 1;
    if (WRIT_UNLIKELY(*close != '"')) {
        next = unescape(parser, start, close, &flags, &close);
        if (!next)
            return NULL;
    }
    json_set_string(node, start, close, flags);
    return next;
}
