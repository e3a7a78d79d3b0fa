/*
 * The permission grammar (S4.3; interfaces "The contract").  Kinds are closed:
 *   filesystem:read:PATH   filesystem:write:PATH   network:ORIGIN   binary:run:NAME   clipboard:read   credential:NAME
 * PATH may hold `${{ .input.a.b }}`, `${{ .state }}`, `${{ .identity.id }}`; other kinds hold literals only.
 */
#ifndef WRIT_SKILL_PERMISSION_H
#define WRIT_SKILL_PERMISSION_H

#include "base/arena.h"
#include "base/error.h"
#include "data/json.h"

enum writ_permission_kind {
    WRIT_PERMISSION_FILESYSTEM_READ = 1,
    WRIT_PERMISSION_FILESYSTEM_WRITE,
    WRIT_PERMISSION_NETWORK,
    WRIT_PERMISSION_BINARY_RUN,
    WRIT_PERMISSION_CLIPBOARD_READ,
    WRIT_PERMISSION_CREDENTIAL,
};

enum writ_segment_kind { WRIT_SEGMENT_LITERAL, WRIT_SEGMENT_INPUT, WRIT_SEGMENT_STATE, WRIT_SEGMENT_IDENTITY };
struct writ_segment {
    enum writ_segment_kind kind;
    const char *text; /* LITERAL: the text; INPUT: the JSON pointer into the input, `/a/b` */
};

struct writ_permission {
    enum writ_permission_kind kind;
    const char *source;              /* as written: `filesystem:read:${{ .input.file_path }}` */
    const char *subject;             /* what follows the kind: PATH, ORIGIN, NAME; "" for clipboard:read */
    const struct writ_segment *segments; /* filesystem kinds: the parsed PATH */
    size_t segment_count;
    uint32_t line, column;           /* in skill.yaml */
};

/* Parses one permission into `arena`.  Error: CONTRACT_INVALID; the message names the part, the mend and the nearest
 * kind.  Refused: unknown kinds, `..` or `.` components, empty parts, relative PATHs that begin with `~`, control
 * characters, unclosed or unknown `${{ }}`, a binary NAME with a slash, an ORIGIN that is no `scheme://host[:port]`. */
int writ_permission_parse(struct writ_arena *arena, const char *text, struct writ_permission *ret_permission,
                          struct writ_error *error) WRIT_MUST_USE;

struct writ_interpolation {
    const struct writ_json *input; /* validated, defaults applied */
    const char *state_folder;      /* private folder of this skill and identity, absolute; NULL: none */
    const char *identity_id;
};
/* One expanded path; `from_input`: some part of it came from the input, so it must lie under the caller's roots. */
struct writ_expanded_path {
    const char *path;          /* as it stands, not normalised, perhaps relative */
    const char *input_pointer; /* JSON pointer of the value when the path *begins* with an input value (an element of the
                                * array for array values, `/files/2`); the program is given this value made absolute */
    bool from_input;
};
/* Expands a filesystem permission: an absent optional field gives no path, an array one path an element.  A value that
 * is not a string or array of strings, is empty, holds NUL or, past the head, a `..` component or a leading slash, gives
 * FILESYSTEM_DENIED naming the pointer.  Results live in `arena`. */
int writ_permission_expand(const struct writ_permission *permission, const struct writ_interpolation *values,
                           struct writ_arena *arena, const struct writ_expanded_path **ret_paths, size_t *ret_count,
                           struct writ_error *error) WRIT_MUST_USE;

#endif
