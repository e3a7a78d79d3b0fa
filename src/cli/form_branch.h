/*
 * The schemas of a `oneOf` or `anyOf` as things to choose from.
 */
#ifndef WRIT_CLI_FORM_BRANCH_H
#define WRIT_CLI_FORM_BRANCH_H

#include "cli/form_question.h"

#define CLI_BRANCHES_MAX 64

struct cli_branches {
    const struct writ_json *nodes[CLI_BRANCHES_MAX];
    struct cli_choice choices[CLI_BRANCHES_MAX + 1]; /* room for one more; `value` is the branch's `const` */
    size_t count;
    bool by_number;    /* no name looks like a number */
    bool all_constant; /* every branch is one value */
    bool has_null;     /* null, which is not among them, is one too */
};

/* `list` has at most CLI_BRANCHES_MAX schemas.  Names live in `arena`; false: no memory. */
bool cli_branches_collect(const struct writ_json *root, const struct writ_json *list, struct writ_arena *arena,
                          struct cli_branches *ret_branches) WRIT_MUST_USE;

#endif
