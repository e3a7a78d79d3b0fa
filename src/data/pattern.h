/*
 * Regular expressions of JSON Schema: ECMA-262 syntax, `u` semantics, a yes or no for "does it occur in this text".
 *
 * Theory.  A pattern is parsed once into a tree.  When the tree needs nothing but what a finite automaton can do (sets,
 * groups, alternatives, repeats, `^`, `$`), a minimal deterministic automaton over UTF-8 bytes is built: matching is
 * then one table load a byte, in time linear in the text whatever the pattern is, so that ^(a|aa)+$ is harmless.  An
 * automaton of at most ten states packs the next state of all states into one 64-bit row a byte: a step is a load that
 * does not depend on the state and a shift.  Everything else (look-around, back references, \b, \p{...}, or an
 * automaton that grows too large) is translated to PCRE2 syntax, never handed over as it is, and runs under a match
 * limit.
 *
 * Accepted beyond the strict `u` grammar, because schemas in the wild have them: escaped punctuation that needs no
 * escape (`\-`, `\@`), a `{`, `}` or `]` that stands for itself.
 *
 * Refused though ECMA-262 has it, because PCRE2 cannot do the same: look-behind of no fixed length (each alternative
 * may have its own), references within look-behind, and references to a group that a turn of a repeat may leave out.
 *
 * Bounds: pattern 4096 bytes, groups nested 64 deep, repeats up to 65535, automaton 128 states; PCRE2 steps back at
 * most 200,000 times from one start of a match, and 50,000,000 times from all starts together. Matching allocates
 * nothing (on PCRE2, for a text of thousands of characters, a stack of at most 4 MiB may be mapped). Threads: a
 * compiled pattern is immutable and may be shared.
 */
#ifndef WRIT_DATA_PATTERN_H
#define WRIT_DATA_PATTERN_H

#include "base/error.h"

#include <stdbool.h>

#define WRIT_PATTERN_BYTES_MAX 4096

enum writ_pattern_verdict {
    WRIT_PATTERN_ABSENT,
    WRIT_PATTERN_FOUND,
    WRIT_PATTERN_TOO_COSTLY, /* a limit was reached: only patterns that no automaton can run */
};

enum writ_pattern_engine {
    WRIT_PATTERN_SHIFT,     /* automaton of at most ten states, `rows` */
    WRIT_PATTERN_AUTOMATON, /* automaton, `next` */
    WRIT_PATTERN_PCRE,
};

/* Readable only so that the commonest match can be inlined. */
struct writ_pattern {
    enum writ_pattern_engine engine;
    uint64_t start, accept, sinks; /* shift engine: first state's offset, bit sets by offset */
    const uint64_t *rows;          /* shift engine: [256] */
    const uint8_t *next;           /* automaton: [state][256]; state 0 refuses all, state 1 accepts all */
    const uint8_t *accepts;        /* automaton: [state] */
    uint8_t first_state;
    void *code;    /* pcre2_code */
    bool anchored; /* PCRE2: a match can only begin where the text does */
};

/* Errors: SCHEMA_INVALID with what is wrong and where; INTERNAL_MEMORY. */
int writ_pattern_compile(const char *source, size_t length, struct writ_pattern **ret_pattern,
                         struct writ_error *error) WRIT_MUST_USE;
void writ_pattern_free(struct writ_pattern *pattern);

/* The engines for longer texts and patterns.  `text` must be valid UTF-8. */
enum writ_pattern_verdict writ_pattern_search(const struct writ_pattern *pattern, const char *text, size_t length);
/* The same for callers that bound the sum of many searches: takes from `*steps` what this one may have cost, in steps
 * of some nanoseconds; TOO_COSTLY also when it would take more than is left. */
enum writ_pattern_verdict writ_pattern_search_counted(const struct writ_pattern *pattern, const char *text,
                                                      size_t length, int64_t *steps);

/* Texts longer than this are looked at in pieces, so that a sink state ends the search early. */
#define WRIT_PATTERN_PIECE_BYTES 32

static inline enum writ_pattern_verdict writ_pattern_match(const struct writ_pattern *pattern, const char *text,
                                                           size_t length)
{
    if (pattern->engine != WRIT_PATTERN_SHIFT || length > WRIT_PATTERN_PIECE_BYTES)
        return writ_pattern_search(pattern, text, length);
    uint64_t state = pattern->start;
    for (size_t i = 0; i < length; i++)
        state = pattern->rows[(uint8_t)text[i]] >> (state & 63);
    return (pattern->accept >> (state & 63)) & 1 ? WRIT_PATTERN_FOUND : WRIT_PATTERN_ABSENT;
}

#endif
