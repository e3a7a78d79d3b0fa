#include "run/never_written.h"

#include "skill/catalog_sources.h"
#include "skill/closed_places.h"

#include <limits.h>
#include <string.h>

#define ARENA_BYTES_MAX ((size_t)1 << 20)

/* Below the caller's home. */
static const char *const in_home[] = {
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".pam_environment",
    ".gitconfig",
    ".config/autostart",
    ".config/environment.d",
    ".config/fish",
    ".config/git",
    ".config/systemd",
    ".local/bin",
    ".local/lib",
    ".local/share/systemd",
    "bin",
};

static const char runs[] = "what runs outside of any sandbox";
static const char starts[] = "what starts by itself";
static const char searched[] = "a folder that programs are started from";
static const char skills[] = "a folder of skills";

static bool is_same_or_below(const char *path, const char *place)
{
    size_t length = strlen(place);
    return strncmp(path, place, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static int refuse(struct writ_error *error, const char *path, const char *relation, const char *what, const char *place)
{
    (void)writ_error_set(error, WRIT_FILESYSTEM_DENIED, "%.300s: %s %s (%.200s), which no skill may ever write", path,
                         relation, what, place);
    return writ_error_at(error, path, 0, 0);
}

static int check_place(const char *path, const char *place, const char *what, struct writ_error *error)
{
    char real[PATH_MAX];
    bool is_there = realpath(place, real) != NULL;
    if (is_same_or_below(path, place) || (is_there && is_same_or_below(path, real)))
        return refuse(error, path, "is", what, place);
    if (is_there && (strcmp(path, "/") == 0 || is_same_or_below(place, path) || is_same_or_below(real, path)))
        return refuse(error, path, "holds", what, place);
    return 0;
}

static int check_home(const char *path, const char *home, struct writ_error *error)
{
    char real[PATH_MAX];
    if (!realpath(home, real))
        return 0;
    if (strcmp(path, real) == 0 || is_same_or_below(real, path))
        return refuse(error, path, "holds", starts, home);
    int result = 0;
    for (size_t i = 0; result == 0 && i < WRIT_COUNT(in_home); i++) {
        char place[PATH_MAX + 64];
        (void)snprintf(place, sizeof place, "%s/%s", strcmp(real, "/") == 0 ? "" : real, in_home[i]);
        result = check_place(path, place, starts, error);
    }
    return result;
}

static int check_search_path(const char *path, const char *folders, struct writ_error *error)
{
    int result = 0;
    while (result == 0 && *folders) {
        size_t length = strcspn(folders, ":");
        char folder[PATH_MAX];
        if (length < sizeof folder && folders[0] == '/') {
            (void)snprintf(folder, sizeof folder, "%.*s", (int)length, folders);
            result = check_place(path, folder, searched, error);
        }
        folders += length + (folders[length] == ':');
    }
    return result;
}

static int check_skills(const struct writ_places *places, const struct writ_skill *skill, const char *path,
                        struct writ_error *error)
{
    int result = check_place(path, skill->folder, skills, error);
    if (result == 0 && skill->source_folder)
        result = check_place(path, skill->source_folder, skills, error);
    if (result == 0 && places->data)
        result = check_place(path, places->data, skills, error);
    if (result < 0)
        return result;
    const struct writ_catalog_options options = {.places = places};
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena arena;
    writ_arena_init(&arena, ARENA_BYTES_MAX);
    struct catalog_sources sources;
    result = catalog_sources_fill(&options, &arena, &sources, error);
    for (size_t i = 0; result == 0 && i < sources.count; i++)
        result = check_place(path, sources.items[i].path, skills, error);
    return result;
}

int writ_never_written_check(const struct writ_places *places, const struct writ_skill *skill, const char *path,
                             struct writ_error *error)
{
    int result = check_skills(places, skill, path, error);
    for (size_t i = 0; result == 0 && i < writ_never_written_on_system.count; i++)
        result = check_place(path, writ_never_written_on_system.paths[i], runs, error);
    if (result == 0 && places->home)
        result = check_home(path, places->home, error);
    return result < 0 ? result : check_search_path(path, places->path, error);
}
