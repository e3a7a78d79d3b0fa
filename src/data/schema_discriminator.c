/*
 * anyOf and oneOf whose branches are told apart by a member such as "type" or "op": when every branch requires it and
 * lists string values for it, and no value is listed twice, its value picks the one branch that can hold.
 */
#include "data/schema_emit.h"

#define CANDIDATES_MAX 8
#define VALUES_MAX 512

/* The `enum` array or `const` string of a member in a branch whose values are all strings; NULL when there is none. */
struct values {
    const struct writ_json *first;
    uint32_t count;
};

static bool is_required(const struct emitter *emitter, const struct sources *sources, const struct writ_json *name)
{
    for (size_t s = 0; s < sources->count; s++) {
        const struct schema_keyword *required =
            schema_keyword_of(emitter->graph, sources->items[s].subschema, KEYWORD_REQUIRED);
        if (!required)
            continue;
        WRIT_JSON_EACH_ITEM(item, required->key + 1)
        {
            if (item->length == name->length && memcmp(item->text, name->text, name->length) == 0)
                return true;
        }
    }
    return false;
}

static bool all_strings(const struct writ_json *first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, first = writ_json_next(first)) {
        if (first->kind != WRIT_JSON_STRING)
            return false;
    }
    return count > 0;
}

/* The strings that the subschema's own const or enum lists. */
static struct values listed_values(const struct emitter *emitter, uint32_t subschema)
{
    const struct schema_keyword *constant = schema_keyword_of(emitter->graph, subschema, KEYWORD_CONST);
    const struct schema_keyword *list = schema_keyword_of(emitter->graph, subschema, KEYWORD_ENUM);
    struct values values = {0};
    if (constant)
        values = (struct values){constant->key + 1, 1};
    else if (list)
        values = (struct values){list->key + 2, list->key[1].length};
    if (!values.first || values.count > VALUES_MAX || !all_strings(values.first, values.count))
        values = (struct values){0};
    return values;
}

static struct values values_of_member(const struct emitter *emitter, const struct sources *sources,
                                      const struct writ_json *name)
{
    for (size_t s = 0; s < sources->count; s++) {
        const struct schema_keyword *properties =
            schema_keyword_of(emitter->graph, sources->items[s].subschema, KEYWORD_PROPERTIES);
        uint32_t member = 0;
        if (!properties)
            continue;
        WRIT_JSON_EACH_MEMBER(key, properties->key + 1)
        {
            if (key->length == name->length && memcmp(key->text, name->text, name->length) == 0) {
                struct values values = listed_values(emitter, schema_child(emitter->graph, properties, member));
                if (values.first)
                    return values;
            }
            member++;
        }
    }
    return (struct values){0};
}

/* Names that the first branch lists values for and requires. */
static size_t find_candidates(const struct emitter *emitter, const struct sources *sources,
                              const struct writ_json *candidates[CANDIDATES_MAX])
{
    size_t count = 0;
    for (size_t s = 0; s < sources->count; s++) {
        const struct schema_keyword *properties =
            schema_keyword_of(emitter->graph, sources->items[s].subschema, KEYWORD_PROPERTIES);
        uint32_t member = 0;
        if (!properties || properties->child_count > VALUES_MAX)
            continue;
        WRIT_JSON_EACH_MEMBER(key, properties->key + 1)
        {
            if (count < CANDIDATES_MAX &&
                listed_values(emitter, schema_child(emitter->graph, properties, member)).first &&
                is_required(emitter, sources, key))
                candidates[count++] = key;
            member++;
        }
    }
    return count;
}

static int build(struct emitter *emitter, const struct sources *branches, uint32_t count, const struct writ_json *name,
                 const struct schema_discriminator **ret_discriminator)
{
    struct schema_map seen = {0};
    struct schema_name *items = writ_arena_zalloc(emitter->arena, VALUES_MAX, sizeof(*items));
    uint32_t *of_value = writ_arena_zalloc(emitter->arena, VALUES_MAX, sizeof(*of_value));
    struct schema_discriminator *discriminator = writ_arena_zalloc(emitter->arena, 1, sizeof(*discriminator));
    if (!items || !of_value || !discriminator)
        return writ_error_memory(emitter->error);
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct values values = values_of_member(emitter, &branches[i], name);
        if (!values.first || !is_required(emitter, &branches[i], name))
            return 0;
        for (uint32_t k = 0; k < values.count; k++) {
            const struct writ_json *value = values.first + k;
            uint32_t known = writ_schema_map_get(&seen, 0, value->text, value->length);
            if (known == i)
                continue;
            if (known != SCHEMA_ABSENT || total == VALUES_MAX)
                return 0;
            if (!writ_schema_map_put(emitter->arena, &seen, 0, value->text, value->length, i))
                return writ_error_memory(emitter->error);
            items[total] = writ_schema_name(value);
            of_value[total++] = i;
        }
    }
    discriminator->member = writ_schema_name(name);
    discriminator->branches = of_value;
    int result = writ_schema_names_build(emitter, items, total, &discriminator->values);
    if (!result)
        *ret_discriminator = discriminator;
    return result;
}

int writ_schema_find_discriminator(struct emitter *emitter, const struct schema_place *branches, uint32_t count,
                                   const struct schema_discriminator **ret_discriminator)
{
    *ret_discriminator = NULL;
    if (count < 2 || count > 128)
        return 0;
    WRIT_CLEANUP(writ_arena_clear) struct writ_arena room;
    writ_arena_init(&room, (size_t)1 << 20);
    struct sources *sources = writ_arena_alloc(&room, count * sizeof(*sources));
    if (!sources)
        return writ_error_memory(emitter->error);
    int result = writ_schema_charge(emitter, count);
    for (uint32_t i = 0; i < count && !result; i++)
        result = writ_schema_gather(emitter, branches[i], &sources[i]);
    if (result)
        return result;
    const struct writ_json *candidates[CANDIDATES_MAX];
    size_t candidate_count = find_candidates(emitter, &sources[0], candidates);
    for (size_t i = 0; i < candidate_count && !*ret_discriminator && !result; i++)
        result = build(emitter, sources, count, candidates[i], ret_discriminator);
    return result;
}
