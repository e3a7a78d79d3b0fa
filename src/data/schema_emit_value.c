/* Instructions for types, numbers, strings, formats and listed values. */
#include "data/schema_check.h"
#include "data/schema_emit.h"
#include "data/schema_format.h"

struct values_emitter {
    struct emitter *emitter;
    struct schema_instruction *out;
    size_t *count;
    uint16_t kinds; /* still possible */
    bool integral;
    bool typed; /* a list of values has already settled the kinds */
};

static uint16_t own_kinds(const struct schema_instruction *instruction)
{
    switch ((enum schema_op)instruction->op) {
    case OP_STRING:
    case OP_FORMAT:
        return KIND_BIT(WRIT_JSON_STRING);
    case OP_NUMBER:
        return KINDS_NUMBER;
    default:
        return KINDS_ALL;
    }
}

/* Appends an instruction that concerns only some kinds; the first one lets no impossible kind through. */
static void add(struct values_emitter *values, struct schema_instruction instruction)
{
    uint16_t own = own_kinds(&instruction);
    if (!(own & values->kinds))
        return;
    instruction.kinds = KINDS_ALL & (uint16_t)~own;
    values->out[(*values->count)++] = instruction;
}

static const struct schema_keyword *keyword_of(const struct values_emitter *values, struct schema_place source,
                                               enum schema_keyword_id id)
{
    return schema_keyword_of(values->emitter->graph, source.subschema, id);
}

/* ---- numbers ---- */

/* The least int64 for which `value >= bound` (or > when exclusive) holds; false when there is none. */
static bool least_integer(const struct writ_json *bound, bool exclusive, int64_t *ret_least)
{
    int64_t low = INT64_MIN, high = INT64_MAX;
    struct writ_json value = {.kind = WRIT_JSON_INTEGER, .integer = high};
    if (writ_json_compare_numbers(&value, bound) < (exclusive ? 1 : 0))
        return false;
    while (low < high) {
        int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        value.integer = middle;
        if (writ_json_compare_numbers(&value, bound) >= (exclusive ? 1 : 0))
            high = middle;
        else
            low = middle + 1;
    }
    *ret_least = low;
    return true;
}

/* Narrows the range of integers; an empty one is min > max. */
static void narrow(struct schema_instruction *number, const struct schema_number_bound *bound)
{
    int64_t least;
    if (bound->is_minimum) {
        if (!least_integer(bound->bound, bound->exclusive, &least)) {
            number->min = INT64_MAX;
            number->max = INT64_MIN;
        } else if (least > number->min) {
            number->min = least;
        }
        return;
    }
    /* The greatest integer that holds is one below the least for which the opposite holds. */
    if (!least_integer(bound->bound, !bound->exclusive, &least))
        return;
    if (least == INT64_MIN) {
        number->min = INT64_MAX;
        number->max = INT64_MIN;
    } else if (least - 1 < number->max) {
        number->max = least - 1;
    }
}

static size_t read_bounds(const struct values_emitter *values, struct schema_place source,
                          struct schema_number_bound *bounds)
{
    static const struct {
        enum schema_keyword_id id;
        bool exclusive, is_minimum;
    } kinds[] = {{KEYWORD_MINIMUM, false, true},
                 {KEYWORD_EXCLUSIVE_MINIMUM, true, true},
                 {KEYWORD_MAXIMUM, false, false},
                 {KEYWORD_EXCLUSIVE_MAXIMUM, true, false}};
    size_t count = 0;
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++) {
        const struct schema_keyword *keyword = keyword_of(values, source, kinds[i].id);
        if (keyword)
            bounds[count++] = (struct schema_number_bound){keyword->key + 1, kinds[i].exclusive, kinds[i].is_minimum};
    }
    return count;
}

static int add_numbers(struct values_emitter *values, const struct sources *sources)
{
    struct emitter *emitter = values->emitter;
    struct schema_number_bound *bounds = writ_arena_zalloc(emitter->arena, sources->count * 4, sizeof(*bounds));
    const struct writ_json **divisors = writ_arena_zalloc(emitter->arena, sources->count, sizeof(*divisors));
    if (!bounds || !divisors)
        return writ_error_memory(emitter->error);
    struct schema_number_plan plan = {.bounds = bounds, .divisors = divisors, .integral = values->integral};
    struct schema_instruction number = {.op = OP_NUMBER, .min = INT64_MIN, .max = INT64_MAX};
    for (size_t s = 0; s < sources->count; s++) {
        plan.bound_count += (uint32_t)read_bounds(values, sources->items[s], bounds + plan.bound_count);
        const struct schema_keyword *divisor = keyword_of(values, sources->items[s], KEYWORD_MULTIPLE_OF);
        if (divisor)
            divisors[plan.divisor_count++] = divisor->key + 1;
    }
    if (plan.bound_count == 0 && plan.divisor_count == 0 && !plan.integral)
        return 0;
    plan.steps = writ_schema_number_steps(&plan);
    /* Narrowing compares with a bound some sixty times. */
    int result = writ_schema_charge(emitter, plan.steps);
    if (result)
        return result;
    for (uint32_t i = 0; i < plan.bound_count; i++)
        narrow(&number, &bounds[i]);
    if (plan.divisor_count)
        number.flags = INSTRUCTION_SLOW;
    struct schema_number_plan *slot = SCHEMA_PUSH(emitter->arena, &emitter->number_plans);
    if (!slot)
        return writ_error_memory(emitter->error);
    *slot = plan;
    number.number = (uint32_t)emitter->number_plans.count;
    add(values, number);
    return 0;
}

/* ---- strings ---- */

static void add_strings(struct values_emitter *values, const struct sources *sources)
{
    const struct schema_graph *graph = values->emitter->graph;
    struct schema_instruction string = {.op = OP_STRING, .length_min = 0, .length_max = UINT32_MAX};
    bool wanted = false;
    for (size_t s = 0; s < sources->count; s++) {
        const struct schema_keyword *min = keyword_of(values, sources->items[s], KEYWORD_MIN_LENGTH);
        const struct schema_keyword *max = keyword_of(values, sources->items[s], KEYWORD_MAX_LENGTH);
        if (min && writ_schema_count(min->key + 1) > string.length_min)
            string.length_min = writ_schema_count(min->key + 1);
        if (max && writ_schema_count(max->key + 1) < string.length_max)
            string.length_max = writ_schema_count(max->key + 1);
        wanted |= min || max;
    }
    for (size_t s = 0; s < sources->count; s++) {
        const struct schema_keyword *pattern = keyword_of(values, sources->items[s], KEYWORD_PATTERN);
        if (!pattern)
            continue;
        string.pattern = schema_pattern(graph, pattern, 0);
        add(values, string);
        string = (struct schema_instruction){.op = OP_STRING, .length_min = 0, .length_max = UINT32_MAX};
        wanted = false;
    }
    if (wanted)
        add(values, string);
    for (size_t s = 0; s < sources->count; s++) {
        const struct schema_keyword *format = keyword_of(values, sources->items[s], KEYWORD_FORMAT);
        uint32_t resource = graph->subschemas.items[sources->items[s].subschema].resource;
        if (!format || !graph->resources.items[resource].assert_format)
            continue;
        uint32_t number = writ_schema_format_find(format->key[1].text);
        if (number != SCHEMA_FORMAT_NONE)
            add(values, (struct schema_instruction){.op = OP_FORMAT, .number = number});
    }
}

/* ---- listed values ---- */

static bool is_possible(const struct values_emitter *values, const struct writ_json *value)
{
    return (values->kinds >> value->kind & 1) &&
           !(values->integral && writ_json_is_number(value) && !writ_json_is_integral(value));
}

static int add_texts(struct values_emitter *values, const struct writ_json *const *listed, uint32_t count)
{
    struct emitter *emitter = values->emitter;
    struct schema_name *items = writ_arena_zalloc(emitter->arena, count, sizeof(*items));
    struct schema_names *names = writ_arena_zalloc(emitter->arena, 1, sizeof(*names));
    struct schema_map seen = {0};
    if (!items || !names)
        return writ_error_memory(emitter->error);
    uint32_t different = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (writ_schema_map_get(&seen, 0, listed[i]->text, listed[i]->length) != SCHEMA_ABSENT)
            continue;
        if (!writ_schema_map_put(emitter->arena, &seen, 0, listed[i]->text, listed[i]->length, i))
            return writ_error_memory(emitter->error);
        items[different++] = writ_schema_name(listed[i]);
    }
    int result = writ_schema_names_build(emitter, items, different, names);
    if (!result)
        values->out[(*values->count)++] = (struct schema_instruction){.op = OP_TEXT_IN, .plan = names};
    return result;
}

/* One `enum` or `const`: what the types exclude anyway is left out, and the list then also stands for the types. */
static int add_list(struct values_emitter *values, const struct writ_json *first, uint32_t count)
{
    struct emitter *emitter = values->emitter;
    const struct writ_json **listed = writ_arena_zalloc(emitter->arena, (size_t)count + 1, sizeof(*listed));
    struct schema_values_plan *plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*plan));
    if (!listed || !plan)
        return writ_error_memory(emitter->error);
    uint32_t possible = 0;
    size_t looked_at = 0; /* bytes of long numbers, by the hundred */
    uint16_t kinds = 0;
    for (uint32_t i = 0; i < count; i++, first = writ_json_next(first)) {
        looked_at += first->kind == WRIT_JSON_DECIMAL ? first->length / 100 : 0;
        if (!is_possible(values, first))
            continue;
        listed[possible++] = first;
        kinds = (uint16_t)(kinds | (writ_json_is_number(first) ? KINDS_NUMBER : KIND_BIT(first->kind)));
    }
    int result = writ_schema_charge(emitter, possible + looked_at);
    if (result)
        return result;
    values->kinds &= kinds;
    if ((kinds & ~(KINDS_BOOLEAN | KIND_BIT(WRIT_JSON_NULL))) == 0) {
        /* null, true, false: the kind says it all */
        if (values->typed)
            values->out[(*values->count)++] = (struct schema_instruction){.op = OP_KINDS, .kinds = kinds};
        return 0;
    }
    values->typed = true;
    if (kinds == KIND_BIT(WRIT_JSON_STRING) && possible <= NAMES_MAX)
        return add_texts(values, listed, possible);
    *plan = (struct schema_values_plan){listed, possible};
    values->out[(*values->count)++] = (struct schema_instruction){.op = OP_VALUE_IN, .kinds = KINDS_ALL, .plan = plan};
    return 0;
}

static int add_lists(struct values_emitter *values, const struct sources *sources)
{
    int result = 0;
    for (size_t s = 0; s < sources->count && !result; s++) {
        const struct schema_keyword *list = keyword_of(values, sources->items[s], KEYWORD_ENUM);
        const struct schema_keyword *constant = keyword_of(values, sources->items[s], KEYWORD_CONST);
        if (list)
            result = add_list(values, list->key + 2, list->key[1].length);
        if (constant && !result)
            result = add_list(values, constant->key + 1, 1);
    }
    return result;
}

int writ_schema_emit_values(struct emitter *emitter, const struct sources *sources,
                            struct schema_instruction *instructions, size_t *count, uint16_t *kinds)
{
    struct values_emitter values = {.emitter = emitter, .out = instructions, .count = count, .kinds = KINDS_ALL};
    for (size_t s = 0; s < sources->count; s++) {
        const struct subschema *subschema = &emitter->graph->subschemas.items[sources->items[s].subschema];
        const struct schema_keyword *type = keyword_of(&values, sources->items[s], KEYWORD_TYPE);
        if (subschema->node->kind == WRIT_JSON_FALSE)
            values.kinds = 0;
        if (!type)
            continue;
        struct schema_types types = writ_schema_types(type->key + 1);
        values.kinds &= types.kinds;
        values.integral |= types.integral_only;
    }
    int result = add_lists(&values, sources);
    size_t lists = *count;
    if (!result)
        add_strings(&values, sources);
    if (!result)
        result = add_numbers(&values, sources);
    if (result)
        return result;
    *kinds = values.kinds;
    if (lists == 0 && *count > 0)
        instructions[0].kinds &= values.kinds;
    return 0;
}
