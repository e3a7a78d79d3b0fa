/* Folders of schemas as remote documents. */
#include "schema_case.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "data/schema_remote.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof(folder), "/tmp/writ-test-remote-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    struct writ_error error;
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    int folder_fd = -1;
    assert_int_equal(writ_folder_make(path, 0700, &folder_fd, &error), 0);
    assert_int_equal(writ_file_write_atomic(folder_fd, slash + 1, 0600, text, strlen(text), &error), 0);
    writ_descriptor_close(&folder_fd);
}

static int remove_below(int folder_fd)
{
    DIR *entries = fdopendir(folder_fd);
    if (!entries)
        return -1;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(entries), entry->d_name, 0) != 0) {
            int inner = openat(dirfd(entries), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (inner >= 0)
                (void)remove_below(inner);
            (void)unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
        }
    }
    return closedir(entries);
}

static int remove_folder(void **state)
{
    (void)state;
    int folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder_fd < 0 || remove_below(folder_fd) || rmdir(folder);
}

static void a_tree_is_registered_under_its_url(void **state)
{
    (void)state;
    write_file("int.json", "{\"type\":\"integer\"}");
    write_file("deep/er/a b.json", "{\"$ref\":\"../../int.json\"}");
    write_file("notes.txt", "not json");
    write_file(".hidden.json", "not json");
    char link[128];
    (void)snprintf(link, sizeof(link), "%s/link.json", folder);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema_registry *registry;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(writ_schema_registry_new(&registry, &error), 0);
    assert_int_equal(writ_schema_registry_add_folder(registry, "http://x/base", folder, &arena, &error), 0);
    struct writ_schema_options options = {.registry = registry};
    static const struct schema_case rows[] = {
        {"{\"$ref\":\"http://x/base/int.json\"}", "\"a\"", ". http://x/base/int.json#/type type"},
        {"{\"$ref\":\"http://x/base/deep/er/a%20b.json\"}", "\"a\"", ". http://x/base/int.json#/type type"},
    };
    case_run_all(rows, WRIT_COUNT(rows), &options);
    case_refused("{\"$ref\":\"http://x/base/link.json\"}", &options, "/$ref", "not registered");
    case_refused("{\"$ref\":\"http://x/base/.hidden.json\"}", &options, "/$ref", "not registered");
    /* The same once more: every URI is taken. */
    assert_int_equal(writ_schema_registry_add_folder(registry, "http://x/base/", folder, &arena, &error),
                     WRIT_SCHEMA_INVALID);
    assert_non_null(strstr(error.subject, ".json"));
    writ_schema_registry_free(registry);
    writ_arena_clear(&arena);
}

static void a_bad_file_is_named(void **state)
{
    (void)state;
    write_file("bad.json", "{\n \"a\":}");
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema_registry *registry;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(writ_schema_registry_new(&registry, &error), 0);
    assert_int_equal(writ_schema_registry_add_folder(registry, "http://x", folder, &arena, &error), WRIT_DATA_SYNTAX);
    assert_non_null(strstr(error.subject, "/bad.json"));
    assert_int_equal(error.line, 2);
    assert_int_equal(writ_schema_registry_add_folder(registry, "http://x", "/nonexistent", &arena, &error),
                     WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, ENOENT);
    writ_schema_registry_free(registry);
    writ_arena_clear(&arena);
}

static void a_tree_that_is_too_deep_is_refused(void **state)
{
    (void)state;
    char name[128] = "";
    for (int i = 0; i < WRIT_SCHEMA_FOLDER_DEPTH_MAX + 1; i++)
        (void)snprintf(name + i * 2, sizeof(name) - (size_t)i * 2, "d/");
    (void)snprintf(name + (WRIT_SCHEMA_FOLDER_DEPTH_MAX + 1) * 2, 16, "a.json");
    write_file(name, "{}");
    struct writ_arena arena;
    struct writ_error error;
    struct writ_schema_registry *registry;
    writ_arena_init(&arena, 1 << 20);
    assert_int_equal(writ_schema_registry_new(&registry, &error), 0);
    assert_int_equal(writ_schema_registry_add_folder(registry, "http://x", folder, &arena, &error),
                     WRIT_INTERNAL_LIMIT);
    writ_schema_registry_free(registry);
    writ_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tree_is_registered_under_its_url, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_bad_file_is_named, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_tree_that_is_too_deep_is_refused, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
