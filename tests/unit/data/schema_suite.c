/*
 * The JSON Schema Test Suite, draft 2020-12, required tests: every verdict, by the fast check and by the fault finder.
 * The suite is not part of the project: without its folder (first argument) this says so and is skipped.
 */
#include "base/file.h"
#include "data/schema_explain.h"
#include "data/schema_remote.h"

#include <dirent.h>
#include <fcntl.h>

#define SKIPPED 77
#define ARENA_BYTES ((size_t)256 << 20)

struct tally {
    unsigned passed, failed, files;
};

static void run_group(const struct writ_schema_registry *registry, const char *file, const struct writ_json *group,
                      struct tally *tally)
{
    struct writ_error error;
    struct writ_schema *schema = NULL;
    struct writ_schema_options options = {.registry = registry};
    const char *name = writ_json_text(writ_json_get(group, "description"));
    if (writ_schema_compile(writ_json_get(group, "schema"), &options, &schema, &error))
        printf("%s: %s: not compiled: %s: %s\n", file, name, error.subject, error.message);
    WRIT_JSON_EACH_ITEM(test, writ_json_get(group, "tests"))
    {
        bool valid = writ_json_is_true(writ_json_get(test, "valid"));
        const struct writ_json *data = writ_json_get(test, "data");
        struct writ_arena arena;
        struct writ_schema_faults faults = {0};
        writ_arena_init(&arena, ARENA_BYTES);
        bool checked = schema && writ_schema_check(schema, data) == valid;
        bool explained = schema && writ_schema_find_faults(schema, data, 0, &arena, &faults, &error) == 0 &&
                         (faults.count == 0) == valid;
        if (!checked || !explained)
            printf("%s: %s: %s: must be %s; check says %s, the fault finder %s\n", file, name,
                   writ_json_text(writ_json_get(test, "description")), valid ? "valid" : "invalid",
                   checked ? "so" : "otherwise", explained ? "so" : "otherwise");
        tally->passed += checked && explained;
        tally->failed += !checked || !explained;
        writ_arena_clear(&arena);
    }
    writ_schema_free(schema);
}

static int run_file(int folder_fd, const char *file, const struct writ_schema_registry *registry, struct tally *tally)
{
    struct writ_error error;
    struct writ_buffer bytes;
    struct writ_arena arena;
    const struct writ_json *groups;
    writ_buffer_init(&bytes, (size_t)16 << 20);
    writ_arena_init(&arena, ARENA_BYTES);
    int result = writ_file_read(folder_fd, file, false, &bytes, &error);
    if (!result)
        result = writ_json_parse(&arena, bytes.data, bytes.length, &groups, &error);
    if (result) {
        printf("%s: %s\n", file, error.message);
    } else {
        WRIT_JSON_EACH_ITEM(group, groups)
        run_group(registry, file, group, tally);
        tally->files++;
    }
    writ_arena_clear(&arena);
    writ_buffer_clear(&bytes);
    return result;
}

int main(int argc, char **argv)
{
    char tests[4096], remotes[4096];
    const char *root = argc > 1 ? argv[1] : "";
    (void)snprintf(tests, sizeof(tests), "%s/draft2020-12", root);
    (void)snprintf(remotes, sizeof(remotes), "%s/remotes", root);
    DIR *folder = opendir(tests);
    if (!folder) {
        printf("SKIPPED: the JSON Schema Test Suite is not at `%s`; the project's own schema tests still ran\n", root);
        return SKIPPED;
    }
    struct writ_error error;
    struct writ_schema_registry *registry;
    struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES);
    if (writ_schema_registry_new(&registry, &error) ||
        writ_schema_registry_add_folder(registry, "http://localhost:1234/", remotes, &arena, &error)) {
        printf("remotes: %s: %s\n", error.subject, error.message);
        return EXIT_FAILURE;
    }
    struct tally tally = {0};
    bool read = true;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0)
            read &= run_file(dirfd(folder), entry->d_name, registry, &tally) == 0;
    }
    (void)closedir(folder);
    writ_schema_registry_free(registry);
    writ_arena_clear(&arena);
    printf("JSON Schema Test Suite, draft 2020-12: %u of %u required tests pass (%u files)\n", tally.passed,
           tally.passed + tally.failed, tally.files);
    return read && tally.failed == 0 && tally.passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
