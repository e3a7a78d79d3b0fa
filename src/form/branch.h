/*
 * The schemas of a `oneOf` or `anyOf` as things to choose from.
 */
#ifndef WRIT_FORM_BRANCH_H
#define WRIT_FORM_BRANCH_H

#include "form/question.h"

#define WRIT_FORM_BRANCHES_MAX 64

struct writ_form_branches {
    const struct writ_json *nodes[WRIT_FORM_BRANCHES_MAX];
    struct writ_form_choice
        choices[WRIT_FORM_BRANCHES_MAX + 1]; /* room for one more; `value` is the branch's `const` */
    size_t count;
    bool by_number;    /* no name looks like a number */
    bool all_constant; /* every branch is one value */
    bool has_null;     /* null, which is not among them, is one too */
};

/* `list` has at most WRIT_FORM_BRANCHES_MAX schemas.  Names live in `arena`; false: no memory. */
bool writ_form_branches_collect(const struct writ_json *root, const struct writ_json *list, struct writ_arena *arena,
                                struct writ_form_branches *ret_branches) WRIT_MUST_USE;

#endif
