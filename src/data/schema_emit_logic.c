/* anyOf, oneOf, not, if, dependentSchemas, and the scope of a dynamic unevaluated*. */
#include "data/schema_emit.h"

static int call_place(struct emitter *emitter, struct schema_place place, uint32_t mode,
                      struct schema_instruction *instruction)
{
    int result = writ_schema_call(emitter, place, mode, instruction);
    return result ? result : writ_schema_note_link(emitter, instruction);
}

static int call_child(struct emitter *emitter, struct schema_place source, const struct schema_keyword *keyword,
                      uint32_t i, uint32_t mode, struct schema_instruction *instruction)
{
    struct schema_place child;
    int result = writ_schema_enter_child(emitter, source, keyword, i, &child);
    return result ? result : call_place(emitter, child, mode, instruction);
}

static uint8_t collect_flag(uint32_t mode)
{
    return mode & UNIT_COLLECT ? INSTRUCTION_COLLECT : 0;
}

/* anyOf or oneOf. */
static int emit_branches(struct emitter *emitter, struct schema_place source, const struct schema_keyword *keyword,
                         enum schema_op op, uint32_t mode)
{
    uint32_t count = keyword->child_count;
    struct schema_branches_plan *plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*plan));
    struct schema_instruction *branches = writ_arena_zalloc(emitter->arena, count, sizeof(*branches));
    struct schema_place *places = writ_arena_zalloc(emitter->arena, count, sizeof(*places));
    if (!plan || !branches || !places)
        return writ_error_memory(emitter->error);
    int result = writ_schema_charge(emitter, count);
    for (uint32_t i = 0; i < count && !result; i++) {
        result = writ_schema_enter_child(emitter, source, keyword, i, &places[i]);
        if (!result)
            result = call_place(emitter, places[i], mode, &branches[i]);
    }
    plan->branches = branches;
    plan->count = count;
    if (!result)
        result = writ_schema_find_discriminator(emitter, places, count, &plan->discriminator);
    return result ? result
                  : writ_schema_append(
                        emitter, (struct schema_instruction){
                                     .op = (uint8_t)op, .flags = collect_flag(mode), .kinds = KINDS_ALL, .plan = plan});
}

static int emit_not(struct emitter *emitter, struct schema_place source, const struct schema_keyword *keyword)
{
    struct schema_instruction *inner = writ_arena_zalloc(emitter->arena, 1, sizeof(*inner));
    if (!inner)
        return writ_error_memory(emitter->error);
    int result = call_child(emitter, source, keyword, 0, UNIT_PLAIN, inner);
    return result ? result
                  : writ_schema_append(emitter,
                                       (struct schema_instruction){.op = OP_NOT, .kinds = KINDS_ALL, .plan = inner});
}

static int emit_if(struct emitter *emitter, struct schema_place source, const struct schema_keyword *condition,
                   uint32_t mode)
{
    const struct schema_keyword *then = schema_keyword_of(emitter->graph, source.subschema, KEYWORD_THEN);
    const struct schema_keyword *otherwise = schema_keyword_of(emitter->graph, source.subschema, KEYWORD_ELSE);
    /* Without either, `if` still evaluates members for an unevaluated* above. */
    if (!then && !otherwise && !(mode & UNIT_COLLECT))
        return 0;
    struct schema_if_plan *plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*plan));
    if (!plan)
        return writ_error_memory(emitter->error);
    plan->then = (struct schema_instruction){.op = OP_PASS, .kinds = KINDS_ALL};
    plan->otherwise = plan->then;
    int result = call_child(emitter, source, condition, 0, mode, &plan->condition);
    if (!result && then)
        result = call_child(emitter, source, then, 0, mode, &plan->then);
    if (!result && otherwise)
        result = call_child(emitter, source, otherwise, 0, mode, &plan->otherwise);
    return result ? result
                  : writ_schema_append(emitter,
                                       (struct schema_instruction){
                                           .op = OP_IF, .flags = collect_flag(mode), .kinds = KINDS_ALL, .plan = plan});
}

static int emit_dependent(struct emitter *emitter, struct schema_place source, const struct schema_keyword *keyword,
                          uint32_t mode)
{
    uint32_t i = 0;
    WRIT_JSON_EACH_MEMBER(key, keyword->key + 1)
    {
        struct schema_dependent_plan *plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*plan));
        if (!plan)
            return writ_error_memory(emitter->error);
        plan->member = writ_schema_name(key);
        int result = call_child(emitter, source, keyword, i++, mode, &plan->check);
        if (!result)
            result = writ_schema_append(
                emitter, (struct schema_instruction){.op = OP_DEPENDENT, .kinds = KINDS_ALL, .plan = plan});
        if (result)
            return result;
    }
    return 0;
}

int writ_schema_emit_logic(struct emitter *emitter, const struct sources *sources, uint32_t mode)
{
    uint32_t inner = mode & UNIT_COLLECT;
    int result = 0;
    for (size_t i = 0; i < sources->call_count && !result; i++) {
        struct schema_instruction call;
        result = writ_schema_call(emitter, sources->calls[i], inner, &call);
        if (!result)
            result = writ_schema_append(emitter, call);
    }
    for (size_t s = 0; s < sources->count && !result; s++) {
        struct schema_place source = sources->items[s];
        const struct subschema *at = &emitter->graph->subschemas.items[source.subschema];
        for (uint32_t k = at->keyword_first; k < at->keyword_first + at->keyword_count && !result; k++) {
            const struct schema_keyword *keyword = &emitter->graph->keywords.items[k];
            if (keyword->id == KEYWORD_ANY_OF)
                result = emit_branches(emitter, source, keyword, OP_ANY, inner);
            else if (keyword->id == KEYWORD_ONE_OF)
                result = emit_branches(emitter, source, keyword, OP_ONE, inner);
            else if (keyword->id == KEYWORD_NOT)
                result = emit_not(emitter, source, keyword);
            else if (keyword->id == KEYWORD_IF)
                result = emit_if(emitter, source, keyword, inner);
            else if (keyword->id == KEYWORD_DEPENDENT_SCHEMAS)
                result = emit_dependent(emitter, source, keyword, inner);
        }
    }
    return result;
}

int writ_schema_emit_scope(struct emitter *emitter, struct schema_place place, uint32_t mode)
{
    struct schema_scope_plan *plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*plan));
    if (!plan)
        return writ_error_memory(emitter->error);
    const struct schema_keyword *properties =
        schema_keyword_of(emitter->graph, place.subschema, KEYWORD_UNEVALUATED_PROPERTIES);
    const struct schema_keyword *items = schema_keyword_of(emitter->graph, place.subschema, KEYWORD_UNEVALUATED_ITEMS);
    plan->has_properties = properties != NULL;
    plan->has_items = items != NULL;
    int result = call_place(emitter, place, UNIT_COLLECT | UNIT_BARE, &plan->inner);
    if (!result && properties)
        result = call_child(emitter, place, properties, 0, UNIT_PLAIN, &plan->properties);
    if (!result && items)
        result = call_child(emitter, place, items, 0, UNIT_PLAIN, &plan->items);
    emitter->has_scopes = true;
    return result ? result
                  : writ_schema_append(
                        emitter, (struct schema_instruction){
                                     .op = OP_SCOPE, .flags = collect_flag(mode), .kinds = KINDS_ALL, .plan = plan});
}
