/* A new skill's folder comes into being whole or not at all, never over anything, never where a link of others leads.
 */
#include "folders.h"
#include "skill/catalog.h"
#include "skill/scaffold_place.h"
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The linker leads every call of these here (--wrap).  At the given one the process is killed, or the call fails. */
static int calls, dies_at, fails_at, swaps_at;

static void swap_hidden(void);

static bool comes_through(void)
{
    calls++;
    if (calls == dies_at)
        (void)kill(getpid(), SIGKILL);
    if (calls == swaps_at)
        swap_hidden();
    errno = ENOSPC;
    return calls != fails_at && calls != swaps_at;
}

int __real_mkdirat(int, const char *, mode_t);
int __wrap_mkdirat(int, const char *, mode_t);
int __wrap_mkdirat(int fd, const char *name, mode_t mode)
{
    return comes_through() ? __real_mkdirat(fd, name, mode) : -1;
}
int __real_renameat(int, const char *, int, const char *);
int __wrap_renameat(int, const char *, int, const char *);
int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    return comes_through() ? __real_renameat(from_fd, from, to_fd, to) : -1;
}
int __real_writ_descriptor_write_all(int, const void *, size_t);
int __wrap_writ_descriptor_write_all(int, const void *, size_t);
int __wrap_writ_descriptor_write_all(int fd, const void *bytes, size_t length)
{
    return comes_through() ? __real_writ_descriptor_write_all(fd, bytes, length) : -errno;
}

static struct writ_scaffold scaffold;

static int set_up(void **state)
{
    struct writ_error error;
    calls = dies_at = fails_at = swaps_at = 0;
    if (folders_set_up(state) != 0)
        return -1;
    return writ_scaffold_fill(&(struct writ_scaffold_wish){.language = "python", .folder_name = "new"}, &scaffold,
                              &error);
}

static int tear_down(void **state)
{
    writ_scaffold_clear(&scaffold);
    return folders_tear_down(state);
}

static int open_and_write(const char *path, struct writ_error *error)
{
    struct writ_scaffold_place place = {.base_fd = -1};
    int result = writ_scaffold_place_open(path, &place, error);
    if (result == 0)
        result = writ_scaffold_write(&scaffold, &place, error);
    writ_scaffold_place_clear(&place);
    return result;
}

static void made(const char *path, const char *folder)
{
    struct writ_error error;
    if (open_and_write(folders_path(path), &error) != 0)
        fail_msg("%s: %s", path, error.message);
    struct writ_skill *skill;
    if (writ_catalog_open_folder(folders_path(folder), &skill, &error) != 0)
        fail_msg("%s: %s", folder, error.message);
    writ_skill_free(skill);
}

static void refused(const char *path, const char *part)
{
    struct writ_error error;
    assert_int_equal(open_and_write(folders_path(path), &error), WRIT_USAGE);
    if (!strstr(error.message, part))
        fail_msg("%s: `%s` is not in: %s", path, part, error.message);
}

/* The names in a folder, sorted, with a space behind each. */
static const char *names_in(const char *path)
{
    static char names[1024];
    struct dirent **entries;
    int count = scandir(folders_path(path), &entries, NULL, alphasort);
    names[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t used = strlen(names);
        if (entries[i]->d_name[0] != '.' || strlen(entries[i]->d_name) > 2)
            (void)snprintf(names + used, sizeof names - used, "%s ", entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return names;
}

static ino_t inode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(folders_path(path), &status), 0);
    return status.st_ino;
}

#define WHOLE "README.md SKILL.md main.py skill.yaml tests "

static void where_it_may_lie(void **state)
{
    (void)state;
    made("new", "new");
    assert_string_equal(names_in("new"), WHOLE);
    made("a/b//new/", "a/b/new");
    made("a/b/.././//c/new", "a/c/new");
    folders_make("empty/new");
    ino_t before = inode_of("empty/new");
    made("empty/new/.", "empty/new");
    assert_int_equal(inode_of("empty/new"), before);
    assert_string_equal(names_in("empty/new"), WHOLE);
    folders_link("link", "a");
    made("link/b/../new", "a/new");
    assert_string_equal(names_in(""), "a empty link new ");
    assert_string_equal(names_in("a"), "b c new ");
}

static void modes_follow_the_umask(void **state)
{
    struct stat status;
    (void)state;
    (void)umask(077);
    made("deep/new", "deep/new");
    assert_int_equal(stat(folders_path("deep"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(stat(folders_path("deep/new/main.py"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    (void)umask(0);
    made("open/new", "open/new");
    assert_int_equal(stat(folders_path("open/new"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0755);
    assert_int_equal(stat(folders_path("open/new/skill.yaml"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0644);
}

static void nothing_is_written_over(void **state)
{
    (void)state;
    folders_write("full/new/note", "mine");
    refused("full/new", "`note` is in it");
    folders_write("file", "mine");
    refused("file", "is no folder");
    refused("file/new", "is no folder");
    refused("gone/../new", "goes up");
    folders_make("target");
    folders_link("last", "target");
    refused("last", "is a symbolic link");
    refused("last/", "is a symbolic link");
    folders_link("nowhere", "missing");
    refused("nowhere", "is a symbolic link");
    assert_string_equal(names_in("target"), "");
    assert_string_equal(names_in("full/new"), "note ");
}

static void links_of_others_are_not_followed(void **state)
{
    (void)state;
    folders_make("target");
    folders_make("shared");
    folders_link("shared/way", "../target");
    folders_mode("shared", 0777);
    refused("shared/way/new", "can be changed by others");
    /* With the sticky bit nobody else can change this one. */
    folders_mode("shared", 01777);
    made("shared/way/new", "target/new");
    if (geteuid() != 0)
        return;
    folders_make("safe");
    folders_link("safe/way", "../target");
    assert_int_equal(lchown(folders_path("safe/way"), 12345, 12345), 0);
    refused("safe/way/other", "can be changed by others");
}

/* What comes into being between the look and the writing stays. */
static void what_comes_meanwhile_stays(void **state)
{
    struct writ_scaffold_place place, empty;
    struct writ_error error;
    (void)state;
    folders_make("empty/new");
    assert_int_equal(writ_scaffold_place_open(folders_path("new"), &place, &error), 0);
    assert_int_equal(writ_scaffold_place_open(folders_path("empty/new"), &empty, &error), 0);
    folders_write("new/note", "mine");
    folders_write("empty/new/main.py", "mine");
    assert_int_equal(writ_scaffold_write(&scaffold, &place, &error), WRIT_USAGE);
    assert_int_equal(writ_scaffold_write(&scaffold, &empty, &error), WRIT_INTERNAL_IO);
    assert_string_equal(names_in("new"), "note ");
    assert_string_equal(names_in("empty/new"), "main.py ");
    assert_string_equal(names_in(""), "empty new ");
    writ_scaffold_place_clear(&place);
    writ_scaffold_place_clear(&empty);
}

/* Whoever owns the folder around it: moves the hidden folder away and another into its place. */
static void swap_hidden(void)
{
    struct dirent **entries;
    int count = scandir(folders_path(""), &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char hidden[PATH_MAX], aside[PATH_MAX];
        (void)snprintf(hidden, sizeof hidden, "%s", folders_path(entries[i]->d_name));
        (void)snprintf(aside, sizeof aside, "%s", folders_path("aside"));
        if (strncmp(entries[i]->d_name, ".writ-init-", 11) == 0) {
            assert_int_equal(rename(hidden, aside), 0);
            assert_int_equal(rename(folders_path("precious"), hidden), 0);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Only what was written is taken away again, whatever stands in its place by then. */
static void what_was_put_in_its_place_stays(void **state)
{
    (void)state;
    for (int at = 2; at < 6; at++) {
        struct writ_error error;
        char hidden[PATH_MAX] = "";
        folders_make("precious/deep");
        folders_write("precious/deep/note", "mine");
        folders_write("precious/README.md", "mine");
        calls = 0;
        swaps_at = at;
        assert_int_equal(open_and_write(folders_path("new"), &error), WRIT_INTERNAL_IO);
        swaps_at = 0;
        struct dirent **entries;
        int count = scandir(folders_path(""), &entries, NULL, alphasort);
        for (int i = 0; i < count; i++) {
            if (strncmp(entries[i]->d_name, ".writ-init-", 11) == 0)
                (void)snprintf(hidden, sizeof hidden, "%s", entries[i]->d_name);
            free(entries[i]);
        }
        free(entries);
        assert_string_not_equal(hidden, "");
        assert_string_equal(names_in(hidden), "README.md deep ");
        (void)snprintf(hidden + strlen(hidden), sizeof hidden - strlen(hidden), "/deep");
        assert_string_equal(names_in(hidden), "note ");
        assert_string_equal(names_in("aside"), "");
        hidden[strlen(hidden) - strlen("/deep")] = '\0';
        char from[PATH_MAX];
        (void)snprintf(from, sizeof from, "%s", folders_path(hidden));
        assert_int_equal(rename(from, folders_path("precious")), 0);
        assert_int_equal(rmdir(folders_path("aside")), 0);
    }
}

static void a_failure_leaves_nothing(void **state)
{
    (void)state;
    int seen = 0;
    for (int at = 1; at < 100; at++) {
        struct writ_error error;
        calls = 0;
        fails_at = at;
        int result = open_and_write(folders_path("deep/er/new"), &error);
        fails_at = 0;
        if (result == 0)
            break;
        assert_int_equal(result, WRIT_INTERNAL_IO);
        assert_string_equal(names_in(""), "");
        seen++;
    }
    assert_true(seen > 8);
    folders_remove("deep");
    folders_make("new");
    for (int at = 1; at < 100; at++) {
        struct writ_error error;
        calls = 0;
        fails_at = at;
        int result = open_and_write(folders_path("new"), &error);
        fails_at = 0;
        if (result == 0)
            return;
        assert_string_equal(names_in("new"), "");
    }
    fail_msg("it never came through");
}

/* True when the catalog would take something in the folder for a skill, and that is not a whole one. */
static void judge_left(const char *folder)
{
    const struct writ_places places = {
        .working = folders_root, .config = "/nonexistent/a", .data = "/nonexistent/b", .path = "/usr/bin"};
    const char *folders[] = {folders_path(folder)};
    const struct writ_catalog_options options = {.places = &places, .skill_folders = folders, .skill_folder_count = 1};
    struct writ_catalog catalog;
    struct writ_error error;
    assert_int_equal(writ_catalog_list(&options, &catalog, &error), 0);
    for (size_t i = 0; i < catalog.count; i++) {
        assert_non_null(catalog.skills[i]->contract);
        char inside[PATH_MAX];
        (void)snprintf(inside, sizeof inside, "%s/new", folder);
        const char *names = names_in(inside);
        /* Where the folder was there before, the hidden one may be left in it. */
        if (strncmp(names, ".writ-init-", 11) == 0)
            names = strchr(names, ' ') + 1;
        assert_string_equal(names, WHOLE);
    }
    writ_catalog_clear(&catalog);
}

static void a_killed_process_leaves_no_half_skill(void **state)
{
    (void)state;
    for (unsigned existing = 0; existing < 2; existing++) {
        bool whole = false;
        for (int at = 1; !whole && at < 100; at++) {
            folders_make(existing ? "place/new" : "place");
            pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0) {
                struct writ_error error;
                calls = 0;
                dies_at = at;
                _exit(open_and_write(folders_path("place/new"), &error) == 0 ? 0 : 1);
            }
            int status;
            assert_int_equal(waitpid(child, &status, 0), child);
            whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            assert_true(whole || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
            judge_left("place");
            folders_remove("place");
        }
        assert_true(whole);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(where_it_may_lie),
        TEST(modes_follow_the_umask),
        TEST(nothing_is_written_over),
        TEST(links_of_others_are_not_followed),
        TEST(what_comes_meanwhile_stays),
        TEST(what_was_put_in_its_place_stays),
        TEST(a_failure_leaves_nothing),
        TEST(a_killed_process_leaves_no_half_skill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
