/* Interfaces, "Digest and signature": exact bytes, one encoding, nothing ignored. */
#include "base/digest.h"
#include "folders.h"
#include "skill/skill_digest.h"
#include "support.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANOTHER 1500 /* a user */

static void digest_of(const char *folder, char text[WRIT_DIGEST_TEXT_BYTES])
{
    struct writ_error error;
    unsigned char bytes[WRIT_DIGEST_BYTES];
    int fd = folders_open(folder);
    if (writ_skill_digest(fd, bytes, &error) != 0)
        fail_msg("%s", error.message);
    writ_digest_print(bytes, text);
    (void)close(fd);
}

static void differs(const char *folder, const char *from)
{
    char text[WRIT_DIGEST_TEXT_BYTES];
    digest_of(folder, text);
    assert_string_not_equal(text, from);
}

static void same(const char *folder, const char *as)
{
    char text[WRIT_DIGEST_TEXT_BYTES];
    digest_of(folder, text);
    assert_string_equal(text, as);
}

static void refused(const char *folder, int code, const char *part)
{
    struct writ_error error;
    unsigned char bytes[WRIT_DIGEST_BYTES];
    int fd = folders_open(folder);
    int result = writ_skill_digest(fd, bytes, &error);
    (void)close(fd);
    assert_int_equal(result, code);
    if (!strstr(error.message, part))
        fail_msg("the message lacks `%s`: %s", part, error.message);
}

/* The encoding that catalog.h describes, made by hand. */
static void the_encoding_is_as_documented(void **state)
{
    (void)state;
    folders_write("s/skill.yaml", "id: a\n");
    folders_write("s/bin/main", "#!\n");
    folders_mode("s/bin/main", 0755);
    folders_write("s/.writ/signature.json", "{}");
    folders_write("s/.writ/other", "");
    static const struct {
        const char *path, *text;
        unsigned char executable;
    } files[] = {{".writ/other", "", 0}, {"bin/main", "#!\n", 1}, {"skill.yaml", "id: a\n", 0}};
    unsigned char expected[WRIT_DIGEST_BYTES], inner[WRIT_DIGEST_BYTES], number[8] = {0};
    char text[WRIT_DIGEST_TEXT_BYTES];
    struct writ_digest digest;
    writ_digest_init(&digest);
    writ_digest_update(&digest, "writ skill digest 1\n", 20);
    number[7] = WRIT_COUNT(files);
    writ_digest_update(&digest, number, 8);
    for (size_t i = 0; i < WRIT_COUNT(files); i++) {
        number[7] = (unsigned char)strlen(files[i].path);
        writ_digest_update(&digest, number, 8);
        writ_digest_update(&digest, files[i].path, strlen(files[i].path));
        writ_digest_update(&digest, &files[i].executable, 1);
        number[7] = (unsigned char)strlen(files[i].text);
        writ_digest_update(&digest, number, 8);
        writ_digest_of(files[i].text, strlen(files[i].text), inner);
        writ_digest_update(&digest, inner, sizeof inner);
    }
    writ_digest_final(&digest, expected);
    writ_digest_print(expected, text);
    same("s", text);
    /* The signature is left out, wherever else a file of that name is not. */
    folders_write("s/.writ/signature.json", "{\"a\": 1}");
    same("s", text);
    folders_write("s/bin/.writ/signature.json", "{}");
    differs("s", text);
}

static void every_change_shows(void **state)
{
    (void)state;
    char text[WRIT_DIGEST_TEXT_BYTES], other[WRIT_DIGEST_TEXT_BYTES];
    folders_write("s/a", "one\n");
    folders_write("s/b/c", "two\n");
    digest_of("s", text);
    same("s", text);
    folders_write("s/a", "one\r\n"); /* a difference in line ends alone is one */
    differs("s", text);
    folders_write("s/a", "one\n");
    same("s", text);
    folders_mode("s/a", 0755);
    differs("s", text);
    folders_mode("s/a", 0600); /* other bits than the owner's execute bit are the machine's affair */
    same("s", text);
    folders_write("s/.hidden", "");
    differs("s", text);
    folders_remove("s/.hidden");
    folders_make("s/empty");
    same("s", text);
    folders_write("s/b\nc", "");
    digest_of("s", other);
    folders_remove("s/b\nc");
    folders_write("s/b\rc", "");
    differs("s", other);
    folders_remove("s/b\rc");
    /* the same bytes under other names */
    folders_remove("s/b");
    folders_write("s/b", "two\n");
    differs("s", text);
}

/* Folder order is the machine's: sorting is by the bytes of the whole path, so `a-b` comes before `a/b`. */
static void order_does_not_matter(void **state)
{
    (void)state;
    char text[WRIT_DIGEST_TEXT_BYTES];
    static const char *const names[] = {"a/b", "a-b", "a0", "a", "z", "\xE6\x96\x87"};
    char path[64];
    for (size_t i = 0; i < WRIT_COUNT(names); i++) {
        (void)snprintf(path, sizeof path, "s/%s%s", names[i], strcmp(names[i], "a") == 0 ? "/c" : "");
        folders_write(path, names[i]);
    }
    for (size_t i = WRIT_COUNT(names); i-- > 0;) {
        (void)snprintf(path, sizeof path, "t/%s%s", names[i], strcmp(names[i], "a") == 0 ? "/c" : "");
        folders_write(path, names[i]);
    }
    digest_of("s", text);
    same("t", text);
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    folders_write("s/a", "");
    folders_link("s/link", "a");
    refused("s", WRIT_TRUST_DIGEST, "`link` is a symbolic link");
    folders_remove("s/link");
    folders_link("s/link", "/etc");
    refused("s", WRIT_TRUST_DIGEST, "`link` is a symbolic link");
    folders_remove("s/link");
    folders_make("s/b");
    assert_int_equal(mkfifo(folders_path("s/b/pipe\033[1m"), 0600), 0);
    refused("s", WRIT_TRUST_DIGEST, "`b/pipe?[1m` is neither a file nor a folder");
}

static void bounds_hold(void **state)
{
    (void)state;
    char path[512] = "s";
    size_t length = 1;
    for (int i = 0; i < 40; i++, length += 2)
        memcpy(path + length, "/d", 3);
    folders_make(path);
    refused("s", WRIT_INTERNAL_LIMIT, "nested deeper");
    folders_write("t/big", "");
    assert_int_equal(truncate(folders_path("t/big"), ((off_t)1 << 30) + 1), 0);
    refused("t", WRIT_INTERNAL_LIMIT, "1 GiB");
    char text[WRIT_DIGEST_TEXT_BYTES];
    folders_make("empty");
    digest_of("empty", text);
    folders_make("u");
    same("u", text);
}

/* As `seconds` from now. */
static void cached(const char *folder, int seconds, const char *expected)
{
    char text[WRIT_DIGEST_TEXT_BYTES], root[PATH_MAX], cache[PATH_MAX + 16];
    struct writ_error error;
    struct timespec now;
    unsigned char bytes[WRIT_DIGEST_BYTES];
    int fd = folders_open(folder);
    assert_non_null(realpath(folders_root, root));
    (void)snprintf(cache, sizeof cache, "%s/cache/digests", root);
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
    now.tv_sec += seconds;
    assert_int_equal(skill_digest_cached_at(fd, cache, &now, NULL, bytes, &error), 0);
    writ_digest_print(bytes, text);
    assert_string_equal(text, expected);
    (void)close(fd);
}

static void cache_name(const char *folder, char *name, size_t size)
{
    struct stat status;
    assert_int_equal(stat(folders_path(folder), &status), 0);
    (void)snprintf(name, size, "cache/digests/%llx-%llx.2", (unsigned long long)status.st_dev,
                   (unsigned long long)status.st_ino);
}

static bool is_there(const char *path)
{
    struct stat status;
    return stat(folders_path(path), &status) == 0;
}

/* The cache works on few file systems: elsewhere there is nothing to see of it. */
static void need_cache(void)
{
    struct statfs status;
    assert_int_equal(statfs(folders_root, &status), 0);
    if (status.f_type == EXT4_SUPER_MAGIC || status.f_type == BTRFS_SUPER_MAGIC)
        return;
    print_message("# skipped: %s is on a file system whose files are always read\n", folders_root);
    skip();
}

/* The cache answers only for what it saw, and only once that has settled. */
static void the_cache_gives_the_same(void **state)
{
    (void)state;
    need_cache();
    char text[WRIT_DIGEST_TEXT_BYTES], other[WRIT_DIGEST_TEXT_BYTES], name[80];
    folders_write("s/a", "one\n");
    folders_write("s/b/c", "two\n");
    cache_name("s", name, sizeof name);
    digest_of("s", text);
    cached("s", 0, text);
    assert_false(is_there(name)); /* the change is too fresh */
    cached("s", 10, text);
    assert_true(is_there(name));
    cached("s", 10, text);
    folders_write("s/a", "1ne\n");
    digest_of("s", other);
    assert_string_not_equal(other, text);
    cached("s", 10, other);
    folders_mode("s/a", 0755);
    digest_of("s", other);
    cached("s", 10, other);
    assert_int_equal(rename(folders_path("s/a"), folders_path("s/z")), 0);
    digest_of("s", other);
    cached("s", 10, other);
}

/* That the kept answer is used shows when it is a wrong one; that it is checked, when it is torn. */
static void the_cache_is_read_and_checked(void **state)
{
    (void)state;
    need_cache();
    char text[WRIT_DIGEST_TEXT_BYTES], name[80], twin[80];
    unsigned char bytes[256] = {0};
    folders_write("s/a", "one\n");
    folders_make("cache/digests");
    cache_name("s", name, sizeof name);
    digest_of("s", text);
    cached("s", 10, text);
    int fd = open(folders_path(name), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    ssize_t size = read(fd, bytes, sizeof bytes);
    assert_true(size > 96 && size < 256);
    /* 8 bytes of head, the fingerprint, the digest, a digest of all that */
    memset(bytes + 40, 7, 32);
    writ_digest_of(bytes, 72, bytes + 72);
    assert_int_equal(pwrite(fd, bytes, (size_t)size, 0), size);
    char wrong[WRIT_DIGEST_TEXT_BYTES];
    writ_digest_print(bytes + 40, wrong);
    cached("s", 10, wrong);
    bytes[41] ^= 1; /* torn */
    assert_int_equal(pwrite(fd, bytes, (size_t)size, 0), size);
    cached("s", 10, text);
    assert_int_equal(ftruncate(fd, 50), 0);
    (void)close(fd);
    cached("s", 10, text);
    /* a link in its place is not followed */
    folders_remove(name);
    folders_write("real", "");
    folders_link(name, folders_path("real"));
    cached("s", 10, text);
    (void)snprintf(twin, sizeof twin, "cache");
    folders_remove(twin);
    folders_write("cache", "a file in the way");
    cached("s", 10, text);
}

/* ---- what a shared mapping changes, which need not show in any time ---- */

static char *map(const char *path, int prot)
{
    int fd = open(folders_path(path), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    char *bytes = mmap(NULL, 4, prot, MAP_SHARED, fd, 0);
    assert_true(bytes != MAP_FAILED);
    (void)close(fd);
    return bytes;
}

static void what_is_mapped_is_read(void **state)
{
    (void)state;
    char text[WRIT_DIGEST_TEXT_BYTES];
    folders_write("s/a", "one\n");
    folders_write("s/b", "two\n");
    char *bytes = map("s/a", PROT_READ | PROT_WRITE);
    for (char c = 'a'; c < 'e'; c++) { /* the page is dirty after the first: no further change makes a fault */
        bytes[0] = c;
        digest_of("s", text);
        cached("s", 10, text);
    }
    assert_int_equal(munmap(bytes, 4), 0);
    cached("s", 10, text);
    cached("s", 10, text);
}

/* A mapping that comes after the digest was kept, and is read before it is written. */
static void what_is_mapped_later_is_read(void **state)
{
    (void)state;
    char text[WRIT_DIGEST_TEXT_BYTES], other[WRIT_DIGEST_TEXT_BYTES];
    folders_write("s/a", "one\n");
    digest_of("s", text);
    cached("s", 10, text);
    char *bytes = map("s/a", PROT_READ | PROT_WRITE);
    assert_int_equal(*(volatile char *)bytes, 'o');
    bytes[0] = 'a';
    assert_int_equal(munmap(bytes, 4), 0);
    digest_of("s", other);
    assert_string_not_equal(text, other);
    cached("s", 10, other);
}

/* Kept again when the last writer has gone; one who only reads is none. */
static void the_cache_waits_for_writers(void **state)
{
    (void)state;
    char text[WRIT_DIGEST_TEXT_BYTES], name[80];
    need_cache();
    folders_write("s/a", "one\n");
    cache_name("s", name, sizeof name);
    digest_of("s", text);
    int writer = open(folders_path("s/a"), O_WRONLY | O_CLOEXEC);
    assert_true(writer >= 0);
    cached("s", 10, text);
    assert_false(is_there(name));
    char *bytes = map("s/a", PROT_READ | PROT_WRITE);
    (void)close(writer);
    cached("s", 10, text);
    assert_false(is_there(name));
    assert_int_equal(munmap(bytes, 4), 0);
    int reader = open(folders_path("s/a"), O_RDONLY | O_CLOEXEC);
    cached("s", 10, text);
    assert_true(is_there(name));
    (void)close(reader);
}

/* Keeps the digest of `s` as somebody who owns nothing of it. */
static bool is_kept_by_another(const char *name)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char text[WRIT_DIGEST_TEXT_BYTES];
        if (setresgid(ANOTHER, ANOTHER, ANOTHER) < 0 || setresuid(ANOTHER, ANOTHER, ANOTHER) < 0)
            _exit(2);
        digest_of("s", text);
        cached("s", 10, text);
        _exit(is_there(name) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
    return WEXITSTATUS(status) == 0;
}

/* No lease is had on another's file: it is read every time, but for what nobody else than root may write. */
static void files_of_others_are_read(void **state)
{
    (void)state;
    char name[80];
    need_cache();
    if (geteuid() != 0) {
        print_message("# skipped: only root can make files of somebody else\n");
        skip();
    }
    folders_write("s/a", "one\n");
    folders_make("cache/digests");
    cache_name("s", name, sizeof name);
    folders_mode("", 0755);
    assert_int_equal(chown(folders_path("cache"), ANOTHER, ANOTHER), 0);
    assert_int_equal(chown(folders_path("cache/digests"), ANOTHER, ANOTHER), 0);
    assert_int_equal(chown(folders_path("s/a"), ANOTHER + 1, 0), 0);
    assert_false(is_kept_by_another(name));
    assert_int_equal(chown(folders_path("s/a"), 0, 0), 0);
    folders_mode("s/a", 0664);
    assert_false(is_kept_by_another(name));
    folders_mode("s/a", 0644);
    assert_true(is_kept_by_another(name));
}

static int set_up_in_memory(void **state)
{
    (void)state;
    (void)snprintf(folders_root, sizeof folders_root, "/dev/shm/writ-folders-XXXXXX");
    if (mkdtemp(folders_root))
        return 0;
    print_message("# /dev/shm cannot be written: a folder in /tmp stands in for it\n");
    return folders_set_up(state);
}

/* /var/tmp outlives a restart, so it lies on a disk where /tmp may not. */
static int set_up_on_disk(void **state)
{
    (void)state;
    (void)snprintf(folders_root, sizeof folders_root, "/var/tmp/writ-folders-XXXXXX");
    return mkdtemp(folders_root) ? 0 : -1;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folders_set_up, folders_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_encoding_is_as_documented),
        TEST(every_change_shows),
        TEST(order_does_not_matter),
        TEST(what_is_no_file_is_refused),
        TEST(bounds_hold),
        TEST(the_cache_gives_the_same),
        TEST(the_cache_is_read_and_checked),
        cmocka_unit_test_setup_teardown(what_is_mapped_is_read, set_up_in_memory, folders_tear_down),
        cmocka_unit_test_setup_teardown(what_is_mapped_is_read, set_up_on_disk, folders_tear_down),
        cmocka_unit_test_setup_teardown(what_is_mapped_later_is_read, set_up_in_memory, folders_tear_down),
        cmocka_unit_test_setup_teardown(what_is_mapped_later_is_read, set_up_on_disk, folders_tear_down),
        cmocka_unit_test_setup_teardown(the_cache_waits_for_writers, set_up_on_disk, folders_tear_down),
        TEST(files_of_others_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
