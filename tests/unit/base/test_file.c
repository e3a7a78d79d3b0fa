#include "base/descriptor.h"
#include "base/file.h"
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char path[64];
    int fd;
};

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    if (!place)
        return -1;
    (void)snprintf(place->path, sizeof place->path, "/tmp/writ-test-XXXXXX");
    if (!mkdtemp(place->path))
        return -1;
    place->fd = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = place;
    return place->fd < 0 ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int tear_down(void **state)
{
    struct place *place = *state;
    writ_descriptor_close(&place->fd);
    int result = nftw(place->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(place);
    return result;
}

static void write_file(const struct place *place, const char *name, const char *text)
{
    struct writ_error error;
    assert_int_equal(writ_file_write_atomic(place->fd, name, 0600, text, strlen(text), &error), 0);
}

static size_t entries(const struct place *place)
{
    DIR *folder = opendir(place->path);
    assert_non_null(folder);
    size_t count = 0;
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count - 2;
}

static void what_was_written_is_read(void **state)
{
    const struct place *place = *state;
    struct writ_error error;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 1000);
    mode_t old_mask = umask(0);
    write_file(place, "a", "first");
    write_file(place, "a", "second");
    (void)umask(old_mask);
    assert_int_equal(writ_file_read(place->fd, "a", true, &buffer, &error), 0);
    assert_string_equal(writ_buffer_text(&buffer), "second");
    struct stat status;
    assert_int_equal(fstatat(place->fd, "a", &status, 0), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(entries(place), 1); /* no temporary file is left */
}

static void what_is_no_regular_file_is_refused(void **state)
{
    const struct place *place = *state;
    struct writ_error error;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 1000);
    assert_int_equal(writ_file_read(place->fd, "none", false, &buffer, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, ENOENT);
    assert_int_equal(mkdirat(place->fd, "folder", 0700), 0);
    assert_int_equal(writ_file_read(place->fd, "folder", false, &buffer, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, EISDIR);
    assert_int_equal(mkfifoat(place->fd, "fifo", 0600), 0);
    assert_int_equal(writ_file_read(place->fd, "fifo", false, &buffer, &error),
                     WRIT_INTERNAL_IO); /* and does not hang */
    assert_int_equal(writ_file_read(place->fd, "/dev/zero", false, &buffer, &error), WRIT_INTERNAL_IO);
    assert_int_equal(buffer.length, 0);
}

static void links_are_followed_only_when_allowed(void **state)
{
    const struct place *place = *state;
    struct writ_error error;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 1000);
    assert_int_equal(mkdirat(place->fd, "real", 0700), 0);
    write_file(place, "target", "text");
    assert_int_equal(symlinkat("target", place->fd, "link"), 0);
    assert_int_equal(symlinkat(".", place->fd, "here"), 0);
    assert_int_equal(symlinkat("loop", place->fd, "loop"), 0);
    static const char *const names[] = {"link", "here/target", "loop"};
    for (size_t i = 0; i < WRIT_COUNT(names); i++) {
        assert_int_equal(writ_file_read(place->fd, names[i], true, &buffer, &error), WRIT_INTERNAL_IO);
        assert_int_equal(error.sys_errno, ELOOP);
    }
    assert_int_equal(writ_file_read(place->fd, "link", false, &buffer, &error), 0);
    assert_int_equal(writ_file_read(place->fd, "here/target", false, &buffer, &error), 0);
    assert_string_equal(writ_buffer_text(&buffer), "texttext");
}

static void a_file_over_the_maximum_is_refused_unread(void **state)
{
    const struct place *place = *state;
    struct writ_error error;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 10);
    write_file(place, "ten", "0123456789");
    assert_int_equal(writ_file_read(place->fd, "ten", true, &buffer, &error), 0);
    writ_buffer_clear(&buffer);
    write_file(place, "eleven", "0123456789a");
    assert_int_equal(writ_file_read(place->fd, "eleven", true, &buffer, &error), WRIT_INTERNAL_LIMIT);
    assert_string_equal(error.message, "eleven: larger than the 10 bytes that are read; make it smaller");
    /* A sparse file of 2 GB costs neither time nor memory. */
    int fd = openat(place->fd, "huge", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, (off_t)2 << 30), 0);
    writ_descriptor_close(&fd);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer big;
    writ_buffer_init(&big, (size_t)1 << 30);
    assert_int_equal(writ_file_read(place->fd, "huge", true, &big, &error), WRIT_INTERNAL_LIMIT);
    assert_int_equal(big.capacity, 0);
}

static void a_failed_write_leaves_the_old_file(void **state)
{
    const struct place *place = *state;
    struct writ_error error;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 1000);
    assert_int_equal(mkdirat(place->fd, "folder", 0700), 0);
    assert_int_equal(writ_file_write_atomic(place->fd, "folder", 0600, "x", 1, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, EISDIR);
    assert_int_equal(entries(place), 1);
    static const char *const names[] = {"", ".", "..", "a/b", "/etc/writ-test"};
    for (size_t i = 0; i < WRIT_COUNT(names); i++) {
        assert_int_equal(writ_file_write_atomic(place->fd, names[i], 0600, "x", 1, &error), WRIT_INTERNAL_IO);
        assert_int_equal(error.sys_errno, EINVAL);
    }
    char longest[256];
    memset(longest, 'n', sizeof longest);
    longest[255] = '\0';
    write_file(place, longest, "kept"); /* a name may use all that the file system allows */
    assert_int_equal(writ_file_read(place->fd, longest, true, &buffer, &error), 0);
    assert_string_equal(writ_buffer_text(&buffer), "kept");
    assert_int_equal(writ_file_write_atomic(-1, "x", 0600, "x", 1, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, EBADF);
    /* A link is replaced itself; what it points to stays. */
    write_file(place, "target", "old");
    assert_int_equal(symlinkat("target", place->fd, "link"), 0);
    write_file(place, "link", "new");
    writ_buffer_clear(&buffer);
    assert_int_equal(writ_file_read(place->fd, "target", true, &buffer, &error), 0);
    assert_string_equal(writ_buffer_text(&buffer), "old");
}

static void folders_are_made_on_the_way(void **state)
{
    const struct place *place = *state;
    struct writ_error error;
    char path[128];
    static const char *const tails[] = {"/a/b/c", "/a/b/c", "/a//d///", "/e/"};
    for (size_t i = 0; i < WRIT_COUNT(tails); i++) {
        (void)snprintf(path, sizeof path, "%s%s", place->path, tails[i]);
        WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
        assert_int_equal(writ_folder_make(path, 0700, &fd, &error), 0);
        assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
        /* The descriptor is one that files can be written through, which wants it to be readable for the sync. */
        assert_int_equal(writ_file_write_atomic(fd, "file", 0600, "x", 1, &error), 0);
    }
    struct stat status;
    assert_int_equal(fstatat(place->fd, "a/b/c", &status, 0), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    WRIT_CLEANUP(writ_descriptor_close) int root = -1;
    assert_int_equal(writ_folder_make("/", 0700, &root, &error), 0);
    assert_int_equal(fsync(root) < 0 && errno == EBADF, 0);
}

static void folders_that_cannot_be_made_are_told(void **state)
{
    const struct place *place = *state;
    struct writ_error error;
    int fd = 12345;
    char path[512], name[300];
    assert_int_equal(writ_folder_make("relative/a", 0700, &fd, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, EINVAL);
    assert_int_equal(writ_folder_make("", 0700, &fd, &error), WRIT_INTERNAL_IO);
    write_file(place, "file", "x");
    (void)snprintf(path, sizeof path, "%s/file/under", place->path);
    assert_int_equal(writ_folder_make(path, 0700, &fd, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, ENOTDIR);
    memset(name, 'n', sizeof name);
    name[299] = '\0';
    (void)snprintf(path, sizeof path, "%s/%s", place->path, name);
    assert_int_equal(writ_folder_make(path, 0700, &fd, &error), WRIT_INTERNAL_IO);
    assert_int_equal(error.sys_errno, ENAMETOOLONG);
    assert_int_equal(fd, 12345); /* outputs are set on success only */
}

/* What was left by writers that were killed, and nothing else, whatever it is called. */
static void what_killed_writers_left_is_swept(void **state)
{
    const struct place *place = *state;
    static const char *const kept[] = {"a",
                                       ".a",
                                       ".a.0123456789abcde",
                                       ".a.0123456789abcdef0",
                                       ".a.0123456789abcdeg",
                                       ".b.0123456789abcdef",
                                       "a.0123456789abcdef",
                                       ".a.x.0123456789abcdef"};
    for (size_t i = 0; i < WRIT_COUNT(kept); i++)
        write_file(place, kept[i], "x");
    write_file(place, ".a.0123456789abcdef", "x");
    write_file(place, ".a.ffffffffffffffff", "x");
    assert_int_equal(entries(place), WRIT_COUNT(kept) + 2);
    writ_file_sweep(place->fd, "a");
    assert_int_equal(entries(place), WRIT_COUNT(kept));
    writ_file_sweep(-1, "a"); /* a folder that cannot be read is left as it is */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* As deep as is promised, with the descriptors that every process has. */
static void a_deep_folder_is_removed(void **state)
{
    const struct place *place = *state;
    struct rlimit old, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    int fd = fcntl(place->fd, F_DUPFD_CLOEXEC, 3);
    for (unsigned level = 0; level < 500; level++) {
        assert_int_equal(mkdirat(fd, "d", 0700), 0);
        int inner = openat(fd, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(inner >= 0);
        writ_descriptor_close(&fd);
        fd = inner;
    }
    writ_descriptor_close(&fd);
    few = old;
    few.rlim_cur = 600;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    writ_folder_remove(place->fd, "d");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    assert_int_equal(entries(place), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_written_is_read),
        TEST(what_is_no_regular_file_is_refused),
        TEST(links_are_followed_only_when_allowed),
        TEST(a_file_over_the_maximum_is_refused_unread),
        TEST(a_failed_write_leaves_the_old_file),
        TEST(what_killed_writers_left_is_swept),
        TEST(folders_are_made_on_the_way),
        TEST(folders_that_cannot_be_made_are_told),
        TEST(a_deep_folder_is_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
