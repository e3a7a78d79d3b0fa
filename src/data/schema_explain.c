#include "data/schema_explain.h"

#define ROOM_BYTES_MAX ((size_t)128 << 20)
#define FAULTS_DEFAULT 100

/* ---- frames ---- */

void writ_schema_report(struct frame *frame, struct fault fault)
{
    struct explainer *explainer = frame->explainer;
    frame->valid = false;
    if (explainer->faults.count >= FAULTS_HELD_MAX) {
        explainer->full = explainer->stopped = true;
        return;
    }
    struct fault *slot = SCHEMA_PUSH(&explainer->room, &explainer->faults);
    if (!slot) {
        explainer->memory_failed = explainer->stopped = true;
        return;
    }
    fault.subschema = frame->subschema;
    fault.of_name = explainer->names > 0;
    if (!fault.node)
        fault.node = frame->node;
    *slot = fault;
}

static uint64_t *new_marks(struct explainer *explainer, const struct writ_json *node)
{
    if (!explainer->wants_marks || !writ_json_is_container(node))
        return NULL;
    uint64_t *marks = writ_arena_zalloc(&explainer->room, (size_t)schema_mark_words(node) * 2, sizeof(*marks));
    if (!marks)
        explainer->memory_failed = explainer->stopped = true;
    return marks;
}

/* What a dynamic reference means here: the outermost resource in scope that has the anchor decides. */
static uint32_t bind(const struct explainer *explainer, const struct explain_scope *scope,
                     const struct schema_keyword *keyword, uint32_t i)
{
    uint32_t target = schema_child(explainer->graph, keyword, i);
    if (keyword->dynamic_name == SCHEMA_NONE)
        return target;
    for (; scope; scope = scope->outer) {
        uint32_t bound = writ_schema_dynamic_anchor(explainer->graph, scope->resource, keyword->dynamic_name);
        if (bound != SCHEMA_NONE)
            target = bound;
    }
    return target;
}

bool writ_schema_apply_child(struct frame *frame, const struct schema_keyword *keyword, uint32_t i,
                             const struct writ_json *child)
{
    uint32_t target = bind(frame->explainer, frame->scope, keyword, i);
    if (writ_schema_apply(frame->explainer, target, child, frame->scope, NULL))
        return true;
    frame->valid = false;
    return false;
}

bool writ_schema_apply_in_place(struct frame *frame, const struct schema_keyword *keyword, uint32_t i)
{
    uint32_t target = bind(frame->explainer, frame->scope, keyword, i);
    return writ_schema_apply(frame->explainer, target, frame->node, frame->scope, frame->marks);
}

static void apply_all(struct frame *frame, const struct schema_keyword *keyword)
{
    for (uint32_t i = 0; i < keyword->child_count; i++) {
        if (!writ_schema_apply_in_place(frame, keyword, i)) {
            frame->valid = false;
            frame->in_place_failed = true;
        }
    }
}

static void explain_keyword(struct frame *frame, const struct schema_keyword *keyword)
{
    switch (keyword->id) {
    case KEYWORD_REF:
    case KEYWORD_DYNAMIC_REF:
    case KEYWORD_ALL_OF:
        apply_all(frame, keyword);
        return;
    case KEYWORD_ANY_OF:
    case KEYWORD_ONE_OF:
    case KEYWORD_NOT:
    case KEYWORD_IF:
        writ_schema_explain_branches(frame, keyword);
        return;
    case KEYWORD_PREFIX_ITEMS:
    case KEYWORD_ITEMS:
    case KEYWORD_CONTAINS:
    case KEYWORD_MAX_ITEMS:
    case KEYWORD_MIN_ITEMS:
    case KEYWORD_UNIQUE_ITEMS:
    case KEYWORD_UNEVALUATED_ITEMS:
        if (frame->node->kind == WRIT_JSON_ARRAY)
            writ_schema_explain_array(frame, keyword);
        return;
    case KEYWORD_PROPERTIES:
    case KEYWORD_PATTERN_PROPERTIES:
    case KEYWORD_ADDITIONAL_PROPERTIES:
    case KEYWORD_DEPENDENT_SCHEMAS:
    case KEYWORD_PROPERTY_NAMES:
    case KEYWORD_MAX_PROPERTIES:
    case KEYWORD_MIN_PROPERTIES:
    case KEYWORD_REQUIRED:
    case KEYWORD_DEPENDENT_REQUIRED:
    case KEYWORD_UNEVALUATED_PROPERTIES:
        if (frame->node->kind == WRIT_JSON_OBJECT)
            writ_schema_explain_object(frame, keyword);
        return;
    default:
        writ_schema_explain_assertion(frame, keyword);
        return;
    }
}

static void explain_keywords(struct frame *frame, bool unevaluated)
{
    const struct schema_graph *graph = frame->explainer->graph;
    const struct subschema *at = &graph->subschemas.items[frame->subschema];
    for (uint32_t k = at->keyword_first; k < at->keyword_first + at->keyword_count; k++) {
        const struct schema_keyword *keyword = &graph->keywords.items[k];
        bool last = keyword->id == KEYWORD_UNEVALUATED_PROPERTIES || keyword->id == KEYWORD_UNEVALUATED_ITEMS;
        if (last == unevaluated && !frame->explainer->stopped)
            explain_keyword(frame, keyword);
    }
}

/* What holds has evaluated what it marked; what fails would have, had it held. */
static void add_marks(const struct frame *frame, uint64_t *marks)
{
    uint32_t words = schema_mark_words(frame->node);
    for (uint32_t i = 0; i < words; i++) {
        if (frame->valid)
            marks[i] |= frame->marks[i];
        else
            marks[words + i] |= frame->marks[i] | frame->marks[words + i];
    }
}

bool writ_schema_apply(struct explainer *explainer, uint32_t subschema, const struct writ_json *node,
                       const struct explain_scope *scope, uint64_t *marks)
{
    const struct subschema *at = &explainer->graph->subschemas.items[subschema];
    if (explainer->stopped || --explainer->steps < 0 || explainer->depth >= CHECK_DEPTH_MAX) {
        explainer->stopped = true;
        return false;
    }
    struct explain_scope entered = {.resource = at->resource, .outer = scope};
    struct frame frame = {.explainer = explainer,
                          .subschema = subschema,
                          .node = node,
                          .scope = scope && scope->resource == at->resource ? scope : &entered,
                          .marks = new_marks(explainer, node),
                          .valid = true};
    explainer->depth++;
    if (at->node->kind == WRIT_JSON_FALSE)
        writ_schema_report(&frame, (struct fault){0});
    explain_keywords(&frame, false);
    explain_keywords(&frame, true);
    explainer->depth--;
    if (marks && frame.marks)
        add_marks(&frame, marks);
    return frame.valid && !explainer->stopped;
}

/* ---- the report ---- */

static bool has_unevaluated(const struct schema_graph *graph)
{
    for (size_t i = 0; i < graph->keywords.count; i++) {
        if (graph->keywords.items[i].id == KEYWORD_UNEVALUATED_PROPERTIES ||
            graph->keywords.items[i].id == KEYWORD_UNEVALUATED_ITEMS)
            return true;
    }
    return false;
}

static int render(const struct explainer *explainer, size_t faults_max, const char *complexity,
                  struct writ_arena *arena, struct writ_schema_faults *ret_faults, struct writ_error *error)
{
    size_t count = explainer->faults.count < faults_max ? explainer->faults.count : faults_max;
    size_t total = count + (complexity ? 1 : 0);
    struct writ_schema_fault *items = writ_arena_zalloc(arena, total, sizeof(*items));
    if (!items)
        return writ_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (!writ_schema_render_fault(explainer, &explainer->faults.items[i], arena, &items[i]))
            return writ_error_memory(error);
    }
    if (complexity)
        items[count] = (struct writ_schema_fault){
            .instance_pointer = "", .schema_pointer = "", .keyword = "", .message = complexity};
    *ret_faults = (struct writ_schema_faults){items, total, explainer->faults.count > count || explainer->full};
    return 0;
}

static int find(const struct writ_schema *schema, const struct writ_json *instance, size_t faults_max,
                const char *complexity, struct writ_arena *arena, struct writ_schema_faults *ret_faults,
                struct writ_error *error)
{
    uint64_t nodes = writ_json_is_container(instance) ? instance->skip : 1;
    struct explainer explainer = {.graph = &schema->graph,
                                  .root = instance,
                                  .steps = EXPLAIN_STEPS_MIN + (int64_t)nodes * EXPLAIN_STEPS_PER_NODE,
                                  .wants_marks = has_unevaluated(&schema->graph)};
    writ_arena_init(&explainer.room, ROOM_BYTES_MAX);
    (void)writ_schema_apply(&explainer, 0, instance, NULL, NULL);
    if (explainer.stopped && !explainer.full && !complexity)
        complexity = "the document and the schema together are too complex: the search for faults was stopped";
    /* Running out of our own room is complexity; anything below is memory. */
    int result =
        explainer.memory_failed && explainer.room.used_bytes < ROOM_BYTES_MAX / 2
            ? writ_error_memory(error)
            : render(&explainer, faults_max ? faults_max : FAULTS_DEFAULT, complexity, arena, ret_faults, error);
    writ_arena_clear(&explainer.room);
    return result;
}

int writ_schema_find_faults(const struct writ_schema *schema, const struct writ_json *instance, size_t faults_max,
                            struct writ_arena *arena, struct writ_schema_faults *ret_faults, struct writ_error *error)
{
    return find(schema, instance, faults_max, NULL, arena, ret_faults, error);
}

static const char *complexity_of(enum check_stop stop)
{
    switch (stop) {
    case CHECK_STEPS_SPENT:
        return "the document and the schema together are too complex: the check was stopped after its limit of steps";
    case CHECK_TOO_DEEP:
        return "the schema applies more than 1024 schemas within each other here: the check was stopped";
    case CHECK_PATTERN_TOO_COSTLY:
        return "a pattern of the schema takes too long on a text of the document: the check was stopped";
    case CHECK_TOO_MANY_MARKS:
        return "an object or array is too large for unevaluatedProperties or unevaluatedItems here: the check was "
               "stopped";
    case CHECK_GOES_ON:
        break;
    }
    return NULL;
}

int writ_schema_explain(const struct writ_schema *schema, const struct writ_json *instance, size_t faults_max,
                        struct writ_arena *arena, struct writ_schema_faults *ret_faults, struct writ_error *error)
{
    struct check check = {.program = &schema->program, .steps = writ_schema_steps(instance)};
    if (writ_schema_run(&check, instance)) {
        *ret_faults = (struct writ_schema_faults){0};
        return 0;
    }
    return find(schema, instance, faults_max, complexity_of(check.stop), arena, ret_faults, error);
}
