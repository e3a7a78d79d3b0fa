/*
 * Flags made from a skill's input schema: `--file-path report.pdf` becomes {"file_path": "report.pdf"}.
 *
 * A flag's name is the property's with `-` for `_` (the property's own spelling works too); `--a.b` reaches into nested
 * objects; a repeated flag of an array property adds an element; a boolean property is a switch (`--x`, `--no-x`,
 * `--x=false`).  Values of string properties are taken as they are, of all others as JSON where they are JSON.
 */
#ifndef WRIT_CLI_RUN_FLAGS_H
#define WRIT_CLI_RUN_FLAGS_H

#include "base/buffer.h"
#include "base/error.h"
#include "cli/terminal.h"
#include "data/json.h"

/* Writes the object that the flags describe.  `base`, or NULL, is an object that they are put over.  Error: USAGE with
 * the nearest flag. */
int cli_run_flags_write(const struct writ_json *schema, const struct writ_json *base, const char *const *flags,
                        size_t count, struct writ_buffer *out, struct writ_error *error) WRIT_MUST_USE;
/* One flag that a skill's input makes. */
struct cli_run_flag {
    const char *name;               /* `a.b`, without dashes; valid during the visit */
    const struct writ_json *schema; /* of the property */
    const char *pointer;            /* into the input, `/a/b`, nothing in it escaped; valid during the visit */
    bool is_switch, repeats, required;
};
typedef void cli_run_flag_visit(void *context, const struct cli_run_flag *flag);
/* Visits the flags of a skill in the order of its schema; returns how many there are. */
size_t cli_run_flags_each(const struct writ_json *schema, cli_run_flag_visit *visit, void *context);
/* Prints the flags of a skill on stdout, for `writ run ID --help`; returns how many there are. */
size_t cli_run_flags_describe(const struct cli_terminal *terminal, const struct writ_json *schema);

#endif
