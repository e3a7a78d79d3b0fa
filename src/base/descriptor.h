/*
 * File descriptors: owned once, close-on-exec, whole reads and writes.
 */
#ifndef WRIT_BASE_DESCRIPTOR_H
#define WRIT_BASE_DESCRIPTOR_H

#include "base/buffer.h"
#include "base/error.h"

#include <limits.h>

/* Closes and sets to -1; a negative descriptor is fine.  Keeps errno.  Usable with WRIT_CLEANUP. */
void writ_descriptor_close(int *descriptor);
/* Hands the descriptor over: returns it and leaves -1. */
int writ_descriptor_take(int *descriptor);

/* Reads to the end or to the buffer's maximum.  Returns 0, or -errno; -EFBIG when more than the maximum was there.
 * Waits for a descriptor that does not block, as for one that does. */
int writ_descriptor_read_all(int descriptor, struct writ_buffer *buffer) WRIT_MUST_USE;
/* Writes all bytes. Returns 0 or -errno. */
int writ_descriptor_write_all(int descriptor, const void *bytes, size_t length) WRIT_MUST_USE;

/* The absolute name, without links, of what the descriptor stands for, as the kernel tells it.  Returns 0 or -errno;
 * -ENOENT when it has no name any more. */
int writ_descriptor_path(int descriptor, char ret_path[PATH_MAX]) WRIT_MUST_USE;
/* 0 when the kernel can tell names, which it does in /proc.  Error: INTERNAL_IO with the mend. */
int writ_proc_check(struct writ_error *error) WRIT_MUST_USE;

#endif
