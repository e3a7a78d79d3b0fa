/*
 * What the ending of a program means for its call: succeeded so far, failed with a class, or stopped by a limit that is
 * named with its value and the way to raise it.
 */
#ifndef WRIT_RUN_ENDING_H
#define WRIT_RUN_ENDING_H

#include "run/invoke.h"

/* 0 when the program ended by itself with exit status 0.  Else fills the outcome's error, limit, exit status and
 * signal, and its kind where nobody can tell how it ended.  Errors: PROGRAM_*, LIMIT_*, INTERRUPTED, ENDING_UNKNOWN. */
int writ_ending_judge(struct writ_outcome *outcome, const struct writ_run_result *run,
                      const struct writ_prepared *prepared) WRIT_MUST_USE;

#endif
