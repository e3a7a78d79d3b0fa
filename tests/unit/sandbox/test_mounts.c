/* The file tree of a plan: what is refused before anything runs, how mount points are made, and that nothing is ever
 * created on the host (S4.3). */
#include "harness.h"

#include "sandbox/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct writ_mount *add(struct harness *harness, enum writ_mount_kind kind, const char *path, const char *content)
{
    struct writ_mount *mount = writ_plan_add(&harness->plan, kind, path, "test");
    assert_non_null(mount);
    mount->content = content;
    mount->content_length = content ? strlen(content) : 0;
    return mount;
}

static void expect_refusal(struct harness *harness, const char *part_of_message)
{
    harness_run(harness, "print", "ran", NULL);
    assert_true(harness->answer < 0);
    assert_int_equal(harness->result.output.length, 0);
    if (!strstr(harness->error.message, part_of_message))
        fail_msg("\"%s\" does not say \"%s\"", harness->error.message, part_of_message);
}

static void test_every_kind(void **state)
{
    struct harness *harness = *state;
    static const char long_text[] = "a file of the plan's own\n";
    add(harness, WRIT_MOUNT_FILE, "/etc/deep/er/file", long_text);
    add(harness, WRIT_MOUNT_FILE, "/etc/empty", NULL);
    add(harness, WRIT_MOUNT_SYMLINK, "/link", "etc/deep");
    add(harness, WRIT_MOUNT_SYMLINK, "/absolute/link", "/etc/deep/er/file");
    add(harness, WRIT_MOUNT_FOLDER, "/opt/folder", NULL);
    add(harness, WRIT_MOUNT_DEVICE, "/dev/null", NULL);
    add(harness, WRIT_MOUNT_DEVICE, "/dev/full", NULL);
    harness_add_tmp(harness);
    harness->plan.working_folder = "/made/for/it";
    harness_expect(harness, long_text, "cat", "/etc/deep/er/file");
    harness_expect(harness, "", "cat", "/etc/empty");
    harness_expect(harness, long_text, "cat", "/link/er/file");
    harness_expect(harness, long_text, "cat", "/absolute/link");
    harness_expect(harness, "", "list", "/opt/folder");
    harness_expect(harness, "ok\n", "write", "/dev/null", "gone");
    harness_expect(harness, "", "cat", "/dev/null");
    harness_expect(harness, "ENOSPC\n", "write", "/dev/full", "x");
    harness_expect(harness, "", "list", ".");
    harness_expect(harness, "EROFS\n", "write", "/etc/empty", "x");
    harness_expect(harness, "EROFS\n", "write", "here", "x");
}

/* A working folder below the private /tmp, and what else leads to a mount there, is no place to lose a file in. */
static void test_folders_below_a_tmpfs(void **state)
{
    struct harness *harness = *state;
    harness_add_tmp(harness);
    add(harness, WRIT_MOUNT_FILE, "/tmp/a/b/file", "held");
    add(harness, WRIT_MOUNT_FOLDER, "/tmp/folder", NULL);
    harness->plan.working_folder = "/tmp/made/for/it";
    harness_expect(harness, "ok\n", "write", "/tmp/scratch", "x");
    harness_expect(harness, "EACCES\n", "write", "here", "x");
    harness_expect(harness, "EACCES\n", "write", "/tmp/made/here", "x");
    harness_expect(harness, "EACCES\n", "write", "/tmp/a/b/other", "x");
    harness_expect(harness, "EACCES\n", "write", "/tmp/folder/new", "x");
    harness_expect(harness, "held", "cat", "/tmp/a/b/file");
}

static void test_bad_plans(void **state)
{
    static const char *const paths[] = {"/",      "relative", "",    "//a",   "/a/",        "/a//b",
                                        "/a/./b", "/a/../b",  "/..", "/proc", "/proc/self", NULL};
    struct harness *harness = *state;
    size_t count = harness->plan.mount_count;
    for (size_t i = 0; i < WRIT_COUNT(paths); i++) {
        harness->plan.mount_count = count;
        add(harness, WRIT_MOUNT_FOLDER, paths[i], NULL);
        expect_refusal(harness, "no usable path");
    }
    harness->plan.mount_count = count;
    add(harness, WRIT_MOUNT_FOLDER, "/twice", NULL);
    add(harness, WRIT_MOUNT_SYMLINK, "/twice", "x");
    expect_refusal(harness, "named twice");
    harness->plan.mount_count = count;
    add(harness, WRIT_MOUNT_DEVICE, "/dev/kmsg", NULL);
    expect_refusal(harness, "no device");
    harness->plan.mount_count = count;
    add(harness, WRIT_MOUNT_BIND, "/data", NULL);
    expect_refusal(harness, "/data");
    harness->plan.mount_count = count;
    harness->plan.working_folder = "/proc/self";
    expect_refusal(harness, "start it in another folder");
    assert_int_equal(harness->answer, WRIT_FILESYSTEM_DENIED);
    harness->plan.working_folder = "/a/../b";
    expect_refusal(harness, "working folder");
    harness->plan.working_folder = "/";
    harness->plan.limits.wall_ms = 0;
    expect_refusal(harness, "wall_ms");
    harness->plan.limits.wall_ms = 20000;
    harness_expect(harness, "ran\n", "print", "ran");
}

/* Sockets, devices, FIFOs and links are not granted, whatever the plan calls them. */
static void test_only_files_and_folders_are_bound(void **state)
{
    struct harness *harness = *state;
    const char *fifo = harness_path(harness, "fifo");
    assert_int_equal(mkfifo(fifo, 0644), 0);
    harness_bind(harness, fifo, false)->is_folder = false;
    expect_refusal(harness, "not a regular file");
    harness->plan.mount_count--;
    harness_bind(harness, "/dev/null", false)->is_folder = false;
    expect_refusal(harness, "not a regular file");
    harness->plan.mount_count--;
    const char *file = harness_file(harness, "file", "x", 0644);
    harness_bind(harness, file, false)->is_folder = true;
    expect_refusal(harness, "not a folder");
}

static void test_missing_programs(void **state)
{
    struct harness *harness = *state;
    harness->plan.program = "/not/there";
    harness_run(harness, "print", NULL);
    assert_int_equal(harness->answer, WRIT_DEPENDENCY_MISSING);
    const char *script = harness_file(harness, "script", "#!/no/such/interpreter\n", 0755);
    harness_bind(harness, script, false)->executable = true;
    harness->plan.program = script;
    harness_run(harness, "print", NULL);
    assert_int_equal(harness->answer, WRIT_DEPENDENCY_MISSING);
    const char *plain = harness_file(harness, "plain", "x", 0755);
    (void)harness_bind(harness, plain, false);
    harness->plan.program = plain;
    expect_refusal(harness, writ_probe_landlock_abi() > 0 ? "Permission denied" : "Exec format error");
}

/* CVE-2026-87766: mount points inside what is bound must exist; nothing is made on the host, also not through a link.
 */
static void test_nothing_is_made_on_the_host(void **state)
{
    struct harness *harness = *state;
    harness_need_private_grants(harness);
    const char *out = harness_folder(harness, "out", 0755), *elsewhere = harness_folder(harness, "elsewhere", 0755);
    const char *data = harness_file(harness, "data", "content", 0644);
    struct stat status;
    (void)harness_bind(harness, out, true);
    size_t count = harness->plan.mount_count;

    struct writ_mount *inside = harness_bind(harness, data, false);
    inside->path = harness_path(harness, "out/missing");
    expect_refusal(harness, "mount point");
    assert_int_equal(stat(inside->path, &status), -1);
    inside->path = harness_path(harness, "out/sub/missing");
    expect_refusal(harness, "mount point");
    assert_int_equal(stat(harness_path(harness, "out/sub"), &status), -1);

    assert_int_equal(symlink(elsewhere, harness_path(harness, "out/link")), 0);
    inside->path = harness_path(harness, "out/link/missing");
    expect_refusal(harness, "mount point");
    inside->path = harness_path(harness, "out/link"); /* covers the link itself, which stays what it is */
    harness_expect(harness, "content", "cat", inside->path);
    assert_int_equal(unlink(harness_path(harness, "out/link")), 0);
    assert_int_equal(symlink("/etc", harness_path(harness, "out/link")), 0);
    inside->path = harness_path(harness, "out/link/passwd");
    expect_refusal(harness, "mount point");

    harness->plan.mount_count = count;
    static const enum writ_mount_kind kinds[] = {WRIT_MOUNT_FOLDER, WRIT_MOUNT_FILE, WRIT_MOUNT_SYMLINK,
                                                 WRIT_MOUNT_TMPFS};
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++) {
        harness->plan.mount_count = count;
        add(harness, kinds[i], harness_path(harness, "out/new"), "content");
        expect_refusal(harness, "mount point");
        assert_int_equal(lstat(harness_path(harness, "out/new"), &status), -1);
    }
    assert_int_equal(rmdir(elsewhere), 0); /* nothing was put there */
}

/* bubblewrap#801: a link of the plan on the way is no attack. */
static void test_links_of_the_plan_on_the_way(void **state)
{
    struct harness *harness = *state;
    const char *data = harness_file(harness, "data", "content", 0644);
    add(harness, WRIT_MOUNT_SYMLINK, "/var/run", "/run");
    add(harness, WRIT_MOUNT_FOLDER, "/run", NULL);
    add(harness, WRIT_MOUNT_FILE, "/var/run/note", "noted");
    harness_bind(harness, data, false)->path = "/var/run/deep/data";
    harness_expect(harness, "content", "cat", "/run/deep/data");
    harness_expect(harness, "noted", "cat", "/run/note");
    harness_expect(harness, "ENOENT\n", "list", "/var/lib");
}

/* A grant shows what was opened, never what stands in its place later. */
static void test_the_source_is_what_was_opened(void **state)
{
    struct harness *harness = *state;
    const char *data = harness_file(harness, "data", "original", 0644);
    (void)harness_bind(harness, data, false);
    assert_int_equal(rename(data, harness_path(harness, "moved")), 0);
    harness_expect(harness, "original", "cat", data); /* found by where it is now */
    (void)harness_file(harness, "data", "replaced", 0644);
    harness_expect(harness, "original", "cat", data);
    assert_int_equal(unlink(data), 0);
    assert_int_equal(symlink("/etc/passwd", data), 0);
    harness_expect(harness, "original", "cat", data);
    assert_int_equal(unlink(harness_path(harness, "moved")), 0);
    harness_run(harness, "cat", data, NULL); /* deleted: shown (root) or refused, never another file */
    if (harness->answer == 0)
        harness_check(harness, "original", __FILE__, __LINE__);
    else
        assert_non_null(strstr(harness->error.message, data));
}

/* Named through a link of a higher folder, the grant appears where it was named. */
static void test_a_grant_named_through_a_link(void **state)
{
    struct harness *harness = *state;
    (void)harness_folder(harness, "real", 0755);
    (void)harness_file(harness, "real/data", "content", 0644);
    assert_int_equal(symlink("real", harness_path(harness, "named")), 0);
    const char *path = harness_path(harness, "named/data");
    (void)harness_bind(harness, path, false);
    harness_expect(harness, "content", "cat", path);
    harness_expect(harness, "ENOENT\n", "cat", harness_path(harness, "real/data"));
}

/* One file in a folder that is shown anyway may have rights of its own. */
static void test_a_file_among_others(void **state)
{
    struct harness *harness = *state;
    harness_need_private_grants(harness);
    const char *folder = harness_folder(harness, "programs", 0755);
    const char *one = harness_path(harness, "programs/one"), *two = harness_path(harness, "programs/two");
    assert_int_equal(link(harness->probe, one), 0);
    (void)harness_file(harness, "programs/two", "#!/bin/sh\n", 0755);
    (void)harness_bind(harness, folder, false);
    harness_bind(harness, one, false)->executable = true;
    harness_expect(harness, "ran\n", "execute", one, "print", "ran");
    if (writ_probe_landlock_abi() > 0)
        harness_expect(harness, "EACCES\n", "execute", two);
    /* A writable file in a read-only folder, and a read-only one in a writable folder. */
    const char *out = harness_folder(harness, "out", 0755);
    const char *kept = harness_file(harness, "out/kept", "kept", 0644);
    (void)harness_bind(harness, out, true);
    (void)harness_bind(harness, kept, false);
    harness_expect(harness, "EROFS\n", "write", kept, "lost");
    harness_expect(harness, "ok\n", "write", harness_path(harness, "out/new"), "x");
    const char *log = harness_file(harness, "programs/log", "", 0644);
    (void)harness_bind(harness, log, true);
    harness_expect(harness, "ok\n", "write", log, "x");
    harness_expect(harness, "EROFS\n", "write", two, "x");
}

static __attribute__((format(printf, 2, 3))) bool write_map(const char *name, const char *format, ...)
{
    char path[64], text[64];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(path, sizeof path, "/proc/self/%s", name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) > 0;
    (void)close(fd);
    return good;
}

/* Root grants what is the sandbox's user's in part: by its user alone, or by its group alone. */
static void test_a_grant_of_the_sandbox_itself(void **state)
{
    struct harness *harness = *state;
    if (geteuid() != 0) {
        print_message("SKIPPED: only root can give files away\n");
        skip();
    }
    harness_need_private_grants(harness);
    static const struct {
        const char *name;
        uid_t uid;
        gid_t gid;
    } files[] = {{"user", WRIT_SANDBOX_UID, 0},
                 {"group", 0, WRIT_SANDBOX_UID},
                 {"both", WRIT_SANDBOX_UID, WRIT_SANDBOX_UID},
                 {"next", WRIT_SANDBOX_UID + 1, WRIT_SANDBOX_UID - 1}};
    for (size_t i = 0; i < WRIT_COUNT(files); i++) {
        const char *path = harness_file(harness, files[i].name, files[i].name, 0600);
        assert_int_equal(chown(path, files[i].uid, files[i].gid), 0);
        (void)harness_bind(harness, path, true);
        harness_expect(harness, files[i].name, "cat", path);
        harness_expect(harness, "ok\n", "write", path, "new");
    }
}

/* A container's /dev may hold little. */
static void test_a_host_with_few_devices(void **state)
{
    struct harness *harness = *state;
    if (geteuid() != 0) {
        print_message("SKIPPED: only root can change /dev\n");
        skip();
    }
    const char *devices = harness_folder(harness, "devices", 0755);
    (void)harness_file(harness, "devices/null", "", 0644);
    (void)harness_file(harness, "devices/urandom", "", 0644);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
            mount("/dev/null", harness_path(harness, "devices/null"), NULL, MS_BIND, NULL) < 0 ||
            mount("/dev/urandom", harness_path(harness, "devices/urandom"), NULL, MS_BIND, NULL) < 0 ||
            mount(devices, "/dev", NULL, MS_BIND | MS_REC, NULL) < 0)
            _exit(79);
        harness->plan.mount_count = 0; /* what was opened before belongs to the other mount namespace */
        harness_bind(harness, harness->probe, false)->executable = true;
        static const char *const names[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
        for (size_t i = 0; i < WRIT_COUNT(names); i++)
            add(harness, WRIT_MOUNT_DEVICE, names[i], NULL);
        harness_expect(harness, "", "cat", "/dev/null");
        harness_expect(harness, "ENOENT\n", "cat", "/dev/zero");
        if (umount2(harness_path(harness, "devices/urandom"), MNT_DETACH) < 0 ||
            umount2("/dev/urandom", MNT_DETACH) < 0 || unlink("/dev/urandom") < 0)
            _exit(80);
        expect_refusal(harness, "opening what is to be mounted /dev/urandom");
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* What the machine has mounted below a granted folder: not part of the grant, or with it and read-only as well. */
static void test_mounts_below_a_grant(void **state)
{
    struct harness *harness = *state;
    const char *folder = harness_folder(harness, "folder", 0755),
               *below = harness_folder(harness, "folder/below", 0755);
    (void)harness_file(harness, "folder/below/under", "x", 0644);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool is_root = geteuid() == 0;
        unsigned uid = (unsigned)geteuid(), gid = (unsigned)getegid();
        if (unshare(CLONE_NEWNS | (is_root ? 0 : CLONE_NEWUSER)) < 0)
            _exit(77);
        if (!is_root && (!write_map("setgroups", "deny") || !write_map("uid_map", "%u %u 1", uid, uid) ||
                         !write_map("gid_map", "%u %u 1", gid, gid)))
            _exit(78);
        if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || mount("none", below, "tmpfs", 0, NULL) < 0 ||
            close(open(harness_path(harness, "folder/below/over"), O_WRONLY | O_CREAT, 0644)) < 0)
            _exit(79);
        harness->plan.mount_count = 0; /* what was opened before belongs to the other mount namespace */
        harness_bind(harness, harness->probe, false)->executable = true;
        (void)harness_bind(harness, folder, false);
        harness_run(harness, "list", below, NULL);
        const char *found = writ_buffer_text(&harness->result.output);
        if (harness->answer < 0 || strcmp(found, is_root ? "under\n" : "over\n") != 0)
            fail_msg("%s%s", harness->answer < 0 ? harness->error.message : "", found);
        harness_run(harness, "write", harness_path(harness, "folder/below/new"), "x", NULL);
        _exit(harness->answer < 0 || strcmp(writ_buffer_text(&harness->result.output), "EROFS\n") != 0 ? 2 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* As many mounts as a plan may have. */
static void test_a_full_plan(void **state)
{
    struct harness *harness = *state;
    static char names[WRIT_PLAN_MOUNTS_MAX][32];
    while (harness->plan.mount_count < WRIT_PLAN_MOUNTS_MAX) {
        size_t i = harness->plan.mount_count;
        (void)snprintf(names[i], sizeof names[i], "/many/%zu/file", i);
        add(harness, WRIT_MOUNT_FILE, names[i], "x");
    }
    assert_null(writ_plan_add(&harness->plan, WRIT_MOUNT_FOLDER, "/one-more", "test"));
    harness_expect(harness, "x", "cat", "/many/200/file");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, harness_set_up, harness_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_kind),
        TEST(test_folders_below_a_tmpfs),
        TEST(test_bad_plans),
        TEST(test_only_files_and_folders_are_bound),
        TEST(test_missing_programs),
        TEST(test_nothing_is_made_on_the_host),
        TEST(test_links_of_the_plan_on_the_way),
        TEST(test_the_source_is_what_was_opened),
        TEST(test_a_grant_named_through_a_link),
        TEST(test_a_file_among_others),
        TEST(test_a_grant_of_the_sandbox_itself),
        TEST(test_a_host_with_few_devices),
        TEST(test_mounts_below_a_grant),
        TEST(test_a_full_plan),
    };
    return cmocka_run_group_tests_name("sandbox/mounts", tests, NULL, NULL);
}
