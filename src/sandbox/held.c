#include "sandbox/held.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct mapping {
    uint64_t start, end, offset, inode;
};

/* The kernel's own names; a file that a program calls so is counted to that program's cost alone. */
static bool is_anonymous(const char *path)
{
    static const char *const names[] = {"/dev/zero", "/memfd:", "/SYSV", "/anon_hugepage"};
    for (size_t i = 0; i < WRIT_COUNT(names); i++)
        if (strncmp(path, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A line of maps: START-END rwxs OFFSET DEVICE INODE  PATH */
static bool read_mapping(const char *line, struct mapping *ret_mapping)
{
    char access[5];
    int path = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %n", &ret_mapping->start,
               &ret_mapping->end, access, &ret_mapping->offset, &ret_mapping->inode, &path) != 5)
        return false;
    return path > 0 && access[3] == 's' && is_anonymous(line + path);
}

/* Through map_files, which only root may follow, the kernel tells how much is there. */
static uint64_t bytes_of(pid_t pid, const struct mapping *mapping)
{
    char path[80];
    struct stat status;
    (void)snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, mapping->start,
                   mapping->end);
    if (stat(path, &status) == 0 && status.st_ino == mapping->inode)
        return (uint64_t)status.st_blocks * 512;
    return mapping->offset + (mapping->end - mapping->start);
}

/* Open addressing; three quarters full is full. */
static void add_region(struct writ_held *held, pid_t pid, const struct mapping *mapping)
{
    size_t place = (size_t)(mapping->inode * UINT64_C(0x9e3779b97f4a7c15) >> 32) % WRIT_HELD_REGIONS_MAX;
    struct writ_held_region *region = &held->table[place];
    while (region->inode != 0 && region->inode != mapping->inode) {
        place = (place + 1) % WRIT_HELD_REGIONS_MAX;
        region = &held->table[place];
    }
    uint64_t bytes = bytes_of(pid, mapping);
    uint64_t counted = region->inode ? region->bytes : 0;
    if (bytes > counted)
        held->bytes += bytes - counted;
    if (region->inode == 0) {
        if (held->regions >= WRIT_HELD_REGIONS_MAX / 4 * 3)
            return;
        held->regions++;
        region->inode = mapping->inode;
    }
    if (bytes > counted)
        region->bytes = bytes;
}

void writ_held_add(struct writ_held *held, pid_t pid)
{
    char path[32], line[256];
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    if (!maps)
        return;
    bool is_begin = true;
    while (held->mappings < WRIT_HELD_MAPPINGS_MAX && fgets(line, sizeof line, maps)) {
        struct mapping mapping;
        if (is_begin)
            held->mappings++;
        if (is_begin && read_mapping(line, &mapping))
            add_region(held, pid, &mapping);
        is_begin = strchr(line, '\n') != NULL; /* a long name is no line of its own */
    }
    (void)fclose(maps);
}
