/*
 * The deterministic automaton of a pattern.
 *
 * Theory.  States are sets of NFA states (bitsets), found from the start by the classic subset construction over
 * classes of bytes that no NFA edge tells apart.  The search is unanchored: the start is added again at each byte,
 * where `^` no longer holds.  An NFA state behind `$` stays in the set as a promise that is looked at when the text
 * ends.  A set that holds the match needs nothing more, so it becomes the one state that accepts all (1); the empty set
 * refuses all (0). Then equal states are merged (Moore), for the small engine holds ten; where more than ten remain
 * apart, nothing is gained by it and it is given up.
 */
#include "data/pattern_nfa.h"

#include <string.h>

#define DFA_STATES_MAX 128
#define SHIFT_STATES_MAX 10
#define SET_WORDS (NFA_STATES_MAX / 64)
#define STATE_REFUSE 0
#define STATE_ACCEPT 1
/* Work allowed for one pattern: beyond it PCRE2 takes over. */
#define BUILD_STEPS_MAX 2000000u

struct nfa_set {
    uint64_t words[SET_WORDS];
};

struct builder {
    struct nfa nfa;
    size_t words;         /* of each set that are used */
    uint8_t columns[256]; /* the first byte of each class of bytes that no edge tells apart */
    unsigned column_count;
    struct nfa_set sets[DFA_STATES_MAX];
    uint64_t hashes[DFA_STATES_MAX];
    uint8_t next[DFA_STATES_MAX][256];
    bool accepts[DFA_STATES_MAX];
    unsigned count;
    uint32_t steps;
    bool too_large;
    uint16_t stack[NFA_STATES_MAX * 2];
};

/* Adds what is reachable without a byte.  `seen` keeps the walk finite; only states that wait for something are kept.
 */
static void close_over(struct builder *builder, uint16_t from, bool at_start, bool at_end, struct nfa_set *seen,
                       struct nfa_set *set)
{
    size_t depth = 0;
    builder->stack[depth++] = from;
    while (depth > 0) {
        uint16_t id = builder->stack[--depth];
        uint64_t bit = (uint64_t)1 << (id % 64);
        if (seen->words[id / 64] & bit)
            continue;
        seen->words[id / 64] |= bit;
        builder->steps++;
        const struct nfa_state *state = &builder->nfa.states[id];
        switch ((enum nfa_kind)state->kind) {
        case NFA_SPLIT:
            builder->stack[depth++] = state->other;
            builder->stack[depth++] = state->out;
            break;
        case NFA_START:
            if (at_start)
                builder->stack[depth++] = state->out;
            break;
        case NFA_END:
            if (at_end)
                builder->stack[depth++] = state->out;
            else
                set->words[id / 64] |= bit;
            break;
        case NFA_BYTE:
        case NFA_MATCH:
            set->words[id / 64] |= bit;
            break;
        }
    }
}

static bool holds_match(const struct nfa_set *set)
{
    return set->words[NFA_MATCH_STATE / 64] >> (NFA_MATCH_STATE % 64) & 1;
}

/* Would the text match if it ended here? */
static bool accepts_at_end(struct builder *builder, const struct nfa_set *set, bool at_start)
{
    struct nfa_set seen = {0}, reached = {0};
    for (size_t word = 0; word < builder->words; word++) {
        for (uint64_t bits = set->words[word]; bits; bits &= bits - 1) {
            uint16_t id = (uint16_t)(word * 64 + (size_t)__builtin_ctzll(bits));
            builder->steps++;
            if (builder->nfa.states[id].kind == NFA_END)
                close_over(builder, id, at_start, true, &seen, &reached);
        }
    }
    return holds_match(&reached);
}

/* 0 for the empty set alone. */
static uint64_t hash_of(const struct builder *builder, const struct nfa_set *set)
{
    uint64_t hash = 0, any = 0;
    for (size_t word = 0; word < builder->words; word++) {
        hash = (hash ^ set->words[word]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
        any |= set->words[word];
    }
    return any ? hash | 1 : 0;
}

/* The state of this set; `first` keeps the very first state apart, for there `^` still holds. */
static uint8_t intern(struct builder *builder, const struct nfa_set *set, bool first)
{
    if (holds_match(set))
        return STATE_ACCEPT;
    uint64_t hash = hash_of(builder, set);
    if (!first) {
        if (hash == 0)
            return STATE_REFUSE;
        builder->steps += builder->count / 4;
        for (unsigned i = 3; i < builder->count; i++) {
            if (builder->hashes[i] == hash &&
                memcmp(&builder->sets[i], set, builder->words * sizeof(set->words[0])) == 0)
                return (uint8_t)i;
        }
    }
    if (builder->count == DFA_STATES_MAX) {
        builder->too_large = true;
        return STATE_REFUSE;
    }
    builder->sets[builder->count] = *set;
    builder->hashes[builder->count] = hash;
    builder->accepts[builder->count] = accepts_at_end(builder, set, first);
    return (uint8_t)builder->count++;
}

static uint8_t step(struct builder *builder, const struct nfa_set *set, unsigned byte)
{
    struct nfa_set seen = {0}, reached = {0};
    for (size_t word = 0; word < builder->words; word++) {
        for (uint64_t bits = set->words[word]; bits; bits &= bits - 1) {
            const struct nfa_state *state = &builder->nfa.states[word * 64 + (size_t)__builtin_ctzll(bits)];
            builder->steps++;
            if (state->kind == NFA_BYTE && byte >= state->first && byte <= state->last)
                close_over(builder, state->out, false, false, &seen, &reached);
        }
    }
    close_over(builder, builder->nfa.start, false, false, &seen, &reached);
    return intern(builder, &reached, false);
}

/* A class begins at the bytes at which some edge begins, or just after it ends: those between behave alike. */
static void find_byte_classes(struct builder *builder)
{
    const struct nfa *nfa = &builder->nfa;
    bool starts[257] = {true};
    for (uint16_t i = 0; i < nfa->count; i++) {
        if (nfa->states[i].kind == NFA_BYTE && nfa->states[i].first <= nfa->states[i].last) {
            starts[nfa->states[i].first] = true;
            starts[nfa->states[i].last + 1] = true;
        }
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        if (starts[byte])
            builder->columns[builder->column_count++] = (uint8_t)byte;
    }
}

static void fill_row(struct builder *builder, unsigned state)
{
    uint8_t *row = builder->next[state];
    for (unsigned c = 0; c < builder->column_count && !builder->too_large; c++) {
        unsigned byte = builder->columns[c], end = c + 1 < builder->column_count ? builder->columns[c + 1] : 256;
        memset(row + byte, step(builder, &builder->sets[state], byte), end - byte);
        builder->too_large |= builder->steps > BUILD_STEPS_MAX;
    }
}

static void determine(struct builder *builder, uint8_t *ret_first)
{
    builder->words = (size_t)builder->nfa.count / 64 + 1;
    find_byte_classes(builder);
    for (unsigned byte = 0; byte < 256; byte++) {
        builder->next[STATE_REFUSE][byte] = STATE_REFUSE;
        builder->next[STATE_ACCEPT][byte] = STATE_ACCEPT;
    }
    builder->accepts[STATE_ACCEPT] = true;
    builder->count = 2;
    struct nfa_set seen = {0}, set = {0};
    close_over(builder, builder->nfa.start, true, false, &seen, &set);
    *ret_first = intern(builder, &set, true);
    for (unsigned i = 2; i < builder->count && !builder->too_large; i++)
        fill_row(builder, i);
}

static bool leads_alike(const struct builder *builder, const uint8_t *class_of, unsigned a, unsigned b)
{
    for (unsigned c = 0; c < builder->column_count; c++) {
        unsigned byte = builder->columns[c];
        if (class_of[builder->next[a][byte]] != class_of[builder->next[b][byte]])
            return false;
    }
    return class_of[a] == class_of[b];
}

/* Merges states that no text tells apart; refuse and accept keep their numbers. */
static void minimise(struct builder *builder, uint8_t *first)
{
    uint8_t class_of[DFA_STATES_MAX] = {0}, refined[DFA_STATES_MAX], leader[SHIFT_STATES_MAX];
    unsigned classes = 2;
    for (unsigned i = 0; i < builder->count; i++)
        class_of[i] = builder->accepts[i];
    for (;;) {
        unsigned found = 0;
        for (unsigned i = 0; i < builder->count; i++) {
            unsigned k = 0;
            while (k < found && !leads_alike(builder, class_of, leader[k], i))
                k++;
            if (k == SHIFT_STATES_MAX)
                return;
            if (k == found)
                leader[found++] = (uint8_t)i;
            refined[i] = (uint8_t)k;
        }
        memcpy(class_of, refined, builder->count);
        if (found == classes)
            break;
        classes = found;
    }
    /* A leader is the first of its class, so classes are numbered in the order of their leaders: 0 and 1 stay. */
    for (unsigned k = 0; k < classes; k++) {
        for (unsigned byte = 0; byte < 256; byte++)
            builder->next[k][byte] = class_of[builder->next[leader[k]][byte]];
        builder->accepts[k] = builder->accepts[leader[k]];
    }
    builder->count = classes;
    *first = class_of[*first];
}

static bool fill_shift(const struct builder *builder, struct writ_pattern *pattern)
{
    uint64_t *rows = calloc(256, sizeof(*rows));
    if (!rows)
        return false;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (unsigned i = 0; i < builder->count; i++)
            rows[byte] |= (uint64_t)builder->next[i][byte] * 6 << (i * 6);
    }
    for (unsigned i = 0; i < builder->count; i++)
        pattern->accept |= (uint64_t)builder->accepts[i] << (i * 6);
    pattern->sinks = (uint64_t)1 << (STATE_REFUSE * 6) | (uint64_t)1 << (STATE_ACCEPT * 6);
    pattern->start = (uint64_t)pattern->first_state * 6;
    pattern->rows = rows;
    pattern->engine = WRIT_PATTERN_SHIFT;
    return true;
}

static bool fill_table(const struct builder *builder, struct writ_pattern *pattern)
{
    uint8_t *next = malloc((size_t)builder->count * 257);
    if (!next)
        return false;
    uint8_t *accepts = next + (size_t)builder->count * 256;
    memcpy(next, builder->next, (size_t)builder->count * 256);
    for (unsigned i = 0; i < builder->count; i++)
        accepts[i] = builder->accepts[i];
    pattern->next = next;
    pattern->accepts = accepts;
    pattern->engine = WRIT_PATTERN_AUTOMATON;
    return true;
}

int writ_pattern_build_automaton(const struct pattern_syntax *syntax, struct writ_pattern *pattern, bool *ret_built,
                                 struct writ_error *error)
{
    *ret_built = false;
    if (syntax->irregular)
        return 0;
    struct builder *builder = calloc(1, sizeof(*builder));
    if (!builder)
        return writ_error_memory(error);
    bool filled = true;
    writ_pattern_build_nfa(syntax, &builder->nfa);
    if (!builder->nfa.overflow) {
        determine(builder, &pattern->first_state);
        if (!builder->too_large) {
            minimise(builder, &pattern->first_state);
            filled = builder->count <= SHIFT_STATES_MAX ? fill_shift(builder, pattern) : fill_table(builder, pattern);
            *ret_built = filled;
        }
    }
    free(builder);
    return filled ? 0 : writ_error_memory(error);
}
