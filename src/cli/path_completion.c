#include "cli/path_completion.h"

#include "base/descriptor.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES_MAX 20000 /* looked at in one folder */
#define NAMES_MAX 100     /* listed */

struct names {
    char *items[NAMES_MAX];
    size_t count, found; /* found: also those that are not kept */
    size_t common;       /* bytes at the start that all of them have */
};

static int open_folder(const char *folder, const char *path, size_t length)
{
    char copy[PATH_MAX];
    WRIT_CLEANUP(writ_descriptor_close) int start = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (length >= sizeof copy || start < 0)
        return -1;
    memcpy(copy, path, length);
    copy[length] = '\0';
    return openat(start, length > 0 ? copy : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
}

static bool is_printable(const char *name)
{
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            return false;
    return writ_utf8_is_valid(name, strlen(name));
}

static void add_name(struct names *names, const char *name)
{
    size_t common = 0;
    if (names->found++ == 0)
        names->common = strlen(name);
    else
        while (common < names->common && names->items[0][common] == name[common])
            common++;
    if (names->found > 1)
        names->common = common;
    if (names->count < NAMES_MAX) {
        char *copy = strdup(name);
        if (copy)
            names->items[names->count++] = copy;
        else
            names->found--;
    }
}

static void collect(DIR *stream, const char *start, size_t length, struct names *names)
{
    for (size_t i = 0; i < ENTRIES_MAX; i++) {
        const struct dirent *entry = readdir(stream);
        if (!entry)
            return;
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (name[0] == '.' && (length == 0 || start[0] != '.')))
            continue;
        if (strncmp(name, start, length) == 0 && is_printable(name))
            add_name(names, name);
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list(struct names *names, struct writ_buffer *listing)
{
    qsort(names->items, names->count, sizeof *names->items, compare);
    for (size_t i = 0; i < names->count; i++)
        writ_buffer_printf(listing, "%s%s", i > 0 ? " " : "", names->items[i]);
    if (names->found > names->count)
        writ_buffer_printf(listing, " and %zu more", names->found - names->count);
}

void cli_path_complete(const char *folder, const char *before, size_t length, struct writ_buffer *ret_text,
                       struct writ_buffer *ret_listing)
{
    struct names names = {.count = 0};
    size_t start = length;
    while (start > 0 && before[start - 1] != '/')
        start--;
    int fd = open_folder(folder, before, start);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    if (!stream) {
        writ_descriptor_close(&fd);
        return;
    }
    char typed[NAME_MAX + 1];
    size_t typed_length = length - start;
    if (typed_length < sizeof typed) {
        memcpy(typed, before + start, typed_length);
        typed[typed_length] = '\0';
        collect(stream, typed, typed_length, &names);
    }
    if (names.count > 0) {
        const char *first = names.items[0];
        while (names.common > 0 && ((unsigned char)first[names.common] & 0xC0) == 0x80)
            names.common--;
        if (names.common > typed_length)
            writ_buffer_append(ret_text, first + typed_length, names.common - typed_length);
        struct stat info;
        bool is_folder = names.found == 1 && fstatat(dirfd(stream), first, &info, 0) == 0 && S_ISDIR(info.st_mode);
        if (is_folder)
            writ_buffer_append_byte(ret_text, '/');
        if (ret_text->length == 0 && names.found > 1)
            list(&names, ret_listing);
    }
    for (size_t i = 0; i < names.count; i++)
        free(names.items[i]);
    (void)closedir(stream);
}
