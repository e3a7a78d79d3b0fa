/*
 * Building a set of code points for a pattern: private to pattern*.c.
 */
#ifndef WRIT_DATA_PATTERN_SET_H
#define WRIT_DATA_PATTERN_SET_H

#include "data/pattern_syntax.h"

struct set_builder {
    struct writ_arena *arena;
    struct pattern_range *ranges;
    size_t count, capacity;
    const char *properties;
    bool failed; /* memory ran out; told by set_finish */
};

void set_init(struct set_builder *set, struct writ_arena *arena);
void set_add(struct set_builder *set, uint32_t first, uint32_t last);
/* What \d \D \w \W \s \S mean in ECMA-262: ASCII digits and words, all of Unicode's white space. */
void set_add_shorthand(struct set_builder *set, char letter);
void set_add_property(struct set_builder *set, const char *name, bool negated);
/* Sorts, merges, negates, drops surrogates.  False when memory ran out. */
bool set_finish(struct set_builder *set, bool negated, struct pattern_set *ret_set) WRIT_MUST_USE;

#endif
