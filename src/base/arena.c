#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writ_arena_chunk {
    struct writ_arena_chunk *older;
    size_t size;
};

#define ALIGNMENT ((size_t)16)
#define CHUNK_BYTES_MIN ((size_t)4096)
#define CHUNK_BYTES_MAX ((size_t)256 * 1024)
_Static_assert(sizeof(struct writ_arena_chunk) % 16 == 0, "the data behind a chunk's header stays aligned");

void writ_arena_init(struct writ_arena *arena, size_t bytes_max)
{
    *arena = (struct writ_arena){.bytes_max = bytes_max};
}

void writ_arena_init_secret(struct writ_arena *arena, size_t bytes_max)
{
    *arena = (struct writ_arena){.bytes_max = bytes_max, .is_secret = true};
}

void writ_arena_clear(struct writ_arena *arena)
{
    for (struct writ_arena_chunk *chunk = arena->chunks; chunk;) {
        struct writ_arena_chunk *older = chunk->older;
        if (arena->is_secret)
            explicit_bzero(chunk + 1, chunk->size);
        free(chunk);
        chunk = older;
    }
    *arena = (struct writ_arena){.bytes_max = arena->bytes_max, .is_secret = arena->is_secret};
}

static void *alloc_in_new_chunk(struct writ_arena *arena, size_t size)
{
    /* Chunks double with use, so that a big document costs few allocations and a small one little memory. */
    size_t want = arena->used_bytes < CHUNK_BYTES_MIN ? CHUNK_BYTES_MIN : arena->used_bytes;
    if (want > CHUNK_BYTES_MAX)
        want = CHUNK_BYTES_MAX;
    if (want < size)
        want = size;
    size_t total;
    if (WRIT_ADD_OVERFLOWS(want, sizeof(struct writ_arena_chunk), &total))
        return NULL;
    struct writ_arena_chunk *chunk = malloc(total);
    if (!chunk)
        return NULL;
    chunk->older = arena->chunks;
    chunk->size = want;
    arena->chunks = chunk;
    char *data = (char *)(chunk + 1);
    arena->next = data + size;
    arena->end = data + want;
    return data;
}

void *writ_arena_alloc(struct writ_arena *arena, size_t size)
{
    size_t rounded;
    if (WRIT_ADD_OVERFLOWS(size, ALIGNMENT - 1, &rounded))
        return NULL;
    rounded &= ~(ALIGNMENT - 1);
    if (rounded == 0)
        rounded = ALIGNMENT;
    if (rounded > arena->bytes_max - arena->used_bytes)
        return NULL;
    void *memory;
    if (rounded <= (size_t)(arena->end - arena->next)) {
        memory = arena->next;
        arena->next += rounded;
    } else {
        memory = alloc_in_new_chunk(arena, rounded);
        if (!memory)
            return NULL;
    }
    arena->used_bytes += rounded;
    return memory;
}

void *writ_arena_zalloc(struct writ_arena *arena, size_t count, size_t size)
{
    size_t total;
    if (WRIT_MUL_OVERFLOWS(count, size, &total))
        return NULL;
    void *memory = writ_arena_alloc(arena, total);
    return memory ? memset(memory, 0, total) : NULL;
}

char *writ_arena_copy(struct writ_arena *arena, const char *bytes, size_t length)
{
    size_t total;
    if (WRIT_ADD_OVERFLOWS(length, (size_t)1, &total))
        return NULL;
    char *copy = writ_arena_alloc(arena, total);
    if (!copy)
        return NULL;
    if (length)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *writ_arena_printf(struct writ_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : writ_arena_alloc(arena, (size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
