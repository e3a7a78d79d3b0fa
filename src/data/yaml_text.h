/* What the bytes of a YAML document must be before its grammar is asked.  Private to src/data. */
#ifndef WRIT_DATA_YAML_TEXT_H
#define WRIT_DATA_YAML_TEXT_H

#include "base/error.h"

/* UTF-8 (`text` stands behind the byte order mark) without raw control characters, and with no line end but LF and
 * CRLF: a lone CR, NEL, U+2028 and U+2029 end a line for libyaml and not for editors and reviewers, who would then read
 * another document.  Error: DATA_SYNTAX with line and column. */
int yaml_text_check(const char *text, size_t length, struct writ_error *error);

/* Gives a filled error the place of a byte: line and column, both 1-based, columns in bytes.  Returns its code. */
int yaml_text_place_error(const char *text, size_t offset, struct writ_error *error);

#endif
