#include "data/schema_remote.h"

#include "base/descriptor.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

struct folder_walk {
    struct writ_schema_registry *registry;
    struct writ_arena *arena;
    struct writ_buffer uri;  /* of the entry being looked at */
    struct writ_buffer path; /* the same, for messages */
    unsigned depth;
    size_t files;
    struct writ_error *error;
};

static void close_folder(DIR **folder)
{
    if (*folder)
        (void)closedir(*folder);
}

static void append_segment(struct writ_buffer *uri, const char *name)
{
    if (uri->length == 0 || uri->data[uri->length - 1] != '/')
        writ_buffer_append_byte(uri, '/');
    for (; *name; name++) {
        char c = *name;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~", c);
        if (plain)
            writ_buffer_append_byte(uri, c);
        else
            writ_buffer_printf(uri, "%%%02X", (unsigned)(uint8_t)c);
    }
}

static void cut(struct writ_buffer *buffer, size_t length)
{
    if (buffer->data && length <= buffer->length) {
        buffer->length = length;
        buffer->data[length] = '\0';
    }
}

static int add_file(struct folder_walk *walk, int folder_fd, const char *name)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer bytes;
    writ_buffer_init(&bytes, WRIT_SCHEMA_FOLDER_FILE_BYTES_MAX);
    const char *path = writ_buffer_text(&walk->path);
    if (++walk->files > WRIT_SCHEMA_FOLDER_FILES_MAX)
        return writ_error_set(walk->error, WRIT_INTERNAL_LIMIT,
                              "the folder holds more than %d schemas; name a smaller one",
                              WRIT_SCHEMA_FOLDER_FILES_MAX);
    int result = writ_file_read(folder_fd, name, true, &bytes, walk->error);
    if (result)
        return result;
    const struct writ_json *document;
    result = writ_json_parse(walk->arena, writ_buffer_text(&bytes), bytes.length, &document, walk->error);
    if (!result) {
        char *uri = writ_arena_copy(walk->arena, writ_buffer_text(&walk->uri), walk->uri.length);
        result =
            uri ? writ_schema_registry_add(walk->registry, uri, document, walk->error) : writ_error_memory(walk->error);
    }
    if (result)
        (void)writ_error_at(walk->error, path, walk->error->line, walk->error->column);
    return result;
}

static int walk_folder(struct folder_walk *walk, int *folder_fd);

static int visit_entry(struct folder_walk *walk, int folder_fd, const char *name)
{
    struct stat status;
    if (name[0] == '.')
        return 0;
    if (fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return writ_error_io(walk->error, errno, name);
    size_t length = strlen(name), uri_length = walk->uri.length, path_length = walk->path.length;
    bool schema = S_ISREG(status.st_mode) && length > 5 && strcmp(name + length - 5, ".json") == 0;
    if (!schema && !S_ISDIR(status.st_mode))
        return 0;
    append_segment(&walk->uri, name);
    writ_buffer_printf(&walk->path, "/%s", name);
    if (walk->uri.failed || walk->path.failed)
        return writ_error_set(walk->error, WRIT_INTERNAL_LIMIT, "the path of %s is too long; move the folder", name);
    int result = 0;
    if (schema) {
        result = add_file(walk, folder_fd, name);
    } else {
        int inner = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        result =
            inner < 0 ? writ_error_io(walk->error, errno, writ_buffer_text(&walk->path)) : walk_folder(walk, &inner);
    }
    cut(&walk->uri, uri_length);
    cut(&walk->path, path_length);
    return result;
}

/* Takes the descriptor. */
static int walk_folder(struct folder_walk *walk, int *folder_fd)
{
    WRIT_CLEANUP(writ_descriptor_close) int owned = writ_descriptor_take(folder_fd);
    if (walk->depth >= WRIT_SCHEMA_FOLDER_DEPTH_MAX)
        return writ_error_set(walk->error, WRIT_INTERNAL_LIMIT,
                              "%s is nested more than %d folders deep; name a folder further in",
                              writ_buffer_text(&walk->path), WRIT_SCHEMA_FOLDER_DEPTH_MAX);
    WRIT_CLEANUP(close_folder) DIR *folder = fdopendir(owned);
    if (!folder)
        return writ_error_io(walk->error, errno, writ_buffer_text(&walk->path));
    owned = -1; /* the stream's now */
    walk->depth++;
    int result = 0;
    while (!result) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry) {
            if (errno)
                result = writ_error_io(walk->error, errno, writ_buffer_text(&walk->path));
            break;
        }
        result = visit_entry(walk, dirfd(folder), entry->d_name);
    }
    walk->depth--;
    return result;
}

int writ_schema_registry_add_folder(struct writ_schema_registry *registry, const char *url, const char *folder,
                                    struct writ_arena *arena, struct writ_error *error)
{
    struct folder_walk walk = {.registry = registry, .arena = arena, .error = error};
    int folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0)
        return writ_error_io(error, errno, folder);
    writ_buffer_init(&walk.uri, 4096);
    writ_buffer_init(&walk.path, 4096);
    writ_buffer_append_text(&walk.uri, url);
    writ_buffer_append_text(&walk.path, folder);
    int result = walk_folder(&walk, &folder_fd);
    writ_buffer_clear(&walk.uri);
    writ_buffer_clear(&walk.path);
    return result;
}
