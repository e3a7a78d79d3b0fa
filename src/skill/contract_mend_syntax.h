/* The mend of what is no YAML, inside src/skill only. */
#ifndef WRIT_SKILL_CONTRACT_MEND_SYNTAX_H
#define WRIT_SKILL_CONTRACT_MEND_SYNTAX_H

#include "base/arena.h"
#include "skill/fix.h"

/* The mend of a document that is no YAML: quotation marks around what a person meant as text.  NULL when there is none,
 * or no memory for it, which sets `ret_out_of_memory`. */
const struct writ_fix *contract_mend_syntax(const char *bytes, size_t length, unsigned line, unsigned column,
                                            struct writ_arena *arena, bool *ret_out_of_memory);

#endif
