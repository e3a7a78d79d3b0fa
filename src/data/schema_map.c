#include "data/schema_map.h"

bool writ_schema_grow(struct writ_arena *arena, void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? *capacity * 2 : 8;
    void *grown = writ_arena_zalloc(arena, more, size);
    if (!grown)
        return false;
    if (count)
        memcpy(grown, *items, count * size);
    *items = grown;
    *capacity = more;
    return true;
}

/* FNV-1a with a final mix: the keys come from schemas, whose number is bounded, so a keyed hash is not needed. */
static uint32_t hash_of(uint32_t scope, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint32_t hash = 2166136261u ^ (scope * 2654435761u);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 16777619u;
    hash ^= hash >> 15;
    hash *= 2246822519u;
    return hash ^ hash >> 13;
}

static struct schema_map_entry *find_slot(const struct schema_map *map, uint32_t hash, uint32_t scope,
                                          const void *bytes, size_t length)
{
    for (size_t i = hash & (map->capacity - 1);; i = (i + 1) & (map->capacity - 1)) {
        struct schema_map_entry *entry = &map->entries[i];
        if (!entry->used || (entry->hash == hash && entry->scope == scope && entry->length == length &&
                             memcmp(entry->bytes, bytes, length) == 0))
            return entry;
    }
}

uint32_t writ_schema_map_get(const struct schema_map *map, uint32_t scope, const void *bytes, size_t length)
{
    if (map->capacity == 0)
        return SCHEMA_ABSENT;
    const struct schema_map_entry *entry = find_slot(map, hash_of(scope, bytes, length), scope, bytes, length);
    return entry->used ? entry->value : SCHEMA_ABSENT;
}

static bool grow_map(struct writ_arena *arena, struct schema_map *map)
{
    struct schema_map larger = {.capacity = map->capacity ? map->capacity * 2 : 32, .count = map->count};
    larger.entries = writ_arena_zalloc(arena, larger.capacity, sizeof(*larger.entries));
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < map->capacity; i++) {
        const struct schema_map_entry *entry = &map->entries[i];
        if (entry->used)
            *find_slot(&larger, entry->hash, entry->scope, entry->bytes, entry->length) = *entry;
    }
    *map = larger;
    return true;
}

bool writ_schema_map_put(struct writ_arena *arena, struct schema_map *map, uint32_t scope, const void *bytes,
                         size_t length, uint32_t value)
{
    if (map->count * 4 >= map->capacity * 3 && !grow_map(arena, map))
        return false;
    uint32_t hash = hash_of(scope, bytes, length);
    struct schema_map_entry *entry = find_slot(map, hash, scope, bytes, length);
    map->count += !entry->used;
    *entry = (struct schema_map_entry){bytes, length, scope, value, hash, true};
    return true;
}
