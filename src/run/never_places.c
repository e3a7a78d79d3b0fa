/* Which places are never granted: what there is for one call of those in the tables, and of writ's own. */
#include "run/never_places.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "skill/closed_places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ACCOUNTS_BYTES_MAX ((size_t)4 << 20)
#define HOMES_MAX 256
/* Below it are the accounts of services, whose homes are folders of programs and data. */
#define PERSON_UID_MIN 1000
#define NOBODY_UID 65534

bool never_exists(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

const struct never_place *never_find(const struct never_identity *list, const struct stat *status)
{
    for (; list; list = list->next)
        if (list->inode == status->st_ino && list->device == status->st_dev)
            return list->place;
    return NULL;
}

bool never_climb(int *fd, struct stat *status)
{
    struct stat above;
    WRIT_CLEANUP(writ_descriptor_close) int up = openat(*fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (up < 0 || fstat(up, &above) < 0 || (above.st_dev == status->st_dev && above.st_ino == status->st_ino))
        return false;
    writ_descriptor_close(fd);
    *fd = writ_descriptor_take(&up);
    *status = above;
    return true;
}

struct gathering {
    struct writ_never_granted never;
    struct writ_arena *arena;
    const char *homes[HOMES_MAX];
    size_t home_count;
};

/* Returns 0, or INTERNAL_MEMORY without an error set; so do all below. */
static int add_identity(struct gathering *gathering, struct never_identity **list, const struct stat *status,
                        const struct never_place *place)
{
    struct never_identity *identity = writ_arena_alloc(gathering->arena, sizeof *identity);
    if (!identity)
        return WRIT_INTERNAL_MEMORY;
    *identity = (struct never_identity){*list, status->st_dev, status->st_ino, place};
    *list = identity;
    return 0;
}

/* Notes the folders above a place, up to the first that is noted already. */
static int add_holders(struct gathering *gathering, int fd, const struct stat *status, const struct never_place *place)
{
    struct stat at = *status;
    WRIT_CLEANUP(writ_descriptor_close) int way = -1;
    if (S_ISDIR(status->st_mode)) {
        way = openat(fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    } else {
        char path[PATH_MAX];
        if (writ_descriptor_path(fd, path) < 0)
            return 0;
        *(strrchr(path, '/') + 1) = '\0';
        way = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (way < 0 || fstat(way, &at) < 0 || never_find(gathering->never.holders, &at))
            return 0;
        if (add_identity(gathering, &gathering->never.holders, &at, place) < 0)
            return WRIT_INTERNAL_MEMORY;
    }
    for (unsigned level = 0; way >= 0 && level < NEVER_LEVELS_MAX && never_climb(&way, &at); level++) {
        if (never_find(gathering->never.holders, &at))
            return 0;
        if (add_identity(gathering, &gathering->never.holders, &at, place) < 0)
            return WRIT_INTERNAL_MEMORY;
    }
    return 0;
}

static int add_place(struct gathering *gathering, const char *path, const char *what)
{
    struct never_place *place = writ_arena_alloc(gathering->arena, sizeof *place);
    if (!place || !path)
        return WRIT_INTERNAL_MEMORY;
    *place = (struct never_place){gathering->never.places, path, what};
    gathering->never.places = place;
    /* Links are followed: it is what they lead to that must not be granted. */
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0 || never_find(gathering->never.identical, &status))
        return 0;
    int result = add_identity(gathering, &gathering->never.identical, &status, place);
    return result < 0 ? result : add_holders(gathering, fd, &status, place);
}

/* The same path without links, as far as it exists; NULL when memory is out. */
static const char *canonical(struct writ_arena *arena, const char *path)
{
    char head[PATH_MAX], real[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof head)
        return path;
    memcpy(head, path, length + 1);
    for (;;) {
        WRIT_CLEANUP(writ_descriptor_close) int fd = open(length ? head : "/", O_PATH | O_CLOEXEC);
        if (fd >= 0 && writ_descriptor_path(fd, real) == 0)
            return writ_arena_printf(arena, "%s%s", strcmp(real, "/") == 0 ? "" : real, path + length);
        if (length == 0)
            return path;
        while (length > 0 && head[--length] != '/')
            continue;
        head[length] = '\0';
    }
}

/* A place of writ's own, under the name it was given and under its real one. */
static int add_own(struct gathering *gathering, const char *path, const char *what)
{
    if (!path)
        return 0;
    int result = add_place(gathering, path, what);
    const char *real = result < 0 ? NULL : canonical(gathering->arena, path);
    if (!real)
        return WRIT_INTERNAL_MEMORY;
    return strcmp(real, path) == 0 ? 0 : add_place(gathering, real, what);
}

/* What is below a home with this beginning, below `base` instead. */
static int add_below(struct gathering *gathering, const char *base, const char *beginning)
{
    size_t length = strlen(beginning);
    int result = 0;
    for (size_t i = 0; result == 0 && i < writ_never_granted_in_home.count; i++)
        if (strncmp(writ_never_granted_in_home.paths[i], beginning, length) == 0)
            result = add_place(
                gathering,
                writ_arena_printf(gathering->arena, "%s/%s", base, writ_never_granted_in_home.paths[i] + length),
                "a place of credentials");
    return result;
}

static int add_home(struct gathering *gathering, const char *home)
{
    for (size_t i = 0; i < gathering->home_count; i++)
        if (strcmp(gathering->homes[i], home) == 0)
            return 0;
    if (gathering->home_count == WRIT_COUNT(gathering->homes))
        return 0;
    gathering->homes[gathering->home_count++] = home;
    return add_below(gathering, strcmp(home, "/") == 0 ? "" : home, "");
}

static int add_home_and_real(struct gathering *gathering, const char *home)
{
    const char *real = canonical(gathering->arena, home);
    if (!real)
        return WRIT_INTERNAL_MEMORY;
    int result = add_home(gathering, home);
    return result < 0 ? result : add_home(gathering, real);
}

/* `$XDG_CONFIG_HOME` of `$XDG_CONFIG_HOME/writ`: others keep their things beside ours. */
static int add_beside(struct gathering *gathering, const char *own, const char *beginning)
{
    const char *slash = own ? strrchr(own, '/') : NULL;
    if (!slash)
        return 0;
    const char *base = writ_arena_copy(gathering->arena, own, (size_t)(slash - own));
    const char *real = base ? canonical(gathering->arena, base) : NULL;
    if (!real)
        return WRIT_INTERNAL_MEMORY;
    int result = add_below(gathering, base, beginning);
    return result < 0 || strcmp(real, base) == 0 ? result : add_below(gathering, real, beginning);
}

/* One line of /etc/passwd: `name:password:uid:gid:comment:home:shell`. */
static int add_account(struct gathering *gathering, const char *line, size_t length)
{
    const char *fields[7], *end = line + length;
    size_t count = 0;
    for (const char *at = line; count < WRIT_COUNT(fields); at++) {
        fields[count++] = at;
        at = memchr(at, ':', (size_t)(end - at));
        if (!at)
            break;
    }
    if (count < WRIT_COUNT(fields) || fields[5][0] != '/')
        return 0;
    unsigned long uid = strtoul(fields[2], NULL, 10);
    bool is_person = uid == 0 || (uid >= PERSON_UID_MIN && uid != NOBODY_UID);
    size_t home_length = (size_t)(fields[6] - fields[5]) - 1;
    while (home_length > 1 && fields[5][home_length - 1] == '/')
        home_length--;
    if (home_length < 2 || (uid != geteuid() && !(geteuid() == 0 && is_person)))
        return 0;
    const char *home = writ_arena_copy(gathering->arena, fields[5], home_length);
    if (!home)
        return WRIT_INTERNAL_MEMORY;
    return never_exists(home) ? add_home_and_real(gathering, home) : 0;
}

/* getpwuid is not used: linked statically it would load what the machine's name service says. */
static int add_accounts(struct gathering *gathering)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    struct writ_error unused;
    writ_buffer_init(&text, ACCOUNTS_BYTES_MAX);
    int result = writ_file_read(AT_FDCWD, "/etc/passwd", false, &text, &unused);
    if (result < 0)
        return result == WRIT_INTERNAL_MEMORY ? result : 0;
    const char *line = writ_buffer_text(&text), *end = line + text.length;
    while (result == 0 && line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = newline ? (size_t)(newline - line) : (size_t)(end - line);
        result = add_account(gathering, line, length);
        line += length + 1;
    }
    return result;
}

static int gather(struct gathering *gathering, const struct writ_places *places)
{
    int result = add_own(gathering, places->config, "writ's own configuration");
    if (result == 0)
        result = add_own(gathering, places->state, "writ's own state");
    if (result == 0)
        result = add_own(gathering, places->cache, "writ's own cache");
    if (result == 0)
        result = add_own(gathering, places->runtime, "writ's own runtime folder");
    for (size_t i = 0; result == 0 && i < writ_never_granted_on_system.count; i++)
        result = add_place(gathering, writ_never_granted_on_system.paths[i], "a place of accounts, keys or the kernel");
    if (result == 0 && places->home)
        result = add_home_and_real(gathering, places->home);
    if (result == 0)
        result = add_beside(gathering, places->config, ".config/");
    if (result == 0)
        result = add_beside(gathering, places->data, ".local/share/");
    return result < 0 ? result : add_accounts(gathering);
}

int writ_never_granted_fill(const struct writ_places *places, struct writ_arena *arena,
                            struct writ_never_granted *ret_never, struct writ_error *error)
{
    struct gathering gathering = {.arena = arena};
    if (gather(&gathering, places) < 0)
        return writ_error_memory(error);
    *ret_never = gathering.never;
    return 0;
}
