/*
 * Equality and uniqueness.
 *
 * uniqueItems on few items compares each with each.  On many it goes over the array in rounds: a round takes the items
 * whose hash falls into its part and puts them into a table on the stack, so that no memory is allocated whatever the
 * length.
 */
#include "data/schema_equal.h"

#include "data/schema_program.h"

#define FEW_ITEMS 24
#define TABLE_SLOTS 4096u
#define ROUND_ITEMS (TABLE_SLOTS / 4)

static const struct writ_json *find_key(const struct writ_json *object, const struct writ_json *key, int64_t *steps)
{
    struct schema_name name = {key->tag & WRIT_JSON_TAG_MASK, key->text};
    WRIT_JSON_EACH_MEMBER(other, object)
    {
        if (--*steps < 0)
            return NULL;
        if (schema_name_is(&name, other))
            return other;
    }
    return NULL;
}

static bool objects_equal(const struct writ_json *a, const struct writ_json *b, int64_t *steps)
{
    const struct writ_json *guess = b + 1, *end = b + b->skip;
    WRIT_JSON_EACH_MEMBER(key, a)
    {
        struct schema_name name = {key->tag & WRIT_JSON_TAG_MASK, key->text};
        /* Mostly the members stand in one order. */
        if (guess >= end || !schema_name_is(&name, guess))
            guess = find_key(b, key, steps);
        if (!guess || !writ_schema_equal(key + 1, guess + 1, steps))
            return false;
        guess = writ_json_next(guess + 1);
    }
    return true;
}

bool writ_schema_equal(const struct writ_json *a, const struct writ_json *b, int64_t *steps)
{
    if (--*steps < 0)
        return false;
    if (writ_json_is_number(a) && writ_json_is_number(b)) {
        /* Long decimals cost their length. */
        *steps -= (a->length + b->length) / 16;
        return a->kind == WRIT_JSON_INTEGER && b->kind == WRIT_JSON_INTEGER ? a->integer == b->integer
                                                                            : writ_json_compare_numbers(a, b) == 0;
    }
    if (a->kind != b->kind)
        return false;
    if (a->kind == WRIT_JSON_STRING) {
        struct schema_name name = {a->tag & WRIT_JSON_TAG_MASK, a->text};
        return schema_name_is(&name, b);
    }
    if (!writ_json_is_container(a))
        return true;
    if (a->length != b->length)
        return false;
    if (a->kind == WRIT_JSON_OBJECT)
        return objects_equal(a, b, steps);
    const struct writ_json *other = b + 1;
    WRIT_JSON_EACH_ITEM(item, a)
    {
        if (!writ_schema_equal(item, other, steps))
            return false;
        other = writ_json_next(other);
    }
    return true;
}

/* ---- uniqueness ---- */

static uint64_t mix(uint64_t hash)
{
    hash ^= hash >> 29;
    hash *= 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 32;
}

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = 0xCBF29CE484222325u ^ length;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001B3u;
    return mix(hash);
}

/* Equal values have equal hashes. */
static uint64_t hash_value(const struct writ_json *value, int64_t *steps)
{
    --*steps;
    if (value->kind == WRIT_JSON_STRING) {
        *steps -= value->length / 64;
        return hash_text(value->text, value->length);
    }
    if (writ_json_is_number(value)) {
        *steps -= value->length / 16;
        int64_t integer;
        if (writ_json_int64(value, &integer))
            return mix((uint64_t)integer + 0x9E3779B97F4A7C15u);
        double number = writ_json_double(value);
        uint64_t bits;
        memcpy(&bits, &number, sizeof(bits));
        return mix(bits);
    }
    uint64_t hash = mix(value->kind * 0x9E3779B97F4A7C15u);
    if (value->kind == WRIT_JSON_ARRAY) {
        WRIT_JSON_EACH_ITEM(item, value)
        {
            hash = mix(hash * 31 + hash_value(item, steps));
        }
    } else if (value->kind == WRIT_JSON_OBJECT) {
        WRIT_JSON_EACH_MEMBER(key, value)
        {
            hash += mix(hash_text(key->text, key->length) * 31 + hash_value(key + 1, steps));
        }
    }
    return hash;
}

static bool is_round_unique(const struct writ_json *array, uint64_t round, uint64_t rounds, uint32_t *slots,
                            int64_t *steps)
{
    memset(slots, 0, TABLE_SLOTS * sizeof(*slots));
    uint32_t held = 0;
    WRIT_JSON_EACH_ITEM(item, array)
    {
        uint64_t hash = hash_value(item, steps);
        if (*steps < 0)
            return false;
        if ((hash >> 32) % rounds != round)
            continue;
        uint32_t slot = (uint32_t)hash % TABLE_SLOTS;
        for (; slots[slot]; slot = (slot + 1) % TABLE_SLOTS) {
            if (writ_schema_equal(array + slots[slot], item, steps) || *steps < 0)
                return false;
        }
        /* Hashes that were made to collide would fill the table: give up as if the steps were spent. */
        if (++held == TABLE_SLOTS) {
            *steps = -1;
            return false;
        }
        slots[slot] = (uint32_t)(item - array);
    }
    return true;
}

static __attribute__((noinline)) bool are_many_unique(const struct writ_json *array, int64_t *steps)
{
    __attribute__((uninitialized)) uint32_t slots[TABLE_SLOTS];
    uint64_t rounds = array->length / ROUND_ITEMS + 1;
    for (uint64_t round = 0; round < rounds; round++) {
        if (!is_round_unique(array, round, rounds, slots, steps))
            return false;
    }
    return true;
}

bool writ_schema_is_unique(const struct writ_json *array, int64_t *steps)
{
    if (array->length > FEW_ITEMS)
        return are_many_unique(array, steps);
    WRIT_JSON_EACH_ITEM(item, array)
    {
        for (const struct writ_json *other = array + 1; other < item; other = writ_json_next(other)) {
            /* Strings and null, true, false that are equal have equal tags. */
            uint64_t same = (item->tag ^ other->tag) & WRIT_JSON_TAG_MASK;
            if (same != 0 && !(writ_json_is_number(item) && writ_json_is_number(other)))
                continue;
            if (writ_schema_equal(item, other, steps))
                return false;
        }
    }
    return true;
}
