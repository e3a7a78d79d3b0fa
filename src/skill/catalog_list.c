#include "skill/catalog.h"

#include "base/descriptor.h"
#include "skill/catalog_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Listing reads every contract of every source.  Descriptors are closed at once, so that a thousand skills need none.
 */

struct listing {
    const struct writ_catalog_options *options;
    struct writ_catalog *catalog;
    size_t capacity;
    struct writ_arena arena;
    struct writ_error *error;
};

static void clear_listing(struct listing *listing)
{
    writ_arena_clear(&listing->arena);
}

static void free_skill(struct writ_skill **skill)
{
    writ_skill_free(*skill);
}

static int keep(struct listing *listing, struct writ_skill **skill)
{
    struct writ_catalog *catalog = listing->catalog;
    if (catalog->count == listing->capacity) {
        size_t capacity = listing->capacity ? listing->capacity * 2 : 32;
        struct writ_skill **skills = reallocarray(catalog->skills, capacity, sizeof(*skills));
        if (!skills)
            return writ_error_memory(listing->error);
        catalog->skills = skills;
        listing->capacity = capacity;
    }
    catalog->skills[catalog->count++] = *skill;
    *skill = NULL;
    return 0;
}

static int check_trust(struct listing *listing, struct writ_skill *skill)
{
    return writ_trust_has(listing->options->places, skill->folder, &skill->trusted, listing->error);
}

/* `name` is the folder's below the source, `last` its last part; `id` what it stands for until its contract is read. */
static int list_folder(struct listing *listing, const struct catalog_source *source, int source_fd, int parent_fd,
                       const char *name, const char *last, const char *id, enum catalog_naming naming)
{
    const char *folder = writ_arena_printf(&listing->arena, "%s/%s", source->path, name);
    WRIT_CLEANUP(free_skill) struct writ_skill *skill = folder ? catalog_skill_new(source, folder, id) : NULL;
    if (!skill)
        return writ_error_memory(listing->error);
    struct writ_error error;
    int result = catalog_folder_open(source, parent_fd, last, &skill->folder_fd, &error);
    if (result == 0 && skill->folder_fd < 0)
        return 0; /* gone meanwhile */
    if (result == 0)
        result = catalog_skill_place(skill, name, &error);
    if (result == 0 && source->kind == WRIT_SOURCE_PROJECT) {
        int trust = check_trust(listing, skill);
        if (trust < 0)
            return trust;
    }
    if (result == 0)
        result = catalog_check_owner(source->kind, source_fd, NULL, source->path, &error);
    if (result == 0)
        result = catalog_skill_load(skill, naming, last, &error);
    if (result == WRIT_INTERNAL_MEMORY) {
        *listing->error = error;
        return result;
    }
    if (result < 0)
        (void)catalog_skill_blame(skill, &error);
    writ_descriptor_close(&skill->folder_fd);
    return keep(listing, &skill);
}

static int list_versions(struct listing *listing, const struct catalog_source *source, int source_fd, const char *id)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
    WRIT_CLEANUP(catalog_versions_clear) struct catalog_versions versions = {0};
    int result = catalog_folder_open(source, source_fd, id, &fd, listing->error);
    if (result == 0 && fd >= 0)
        result = catalog_versions_read(fd, &versions, listing->error);
    for (size_t i = 0; result == 0 && i < versions.count; i++) {
        char text[CATALOG_VERSION_TEXT_BYTES];
        catalog_version_print(&versions.items[i], text);
        const char *name = writ_arena_printf(&listing->arena, "%s/%s", id, text);
        result = name ? list_folder(listing, source, source_fd, fd, name, text, id, CATALOG_NAMED_BY_VERSION)
                      : writ_error_memory(listing->error);
    }
    return result;
}

/* Removed or replaced between two looks; every other failure must not make a skill vanish from the list. */
static bool is_gone(int sys_errno)
{
    return sys_errno == ENOENT || sys_errno == ENOTDIR || sys_errno == ELOOP;
}

/* A folder counts when it holds a skill.yaml, or is a link that bears an id (which is then refused by name). */
static int list_name(struct listing *listing, const struct catalog_source *source, int source_fd, const char *name)
{
    struct writ_error unused;
    struct stat status;
    bool is_id = writ_skill_id_check(name, &unused) == 0;
    if (source->kind == WRIT_SOURCE_INSTALLED)
        return is_id ? list_versions(listing, source, source_fd, name) : 0;
    if (fstatat(source_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return is_gone(errno) ? 0 : writ_error_io(listing->error, errno, name);
    bool manifest = false;
    if (S_ISDIR(status.st_mode)) {
        WRIT_CLEANUP(writ_descriptor_close)
        int fd = openat(source_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            return is_gone(errno) ? 0 : writ_error_io(listing->error, errno, name);
        bool contract = false;
        int result = catalog_folder_holds(fd, "skill.yaml", &contract, listing->error);
        if (result == 0 && contract)
            result = catalog_folder_holds(fd, "SKILL.md", &manifest, listing->error);
        if (result < 0 || !contract)
            return result;
    } else if (!S_ISLNK(status.st_mode) || !is_id) {
        return 0;
    }
    enum catalog_naming naming = manifest && !strchr(name, '.') ? CATALOG_NAMED_BY_MANIFEST : CATALOG_NAMED_BY_ID;
    return list_folder(listing, source, source_fd, source_fd, name, name, name, naming);
}

static int list_source(struct listing *listing, const struct catalog_source *source)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
    int result = catalog_source_open(source, &fd, listing->error);
    if (result < 0 || fd < 0)
        return result;
    WRIT_CLEANUP(catalog_stream_close) DIR *stream = catalog_folder_stream(fd);
    if (!stream)
        return writ_error_io(listing->error, errno, source->path);
    size_t seen = 0;
    for (const char *name;
         result == 0 && (name = catalog_next_name(stream, &seen, &listing->catalog->truncated)) != NULL;) {
        const struct writ_activity activity = {.what = "looking for skills in", .about = source->path};
        result = writ_watch_check(listing->options->watch, &activity, listing->error);
        if (result == 0)
            result = list_name(listing, source, fd, name);
    }
    return result == 0 && errno ? writ_error_io(listing->error, errno, source->path) : result;
}

/* ---- order and shadowing ---- */

struct ranked {
    struct writ_skill *skill;
    size_t rank; /* place in order of precedence */
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    int order = strcmp(one->skill->id, other->skill->id);
    if (order != 0)
        return order;
    return one->rank < other->rank ? -1 : 1;
}

static void mark_shadowed(struct writ_catalog *catalog)
{
    for (size_t from = 0, to; from < catalog->count; from = to) {
        const struct writ_skill *winner = NULL;
        for (to = from; to < catalog->count && strcmp(catalog->skills[from]->id, catalog->skills[to]->id) == 0; to++) {
            struct writ_skill *skill = catalog->skills[to];
            bool both_installed =
                winner && winner->source == WRIT_SOURCE_INSTALLED && skill->source == WRIT_SOURCE_INSTALLED;
            if (winner && !both_installed)
                skill->shadowed_by = winner->folder;
            if (!winner && skill->trusted)
                winner = skill;
        }
    }
}

static int put_in_order(struct writ_catalog *catalog, struct writ_error *error)
{
    if (catalog->count < 2)
        return 0;
    struct ranked *ranked = reallocarray(NULL, catalog->count, sizeof *ranked);
    if (!ranked)
        return writ_error_memory(error);
    for (size_t i = 0; i < catalog->count; i++)
        ranked[i] = (struct ranked){catalog->skills[i], i};
    qsort(ranked, catalog->count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < catalog->count; i++)
        catalog->skills[i] = ranked[i].skill;
    free(ranked);
    mark_shadowed(catalog);
    return 0;
}

int writ_catalog_list(const struct writ_catalog_options *options, struct writ_catalog *ret_catalog,
                      struct writ_error *error)
{
    WRIT_CLEANUP(writ_catalog_clear) struct writ_catalog catalog = {0};
    WRIT_CLEANUP(clear_listing) struct listing listing = {.options = options, .catalog = &catalog, .error = error};
    writ_arena_init(&listing.arena, (size_t)64 << 20);
    struct catalog_sources sources;
    int result = catalog_sources_fill(options, &listing.arena, &sources, error);
    for (size_t i = 0; result == 0 && i < sources.count; i++)
        result = list_source(&listing, &sources.items[i]);
    if (result == 0)
        result = put_in_order(&catalog, error);
    if (result < 0)
        return result;
    *ret_catalog = catalog;
    catalog = (struct writ_catalog){0};
    return 0;
}

void writ_catalog_clear(struct writ_catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; i++)
        writ_skill_free(catalog->skills[i]);
    free(catalog->skills);
    *catalog = (struct writ_catalog){0};
}
