#include "harness.h"

#include "base/descriptor.h"
#include "sandbox/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static void copy_probe(const char *to)
{
    struct writ_buffer bytes;
    writ_buffer_init(&bytes, (size_t)64 << 20);
    const char *from = getenv("WRIT_TEST_PROBE_PROGRAM");
    int in = open(from ? from : "", O_RDONLY | O_CLOEXEC);
    if (in < 0)
        fail_msg("WRIT_TEST_PROBE_PROGRAM names no program");
    assert_int_equal(writ_descriptor_read_all(in, &bytes), 0);
    (void)close(in);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    assert_true(out >= 0);
    assert_int_equal(writ_descriptor_write_all(out, bytes.data, bytes.length), 0);
    assert_int_equal(fchmod(out, 0755), 0);
    (void)close(out);
    writ_buffer_clear(&bytes);
}

int harness_set_up(void **state)
{
    struct harness *harness = calloc(1, sizeof *harness);
    assert_non_null(harness);
    (void)snprintf(harness->folder, sizeof harness->folder, "/tmp/writ-sandbox-XXXXXX");
    assert_non_null(mkdtemp(harness->folder));
    assert_int_equal(chmod(harness->folder, 0755), 0);
    (void)snprintf(harness->name, sizeof harness->name, "probe-%d", (int)getpid());
    (void)snprintf(harness->probe, sizeof harness->probe, "%s/%s", harness->folder, harness->name);
    copy_probe(harness->probe);
    writ_plan_init(&harness->plan);
    harness->cancel_fd = -1;
    harness_bind(harness, harness->probe, false)->executable = true;
    harness->plan.program = harness->probe;
    harness->plan.args[0] = "probe";
    harness->plan.working_folder = "/";
    harness->plan.input = "";
    harness->plan.limits = (struct writ_limits){.wall_ms = 20000,
                                                .memory_bytes = (uint64_t)256 << 20,
                                                .processes = 16,
                                                .output_bytes = (uint64_t)1 << 20,
                                                .stderr_bytes = 4096,
                                                .file_bytes = (uint64_t)64 << 20,
                                                .open_files = 64};
    *state = harness;
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

int harness_tear_down(void **state)
{
    struct harness *harness = *state;
    for (size_t i = 0; i < harness->fd_count; i++)
        writ_descriptor_close(&harness->fds[i]);
    writ_run_result_clear(&harness->result);
    int result = nftw(harness->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(harness);
    return result;
}

struct writ_mount *harness_bind(struct harness *harness, const char *path, bool writable)
{
    struct stat status;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0)
        fail_msg("%s: %s", path, strerrorname_np(errno));
    harness->fds[harness->fd_count++] = fd;
    struct writ_mount *mount = writ_plan_add(&harness->plan, WRIT_MOUNT_BIND, path, "test");
    assert_non_null(mount);
    mount->source_fd = fd;
    mount->is_folder = S_ISDIR(status.st_mode);
    mount->writable = writable;
    return mount;
}

static void add_as_it_stands(struct harness *harness, const char *path)
{
    static char targets[8][PATH_MAX];
    static size_t used;
    char *target = targets[used++ % 8];
    ssize_t length = readlink(path, target, PATH_MAX - 1);
    if (length > 0) {
        target[length] = '\0';
        struct writ_mount *mount = writ_plan_add(&harness->plan, WRIT_MOUNT_SYMLINK, path, "test");
        assert_non_null(mount);
        mount->content = target;
        mount->content_length = (size_t)length;
    } else if (access(path, F_OK) == 0) {
        (void)harness_bind(harness, path, false);
    }
}

void harness_add_programs(struct harness *harness)
{
    static char linker[PATH_MAX];
    static const char *const places[] = {"/bin", "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"};
    for (size_t i = 0; i < WRIT_COUNT(places); i++)
        add_as_it_stands(harness, places[i]);
    const char *name =
        access("/lib64/ld-linux-x86-64.so.2", F_OK) == 0 ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-aarch64.so.1";
    if (!realpath(name, linker))
        fail_msg("no dynamic linker at %s", name);
    harness_bind(harness, linker, false)->executable = true;
    assert_non_null(writ_plan_add(&harness->plan, WRIT_MOUNT_DEVICE, "/dev/null", "test"));
    assert_non_null(writ_plan_add(&harness->plan, WRIT_MOUNT_DEVICE, "/dev/urandom", "test"));
    harness->plan.env[0] = "PATH=/usr/bin:/bin";
    harness->plan.env[1] = "LANG=C.UTF-8";
    harness->plan.env[2] = "HOME=/tmp";
}

void harness_add_tmp(struct harness *harness)
{
    struct writ_mount *tmp = writ_plan_add(&harness->plan, WRIT_MOUNT_TMPFS, "/tmp", "test");
    assert_non_null(tmp);
    tmp->size_bytes = (uint64_t)4 << 20;
    tmp->files_max = 50;
}

void harness_need_private_grants(struct harness *harness)
{
    const char *private = harness_file(harness, "private", "x", 0600);
    size_t count = harness->plan.mount_count;
    (void)harness_bind(harness, private, false);
    harness_run(harness, "cat", private, NULL);
    harness->plan.mount_count = count;
    if (harness->answer < 0 && strstr(harness->error.message, "identity-mapped")) {
        print_message("SKIPPED: %s\n", harness->error.message);
        skip();
    }
    harness_check(harness, "x", __FILE__, __LINE__);
}

void harness_need_landlock(void)
{
    if (writ_probe_landlock_abi() > 0)
        return;
    print_message("SKIPPED: this kernel has no Landlock\n");
    skip();
}

const char *harness_path(const struct harness *harness, const char *name)
{
    static char paths[64][PATH_MAX];
    static size_t used;
    char *path = paths[used++ % 64];
    (void)snprintf(path, PATH_MAX, "%s/%s", harness->folder, name);
    return path;
}

const char *harness_file(const struct harness *harness, const char *name, const char *text, unsigned mode)
{
    const char *path = harness_path(harness, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(writ_descriptor_write_all(fd, text, strlen(text)), 0);
    assert_int_equal(fchmod(fd, mode), 0);
    (void)close(fd);
    return path;
}

const char *harness_folder(const struct harness *harness, const char *name, unsigned mode)
{
    const char *path = harness_path(harness, name);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void run_words(struct harness *harness, va_list words)
{
    size_t count = 1;
    const char *word;
    while ((word = va_arg(words, const char *))) {
        assert_true(count < WRIT_PLAN_ARGS_MAX);
        harness->plan.args[count++] = word;
    }
    harness->plan.args[count] = NULL;
    writ_run_result_clear(&harness->result);
    const struct writ_watch watch = {.cancel_fd = harness->cancel_fd};
    const struct writ_sandbox_options options = {.watch = &watch, .spare = harness->spare};
    harness->answer = writ_sandbox_run(&harness->plan, &options, &harness->result, &harness->error);
}

void harness_run(struct harness *harness, ...)
{
    va_list words;
    va_start(words, harness);
    run_words(harness, words);
    va_end(words);
}

void harness_run_program(struct harness *harness, const char *path, ...)
{
    va_list words;
    harness->plan.program = path;
    harness->plan.args[0] = path;
    va_start(words, path);
    run_words(harness, words);
    va_end(words);
}

void harness_check(const struct harness *harness, const char *output, const char *file, int line)
{
    if (harness->answer < 0) {
        print_error("%s\n", harness->error.message);
        _fail(file, line);
    }
    const struct writ_run_result *result = &harness->result;
    const char *found = writ_buffer_text(&result->output);
    if (result->ending != WRIT_ENDED_EXIT || result->exit_status != 0 || strcmp(found, output) != 0) {
        print_error("ending %d, status %d, signal %d, printed \"%s\" and \"%s\", expected \"%s\"\n", result->ending,
                    result->exit_status, result->signal_number, found, writ_buffer_text(&result->errors), output);
        _fail(file, line);
    }
}
