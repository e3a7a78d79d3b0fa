#include "skill/catalog.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/text.h"
#include "skill/catalog_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>

#define TRUST_NAME "trust.json"
#define TRUST_LOCK_NAME "trust.lock"
#define TRUST_BYTES_MAX ((size_t)1 << 20)
#define TRUST_VERSION 1

/* ---- reading ---- */

struct trust_file {
    struct writ_arena arena;
    const struct writ_json *folders; /* array, or NULL when there is no file */
};

static void clear_trust(struct trust_file *trust)
{
    writ_arena_clear(&trust->arena);
}

static int fail_broken(const char *path, const char *what, struct writ_error *error)
{
    return writ_error_set(error, WRIT_INTERNAL_IO, "`%s` %s; mend or remove it (then trust your folders again)", path,
                          what);
}

/* Who may write this file decides what runs, so it is held to the rule for private files. */
static int check_file(int fd, const char *path, struct writ_error *error)
{
    struct stat status;
    if (fstat(fd, &status) < 0)
        return writ_error_io(error, errno, path);
    if (!S_ISREG(status.st_mode))
        return fail_broken(path, "is not a regular file", error);
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return fail_broken(path, "belongs to another user", error);
    if (writ_file_is_shared(&status))
        return fail_broken(path, "can be written by others", error);
    return 0;
}

static int check_shape(const struct writ_json *root, const char *path, struct writ_error *error)
{
    int64_t version;
    const struct writ_json *number = writ_json_get(root, "version"), *folders = writ_json_get(root, "folders");
    if (!number || number->kind != WRIT_JSON_INTEGER || !writ_json_int64(number, &version) || version < 1)
        return fail_broken(path, "has no format version", error);
    if (version > TRUST_VERSION)
        return writ_error_set(error, WRIT_INTERNAL_IO,
                              "`%s` is of a newer format (version %lld) than this writ reads; use the newer writ that "
                              "wrote it, or move the file away",
                              path, (long long)version);
    if (!folders || folders->kind != WRIT_JSON_ARRAY)
        return fail_broken(path, "has no list of folders", error);
    WRIT_JSON_EACH_ITEM(item, folders)
    {
        const char *folder = writ_json_text(writ_json_get(item, "path"));
        if (!folder || folder[0] != '/')
            return fail_broken(path, "has an entry without an absolute path", error);
    }
    return 0;
}

static void print_path(const char *config, char path[PATH_MAX])
{
    (void)snprintf(path, PATH_MAX, "%.4000s/" TRUST_NAME, config);
}

static int read_trust(int folder_fd, const char *config, struct trust_file *trust, struct writ_error *error)
{
    char path[PATH_MAX];
    print_path(config, path);
    writ_arena_init(&trust->arena, TRUST_BYTES_MAX * 8);
    /* What is judged is what is read.  O_NONBLOCK: a FIFO in its place must not hold the caller. */
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(folder_fd, TRUST_NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0)
        return errno == ELOOP ? fail_broken(path, "is not a regular file", error) : writ_error_io(error, errno, path);
    int result = check_file(fd, path, error);
    if (result < 0)
        return result;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, TRUST_BYTES_MAX);
    int failed = writ_descriptor_read_all(fd, &text);
    if (failed == -ENOMEM)
        return writ_error_memory(error);
    if (failed == -EFBIG)
        return fail_broken(path, "is larger than what is read", error);
    if (failed < 0)
        return writ_error_io(error, -failed, path);
    const struct writ_json *root;
    if (writ_json_parse(&trust->arena, writ_buffer_text(&text), text.length, &root, error) < 0)
        return error->code == WRIT_INTERNAL_MEMORY ? error->code : fail_broken(path, "is not JSON", error);
    result = check_shape(root, path, error);
    if (result == 0)
        trust->folders = writ_json_get(root, "folders");
    return result;
}

static bool lies_within(const char *folder, const char *trusted)
{
    size_t length = strlen(trusted);
    return strncmp(folder, trusted, length) == 0 && (folder[length] == '\0' || folder[length] == '/');
}

/* What is trusted now; nothing when there is no configuration yet. */
static int load_trust(const struct writ_places *places, struct trust_file *trust, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = places->config ? open(places->config, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd < 0 && places->config && errno != ENOENT)
        return writ_error_io(error, errno, places->config);
    return fd >= 0 ? read_trust(fd, places->config, trust, error) : 0;
}

int writ_trust_list(const struct writ_places *places, struct writ_arena *arena,
                    const struct writ_trusted_folder **ret_folders, size_t *ret_count, struct writ_error *error)
{
    WRIT_CLEANUP(clear_trust) struct trust_file trust = {0};
    int result = load_trust(places, &trust, error);
    if (result < 0)
        return result;
    size_t count = trust.folders ? trust.folders->length : 0, filled = 0;
    struct writ_trusted_folder *folders = writ_arena_zalloc(arena, count, sizeof *folders);
    if (!folders)
        return writ_error_memory(error);
    if (trust.folders)
        WRIT_JSON_EACH_ITEM(item, trust.folders)
        {
            const char *path = writ_json_text(writ_json_get(item, "path"));
            const char *added = writ_json_text(writ_json_get(item, "added"));
            added = added ? added : "";
            folders[filled].path = writ_arena_copy(arena, path, strlen(path));
            folders[filled].added = writ_arena_copy(arena, added, strlen(added));
            if (!folders[filled].path || !folders[filled].added)
                return writ_error_memory(error);
            filled++;
        }
    *ret_folders = folders;
    *ret_count = filled;
    return 0;
}

int writ_trust_has(const struct writ_places *places, const char *folder, bool *ret_trusted, struct writ_error *error)
{
    bool found = false;
    WRIT_CLEANUP(clear_trust) struct trust_file trust = {0};
    int result = load_trust(places, &trust, error);
    if (result < 0)
        return result;
    if (trust.folders)
        WRIT_JSON_EACH_ITEM(item, trust.folders)
        {
            found = found || lies_within(folder, writ_json_text(writ_json_get(item, "path")));
        }
    *ret_trusted = found;
    return 0;
}

/* ---- changing ---- */

/* The folder as an absolute path with links resolved; one that is gone stays as it was written, made absolute. */
static int resolve(const struct writ_places *places, const char *folder, bool must_exist, struct writ_arena *arena,
                   const char **ret_path, struct writ_error *error)
{
    const char *path = folder[0] == '/' ? writ_arena_copy(arena, folder, strlen(folder))
                                        : writ_arena_printf(arena, "%s/%s", places->working, folder);
    if (!path)
        return writ_error_memory(error);
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        struct stat status;
        if (must_exist && fstat(fd, &status) == 0 && (status.st_mode & S_IWOTH))
            return writ_error_set(error, WRIT_USAGE,
                                  "`%s` can be written by everyone, so anyone could put a skill there; run "
                                  "`chmod o-w` on it first",
                                  path);
        return catalog_path_of(fd, arena, ret_path, error);
    }
    if (must_exist)
        return writ_error_set(error, WRIT_USAGE, "there is no folder `%s`; name one that is there", path);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    *ret_path = writ_arena_copy(arena, path, length);
    return *ret_path ? 0 : writ_error_memory(error);
}

/* What may not be put into the list. */
static int check_wanted(const struct writ_places *places, const char *path, struct writ_error *error)
{
    /* The list is JSON: it would hold the name of another folder. */
    if (!writ_utf8_is_valid(path, strlen(path)))
        return writ_error_set(error, WRIT_USAGE, "`%s` is not UTF-8, so it cannot be noted; rename the folder", path);
    if (strcmp(path, "/") == 0)
        return writ_error_set(error, WRIT_USAGE, "`/` would trust every folder; name the project");
    struct stat home, here;
    if (places->home && stat(places->home, &home) == 0 && stat(path, &here) == 0 && home.st_dev == here.st_dev &&
        home.st_ino == here.st_ino)
        return writ_error_set(error, WRIT_USAGE, "your home folder would trust every project in it; name the project");
    return 0;
}

static void write_entry(struct writ_json_writer *writer, const char *path)
{
    struct timespec now = {0};
    char text[WRIT_TIME_TEXT_BYTES];
    (void)clock_gettime(CLOCK_REALTIME, &now);
    writ_time_print(&now, text);
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "path", path);
    writ_json_write_member_text(writer, "added", text);
    writ_json_write_object_end(writer);
}

/* Writes the list anew with or without `path`.  False when that changes nothing. */
static bool write_changed(const struct trust_file *trust, const char *path, bool wanted, struct writ_buffer *out)
{
    bool had = false;
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, out);
    writ_json_write_object(&writer);
    writ_json_write_member_integer(&writer, "version", TRUST_VERSION);
    writ_json_write_key(&writer, "folders");
    writ_json_write_array(&writer);
    if (trust->folders)
        WRIT_JSON_EACH_ITEM(item, trust->folders)
        {
            bool same = writ_json_is_text(writ_json_get(item, "path"), path);
            had = had || same;
            if (!same || wanted)
                writ_json_write_node(&writer, item);
        }
    if (wanted && !had)
        write_entry(&writer, path);
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
    writ_buffer_append_byte(out, '\n');
    return had != wanted;
}

int writ_trust_change(const struct writ_places *places, const char *folder, bool add, bool *ret_changed,
                      struct writ_error *error)
{
    if (!places->config)
        return writ_error_set(error, WRIT_USAGE, "there is no configuration folder: set HOME or XDG_CONFIG_HOME");
    WRIT_CLEANUP(clear_trust) struct trust_file trust = {0};
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, (size_t)64 << 10);
    const char *path = NULL;
    int result = resolve(places, folder, add, &arena, &path, error);
    if (result == 0 && add)
        result = check_wanted(places, path, error);
    if (result < 0)
        return result;
    WRIT_CLEANUP(writ_descriptor_close) int config_fd = -1;
    result = writ_folder_make(places->config, 0700, &config_fd, error);
    if (result < 0)
        return result;
    char shown[PATH_MAX];
    print_path(places->config, shown);
    WRIT_CLEANUP(writ_descriptor_close) int lock_fd = -1;
    result = writ_lock_open(config_fd, TRUST_LOCK_NAME, shown, &lock_fd, error);
    if (result < 0)
        return result;
    writ_file_sweep(config_fd, TRUST_NAME);
    result = read_trust(config_fd, places->config, &trust, error);
    if (result < 0)
        return result;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, TRUST_BYTES_MAX);
    bool changed = write_changed(&trust, path, add, &text);
    if (text.failed && !text.too_large)
        return writ_error_memory(error);
    if (text.failed)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "too many folders are trusted; remove some");
    if (changed)
        result = writ_file_write_atomic(config_fd, TRUST_NAME, 0600, text.data, text.length, error);
    if (result == 0)
        *ret_changed = changed;
    return result;
}
