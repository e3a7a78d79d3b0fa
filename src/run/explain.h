/*
 * The plan of a call, printed (`writ run --explain`): for people as text, for programs as JSON.
 */
#ifndef WRIT_RUN_EXPLAIN_H
#define WRIT_RUN_EXPLAIN_H

#include "data/json.h"
#include "run/prepared.h"

void writ_explain_text(struct writ_buffer *out, const struct writ_prepared *prepared);
void writ_explain_json(struct writ_json_writer *writer, const struct writ_prepared *prepared);

#endif
