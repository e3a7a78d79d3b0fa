/*
 * What a subschema evaluates, worked out at compile time.
 *
 * What applies unconditionally ($ref, allOf and the keywords themselves) is known.  What applies on a condition (anyOf,
 * oneOf, if, dependentSchemas) matters only when it could add something; then the answer depends on the instance and
 * the unit gets marks (OP_SCOPE).
 */
#include "data/schema_emit.h"

struct walk {
    struct emitter *emitter;
    struct evaluated *evaluated;
    SCHEMA_VECTOR(struct schema_place) queue, conditional;
    struct schema_map seen;
};

static bool is_unconditional(enum schema_keyword_id id)
{
    return id == KEYWORD_REF || id == KEYWORD_DYNAMIC_REF || id == KEYWORD_ALL_OF;
}

static bool is_conditional(enum schema_keyword_id id)
{
    return id == KEYWORD_ANY_OF || id == KEYWORD_ONE_OF || id == KEYWORD_IF || id == KEYWORD_THEN ||
           id == KEYWORD_ELSE || id == KEYWORD_DEPENDENT_SCHEMAS;
}

/* Appends the place unless the walk has been there. */
static int visit_later(struct walk *walk, struct schema_place place, bool conditional)
{
    if (writ_schema_map_get(&walk->seen, 0, &place, sizeof(place)) != SCHEMA_ABSENT)
        return 0;
    struct schema_place *slot = conditional ? SCHEMA_PUSH(walk->emitter->arena, &walk->conditional)
                                            : SCHEMA_PUSH(walk->emitter->arena, &walk->queue);
    if (!slot)
        return writ_error_memory(walk->emitter->error);
    *slot = place;
    if (conditional)
        return 0;
    struct schema_place *key = writ_arena_alloc(walk->emitter->arena, sizeof(*key));
    if (!key)
        return writ_error_memory(walk->emitter->error);
    *key = place;
    return writ_schema_map_put(walk->emitter->arena, &walk->seen, 0, key, sizeof(*key), 1)
               ? writ_schema_charge(walk->emitter, 1)
               : writ_error_memory(walk->emitter->error);
}

bool writ_schema_is_evaluated_name(const struct evaluated *evaluated, const struct writ_json *name)
{
    return writ_schema_map_get(&evaluated->name_set, 0, name->text, name->length) != SCHEMA_ABSENT;
}

static bool has_pattern(const struct evaluated *evaluated, const struct writ_pattern *pattern)
{
    for (size_t i = 0; i < evaluated->patterns.count; i++) {
        if (evaluated->patterns.items[i] == pattern)
            return true;
    }
    return false;
}

static int add_names(struct walk *walk, const struct schema_keyword *keyword)
{
    struct evaluated *evaluated = walk->evaluated;
    WRIT_JSON_EACH_MEMBER(key, keyword->key + 1)
    {
        if (writ_schema_is_evaluated_name(evaluated, key))
            continue;
        const struct writ_json **slot = SCHEMA_PUSH(walk->emitter->arena, &evaluated->names);
        if (!slot || !writ_schema_map_put(walk->emitter->arena, &evaluated->name_set, 0, key->text, key->length, 1))
            return writ_error_memory(walk->emitter->error);
        *slot = key;
    }
    return writ_schema_charge(walk->emitter, keyword->child_count);
}

static int add_patterns(struct walk *walk, const struct schema_keyword *keyword)
{
    for (uint32_t i = 0; i < keyword->child_count; i++) {
        const struct writ_pattern *pattern = schema_pattern(walk->emitter->graph, keyword, i);
        if (has_pattern(walk->evaluated, pattern))
            continue;
        const struct writ_pattern **slot = SCHEMA_PUSH(walk->emitter->arena, &walk->evaluated->patterns);
        if (!slot)
            return writ_error_memory(walk->emitter->error);
        *slot = pattern;
    }
    return writ_schema_charge(walk->emitter, keyword->child_count);
}

static int add_certain(struct walk *walk, const struct schema_keyword *keyword, bool is_root)
{
    struct evaluated *evaluated = walk->evaluated;
    switch (keyword->id) {
    case KEYWORD_PROPERTIES:
        return add_names(walk, keyword);
    case KEYWORD_PATTERN_PROPERTIES:
        return add_patterns(walk, keyword);
    case KEYWORD_ADDITIONAL_PROPERTIES:
        evaluated->all_properties = true;
        return 0;
    case KEYWORD_UNEVALUATED_PROPERTIES:
        evaluated->all_properties |= !is_root;
        return 0;
    case KEYWORD_PREFIX_ITEMS:
        if (keyword->child_count > evaluated->prefix)
            evaluated->prefix = keyword->child_count;
        return 0;
    case KEYWORD_ITEMS:
        evaluated->all_items = true;
        return 0;
    case KEYWORD_UNEVALUATED_ITEMS:
        evaluated->all_items |= !is_root;
        return 0;
    case KEYWORD_CONTAINS:
        evaluated->dynamic_items = true;
        return 0;
    default:
        return 0;
    }
}

/* Could this keyword of a conditional subschema add to what is certain? */
static void note_possible(struct walk *walk, const struct schema_keyword *keyword)
{
    struct evaluated *evaluated = walk->evaluated;
    switch (keyword->id) {
    case KEYWORD_PROPERTIES: {
        WRIT_JSON_EACH_MEMBER(key, keyword->key + 1)
        {
            evaluated->dynamic_properties |= !writ_schema_is_evaluated_name(evaluated, key);
        }
        break;
    }
    case KEYWORD_PATTERN_PROPERTIES:
        for (uint32_t i = 0; i < keyword->child_count; i++)
            evaluated->dynamic_properties |= !has_pattern(evaluated, schema_pattern(walk->emitter->graph, keyword, i));
        break;
    case KEYWORD_ADDITIONAL_PROPERTIES:
    case KEYWORD_UNEVALUATED_PROPERTIES:
        evaluated->dynamic_properties = true;
        break;
    case KEYWORD_PREFIX_ITEMS:
        evaluated->dynamic_items |= keyword->child_count > evaluated->prefix;
        break;
    case KEYWORD_ITEMS:
    case KEYWORD_UNEVALUATED_ITEMS:
    case KEYWORD_CONTAINS:
        evaluated->dynamic_items = true;
        break;
    default:
        break;
    }
}

static int visit(struct walk *walk, size_t at, bool certain)
{
    struct schema_place place = walk->queue.items[at];
    const struct schema_graph *graph = walk->emitter->graph;
    const struct subschema *subschema = &graph->subschemas.items[place.subschema];
    int result = 0;
    for (uint32_t k = subschema->keyword_first; k < subschema->keyword_first + subschema->keyword_count && !result;
         k++) {
        const struct schema_keyword *keyword = &graph->keywords.items[k];
        if (certain)
            result = add_certain(walk, keyword, at == 0);
        else
            note_possible(walk, keyword);
        bool follow = is_unconditional(keyword->id), later = is_conditional(keyword->id);
        for (uint32_t i = 0; (follow || later) && i < keyword->child_count && !result; i++) {
            struct schema_place child;
            result = writ_schema_enter_child(walk->emitter, place, keyword, i, &child);
            if (!result)
                result = visit_later(walk, child, later && certain);
        }
    }
    return result;
}

int writ_schema_evaluate(struct emitter *emitter, struct schema_place place, struct evaluated *ret_evaluated)
{
    struct walk walk = {.emitter = emitter, .evaluated = ret_evaluated};
    memset(ret_evaluated, 0, sizeof(*ret_evaluated));
    int result = visit_later(&walk, place, false);
    size_t done = 0;
    for (; done < walk.queue.count && !result; done++)
        result = visit(&walk, done, true);
    /* All that is certain is known now; from here on anything new is only possible. */
    for (size_t i = 0; i < walk.conditional.count && !result; i++)
        result = visit_later(&walk, walk.conditional.items[i], false);
    for (; done < walk.queue.count && !result; done++)
        result = visit(&walk, done, false);
    ret_evaluated->dynamic_properties &= !ret_evaluated->all_properties;
    ret_evaluated->dynamic_items &= !ret_evaluated->all_items;
    return result;
}

int writ_schema_needs_scope(struct emitter *emitter, struct schema_place place, bool *ret_needs)
{
    const struct schema_keyword *properties =
        schema_keyword_of(emitter->graph, place.subschema, KEYWORD_UNEVALUATED_PROPERTIES);
    const struct schema_keyword *items = schema_keyword_of(emitter->graph, place.subschema, KEYWORD_UNEVALUATED_ITEMS);
    *ret_needs = false;
    if (!properties && !items)
        return 0;
    uint32_t known = writ_schema_map_get(&emitter->scope_needed, 0, &place, sizeof(place));
    if (known != SCHEMA_ABSENT) {
        *ret_needs = known;
        return 0;
    }
    struct evaluated evaluated;
    int result = writ_schema_evaluate(emitter, place, &evaluated);
    if (result)
        return result;
    *ret_needs = (properties && evaluated.dynamic_properties) || (items && evaluated.dynamic_items);
    struct schema_place *key = writ_arena_alloc(emitter->arena, sizeof(*key));
    if (!key)
        return writ_error_memory(emitter->error);
    *key = place;
    return writ_schema_map_put(emitter->arena, &emitter->scope_needed, 0, key, sizeof(*key), *ret_needs)
               ? 0
               : writ_error_memory(emitter->error);
}
