/*
 * The contract, skill.yaml (S4.1, S4.2; interfaces "The contract").  It declares; it holds no logic.
 *
 * Reading reports every fault in one go (file:line:column, the field, what is wrong, the mend); an unknown field is a
 * fault with the nearest known name.  A contract with any fault is not usable.
 *
 * Formats (`format: date` …) in both schemas are checked, not only noted: whoever writes one into a contract means it.
 *
 * Threads: a loaded contract is read-only and may be shared.
 */
#ifndef WRIT_SKILL_CONTRACT_H
#define WRIT_SKILL_CONTRACT_H

#include "base/arena.h"
#include "base/error.h"
#include "data/json.h"
#include "data/schema.h"
#include "data/semver.h"
#include "data/yaml.h"
#include "skill/fix.h"
#include "skill/permission.h"

#define WRIT_CONTRACT_FAULTS_MAX 100
#define WRIT_SKILL_ID_BYTES_MAX 128

/* A reverse-DNS name in lower case: parts of a-z, 0-9 and inner `-`, at least two, joined by dots, a letter first.  So
 * an id is always a plain file name.  Error: CONTRACT_INVALID with the mend. */
int writ_skill_id_check(const char *id, struct writ_error *error) WRIT_MUST_USE;

enum writ_language {
    WRIT_LANGUAGE_NATIVE = 1, /* `c`, `native`, `go`, `rust` …: an executable `main` */
    WRIT_LANGUAGE_PYTHON,
    WRIT_LANGUAGE_NODE,
    WRIT_LANGUAGE_SH,
};

struct writ_contract_runtime {
    enum writ_language language;
    const char *entry;                /* relative to the skill's folder; never NULL after loading */
    const char *version_text;         /* as written; NULL: any */
    struct writ_semver_range version; /* of the interpreter; count 0: any */
    uint64_t timeout_ms;              /* default 30 s, at most 24 h */
    uint64_t memory_bytes;            /* default 512 MiB */
    unsigned cpus;                    /* default 1 */
    unsigned processes;               /* default 64 */
    uint64_t output_bytes;            /* default 10 MiB */
    uint64_t tmp_bytes;               /* default 64 MiB */
};

struct writ_contract_binary {
    const char *name, *version_text; /* version_text NULL: any */
    struct writ_semver_range version;
    uint32_t line, column;
};
struct writ_contract_api {
    const char *id, *endpoint, *auth, *rate_limit; /* NULL when not given */
    const struct writ_json *errors;                /* meaning of its errors, as written; NULL */
};
struct writ_contract_file {
    const char *path;
    bool write;
};
struct writ_contract_skill {
    const char *id, *version_text;
    struct writ_semver_range version; /* count 0: any */
};
struct writ_contract_route {
    const char *method, *path, *auth;
    const struct writ_json *node;
};
struct writ_contract_test {
    const char *name;                        /* given, or `test 1` */
    const struct writ_json *input;           /* any document: wrong types are tested too */
    const struct writ_json *expected_output; /* or NULL */
    const char *expected_class;              /* `expected_error: input:invalid` (or its map form, class:), or NULL */
    double tolerance;                        /* absolute, for numbers; default 1e-6 */
    const struct writ_json *ignore;          /* array of JSON pointers left out of the comparison, or NULL */
    uint32_t line, column;
};

struct writ_contract {
    struct writ_arena arena;
    const char *source; /* the bytes that it was read from */
    size_t source_length;
    struct writ_yaml yaml;
    const char *id, *name, *description, *version_text; /* never NULL */
    const char *author, *license;                       /* "" when not given */
    struct writ_semver version;
    const char *const *tags;
    size_t tag_count;
    const struct writ_json *input_node, *output_node; /* the schemas as documents */
    struct writ_schema *input, *output;               /* compiled */
    const struct writ_permission *permissions;
    size_t permission_count;
    bool permissions_declared; /* false: the field is not there at all (S1.4) */
    struct writ_contract_runtime runtime;
    const struct writ_contract_binary *binaries;
    size_t binary_count;
    const struct writ_contract_api *apis;
    size_t api_count;
    const struct writ_contract_file *files;
    size_t file_count;
    const struct writ_contract_skill *skills;
    size_t skill_count;
    const struct writ_contract_route *routes;
    size_t route_count;
    const char *toolset, *action;       /* "" when not given; action is read, write or admin */
    const struct writ_json *operations; /* as written, shape checked; NULL when not given */
    const struct writ_json *signature;  /* as written; NULL */
    const struct writ_contract_test *tests;
    size_t test_count;
};

struct writ_contract_fault {
    uint32_t line, column;
    const char *field;          /* JSON-pointer-like place for people: `permissions[2]`, `runtime.timeout` */
    const char *message;        /* what is wrong and the mend */
    const struct writ_fix *fix; /* NULL where the mend is not certain */
};
struct writ_contract_faults { /* all that it points to lives in `arena`, owned by this struct */
    struct writ_arena arena;
    struct writ_contract_fault *items;
    size_t count;
    bool truncated;
    bool is_syntax;     /* the one fault is that the document is no YAML: nothing else was looked at */
    const char *source; /* the bytes that were read, when there are faults */
    size_t source_length;
};
void writ_contract_faults_init(struct writ_contract_faults *faults);
void writ_contract_faults_clear(struct writ_contract_faults *faults);

/* Parses and checks the bytes of a skill.yaml.  `folder_name` is what the id must equal, NULL: not checked.
 * On faults: CONTRACT_INVALID, `error` holds the first with subject, line and column, `ret_faults` all of them, by
 * line. `subject` is the path used in messages. */
int writ_contract_parse(const char *bytes, size_t length, const char *subject, const char *folder_name,
                        struct writ_contract **ret_contract, struct writ_contract_faults *ret_faults,
                        struct writ_error *error) WRIT_MUST_USE;
/* Reads `skill.yaml` in the folder; links are not followed. Errors as above, SKILL_NOT_FOUND when there is none. */
int writ_contract_load(int folder_fd, const char *folder_path, const char *folder_name,
                       struct writ_contract **ret_contract, struct writ_contract_faults *ret_faults,
                       struct writ_error *error) WRIT_MUST_USE;
void writ_contract_free(struct writ_contract *contract);

/* The input with the schema's `default`s filled in (objects' properties, nested ones where the parent is present),
 * written as compact JSON.  Unchanged input gives the same document. */
int writ_contract_apply_defaults(const struct writ_contract *contract, const struct writ_json *input,
                                 struct writ_buffer *out, struct writ_error *error) WRIT_MUST_USE;

/* Judges what a program put out (S4.1, S4.4).  With `success: false` the schema holds in its form for failures: `error`
 * is required, `data` is not, all else stays.  No faults in `ret_faults` means valid.  The faults, and on a failure a
 * compiled copy of the schema's document, live in `arena`; nothing is allocated for a valid success. */
int writ_contract_check_output(const struct writ_contract *contract, const struct writ_json *output,
                               struct writ_arena *arena, struct writ_schema_faults *ret_faults,
                               struct writ_error *error) WRIT_MUST_USE;

/* One line a field: name, required or optional, what is accepted, meaning; separated by tabs.  From the same tables
 * that read, so that a manual cannot drift from the reader. */
void writ_contract_print_fields(struct writ_buffer *out);

const char *writ_language_name(enum writ_language language) WRIT_PURE;

#endif
