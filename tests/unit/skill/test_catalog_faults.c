/* A call of the kernel that fails while skills are looked for is told; it never makes a skill vanish. */
#include "folders.h"
#include "skill/catalog.h"
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define ID "com.example.a"

/* The build makes every file call the 64 bit one, so these are the names that are wrapped.  The call whose every use of
 * `failing_name` (NULL: every use) fails with `failing_errno`. */
enum failing { NOTHING, READDIR, FACCESSAT, FSTATAT, OPENAT };
static enum failing failing;
static int failing_errno;
static const char *failing_name;

static bool fails(enum failing call, const char *name)
{
    if (failing != call || (failing_name && (!name || strcmp(name, failing_name) != 0)))
        return false;
    errno = failing_errno;
    return true;
}

struct dirent *__real_readdir64(DIR *folder);
struct dirent *__wrap_readdir64(DIR *folder);
struct dirent *__wrap_readdir64(DIR *folder)
{
    return fails(READDIR, NULL) ? NULL : __real_readdir64(folder);
}

int __real_faccessat(int folder_fd, const char *path, int mode, int flags);
int __wrap_faccessat(int folder_fd, const char *path, int mode, int flags);
int __wrap_faccessat(int folder_fd, const char *path, int mode, int flags)
{
    return fails(FACCESSAT, path) ? -1 : __real_faccessat(folder_fd, path, mode, flags);
}

int __real_fstatat64(int folder_fd, const char *path, struct stat *status, int flags);
int __wrap_fstatat64(int folder_fd, const char *path, struct stat *status, int flags);
int __wrap_fstatat64(int folder_fd, const char *path, struct stat *status, int flags)
{
    return fails(FSTATAT, path) ? -1 : __real_fstatat64(folder_fd, path, status, flags);
}

int __real_openat64(int folder_fd, const char *path, int flags, ...);
int __wrap_openat64(int folder_fd, const char *path, int flags, ...);
int __wrap_openat64(int folder_fd, const char *path, int flags, ...)
{
    return fails(OPENAT, path) ? -1 : __real_openat64(folder_fd, path, flags, 0600);
}

/* What a fortified openat without a mode becomes. */
int __real___openat64_2(int folder_fd, const char *path, int flags);
int __wrap___openat64_2(int folder_fd, const char *path, int flags);
int __wrap___openat64_2(int folder_fd, const char *path, int flags)
{
    return fails(OPENAT, path) ? -1 : __real___openat64_2(folder_fd, path, flags);
}

static char home[128], shipped[128];
static struct writ_places places;
static struct writ_catalog_options options;

static int set_up(void **state)
{
    failing = NOTHING;
    if (folders_set_up(state) != 0)
        return -1;
    (void)snprintf(home, sizeof home, "%s/home", folders_root);
    (void)snprintf(shipped, sizeof shipped, "%s/shipped", folders_root);
    folders_make("home");
    folders_skill("shipped/" ID, ID, "1.0.0");
    folders_skill("shipped/named", "com.example.b", "1.0.0");
    folders_write("shipped/named/SKILL.md", "---\nname: named\n---\n");
    places = (struct writ_places){.home = home,
                                  .config = folders_root,
                                  .data = folders_root,
                                  .shipped = shipped,
                                  .working = home,
                                  .path = "/usr/bin"};
    options = (struct writ_catalog_options){.places = &places};
    return 0;
}

static int list(struct writ_error *error)
{
    struct writ_catalog catalog = {.skills = NULL};
    int result = writ_catalog_list(&options, &catalog, error);
    if (result == 0)
        result = (int)catalog.count;
    writ_catalog_clear(&catalog);
    return result;
}

static int find(const char *id, struct writ_error *error)
{
    struct writ_skill *skill = NULL;
    int result = writ_catalog_find(&options, id, NULL, &skill, error);
    writ_skill_free(skill);
    return result;
}

static void let_fail(enum failing call, const char *name, int sys_errno)
{
    failing = call;
    failing_name = name;
    failing_errno = sys_errno;
}

static void a_list_that_could_not_be_made_is_no_empty_list(void **state)
{
    (void)state;
    struct writ_error error;
    assert_int_equal(list(&error), 2);
    const struct {
        enum failing call;
        const char *name;
        int sys_errno;
    } cases[] = {{READDIR, NULL, EIO},
                 {READDIR, NULL, ENOMEM},
                 {FACCESSAT, "skill.yaml", EPERM},
                 {FACCESSAT, "skill.yaml", ENOMEM},
                 {FACCESSAT, "SKILL.md", EIO},
                 {FSTATAT, ID, EIO},
                 {OPENAT, ID, EMFILE},
                 {OPENAT, ".", EMFILE}};
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        let_fail(cases[i].call, cases[i].name, cases[i].sys_errno);
        int result = list(&error);
        failing = NOTHING;
        if (result != WRIT_INTERNAL_IO)
            print_message("case %zu gave %d\n", i, result);
        assert_int_equal(result, WRIT_INTERNAL_IO);
        assert_int_equal(error.sys_errno, cases[i].sys_errno);
    }
    assert_int_equal(list(&error), 2);
}

static void what_goes_away_meanwhile_is_passed_over(void **state)
{
    (void)state;
    struct writ_error error;
    let_fail(FSTATAT, ID, ENOENT);
    assert_int_equal(list(&error), 1);
    let_fail(OPENAT, ID, ENOTDIR);
    assert_int_equal(list(&error), 1);
    failing = NOTHING;
}

static void a_skill_that_could_not_be_looked_for_is_not_called_missing(void **state)
{
    (void)state;
    struct writ_error error;
    assert_int_equal(find(ID, &error), 0);
    assert_int_equal(find("com.example.b", &error), 0);
    const struct {
        enum failing call;
        const char *name;
        int sys_errno;
    } cases[] = {{READDIR, NULL, EIO},
                 {FACCESSAT, "skill.yaml", ENOMEM},
                 {FACCESSAT, "SKILL.md", EPERM},
                 {OPENAT, "named", EMFILE}};
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        let_fail(cases[i].call, cases[i].name, cases[i].sys_errno);
        int result = find("com.example.b", &error);
        failing = NOTHING;
        if (result != WRIT_INTERNAL_IO)
            print_message("case %zu gave %d: %s\n", i, result, error.message);
        assert_int_equal(result, WRIT_INTERNAL_IO);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_list_that_could_not_be_made_is_no_empty_list, set_up, folders_tear_down),
        cmocka_unit_test_setup_teardown(what_goes_away_meanwhile_is_passed_over, set_up, folders_tear_down),
        cmocka_unit_test_setup_teardown(a_skill_that_could_not_be_looked_for_is_not_called_missing, set_up,
                                        folders_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
