/* Interfaces, "Trust before there are signatures". */
#include "base/file.h"
#include "folders.h"
#include "skill/catalog.h"
#include "support.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char home[128], config[128], working[128];
static struct writ_places places;

static int set_up(void **state)
{
    if (folders_set_up(state) != 0)
        return -1;
    (void)snprintf(home, sizeof home, "%s/home", folders_root);
    (void)snprintf(config, sizeof config, "%s/home/.config/writ", folders_root);
    (void)snprintf(working, sizeof working, "%s/home/work", folders_root);
    folders_make("home/work/project/.writ");
    places = (struct writ_places){.home = home, .config = config, .working = working};
    return 0;
}

static bool has(const char *path)
{
    bool trusted = false;
    struct writ_error error;
    if (writ_trust_has(&places, path, &trusted, &error) != 0)
        fail_msg("%s", error.message);
    return trusted;
}

static bool change(const char *path, bool add)
{
    bool changed = false;
    struct writ_error error;
    if (writ_trust_change(&places, path, add, &changed, &error) != 0)
        fail_msg("%s", error.message);
    return changed;
}

static void the_list_is_in_order(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    const struct writ_trusted_folder *folders;
    size_t count = 7;
    struct writ_error error;
    writ_arena_init(&arena, 1 << 16);
    assert_int_equal(writ_trust_list(&places, &arena, &folders, &count, &error), 0);
    assert_int_equal(count, 0); /* no configuration yet */
    folders_make("home/work/other");
    assert_true(change("project", true));
    assert_true(change("other", true));
    assert_int_equal(writ_trust_list(&places, &arena, &folders, &count, &error), 0);
    assert_int_equal(count, 2);
    assert_string_equal(folders[0].path, folders_path("home/work/project"));
    assert_string_equal(folders[1].path, folders_path("home/work/other"));
    assert_int_equal(strlen(folders[0].added), strlen("2026-11-30T12:00:00.123Z"));
    assert_true(change("other", false));
    assert_int_equal(writ_trust_list(&places, &arena, &folders, &count, &error), 0);
    assert_int_equal(count, 1);
}

static void refused(const char *path, int code, const char *part)
{
    bool changed = false;
    struct writ_error error;
    assert_int_equal(writ_trust_change(&places, path, true, &changed, &error), code);
    assert_false(changed);
    if (!strstr(error.message, part))
        fail_msg("the message lacks `%s`: %s", part, error.message);
}

static void folders_are_trusted_with_what_is_below(void **state)
{
    (void)state;
    assert_false(has(folders_path("home/work/project")));
    assert_true(change("project", true)); /* from the working directory */
    assert_false(change("project/../project/", true));
    assert_true(has(folders_path("home/work/project")));
    assert_true(has(folders_path("home/work/project/.writ/skills/x")));
    assert_false(has(folders_path("home/work/project2")));
    assert_false(has(folders_path("home/work")));
    assert_false(has("/"));
    assert_true(change(folders_path("home/work/project"), false));
    assert_false(change("project", false));
    assert_false(has(folders_path("home/work/project")));
}

static void links_are_resolved(void **state)
{
    (void)state;
    folders_link("home/work/link", "project");
    assert_true(change("link", true));
    assert_true(has(folders_path("home/work/project")));
    assert_false(has(folders_path("home/work/link")));
}

static void a_folder_that_is_gone_can_be_removed(void **state)
{
    (void)state;
    folders_make("home/work/old");
    assert_true(change("old", true));
    folders_remove("home/work/old");
    assert_true(change("old/", false));
    refused("old", WRIT_USAGE, "there is no folder");
}

static void too_much_is_not_trusted(void **state)
{
    (void)state;
    refused("/", WRIT_USAGE, "every folder");
    refused(home, WRIT_USAGE, "home folder");
    refused("/tmp", WRIT_USAGE, "written by everyone");
    folders_write("home/work/file", "");
    refused("file", WRIT_USAGE, "there is no folder");
    places.config = NULL;
    refused("project", WRIT_USAGE, "configuration folder");
}

static void broken(const char *text, const char *part)
{
    bool trusted, changed;
    struct writ_error error;
    folders_write("home/.config/writ/trust.json", text);
    assert_int_equal(writ_trust_has(&places, "/x", &trusted, &error), WRIT_INTERNAL_IO);
    if (!strstr(error.message, part))
        fail_msg("the message lacks `%s`: %s", part, error.message);
    /* nor is it overwritten */
    assert_int_equal(writ_trust_change(&places, "project", true, &changed, &error), WRIT_INTERNAL_IO);
}

static void what_cannot_be_understood_trusts_nothing(void **state)
{
    (void)state;
    broken("", "is not JSON");
    broken("{\"version\":1}", "no list of folders");
    broken("{\"folders\":[]}", "no format version");
    broken("{\"version\":2,\"folders\":[]}", "newer format");
    broken("{\"version\":1,\"folders\":[{\"path\":\"relative\"}]}", "absolute path");
    broken("{\"version\":1,\"folders\":[\"/x\"]}", "absolute path");
    folders_write("home/.config/writ/trust.json", "{\"version\":1,\"folders\":[{\"path\":\"/x\",\"note\":7}]}");
    assert_true(has("/x/y"));
    folders_mode("home/.config/writ/trust.json", 0666);
    broken("{\"version\":1,\"folders\":[]}", "written by others");
    folders_remove("home/.config/writ/trust.json");
    folders_write("home/real.json", "{\"version\":1,\"folders\":[{\"path\":\"/x\"}]}");
    folders_link("home/.config/writ/trust.json", folders_path("home/real.json"));
    bool trusted;
    struct writ_error error;
    assert_int_equal(writ_trust_has(&places, "/x", &trusted, &error), WRIT_INTERNAL_IO);
}

static void the_file_is_as_documented(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    struct writ_error error;
    char expected[256];
    assert_true(change("project", true));
    writ_buffer_init(&text, 4096);
    assert_int_equal(writ_file_read(AT_FDCWD, folders_path("home/.config/writ/trust.json"), true, &text, &error), 0);
    (void)snprintf(expected, sizeof expected, "{\"version\":1,\"folders\":[{\"path\":\"%s\",\"added\":\"20",
                   folders_path("home/work/project"));
    assert_int_equal(strncmp(writ_buffer_text(&text), expected, strlen(expected)), 0);
    struct stat status;
    assert_int_equal(stat(folders_path("home/.config/writ/trust.json"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

/* Several processes at once are normal: none loses what another adds. */
static void writers_do_not_lose_each_other(void **state)
{
    (void)state;
    enum { WRITERS = 8 };
    char path[64];
    for (int i = 0; i < WRITERS; i++) {
        (void)snprintf(path, sizeof path, "home/work/p%d", i);
        folders_make(path);
    }
    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            bool changed;
            struct writ_error error;
            (void)snprintf(path, sizeof path, "p%d", i);
            _exit(writ_trust_change(&places, path, true, &changed, &error) == 0 && changed ? 0 : 1);
        }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        (void)snprintf(path, sizeof path, "home/work/p%d", i);
        assert_true(has(folders_path(path)));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, folders_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_list_is_in_order),      TEST(folders_are_trusted_with_what_is_below),
        TEST(links_are_resolved),        TEST(a_folder_that_is_gone_can_be_removed),
        TEST(too_much_is_not_trusted),   TEST(what_cannot_be_understood_trusts_nothing),
        TEST(the_file_is_as_documented), TEST(writers_do_not_lose_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
