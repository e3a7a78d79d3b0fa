#include "data/schema_emit.h"

int writ_schema_append(struct emitter *emitter, struct schema_instruction instruction)
{
    struct schema_instruction *slot = SCHEMA_PUSH(emitter->arena, &emitter->code);
    if (!slot)
        return writ_error_memory(emitter->error);
    *slot = instruction;
    return writ_schema_charge(emitter, 1);
}

int writ_schema_note_link(struct emitter *emitter, struct schema_instruction *instruction)
{
    struct schema_instruction **slot = SCHEMA_PUSH(emitter->arena, &emitter->links);
    if (!slot)
        return writ_error_memory(emitter->error);
    *slot = instruction;
    return 0;
}

/* ---- asking for units ---- */

static struct schema_instruction call_of(uint32_t unit)
{
    return (struct schema_instruction){.op = OP_CALL, .kinds = KINDS_ALL, .number = unit};
}

int writ_schema_call(struct emitter *emitter, struct schema_place place, uint32_t mode,
                     struct schema_instruction *ret_call)
{
    int result = mode & UNIT_BARE ? 0 : writ_schema_canonical(emitter, &place);
    if (result)
        return result;
    struct {
        struct schema_place place;
        uint32_t mode;
    } wanted = {place, mode}, *key;
    uint32_t unit = writ_schema_map_get(&emitter->unit_by_key, 0, &wanted, sizeof(wanted));
    if (unit == SCHEMA_ABSENT) {
        result = writ_schema_refuse_cycle(emitter, place);
        if (result)
            return result;
        struct unit *slot = SCHEMA_PUSH(emitter->arena, &emitter->units);
        key = writ_arena_alloc(emitter->arena, sizeof(*key));
        if (!slot || !key)
            return writ_error_memory(emitter->error);
        *slot = (struct unit){.place = place, .mode = mode};
        unit = (uint32_t)emitter->units.count - 1;
        *key = wanted;
        if (!writ_schema_map_put(emitter->arena, &emitter->unit_by_key, 0, key, sizeof(*key), unit))
            return writ_error_memory(emitter->error);
    }
    *ret_call = call_of(unit);
    return 0;
}

int writ_schema_call_all(struct emitter *emitter, const struct schema_place *places, uint32_t count,
                         struct schema_instruction *ret_call)
{
    if (count == 0) {
        *ret_call = (struct schema_instruction){.op = OP_PASS, .kinds = KINDS_ALL};
        return 0;
    }
    if (count == 1)
        return writ_schema_call(emitter, places[0], UNIT_PLAIN, ret_call);
    struct unit *slot = SCHEMA_PUSH(emitter->arena, &emitter->units);
    if (!slot)
        return writ_error_memory(emitter->error);
    *slot = (struct unit){.places = places, .place_count = count};
    *ret_call = call_of((uint32_t)emitter->units.count - 1);
    return 0;
}

/* ---- emitting them ---- */

/* Appends an instruction that concerns one kind; the first of the unit also settles which other kinds may pass. */
static int append_for_kind(struct emitter *emitter, struct schema_instruction instruction, enum writ_json_kind kind,
                           uint16_t kinds, bool *typed)
{
    if (instruction.op == OP_PASS || !(kinds >> kind & 1))
        return 0;
    instruction.kinds = KINDS_ALL & (uint16_t)~KIND_BIT(kind);
    if (!*typed)
        instruction.kinds &= kinds;
    *typed = true;
    return writ_schema_append(emitter, instruction);
}

static int emit_containers(struct emitter *emitter, const struct sources *sources, uint32_t mode, uint16_t kinds,
                           bool *typed)
{
    struct schema_instruction instruction;
    int result = 0;
    if (kinds >> WRIT_JSON_OBJECT & 1) {
        result = writ_schema_emit_object(emitter, sources, mode, &instruction);
        if (!result)
            result = append_for_kind(emitter, instruction, WRIT_JSON_OBJECT, kinds, typed);
    }
    for (size_t s = 0; s < sources->count && !result && (kinds >> WRIT_JSON_ARRAY & 1); s++) {
        result = writ_schema_emit_array(emitter, sources->items[s], mode, &instruction);
        if (!result)
            result = append_for_kind(emitter, instruction, WRIT_JSON_ARRAY, kinds, typed);
        if (result || (s == 0 && (mode & UNIT_BARE)))
            continue;
        result = writ_schema_emit_unevaluated_items(emitter, sources->items[s], mode, &instruction);
        if (!result)
            result = append_for_kind(emitter, instruction, WRIT_JSON_ARRAY, kinds, typed);
    }
    return result;
}

static int emit_place(struct emitter *emitter, struct schema_place place, uint32_t mode)
{
    bool needs_scope = false;
    int result = mode & UNIT_BARE ? 0 : writ_schema_needs_scope(emitter, place, &needs_scope);
    if (result)
        return result;
    if (needs_scope)
        return writ_schema_emit_scope(emitter, place, mode);
    /* Emitting a unit never emits another, so one room serves all. */
    struct sources *sources = emitter->sources;
    struct schema_instruction *values = emitter->values;
    result = writ_schema_gather(emitter, place, sources);
    if (result)
        return result;
    size_t count = 0;
    uint16_t kinds;
    result = writ_schema_emit_values(emitter, sources, values, &count, &kinds);
    if (result)
        return result;
    if (kinds == 0)
        return writ_schema_append(emitter, (struct schema_instruction){.op = OP_FAIL});
    for (size_t i = 0; i < count && !result; i++)
        result = writ_schema_append(emitter, values[i]);
    bool typed = count > 0;
    if (!result)
        result = emit_containers(emitter, sources, mode, kinds, &typed);
    size_t first = emitter->code.count;
    if (!result)
        result = writ_schema_emit_logic(emitter, sources, mode);
    if (result || typed || kinds == KINDS_ALL)
        return result;
    /* Nothing has looked at the type so far: the first instruction for all kinds does, or one for that alone. */
    if (first == emitter->code.count)
        return writ_schema_append(emitter, (struct schema_instruction){.op = OP_KINDS, .kinds = kinds});
    emitter->code.items[first].kinds = kinds;
    return 0;
}

static int emit_unit(struct emitter *emitter, uint32_t number)
{
    struct unit unit = emitter->units.items[number];
    emitter->units.items[number].start = (uint32_t)emitter->code.count;
    int result = 0;
    for (uint32_t i = 0; i < unit.place_count && !result; i++) {
        struct schema_instruction call;
        result = writ_schema_call(emitter, unit.places[i], UNIT_PLAIN, &call);
        if (!result)
            result = writ_schema_append(emitter, call);
    }
    if (!result && unit.place_count == 0)
        result = emit_place(emitter, unit.place, unit.mode);
    return result ? result : writ_schema_append(emitter, (struct schema_instruction){.op = OP_END});
}

/* ---- linking ---- */

/* A call of a unit that is one instruction becomes that instruction; any other is given its start. */
static void link_call(const struct emitter *emitter, struct schema_instruction *instruction)
{
    const struct schema_instruction *code = emitter->code.items;
    if (instruction->op != OP_CALL)
        return;
    uint32_t start = emitter->units.items[instruction->number].start;
    bool single = code[start].op != OP_END && code[start + 1].op == OP_END;
    bool any_kind = instruction->kinds == KINDS_ALL; /* else the call also checks the type */
    if (code[start].op == OP_END)
        *instruction = (struct schema_instruction){.op = any_kind ? OP_PASS : OP_KINDS, .kinds = instruction->kinds};
    else if (single && any_kind && code[start].op != OP_CALL) /* a call may be linked or not: it stays where it is */
        *instruction = code[start];
    else
        instruction->number = start;
}

int writ_schema_emit_program(struct emitter *emitter, struct schema_program *ret_program)
{
    struct schema_place root;
    struct schema_instruction *call = writ_arena_alloc(emitter->arena, sizeof(*call));
    emitter->sources = writ_arena_alloc(emitter->arena, sizeof(*emitter->sources));
    emitter->values = writ_arena_alloc(emitter->arena, VALUE_INSTRUCTIONS_MAX * sizeof(*emitter->values));
    if (!call || !emitter->sources || !emitter->values)
        return writ_error_memory(emitter->error);
    int result = writ_schema_enter(emitter, 0, 0, &root);
    if (!result)
        result = writ_schema_call(emitter, root, UNIT_PLAIN, call);
    for (uint32_t i = 0; i < emitter->units.count && !result; i++)
        result = emit_unit(emitter, i);
    if (result)
        return result;
    for (size_t i = 0; i < emitter->code.count; i++)
        link_call(emitter, &emitter->code.items[i]);
    for (size_t i = 0; i < emitter->links.count; i++)
        link_call(emitter, emitter->links.items[i]);
    link_call(emitter, call);
    *ret_program = (struct schema_program){.code = emitter->code.items,
                                           .number_plans = emitter->number_plans.items,
                                           .root = *call,
                                           .instruction_count = emitter->size,
                                           .has_scopes = emitter->has_scopes};
    return 0;
}
