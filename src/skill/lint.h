/*
 * Lint judges the contract and the folder, never this machine (S1.4, S4.10), and mends what is certain.
 *
 * The rules are data (WRIT_LINT_RULES): `writ lint --rules`, SARIF and docs/lint.md are printed from the one table, and
 * tests/lint holds it together with the page and with the tests, which reach every rule.
 *
 * Threads: re-entrant; a report is one thread's until it is only read.
 */
#ifndef WRIT_SKILL_LINT_H
#define WRIT_SKILL_LINT_H

#include "skill/catalog.h"
#include "skill/fix.h"

#define WRIT_LINT_FINDINGS_MAX 500

enum writ_lint_severity { WRIT_LINT_ERROR = 1, WRIT_LINT_WARNING, WRIT_LINT_NOTE };
/* `error`, `warning`, `note` */
const char *writ_lint_severity_name(enum writ_lint_severity severity) WRIT_PURE;

/* ---- the rules ----
 *
 * Per row: name in C, stable name, severity, whether `--fix` mends it where the mend is certain (`never`, `safe`,
 * `unsafe`: see skill/fix.h), what is wrong, and what to do about it. */
#define WRIT_LINT_RULES(X)                                                                                             \
    X(CONTRACT, "contract", ERROR, "safe", "skill.yaml breaks a rule of the contract",                                 \
      "Do what the message says; docs/contracts.md has every field. Nothing else is judged until the contract can be " \
      "read.")                                                                                                         \
    X(DESCRIPTION_VAGUE, "description-vague", ERROR, "never", "the description says too little to choose by",          \
      "Say in a sentence what the skill takes and what it returns.")                                                   \
    X(INPUT_UNDESCRIBED, "input-undescribed", ERROR, "never", "an input has no description",                           \
      "Say what it is, in what form, and what happens without it.")                                                    \
    X(INPUT_UNEXAMPLED, "input-unexampled", ERROR, "never", "an input has no example",                                 \
      "Give `example`, `default` or `enum`, or show it in the input's `examples`.")                                    \
    X(EXAMPLE_INVALID, "example-invalid", ERROR, "never", "an example or a default breaks the schema it stands in",    \
      "Change the example or the schema.")                                                                             \
    X(PERMISSION_NEVER_GRANTED, "permission-never-granted", ERROR, "never",                                            \
      "a permission names a place that no skill is ever granted",                                                      \
      "Remove it: accounts, keys and what belongs to the kernel are refused at every run.")                            \
    X(TEST_INPUT_INVALID, "test-input-invalid", ERROR, "never", "a test's input breaks the input schema",              \
      "Change the input, or expect `input:invalid`; one that expects it must break the schema.")                       \
    X(TEST_OUTPUT_INVALID, "test-output-invalid", ERROR, "never", "a test expects what the output schema excludes",    \
      "Change the expected output or the schema.")                                                                     \
    X(TEST_FILE_INVALID, "test-file-invalid", ERROR, "never", "a file in tests/ cannot be read as a test",             \
      "Give it the form of an item of `test`, or another ending than .yaml and .json.")                                \
    X(ENTRY_MISSING, "entry-missing", ERROR, "never", "the program is not in the folder",                              \
      "Add the program, or name it in `runtime.entry`.")                                                               \
    X(ENTRY_NOT_EXECUTABLE, "entry-not-executable", ERROR, "safe", "the native program cannot be executed",            \
      "Run `chmod +x` on it.")                                                                                         \
    X(FOLDER_UNPACKABLE, "folder-unpackable", ERROR, "never", "the folder holds what no package can",                  \
      "Links, devices and folders that are too large cannot be packed; put plain files there.")                        \
    X(PERMISSIONS_UNDECLARED, "permissions-undeclared", WARNING, "safe", "the contract does not say what it touches",  \
      "Write `permissions: []` when the program touches nothing.")                                                     \
    X(PERMISSION_WIDE, "permission-wide", WARNING, "never", "a permission grants a whole tree of the system",          \
      "Name the files or the folder that are needed.")                                                                 \
    X(PERMISSION_NEVER_WRITTEN, "permission-never-written", WARNING, "never",                                          \
      "a permission asks to write where no skill may ever write",                                                      \
      "Write to a path from the input or below `${{ .state }}`.")                                                      \
    X(BINARY_NOT_PERMITTED, "binary-not-permitted", WARNING, "unsafe", "a program is depended on that may not be run", \
      "Add `binary:run:NAME` to the permissions, or remove the dependency.")                                           \
    X(BINARY_UNDECLARED, "binary-undeclared", WARNING, "safe", "a program may be run that is not depended on",         \
      "Add it to `dependencies.binaries`, with its version.")                                                          \
    X(API_WITHOUT_NETWORK, "api-without-network", WARNING, "unsafe", "a service is called that no permission names",   \
      "Add `network:ORIGIN` to the permissions.")                                                                      \
    X(FILE_NOT_PERMITTED, "file-not-permitted", WARNING, "unsafe", "a file is depended on that may not be opened",     \
      "Add `filesystem:read:PATH` or `filesystem:write:PATH` to the permissions.")                                     \
    X(SCHEMA_KEYWORD_UNKNOWN, "schema-keyword-unknown", WARNING, "safe", "a schema holds a word that means nothing",   \
      "Mend its spelling, remove it, or begin its name with `x-`.")                                                    \
    X(REQUIRED_UNDECLARED, "required-undeclared", WARNING, "safe", "a property is required that is not declared",      \
      "Declare it under `properties`, or mend its spelling.")                                                          \
    X(TEST_MISSING, "test-missing", WARNING, "unsafe", "there is no test",                                             \
      "Give at least one call with what must come out.")                                                               \
    X(LICENSE_MISSING, "license-missing", WARNING, "never", "there is no licence",                                     \
      "Name one; without it nobody else may use the skill.")                                                           \
    X(AUTHOR_MISSING, "author-missing", WARNING, "never", "nobody answers for the skill", "Say who does.")             \
    X(BYTE_ORDER_MARK, "byte-order-mark", WARNING, "safe", "skill.yaml begins with a byte order mark",                 \
      "Save the file as UTF-8 without one: it is in the digest, and editors drop or add it unseen.")                   \
    X(LINE_ENDS, "line-ends", WARNING, "safe", "lines of skill.yaml end with CRLF",                                    \
      "End them with LF: line ends are in the digest, and version control may change them unseen.")                    \
    X(PERMISSION_NOT_ENFORCED, "permission-not-enforced", NOTE, "never", "a permission is of a kind not enforced yet", \
      "A run will be refused until it is.")                                                                            \
    X(ENTRY_UNBUILT, "entry-unbuilt", NOTE, "never", "the program is not built yet", "`writ test` builds it.")         \
    X(INPUT_OPEN, "input-open", NOTE, "unsafe", "the input takes properties that are not declared",                    \
      "Write `additionalProperties: false`, so that a misspelt one is refused.")                                       \
    X(OUTPUT_ERROR_UNDECLARED, "output-error-undeclared", NOTE, "unsafe", "the output does not declare `error`",       \
      "Declare `properties.error`, which a failure must carry.")

enum writ_lint_rule_id {
#define X(id, name, severity, fix, summary, help) WRIT_RULE_##id,
    WRIT_LINT_RULES(X)
#undef X
        WRIT_LINT_RULE_COUNT
};
struct writ_lint_rule {
    const char *name;
    enum writ_lint_severity severity;
    const char *fix; /* `never`, `safe`, `unsafe` */
    const char *summary, *help;
};
const struct writ_lint_rule *writ_lint_rule(enum writ_lint_rule_id id) WRIT_PURE;

/* ---- what was found ---- */
struct writ_lint_finding {
    enum writ_lint_rule_id rule_id;
    const char *rule; /* its name */
    enum writ_lint_severity severity;
    const char *file;           /* relative to the skill's folder */
    uint32_t line, column;      /* 0 when the finding has no place */
    uint32_t offset, length;    /* bytes of report->source that it is about; length 0: not known */
    const char *field;          /* as in writ_contract_fault; "" when there is none */
    const char *message;        /* what is wrong and the mend */
    const struct writ_fix *fix; /* NULL where the mend is not certain */
};
/* How far a contract could be judged. */
enum writ_lint_stage { WRIT_LINT_UNREADABLE = 1, WRIT_LINT_FAULTY, WRIT_LINT_JUDGED };
struct writ_lint_report {
    struct writ_arena arena; /* owns all below */
    enum writ_lint_stage stage;
    struct writ_lint_finding *items;
    size_t count, error_count, warning_count;
    bool truncated;     /* more than WRIT_LINT_FINDINGS_MAX were found */
    const char *source; /* skill.yaml as it was judged; NULL: it could not be read */
    size_t source_length;
};
/* Contract faults come first as errors; a contract that has any is judged no further.  Then the lint's own findings.
 * With skill->folder_fd -1 the folder is not judged.  An error only when writ itself failed. */
int writ_lint_skill(const struct writ_skill *skill, struct writ_lint_report *ret_report,
                    struct writ_error *error) WRIT_MUST_USE;
/* Safe on a zeroed struct. */
void writ_lint_report_clear(struct writ_lint_report *report);

/* ---- mending ---- */
struct writ_lint_fixed {
    const char *rule, *field, *title;
    uint32_t line, column; /* where it was */
    bool is_unsafe;
};
struct writ_lint_fixes {
    struct writ_arena arena; /* owns all below */
    struct writ_lint_fixed *items;
    size_t count;
    const char *before, *after; /* skill.yaml */
    size_t before_length, after_length;
    const char *makes_executable; /* file in the folder, or NULL */
};
/* Makes all fixes (unsafe ones only when `with_unsafe`) in memory and judges the result again, until nothing is left to
 * fix.  A fix that brings a finding that was not there, leaves its own, makes the document unreadable, or, being safe,
 * gives a permission that was not written is left out.  Writes nothing.  `ret_report` is of the result. */
int writ_lint_fix(const struct writ_skill *skill, bool with_unsafe, struct writ_lint_fixes *ret_fixes,
                  struct writ_lint_report *ret_report, struct writ_error *error) WRIT_MUST_USE;
/* Writes what was fixed into the folder: skill.yaml whole or not at all, with its mode and group; then the program's
 * executable bits.
 * Refused as INTERNAL_IO, nothing written: a file that is no regular file of the caller's own, that has other names
 * (hard links), or that changed meanwhile. */
int writ_lint_fix_write(const struct writ_skill *skill, const struct writ_lint_fixes *fixes,
                        struct writ_error *error) WRIT_MUST_USE;
/* Safe on a zeroed struct. */
void writ_lint_fixes_clear(struct writ_lint_fixes *fixes);

#endif
