/* Interfaces "Paths": what a program may leave where it may write, and that looking afterwards cannot be evaded. */
#include "../skill/folders.h"
#include "base/descriptor.h"
#include "run/leftovers.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct writ_prepared *prepared;
static struct writ_arena arena;
static struct writ_leftovers_start start;

/* Grants `out` for writing and lets the clock go on, so that what was there before is older than the start. */
static int set_up(void **state)
{
    if (folders_set_up(state) != 0)
        return -1;
    writ_arena_init(&arena, 1 << 20);
    prepared = writ_prepared_new();
    folders_make("out/sub");
    folders_link("out/old", "anywhere");
    folders_write("out/sub/file", "x");
    return prepared ? 0 : -1;
}

static void grant(const char *path, bool is_folder)
{
    char full[128];
    (void)snprintf(full, sizeof full, "%s/%s", folders_root, path);
    prepared->grants[prepared->grant_count++] = (struct writ_grant){.path = writ_arena_copy(&arena, full, strlen(full)),
                                                                    .is_folder = is_folder,
                                                                    .write = true,
                                                                    .fd = open(full, O_PATH | O_CLOEXEC),
                                                                    .folder_fd = -1};
    assert_true(prepared->grants[prepared->grant_count - 1].fd >= 0);
}

/* Begins once all that was changed until now is older than the beginning. */
static void begin(void)
{
    struct stat status;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/clock", folders_root);
    folders_write("clock", "");
    assert_int_equal(lstat(path, &status), 0);
    const struct timespec pause = {.tv_nsec = 1000000};
    for (unsigned tries = 0; tries < 10000; tries++) {
        writ_leftovers_begin(&start);
        if (start.real.tv_sec > status.st_ctim.tv_sec ||
            (start.real.tv_sec == status.st_ctim.tv_sec && start.real.tv_nsec > status.st_ctim.tv_nsec))
            return;
        (void)ppoll(NULL, 0, &pause, NULL);
    }
    fail_msg("the clock stands still");
}

static int tear_down(void **state)
{
    writ_prepared_free(prepared, true);
    writ_arena_clear(&arena);
    return folders_tear_down(state);
}

static void nothing_is_found(void)
{
    struct writ_denial denial = {.kind = NULL};
    struct writ_error error;
    if (writ_leftovers_check(prepared, &start, &arena, &denial, &error) < 0)
        fail_msg("%s", error.message);
    assert_null(denial.kind);
}

static void is_told(const char *what, const char *place)
{
    struct writ_denial denial = {.kind = NULL};
    struct writ_error error;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folders_root, place);
    assert_int_equal(writ_leftovers_check(prepared, &start, &arena, &denial, &error), WRIT_FILESYSTEM_DENIED);
    if (!strstr(error.message, what))
        fail_msg("said: %s", error.message);
    assert_string_equal(denial.kind, "filesystem:write");
    assert_string_equal(denial.what, path);
}

static void what_was_there_before_is_not_the_programs(void **state)
{
    (void)state;
    grant("out", true);
    begin();
    nothing_is_found();
    folders_write("out/sub/new", "x");
    folders_make("out/folder/below");
    nothing_is_found();
}

static void links_are_found_at_any_depth(void **state)
{
    (void)state;
    grant("out", true);
    begin();
    folders_make("out/a/b/c");
    folders_link("out/a/b/c/link", "/etc/shadow");
    is_told("a symbolic link", "out/a/b/c/link");
}

static void pipes_and_set_id_files_are_found(void **state)
{
    (void)state;
    grant("out", true);
    begin();
    char path[128];
    (void)snprintf(path, sizeof path, "%s/out/pipe", folders_root);
    assert_int_equal(mkfifo(path, 0600), 0);
    is_told("neither regular nor a folder", "out/pipe");
    assert_int_equal(unlink(path), 0);
    folders_mode("out/sub/file", 04755);
    is_told("set-id", "out/sub/file");
    folders_mode("out/sub/file", 0755);
    nothing_is_found();
}

static void a_file_granted_by_itself_is_looked_at(void **state)
{
    (void)state;
    grant("out/sub/file", false);
    begin();
    nothing_is_found();
    folders_mode("out/sub/file", 02755);
    is_told("set-id", "out/sub/file");
}

static void what_is_only_read_is_not_looked_at(void **state)
{
    (void)state;
    grant("out", true);
    prepared->grants[0].write = false;
    begin();
    folders_link("out/new", "x");
    nothing_is_found();
}

/* A program that may not leave a link may not hide one either: what it closed to its caller is told. */
static void a_folder_that_was_closed_is_told(void **state)
{
    (void)state;
    bool was_root = geteuid() == 0;
    const uid_t somebody = 61000;
    grant("out", true);
    if (was_root) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s/out/sub", folders_root);
        assert_int_equal(chmod(folders_root, 0755), 0);
        assert_int_equal(chown(path, somebody, (gid_t)-1), 0);
    }
    begin();
    folders_mode("out/sub", 0);
    if (was_root)
        assert_int_equal(seteuid(somebody), 0);
    struct writ_denial denial = {.kind = NULL};
    struct writ_error error;
    int result = writ_leftovers_check(prepared, &start, &arena, &denial, &error);
    if (was_root)
        assert_int_equal(seteuid(0), 0);
    folders_mode("out/sub", 0700);
    assert_int_equal(result, WRIT_FILESYSTEM_DENIED);
    assert_non_null(strstr(error.message, "could not be looked at"));
    assert_non_null(strstr(denial.what, "out/sub"));
}

/* Closed before the run it was closed to the program, too. */
static void a_folder_that_was_closed_before_is_passed_over(void **state)
{
    (void)state;
    bool was_root = geteuid() == 0;
    grant("out", true);
    folders_mode("out/sub", 0);
    if (was_root)
        assert_int_equal(chmod(folders_root, 0755), 0);
    begin();
    if (was_root)
        assert_int_equal(seteuid(61000), 0);
    struct writ_denial denial = {.kind = NULL};
    struct writ_error error;
    int result = writ_leftovers_check(prepared, &start, &arena, &denial, &error);
    if (was_root)
        assert_int_equal(seteuid(0), 0);
    folders_mode("out/sub", 0700);
    assert_int_equal(result, 0);
}

static void what_lies_too_deep_is_told(void **state)
{
    (void)state;
    char path[1024] = "out";
    grant("out", true);
    begin();
    for (unsigned i = 0; i < 70; i++)
        (void)snprintf(path + 3 + 2 * i, sizeof path - 3 - 2 * i, "/d");
    folders_make(path);
    struct writ_denial denial;
    struct writ_error error;
    assert_int_equal(writ_leftovers_check(prepared, &start, &arena, &denial, &error), WRIT_FILESYSTEM_DENIED);
    assert_non_null(strstr(error.message, "deeper folders"));
}

/* The clock was set back by an hour meanwhile: change times are earlier than the start was, by the clock of then. */
static void a_clock_that_was_set_back_hides_nothing(void **state)
{
    (void)state;
    folders_remove("out/old"); /* younger than a second: it would be told as well, and first in some folders */
    grant("out", true);
    begin();
    folders_link("out/new", "x");
    start.real.tv_sec += 3600;
    is_told("a symbolic link", "out/new");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_was_there_before_is_not_the_programs),
        CASE(links_are_found_at_any_depth),
        CASE(pipes_and_set_id_files_are_found),
        CASE(a_file_granted_by_itself_is_looked_at),
        CASE(what_is_only_read_is_not_looked_at),
        CASE(a_folder_that_was_closed_is_told),
        CASE(a_folder_that_was_closed_before_is_passed_over),
        CASE(what_lies_too_deep_is_told),
        CASE(a_clock_that_was_set_back_hides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
