/*
 * Back references where ECMA-262 and PCRE2 part ways.
 *
 * In ECMA-262 each turn of a repeat forgets what the groups within it took, and an optional turn that would take
 * nothing is not made; PCRE2 remembers the last turn that took something, and makes the empty one.  A reference means
 * the same to both when its group has certainly taken part since the turn began, so that only such ones are let
 * through: a wrong answer would be worse than a refusal.  (A reference that stands before the end of its group is
 * always empty in ECMA-262; the parser makes nothing of it.)
 */
#include "data/pattern_syntax.h"

/* May the node match without taking a character?  Yes when in doubt. */
static bool can_be_empty(const struct pattern_node *node)
{
    switch (node->kind) {
    case PATTERN_SET:
        return false;
    case PATTERN_CAT:
        for (const struct pattern_node *child = node->child; child; child = child->next) {
            if (!can_be_empty(child))
                return false;
        }
        return true;
    case PATTERN_OR:
        for (const struct pattern_node *child = node->child; child; child = child->next) {
            if (can_be_empty(child))
                return true;
        }
        return false;
    case PATTERN_REPEAT:
        return node->min == 0 || can_be_empty(node->child);
    case PATTERN_CAPTURE:
        return can_be_empty(node->child);
    default:
        return true;
    }
}

static unsigned depth_of(const struct pattern_node *node)
{
    unsigned depth = 0;
    for (; node->parent; node = node->parent)
        depth++;
    return depth;
}

static const struct pattern_node *common_ancestor(const struct pattern_node *a, const struct pattern_node *b)
{
    unsigned depth_a = depth_of(a), depth_b = depth_of(b);
    for (; depth_a > depth_b; depth_a--)
        a = a->parent;
    for (; depth_b > depth_a; depth_b--)
        b = b->parent;
    for (; a != b; a = a->parent)
        b = b->parent;
    return a;
}

bool writ_pattern_reference_is_plain(const struct pattern_node *reference, const struct pattern_node *group)
{
    const struct pattern_node *common = common_ancestor(reference, group);
    /* Of alternatives one is taken: the group in one of them says nothing in another. */
    bool certain = common->kind != PATTERN_OR;
    for (const struct pattern_node *at = group->parent; at != common; at = at->parent) {
        bool repeats = at->kind == PATTERN_REPEAT && at->max > 1;
        if (repeats && (!certain || (at->max > at->min && can_be_empty(at->child))))
            return false;
        certain &= at->kind != PATTERN_OR && !(at->kind == PATTERN_REPEAT && at->min == 0) &&
                   !(at->kind == PATTERN_LOOK && at->negated);
    }
    for (const struct pattern_node *at = common; at && !certain; at = at->parent) {
        if (at->kind == PATTERN_REPEAT && at->max > 1)
            return false;
    }
    return true;
}
