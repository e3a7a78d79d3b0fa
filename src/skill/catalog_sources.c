#include "skill/catalog_sources.h"

#include "base/descriptor.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Folders of the open standard and of the clients that read it (C4), in the order in which they are looked at. */
static const char *const project_folders[] = {
    ".writ/skills",   ".agents/skills",   ".claude/skills",  ".codex/skills",  ".gemini/skills",
    ".github/skills", ".opencode/skills", ".opencode/skill", ".cursor/skills", ".hermes/skills",
};
static const char *const home_folders[] = {
    ".agents/skills",  ".claude/skills", ".codex/skills",  ".gemini/skills",
    ".copilot/skills", ".cursor/skills", ".hermes/skills",
};
/* Below the folder that holds writ's own configuration folder. */
static const char *const config_folders[] = {"opencode/skills", "opencode/skill"};

#define OPTION_FOLDERS_MAX 64
_Static_assert(OPTION_FOLDERS_MAX + WRIT_COUNT(project_folders) + WRIT_COUNT(home_folders) +
                       WRIT_COUNT(config_folders) + 3 <=
                   sizeof((struct catalog_sources *)0)->items / sizeof(struct catalog_source),
               "every source has room");

const char *writ_source_name(enum writ_source_kind kind)
{
    static const char *const names[] = {
        [WRIT_SOURCE_OPTION] = "--skills",     [WRIT_SOURCE_PROJECT] = "project", [WRIT_SOURCE_USER] = "user",
        [WRIT_SOURCE_INSTALLED] = "installed", [WRIT_SOURCE_SHIPPED] = "shipped", [WRIT_SOURCE_FOLDER] = "folder"};
    return kind >= WRIT_SOURCE_OPTION && kind <= WRIT_SOURCE_FOLDER ? names[kind] : "unknown";
}

/* ---- the project's root ---- */

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool has_marker(int fd)
{
    static const char *const markers[] = {".writ", ".git", ".agents"};
    for (size_t i = 0; i < WRIT_COUNT(markers); i++)
        if (faccessat(fd, markers[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            return true;
    return false;
}

static bool has_skills(int fd)
{
    for (size_t i = 0; i < WRIT_COUNT(project_folders); i++)
        if (faccessat(fd, project_folders[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            return true;
    return false;
}

int writ_project_root(const struct writ_places *places, struct writ_arena *arena, const char **ret_root,
                      struct writ_error *error)
{
    struct stat home = {0}, here;
    bool has_home = places->home && stat(places->home, &home) == 0;
    const char *unmarked = NULL; /* the nearest folder that has skills, should none bear a marker */
    char *path = writ_arena_copy(arena, places->working, strlen(places->working));
    if (!path)
        return writ_error_memory(error);
    *ret_root = NULL;
    for (char *slash = path; path[0] == '/' && path[1] && slash; *slash = '\0') {
        WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0 && fstat(fd, &here) == 0) {
            if (has_home && is_same_file(&home, &here))
                break;
            if (has_marker(fd)) {
                *ret_root = path;
                return 0;
            }
            if (!unmarked && has_skills(fd) && !(unmarked = writ_arena_copy(arena, path, strlen(path))))
                return writ_error_memory(error);
        }
        slash = strrchr(path, '/');
        if (slash == path)
            break;
    }
    *ret_root = unmarked;
    return 0;
}

/* ---- the list ---- */

static int add(struct catalog_sources *sources, struct writ_arena *arena, enum writ_source_kind kind,
               const char *folder, const char *name, struct writ_error *error)
{
    const char *path = writ_arena_printf(arena, "%s%s%s", folder, name[0] ? "/" : "", name);
    if (!path)
        return writ_error_memory(error);
    sources->items[sources->count++] = (struct catalog_source){kind, path};
    return 0;
}

static int add_all(struct catalog_sources *sources, struct writ_arena *arena, enum writ_source_kind kind,
                   const char *folder, const char *const *names, size_t count, struct writ_error *error)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < count; i++)
        result = add(sources, arena, kind, folder, names[i], error);
    return result;
}

static int add_options(const struct writ_catalog_options *options, struct writ_arena *arena,
                       struct catalog_sources *sources, struct writ_error *error)
{
    if (options->skill_folder_count > OPTION_FOLDERS_MAX)
        return writ_error_set(error, WRIT_USAGE, "more than %d --skills folders are given; leave some out",
                              OPTION_FOLDERS_MAX);
    int result = 0;
    for (size_t i = 0; result == 0 && i < options->skill_folder_count; i++) {
        const char *folder = options->skill_folders[i];
        /* An unset variable of a script must not name the working directory. */
        if (!folder[0])
            return writ_error_set(error, WRIT_USAGE, "--skills names no folder; give it one");
        if (folder[0] != '/' && options->places->working[0] != '/')
            return writ_error_set(error, WRIT_USAGE,
                                  "--skills %.200s is relative, but the working directory is gone; name it from /",
                                  folder);
        result = folder[0] == '/' ? add(sources, arena, WRIT_SOURCE_OPTION, folder, "", error)
                                  : add(sources, arena, WRIT_SOURCE_OPTION, options->places->working, folder, error);
    }
    return result;
}

static int add_user(const struct writ_places *places, struct writ_arena *arena, struct catalog_sources *sources,
                    struct writ_error *error)
{
    int result = 0;
    if (places->config)
        result = add(sources, arena, WRIT_SOURCE_USER, places->config, "skills", error);
    if (result == 0 && places->home)
        result = add_all(sources, arena, WRIT_SOURCE_USER, places->home, home_folders, WRIT_COUNT(home_folders), error);
    const char *slash = places->config ? strrchr(places->config, '/') : NULL;
    if (result < 0 || !slash)
        return result;
    const char *above = writ_arena_copy(arena, places->config, (size_t)(slash - places->config));
    if (!above)
        return writ_error_memory(error);
    return add_all(sources, arena, WRIT_SOURCE_USER, above, config_folders, WRIT_COUNT(config_folders), error);
}

int catalog_sources_fill(const struct writ_catalog_options *options, struct writ_arena *arena,
                         struct catalog_sources *ret_sources, struct writ_error *error)
{
    const struct writ_places *places = options->places;
    const char *root = NULL;
    ret_sources->count = 0;
    int result = add_options(options, arena, ret_sources, error);
    if (result == 0)
        result = writ_project_root(places, arena, &root, error);
    if (result == 0 && root)
        result =
            add_all(ret_sources, arena, WRIT_SOURCE_PROJECT, root, project_folders, WRIT_COUNT(project_folders), error);
    if (result == 0)
        result = add_user(places, arena, ret_sources, error);
    if (result == 0 && places->data)
        result = add(ret_sources, arena, WRIT_SOURCE_INSTALLED, places->data, "skills", error);
    if (result == 0 && places->shipped)
        result = add(ret_sources, arena, WRIT_SOURCE_SHIPPED, places->shipped, "", error);
    return result;
}

/* ---- opening ---- */

int catalog_source_open(const struct catalog_source *source, int *ret_fd, struct writ_error *error)
{
    *ret_fd = open(source->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*ret_fd >= 0)
        return 0;
    bool absent = errno == ENOENT || errno == ENOTDIR;
    if (absent && source->kind == WRIT_SOURCE_OPTION)
        return writ_error_set(error, WRIT_SKILL_NOT_FOUND, "there is no folder `%s` (--skills); name one that is there",
                              source->path);
    return absent ? 0 : writ_error_io(error, errno, source->path);
}

int catalog_folder_open(const struct catalog_source *source, int source_fd, const char *name, int *ret_fd,
                        struct writ_error *error)
{
    struct open_how how = {.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, source_fd, name, &how, sizeof how);
    if (fd >= 0 || errno == ENOENT || errno == ENOTDIR) {
        *ret_fd = fd;
        return 0;
    }
    if (errno == ELOOP)
        return writ_error_set(
            error, WRIT_SKILL_UNTRUSTED,
            "`%s/%s` is a symbolic link, which could be pointed elsewhere; put the folder itself there", source->path,
            name);
    char path[PATH_MAX];
    int saved = errno;
    (void)snprintf(path, sizeof path, "%.3800s/%.255s", source->path, name);
    return writ_error_io(error, saved, path);
}

int catalog_folder_holds(int folder_fd, const char *name, bool *ret_holds, struct writ_error *error)
{
    bool holds = faccessat(folder_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    /* Where the folder may not be searched (EACCES), nothing in it can be used; every other answer is no answer. */
    if (!holds && errno != ENOENT && errno != EACCES)
        return writ_error_io(error, errno, name);
    *ret_holds = holds;
    return 0;
}

#define MANIFEST_BYTES_MAX ((size_t)1 << 20)

/* The value of a line `name: value`, plain or in quotes; its length. */
static size_t value_of(const char *line, const char **ret_value)
{
    const char *value = line + strspn(line, " \t");
    if (*value == '"' || *value == '\'') {
        *ret_value = value + 1;
        return strcspn(value + 1, (const char[]){*value, '\n', '\0'});
    }
    size_t length = strcspn(value, " \t\r\n");
    *ret_value = value;
    return length;
}

int catalog_manifest_names(int folder_fd, const char *folder_name, bool *ret_names, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, MANIFEST_BYTES_MAX);
    *ret_names = false;
    int result = writ_file_read(folder_fd, "SKILL.md", true, &text, error);
    if (result == WRIT_INTERNAL_MEMORY || (result == WRIT_INTERNAL_IO && error->sys_errno == EIO))
        return result;
    const char *line = writ_buffer_text(&text), *value;
    line += strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    if (result < 0 || strncmp(line, "---", 3) != 0)
        return 0;
    while ((line = strchr(line, '\n')) != NULL && strncmp(++line, "---", 3) != 0) {
        if (strncmp(line, "name:", 5) != 0)
            continue;
        size_t length = value_of(line + 5, &value);
        *ret_names = strlen(folder_name) == length && memcmp(folder_name, value, length) == 0;
        return 0;
    }
    return 0;
}

int catalog_check_owner(enum writ_source_kind kind, int folder_fd, const char *name, const char *shown_path,
                        struct writ_error *error)
{
    bool is_private = kind == WRIT_SOURCE_USER || kind == WRIT_SOURCE_INSTALLED;
    if (!is_private && kind != WRIT_SOURCE_PROJECT)
        return 0;
    struct stat status;
    if ((name ? fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) : fstat(folder_fd, &status)) < 0)
        return errno == ENOENT ? 0 : writ_error_io(error, errno, shown_path);
    if (is_private && status.st_uid != geteuid() && status.st_uid != 0)
        return writ_error_set(
            error, WRIT_SKILL_UNTRUSTED,
            "`%s%s%s` belongs to another user (uid %u), who could change what runs; copy the skill so "
            "that it is yours",
            shown_path, name ? "/" : "", name ? name : "", status.st_uid);
    if (!S_ISLNK(status.st_mode) && writ_file_is_shared(&status))
        return writ_error_set(error, WRIT_SKILL_UNTRUSTED,
                              "`%s%s%s` can be written by others, who could change what runs; run `chmod go-w` on it",
                              shown_path, name ? "/" : "", name ? name : "");
    return 0;
}

int catalog_path_of(int fd, struct writ_arena *arena, const char **ret_path, struct writ_error *error)
{
    char path[PATH_MAX];
    int failed = writ_descriptor_path(fd, path);
    if (failed < 0)
        return writ_proc_check(error) < 0 ? error->code : writ_error_io(error, -failed, "a folder's name");
    *ret_path = writ_arena_copy(arena, path, strlen(path));
    return *ret_path ? 0 : writ_error_memory(error);
}

/* ---- listing ---- */

DIR *catalog_folder_stream(int folder_fd)
{
    int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    if (!stream)
        writ_descriptor_close(&fd);
    return stream;
}

void catalog_stream_close(DIR **folder)
{
    if (*folder)
        (void)closedir(*folder);
}

const char *catalog_next_name(DIR *folder, size_t *seen, bool *truncated)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry)
            return NULL;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (entry->d_type != DT_DIR && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
            continue;
        if (++*seen > WRIT_CATALOG_FOLDERS_MAX) {
            *truncated = true;
            errno = 0;
            return NULL;
        }
        return entry->d_name;
    }
}

/* ---- versions ---- */

void catalog_version_print(const struct writ_semver *version, char ret_text[CATALOG_VERSION_TEXT_BYTES])
{
    (void)snprintf(ret_text, CATALOG_VERSION_TEXT_BYTES, "%llu.%llu.%llu%s%s%s%s", (unsigned long long)version->major,
                   (unsigned long long)version->minor, (unsigned long long)version->patch,
                   version->prerelease[0] ? "-" : "", version->prerelease, version->build[0] ? "+" : "",
                   version->build);
}

/* Releases before prereleases, each from the highest down. */
static int compare_versions(const void *a, const void *b)
{
    const struct writ_semver *one = a, *other = b;
    bool one_is_release = !one->prerelease[0], other_is_release = !other->prerelease[0];
    if (one_is_release != other_is_release)
        return one_is_release ? -1 : 1;
    return writ_semver_compare(other, one);
}

int catalog_versions_read(int folder_fd, struct catalog_versions *ret_versions, struct writ_error *error)
{
    *ret_versions = (struct catalog_versions){0};
    WRIT_CLEANUP(catalog_stream_close) DIR *stream = catalog_folder_stream(folder_fd);
    if (!stream)
        return writ_error_io(error, errno, "installed skills");
    size_t seen = 0, capacity = 0;
    bool truncated = false;
    for (const char *name; (name = catalog_next_name(stream, &seen, &truncated)) != NULL;) {
        struct writ_semver version;
        struct writ_error unused;
        if (writ_semver_parse(name, &version, &unused) < 0)
            continue; /* a store may keep files of its own beside the versions */
        if (ret_versions->count == capacity) {
            capacity = capacity ? capacity * 2 : 4;
            struct writ_semver *items = reallocarray(ret_versions->items, capacity, sizeof *items);
            if (!items) {
                catalog_versions_clear(ret_versions);
                return writ_error_memory(error);
            }
            ret_versions->items = items;
        }
        ret_versions->items[ret_versions->count++] = version;
    }
    if (errno) {
        int reason = errno;
        catalog_versions_clear(ret_versions);
        return writ_error_io(error, reason, "installed skills");
    }
    if (ret_versions->count > 1)
        qsort(ret_versions->items, ret_versions->count, sizeof *ret_versions->items, compare_versions);
    return 0;
}

void catalog_versions_clear(struct catalog_versions *versions)
{
    free(versions->items);
    *versions = (struct catalog_versions){0};
}
