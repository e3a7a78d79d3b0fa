/* S4.3: what a path of the input may be granted as. */
#include "run/resolve.h"

#include "base/descriptor.h"
#include "support.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    char folder[PATH_MAX]; /* canonical, mode 0755, ours */
    struct writ_arena arena;
    struct writ_places places;
    struct writ_never_granted never;
    struct writ_resolve_options options;
};

static void put_file(const struct fixture *fixture, const char *name)
{
    char path[PATH_MAX + 64];
    (void)snprintf(path, sizeof path, "%s/%s", fixture->folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(writ_descriptor_write_all(fd, "x", 1), 0);
    writ_descriptor_close(&fd);
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    char template[] = "/tmp/writ-resolve-XXXXXX";
    assert_non_null(mkdtemp(template));
    assert_non_null(realpath(template, fixture->folder));
    assert_int_equal(chmod(fixture->folder, 0755), 0);
    assert_int_equal(chdir(fixture->folder), 0);
    writ_arena_init(&fixture->arena, 1 << 20);
    fixture->places = (struct writ_places){.home = "/nonexistent/home",
                                           .config = "/nonexistent/config",
                                           .data = "/nonexistent/data",
                                           .state = "/nonexistent/state",
                                           .cache = "/nonexistent/cache",
                                           .path = "/usr/bin:/bin",
                                           .working = fixture->folder};
    fixture->options = (struct writ_resolve_options){.never = &fixture->never, .working_folder = fixture->folder};
    put_file(fixture, "plain");
    assert_int_equal(mkdir("sub", 0755), 0);
    put_file(fixture, "sub/inner");
    *state = fixture;
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(chdir("/"), 0);
    (void)nftw(fixture->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    writ_arena_clear(&fixture->arena);
    free(fixture);
    return 0;
}

/* The places may have been changed since the last time. */
static int resolve(struct fixture *fixture, const char *path, bool write, struct writ_resolved *ret_resolved,
                   struct writ_error *error)
{
    assert_int_equal(writ_never_granted_fill(&fixture->places, &fixture->arena, &fixture->never, error), 0);
    return writ_resolve_grant(&fixture->options, path, write, true, &fixture->arena, ret_resolved, error);
}

static void granted_as(struct fixture *fixture, const char *path, bool write, const char *expected)
{
    struct writ_resolved resolved;
    struct writ_error error = {.code = WRIT_OK};
    char full[PATH_MAX + 64];
    int result = resolve(fixture, path, write, &resolved, &error);
    if (result < 0)
        print_message("%s: %s\n", path, error.message);
    assert_int_equal(result, 0);
    (void)snprintf(full, sizeof full, "%s%s%s", fixture->folder, expected[0] ? "/" : "", expected);
    assert_string_equal(resolved.path, full);
    struct stat by_name, by_descriptor;
    assert_int_equal(lstat(full, &by_name), 0);
    assert_int_equal(fstat(resolved.fd, &by_descriptor), 0);
    assert_true(by_name.st_ino == by_descriptor.st_ino);
    writ_descriptor_close(&resolved.fd);
    writ_descriptor_close(&resolved.folder_fd);
}

static void denied_with(struct fixture *fixture, const char *path, bool write, const char *part)
{
    struct writ_resolved resolved = {.fd = -7};
    struct writ_error error;
    int result = resolve(fixture, path, write, &resolved, &error);
    assert_int_equal(result, WRIT_FILESYSTEM_DENIED);
    if (!strstr(error.message, part))
        print_message("%s: said \"%s\", wanted \"%s\"\n", path, error.message, part);
    assert_non_null(strstr(error.message, part));
    assert_int_equal(resolved.fd, -7); /* outputs are written on success only */
}

static void plain_paths_are_granted_by_descriptor(void **state)
{
    struct fixture *fixture = *state;
    granted_as(fixture, "plain", false, "plain");
    granted_as(fixture, "./sub/../plain", false, "plain");
    granted_as(fixture, "sub//inner", false, "sub/inner");
    granted_as(fixture, "sub/", false, "sub");
    granted_as(fixture, ".", false, "");
    char absolute[PATH_MAX + 16];
    (void)snprintf(absolute, sizeof absolute, "%s/plain", fixture->folder);
    granted_as(fixture, absolute, true, "plain");
}

static void a_final_link_is_refused(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(symlink("/etc/shadow", "report.pdf"), 0);
    assert_int_equal(symlink("plain", "alias"), 0);
    denied_with(fixture, "report.pdf", false, "is a symbolic link");
    denied_with(fixture, "alias", false, "is a symbolic link");
    denied_with(fixture, "alias", true, "is a symbolic link");
}

static void a_link_in_the_middle_is_followed_only_where_nobody_else_could_plant_it(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(symlink("sub", "way"), 0);
    granted_as(fixture, "way/inner", false, "sub/inner");
    assert_int_equal(symlink(fixture->folder, "home"), 0);
    granted_as(fixture, "home/way/inner", false, "sub/inner");
    assert_int_equal(mkdir("open", 0777), 0);
    assert_int_equal(chmod("open", 01777), 0);
    assert_int_equal(symlink("../sub", "open/way"), 0);
    denied_with(fixture, "open/way/inner", false, "others could have planted");
    assert_int_equal(symlink("loop", "loop"), 0);
    denied_with(fixture, "loop/x", false, "symbolic links");
}

static void only_files_and_folders_are_granted(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(mkfifo("pipe", 0644), 0);
    denied_with(fixture, "pipe", false, "neither a regular file nor a folder");
    denied_with(fixture, "missing", false, "does not exist");
    denied_with(fixture, "plain/below", false, "not a folder");
    denied_with(fixture, "/dev/null", false, "ever granted");
    denied_with(fixture, "/proc/self/environ", false, "ever granted");
}

static void accounts_and_own_state_are_never_granted(void **state)
{
    struct fixture *fixture = *state;
    denied_with(fixture, "/etc/shadow", false, "ever granted");
    denied_with(fixture, "/etc", false, "ever granted");
    denied_with(fixture, "/", false, "ever granted");
    char state_folder[PATH_MAX + 16];
    (void)snprintf(state_folder, sizeof state_folder, "%s/sub", fixture->folder);
    fixture->places.state = state_folder;
    denied_with(fixture, "sub/inner", false, "writ's own state");
    denied_with(fixture, ".", false, "narrower");
    fixture->options.own_state = state_folder;
    granted_as(fixture, "sub/inner", false, "sub/inner");
    fixture->options.own_state = NULL;
    fixture->places.state = "/nonexistent/state";
    fixture->places.home = fixture->folder;
    assert_int_equal(mkdir(".ssh", 0700), 0);
    put_file(fixture, ".ssh/id");
    denied_with(fixture, ".ssh/id", false, "credentials");
    denied_with(fixture, ".", false, "narrower");
}

static void a_hard_link_to_an_account_file_is_known(void **state)
{
    struct fixture *fixture = *state;
    if (link("/etc/shadow", "innocent") < 0) {
        print_message("# SKIPPED, /etc/shadow cannot be linked here\n");
        skip();
    }
    denied_with(fixture, "innocent", false, "accounts, keys or the kernel");
}

/* /home is a link to /data/home, dotfiles are links into a folder of their own: what counts is where they lead. */
static void secrets_are_known_behind_links(void **state)
{
    struct fixture *fixture = *state;
    char home[PATH_MAX + 16];
    assert_int_equal(mkdir("real", 0755), 0);
    assert_int_equal(mkdir("real/.ssh", 0700), 0);
    put_file(fixture, "real/.ssh/id");
    assert_int_equal(mkdir("dotfiles", 0755), 0);
    put_file(fixture, "dotfiles/netrc");
    put_file(fixture, "dotfiles/plain");
    assert_int_equal(symlink("../dotfiles/netrc", "real/.netrc"), 0);
    assert_int_equal(symlink("real", "home"), 0);
    (void)snprintf(home, sizeof home, "%s/home", fixture->folder);
    fixture->places.home = home;
    denied_with(fixture, "real/.ssh/id", false, "credentials");
    denied_with(fixture, "real/.ssh", false, "credentials");
    denied_with(fixture, "real", false, "narrower");
    denied_with(fixture, "dotfiles/netrc", false, "credentials");
    denied_with(fixture, "dotfiles", false, "narrower");
    granted_as(fixture, "dotfiles/plain", false, "dotfiles/plain");
    /* What does not exist yet is refused before it is made. */
    denied_with(fixture, "real/.pgpass", true, "credentials");
    assert_int_equal(access("real/.pgpass", F_OK), -1);
    assert_int_equal(link("dotfiles/netrc", "innocent"), 0);
    denied_with(fixture, "innocent", false, "credentials");
}

static void secrets_are_known_where_xdg_variables_put_them(void **state)
{
    struct fixture *fixture = *state;
    char config[PATH_MAX + 16], data[PATH_MAX + 16];
    (void)snprintf(config, sizeof config, "%s/cfg/writ", fixture->folder);
    (void)snprintf(data, sizeof data, "%s/share/writ", fixture->folder);
    fixture->places.config = config;
    fixture->places.data = data;
    assert_int_equal(mkdir("cfg", 0755), 0);
    assert_int_equal(mkdir("cfg/gh", 0755), 0);
    put_file(fixture, "cfg/gh/hosts.yml");
    put_file(fixture, "cfg/other");
    assert_int_equal(mkdir("share", 0755), 0);
    assert_int_equal(mkdir("share/keyrings", 0755), 0);
    denied_with(fixture, "cfg/gh/hosts.yml", false, "credentials");
    denied_with(fixture, "cfg", false, "narrower");
    denied_with(fixture, "share/keyrings", false, "credentials");
    granted_as(fixture, "cfg/other", false, "cfg/other");
}

/* HOME may say anything; what /etc/passwd says of the caller holds as well. */
static void the_callers_own_home_is_known_without_its_variable(void **state)
{
    struct fixture *fixture = *state;
    const struct passwd *account = getpwuid(geteuid());
    char key[PATH_MAX];
    if (!account || account->pw_dir[0] != '/' || !account->pw_dir[1]) {
        print_message("# SKIPPED, this account has no home\n");
        skip();
        return;
    }
    (void)snprintf(key, sizeof key, "%s/.ssh/id", account->pw_dir);
    char why[256], real[PATH_MAX];
    struct writ_error error;
    if (!realpath(account->pw_dir, real)) {
        print_message("# SKIPPED, the home of this account does not exist\n");
        skip();
        return;
    }
    fixture->places.home = NULL;
    assert_int_equal(writ_never_granted_fill(&fixture->places, &fixture->arena, &fixture->never, &error), 0);
    assert_true(writ_never_granted_path(&fixture->never, key, why, sizeof why));
    (void)snprintf(key, sizeof key, "%s/report.pdf", account->pw_dir);
    assert_false(writ_never_granted_path(&fixture->never, key, why, sizeof why));
}

static void a_made_file_is_removed_where_it_was_made(void **state)
{
    struct fixture *fixture = *state;
    struct writ_resolved resolved;
    struct writ_error error;
    assert_int_equal(resolve(fixture, "sub/new", true, &resolved, &error), 0);
    /* The folder is moved, and another stands in its place: nothing there is touched. */
    assert_int_equal(rename("sub", "moved"), 0);
    assert_int_equal(mkdir("sub", 0755), 0);
    assert_int_equal(close(open("sub/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0644)), 0);
    writ_resolve_unmake(resolved.folder_fd, resolved.path, resolved.fd);
    assert_int_equal(access("sub/new", F_OK), 0);
    assert_int_equal(access("moved/new", F_OK), -1);
    writ_descriptor_close(&resolved.fd);
    writ_descriptor_close(&resolved.folder_fd);
}

static void a_made_file_stays_once_it_holds_something_or_was_replaced(void **state)
{
    struct fixture *fixture = *state;
    struct writ_resolved resolved;
    struct writ_error error;
    assert_int_equal(resolve(fixture, "new", true, &resolved, &error), 0);
    assert_int_equal(unlink("new"), 0);
    assert_int_equal(close(open("new", O_WRONLY | O_CREAT | O_CLOEXEC, 0644)), 0);
    writ_resolve_unmake(resolved.folder_fd, resolved.path, resolved.fd);
    assert_int_equal(access("new", F_OK), 0);
    writ_descriptor_close(&resolved.fd);
    writ_descriptor_close(&resolved.folder_fd);
    assert_int_equal(resolve(fixture, "newer", true, &resolved, &error), 0);
    put_file(fixture, "newer");
    writ_resolve_unmake(resolved.folder_fd, resolved.path, resolved.fd);
    assert_int_equal(access("newer", F_OK), 0);
    writ_descriptor_close(&resolved.fd);
    writ_descriptor_close(&resolved.folder_fd);
}

static void paths_lie_under_the_callers_roots(void **state)
{
    struct fixture *fixture = *state;
    char root[PATH_MAX + 16];
    (void)snprintf(root, sizeof root, "%s/sub", fixture->folder);
    const char *const roots[] = {root};
    fixture->options.roots = roots;
    fixture->options.root_count = 1;
    granted_as(fixture, "sub/inner", false, "sub/inner");
    denied_with(fixture, "plain", false, "outside the folders");
    denied_with(fixture, "sub/../plain", false, "outside the folders");
    assert_int_equal(mkdir("subway", 0755), 0);
    put_file(fixture, "subway/x");
    denied_with(fixture, "subway/x", false, "outside the folders");
    denied_with(fixture, "made", true, "outside the folders");
    assert_int_equal(access("made", F_OK), -1);
    fixture->options.root_count = 0;
    denied_with(fixture, "sub/inner", false, "outside the folders");
}

static void a_file_to_be_written_is_made_once(void **state)
{
    struct fixture *fixture = *state;
    struct writ_resolved resolved;
    struct writ_error error;
    assert_int_equal(resolve(fixture, "sub/new", true, &resolved, &error), 0);
    assert_true(resolved.created);
    writ_descriptor_close(&resolved.fd);
    writ_descriptor_close(&resolved.folder_fd);
    assert_int_equal(resolve(fixture, "sub/new", true, &resolved, &error), 0);
    assert_false(resolved.created);
    writ_descriptor_close(&resolved.fd);
    denied_with(fixture, "no/such/folder/new", true, "does not exist");
}

static void names_are_exact_and_long_ones_refused(void **state)
{
    struct fixture *fixture = *state;
    const char *odd = "a\nb \033[31m";
    put_file(fixture, odd);
    granted_as(fixture, odd, false, odd);
    char *long_path = malloc(PATH_MAX + 10);
    assert_non_null(long_path);
    memset(long_path, 'a', PATH_MAX + 9);
    long_path[PATH_MAX + 9] = '\0';
    denied_with(fixture, long_path, false, "too long");
    for (size_t i = 0; i < 4000; i++)
        long_path[i] = i % 2 ? '/' : '.';
    long_path[4000] = '\0';
    denied_with(fixture, long_path, false, "too long");
    free(long_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_paths_are_granted_by_descriptor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_final_link_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_in_the_middle_is_followed_only_where_nobody_else_could_plant_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_files_and_folders_are_granted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(accounts_and_own_state_are_never_granted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hard_link_to_an_account_file_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(secrets_are_known_behind_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(secrets_are_known_where_xdg_variables_put_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_callers_own_home_is_known_without_its_variable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_made_file_is_removed_where_it_was_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_made_file_stays_once_it_holds_something_or_was_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths_lie_under_the_callers_roots, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_to_be_written_is_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_exact_and_long_ones_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
