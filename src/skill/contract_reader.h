/*
 * Reading a contract, inside src/skill only: tables of fields, the place of a fault, the scalars.
 *
 * Theory.  A contract is read from its YAML tree by tables: one row a field, with the function that reads it.  A row is
 * at once the reader, the list of known names for the hint at an unknown one, the check that required fields are there,
 * and the line of the manual.  Readers never stop at a fault: they add it to the list and leave their member as it was,
 * so that one run names every fault.  Only memory running out ends a reading, and even that is asked once, at the end.
 *
 * The place of a fault for people (`dependencies.binaries[2].version`) is a chain of frames on the stack, innermost
 * first; it becomes text only when a fault is added.
 */
#ifndef WRIT_SKILL_CONTRACT_READER_H
#define WRIT_SKILL_CONTRACT_READER_H

#include "data/yaml_edit.h"
#include "skill/contract.h"

#define CONTRACT_NO_INDEX SIZE_MAX

struct contract_frame {
    const struct contract_frame *up;
    const char *name; /* of a member; NULL for an element of a list */
    size_t index;
};

struct contract_reader {
    struct writ_contract *contract; /* being filled */
    struct writ_arena *arena;       /* the contract's */
    struct writ_contract_faults *faults;
    const struct contract_frame *frame;
    struct writ_contract_fault *last_fault; /* NULL: it was one too many */
    struct writ_yaml_editor editor;         /* for fixes; without a document none are made */
    const char *folder_name;                /* what the id must equal; NULL: not checked */
    int folder_fd;                          /* the skill's folder, or -1 */
    bool out_of_memory;
    const struct writ_json *runtime_node; /* NULL: not given */
    bool language_faulty;                 /* said already, so that nothing is concluded from its absence */
    /* A node made here rather than by YAML (the value in `timeout:30s`), and the node whose place it has. */
    const struct writ_json *stand_in, *stand_in_place;
};

struct contract_field;
typedef void contract_read_function(struct contract_reader *reader, const struct writ_json *node, void *member,
                                    const struct contract_field *field);

struct contract_field {
    const char *name;
    contract_read_function *read;
    size_t offset;     /* of the member that `read` fills, in the struct given with the table */
    uint64_t min, max; /* texts: characters; counts: value */
    bool required;
    const char *form; /* what is accepted, for people */
    const char *help;
};
struct contract_table {
    const char *path; /* where the map stands: "", `runtime`, `test[]` */
    const struct contract_field *fields;
    size_t count;
};

/* Every table, for the manual and for a test that holds the two together. */
extern const struct contract_table contract_table_top, contract_table_runtime, contract_table_dependencies,
    contract_table_binary, contract_table_api, contract_table_file, contract_table_skill, contract_table_expose,
    contract_table_route, contract_table_operation, contract_table_test, contract_table_expected_error,
    contract_table_signature;

/* ---- faults ---- */
/* Adds a fault at `node` with the reader's frame as its field.  Beyond WRIT_CONTRACT_FAULTS_MAX it only marks. */
void contract_fault(struct contract_reader *reader, const struct writ_json *node, const char *format, ...)
    WRIT_PRINTF(3, 4);
/* As above, for a name below the frame, such as a missing member. */
void contract_fault_below(struct contract_reader *reader, const struct writ_json *node, const char *name,
                          const char *format, ...) WRIT_PRINTF(4, 5);

/* A scalar's text as a message can hold it: cut on a character, control characters as spaces, then a NUL. */
struct contract_excerpt {
    char text[72];
};
struct contract_excerpt contract_excerpt(const struct writ_json *node);
/* "a text", "a number", "a list", "a map", "empty", "true or false". */
const char *contract_kind_name(const struct writ_json *node) WRIT_PURE;

/* ---- mends (contract_mend.c) ----
 * Each gives the fault that was added last a fix, where the text allows it; a fault without one is as good.  What is
 * edited must be a node of the YAML document: for others nothing is done. */
/* A scalar becomes the text, or a value as YAML writes it. */
void contract_mend_text(struct contract_reader *reader, const struct writ_json *scalar, const char *text,
                        bool is_unsafe);
void contract_mend_value(struct contract_reader *reader, const struct writ_json *node, const char *yaml,
                         bool is_unsafe);
/* A text becomes the list of it. */
void contract_mend_list(struct contract_reader *reader, const struct writ_json *scalar);
/* A scalar that is no text gets quotation marks. */
void contract_mend_quote(struct contract_reader *reader, const struct writ_json *scalar);
/* A misspelt key of a map becomes `name`. */
void contract_mend_key(struct contract_reader *reader, const struct writ_json *map, const struct writ_json *key,
                       const char *name);
/* A map gets a member, before the one named `before`. */
void contract_mend_member(struct contract_reader *reader, const struct writ_json *map, const char *before,
                          const char *name, const char *yaml);
/* A permission of no known kind, or with spaces that are too many: always unsafe, for it would grant more. */
void contract_mend_permission(struct contract_reader *reader, const struct writ_json *item);
/* A permission that takes `.input` and the dotted `path` takes the last name of it from `name`: likewise. */
void contract_mend_input_name(struct contract_reader *reader, const struct writ_json *item, const char *path,
                              const char *name);
/* An item of a list goes. */
void contract_mend_remove(struct contract_reader *reader, const struct writ_json *list, const struct writ_json *item);

/* ---- structure ---- */
void contract_enter(struct contract_reader *reader, struct contract_frame *frame, const char *name, size_t index);
void contract_leave(struct contract_reader *reader);
/* Reads the members of a map by the table; a node of another kind is a fault. */
void contract_read_map(struct contract_reader *reader, const struct writ_json *node, const struct contract_table *table,
                       void *target);
/* Reads one member as contract_read_map would, by name. False when the table has no such name. */
bool contract_read_member(struct contract_reader *reader, const char *name, const struct writ_json *node,
                          const struct contract_table *table, void *target);
/* Zeroed room in the contract's arena; NULL marks the reader. */
void *contract_alloc(struct contract_reader *reader, size_t count, size_t size);

/* ---- scalars ---- */
/* Text of a string or number as written (3.10 stays 3.10), NUL-terminated; NULL after adding a fault. */
const char *contract_scalar_text(struct contract_reader *reader, const struct writ_json *node);
/* Member `const char *`: a string of min..max characters that is not blank. */
contract_read_function contract_read_text;
/* Member `const char *`: 1 to 64 of a-z 0-9 . _ - with a letter first. */
contract_read_function contract_read_token;
/* Member `unsigned`: a whole number from min to max. */
contract_read_function contract_read_count;
/* Member `uint64_t`: a duration in milliseconds, a size in bytes, from min to max. */
contract_read_function contract_read_duration;
contract_read_function contract_read_size;
/* Member `const struct writ_json *`: taken as it is. */
contract_read_function contract_read_node;

/* A version requirement (`3.11`, `3.9,3.12`, a range); null means any and leaves both outputs alone. */
void contract_read_requirement(struct contract_reader *reader, const struct writ_json *node, const char **ret_text,
                               struct writ_semver_range *ret_range);

/* ---- the whole ---- */
/* As writ_contract_parse, with the folder that tells the language; -1: none. */
int contract_parse(const char *bytes, size_t length, const char *subject, const char *folder_name, int folder_fd,
                   struct writ_contract **ret_contract, struct writ_contract_faults *ret_faults,
                   struct writ_error *error) WRIT_MUST_USE;

/* ---- the parts, one file each ---- */
contract_read_function contract_read_runtime;      /* member: struct writ_contract */
contract_read_function contract_read_dependencies; /* member: struct writ_contract */
contract_read_function contract_read_expose;       /* member: struct writ_contract */
contract_read_function contract_read_operations;   /* member: struct writ_contract */
contract_read_function contract_read_tests;        /* member: struct writ_contract */
contract_read_function contract_read_signature;    /* member: struct writ_contract */
contract_read_function contract_read_schema;       /* member: const struct writ_json *, input_node or output_node */
/* After all fields: language and entry from one another or from the folder. */
void contract_finish_runtime(struct contract_reader *reader);
/* After all fields: what holds between them. */
void contract_check_schemas(struct contract_reader *reader);
void contract_check_permissions(struct contract_reader *reader);
void contract_check_operations(struct contract_reader *reader);

/* The schema that `node` stands for once local `$ref`s (`#/…`) are followed, or NULL; bounded. */
const struct writ_json *contract_schema_resolve(const struct writ_json *root, const struct writ_json *node) WRIT_PURE;
/* The schema of property `name`, or NULL when it is not declared under `properties`. */
const struct writ_json *contract_schema_property(const struct writ_json *root, const struct writ_json *schema,
                                                 const char *name, size_t length) WRIT_PURE;
/* True when `list` is an array that holds the text (a schema's `required`). */
bool contract_list_names(const struct writ_json *list, const char *name) WRIT_PURE;

/* One test: an item of `test:`, or a file of tests/.  `number` names it when it has no name. */
void contract_read_test(struct contract_reader *reader, const struct writ_json *node, struct writ_contract_test *test,
                        size_t number);

#endif
