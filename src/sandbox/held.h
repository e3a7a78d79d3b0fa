/*
 * Memory that a program holds and no page table shows.
 *
 * Shared anonymous memory stays when the pages are taken out of the table (madvise), and even when all but one page is
 * unmapped.  As root its true size is known, whatever is mapped of it.  Anyone else sees only what is mapped, and
 * counts it whole, touched or not.
 */
#ifndef WRIT_SANDBOX_HELD_H
#define WRIT_SANDBOX_HELD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WRIT_HELD_REGIONS_MAX 4096   /* more, shared by several processes, are counted for each of them */
#define WRIT_HELD_MAPPINGS_MAX 65536 /* read in one look, all processes together; what lies beyond is not counted */

/* Zeroed at the start of each look. */
struct writ_held {
    uint64_t bytes; /* of all shared memory seen so far */
    size_t mappings, regions;
    struct writ_held_region {
        uint64_t inode, bytes;
    } table[WRIT_HELD_REGIONS_MAX];
};

/* Adds the shared anonymous memory of a process.  A process that is gone holds none. */
void writ_held_add(struct writ_held *held, pid_t pid);

#endif
