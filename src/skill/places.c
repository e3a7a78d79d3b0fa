#include "skill/places.h"

#include <string.h>

/* Where distributions put programs; used when PATH says nothing usable. */
#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

struct environment {
    const char *(*get)(void *context, const char *name);
    void *context;
    struct writ_arena *arena;
    const char *home;
};

/* The variable's value when it is an absolute path, else NULL. */
static const char *absolute(const struct environment *environment, const char *name)
{
    const char *value = environment->get(environment->context, name);
    return value && value[0] == '/' ? value : NULL;
}

/* Length without slashes at the end; the root has none left. */
static size_t trimmed_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    return length;
}

int writ_places_unknown(struct writ_error *error)
{
    return writ_error_set(error, WRIT_INTERNAL_IO,
                          "HOME is not set to an absolute path, so nobody knows where writ's files are: set HOME, or "
                          "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME");
}

/* `$VARIABLE/writ`, or `$HOME/FALLBACK/writ`. */
static int fill_folder(const struct environment *environment, const char *variable, const char *fallback,
                       const char **ret_folder, struct writ_error *error)
{
    const char *base = absolute(environment, variable);
    const char *middle = "";
    if (!base) {
        if (!environment->home)
            return writ_places_unknown(error);
        base = environment->home;
        middle = fallback;
    }
    *ret_folder = writ_arena_printf(environment->arena, "%.*s%s/writ", (int)trimmed_length(base), base, middle);
    return *ret_folder ? 0 : writ_error_memory(error);
}

/* The absolute folders of PATH in their order.  An empty or relative one would find programs in whatever folder the
 * caller happens to stand in. */
static int fill_path(const struct environment *environment, const char **ret_path, struct writ_error *error)
{
    const char *value = environment->get(environment->context, "PATH");
    size_t length = value ? strlen(value) : 0, used = 0;
    char *path = writ_arena_alloc(environment->arena, length + sizeof PATH_DEFAULT);
    if (!path)
        return writ_error_memory(error);
    for (size_t at = 0; at < length;) {
        size_t part = strcspn(value + at, ":");
        if (value[at] == '/') {
            if (used > 0)
                path[used++] = ':';
            memcpy(path + used, value + at, part);
            used += part;
        }
        at += part + 1;
    }
    path[used] = '\0';
    if (used == 0)
        memcpy(path, PATH_DEFAULT, sizeof PATH_DEFAULT);
    *ret_path = path;
    return 0;
}

static int copy(struct writ_arena *arena, const char *text, const char **ret_copy, struct writ_error *error)
{
    *ret_copy = text ? writ_arena_copy(arena, text, strlen(text)) : NULL;
    return text && !*ret_copy ? writ_error_memory(error) : 0;
}

int writ_places_fill(struct writ_arena *arena, const char *(*get)(void *context, const char *name), void *context,
                     const char *shipped, const char *working, struct writ_places *ret_places, struct writ_error *error)
{
    struct environment environment = {.get = get, .context = context, .arena = arena};
    struct writ_places places = {0};
    const char *home = absolute(&environment, "HOME");
    if (home) {
        size_t length = trimmed_length(home);
        places.home = length ? writ_arena_copy(arena, home, length) : "/";
        if (!places.home)
            return writ_error_memory(error);
        environment.home = places.home;
    }
    int result = fill_folder(&environment, "XDG_CONFIG_HOME", "/.config", &places.config, error);
    if (result == 0)
        result = fill_folder(&environment, "XDG_DATA_HOME", "/.local/share", &places.data, error);
    if (result == 0)
        result = fill_folder(&environment, "XDG_STATE_HOME", "/.local/state", &places.state, error);
    if (result == 0)
        result = fill_folder(&environment, "XDG_CACHE_HOME", "/.cache", &places.cache, error);
    if (result == 0 && absolute(&environment, "XDG_RUNTIME_DIR")) /* it has no default */
        result = fill_folder(&environment, "XDG_RUNTIME_DIR", "", &places.runtime, error);
    if (result == 0)
        result = fill_path(&environment, &places.path, error);
    if (result == 0)
        result = copy(arena, shipped, &places.shipped, error);
    if (result == 0)
        result = copy(arena, working, &places.working, error);
    if (result == 0)
        *ret_places = places;
    return result;
}
