/* What libyaml's parser refuses, said as one sentence with the mend.  Private to src/data. */
#ifndef WRIT_DATA_YAML_EXPLAIN_H
#define WRIT_DATA_YAML_EXPLAIN_H

#include "base/error.h"

#include <yaml.h>

/* `parser` has just failed on `text`; `parser->error` is no memory error.  Fills the sentence (no place) and returns
 * the mark that it is about. */
yaml_mark_t yaml_explain_failure(const yaml_parser_t *parser, const char *text, size_t length,
                                 struct writ_error *error);

/* Byte offset of a mark; libyaml counts characters. */
size_t yaml_mark_offset(const yaml_mark_t *mark, const char *text, size_t length);

#endif
