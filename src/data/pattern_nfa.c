/*
 * Theory.  Each part of the tree is built with the state that follows it already known, so the automaton grows from its
 * end to its start and nothing is patched afterwards but loops.  A range of code points becomes sequences of byte
 * ranges (a range of UTF-8 encodings of one length whose trailing bytes run over their whole range is one sequence).
 */
#include "data/pattern_nfa.h"

static uint16_t add_state(struct nfa *nfa, struct nfa_state state)
{
    if (nfa->count >= NFA_STATES_MAX) {
        nfa->overflow = true;
        return 0;
    }
    nfa->states[nfa->count] = state;
    return nfa->count++;
}

static uint16_t add_split(struct nfa *nfa, uint16_t out, uint16_t other)
{
    return add_state(nfa, (struct nfa_state){.kind = NFA_SPLIT, .out = out, .other = other});
}

static unsigned encode(uint32_t point, uint8_t bytes[4])
{
    if (point < 0x80) {
        bytes[0] = (uint8_t)point;
        return 1;
    }
    unsigned length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (unsigned i = length; i-- > 1; point >>= 6)
        bytes[i] = (uint8_t)(0x80 | (point & 0x3F));
    bytes[0] = (uint8_t)(point | (0xF00u >> length & 0xFF));
    return length;
}

/* One more way beside `others` (0 when there is none yet). */
static uint16_t add_sequence(struct nfa *nfa, uint32_t first, uint32_t last, uint16_t next, uint16_t others)
{
    uint8_t low[4], high[4];
    unsigned length = encode(first, low);
    (void)encode(last, high);
    for (unsigned i = length; i-- > 0;)
        next = add_state(nfa, (struct nfa_state){.kind = NFA_BYTE, .first = low[i], .last = high[i], .out = next});
    return others ? add_split(nfa, next, others) : next;
}

/* Cuts the range where encodings change length or a trailing byte would not run over its whole range. */
static uint16_t build_range(struct nfa *nfa, uint32_t first, uint32_t last, uint16_t next, uint16_t others)
{
    while (!nfa->overflow) {
        uint32_t end = last;
        static const uint32_t lengths[] = {0x7F, 0x7FF, 0xFFFF};
        for (size_t i = 0; i < WRIT_COUNT(lengths); i++) {
            if (first <= lengths[i] && end > lengths[i])
                end = lengths[i];
        }
        for (unsigned bits = 6; bits <= 18 && end >= 0x80; bits += 6) {
            uint32_t mask = (1u << bits) - 1;
            if ((first & ~mask) == (end & ~mask))
                break;
            if (first & mask)
                end = first | mask;
            else if ((end & mask) != mask)
                end = (end & ~mask) - 1;
        }
        others = add_sequence(nfa, first, end, next, others);
        if (end >= last)
            break;
        first = end + 1;
    }
    return others;
}

static uint16_t build_set(struct nfa *nfa, const struct pattern_set *set, uint16_t next)
{
    uint16_t start = 0;
    for (size_t i = 0; i < set->count; i++)
        start = build_range(nfa, set->ranges[i].first, set->ranges[i].last, next, start);
    /* The empty set: a way that no byte takes. */
    return start ? start : add_state(nfa, (struct nfa_state){.kind = NFA_BYTE, .first = 1, .last = 0});
}

static uint16_t build_node(struct nfa *nfa, const struct pattern_node *node, uint16_t next);

/* From the last child to the first. */
static uint16_t build_sequence(struct nfa *nfa, const struct pattern_node *node, uint16_t next)
{
    for (const struct pattern_node *child = node->last; child && !nfa->overflow; child = child->previous)
        next = build_node(nfa, child, next);
    return next;
}

static uint16_t build_repeat(struct nfa *nfa, const struct pattern_node *node, uint16_t next)
{
    uint16_t at = next;
    if (node->max == PATTERN_UNBOUNDED) {
        uint16_t loop = add_split(nfa, 0, next);
        uint16_t body = build_node(nfa, node->child, loop);
        nfa->states[loop].out = body;
        at = loop;
    } else {
        for (uint32_t i = node->min; i < node->max && !nfa->overflow; i++)
            at = add_split(nfa, build_node(nfa, node->child, at), next);
    }
    for (uint32_t i = 0; i < node->min && !nfa->overflow; i++) {
        uint16_t before = at;
        at = build_node(nfa, node->child, at);
        if (at == before) /* the child is empty: so are its repeats, however many */
            break;
    }
    return at;
}

static uint16_t build_node(struct nfa *nfa, const struct pattern_node *node, uint16_t next)
{
    if (nfa->overflow)
        return 0;
    switch (node->kind) {
    case PATTERN_SET:
        return build_set(nfa, &node->set, next);
    case PATTERN_CAT:
        return build_sequence(nfa, node, next);
    case PATTERN_OR: {
        uint16_t start = 0;
        for (const struct pattern_node *child = node->child; child; child = child->next) {
            uint16_t branch = build_node(nfa, child, next);
            start = start ? add_split(nfa, branch, start) : branch;
        }
        return start;
    }
    case PATTERN_REPEAT:
        return build_repeat(nfa, node, next);
    case PATTERN_CAPTURE:
        return build_node(nfa, node->child, next);
    case PATTERN_START:
        return add_state(nfa, (struct nfa_state){.kind = NFA_START, .out = next});
    case PATTERN_END:
        return add_state(nfa, (struct nfa_state){.kind = NFA_END, .out = next});
    case PATTERN_EMPTY:
    case PATTERN_EDGE:
    case PATTERN_LOOK:
    case PATTERN_BACKREF:
        break;
    }
    return next;
}

void writ_pattern_build_nfa(const struct pattern_syntax *syntax, struct nfa *ret_nfa)
{
    ret_nfa->count = 0;
    ret_nfa->overflow = false;
    /* State 0 stands for "none", so that no real state has that number. */
    (void)add_state(ret_nfa, (struct nfa_state){.kind = NFA_BYTE, .first = 1, .last = 0});
    (void)add_state(ret_nfa, (struct nfa_state){.kind = NFA_MATCH});
    ret_nfa->start = build_node(ret_nfa, syntax->root, NFA_MATCH_STATE);
}
