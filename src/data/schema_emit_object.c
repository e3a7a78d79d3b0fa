/*
 * The plan of an object: all that the sources of a unit say about its members, merged into one table.
 *
 * For a name that the schema mentions everything is decided here: which subschemas its value must satisfy, be it by
 * properties, by a pattern that matches the name, or by an additionalProperties or (static) unevaluatedProperties that
 * nothing of its own keeps away.  Only names that the schema does not mention are tried against patterns at check time.
 */
#include "data/schema_emit.h"

#define BITS 64
/* Searching a name for a pattern may cost more than an instruction: the most, and what it is charged for. */
#define PATTERN_STEPS_MAX 2000000
#define PATTERN_STEPS_A_CHARGE 20

/* additionalProperties or unevaluatedProperties of one source, and what keeps it away from a name. */
struct closed {
    struct schema_place check;
    const struct schema_keyword *properties; /* additional: the source's own; NULL when it has none */
    const struct schema_keyword *patterns;
    const struct evaluated *evaluated; /* unevaluated; else NULL */
};

struct pattern_entry {
    const struct writ_pattern *pattern;
    struct schema_place check;
    bool checks; /* false: only a closed rule asks for the pattern */
};

struct object_builder {
    struct emitter *emitter;
    const struct sources *sources;
    uint32_t mode;
    SCHEMA_VECTOR(const struct writ_json *) names;
    struct schema_map name_index;
    SCHEMA_VECTOR(struct pattern_entry) patterns;
    SCHEMA_VECTOR(struct closed) closed;
    SCHEMA_VECTOR(struct schema_place) name_checks;
    SCHEMA_VECTOR(struct schema_place) checks; /* of one name, reused */
    struct schema_property *properties;
    struct schema_object_plan *plan;
    unsigned bits_used;
    bool wanted; /* there is something to check or to mark */
};

static const struct schema_keyword *keyword_at(const struct object_builder *builder, size_t source,
                                               enum schema_keyword_id id)
{
    /* A bare unit leaves its root's own unevaluatedProperties to the scope around it. */
    if (id == KEYWORD_UNEVALUATED_PROPERTIES && source == 0 && (builder->mode & UNIT_BARE))
        return NULL;
    return schema_keyword_of(builder->emitter->graph, builder->sources->items[source].subschema, id);
}

static int no_memory(const struct object_builder *builder)
{
    return writ_error_memory(builder->emitter->error);
}

/* ---- collecting ---- */

static int add_name(struct object_builder *builder, const struct writ_json *name)
{
    struct emitter *emitter = builder->emitter;
    if (writ_schema_map_get(&builder->name_index, 0, name->text, name->length) != SCHEMA_ABSENT)
        return 0;
    const struct writ_json **slot = SCHEMA_PUSH(emitter->arena, &builder->names);
    if (!slot || !writ_schema_map_put(emitter->arena, &builder->name_index, 0, name->text, name->length,
                                      (uint32_t)builder->names.count - 1))
        return no_memory(builder);
    *slot = name;
    return writ_schema_charge(emitter, 1);
}

static int add_names_of_source(struct object_builder *builder, size_t source)
{
    struct emitter *emitter = builder->emitter;
    const struct schema_keyword *properties = keyword_at(builder, source, KEYWORD_PROPERTIES);
    const struct schema_keyword *required = keyword_at(builder, source, KEYWORD_REQUIRED);
    const struct schema_keyword *dependent = keyword_at(builder, source, KEYWORD_DEPENDENT_REQUIRED);
    int result = 0;
    if (properties) {
        uint32_t scope = (uint32_t)(properties - emitter->graph->keywords.items), number = 0;
        WRIT_JSON_EACH_MEMBER(key, properties->key + 1)
        {
            if (!writ_schema_map_put(emitter->arena, &emitter->members, scope, key->text, key->length, number++))
                return no_memory(builder);
            result = result ? result : add_name(builder, key);
        }
    }
    if (required) {
        WRIT_JSON_EACH_ITEM(item, required->key + 1)
        {
            result = result ? result : add_name(builder, item);
        }
    }
    if (dependent) {
        WRIT_JSON_EACH_MEMBER(key, dependent->key + 1)
        {
            result = result ? result : add_name(builder, key);
            WRIT_JSON_EACH_ITEM(item, key + 1)
            {
                result = result ? result : add_name(builder, item);
            }
        }
    }
    return result;
}

static int add_pattern_entry(struct object_builder *builder, const struct writ_pattern *pattern,
                             const struct schema_place *check)
{
    if (builder->patterns.count >= PATTERN_RULES_MAX)
        return writ_error_set(builder->emitter->error, WRIT_SCHEMA_INVALID,
                              "more than %d patternProperties apply to one object: make the schema simpler",
                              PATTERN_RULES_MAX);
    struct pattern_entry *entry = SCHEMA_PUSH(builder->emitter->arena, &builder->patterns);
    if (!entry)
        return no_memory(builder);
    entry->pattern = pattern;
    entry->checks = check != NULL;
    if (check)
        entry->check = *check;
    return writ_schema_charge(builder->emitter, 1);
}

static int add_patterns_of_source(struct object_builder *builder, size_t source)
{
    struct emitter *emitter = builder->emitter;
    const struct schema_keyword *patterns = keyword_at(builder, source, KEYWORD_PATTERN_PROPERTIES);
    int result = 0;
    for (uint32_t i = 0; patterns && i < patterns->child_count && !result; i++) {
        struct schema_place check;
        result = writ_schema_enter_child(emitter, builder->sources->items[source], patterns, i, &check);
        if (!result)
            result = add_pattern_entry(builder, schema_pattern(emitter->graph, patterns, i), &check);
    }
    return result;
}

static int add_closed(struct object_builder *builder, size_t source, const struct schema_keyword *keyword,
                      const struct evaluated *evaluated)
{
    struct closed *closed = SCHEMA_PUSH(builder->emitter->arena, &builder->closed);
    if (!closed)
        return no_memory(builder);
    closed->evaluated = evaluated;
    if (!evaluated) {
        closed->properties = keyword_at(builder, source, KEYWORD_PROPERTIES);
        closed->patterns = keyword_at(builder, source, KEYWORD_PATTERN_PROPERTIES);
    }
    return writ_schema_enter_child(builder->emitter, builder->sources->items[source], keyword, 0, &closed->check);
}

static int add_closed_of_source(struct object_builder *builder, size_t source)
{
    struct emitter *emitter = builder->emitter;
    const struct schema_keyword *additional = keyword_at(builder, source, KEYWORD_ADDITIONAL_PROPERTIES);
    const struct schema_keyword *unevaluated = keyword_at(builder, source, KEYWORD_UNEVALUATED_PROPERTIES);
    int result = additional ? add_closed(builder, source, additional, NULL) : 0;
    if (!unevaluated || result)
        return result;
    struct evaluated *evaluated = writ_arena_alloc(emitter->arena, sizeof(*evaluated));
    if (!evaluated)
        return no_memory(builder);
    result = writ_schema_evaluate(emitter, builder->sources->items[source], evaluated);
    if (result || evaluated->all_properties)
        return result;
    result = add_closed(builder, source, unevaluated, evaluated);
    /* Patterns of subschemas that are called, not dissolved, are still asked for here. */
    for (size_t i = 0; i < evaluated->patterns.count && !result; i++) {
        size_t known = 0;
        while (known < builder->patterns.count &&
               builder->patterns.items[known].pattern != evaluated->patterns.items[i])
            known++;
        if (known == builder->patterns.count)
            result = add_pattern_entry(builder, evaluated->patterns.items[i], NULL);
    }
    return result;
}

static int add_name_checks(struct object_builder *builder)
{
    int result = 0;
    for (size_t s = 0; s < builder->sources->count && !result; s++) {
        const struct schema_keyword *keyword = keyword_at(builder, s, KEYWORD_PROPERTY_NAMES);
        if (!keyword)
            continue;
        struct schema_place *slot = SCHEMA_PUSH(builder->emitter->arena, &builder->name_checks);
        if (!slot)
            return no_memory(builder);
        result = writ_schema_enter_child(builder->emitter, builder->sources->items[s], keyword, 0, slot);
    }
    return result;
}

static void read_bounds(struct object_builder *builder)
{
    struct schema_object_plan *plan = builder->plan;
    plan->members_max = UINT32_MAX;
    for (size_t s = 0; s < builder->sources->count; s++) {
        const struct schema_keyword *min = keyword_at(builder, s, KEYWORD_MIN_PROPERTIES);
        const struct schema_keyword *max = keyword_at(builder, s, KEYWORD_MAX_PROPERTIES);
        if (min && writ_schema_count(min->key + 1) > plan->members_min)
            plan->members_min = writ_schema_count(min->key + 1);
        if (max && writ_schema_count(max->key + 1) < plan->members_max)
            plan->members_max = writ_schema_count(max->key + 1);
        builder->wanted |= min || max;
    }
}

/* ---- what applies to a known name ---- */

static int add_check(struct object_builder *builder, struct schema_place check)
{
    for (size_t i = 0; i < builder->checks.count; i++) {
        if (builder->checks.items[i].subschema == check.subschema && builder->checks.items[i].scope == check.scope)
            return 0;
    }
    struct schema_place *slot = SCHEMA_PUSH(builder->emitter->arena, &builder->checks);
    if (!slot)
        return no_memory(builder);
    *slot = check;
    return 0;
}

/* The member of that name among the values of `properties`: its number, or SCHEMA_ABSENT. */
static uint32_t find_member(const struct object_builder *builder, const struct schema_keyword *properties,
                            const struct writ_json *name)
{
    uint32_t scope = (uint32_t)(properties - builder->emitter->graph->keywords.items);
    return writ_schema_map_get(&builder->emitter->members, scope, name->text, name->length);
}

static int matches(struct object_builder *builder, const struct writ_pattern *pattern, const struct writ_json *name,
                   bool *ret_matches)
{
    int64_t steps = PATTERN_STEPS_MAX;
    enum writ_pattern_verdict verdict = writ_pattern_search_counted(pattern, name->text, name->length, &steps);
    int result = writ_schema_charge(builder->emitter, (size_t)(PATTERN_STEPS_MAX - steps) / PATTERN_STEPS_A_CHARGE);
    if (result)
        return result;
    if (verdict == WRIT_PATTERN_TOO_COSTLY)
        return writ_error_set(builder->emitter->error, WRIT_SCHEMA_INVALID,
                              "a pattern of patternProperties takes too long on the name %s: make the pattern simpler",
                              name->text);
    *ret_matches = verdict == WRIT_PATTERN_FOUND;
    return 0;
}

/* Does the closed rule leave this name alone? */
static int is_kept_away(struct object_builder *builder, const struct closed *closed, const struct writ_json *name,
                        bool *ret_kept)
{
    *ret_kept = closed->evaluated
                    ? writ_schema_is_evaluated_name(closed->evaluated, name)
                    : closed->properties && find_member(builder, closed->properties, name) != SCHEMA_ABSENT;
    size_t count = closed->evaluated  ? closed->evaluated->patterns.count
                   : closed->patterns ? closed->patterns->child_count
                                      : 0;
    int result = 0;
    for (size_t i = 0; i < count && !*ret_kept && !result; i++)
        result = matches(builder,
                         closed->evaluated ? closed->evaluated->patterns.items[i]
                                           : schema_pattern(builder->emitter->graph, closed->patterns, (uint32_t)i),
                         name, ret_kept);
    return result;
}

static int gather_checks(struct object_builder *builder, const struct writ_json *name, bool *ret_evaluated)
{
    struct emitter *emitter = builder->emitter;
    builder->checks.count = 0;
    *ret_evaluated = false;
    int result = writ_schema_charge(emitter, (builder->patterns.count + builder->closed.count) / 4);
    for (size_t s = 0; s < builder->sources->count && !result; s++) {
        const struct schema_keyword *properties = keyword_at(builder, s, KEYWORD_PROPERTIES);
        uint32_t member = properties ? find_member(builder, properties, name) : SCHEMA_ABSENT;
        struct schema_place check;
        if (member == SCHEMA_ABSENT)
            continue;
        *ret_evaluated = true;
        result = writ_schema_enter_child(emitter, builder->sources->items[s], properties, member, &check);
        if (!result)
            result = add_check(builder, check);
    }
    for (size_t i = 0; i < builder->patterns.count && !result; i++) {
        bool found = false;
        if (!builder->patterns.items[i].checks)
            continue;
        result = matches(builder, builder->patterns.items[i].pattern, name, &found);
        if (result || !found)
            continue;
        *ret_evaluated = true;
        result = add_check(builder, builder->patterns.items[i].check);
    }
    for (size_t i = 0; i < builder->closed.count && !result; i++) {
        bool kept = false;
        result = is_kept_away(builder, &builder->closed.items[i], name, &kept);
        if (!result && !kept)
            result = add_check(builder, builder->closed.items[i].check);
    }
    return result;
}

/* A lasting copy of the checks gathered, as one instruction. */
static int call_checks(struct object_builder *builder, struct schema_instruction *instruction)
{
    struct schema_place *places = writ_arena_zalloc(builder->emitter->arena, builder->checks.count, sizeof(*places));
    if (!places)
        return no_memory(builder);
    if (builder->checks.count)
        memcpy(places, builder->checks.items, builder->checks.count * sizeof(*places));
    int result = writ_schema_call_all(builder->emitter, places, (uint32_t)builder->checks.count, instruction);
    return result ? result : writ_schema_note_link(builder->emitter, instruction);
}

static int build_properties(struct object_builder *builder)
{
    struct emitter *emitter = builder->emitter;
    size_t count = builder->names.count;
    struct schema_name *items = writ_arena_zalloc(emitter->arena, count, sizeof(*items));
    builder->properties = writ_arena_zalloc(emitter->arena, count, sizeof(*builder->properties));
    if (!items || !builder->properties)
        return no_memory(builder);
    int result = 0;
    for (size_t i = 0; i < count && !result; i++) {
        items[i] = writ_schema_name(builder->names.items[i]);
        result = gather_checks(builder, builder->names.items[i], &builder->properties[i].evaluated);
        if (!result)
            result = call_checks(builder, &builder->properties[i].check);
    }
    builder->plan->properties = builder->properties;
    return result ? result : writ_schema_names_build(emitter, items, (uint32_t)count, &builder->plan->names);
}

/* ---- the other names ---- */

static void set_pattern_bit(struct object_builder *builder, struct schema_closed_rule *rule,
                            const struct writ_pattern *pattern)
{
    for (size_t i = 0; i < builder->patterns.count; i++) {
        if (builder->patterns.items[i].pattern == pattern)
            rule->patterns[i / 64] |= (uint64_t)1 << (i % 64);
    }
}

static int build_rules(struct object_builder *builder)
{
    struct emitter *emitter = builder->emitter;
    struct schema_object_plan *plan = builder->plan;
    struct schema_pattern_rule *rules = writ_arena_zalloc(emitter->arena, builder->patterns.count, sizeof(*rules));
    struct schema_closed_rule *closed = writ_arena_zalloc(emitter->arena, builder->closed.count, sizeof(*closed));
    if (!rules || !closed)
        return no_memory(builder);
    int result = 0;
    for (size_t i = 0; i < builder->patterns.count && !result; i++) {
        rules[i].pattern = builder->patterns.items[i].pattern;
        builder->checks.count = 0;
        if (builder->patterns.items[i].checks)
            result = add_check(builder, builder->patterns.items[i].check);
        if (!result)
            result = call_checks(builder, &rules[i].check);
    }
    for (size_t i = 0; i < builder->closed.count && !result; i++) {
        const struct closed *from = &builder->closed.items[i];
        for (size_t k = 0; from->evaluated && k < from->evaluated->patterns.count; k++)
            set_pattern_bit(builder, &closed[i], from->evaluated->patterns.items[k]);
        for (uint32_t k = 0; from->patterns && k < from->patterns->child_count; k++)
            set_pattern_bit(builder, &closed[i], schema_pattern(emitter->graph, from->patterns, k));
        builder->checks.count = 0;
        result = add_check(builder, from->check);
        if (!result)
            result = call_checks(builder, &closed[i].check);
    }
    plan->patterns = rules;
    plan->pattern_count = (uint32_t)builder->patterns.count;
    plan->closed = closed;
    plan->closed_count = (uint32_t)builder->closed.count;
    return result;
}

/* Without patterns all closed rules apply to every unknown name alike. */
static int build_unknown(struct object_builder *builder)
{
    builder->checks.count = 0;
    int result = 0;
    for (size_t i = 0; i < builder->closed.count && !result; i++)
        result = add_check(builder, builder->closed.items[i].check);
    return result ? result : call_checks(builder, &builder->plan->unknown);
}

/* ---- presence ---- */

/* The bit in `seen` of a name, or 0 when all are taken. */
static uint64_t presence_bit(struct object_builder *builder, const struct writ_json *name)
{
    uint32_t index = writ_schema_map_get(&builder->name_index, 0, name->text, name->length);
    struct schema_property *property = &builder->properties[index];
    if (!property->bit && builder->bits_used < BITS)
        property->bit = (uint64_t)1 << builder->bits_used++;
    return property->bit;
}

static int add_late(struct object_builder *builder, struct schema_late_requirement *late, const struct writ_json *when,
                    const struct writ_json *name)
{
    struct schema_late_requirement *slot = &late[builder->plan->late_count++];
    slot->name = writ_schema_name(name);
    if (!when)
        return 0;
    struct schema_name *condition = writ_arena_alloc(builder->emitter->arena, sizeof(*condition));
    if (!condition)
        return no_memory(builder);
    *condition = writ_schema_name(when);
    slot->when = condition;
    return 0;
}

static size_t count_requirements(const struct object_builder *builder, size_t *ret_dependencies)
{
    size_t names = 0;
    *ret_dependencies = 0;
    for (size_t s = 0; s < builder->sources->count; s++) {
        const struct schema_keyword *required = keyword_at(builder, s, KEYWORD_REQUIRED);
        const struct schema_keyword *dependent = keyword_at(builder, s, KEYWORD_DEPENDENT_REQUIRED);
        names += required ? required->key[1].length : 0;
        if (!dependent)
            continue;
        *ret_dependencies += dependent->key[1].length;
        WRIT_JSON_EACH_MEMBER(key, dependent->key + 1)
        {
            names += key[1].length;
        }
    }
    return names;
}

static int build_presence(struct object_builder *builder)
{
    struct schema_object_plan *plan = builder->plan;
    size_t dependency_max;
    size_t late_max = count_requirements(builder, &dependency_max);
    struct schema_late_requirement *late = writ_arena_zalloc(builder->emitter->arena, late_max, sizeof(*late));
    struct schema_dependency *dependencies =
        writ_arena_zalloc(builder->emitter->arena, dependency_max, sizeof(*dependencies));
    if (!late || !dependencies)
        return no_memory(builder);
    plan->late = late;
    plan->dependencies = dependencies;
    int result = writ_schema_charge(builder->emitter, late_max + dependency_max);
    for (size_t s = 0; s < builder->sources->count && !result; s++) {
        const struct schema_keyword *required = keyword_at(builder, s, KEYWORD_REQUIRED);
        const struct schema_keyword *dependent = keyword_at(builder, s, KEYWORD_DEPENDENT_REQUIRED);
        if (required) {
            WRIT_JSON_EACH_ITEM(item, required->key + 1)
            {
                uint64_t bit = presence_bit(builder, item);
                plan->required |= bit;
                if (!bit && !result)
                    result = add_late(builder, late, NULL, item);
            }
        }
        if (!dependent)
            continue;
        WRIT_JSON_EACH_MEMBER(key, dependent->key + 1)
        {
            struct schema_dependency dependency = {.when = presence_bit(builder, key)};
            WRIT_JSON_EACH_ITEM(item, key + 1)
            {
                uint64_t bit = dependency.when ? presence_bit(builder, item) : 0;
                dependency.needs |= bit;
                if (!bit && !result)
                    result = add_late(builder, late, key, item);
            }
            if (dependency.needs)
                dependencies[plan->dependency_count++] = dependency;
        }
    }
    return result;
}

/* ---- the whole ---- */

static enum schema_marking find_marking(const struct object_builder *builder)
{
    if (!(builder->mode & UNIT_COLLECT))
        return MARK_NONE;
    enum schema_marking marking = MARK_NONE;
    for (size_t s = 0; s < builder->sources->count; s++) {
        if (keyword_at(builder, s, KEYWORD_ADDITIONAL_PROPERTIES) ||
            keyword_at(builder, s, KEYWORD_UNEVALUATED_PROPERTIES))
            return MARK_ALL;
        if (keyword_at(builder, s, KEYWORD_PROPERTIES) || keyword_at(builder, s, KEYWORD_PATTERN_PROPERTIES))
            marking = MARK_KNOWN;
    }
    return marking;
}

static int collect(struct object_builder *builder)
{
    int result = 0;
    for (size_t s = 0; s < builder->sources->count && !result; s++) {
        result = add_names_of_source(builder, s);
        if (!result)
            result = add_patterns_of_source(builder, s);
    }
    for (size_t s = 0; s < builder->sources->count && !result; s++)
        result = add_closed_of_source(builder, s);
    return result ? result : add_name_checks(builder);
}

static int build_plan(struct object_builder *builder)
{
    struct schema_object_plan *plan = builder->plan;
    int result = build_properties(builder);
    if (!result)
        result = builder->patterns.count ? build_rules(builder) : build_unknown(builder);
    if (!result)
        result = build_presence(builder);
    if (result)
        return result;
    builder->checks.count = 0;
    for (size_t i = 0; i < builder->name_checks.count && !result; i++)
        result = add_check(builder, builder->name_checks.items[i]);
    if (!result)
        result = call_checks(builder, &plan->name_check);
    plan->simple = builder->patterns.count == 0 && builder->name_checks.count == 0 && plan->marking == MARK_NONE &&
                   plan->dependency_count == 0 && plan->late_count == 0;
    return result;
}

/* `required` alone, of few names: no table is needed. */
static int build_has(struct object_builder *builder, struct schema_instruction *ret_instruction)
{
    struct schema_has_plan *has = writ_arena_zalloc(builder->emitter->arena, 1, sizeof(*has));
    if (!has)
        return no_memory(builder);
    for (; has->count < builder->names.count; has->count++)
        has->names[has->count] = writ_schema_name(builder->names.items[has->count]);
    *ret_instruction = (struct schema_instruction){.op = OP_HAS, .plan = has};
    return 0;
}

static bool is_required_alone(const struct object_builder *builder)
{
    if (builder->names.count == 0 || builder->names.count > HAS_NAMES_MAX || builder->patterns.count ||
        builder->closed.count || builder->name_checks.count || builder->plan->marking != MARK_NONE ||
        builder->plan->members_min > 0 || builder->plan->members_max < UINT32_MAX)
        return false;
    for (size_t s = 0; s < builder->sources->count; s++) {
        if (keyword_at(builder, s, KEYWORD_PROPERTIES) || keyword_at(builder, s, KEYWORD_DEPENDENT_REQUIRED))
            return false;
    }
    return true;
}

int writ_schema_emit_object(struct emitter *emitter, const struct sources *sources, uint32_t mode,
                            struct schema_instruction *ret_instruction)
{
    struct object_builder builder = {.emitter = emitter, .sources = sources, .mode = mode};
    builder.plan = writ_arena_zalloc(emitter->arena, 1, sizeof(*builder.plan));
    if (!builder.plan)
        return no_memory(&builder);
    int result = collect(&builder);
    if (result)
        return result;
    read_bounds(&builder);
    builder.plan->marking = (uint8_t)find_marking(&builder);
    builder.wanted |= builder.names.count || builder.patterns.count || builder.closed.count ||
                      builder.name_checks.count || builder.plan->marking != MARK_NONE;
    *ret_instruction = (struct schema_instruction){.op = OP_PASS, .kinds = KINDS_ALL};
    if (!builder.wanted)
        return 0;
    if (is_required_alone(&builder))
        return build_has(&builder, ret_instruction);
    result = build_plan(&builder);
    *ret_instruction = (struct schema_instruction){.op = OP_OBJECT, .plan = builder.plan};
    return result;
}
