#include "skill/contract.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "skill/contract_mend_syntax.h"
#include "skill/contract_reader.h"

#include <errno.h>
#include <stdlib.h>

/*
 * A contract is read in three steps: the bytes to a YAML tree, the tree by tables of fields (contract_reader.h), then
 * what holds between fields.  A later step is not taken on what an earlier one found faulty.
 */

#define CONTRACT_ARENA_BYTES_MAX ((size_t)32 << 20)
#define FAULTS_ARENA_BYTES_MAX ((size_t)4 << 20) /* the source, and a hundred faults with their fixes */

void writ_contract_faults_init(struct writ_contract_faults *faults)
{
    *faults = (struct writ_contract_faults){0};
    writ_arena_init(&faults->arena, FAULTS_ARENA_BYTES_MAX);
}

void writ_contract_faults_clear(struct writ_contract_faults *faults)
{
    writ_arena_clear(&faults->arena);
    writ_contract_faults_init(faults);
}

void writ_contract_free(struct writ_contract *contract)
{
    if (!contract)
        return;
    writ_schema_free(contract->input);
    writ_schema_free(contract->output);
    writ_arena_clear(&contract->arena);
    free(contract);
}

static void free_contract(struct writ_contract **contract)
{
    writ_contract_free(*contract);
}

static int compare_faults(const struct writ_contract_fault *a, const struct writ_contract_fault *b)
{
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->column == b->column ? 0 : a->column < b->column ? -1 : 1;
}

/* Insertion sort: at most a hundred, nearly in order, and faults of one place keep theirs. */
static void sort_faults(struct writ_contract_faults *faults)
{
    for (size_t i = 1; i < faults->count; i++) {
        struct writ_contract_fault fault = faults->items[i];
        size_t to = i;
        for (; to > 0 && compare_faults(&faults->items[to - 1], &fault) > 0; to--)
            faults->items[to] = faults->items[to - 1];
        faults->items[to] = fault;
    }
}

/* The first fault as an error, with how many more there are. */
static int faults_error(const struct writ_contract_faults *faults, const char *subject, struct writ_error *error)
{
    const struct writ_contract_fault *first = &faults->items[0];
    char more[64] = "";
    if (faults->count > 1)
        (void)snprintf(more, sizeof more, " (and %zu%s more)", faults->count - 1, faults->truncated ? " or" : "");
    (void)writ_error_set(error, WRIT_CONTRACT_INVALID, "%s%s%s%s", first->field, first->field[0] ? ": " : "",
                         first->message, more);
    return writ_error_at(error, subject, first->line, first->column);
}

/* Braces of a value within `[ ]` or `{ }` are YAML's own, which its messages cannot know. */
static bool line_holds_value(const char *bytes, size_t length, unsigned line)
{
    const char *end = bytes + length;
    for (; line > 1 && bytes; line--) {
        bytes = memchr(bytes, '\n', (size_t)(end - bytes));
        bytes = bytes ? bytes + 1 : NULL;
    }
    const char *stop = bytes ? memchr(bytes, '\n', (size_t)(end - bytes)) : NULL;
    return bytes && memmem(bytes, (size_t)((stop ? stop : end) - bytes), "${{", 3) != NULL;
}

/* Faults outlive the contract that has them: they keep the bytes that they are about. */
static int keep_source(struct writ_contract_faults *faults, const char *bytes, size_t length, struct writ_error *error)
{
    if (length > WRIT_YAML_BYTES_MAX)
        return 0; /* it was refused for that, unread */
    faults->source = writ_arena_copy(&faults->arena, bytes, length);
    faults->source_length = length;
    return faults->source ? 0 : writ_error_memory(error);
}

/* A document that could not be read as YAML has this one fault. */
static int syntax_error(struct writ_contract_faults *faults, const char *bytes, size_t length, const char *subject,
                        struct writ_error *error)
{
    if (error->code == WRIT_INTERNAL_MEMORY)
        return error->code;
    struct writ_contract_fault *fault = writ_arena_zalloc(&faults->arena, 1, sizeof *fault);
    const char *message = writ_arena_printf(&faults->arena, "%s%s", error->message,
                                            line_holds_value(bytes, length, error->line)
                                                ? "; within brackets, put a permission with `${{ }}` in quotes"
                                                : "");
    if (!message || !fault)
        return writ_error_memory(error);
    bool out_of_memory = false;
    *fault = (struct writ_contract_fault){.line = error->line ? error->line : 1,
                                          .column = error->column ? error->column : 1,
                                          .field = "",
                                          .message = message};
    if (length <= WRIT_YAML_BYTES_MAX)
        fault->fix = contract_mend_syntax(bytes, length, fault->line, fault->column, &faults->arena, &out_of_memory);
    if (out_of_memory)
        return writ_error_memory(error);
    faults->items = fault;
    faults->count = 1;
    faults->is_syntax = true;
    if (keep_source(faults, bytes, length, error) < 0)
        return error->code;
    return faults_error(faults, subject, error);
}

static void set_defaults(struct writ_contract *contract)
{
    contract->author = contract->license = contract->toolset = contract->action = "";
    contract->runtime = (struct writ_contract_runtime){.timeout_ms = 30 * 1000,
                                                       .memory_bytes = (uint64_t)512 << 20,
                                                       .cpus = 1,
                                                       .processes = 64,
                                                       .output_bytes = (uint64_t)10 << 20,
                                                       .tmp_bytes = (uint64_t)64 << 20};
}

static void check_names(struct contract_reader *reader)
{
    const struct writ_contract *contract = reader->contract;
    struct contract_frame top, dependencies, element;
    if (!contract->id)
        return;
    if (reader->folder_name && strcmp(reader->folder_name, contract->id) != 0) {
        const struct writ_json *node = writ_json_get(contract->yaml.root, "id");
        struct writ_error unused;
        contract_enter(reader, &top, "id", 0);
        contract_fault(reader, node, "must equal the folder's name, which is `%.128s`; rename one of them",
                       reader->folder_name);
        if (writ_skill_id_check(reader->folder_name, &unused) == 0)
            contract_mend_text(reader, node, reader->folder_name, true);
        contract_leave(reader);
    }
    const struct writ_json *list = writ_json_get(writ_json_get(contract->yaml.root, "dependencies"), "skills");
    contract_enter(reader, &top, "dependencies", 0);
    contract_enter(reader, &dependencies, "skills", 0);
    for (size_t i = 0; i < contract->skill_count; i++)
        if (contract->skills[i].id && strcmp(contract->skills[i].id, contract->id) == 0) {
            contract_enter(reader, &element, NULL, i);
            contract_fault(reader, list->kind == WRIT_JSON_ARRAY ? writ_json_at(list, i) : list,
                           "a skill cannot depend on itself; remove it");
            contract_leave(reader);
        }
    contract_leave(reader);
    contract_leave(reader);
}

int contract_parse(const char *bytes, size_t length, const char *subject, const char *folder_name, int folder_fd,
                   struct writ_contract **ret_contract, struct writ_contract_faults *faults, struct writ_error *error)
{
    WRIT_CLEANUP(free_contract) struct writ_contract *contract = calloc(1, sizeof *contract);
    if (!contract)
        return writ_error_memory(error);
    writ_arena_init(&contract->arena, CONTRACT_ARENA_BYTES_MAX);
    if (writ_yaml_parse(&contract->arena, bytes, length, &contract->yaml, error) < 0)
        return syntax_error(faults, bytes, length, subject, error);
    contract->source = writ_arena_copy(&contract->arena, bytes, length);
    contract->source_length = length;
    if (!contract->source)
        return writ_error_memory(error);
    struct contract_reader reader = {
        .contract = contract,
        .arena = &contract->arena,
        .faults = faults,
        .editor = {.yaml = &contract->yaml, .bytes = bytes, .length = length, .arena = &faults->arena},
        .folder_name = folder_name,
        .folder_fd = folder_fd};
    set_defaults(contract);
    contract_read_map(&reader, contract->yaml.root, &contract_table_top, contract);
    if (contract->yaml.root->kind == WRIT_JSON_OBJECT) {
        contract_finish_runtime(&reader);
        contract_check_schemas(&reader);
        contract_check_permissions(&reader);
        contract_check_operations(&reader);
        check_names(&reader);
    }
    if (reader.out_of_memory || reader.editor.out_of_memory)
        return writ_error_memory(error);
    if (faults->count > 0) {
        if (keep_source(faults, bytes, length, error) < 0)
            return error->code;
        sort_faults(faults);
        return faults_error(faults, subject, error);
    }
    *ret_contract = contract;
    contract = NULL;
    return 0;
}

int writ_contract_parse(const char *bytes, size_t length, const char *subject, const char *folder_name,
                        struct writ_contract **ret_contract, struct writ_contract_faults *ret_faults,
                        struct writ_error *error)
{
    return contract_parse(bytes, length, subject, folder_name, -1, ret_contract, ret_faults, error);
}

int writ_contract_load(int folder_fd, const char *folder_path, const char *folder_name,
                       struct writ_contract **ret_contract, struct writ_contract_faults *ret_faults,
                       struct writ_error *error)
{
    char subject[WRIT_ERROR_SUBJECT_MAX];
    (void)snprintf(subject, sizeof subject, "%s/skill.yaml", folder_path);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_YAML_BYTES_MAX);
    if (writ_file_read(folder_fd, "skill.yaml", true, &text, error) < 0) {
        if (error->sys_errno == ENOENT)
            (void)writ_error_set(error, WRIT_SKILL_NOT_FOUND, "the folder has no skill.yaml");
        else if (error->sys_errno == ELOOP)
            (void)writ_error_set(error, WRIT_CONTRACT_INVALID,
                                 "skill.yaml is a symbolic link, which could be pointed elsewhere; put the file itself "
                                 "there");
        else if (error->code == WRIT_INTERNAL_LIMIT)
            (void)writ_error_set(error, WRIT_CONTRACT_INVALID,
                                 "skill.yaml is larger than %zu bytes; a contract declares and holds no data",
                                 WRIT_YAML_BYTES_MAX);
        return writ_error_at(error, subject, 0, 0);
    }
    return contract_parse(writ_buffer_text(&text), text.length, subject, folder_name, folder_fd, ret_contract,
                          ret_faults, error);
}
