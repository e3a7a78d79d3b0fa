/*
 * Faults of anyOf, oneOf, not and if.
 *
 * When no branch of anyOf or oneOf holds, the faults of all of them would bury the one that matters.  What is reported
 * instead: all want another type: one sentence with the types; all want another value of the same member: one sentence
 * with the values; otherwise the faults of the branch that came nearest, which is the one that objects least to what
 * kind of thing the value is (its type, its constant members), then the one with the fewest faults.
 */
#include "data/schema_explain.h"

struct trial {
    uint32_t first, count; /* of its faults in the list */
    uint32_t distance;
    bool held;
};

#define DISTANCE_TYPE 10000u
#define DISTANCE_VALUE 1000u
#define DISTANCE_MISSING 3u
#define DISTANCE_FORBIDDEN 2u

static bool is_value_keyword(const struct fault *fault)
{
    return fault->keyword && (fault->keyword->id == KEYWORD_CONST || fault->keyword->id == KEYWORD_ENUM);
}

static bool is_type_of(const struct fault *fault, const struct writ_json *node)
{
    return fault->node == node && fault->keyword && (fault->keyword->id == KEYWORD_TYPE || (fault->note == NOTE_TYPES));
}

static bool is_own_member(const struct writ_json *object, const struct writ_json *value)
{
    if (object->kind != WRIT_JSON_OBJECT || value <= object || value >= object + object->skip)
        return false;
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        if (key + 1 == value)
            return true;
    }
    return false;
}

static uint32_t distance_of(const struct frame *frame, const struct trial *trial)
{
    const struct fault *faults = frame->explainer->faults.items + trial->first;
    uint32_t distance = 0;
    for (uint32_t i = 0; i < trial->count && distance < UINT32_MAX / 2; i++) {
        const struct fault *fault = &faults[i];
        if (is_type_of(fault, frame->node))
            distance += DISTANCE_TYPE;
        else if (is_value_keyword(fault) && is_own_member(frame->node, fault->node))
            distance += DISTANCE_VALUE;
        else if (fault->keyword && fault->keyword->id == KEYWORD_REQUIRED)
            distance += DISTANCE_MISSING;
        else if (fault->note == NOTE_FORBIDDEN)
            distance += DISTANCE_FORBIDDEN;
        else
            distance++;
    }
    return distance;
}

/* Every branch objects to the type: the kinds that would have been right. */
static bool find_types(const struct frame *frame, const struct trial *trials, uint32_t count, struct fault *fault)
{
    uint32_t kinds = 0, others = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < trials[i].count && !found; k++) {
            const struct fault *at = &frame->explainer->faults.items[trials[i].first + k];
            if (!is_type_of(at, frame->node))
                continue;
            found = true;
            if (at->note == NOTE_TYPES) {
                kinds |= at->number;
                others |= at->other;
            } else {
                struct schema_types types = writ_schema_types(at->keyword->key + 1);
                uint32_t numbers = types.kinds & KINDS_NUMBER;
                kinds |= types.kinds & ~(types.integral_only ? (uint32_t)KINDS_NUMBER : 0u);
                others |= types.integral_only ? numbers : 0;
            }
        }
        if (!found)
            return false;
    }
    *fault = (struct fault){.note = NOTE_TYPES, .number = kinds, .other = others};
    return true;
}

/* The fault about a value of the node itself or of a member that two branches share. */
static const struct fault *find_value_fault(const struct frame *frame, const struct trial *trial,
                                            const struct writ_json *node)
{
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct fault *fault = &frame->explainer->faults.items[trial->first + i];
        if (is_value_keyword(fault) && !fault->of_name &&
            (node ? fault->node == node : fault->node == frame->node || is_own_member(frame->node, fault->node)))
            return fault;
    }
    return NULL;
}

/* Every branch wants another value of the same thing. */
static bool find_values(struct frame *frame, const struct trial *trials, uint32_t count, struct fault *fault)
{
    const struct fault *first = find_value_fault(frame, &trials[0], NULL);
    if (!first)
        return false;
    const struct schema_keyword **lists = writ_arena_zalloc(&frame->explainer->room, count, sizeof(*lists));
    for (uint32_t i = 0; i < count && lists; i++) {
        const struct fault *other = find_value_fault(frame, &trials[i], first->node);
        if (!other)
            return false;
        lists[i] = other->keyword;
    }
    if (!lists)
        return false;
    *fault = (struct fault){.node = first->node, .note = NOTE_VALUES, .number = count, .lists = lists};
    return true;
}

/* Puts the faults of one trial in the place of all of them, after a sentence that tells so unless the choice is clear.
 */
static void keep_nearest(struct frame *frame, const struct schema_keyword *keyword, const struct trial *trials,
                         uint32_t count, uint32_t start)
{
    struct explainer *explainer = frame->explainer;
    uint32_t nearest = 0, near = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (trials[i].distance < trials[nearest].distance)
            nearest = i;
    }
    for (uint32_t i = 0; i < count; i++)
        near += trials[i].distance / DISTANCE_VALUE == trials[nearest].distance / DISTANCE_VALUE;
    uint32_t kept = trials[nearest].count;
    struct fault *copies = writ_arena_zalloc(&explainer->room, kept, sizeof(*copies));
    if (!copies) {
        explainer->memory_failed = explainer->stopped = true;
        return;
    }
    if (kept)
        memcpy(copies, explainer->faults.items + trials[nearest].first, kept * sizeof(*copies));
    explainer->faults.count = start;
    /* One branch alone accepts what the value is: then it was meant. */
    bool meant = near == 1 && trials[nearest].distance < DISTANCE_VALUE && kept > 0;
    if (!meant)
        writ_schema_report(frame, (struct fault){.keyword = keyword, .number = nearest, .note = NOTE_NEAREST});
    for (uint32_t i = 0; i < kept; i++) {
        struct fault *slot = SCHEMA_PUSH(&explainer->room, &explainer->faults);
        if (!slot) {
            explainer->memory_failed = explainer->stopped = true;
            return;
        }
        *slot = copies[i];
    }
}

static void report_none(struct frame *frame, const struct schema_keyword *keyword, struct trial *trials, uint32_t count,
                        uint32_t start)
{
    struct fault fault;
    frame->valid = false;
    frame->in_place_failed = true;
    for (uint32_t i = 0; i < count; i++)
        trials[i].distance = distance_of(frame, &trials[i]);
    if (find_types(frame, trials, count, &fault) || find_values(frame, trials, count, &fault)) {
        frame->explainer->faults.count = start;
        fault.keyword = keyword;
        writ_schema_report(frame, fault);
        return;
    }
    keep_nearest(frame, keyword, trials, count, start);
}

static void explain_alternatives(struct frame *frame, const struct schema_keyword *keyword)
{
    struct explainer *explainer = frame->explainer;
    uint32_t start = (uint32_t)explainer->faults.count, held = 0, first_held = 0, last_held = 0;
    struct trial *trials = writ_arena_zalloc(&explainer->room, keyword->child_count, sizeof(*trials));
    if (!trials) {
        explainer->memory_failed = explainer->stopped = true;
        return;
    }
    for (uint32_t i = 0; i < keyword->child_count && !explainer->stopped; i++) {
        trials[i].first = (uint32_t)explainer->faults.count;
        trials[i].held = writ_schema_apply_in_place(frame, keyword, i);
        trials[i].count = (uint32_t)explainer->faults.count - trials[i].first;
        if (!trials[i].held)
            continue;
        if (held++ == 0)
            first_held = i;
        last_held = i;
    }
    if (explainer->stopped) {
        frame->valid = false;
        return;
    }
    if (held == 0) {
        report_none(frame, keyword, trials, keyword->child_count, start);
        return;
    }
    explainer->faults.count = start;
    if (keyword->id == KEYWORD_ONE_OF && held > 1) {
        frame->in_place_failed = true;
        writ_schema_report(
            frame, (struct fault){.keyword = keyword, .number = first_held, .other = last_held, .note = NOTE_SEVERAL});
    }
}

static void explain_not(struct frame *frame, const struct schema_keyword *keyword)
{
    struct explainer *explainer = frame->explainer;
    size_t start = explainer->faults.count;
    uint64_t *marks = frame->marks;
    frame->marks = NULL; /* what lies under `not` evaluates nothing */
    bool held = writ_schema_apply_in_place(frame, keyword, 0);
    frame->marks = marks;
    explainer->faults.count = start;
    if (held)
        writ_schema_report(frame, (struct fault){.keyword = keyword});
}

static void explain_if(struct frame *frame, const struct schema_keyword *keyword)
{
    size_t start = frame->explainer->faults.count;
    bool held = writ_schema_apply_in_place(frame, keyword, 0);
    frame->explainer->faults.count = start;
    const struct schema_keyword *then = frame_keyword(frame, held ? KEYWORD_THEN : KEYWORD_ELSE);
    if (then && !writ_schema_apply_in_place(frame, then, 0)) {
        frame->valid = false;
        frame->in_place_failed = true;
    }
}

void writ_schema_explain_branches(struct frame *frame, const struct schema_keyword *keyword)
{
    if (keyword->id == KEYWORD_NOT)
        explain_not(frame, keyword);
    else if (keyword->id == KEYWORD_IF)
        explain_if(frame, keyword);
    else
        explain_alternatives(frame, keyword);
}
