#include "data/pattern_set.h"

#include <string.h>

void set_init(struct set_builder *set, struct writ_arena *arena)
{
    *set = (struct set_builder){.arena = arena};
}

void set_add(struct set_builder *set, uint32_t first, uint32_t last)
{
    if (set->count == set->capacity) {
        size_t capacity = set->capacity ? set->capacity * 2 : 8;
        struct pattern_range *ranges = writ_arena_zalloc(set->arena, capacity, sizeof(*ranges));
        if (!ranges) {
            set->failed = true;
            return;
        }
        if (set->count)
            memcpy(ranges, set->ranges, set->count * sizeof(*ranges));
        set->ranges = ranges;
        set->capacity = capacity;
    }
    set->ranges[set->count++] = (struct pattern_range){first, last};
}

static const struct pattern_range digits[] = {{'0', '9'}};
static const struct pattern_range words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
static const struct pattern_range spaces[] = {{9, 13},          {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
                                              {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                              {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};

void set_add_shorthand(struct set_builder *set, char letter)
{
    const struct pattern_range *ranges = spaces;
    size_t count = WRIT_COUNT(spaces);
    if ((letter | 0x20) == 'd') {
        ranges = digits;
        count = WRIT_COUNT(digits);
    } else if ((letter | 0x20) == 'w') {
        ranges = words;
        count = WRIT_COUNT(words);
    }
    if (letter & 0x20) {
        for (size_t i = 0; i < count; i++)
            set_add(set, ranges[i].first, ranges[i].last);
        return;
    }
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].first > next)
            set_add(set, next, ranges[i].first - 1);
        next = ranges[i].last + 1;
    }
    set_add(set, next, PATTERN_CODE_POINT_MAX);
}

void set_add_property(struct set_builder *set, const char *name, bool negated)
{
    const char *more =
        writ_arena_printf(set->arena, "%s\\%c{%s}", set->properties ? set->properties : "", negated ? 'P' : 'p', name);
    if (more)
        set->properties = more;
    else
        set->failed = true;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct pattern_range *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Appends the part of [first, last] that is no surrogate: valid text never holds one. */
static size_t append_without_surrogates(struct pattern_range *ranges, size_t count, uint32_t first, uint32_t last)
{
    if (first < 0xD800)
        ranges[count++] = (struct pattern_range){first, last < 0xD800 ? last : 0xD7FF};
    if (last > 0xDFFF)
        ranges[count++] = (struct pattern_range){first > 0xDFFF ? first : 0xE000, last};
    return count;
}

bool set_finish(struct set_builder *set, bool negated, struct pattern_set *ret_set)
{
    struct pattern_range *ranges = writ_arena_zalloc(set->arena, set->count * 2 + 4, sizeof(*ranges));
    if (set->failed || !ranges)
        return false;
    if (set->count)
        qsort(set->ranges, set->count, sizeof(*set->ranges), compare_ranges);
    size_t merged = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (merged && set->ranges[i].first <= set->ranges[merged - 1].last + 1) {
            if (set->ranges[i].last > set->ranges[merged - 1].last)
                set->ranges[merged - 1].last = set->ranges[i].last;
        } else {
            set->ranges[merged++] = set->ranges[i];
        }
    }
    /* With properties the negation cannot be worked out here: PCRE2 does it. */
    bool complement = negated && !set->properties;
    size_t count = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < merged; i++) {
        if (!complement)
            count = append_without_surrogates(ranges, count, set->ranges[i].first, set->ranges[i].last);
        else if (set->ranges[i].first > next)
            count = append_without_surrogates(ranges, count, next, set->ranges[i].first - 1);
        next = set->ranges[i].last + 1;
    }
    if (complement && next <= PATTERN_CODE_POINT_MAX)
        count = append_without_surrogates(ranges, count, next, PATTERN_CODE_POINT_MAX);
    *ret_set = (struct pattern_set){ranges, count, set->properties, negated && set->properties};
    return true;
}
