/* Regular expressions: ECMA-262 syntax and meaning, the same verdict from the automaton and from PCRE2, refusals with
 * their place, and the costs of hostile ones. */
#include "data/pattern_syntax.h"
#include "support.h"

#include <string.h>

struct row {
    const char *pattern, *text;
    bool found;
};

static enum writ_pattern_verdict match(const char *source, const char *text, enum writ_pattern_engine *ret_engine)
{
    struct writ_error error;
    struct writ_pattern *pattern;
    if (writ_pattern_compile(source, strlen(source), &pattern, &error))
        fail_msg("%s: %s", source, error.message);
    enum writ_pattern_verdict verdict = writ_pattern_match(pattern, text, strlen(text));
    assert_int_equal(verdict, writ_pattern_search(pattern, text, strlen(text)));
    *ret_engine = pattern->engine;
    writ_pattern_free(pattern);
    return verdict;
}

/* The same pattern, made to run on PCRE2. */
static enum writ_pattern_verdict match_on_pcre(const char *source, const char *text)
{
    struct writ_arena arena;
    struct writ_error error;
    struct pattern_syntax syntax;
    struct writ_pattern pattern = {0};
    writ_arena_init(&arena, 1 << 22);
    if (writ_pattern_parse(&arena, source, strlen(source), &syntax, &error) ||
        writ_pattern_build_pcre(&syntax, &pattern, &error))
        fail_msg("%s: %s", source, error.message);
    enum writ_pattern_verdict verdict = writ_pattern_search_pcre(&pattern, text, strlen(text), &(int64_t){INT64_MAX});
    writ_pattern_free_pcre(&pattern);
    writ_arena_clear(&arena);
    return verdict;
}

static const struct row rows[] = {
    {"", "", true},
    {"", "a", true},
    {"a", "xay", true},
    {"a", "xy", false},
    {"^a", "ab", true},
    {"^a", "ba", false},
    {"a$", "ba", true},
    {"a$", "ab", false},
    {"a$", "a\n", false}, /* `$` is the very end, unlike Perl's */
    {"^$", "", true},
    {"^$", "a", false},
    {"$^", "", true},
    {"$^", "a", false},
    {"(^a|b$)", "ac", true},
    {"(^a|b$)", "cb", true},
    {"(^a|b$)", "ca", false},
    {"a^b", "a^b", false},
    {"^\\1(a)$", "a", true},
    {"^(a\\1)+$", "aa", true}, /* a group is empty for itself */
    {"^(?:\\1a|(b))+$", "ba", true},
    {"^[a-z0-9]+(-[a-z0-9]+)*$", "pdf-extract", true},
    {"^[a-z0-9]+(-[a-z0-9]+)*$", "pdf--extract", false},
    {"^[a-z0-9]+(-[a-z0-9]+)*$", "a-very-long-name-that-goes-on-and-on-beyond-a-piece-of-text-1", true},
    {"^[a-z0-9]+(-[a-z0-9]+)*$", "a-very-long-name-that-goes-on-and-on-beyond-a-piece-of-text-", false},
    {"^\\d+\\.\\d+\\.\\d+$", "1.22.333", true},
    {"^\\d+\\.\\d+\\.\\d+$", "1.22", false},
    {"^/", "/usr/share/a/very/long/path/that/would/take/a/while/to/read/to/its/end", true},
    {"^(a|aa)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false},
    {"(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false},
    {"a{2}", "ba", false},
    {"^a{2}$", "aa", true},
    {"^a{2,}$", "aaaa", true},
    {"^a{2,3}$", "aaaa", false},
    {"^(ab){0,2}$", "abab", true},
    {"^(ab){0,2}$", "ababab", false},
    {"^a{0}$", "", true},
    {"^(){200}a$", "a", true},
    {"^a??b$", "ab", true},
    {"^{.*}$", "{x}", true}, /* a brace that begins no repeat stands for itself */
    {"^a{,2}$", "a{,2}", true},
    {"]", "]", true},
    {"^[^a]$", "é", true},
    {"^[^a]$", "a", false},
    {"^[^a]$", "😀", true},
    {"^.$", "\n", false},
    {"^.$", "\xE2\x80\xA8", false}, /* U+2028 ends a line too */
    {"^.$", "文", true},
    {"^..$", "文", false},
    {"^[α-ω]+$", "λόγος", false}, /* ό lies outside */
    {"^[α-ωό]+$", "λόγος", true},
    {"^[\\u4e00-\\u9fff]+$", "文本", true},
    {"^\\u{1F600}$", "😀", true},
    {"^\\ud83d\\ude00$", "😀", true},
    {"^[\\ud83d\\ude00-\\ud83d\\ude02]$", "😁", true},
    {"^\\x41\\cJ\\t\\0?$", "A\n\t", true},
    {"^[]$", "", false},
    {"[]", "a", false},
    {"^[^]$", "\n", true},
    {"^[a-]$", "-", true},
    {"^[\\w-.]$", "-", true},
    {"^[\\b]$", "\b", true},
    {"^[\\]\\\\^]$", "^", true},
    {"^\\-\\/\\@\\.$", "-/@.", true},
    {"^\\d$", "٣", false}, /* ASCII digits only */
    {"^\\D$", "٣", true},
    {"^\\w$", "é", false},
    {"^\\W$", "é", true},
    {"^\\s$", "\xC2\xA0", true}, /* no-break space */
    {"^\\s$", "\xEF\xBB\xBF", true},
    {"^\\s$", "\xE2\x80\xA9", true},
    {"^\\s$", "\xE1\xA0\x8E", false}, /* U+180E is no space any more */
    {"^\\S$", "\xE3\x80\x80", false},
    {"^[\\s\\d]+$", "1 2", true},
    {"^[^\\s\\d]+$", "ab", true},
    {"^(?:a|b)(?<name>c)$", "bc", true},
    {"a|", "zzz", true},
    {"^(?:)$", "", true},
};

static void the_engines_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        enum writ_pattern_engine engine;
        enum writ_pattern_verdict verdict = match(rows[i].pattern, rows[i].text, &engine);
        if (verdict != (rows[i].found ? WRIT_PATTERN_FOUND : WRIT_PATTERN_ABSENT))
            fail_msg("%s on `%s` gives %d", rows[i].pattern, rows[i].text, verdict);
        assert_true(engine != WRIT_PATTERN_PCRE);
        enum writ_pattern_verdict other = match_on_pcre(rows[i].pattern, rows[i].text);
        /* The hostile ones reach PCRE2's limit, which is the point of the automaton. */
        if (other != verdict && other != WRIT_PATTERN_TOO_COSTLY)
            fail_msg("%s on `%s` gives %d on PCRE2", rows[i].pattern, rows[i].text, other);
    }
}

/* Patterns made of random pieces on random texts of few letters. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void the_engines_agree_on_random_patterns(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a",       "b",      "[ab]",     "[^a]", ".",   "(a|b)", "(?:ab)*",
                                         "(a|ab)+", "b?",     "a{2}",     "^a",   "b$",  "|",     "a*",
                                         "é",       "[é-文]", "(b{1,2})", "\\d",  "\\W", "a{0,3}"};
    static const char *const letters[] = {"a", "b", "é", "文", "1", " ", "\n"};
    uint32_t seed = 7;
    for (int round = 0; round < 1500; round++) {
        char pattern[128] = "", text[64] = "";
        size_t at = 0;
        for (uint32_t i = 1 + next_random(&seed) % 5; i > 0; i--)
            at += (size_t)snprintf(pattern + at, sizeof(pattern) - at, "%s",
                                   pieces[next_random(&seed) % WRIT_COUNT(pieces)]);
        at = 0;
        for (uint32_t i = next_random(&seed) % 8; i > 0; i--)
            at +=
                (size_t)snprintf(text + at, sizeof(text) - at, "%s", letters[next_random(&seed) % WRIT_COUNT(letters)]);
        enum writ_pattern_engine engine;
        enum writ_pattern_verdict verdict = match(pattern, text, &engine), other = match_on_pcre(pattern, text);
        if (verdict != other)
            fail_msg("%s on `%s`: %d, on PCRE2 %d", pattern, text, verdict, other);
    }
}

static void what_no_automaton_can_do_runs_on_pcre(void **state)
{
    (void)state;
    static const struct row irregular[] = {
        {"^\\p{Letter}+$", "π文a", true},
        {"^\\p{L}+$", "a1", false},
        {"^\\p{digit}$", "٣", true},
        {"^\\p{General_Category=Decimal_Number}$", "3", true},
        {"^\\p{Script=Greek}+$", "λ", true},
        {"^\\p{sc=Greek}$", "a", false},
        {"^\\P{Lu}+$", "abc", true},
        {"^[\\p{Lu}\\d]+$", "A1", true},
        {"^[^\\p{Lu}]$", "a", true},
        {"^\\p{ASCII}$", "a", true},
        {"^\\p{Alphabetic}$", "1", false},
        {"\\bword\\b", "a word here", true},
        {"\\bword\\b", "swords", false},
        {"a\\B", "ab", true},
        {"^(?=.*\\d)(?=.*[a-z]).{4,}$", "abc1", true},
        {"^(?=.*\\d)(?=.*[a-z]).{4,}$", "abcd", false},
        {"^(?!admin)", "admin", false},
        {"(?<=a)b", "ab", true},
        {"(?<!a)b", "ab", false},
        {"^(a)(b)?\\2c$", "ac", true}, /* a group that took no part matches empty */
        {"^(?<x>a|b)\\k<x>$", "bb", true},
        {"^(?<x>a|b)\\k<x>$", "ba", false},
        {"^(?:((['\"]).*?\\2)|[^'\"])*$", "a'b\"'c\"'\"", true},
        {"^(?:((['\"]).*?\\2)|[^'\"])*$", "a'b\"c", false},
        {"^(a|b){2}\\1$", "abb", true},
        {"^(a|b){2}\\1$", "aba", false},
        {"(?<=^|,|--)a", "b--a", true},
        {"(?<=^|,|--)a", "b-a", false},
        {"^(?=a)[]{0,3}a$", "a", true},
        {"\\d\\b$", "1\n", false},
    };
    for (size_t i = 0; i < WRIT_COUNT(irregular); i++) {
        enum writ_pattern_engine engine;
        enum writ_pattern_verdict verdict = match(irregular[i].pattern, irregular[i].text, &engine);
        if (verdict != (irregular[i].found ? WRIT_PATTERN_FOUND : WRIT_PATTERN_ABSENT))
            fail_msg("%s on `%s` gives %d", irregular[i].pattern, irregular[i].text, verdict);
        assert_int_equal(engine, WRIT_PATTERN_PCRE);
    }
}

/* A class is counted, not copied; a repeated group may run over a long text. */
static void long_texts_fit(void **state)
{
    (void)state;
    static char text[20001];
    memset(text, 'b', sizeof(text) - 1);
    static const struct row long_rows[] = {
        {"^.{0,20000}$", NULL, true},           {"^.{1,19999}$", NULL, false},       {"^[^\\r]{1000,}$", NULL, true},
        {"^\\p{L}{20000}$", NULL, true},        {"^(?!\\s*$)(.|\\n)+$", NULL, true}, {"^(?:\\p{L}|\\d)*$", NULL, true},
        {"^(?:\\p{L}|\\d)*\\b1$", NULL, false},
    };
    for (size_t i = 0; i < WRIT_COUNT(long_rows); i++) {
        enum writ_pattern_engine engine;
        enum writ_pattern_verdict verdict = match(long_rows[i].pattern, text, &engine);
        if (verdict != (long_rows[i].found ? WRIT_PATTERN_FOUND : WRIT_PATTERN_ABSENT))
            fail_msg("%s gives %d", long_rows[i].pattern, verdict);
    }
}

static void simple_patterns_run_on_the_fastest_engine(void **state)
{
    (void)state;
    static const char *const simple[] = {
        "^/", "^[a-z]+$", "^[A-Za-z_][A-Za-z0-9_]*$", "^[a-z0-9]+(-[a-z0-9]+)*$", "^\\d+\\.\\d+\\.\\d+$", "^p_[a-z]+$"};
    for (size_t i = 0; i < WRIT_COUNT(simple); i++) {
        enum writ_pattern_engine engine;
        (void)match(simple[i], "", &engine);
        assert_int_equal(engine, WRIT_PATTERN_SHIFT);
    }
}

static void bad_patterns_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *says;
    } bad[] = {
        {"(", "not closed at character 2"},
        {"a(?:b", "not closed"},
        {")", "without its ( at character 1"},
        {"[", "not closed"},
        {"[a", "not closed"},
        {"[b-a]", "wrong order"},
        {"*", "nothing to repeat at character 1"},
        {"a**", "nothing to repeat"},
        {"a{2}{3}", "nothing to repeat"},
        {"^*", "no width"},
        {"(?=a)*", "no width"},
        {"a{3,2}", "wrong order"},
        {"a{70000}", "65535"},
        {"\\", "single backslash"},
        {"\\y", "does not know"},
        {"\\_", NULL},
        {"\\x4", "two hexadecimal"},
        {"\\u12", "four hexadecimal"},
        {"\\u{110000}", "beyond 10FFFF"},
        {"\\u{}", "not closed"},
        {"\\c1", "no letter"},
        {"\\07", "octal"},
        {"\\1", "does not have"},
        {"\\k<a>", "does not have"},
        {"\\k", "\\k without <name>"},
        {"(?<a>x)(?<a>y)", "two groups alike"},
        {"(?<a", "group name"},
        {"(?>a)", "does not know"},
        {"(?i)a", "does not know"},
        {"(?#c)", "does not know"},
        {"(*UCP)a", "nothing to repeat"},
        {"a\\Kb", "does not know"},
        {"\\Qa\\E", "does not know"},
        {"\\p{Nonsense}", "no Unicode property"},
        {"\\p{Han}", "no Unicode property"}, /* a script needs `Script=`; PCRE2 would take it */
        {"\\p{Xan}", "no Unicode property"},
        {"\\p{ascii}", "no Unicode property"},
        {"\\p{Script=Nonsense}", "cannot be used"},
        {"(?<1>a)", "group name"},
        {"(?<=a+)b", "the pattern cannot be used"}, /* why, PCRE2 says in words of its version */
        {"(?<=\\1(a))b", "within a look-behind at character"},
        {"^(?:(a)|b)*\\1$", "a turn of a repeat may leave out"},
        {"^(?:(a)|b\\1)*$", "a turn of a repeat may leave out"},
        {"^(?:(a)?b\\1)*$", "a turn of a repeat may leave out"},
        {"^(?:(?!(a))b\\1|a)+$", "a turn of a repeat may leave out"},
        {"^(a?)*\\1b$", "a turn of a repeat may leave out"},
        {"\\p{}", "no Unicode property"},
        {"\\pL", "no Unicode property"},
        {"\\p{gc=Nonsense}", "no Unicode property"},
    };
    for (size_t i = 0; i < WRIT_COUNT(bad); i++) {
        struct writ_error error = {0};
        struct writ_pattern *pattern = NULL;
        int result = writ_pattern_compile(bad[i].pattern, strlen(bad[i].pattern), &pattern, &error);
        if (bad[i].says ? result != WRIT_SCHEMA_INVALID || !strstr(error.message, bad[i].says) : result != 0)
            fail_msg("%s: %d: %s", bad[i].pattern, result, error.message);
        writ_pattern_free(pattern);
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    struct writ_error error;
    struct writ_pattern *pattern = NULL;
    char text[WRIT_PATTERN_BYTES_MAX + 2];
    memset(text, 'a', sizeof(text));
    assert_int_equal(writ_pattern_compile(text, WRIT_PATTERN_BYTES_MAX, &pattern, &error), 0);
    assert_int_equal(writ_pattern_match(pattern, text, WRIT_PATTERN_BYTES_MAX), WRIT_PATTERN_FOUND);
    assert_int_equal(writ_pattern_match(pattern, text, WRIT_PATTERN_BYTES_MAX - 1), WRIT_PATTERN_ABSENT);
    writ_pattern_free(pattern);
    assert_int_equal(writ_pattern_compile(text, WRIT_PATTERN_BYTES_MAX + 1, &pattern, &error), WRIT_SCHEMA_INVALID);
    memset(text, '(', sizeof(text));
    assert_int_equal(writ_pattern_compile(text, 200, &pattern, &error), WRIT_SCHEMA_INVALID);
    static const char *const large[] = {"((((a{1000}){1000}){1000}){1000})", "((((){65535}){65535}){65535}){65535}",
                                        "(a|b)*a(a|b){20}", "^[^x]{5000}$", "[\\w\\W]{500}[\\s\\S]{500}"};
    for (size_t i = 0; i < WRIT_COUNT(large); i++) {
        /* Refused or compiled, but soon: the work of each is counted. */
        if (writ_pattern_compile(large[i], strlen(large[i]), &pattern, &error) == 0)
            writ_pattern_free(pattern);
        else
            assert_int_equal(error.code, WRIT_SCHEMA_INVALID);
    }
    enum writ_pattern_engine engine;
    /* A search of a long text does not cost its square: the steps of all starts together are bounded. */
    static char long_text[100001];
    for (size_t i = 0; i < sizeof(long_text) - 1; i++)
        long_text[i] = i % 2 ? ' ' : 'a';
    assert_int_equal(match("(a).*\\1[xy]", long_text, &engine), WRIT_PATTERN_TOO_COSTLY);
    assert_int_equal(match("(?=a)[^x]*?y", long_text, &engine), WRIT_PATTERN_ABSENT); /* `y` is nowhere */
    assert_int_equal(match("(?=a)[^x]*?[xy]", long_text, &engine), WRIT_PATTERN_TOO_COSTLY);
    assert_int_equal(match("\\ba [^a]", long_text, &engine), WRIT_PATTERN_ABSENT);
    assert_int_equal(match("^(a|aa)+\\1$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", &engine),
                     WRIT_PATTERN_TOO_COSTLY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engines_agree),
        cmocka_unit_test(the_engines_agree_on_random_patterns),
        cmocka_unit_test(what_no_automaton_can_do_runs_on_pcre),
        cmocka_unit_test(long_texts_fit),
        cmocka_unit_test(simple_patterns_run_on_the_fastest_engine),
        cmocka_unit_test(bad_patterns_are_refused_with_their_place),
        cmocka_unit_test(bounds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
