#include "data/schema_emit.h"

#define MULTIPLIERS_TRIED 64

struct schema_name writ_schema_name(const struct writ_json *string)
{
    return (struct schema_name){writ_json_string_tag(string->text, string->length), string->text};
}

/* Places all names; returns how many had to go to another slot than their own. */
static uint32_t fill_slots(const struct schema_names *names, uint16_t *slots)
{
    uint32_t moved = 0;
    memset(slots, 0xFF, ((size_t)names->mask + 1) * sizeof(*slots));
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t slot = schema_name_slot(names, names->items[i].tag);
        for (; slots[slot] != NAME_SLOT_FREE; slot = (slot + 1) & names->mask)
            moved++;
        slots[slot] = (uint16_t)i;
    }
    return moved;
}

static int build_hashed(struct emitter *emitter, struct schema_names names, struct schema_names *ret_names)
{
    uint8_t bits = 2;
    while ((1u << bits) < names.count * 2)
        bits++;
    names.shift = (uint8_t)(32 - bits);
    names.mask = (1u << bits) - 1;
    uint16_t *slots = writ_arena_zalloc(emitter->arena, (size_t)names.mask + 1, sizeof(*slots));
    if (!slots)
        return writ_error_memory(emitter->error);
    uint32_t best = 0, best_moved = UINT32_MAX;
    for (uint32_t i = 0; i < MULTIPLIERS_TRIED && best_moved > 0; i++) {
        names.multiplier = 0x9E3779B1u + i * 0x3C6EF372u; /* odd plus even: always odd */
        uint32_t moved = fill_slots(&names, slots);
        if (moved < best_moved) {
            best_moved = moved;
            best = names.multiplier;
        }
    }
    names.multiplier = best;
    (void)fill_slots(&names, slots);
    names.slots = slots;
    *ret_names = names;
    return 0;
}

static int compare_names(const struct schema_name *a, const struct schema_name *b)
{
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    return memcmp(a->text, b->text, a->tag >> 32);
}

/* Merge sort of indexes by name: the C library's sort takes no context. */
static void sort_indexes(const struct schema_names *names, uint16_t *indexes, uint16_t *spare, uint32_t count)
{
    if (count < 2)
        return;
    uint32_t half = count / 2;
    sort_indexes(names, indexes, spare, half);
    sort_indexes(names, indexes + half, spare, count - half);
    memcpy(spare, indexes, half * sizeof(*spare));
    for (uint32_t left = 0, right = half, out = 0; left < half; out++) {
        bool take_right = right < count && compare_names(&names->items[indexes[right]], &names->items[spare[left]]) < 0;
        indexes[out] = take_right ? indexes[right++] : spare[left++];
    }
}

static int build_sorted(struct emitter *emitter, struct schema_names names, struct schema_names *ret_names)
{
    uint16_t *indexes = writ_arena_zalloc(emitter->arena, names.count, sizeof(*indexes));
    uint16_t *spare = writ_arena_zalloc(emitter->arena, names.count, sizeof(*spare));
    if (!indexes || !spare)
        return writ_error_memory(emitter->error);
    for (uint32_t i = 0; i < names.count; i++)
        indexes[i] = (uint16_t)i;
    sort_indexes(&names, indexes, spare, names.count);
    static const uint16_t sorted_slot = NAME_SLOT_SORTED;
    names.sorted = indexes;
    names.slots = &sorted_slot;
    names.shift = 31; /* with multiplier 0 every name goes to slot 0 */
    *ret_names = names;
    return 0;
}

uint32_t writ_schema_names_search(const struct schema_names *names, const struct writ_json *string)
{
    struct schema_name wanted = {string->tag & WRIT_JSON_TAG_MASK, string->text};
    uint32_t low = 0, high = names->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_names(&names->items[names->sorted[middle]], &wanted);
        if (order == 0)
            return names->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}

int writ_schema_names_build(struct emitter *emitter, const struct schema_name *items, uint32_t count,
                            struct schema_names *ret_names)
{
    if (count > NAMES_MAX)
        return writ_error_set(emitter->error, WRIT_SCHEMA_INVALID,
                              "more than %u names stand in one place of the schema: make it simpler", NAMES_MAX);
    struct schema_names names = {.items = items, .count = count};
    int result =
        count > NAMES_HASHED_MAX ? build_sorted(emitter, names, ret_names) : build_hashed(emitter, names, ret_names);
    return result ? result : writ_schema_charge(emitter, count);
}
