/*
 * The permission grammar (S4.3; interfaces "The contract").  Kinds are closed:
 *   filesystem:read:PATH   filesystem:write:PATH   network:ORIGIN   binary:run:NAME   clipboard:read   credential:NAME
 * PATH may hold `${{ .input.a.b }}`, `${{ .state }}`, `${{ .identity.id }}`; other kinds hold literals only.
 *
 * Threads: pure functions of their arguments.
 */
#ifndef WRIT_SKILL_PERMISSION_H
#define WRIT_SKILL_PERMISSION_H

#include "base/arena.h"
#include "base/error.h"
#include "data/json.h"

#define WRIT_PERMISSION_BYTES_MAX 4096  /* of one permission as written */
#define WRIT_PERMISSION_SEGMENTS_MAX 16 /* of one PATH */
#define WRIT_PERMISSION_PATHS_MAX 256   /* that one permission may expand to */

enum writ_permission_kind {
    WRIT_PERMISSION_FILESYSTEM_READ = 1,
    WRIT_PERMISSION_FILESYSTEM_WRITE,
    WRIT_PERMISSION_NETWORK,
    WRIT_PERMISSION_BINARY_RUN,
    WRIT_PERMISSION_CLIPBOARD_READ,
    WRIT_PERMISSION_CREDENTIAL,
};
#define WRIT_PERMISSION_KIND_COUNT 6
/* `filesystem:read`, `network` …  Never NULL. */
const char *writ_permission_kind_name(enum writ_permission_kind kind) WRIT_PURE;
/* False for the kinds that no run can hold to yet: they pass lint, and a run is refused with that reason. */
bool writ_permission_kind_is_enforced(enum writ_permission_kind kind) WRIT_PURE;

enum writ_segment_kind { WRIT_SEGMENT_LITERAL, WRIT_SEGMENT_INPUT, WRIT_SEGMENT_STATE, WRIT_SEGMENT_IDENTITY };
struct writ_segment {
    enum writ_segment_kind kind;
    const char *text; /* LITERAL: the text; INPUT: the JSON pointer into the input, `/a/b`; else "" */
};

struct writ_permission {
    enum writ_permission_kind kind;
    const char *source;                  /* as written: `filesystem:read:${{ .input.file_path }}` */
    const char *subject;                 /* what follows the kind: PATH, ORIGIN, NAME; "" for clipboard:read */
    const struct writ_segment *segments; /* filesystem kinds: the parsed PATH */
    size_t segment_count;
    uint32_t line, column; /* in skill.yaml; 0 when it came from elsewhere */
};

/* Parses one permission into `arena`.  Error: CONTRACT_INVALID; the message names the part, the mend and the nearest
 * kind.  Refused: unknown kinds, `..` or `.` components, empty parts, PATHs that begin with `~`, the whole root,
 * control characters, unclosed or unknown `${{ }}`, `${{ .state }}` anywhere but at the head, a NAME that is no plain
 * file name, an ORIGIN that is no `scheme://host[:port]` in lower case. */
int writ_permission_parse(struct writ_arena *arena, const char *text, struct writ_permission *ret_permission,
                          struct writ_error *error) WRIT_MUST_USE;

/* True when one of the permissions opens what the input names at this JSON pointer. */
bool writ_permissions_name_input(const struct writ_permission *permissions, size_t count, const char *pointer,
                                 size_t length) WRIT_PURE;

/* What may stand as NAME: 1 to 64 of `A-Z a-z 0-9 . _ + -`, no `.` or `-` at the head. */
bool writ_permission_name_is_valid(const char *name) WRIT_PURE;

struct writ_interpolation {
    const struct writ_json *input; /* validated, defaults applied */
    const char *state_folder;      /* private folder of this skill and identity, absolute; NULL: none */
    const char *identity_id;       /* NULL: none */
};
/* One expanded path.  What bounds it: `in_state` the private folder (it cannot leave it by its text); else `from_input`
 * the caller's roots; else the contract alone, as it stands there. */
struct writ_expanded_path {
    const char *path;          /* as it stands, not normalised, perhaps relative */
    const char *input_pointer; /* JSON pointer of the value when the path *begins* with an input value (an element of
                                * the array for array values, `/files/2`), else NULL; the program is given this value
                                * made absolute */
    bool from_input;           /* some part of it came from the input */
    bool in_state;             /* it begins with the private folder */
};
/* Expands a filesystem permission: an absent (or null) optional field gives no path, an array one path an element.  A
 * value that is not a string or array of strings, is empty, holds NUL or, past the head, a `..` component or a leading
 * slash, gives FILESYSTEM_DENIED naming the pointer; so does a `..` that only the joined pieces make, an identity that
 * is no plain name, a path of more than 4095 bytes, and two different arrays in one path.  Results live in `arena`. */
int writ_permission_expand(const struct writ_permission *permission, const struct writ_interpolation *values,
                           struct writ_arena *arena, const struct writ_expanded_path **ret_paths, size_t *ret_count,
                           struct writ_error *error) WRIT_MUST_USE;

#endif
