#include "data/pattern.h"

#include "data/pattern_syntax.h"

#include <stdlib.h>

#define SYNTAX_BYTES_MAX ((size_t)16 << 20)

int writ_pattern_compile(const char *source, size_t length, struct writ_pattern **ret_pattern, struct writ_error *error)
{
    if (length > WRIT_PATTERN_BYTES_MAX)
        return writ_error_set(error, WRIT_SCHEMA_INVALID,
                              "the pattern is %zu bytes long, more than %d: make it shorter", length,
                              WRIT_PATTERN_BYTES_MAX);
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, SYNTAX_BYTES_MAX);
    struct pattern_syntax syntax;
    int result = writ_pattern_parse(&arena, source, length, &syntax, error);
    if (result)
        return result;
    struct writ_pattern *pattern = calloc(1, sizeof(*pattern));
    if (!pattern)
        return writ_error_memory(error);
    bool built = false;
    result = writ_pattern_build_automaton(&syntax, pattern, &built, error);
    if (!result && !built)
        result = writ_pattern_build_pcre(&syntax, pattern, error);
    if (result) {
        writ_pattern_free(pattern);
        return result;
    }
    *ret_pattern = pattern;
    return 0;
}

/* The tables were allocated by us and only their readers see them as constant. */
static void free_table(const void *table)
{
    free((void *)(uintptr_t)table);
}

void writ_pattern_free(struct writ_pattern *pattern)
{
    if (!pattern)
        return;
    free_table(pattern->rows);
    free_table(pattern->next);
    writ_pattern_free_pcre(pattern);
    free(pattern);
}

static enum writ_pattern_verdict search_shift(const struct writ_pattern *pattern, const char *text, size_t length)
{
    uint64_t state = pattern->start;
    while (length > 0 && !((pattern->sinks >> (state & 63)) & 1)) {
        size_t piece = length < WRIT_PATTERN_PIECE_BYTES ? length : WRIT_PATTERN_PIECE_BYTES;
        for (size_t i = 0; i < piece; i++)
            state = pattern->rows[(uint8_t)text[i]] >> (state & 63);
        text += piece;
        length -= piece;
    }
    return (pattern->accept >> (state & 63)) & 1 ? WRIT_PATTERN_FOUND : WRIT_PATTERN_ABSENT;
}

static enum writ_pattern_verdict search_automaton(const struct writ_pattern *pattern, const char *text, size_t length)
{
    size_t state = pattern->first_state;
    /* States 0 and 1 are never left. */
    for (size_t i = 0; i < length && state > 1; i++)
        state = pattern->next[state * 256 + (uint8_t)text[i]];
    return pattern->accepts[state] ? WRIT_PATTERN_FOUND : WRIT_PATTERN_ABSENT;
}

enum writ_pattern_verdict writ_pattern_search(const struct writ_pattern *pattern, const char *text, size_t length)
{
    if (pattern->engine == WRIT_PATTERN_SHIFT)
        return search_shift(pattern, text, length);
    if (pattern->engine == WRIT_PATTERN_AUTOMATON)
        return search_automaton(pattern, text, length);
    int64_t steps = INT64_MAX;
    return writ_pattern_search_pcre(pattern, text, length, &steps);
}

enum writ_pattern_verdict writ_pattern_search_counted(const struct writ_pattern *pattern, const char *text,
                                                      size_t length, int64_t *steps)
{
    if (pattern->engine == WRIT_PATTERN_PCRE)
        return writ_pattern_search_pcre(pattern, text, length, steps);
    *steps -= (int64_t)(length / 64);
    return writ_pattern_search(pattern, text, length);
}
