/*
 * Errors: one caller-owned fixed struct, nothing to free, usable when memory is out.
 *
 * Every function that can fail returns 0 or a negative `enum writ_code`, takes `struct writ_error *error` as its last
 * parameter (never NULL), and fills it on failure only.  Outputs are written on success only.
 *
 * A refusal by policy is a value, not an error, until it reaches the border (S4.5).  Each code has a stable class name
 * (`area:what`), an exit status and a line in docs/errors.md; a test holds the three together.
 *
 * Threads: a struct belongs to one thread at a time; there is no shared state.
 */
#ifndef WRIT_BASE_ERROR_H
#define WRIT_BASE_ERROR_H

#include "base/macros.h"

/*     code                    class                   exit  what it means in a sentence */
#define WRIT_CODES(X)                                                                                                  \
    X(USAGE, "usage", 2, "the command line could not be understood")                                                   \
    X(INPUT_INVALID, "input:invalid", 3, "the input does not satisfy the skill's input schema, or is not JSON")        \
    X(OUTPUT_INVALID, "output:invalid", 4, "the program's output is not one JSON document of the output schema")       \
    X(CONTRACT_INVALID, "contract:invalid", 5, "skill.yaml breaks a rule of the contract")                             \
    X(SKILL_NOT_FOUND, "skill:not-found", 6, "no skill of that id or version is in any source")                        \
    X(SKILL_UNTRUSTED, "skill:untrusted", 7, "the skill's folder has not been trusted")                                \
    X(DEPENDENCY_MISSING, "dependency:missing", 8, "a program or file that the contract needs is not installed")       \
    X(DEPENDENCY_VERSION, "dependency:version", 9, "a dependency is installed in a version the contract excludes")     \
    X(FILESYSTEM_DENIED, "filesystem:denied", 10, "a path was not granted, or may never be granted")                   \
    X(NETWORK_DENIED, "network:denied", 11, "network access was not granted or is not available")                      \
    X(NETWORK_UNRESOLVED, "network:unresolved", 12, "a declared host name did not resolve")                            \
    X(NETWORK_UNREACHABLE, "network:unreachable", 13, "a declared host did not answer")                                \
    X(NETWORK_TLS, "network:tls", 14, "a declared host's certificate could not be verified")                           \
    X(BINARY_DENIED, "binary:denied", 15, "a program was not granted")                                                 \
    X(CREDENTIAL_UNAVAILABLE, "credential:unavailable", 16, "a declared credential cannot be handed out")              \
    X(LIMIT_TIMEOUT, "limit:timeout", 20, "the program ran longer than its contract allows")                           \
    X(LIMIT_MEMORY, "limit:memory", 21, "the program used more memory than its contract allows")                       \
    X(LIMIT_PROCESSES, "limit:processes", 22, "the program started more processes than allowed")                       \
    X(LIMIT_OUTPUT, "limit:output", 23, "the program wrote more output than allowed")                                  \
    X(LIMIT_DISK, "limit:disk", 24, "the program wrote more to disk than allowed")                                     \
    X(LIMIT_RATE, "limit:rate", 25, "a declared rate limit was reached")                                               \
    X(PROGRAM_REPORTED, "program:reported", 1, "the program itself reported failure (success: false)")                 \
    X(PROGRAM_FAILED, "program:failed", 30, "the program ended with a bad exit status")                                \
    X(PROGRAM_CRASHED, "program:crashed", 31, "the program was ended by a signal")                                     \
    X(TRUST_SIGNATURE, "trust:signature", 40, "a signature is missing or does not verify")                             \
    X(TRUST_DIGEST, "trust:digest", 41, "the skill's bytes are not the ones that were agreed to")                      \
    X(POLICY_REFUSED, "policy:refused", 50, "the policy refuses this call")                                            \
    X(POLICY_ASK, "policy:ask", 51, "the policy wants a person's approval and nobody can be asked")                    \
    X(ENDING_UNKNOWN, "outcome:unknown", 60, "the call began and its end was never recorded")                          \
    X(INTERNAL_MEMORY, "internal:memory", 70, "writ itself ran out of memory")                                         \
    X(INTERNAL_IO, "internal:io", 71, "writ could not read or write one of its own files")                             \
    X(INTERNAL_SANDBOX, "internal:sandbox", 72, "the kernel refused a part of the sandbox")                            \
    X(INTERNAL_AUDIT, "internal:audit", 73, "the call could not be recorded, so it was not made")                      \
    X(INTERNAL_LIMIT, "internal:limit", 74, "a limit of writ's own was reached")                                       \
    X(INTERRUPTED, "internal:interrupted", 130, "the caller interrupted the call")                                     \
    X(SCHEMA_INVALID, "schema:invalid", 75, "a JSON Schema is itself invalid or cannot be resolved")                   \
    X(DATA_SYNTAX, "data:syntax", 76, "a document is not well-formed JSON or YAML")                                    \
    X(CONFIG_INVALID, "config:invalid", 77, "writ's own configuration file breaks a rule")

/* Codes are negative so that a function's result is `0 or code`; class names are stable, numbers are not. */
enum writ_code_index {
#define X(name, class_name, exit_status, meaning) WRIT_INDEX_##name,
    WRIT_CODES(X)
#undef X
        WRIT_CODE_COUNT
};
enum writ_code {
    WRIT_OK = 0,
#define X(name, class_name, exit_status, meaning) WRIT_##name = -1 - (int)WRIT_INDEX_##name,
    WRIT_CODES(X)
#undef X
};

#define WRIT_ERROR_SUBJECT_MAX 256
#define WRIT_ERROR_MESSAGE_MAX 768

struct writ_error {
    enum writ_code code;
    int sys_errno;                        /* 0 when no system call was the cause */
    unsigned line, column;                /* 1-based place in the subject; 0 when there is none; columns count bytes */
    char subject[WRIT_ERROR_SUBJECT_MAX]; /* the file, field or skill that the message is about; may be empty */
    char message[WRIT_ERROR_MESSAGE_MAX]; /* one sentence: what is wrong and the mend; UTF-8; cut in its middle */
};

/* Fills `error` and returns `code`.  The subject, place and errno are cleared.  Never fails. */
int writ_error_set(struct writ_error *error, enum writ_code code, const char *format, ...) WRIT_PRINTF(3, 4);

/* As writ_error_set, for a failed system call: appends `: <text of sys_errno>` and stores it. */
int writ_error_set_errno(struct writ_error *error, enum writ_code code, int sys_errno, const char *format, ...)
    WRIT_PRINTF(4, 5);

/* Names what the error is about and where; `line` and `column` may be 0.  Returns error->code. */
int writ_error_at(struct writ_error *error, const char *subject, unsigned line, unsigned column);

/* Prepends context (`<context>: <message>`) on the way up.  Returns error->code. */
int writ_error_wrap(struct writ_error *error, const char *format, ...) WRIT_PRINTF(2, 3);

/* The two errors that have only one sentence. */
int writ_error_memory(struct writ_error *error);
int writ_error_io(struct writ_error *error, int sys_errno, const char *path);

/* `area:what`; "ok" for WRIT_OK.  Never NULL: an unknown code aborts, for it is our own mistake. */
const char *writ_code_class(enum writ_code code) WRIT_PURE;
/* Exit status of a command that ends with this code. */
int writ_code_exit_status(enum writ_code code) WRIT_PURE;
/* One sentence for the manual. */
const char *writ_code_meaning(enum writ_code code) WRIT_PURE;

#endif
