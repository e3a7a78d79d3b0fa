#include "run/ungranted.h"

#include "base/descriptor.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#define SHOWN_BYTES_MAX 120 /* of a path; a longer one is left to --explain */

struct search {
    const struct writ_prepared *prepared;
    const char *skill_folder, *said, *errors;
    bool missing, unwritable; /* what the program speaks of */
};

static bool speaks_of(const struct search *search, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcasestr(search->said, words[i]) || strcasestr(search->errors, words[i]))
            return true;
    return false;
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

/* Was it in the sandbox, and writable there if need be? */
static bool is_held(const struct search *search, const char *path, bool write)
{
    if (!write && is_below(path, search->skill_folder))
        return true;
    const struct writ_plan *plan = &search->prepared->plan;
    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct writ_mount *mount = &plan->mounts[i];
        if (mount->kind == WRIT_MOUNT_BIND && (mount->writable || !write) && is_below(path, mount->path))
            return true;
    }
    return false;
}

static const char *last_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file's canonical name, or for one that is yet to be written its folder's; false when there is none. */
static bool find(const struct search *search, const char *value, bool is_new, char ret_path[PATH_MAX])
{
    char path[PATH_MAX];
    const char *working = search->prepared->plan.working_folder;
    int length = value[0] == '/' ? snprintf(path, sizeof path, "%s", value)
                                 : snprintf(path, sizeof path, "%s/%s", working, value);
    if (length < 0 || (size_t)length >= sizeof path)
        return false;
    if (is_new)
        path[last_name_of(path) - path] = '\0'; /* a slash at least stays */
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_PATH | O_CLOEXEC);
    return fd >= 0 && writ_descriptor_path(fd, ret_path) == 0;
}

/* The permission that `value`, a text of the input, lacks; NULL: it is no path, or lacks none. */
static const char *lacks(const struct search *search, const struct writ_json *value)
{
    char path[PATH_MAX];
    if (value->kind != WRIT_JSON_STRING || value->length == 0 || value->length > SHOWN_BYTES_MAX ||
        strlen(value->text) != value->length)
        return NULL;
    bool is_there = find(search, value->text, false, path);
    if (is_there && !is_held(search, path, false))
        return search->unwritable ? "filesystem:write" : "filesystem:read";
    /* Any word could be the name of a new file, and what may be read need not be written: only what the program itself
     * names is meant. */
    const char *name = last_name_of(value->text);
    bool is_named = name[0] && (strstr(search->said, name) || strstr(search->errors, name));
    if (!is_named || (is_there && !search->unwritable) || (!is_there && !find(search, value->text, true, path)))
        return NULL;
    return is_held(search, path, true) ? NULL : "filesystem:write";
}

/* What may stand in `${{ .input.NAME }}`. */
static bool can_be_named(const struct writ_json *key)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return key->length > 0 && key->length <= SHOWN_BYTES_MAX && strspn(key->text, plain) == key->length;
}

static const char *advise(const struct search *search, const struct writ_json *key, const struct writ_json *value,
                          struct writ_arena *arena)
{
    const char *kind = lacks(search, value);
    if (!kind)
        return NULL;
    return writ_arena_printf(arena,
                             "`%s` is not granted to the program; if it is to %s what `%s` names, add "
                             "`%s:${{ .input.%s }}` to the permissions of skill.yaml",
                             value->text, strcmp(kind, "filesystem:read") == 0 ? "read" : "write", key->text, kind,
                             key->text);
}

const char *writ_ungranted_advice(const struct writ_prepared *prepared, const char *skill_folder,
                                  const struct writ_json *input, const char *said, const char *errors,
                                  struct writ_arena *arena)
{
    static const char *const missing[] = {"no such file", "not found",   "does not exist",
                                          "can't open",   "cannot open", "ENOENT"};
    static const char *const unwritable[] = {"read-only file", "permission denied", "EROFS", "EACCES"};
    struct search search = {.prepared = prepared, .skill_folder = skill_folder, .said = said, .errors = errors};
    search.missing = speaks_of(&search, missing, WRIT_COUNT(missing));
    search.unwritable = speaks_of(&search, unwritable, WRIT_COUNT(unwritable));
    if ((!search.missing && !search.unwritable) || input->kind != WRIT_JSON_OBJECT)
        return NULL;
    const char *advice = NULL;
    WRIT_JSON_EACH_MEMBER(key, input)
    {
        const struct writ_json *value = key + 1;
        if (advice || !can_be_named(key))
            continue;
        if (value->kind != WRIT_JSON_ARRAY) {
            advice = advise(&search, key, value, arena);
            continue;
        }
        WRIT_JSON_EACH_ITEM(item, value)
        if (!advice)
            advice = advise(&search, key, item, arena);
    }
    return advice;
}
