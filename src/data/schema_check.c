/*
 * The verdict: runs a program on an instance.  Nothing here allocates.
 *
 * The hot paths are check_value (what can be settled by looking at one node) and simple objects and arrays, which run
 * the instruction of each member or item in place.  Marks for unevaluated* live in a block on the stack of the
 * outermost call.  A check that runs out of steps or depth answers no and tells why in `stop`.
 */
#include "data/schema_check.h"

#include "data/schema.h"
#include "data/schema_compiled.h"
#include "data/schema_equal.h"
#include "data/schema_format.h"
#include "data/schema_keyword.h"

static bool run_instruction(struct check *check, const struct schema_instruction *instruction,
                            const struct writ_json *node);

static bool stop(struct check *check, enum check_stop why)
{
    if (check->stop == CHECK_GOES_ON)
        check->stop = why;
    check->steps = -1; /* ends whatever is still going on */
    return false;
}

/* ---- one node ---- */

uint32_t writ_schema_characters(const struct writ_json *string)
{
    if (string->flags & WRIT_JSON_FLAG_ASCII)
        return string->length;
    uint32_t count = 0;
    for (uint32_t i = 0; i < string->length; i++)
        count += ((uint8_t)string->text[i] & 0xC0) != 0x80;
    return count;
}

static bool is_length_within(struct check *check, const struct schema_instruction *string, const struct writ_json *node)
{
    uint32_t length = node->length;
    if (!(node->flags & WRIT_JSON_FLAG_ASCII)) {
        /* A character is one to four bytes, so that often there is nothing to count. */
        if (length <= string->length_max && length / 4 >= string->length_min)
            return true;
        check->steps -= length / 64;
        length = writ_schema_characters(node);
    }
    return length >= string->length_min && length <= string->length_max;
}

static bool is_found(struct check *check, const struct writ_pattern *pattern, const struct writ_json *string)
{
    if (WRIT_LIKELY(pattern->engine == WRIT_PATTERN_SHIFT && string->length <= WRIT_PATTERN_PIECE_BYTES))
        return writ_pattern_match(pattern, string->text, string->length) == WRIT_PATTERN_FOUND;
    enum writ_pattern_verdict verdict =
        writ_pattern_search_counted(pattern, string->text, string->length, &check->steps);
    if (WRIT_UNLIKELY(verdict == WRIT_PATTERN_TOO_COSTLY))
        return stop(check, CHECK_PATTERN_TOO_COSTLY);
    return verdict == WRIT_PATTERN_FOUND;
}

uint32_t writ_schema_number_steps(const struct schema_number_plan *plan)
{
    uint32_t steps = 4;
    for (uint32_t i = 0; i < plan->bound_count; i++)
        steps += plan->bounds[i].bound->length / 16;
    /* Long division takes the product of the lengths, and zeros may make the dividend four times as long as the
     * divisor. */
    for (uint32_t i = 0; i < plan->divisor_count; i++)
        steps += plan->divisors[i]->length / 16 * (1 + plan->divisors[i]->length / 64);
    return steps;
}

bool writ_schema_number_holds(const struct schema_number_plan *plan, const struct writ_json *number)
{
    if (plan->integral && !writ_json_is_integral(number))
        return false;
    for (uint32_t i = 0; i < plan->bound_count; i++) {
        const struct schema_number_bound *bound = &plan->bounds[i];
        int order = writ_json_compare_numbers(number, bound->bound);
        if (!bound->is_minimum)
            order = -order;
        if (order < 0 || (order == 0 && bound->exclusive))
            return false;
    }
    for (uint32_t i = 0; i < plan->divisor_count; i++) {
        if (!writ_json_is_multiple(number, plan->divisors[i]))
            return false;
    }
    return true;
}

static __attribute__((noinline)) bool
check_number_slowly(struct check *check, const struct schema_instruction *instruction, const struct writ_json *node)
{
    const struct schema_number_plan *plan = &check->program->number_plans[instruction->number - 1];
    check->steps -= plan->steps + node->length / 16;
    return check->steps >= 0 ? writ_schema_number_holds(plan, node) : stop(check, CHECK_STEPS_SPENT);
}

static bool check_object(struct check *check, const struct schema_object_plan *plan, const struct writ_json *object);
static bool check_array(struct check *check, const struct schema_array_plan *plan, const struct writ_json *array);

/* Inlined where members and items are run: the commonest instructions, without a call. */
static inline __attribute__((always_inline)) bool
check_value(struct check *check, const struct schema_instruction *instruction, const struct writ_json *node)
{
    switch (instruction->op) {
    case OP_PASS:
        return true;
    case OP_FAIL:
        return false;
    case OP_KINDS:
        return instruction->kinds >> node->kind & 1;
    case OP_STRING:
        if (WRIT_UNLIKELY(node->kind != WRIT_JSON_STRING))
            return instruction->kinds >> node->kind & 1;
        return is_length_within(check, instruction, node) &&
               (!instruction->pattern || is_found(check, instruction->pattern, node));
    case OP_TEXT_IN:
        return node->kind == WRIT_JSON_STRING && schema_names_find(instruction->plan, node) != UINT32_MAX;
    case OP_NUMBER:
        if (WRIT_LIKELY(node->kind == WRIT_JSON_INTEGER && !(instruction->flags & INSTRUCTION_SLOW)))
            return node->integer >= instruction->min && node->integer <= instruction->max;
        if (!writ_json_is_number(node))
            return instruction->kinds >> node->kind & 1;
        return check_number_slowly(check, instruction, node);
    case OP_OBJECT:
        return node->kind == WRIT_JSON_OBJECT ? check_object(check, instruction->plan, node)
                                              : instruction->kinds >> node->kind & 1;
    case OP_ARRAY:
        return node->kind == WRIT_JSON_ARRAY ? check_array(check, instruction->plan, node)
                                             : instruction->kinds >> node->kind & 1;
    default:
        return run_instruction(check, instruction, node);
    }
}

/* Entered by whatever goes into a value or a branch; every such call is followed by leave. */
static inline bool enter(struct check *check, uint32_t steps)
{
    check->steps -= steps;
    if (WRIT_UNLIKELY(check->steps < 0))
        return stop(check, CHECK_STEPS_SPENT);
    if (WRIT_UNLIKELY(check->depth >= CHECK_DEPTH_MAX))
        return stop(check, CHECK_TOO_DEEP);
    check->depth++;
    return true;
}

static inline bool leave(struct check *check, bool verdict)
{
    check->depth--;
    return verdict;
}

/* ---- marks ---- */

static void mark(struct check *check, uint32_t at)
{
    if (check->marks.words)
        check->marks.words[at / 64] |= (uint64_t)1 << (at % 64);
}

static void mark_all(struct check *check)
{
    if (check->marks.words)
        memset(check->marks.words, 0xFF, check->marks.count * sizeof(uint64_t));
}

/* A branch that fails leaves no marks behind. */
static bool try_branch(struct check *check, const struct schema_instruction *branch, const struct writ_json *node,
                       bool collect)
{
    if (!collect || !check->marks.words)
        return check_value(check, branch, node);
    uint32_t count = check->marks.count, space = check->mark_space_used;
    if (count > CHECK_MARK_WORDS_MAX - space)
        return stop(check, CHECK_TOO_MANY_MARKS);
    uint64_t *before = check->mark_space + space;
    memcpy(before, check->marks.words, count * sizeof(*before));
    check->mark_space_used += count;
    bool verdict = check_value(check, branch, node);
    if (!verdict)
        memcpy(check->marks.words, before, count * sizeof(*before));
    check->mark_space_used = space;
    return verdict;
}

/* ---- objects ---- */

static bool check_unknown_member(struct check *check, const struct schema_object_plan *plan,
                                 const struct writ_json *key, bool *ret_evaluated)
{
    uint64_t matched[PATTERN_RULES_MAX / 64] = {0};
    check->steps -= plan->pattern_count + plan->closed_count;
    for (uint32_t i = 0; i < plan->pattern_count; i++) {
        const struct schema_pattern_rule *rule = &plan->patterns[i];
        if (!is_found(check, rule->pattern, key)) {
            if (WRIT_UNLIKELY(check->steps < 0))
                return false;
            continue;
        }
        matched[i / 64] |= (uint64_t)1 << (i % 64);
        *ret_evaluated = true;
        if (!check_value(check, &rule->check, key + 1))
            return false;
    }
    for (uint32_t i = 0; i < plan->closed_count; i++) {
        const struct schema_closed_rule *rule = &plan->closed[i];
        uint64_t kept = 0;
        for (size_t word = 0; word < WRIT_COUNT(matched); word++)
            kept |= matched[word] & rule->patterns[word];
        if (!kept && !check_value(check, &rule->check, key + 1))
            return false;
    }
    return true;
}

static bool has_member(const struct writ_json *object, const struct schema_name *name)
{
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        if (schema_name_is(name, key))
            return true;
    }
    return false;
}

static bool has_members(struct check *check, const struct schema_has_plan *plan, const struct writ_json *object)
{
    check->steps -= object->length;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (!has_member(object, &plan->names[i]))
            return false;
    }
    return true;
}

static bool has_late_members(struct check *check, const struct schema_object_plan *plan, const struct writ_json *object)
{
    for (uint32_t i = 0; i < plan->late_count; i++) {
        const struct schema_late_requirement *late = &plan->late[i];
        check->steps -= object->length;
        if (check->steps < 0)
            return stop(check, CHECK_STEPS_SPENT);
        if ((!late->when || has_member(object, late->when)) && !has_member(object, &late->name))
            return false;
    }
    return true;
}

static bool are_dependencies_met(const struct schema_object_plan *plan, uint64_t seen)
{
    for (uint32_t i = 0; i < plan->dependency_count; i++) {
        if ((seen & plan->dependencies[i].when) && (seen & plan->dependencies[i].needs) != plan->dependencies[i].needs)
            return false;
    }
    return true;
}

static __attribute__((noinline)) bool check_members(struct check *check, const struct schema_object_plan *plan,
                                                    const struct writ_json *object)
{
    uint64_t seen = 0;
    uint32_t at = 0;
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        bool evaluated = false;
        if (!check_value(check, &plan->name_check, key))
            return false;
        uint32_t index = schema_names_find(&plan->names, key);
        if (index != UINT32_MAX) {
            const struct schema_property *property = &plan->properties[index];
            seen |= property->bit;
            evaluated = property->evaluated;
            if (!check_value(check, &property->check, key + 1))
                return false;
        } else if (plan->pattern_count) {
            if (!check_unknown_member(check, plan, key, &evaluated))
                return false;
        } else if (!check_value(check, &plan->unknown, key + 1)) {
            return false;
        }
        if (evaluated && plan->marking == MARK_KNOWN)
            mark(check, at);
        at++;
    }
    if (plan->marking == MARK_ALL)
        mark_all(check);
    return (seen & plan->required) == plan->required && are_dependencies_met(plan, seen) &&
           has_late_members(check, plan, object);
}

static bool check_simple_members(struct check *check, const struct schema_object_plan *plan,
                                 const struct writ_json *object)
{
    uint64_t seen = 0;
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        uint32_t index = schema_names_find(&plan->names, key);
        const struct schema_instruction *instruction = &plan->unknown;
        if (WRIT_LIKELY(index != UINT32_MAX)) {
            seen |= plan->properties[index].bit;
            instruction = &plan->properties[index].check;
        }
        if (!check_value(check, instruction, key + 1))
            return false;
    }
    return (seen & plan->required) == plan->required;
}

static bool check_object(struct check *check, const struct schema_object_plan *plan, const struct writ_json *object)
{
    if (object->length < plan->members_min || object->length > plan->members_max || !enter(check, object->length + 1))
        return false;
    return leave(check, plan->simple ? check_simple_members(check, plan, object) : check_members(check, plan, object));
}

/* ---- arrays ---- */

static __attribute__((noinline)) bool check_items(struct check *check, const struct schema_array_plan *plan,
                                                  const struct writ_json *array)
{
    uint32_t at = 0, contained = 0;
    WRIT_JSON_EACH_ITEM(item, array)
    {
        const struct schema_instruction *instruction = &plan->items;
        bool evaluated = at < plan->prefix_count;
        static const struct schema_instruction pass = {.op = OP_PASS};
        if (evaluated)
            instruction = plan->prefix ? &plan->prefix[at] : &pass;
        if (!check_value(check, instruction, item))
            return false;
        if (plan->contains.present && check_value(check, &plan->contains.check, item)) {
            contained++;
            evaluated = true;
        }
        if (WRIT_UNLIKELY(check->steps < 0))
            return stop(check, CHECK_STEPS_SPENT);
        if (evaluated && plan->marking == MARK_KNOWN)
            mark(check, at);
        at++;
    }
    if (plan->marking == MARK_ALL)
        mark_all(check);
    return !plan->contains.present || (contained >= plan->contains.min && contained <= plan->contains.max);
}

static bool check_simple_items(struct check *check, const struct schema_array_plan *plan, const struct writ_json *array)
{
    WRIT_JSON_EACH_ITEM(item, array)
    {
        if (!check_value(check, &plan->items, item))
            return false;
    }
    return true;
}

static bool check_array(struct check *check, const struct schema_array_plan *plan, const struct writ_json *array)
{
    if (array->length < plan->items_min || array->length > plan->items_max || !enter(check, array->length + 1))
        return false;
    bool verdict = plan->simple ? check_simple_items(check, plan, array) : check_items(check, plan, array);
    if (verdict && plan->unique) {
        verdict = writ_schema_is_unique(array, &check->steps);
        if (WRIT_UNLIKELY(check->steps < 0))
            verdict = stop(check, CHECK_STEPS_SPENT);
    }
    return leave(check, verdict);
}

/* ---- branches ---- */

/* The only branch that can hold, or NULL when none can. */
static const struct schema_instruction *pick_branch(const struct schema_branches_plan *plan,
                                                    const struct writ_json *object)
{
    const struct schema_discriminator *discriminator = plan->discriminator;
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        if (!schema_name_is(&discriminator->member, key))
            continue;
        if (key[1].kind != WRIT_JSON_STRING)
            return NULL;
        uint32_t index = schema_names_find(&discriminator->values, key + 1);
        return index == UINT32_MAX ? NULL : &plan->branches[discriminator->branches[index]];
    }
    return NULL;
}

static bool check_branches(struct check *check, const struct schema_instruction *instruction,
                           const struct writ_json *node)
{
    const struct schema_branches_plan *plan = instruction->plan;
    bool collect = instruction->flags & INSTRUCTION_COLLECT, one = instruction->op == OP_ONE;
    if (plan->discriminator && node->kind == WRIT_JSON_OBJECT) {
        const struct schema_instruction *branch = pick_branch(plan, node);
        return branch && check_value(check, branch, node);
    }
    uint32_t held = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (!try_branch(check, &plan->branches[i], node, collect)) {
            if (WRIT_UNLIKELY(check->steps < 0))
                return stop(check, CHECK_STEPS_SPENT);
            continue;
        }
        held++;
        if (one ? held > 1 : !collect)
            return !one;
    }
    return one ? held == 1 : held > 0;
}

static bool check_if(struct check *check, const struct schema_instruction *instruction, const struct writ_json *node)
{
    const struct schema_if_plan *plan = instruction->plan;
    bool holds = try_branch(check, &plan->condition, node, instruction->flags & INSTRUCTION_COLLECT);
    if (WRIT_UNLIKELY(check->steps < 0))
        return stop(check, CHECK_STEPS_SPENT);
    return check_value(check, holds ? &plan->then : &plan->otherwise, node);
}

static bool check_dependent(struct check *check, const struct schema_dependent_plan *plan, const struct writ_json *node)
{
    if (node->kind != WRIT_JSON_OBJECT)
        return true;
    check->steps -= node->length;
    return !has_member(node, &plan->member) || check_value(check, &plan->check, node);
}

/* ---- unevaluated* ---- */

static bool check_unmarked(struct check *check, const struct schema_scope_plan *plan, const struct writ_json *node,
                           const uint64_t *marks)
{
    uint32_t at = 0;
    bool object = node->kind == WRIT_JSON_OBJECT;
    for (const struct writ_json *child = node + 1, *end = node + node->skip; child < end; at++) {
        const struct writ_json *value = object ? child + 1 : child;
        if (!(marks[at / 64] >> (at % 64) & 1) && !check_value(check, object ? &plan->properties : &plan->items, value))
            return false;
        child = writ_json_next(value);
    }
    return true;
}

static bool check_scope(struct check *check, const struct schema_instruction *instruction, const struct writ_json *node)
{
    const struct schema_scope_plan *plan = instruction->plan;
    bool asked =
        (node->kind == WRIT_JSON_OBJECT && plan->has_properties) || (node->kind == WRIT_JSON_ARRAY && plan->has_items);
    struct check_marks outer = check->marks;
    uint32_t space = check->mark_space_used;
    if (!asked) {
        /* The outer scope, if any, still wants to know what the inner unit evaluates. */
        if (!(instruction->flags & INSTRUCTION_COLLECT))
            check->marks = (struct check_marks){0};
        bool verdict = check_value(check, &plan->inner, node);
        check->marks = outer;
        return verdict;
    }
    uint32_t words = node->length / 64 + 1;
    if (words > CHECK_MARK_WORDS_MAX - space)
        return stop(check, CHECK_TOO_MANY_MARKS);
    uint64_t *marks = check->mark_space + space;
    memset(marks, 0, words * sizeof(*marks));
    check->mark_space_used += words;
    check->marks = (struct check_marks){marks, words};
    check->steps -= node->length;
    bool verdict = check_value(check, &plan->inner, node);
    if (verdict) {
        check->marks = (struct check_marks){0};
        verdict = check_unmarked(check, plan, node, marks);
    }
    check->marks = outer;
    check->mark_space_used = space;
    if (verdict && (instruction->flags & INSTRUCTION_COLLECT))
        mark_all(check);
    return verdict;
}

/* ---- the rest ---- */

static bool is_listed(struct check *check, const struct schema_values_plan *plan, const struct writ_json *node)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        if (writ_schema_equal(node, plan->values[i], &check->steps))
            return true;
        if (WRIT_UNLIKELY(check->steps < 0))
            return stop(check, CHECK_STEPS_SPENT);
    }
    return false;
}

static bool run_unit(struct check *check, const struct schema_instruction *at, const struct writ_json *node)
{
    for (; at->op != OP_END; at++) {
        if (!check_value(check, at, node))
            return false;
    }
    return true;
}

static bool check_not(struct check *check, const struct schema_instruction *inner, const struct writ_json *node)
{
    struct check_marks marks = check->marks;
    check->marks = (struct check_marks){0};
    bool holds = check_value(check, inner, node);
    check->marks = marks;
    /* A check that was stopped has found nothing out. */
    return !holds && check->steps >= 0;
}

static bool run_branching(struct check *check, const struct schema_instruction *instruction,
                          const struct writ_json *node)
{
    switch (instruction->op) {
    case OP_CALL:
        return run_unit(check, check->program->code + instruction->number, node);
    case OP_ANY:
    case OP_ONE:
        return check_branches(check, instruction, node);
    case OP_NOT:
        return check_not(check, instruction->plan, node);
    case OP_IF:
        return check_if(check, instruction, node);
    case OP_DEPENDENT:
        return check_dependent(check, instruction->plan, node);
    case OP_SCOPE:
        return check_scope(check, instruction, node);
    case OP_VALUE_IN:
        return is_listed(check, instruction->plan, node);
    default:
        return false;
    }
}

static bool is_of_format(struct check *check, uint32_t format, const struct writ_json *string)
{
    check->steps -= writ_schema_format_steps(format, string->length);
    return check->steps >= 0 ? writ_schema_format_holds(format, string->text, string->length)
                             : stop(check, CHECK_STEPS_SPENT);
}

static __attribute__((noinline)) bool run_instruction(struct check *check, const struct schema_instruction *instruction,
                                                      const struct writ_json *node)
{
    bool taken = instruction->kinds >> node->kind & 1;
    if (instruction->op == OP_HAS)
        return node->kind == WRIT_JSON_OBJECT ? has_members(check, instruction->plan, node) : taken;
    if (instruction->op == OP_FORMAT)
        return node->kind == WRIT_JSON_STRING ? is_of_format(check, instruction->number, node) : taken;
    return taken && enter(check, 1) && leave(check, run_branching(check, instruction, node));
}

/* ---- outermost ---- */

int64_t writ_schema_steps(const struct writ_json *instance)
{
    uint64_t nodes = writ_json_is_container(instance) ? instance->skip : 1;
    return CHECK_STEPS_MIN + (int64_t)nodes * CHECK_STEPS_PER_NODE;
}

static __attribute__((noinline)) bool run_with_marks(struct check *check, const struct writ_json *instance)
{
    __attribute__((uninitialized)) uint64_t space[CHECK_MARK_WORDS_MAX];
    check->mark_space = space;
    bool verdict = check_value(check, &check->program->root, instance);
    check->mark_space = NULL;
    return verdict;
}

bool writ_schema_run(struct check *check, const struct writ_json *instance)
{
    bool verdict = check->program->has_scopes ? run_with_marks(check, instance)
                                              : check_value(check, &check->program->root, instance);
    return verdict && check->stop == CHECK_GOES_ON;
}

bool writ_schema_check(const struct writ_schema *schema, const struct writ_json *instance)
{
    struct check check = {.program = &schema->program, .steps = writ_schema_steps(instance)};
    return writ_schema_run(&check, instance);
}
