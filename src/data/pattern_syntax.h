/*
 * The tree of a parsed pattern: private to pattern*.c.
 */
#ifndef WRIT_DATA_PATTERN_SYNTAX_H
#define WRIT_DATA_PATTERN_SYNTAX_H

#include "base/arena.h"
#include "data/pattern.h"

#define PATTERN_REPEAT_MAX 65535u
#define PATTERN_UNBOUNDED UINT32_MAX
#define PATTERN_CODE_POINT_MAX 0x10FFFFu

enum pattern_kind {
    PATTERN_EMPTY,
    PATTERN_SET,    /* one code point of `set` */
    PATTERN_CAT,    /* children one after another */
    PATTERN_OR,     /* one of the children */
    PATTERN_REPEAT, /* the child, min to max times */
    PATTERN_CAPTURE,
    PATTERN_START,
    PATTERN_END,
    /* from here on no automaton can help */
    PATTERN_EDGE,    /* \b, \B when negated */
    PATTERN_LOOK,    /* (?=) (?!) (?<=) (?<!) */
    PATTERN_BACKREF, /* `number` */
};

struct pattern_range {
    uint32_t first, last;
};

/* Code points: sorted, disjoint ranges without surrogates; with properties the whole set may still be negated. */
struct pattern_set {
    const struct pattern_range *ranges;
    size_t count;
    const char *properties; /* PCRE2 text such as `\p{L}\P{Nd}`, or NULL */
    bool negated;
};

struct pattern_node {
    enum pattern_kind kind;
    bool negated, behind, lazy;
    uint32_t min, max, number;
    struct pattern_node *parent;
    struct pattern_node *child, *last;    /* first and (sequences) last child */
    struct pattern_node *next, *previous; /* siblings; previous in sequences only */
    struct pattern_set set;
};

struct pattern_syntax {
    struct pattern_node *root;
    bool irregular; /* holds a node or set that no automaton can run */
};

/* The tree lives in `arena`.  Errors as writ_pattern_compile. */
int writ_pattern_parse(struct writ_arena *arena, const char *source, size_t length, struct pattern_syntax *ret_syntax,
                       struct writ_error *error) WRIT_MUST_USE;

/* False when a reference to a group before it could mean one thing to ECMA-262 and another to PCRE2. */
bool writ_pattern_reference_is_plain(const struct pattern_node *reference, const struct pattern_node *group) WRIT_PURE;

/* PCRE2's name for an ECMA-262 property expression (`Letter`, `Script=Greek`), or NULL when it is none. */
const char *writ_pattern_property(struct writ_arena *arena, const char *name, size_t length) WRIT_MUST_USE;

/* Fills the automaton fields of `pattern`; `*ret_built` stays false when the pattern needs PCRE2. Only memory can fail.
 */
int writ_pattern_build_automaton(const struct pattern_syntax *syntax, struct writ_pattern *pattern, bool *ret_built,
                                 struct writ_error *error) WRIT_MUST_USE;
int writ_pattern_build_pcre(const struct pattern_syntax *syntax, struct writ_pattern *pattern,
                            struct writ_error *error) WRIT_MUST_USE;
/* As writ_pattern_search_counted. */
enum writ_pattern_verdict writ_pattern_search_pcre(const struct writ_pattern *pattern, const char *text, size_t length,
                                                   int64_t *steps);
void writ_pattern_free_pcre(struct writ_pattern *pattern);

#endif
