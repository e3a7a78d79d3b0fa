/*
 * Growing arrays and a hash map in an arena, for the schema compiler.  Private to schema*.c.
 */
#ifndef WRIT_DATA_SCHEMA_MAP_H
#define WRIT_DATA_SCHEMA_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <string.h>

/* Grows `*items` (elements of `size` bytes) so that one more fits.  False when memory ran out. */
bool writ_schema_grow(struct writ_arena *arena, void **items, size_t count, size_t *capacity,
                      size_t size) WRIT_MUST_USE;

/* `struct { T *items; size_t count, capacity; }`; push gives a pointer to the new zeroed element or NULL. */
#define SCHEMA_VECTOR(type)                                                                                            \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }
#define SCHEMA_PUSH(arena, vector)                                                                                     \
    (writ_schema_grow((arena), (void **)&(vector)->items, (vector)->count, &(vector)->capacity,                        \
                      sizeof(*(vector)->items))                                                                        \
         ? memset(&(vector)->items[(vector)->count++], 0, sizeof(*(vector)->items))                                    \
         : NULL)

/* From (number, bytes) to a number.  Keys are borrowed. */
struct schema_map_entry {
    const char *bytes;
    size_t length;
    uint32_t scope, value, hash;
    bool used;
};
struct schema_map {
    struct schema_map_entry *entries;
    size_t count, capacity;
    uint64_t seed; /* of the hash */
};
#define SCHEMA_ABSENT UINT32_MAX

uint32_t writ_schema_map_get(const struct schema_map *map, uint32_t scope, const void *bytes, size_t length);
/* Adds or replaces. False when memory ran out. */
bool writ_schema_map_put(struct writ_arena *arena, struct schema_map *map, uint32_t scope, const void *bytes,
                         size_t length, uint32_t value) WRIT_MUST_USE;

#endif
