#include "skill/test_files.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "skill/contract_reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BYTES_MAX ((size_t)256 << 20)
#define FILE_BYTES_MAX ((size_t)4 << 20)

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

static int is_test_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && (has_suffix(entry->d_name, ".yaml") || has_suffix(entry->d_name, ".json"));
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* JSON is read as JSON, for YAML would take its surrogate pairs apart; its nodes have no places then. */
static int parse(struct writ_arena *arena, const char *name, const struct writ_buffer *text, struct writ_yaml *ret_yaml,
                 struct writ_error *error)
{
    if (!has_suffix(name, ".json"))
        return writ_yaml_parse(arena, writ_buffer_text(text), text->length, ret_yaml, error);
    const struct writ_json *root;
    int result = writ_json_parse(arena, writ_buffer_text(text), text->length, &root, error);
    if (result < 0)
        return result;
    size_t nodes = (size_t)(writ_json_next(root) - root);
    const struct writ_yaml_place *places = writ_arena_zalloc(arena, nodes, sizeof *places);
    if (!places)
        return writ_error_memory(error);
    *ret_yaml = (struct writ_yaml){.root = root, .places = places};
    return 0;
}

static int add_fault(struct writ_test_files *files, const char *path, enum writ_code code,
                     const struct writ_contract_fault *fault, struct writ_error *error)
{
    struct writ_arena *arena = &files->arena;
    if (files->fault_count == WRIT_TEST_FAULTS_MAX)
        return 0;
    if (!files->faults)
        files->faults = writ_arena_zalloc(arena, WRIT_TEST_FAULTS_MAX, sizeof *files->faults);
    const char *path_copy = writ_arena_copy(arena, path, strlen(path));
    const char *field = writ_arena_copy(arena, fault->field, strlen(fault->field));
    const char *message = writ_arena_copy(arena, fault->message, strlen(fault->message));
    if (!files->faults || !path_copy || !field || !message)
        return writ_error_memory(error);
    files->faults[files->fault_count++] = (struct writ_test_file_fault){.path = path_copy,
                                                                        .code = code,
                                                                        .line = fault->line,
                                                                        .column = fault->column,
                                                                        .field = field,
                                                                        .message = message};
    return 0;
}

/* A file that could not be read at all. */
static int add_error(struct writ_test_files *files, const char *path, struct writ_error *error)
{
    if (error->code == WRIT_INTERNAL_MEMORY)
        return error->code;
    const struct writ_contract_fault fault = {
        .line = error->line, .column = error->column, .field = "", .message = error->message};
    enum writ_code code = error->code == WRIT_DATA_SYNTAX ? WRIT_CONTRACT_INVALID : error->code;
    struct writ_error memory;
    int result = add_fault(files, path, code, &fault, &memory);
    if (result < 0)
        *error = memory;
    return result;
}

/* Fills the next row of the tests, unless the file has faults. */
static int read_file(int tests_fd, const char *name, struct writ_test_files *files, struct writ_error *error)
{
    struct writ_arena *arena = &files->arena;
    char path[300];
    (void)snprintf(path, sizeof path, "tests/%s", name);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, FILE_BYTES_MAX);
    struct writ_contract contract = {.id = NULL};
    int result = writ_file_read(tests_fd, name, true, &text, error);
    if (result == 0)
        result = parse(arena, name, &text, &contract.yaml, error);
    if (result < 0)
        return add_error(files, path, error);
    struct writ_contract_faults faults;
    writ_contract_faults_init(&faults);
    struct contract_reader reader = {.contract = &contract, .arena = arena, .faults = &faults, .folder_fd = -1};
    struct writ_contract_test *test = &files->tests[files->count];
    contract_read_test(&reader, contract.yaml.root, test, 1);
    const char *path_copy = writ_arena_copy(arena, path, strlen(path));
    if (!writ_json_get(contract.yaml.root, "name"))
        test->name = path_copy;
    if (reader.out_of_memory || !path_copy)
        result = writ_error_memory(error);
    for (size_t i = 0; result == 0 && i < faults.count; i++)
        result = add_fault(files, path, WRIT_CONTRACT_INVALID, &faults.items[i], error);
    if (result == 0 && faults.count == 0) {
        files->documents[files->count] = (struct writ_yaml){.root = contract.yaml.root, .places = contract.yaml.places};
        files->paths[files->count++] = path_copy;
    }
    writ_contract_faults_clear(&faults);
    return result;
}

static int read_all(int tests_fd, struct dirent **names, size_t count, struct writ_test_files *files,
                    struct writ_error *error)
{
    files->tests = writ_arena_zalloc(&files->arena, count, sizeof *files->tests);
    files->documents = writ_arena_zalloc(&files->arena, count, sizeof *files->documents);
    files->paths = writ_arena_zalloc(&files->arena, count, sizeof *files->paths);
    if (!files->tests || !files->documents || !files->paths)
        return writ_error_memory(error);
    int result = 0;
    for (size_t i = 0; result == 0 && i < count; i++)
        result = read_file(tests_fd, names[i]->d_name, files, error);
    return result;
}

int writ_test_files_read(int folder_fd, struct writ_test_files *ret_files, struct writ_error *error)
{
    struct writ_test_files files = {.count = 0};
    writ_arena_init(&files.arena, ARENA_BYTES_MAX);
    WRIT_CLEANUP(writ_descriptor_close)
    int tests_fd = openat(folder_fd, "tests", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (tests_fd < 0 && errno != ENOENT)
        return writ_error_io(error, errno, "tests");
    struct dirent **names = NULL;
    int count = tests_fd < 0 ? 0 : scandirat(tests_fd, ".", &names, is_test_file, compare_names);
    int result = 0;
    if (count < 0 && errno == ENOMEM)
        result = writ_error_memory(error);
    else if (count < 0)
        result = writ_error_io(error, errno, "tests");
    else if (count > WRIT_TEST_FILES_MAX)
        result = writ_error_set(error, WRIT_INTERNAL_LIMIT, "tests holds more than %d test files; move some away",
                                WRIT_TEST_FILES_MAX);
    else
        result = read_all(tests_fd, names, (size_t)count, &files, error);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    if (result < 0)
        writ_arena_clear(&files.arena);
    else
        *ret_files = files;
    return result;
}

int writ_test_files_load(int folder_fd, struct writ_test_files *ret_files, struct writ_error *error)
{
    struct writ_test_files files;
    int result = writ_test_files_read(folder_fd, &files, error);
    if (result < 0)
        return result;
    if (files.fault_count == 0) {
        *ret_files = files;
        return 0;
    }
    const struct writ_test_file_fault *first = &files.faults[0];
    (void)writ_error_set(error, first->code, "%s: %s%s%s", first->path, first->field, first->field[0] ? ": " : "",
                         first->message);
    result = writ_error_at(error, first->path, first->line, first->column);
    writ_test_files_clear(&files);
    return result;
}

void writ_test_files_clear(struct writ_test_files *files)
{
    writ_arena_clear(&files->arena);
    *files = (struct writ_test_files){.arena = files->arena};
}
