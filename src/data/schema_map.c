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

/* FNV-1a over 64 bits with a final mix.  The seed is where the map's memory lies, which no author of a schema knows:
 * names made to collide would otherwise cost a square of their number. */
static uint32_t hash_of(const struct schema_map *map, uint32_t scope, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = map->seed ^ scope * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EBu;
    return (uint32_t)(hash >> 32);
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
    const struct schema_map_entry *entry = find_slot(map, hash_of(map, scope, bytes, length), scope, bytes, length);
    return entry->used ? entry->value : SCHEMA_ABSENT;
}

static bool grow_map(struct writ_arena *arena, struct schema_map *map)
{
    struct schema_map larger = {
        .capacity = map->capacity ? map->capacity * 2 : 32, .count = map->count, .seed = map->seed};
    larger.entries = writ_arena_zalloc(arena, larger.capacity, sizeof(*larger.entries));
    if (!larger.entries)
        return false;
    if (!larger.seed)
        larger.seed = (uintptr_t)larger.entries * 0x9E3779B97F4A7C15u;
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
    uint32_t hash = hash_of(map, scope, bytes, length);
    struct schema_map_entry *entry = find_slot(map, hash, scope, bytes, length);
    map->count += !entry->used;
    *entry = (struct schema_map_entry){bytes, length, scope, value, hash, true};
    return true;
}
