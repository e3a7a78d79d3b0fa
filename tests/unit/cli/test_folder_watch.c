/* What a watch takes for a change, whatever tells it to look. */
#include "../skill/folders.h"
#include "cli/folder_watch.h"
#include "support.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

/* The linker leads every call of this here (--wrap). */
static bool without_inotify;

int __real_inotify_init1(int);
int __wrap_inotify_init1(int);
int __wrap_inotify_init1(int flags)
{
    errno = EMFILE;
    return without_inotify ? -1 : __real_inotify_init1(flags);
}

static struct cli_folder_watch *watch;
static struct cli_changes changes;

static int set_up(void **state)
{
    without_inotify = false;
    watch = NULL;
    return folders_set_up(state);
}

static int tear_down(void **state)
{
    cli_folder_watch_free(watch);
    return folders_tear_down(state);
}

static void begin(const char *folder)
{
    struct writ_error error;
    assert_int_equal(cli_folder_watch_new(folders_path(folder), &watch, &error), 0);
    assert_string_equal(cli_folder_watch_folder(watch), folders_path(folder));
}

/* Waits for the next change; the descriptor ends the wait when there is none. */
static enum cli_folder_watch_end wait_for(int cancel_fd)
{
    struct writ_error error;
    enum cli_folder_watch_end end;
    if (cli_folder_watch_wait(&watch, 1, cancel_fd, &changes, &end, &error) != 0)
        fail_msg("%s", error.message);
    return end;
}

static void changed(size_t index, enum cli_change_kind kind, const char *path)
{
    assert_true(index < changes.count);
    assert_string_equal(changes.items[index].path, path);
    assert_int_equal(changes.items[index].kind, kind);
}

static void what_came_before_the_wait_counts(void **state)
{
    (void)state;
    folders_write("s/a", "1");
    folders_write("s/gone", "1");
    begin("s");
    folders_write("s/a", "12");
    folders_write("s/deep/new", "1");
    folders_remove("s/gone");
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_int_equal(changes.total, 4);
    changed(0, CLI_CHANGED, "a");
    changed(1, CLI_ADDED, "deep");
    changed(2, CLI_ADDED, "deep/new");
    changed(3, CLI_REMOVED, "gone");
    /* the new folder is looked after, too */
    folders_mode("s/deep/new", 0600);
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_int_equal(changes.total, 1);
    changed(0, CLI_CHANGED, "deep/new");
}

static void what_lies_beside_the_files_is_passed_over(void **state)
{
    static const char *const names[] = {
        ".git/index",    ".hg/x",       ".svn/x",       "__pycache__/x", "deep/__pycache__/x", "4913",
        "main.c~",       ".main.c.swp", ".x.swx",       ".#x",           "deep/#main.py#",     ".goutputstream-ABC",
        "a___jb_tmp___", "main",        ".main.0123abc"};
    (void)state;
    folders_write("s/deep/main.py", "1");
    folders_write("s/main.c", "1");
    begin("s");
    for (size_t i = 0; i < WRIT_COUNT(names); i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "s/%s", names[i]);
        folders_write(path, "x");
    }
    folders_write("s/deep/main", "x");
    folders_write("s/.swp", "x");
    folders_write("s/#main", "x");
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_int_equal(changes.total, 3);
    changed(0, CLI_ADDED, "#main");
    changed(1, CLI_ADDED, ".swp");
    changed(2, CLI_ADDED, "deep/main");
    /* without its source `main` is the author's own */
    folders_remove("s/main.c");
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    changed(0, CLI_ADDED, ".main.0123abc");
    changed(1, CLI_ADDED, "main");
    changed(2, CLI_REMOVED, "main.c");
}

static void a_folder_may_go_and_come(void **state)
{
    (void)state;
    folders_write("s/a", "1");
    folders_write("other/b", "1");
    begin("s");
    assert_int_equal(rename(folders_path("s"), folders_path("away")), 0);
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_int_equal(changes.total, 1);
    changed(0, CLI_REMOVED, "");
    assert_int_equal(rename(folders_path("other"), folders_path("s")), 0);
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_int_equal(changes.total, 1);
    changed(0, CLI_ADDED, "");
    folders_write("s/b", "12");
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    changed(0, CLI_CHANGED, "b");
}

/* No inotify, as when a user's are used up: it looks by the clock. */
static void it_does_without_inotify(void **state)
{
    (void)state;
    without_inotify = true;
    folders_write("s/a", "1");
    begin("s");
    folders_write("s/a", "12");
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_int_equal(changes.total, 1);
    changed(0, CLI_CHANGED, "a");
}

static void a_wait_can_be_cancelled(void **state)
{
    (void)state;
    int fd = eventfd(1, EFD_CLOEXEC);
    assert_true(fd >= 0);
    folders_write("s/a", "1");
    begin("s");
    assert_int_equal(wait_for(fd), CLI_WATCH_CANCELLED);
    folders_write("s/a", "12");
    assert_int_equal(wait_for(fd), CLI_WATCH_CANCELLED);
    (void)close(fd);
    /* and what changed meanwhile is not forgotten */
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    changed(0, CLI_CHANGED, "a");
}

static void it_is_bounded(void **state)
{
    char path[32];
    (void)state;
    folders_write("s/a", "1");
    begin("s");
    assert_false(cli_folder_watch_is_cut(watch));
    for (unsigned i = 0; i < 1100; i++) {
        (void)snprintf(path, sizeof path, "s/b%04u", i);
        folders_make(path);
    }
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_true(cli_folder_watch_is_cut(watch));
    assert_int_equal(changes.total, 1100);
    assert_int_equal(changes.count, CLI_WATCH_CHANGES_MAX);
    folders_write("s/a", "12");
    assert_int_equal(wait_for(-1), CLI_WATCH_CHANGE);
    assert_int_equal(changes.total, 1);
    struct cli_folder_watch *many[65] = {watch};
    struct cli_changes *all = calloc(65, sizeof *all);
    struct writ_error error;
    enum cli_folder_watch_end end;
    assert_non_null(all);
    assert_int_equal(cli_folder_watch_wait(many, 65, -1, all, &end, &error), WRIT_INTERNAL_LIMIT);
    free(all);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_came_before_the_wait_counts), TEST(what_lies_beside_the_files_is_passed_over),
        TEST(a_folder_may_go_and_come),         TEST(it_does_without_inotify),
        TEST(a_wait_can_be_cancelled),          TEST(it_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
