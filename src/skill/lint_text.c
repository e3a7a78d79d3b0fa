#include "skill/lint_rules.h"

#include <string.h>

/*
 * Whether a description is worth choosing by.  Words that any description could hold say nothing; what is left must be
 * three words, or nine characters of a script without spaces (a word of Chinese is about three of those with its
 * share).
 */

#define ENOUGH 9
#define WORD_WORTH 3

static const char *const empty_words[] = {
    "a",       "an",      "and",    "any",   "are",   "as",      "at",          "be",        "by",    "can",
    "data",    "do",      "does",   "for",   "from",  "get",     "gets",        "give",      "gives", "handle",
    "handles", "help",    "helper", "helps", "in",    "info",    "information", "is",        "it",    "its",
    "manage",  "manages", "misc",   "of",    "on",    "or",      "process",     "processes", "skill", "some",
    "stuff",   "task",    "tasks",  "that",  "the",   "thing",   "things",      "this",      "to",    "tool",
    "use",     "used",    "useful", "uses",  "using", "utility", "various",     "with",      "work",  "works",
};
/* get, information, data, process, tool, related, various, function, carry out, use */
static const char *const empty_pairs[] = {"获取", "信息", "数据", "处理", "工具",
                                          "相关", "各种", "功能", "进行", "使用"};

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_empty_word(const char *word, size_t length)
{
    for (size_t i = 0; i < WRIT_COUNT(empty_words); i++)
        if (strlen(empty_words[i]) == length && strncasecmp(empty_words[i], word, length) == 0)
            return true;
    return length == 1;
}

static bool is_empty_pair(const char *text)
{
    for (size_t i = 0; i < WRIT_COUNT(empty_pairs); i++)
        if (strncmp(text, empty_pairs[i], strlen(empty_pairs[i])) == 0)
            return true;
    return false;
}

/* Bytes of one character that stands for a syllable or word, 0 for other ones: Hangul, Han, kana and what is near. */
static size_t syllable_bytes(const char *text)
{
    unsigned char lead = (unsigned char)text[0];
    if (lead >= 0xF0)
        return 4;
    return lead >= 0xE3 && lead <= 0xED && !(lead == 0xE3 && (unsigned char)text[1] == 0x80) ? 3 : 0;
}

bool lint_is_vague(const char *description, const char *name)
{
    unsigned worth = 0;
    if (strcasecmp(description, name) == 0)
        return true;
    for (const char *next = description; *next;) {
        size_t word = 0, syllable = syllable_bytes(next);
        while (is_word_byte(next[word]))
            word++;
        if (word > 0) {
            worth += is_empty_word(next, word) ? 0 : WORD_WORTH;
            next += word;
        } else if (syllable > 0 && is_empty_pair(next)) {
            next += 2 * syllable;
        } else if (syllable > 0) {
            worth++;
            next += syllable;
        } else {
            /* Other letters beyond ASCII count by the word too: two bytes of them are one. */
            bool begins =
                ((unsigned char)next[0] & 0xC0) == 0xC0 && (next == description || !((unsigned char)next[-1] & 0x80));
            worth += begins && (unsigned char)next[0] < 0xE2 ? WORD_WORTH : 0;
            next++;
        }
    }
    return worth < ENOUGH;
}
