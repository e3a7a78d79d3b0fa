/* Places: dynamic scopes, dissolving references, refusing endless ones. */
#include "data/schema_emit.h"

int writ_schema_charge(struct emitter *emitter, size_t count)
{
    emitter->size += count;
    if (emitter->size > INSTRUCTIONS_MAX)
        return writ_error_set(emitter->error, WRIT_SCHEMA_INVALID,
                              "the schema grows to more than %u instructions when its references are followed: make it "
                              "simpler",
                              INSTRUCTIONS_MAX);
    return 0;
}

/* ---- dynamic scopes ---- */

static int intern_scope(struct emitter *emitter, const uint32_t *bindings, uint32_t count, uint32_t *ret_scope)
{
    size_t bytes = count * sizeof(*bindings);
    *ret_scope = writ_schema_map_get(&emitter->scope_by_bindings, 0, bindings, bytes);
    if (*ret_scope != SCHEMA_ABSENT)
        return 0;
    if (emitter->scopes.count >= SCOPES_MAX)
        return writ_error_set(emitter->error, WRIT_SCHEMA_INVALID,
                              "$dynamicRef can be bound in more than %u ways here: make the schema simpler",
                              SCOPES_MAX);
    struct dynamic_scope *scope = SCHEMA_PUSH(emitter->arena, &emitter->scopes);
    if (!scope)
        return writ_error_memory(emitter->error);
    *scope = (struct dynamic_scope){bindings, count};
    *ret_scope = (uint32_t)emitter->scopes.count - 1;
    return writ_schema_map_put(emitter->arena, &emitter->scope_by_bindings, 0, bindings, bytes, *ret_scope)
               ? writ_schema_charge(emitter, count)
               : writ_error_memory(emitter->error);
}

static uint32_t bound_to(const struct emitter *emitter, uint32_t scope, uint32_t name)
{
    const struct dynamic_scope *at = &emitter->scopes.items[scope];
    for (uint32_t i = 0; i < at->count; i += 2) {
        if (at->bindings[i] == name)
            return at->bindings[i + 1];
    }
    return SCHEMA_NONE;
}

/* The scope after entering a resource: its anchors bind the names that are still free. */
static int enter_resource(struct emitter *emitter, uint32_t scope, uint32_t resource, uint32_t *ret_scope)
{
    const struct schema_graph *graph = emitter->graph;
    uint32_t added = 0;
    for (uint32_t at = graph->resources.items[resource].dynamic_first; at != SCHEMA_NONE;
         at = graph->dynamics.items[at].next)
        added += bound_to(emitter, scope, graph->dynamics.items[at].name) == SCHEMA_NONE;
    *ret_scope = scope;
    if (added == 0)
        return 0;
    uint32_t known =
        writ_schema_map_get(&emitter->scope_entered, scope, &graph->resources.items[resource].uri, sizeof(char *));
    if (known != SCHEMA_ABSENT) {
        *ret_scope = known;
        return 0;
    }
    uint32_t count = emitter->scopes.items[scope].count;
    uint32_t *bindings = writ_arena_zalloc(emitter->arena, count + (size_t)added * 2, sizeof(*bindings));
    const char **key = writ_arena_alloc(emitter->arena, sizeof(*key));
    if (!bindings || !key)
        return writ_error_memory(emitter->error);
    if (count)
        memcpy(bindings, emitter->scopes.items[scope].bindings, count * sizeof(*bindings));
    for (uint32_t at = graph->resources.items[resource].dynamic_first; at != SCHEMA_NONE;
         at = graph->dynamics.items[at].next) {
        const struct schema_dynamic *dynamic = &graph->dynamics.items[at];
        if (bound_to(emitter, scope, dynamic->name) != SCHEMA_NONE)
            continue;
        uint32_t i = count;
        for (; i > 0 && bindings[i - 2] > dynamic->name; i -= 2) {
            bindings[i] = bindings[i - 2];
            bindings[i + 1] = bindings[i - 1];
        }
        bindings[i] = dynamic->name;
        bindings[i + 1] = dynamic->subschema;
        count += 2;
    }
    int result = intern_scope(emitter, bindings, count, ret_scope);
    if (result)
        return result;
    *key = graph->resources.items[resource].uri;
    return writ_schema_map_put(emitter->arena, &emitter->scope_entered, scope, key, sizeof(*key), *ret_scope)
               ? 0
               : writ_error_memory(emitter->error);
}

int writ_schema_enter(struct emitter *emitter, uint32_t scope, uint32_t subschema, struct schema_place *ret_place)
{
    if (emitter->scopes.count == 0) {
        uint32_t empty;
        int result = intern_scope(emitter, NULL, 0, &empty);
        if (result)
            return result;
    }
    ret_place->subschema = subschema;
    return enter_resource(emitter, scope, emitter->graph->subschemas.items[subschema].resource, &ret_place->scope);
}

int writ_schema_enter_child(struct emitter *emitter, struct schema_place from, const struct schema_keyword *keyword,
                            uint32_t i, struct schema_place *ret_place)
{
    uint32_t child = schema_child(emitter->graph, keyword, i);
    if (keyword->dynamic_name != SCHEMA_NONE) {
        uint32_t bound = bound_to(emitter, from.scope, keyword->dynamic_name);
        if (bound != SCHEMA_NONE)
            child = bound;
    }
    return writ_schema_enter(emitter, from.scope, child, ret_place);
}

/* ---- references ---- */

static bool is_reference(const struct schema_keyword *keyword)
{
    return keyword->id == KEYWORD_REF || keyword->id == KEYWORD_DYNAMIC_REF;
}

/* Does the keyword say anything about an instance? */
static bool is_assertive(const struct schema_keyword *keyword)
{
    unsigned vocabulary = writ_schema_keyword_vocabulary(keyword->id);
    return is_reference(keyword) || (vocabulary & (VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED |
                                                   VOCABULARY_VALIDATION | VOCABULARY_FORMAT_ANNOTATION)) != 0;
}

int writ_schema_canonical(struct emitter *emitter, struct schema_place *place)
{
    const struct schema_graph *graph = emitter->graph;
    /* Chains that come back are found by the search for cycles; here they only must end. */
    for (unsigned hops = 0; hops < 64; hops++) {
        const struct subschema *at = &graph->subschemas.items[place->subschema];
        const struct schema_keyword *reference = NULL;
        for (uint32_t i = 0; i < at->keyword_count; i++) {
            const struct schema_keyword *keyword = &graph->keywords.items[at->keyword_first + i];
            if (!is_assertive(keyword))
                continue;
            if (reference || !is_reference(keyword))
                return 0;
            reference = keyword;
        }
        if (!reference)
            return 0;
        int result = writ_schema_enter_child(emitter, *place, reference, 0, place);
        if (result)
            return result;
    }
    return 0;
}

static bool same_place(struct schema_place a, struct schema_place b)
{
    return a.subschema == b.subschema && a.scope == b.scope;
}

int writ_schema_gather(struct emitter *emitter, struct schema_place root, struct sources *ret_sources)
{
    const struct schema_graph *graph = emitter->graph;
    struct sources *sources = ret_sources;
    sources->items[0] = root;
    sources->count = 1;
    sources->call_count = 0;
    /* The list is its own queue. */
    for (size_t done = 0; done < sources->count; done++) {
        struct schema_place from = sources->items[done];
        const struct subschema *at = &graph->subschemas.items[from.subschema];
        for (uint32_t k = at->keyword_first; k < at->keyword_first + at->keyword_count; k++) {
            const struct schema_keyword *keyword = &graph->keywords.items[k];
            if (!is_reference(keyword) && keyword->id != KEYWORD_ALL_OF)
                continue;
            for (uint32_t i = 0; i < keyword->child_count; i++) {
                struct schema_place child;
                bool known = false, needs_scope = false;
                int result = writ_schema_enter_child(emitter, from, keyword, i, &child);
                if (!result)
                    result = writ_schema_canonical(emitter, &child);
                if (!result)
                    result = writ_schema_needs_scope(emitter, child, &needs_scope);
                if (result)
                    return result;
                for (size_t s = 0; s < sources->count; s++)
                    known |= same_place(sources->items[s], child);
                for (size_t s = 0; s < sources->call_count; s++)
                    known |= same_place(sources->calls[s], child);
                if (known)
                    continue;
                if (sources->count < SOURCES_MAX && !needs_scope)
                    sources->items[sources->count++] = child;
                else if (sources->call_count < SOURCES_MAX)
                    sources->calls[sources->call_count++] = child;
                else
                    return writ_schema_refuse(graph, at->resource, keyword->key, emitter->error,
                                              "more than %d schemas apply to one value here", SOURCES_MAX * 2);
            }
        }
    }
    return 0;
}

/* ---- cycles ---- */

struct walk_step {
    struct schema_place place;
    uint32_t keyword, child; /* where to go on */
};

static bool applies_in_place(enum schema_keyword_id id)
{
    return id == KEYWORD_REF || id == KEYWORD_DYNAMIC_REF || writ_schema_keyword_is_in_place(id);
}

enum { CYCLE_OPEN = 1, CYCLE_CLOSED = 2 };

static int mark_place(struct emitter *emitter, struct schema_place place, uint32_t state)
{
    struct schema_place *key = writ_arena_alloc(emitter->arena, sizeof(*key));
    if (!key)
        return writ_error_memory(emitter->error);
    *key = place;
    return writ_schema_map_put(emitter->arena, &emitter->cycle_state, 0, key, sizeof(*key), state)
               ? 0
               : writ_error_memory(emitter->error);
}

/* The next subschema that the top of the walk applies in place; false when there is none left. */
static int next_in_place(struct emitter *emitter, struct walk_step *step, struct schema_place *ret_child,
                         bool *ret_found)
{
    const struct schema_graph *graph = emitter->graph;
    const struct subschema *at = &graph->subschemas.items[step->place.subschema];
    *ret_found = false;
    for (; step->keyword < at->keyword_count; step->keyword++, step->child = 0) {
        const struct schema_keyword *keyword = &graph->keywords.items[at->keyword_first + step->keyword];
        if (!applies_in_place(keyword->id) || step->child >= keyword->child_count)
            continue;
        *ret_found = true;
        return writ_schema_enter_child(emitter, step->place, keyword, step->child++, ret_child);
    }
    return 0;
}

int writ_schema_refuse_cycle(struct emitter *emitter, struct schema_place from)
{
    const struct schema_graph *graph = emitter->graph;
    if (writ_schema_map_get(&emitter->cycle_state, 0, &from, sizeof(from)) != SCHEMA_ABSENT)
        return 0;
    SCHEMA_VECTOR(struct walk_step) walk = {0};
    struct schema_place child = from;
    bool found = true;
    int result = 0;
    do {
        if (found) {
            uint32_t state = writ_schema_map_get(&emitter->cycle_state, 0, &child, sizeof(child));
            if (state == CYCLE_OPEN) {
                const struct subschema *at = &graph->subschemas.items[child.subschema];
                return writ_schema_refuse(
                    graph, at->resource, at->node, emitter->error,
                    "the schema applies itself to the same value, which would never end: let the "
                    "reference stand under a keyword that goes into the value, such as properties "
                    "or items");
            }
            if (state == SCHEMA_ABSENT) {
                struct walk_step *step = SCHEMA_PUSH(emitter->arena, &walk);
                if (!step)
                    return writ_error_memory(emitter->error);
                step->place = child;
                result = mark_place(emitter, child, CYCLE_OPEN);
                if (!result)
                    result = writ_schema_charge(emitter, 1);
            }
        } else {
            result = mark_place(emitter, walk.items[walk.count - 1].place, CYCLE_CLOSED);
            walk.count--;
        }
        if (!result && walk.count > 0)
            result = next_in_place(emitter, &walk.items[walk.count - 1], &child, &found);
    } while (!result && walk.count > 0);
    return result;
}
