/* The plan of an array: one a source, for sources seldom have array keywords at the same time. */
#include "data/schema_emit.h"

static int call_child(struct emitter *emitter, struct schema_place source, const struct schema_keyword *keyword,
                      uint32_t i, struct schema_instruction *instruction)
{
    struct schema_place child;
    int result = writ_schema_enter_child(emitter, source, keyword, i, &child);
    if (!result)
        result = writ_schema_call(emitter, child, UNIT_PLAIN, instruction);
    return result ? result : writ_schema_note_link(emitter, instruction);
}

static int build_prefix(struct emitter *emitter, struct schema_place source, const struct schema_keyword *keyword,
                        struct schema_array_plan *plan)
{
    struct schema_instruction *prefix = writ_arena_zalloc(emitter->arena, keyword->child_count, sizeof(*prefix));
    if (!prefix)
        return writ_error_memory(emitter->error);
    plan->prefix = prefix;
    plan->prefix_count = keyword->child_count;
    int result = writ_schema_charge(emitter, keyword->child_count);
    for (uint32_t i = 0; i < keyword->child_count && !result; i++)
        result = call_child(emitter, source, keyword, i, &prefix[i]);
    return result;
}

static int build_contains(struct emitter *emitter, struct schema_place source, const struct schema_keyword *keyword,
                          struct schema_contains *contains)
{
    const struct schema_keyword *min = schema_keyword_of(emitter->graph, source.subschema, KEYWORD_MIN_CONTAINS);
    const struct schema_keyword *max = schema_keyword_of(emitter->graph, source.subschema, KEYWORD_MAX_CONTAINS);
    contains->present = true;
    contains->min = min ? writ_schema_count(min->key + 1) : 1;
    contains->max = max ? writ_schema_count(max->key + 1) : UINT32_MAX;
    return call_child(emitter, source, keyword, 0, &contains->check);
}

int writ_schema_emit_array(struct emitter *emitter, struct schema_place source, uint32_t mode,
                           struct schema_instruction *ret_instruction)
{
    const struct schema_graph *graph = emitter->graph;
    const struct schema_keyword *prefix = schema_keyword_of(graph, source.subschema, KEYWORD_PREFIX_ITEMS);
    const struct schema_keyword *items = schema_keyword_of(graph, source.subschema, KEYWORD_ITEMS);
    const struct schema_keyword *contains = schema_keyword_of(graph, source.subschema, KEYWORD_CONTAINS);
    const struct schema_keyword *min = schema_keyword_of(graph, source.subschema, KEYWORD_MIN_ITEMS);
    const struct schema_keyword *max = schema_keyword_of(graph, source.subschema, KEYWORD_MAX_ITEMS);
    const struct schema_keyword *unique = schema_keyword_of(graph, source.subschema, KEYWORD_UNIQUE_ITEMS);
    bool is_unique = unique && unique->key[1].kind == WRIT_JSON_TRUE;
    *ret_instruction = (struct schema_instruction){.op = OP_PASS, .kinds = KINDS_ALL};
    if (!prefix && !items && !contains && !min && !max && !is_unique)
        return 0;
    struct schema_array_plan *plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*plan));
    if (!plan)
        return writ_error_memory(emitter->error);
    plan->items_min = min ? writ_schema_count(min->key + 1) : 0;
    plan->items_max = max ? writ_schema_count(max->key + 1) : UINT32_MAX;
    plan->unique = is_unique;
    plan->items = (struct schema_instruction){.op = OP_PASS, .kinds = KINDS_ALL};
    if (mode & UNIT_COLLECT)
        plan->marking = items ? MARK_ALL : prefix || contains ? MARK_KNOWN : MARK_NONE;
    plan->simple = !prefix && !contains && plan->marking == MARK_NONE;
    int result = prefix ? build_prefix(emitter, source, prefix, plan) : 0;
    if (!result && items)
        result = call_child(emitter, source, items, 0, &plan->items);
    if (!result && contains)
        result = build_contains(emitter, source, contains, &plan->contains);
    *ret_instruction = (struct schema_instruction){.op = OP_ARRAY, .plan = plan};
    return result;
}

int writ_schema_emit_unevaluated_items(struct emitter *emitter, struct schema_place source, uint32_t mode,
                                       struct schema_instruction *ret_instruction)
{
    const struct schema_keyword *keyword =
        schema_keyword_of(emitter->graph, source.subschema, KEYWORD_UNEVALUATED_ITEMS);
    *ret_instruction = (struct schema_instruction){.op = OP_PASS, .kinds = KINDS_ALL};
    if (!keyword)
        return 0;
    struct evaluated evaluated;
    int result = writ_schema_evaluate(emitter, source, &evaluated);
    if (result)
        return result;
    struct schema_array_plan *plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*plan));
    if (!plan)
        return writ_error_memory(emitter->error);
    plan->items_max = UINT32_MAX;
    plan->items = (struct schema_instruction){.op = OP_PASS, .kinds = KINDS_ALL};
    plan->marking = mode & UNIT_COLLECT ? MARK_ALL : MARK_NONE;
    plan->prefix_count = evaluated.all_items ? 0 : evaluated.prefix; /* items that others have evaluated: no checks */
    if (evaluated.all_items && plan->marking == MARK_NONE)
        return 0;
    if (!evaluated.all_items)
        result = call_child(emitter, source, keyword, 0, &plan->items);
    *ret_instruction = (struct schema_instruction){.op = OP_ARRAY, .plan = plan};
    return result;
}
