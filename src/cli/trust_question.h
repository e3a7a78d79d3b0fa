/*
 * The question whether a project's skill may be used, before its first run at a terminal (interfaces "Trust before
 * there are signatures").
 */
#ifndef WRIT_CLI_TRUST_QUESTION_H
#define WRIT_CLI_TRUST_QUESTION_H

#include "cli/command.h"

/* True when nothing but that question stands between the skill and its use. */
bool cli_trust_is_the_question(const struct writ_skill *skill) WRIT_PURE;

/* Shows where the skill lies and what it may touch, and trusts its folder when the person says so.  stdin and stderr
 * must be terminals.  Errors: SKILL_UNTRUSTED when they do not; INTERRUPTED when they leave; of writ_trust_change. */
int cli_ask_trust(const struct cli_context *context, const struct writ_skill *skill,
                  struct writ_error *error) WRIT_MUST_USE;

#endif
