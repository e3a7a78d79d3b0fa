/*
 * The nondeterministic automaton of a pattern over UTF-8 bytes: private to pattern*.c.
 */
#ifndef WRIT_DATA_PATTERN_NFA_H
#define WRIT_DATA_PATTERN_NFA_H

#include "data/pattern_syntax.h"

#define NFA_STATES_MAX 2048
#define NFA_MATCH_STATE 1 /* the one of kind NFA_MATCH */

enum nfa_kind { NFA_BYTE, NFA_SPLIT, NFA_START, NFA_END, NFA_MATCH };

struct nfa_state {
    uint8_t kind, first, last; /* NFA_BYTE: the bytes it takes */
    uint16_t out, other;       /* NFA_SPLIT has two ways */
};

struct nfa {
    struct nfa_state states[NFA_STATES_MAX];
    uint16_t count, start;
    bool overflow; /* more states than allowed: the automaton is not to be used */
};

void writ_pattern_build_nfa(const struct pattern_syntax *syntax, struct nfa *ret_nfa);

#endif
