/* Faults of the keywords that look at one value alone. */
#include "data/schema_equal.h"
#include "data/schema_explain.h"
#include "data/schema_format.h"

static void explain_type(struct frame *frame, const struct schema_keyword *keyword)
{
    struct schema_types types = writ_schema_types(keyword->key + 1);
    const struct writ_json *node = frame->node;
    if (!(types.kinds >> node->kind & 1) ||
        (types.integral_only && writ_json_is_number(node) && !writ_json_is_integral(node)))
        writ_schema_report(frame, (struct fault){.keyword = keyword});
}

static void explain_listed(struct frame *frame, const struct schema_keyword *keyword)
{
    bool list = keyword->id == KEYWORD_ENUM;
    const struct writ_json *value = list ? keyword->key + 2 : keyword->key + 1;
    uint32_t count = list ? keyword->key[1].length : 1;
    for (uint32_t i = 0; i < count; i++, value = writ_json_next(value)) {
        if (writ_schema_equal(frame->node, value, &frame->explainer->steps))
            return;
    }
    writ_schema_report(frame, (struct fault){.keyword = keyword});
}

static void explain_number(struct frame *frame, const struct schema_keyword *keyword)
{
    const struct writ_json *limit = keyword->key + 1;
    struct schema_number_bound bound = {
        limit, keyword->id == KEYWORD_EXCLUSIVE_MAXIMUM || keyword->id == KEYWORD_EXCLUSIVE_MINIMUM,
        keyword->id == KEYWORD_MINIMUM || keyword->id == KEYWORD_EXCLUSIVE_MINIMUM};
    struct schema_number_plan plan = {0};
    if (keyword->id == KEYWORD_MULTIPLE_OF) {
        plan.divisors = &limit;
        plan.divisor_count = 1;
    } else {
        plan.bounds = &bound;
        plan.bound_count = 1;
    }
    frame->explainer->steps -= writ_schema_number_steps(&plan) + frame->node->length / 16;
    if (!writ_schema_number_holds(&plan, frame->node))
        writ_schema_report(frame, (struct fault){.keyword = keyword});
}

static void explain_length(struct frame *frame, const struct schema_keyword *keyword)
{
    uint32_t length = writ_schema_characters(frame->node), limit = writ_schema_count(keyword->key + 1);
    frame->explainer->steps -= frame->node->length / 64;
    if (keyword->id == KEYWORD_MAX_LENGTH ? length > limit : length < limit)
        writ_schema_report(frame, (struct fault){.keyword = keyword, .number = length});
}

static void explain_pattern(struct frame *frame, const struct schema_keyword *keyword)
{
    const struct writ_pattern *pattern = schema_pattern(frame->explainer->graph, keyword, 0);
    enum writ_pattern_verdict verdict =
        writ_pattern_search_counted(pattern, frame->node->text, frame->node->length, &frame->explainer->steps);
    frame->explainer->steps--;
    if (verdict != WRIT_PATTERN_FOUND)
        writ_schema_report(frame,
                           (struct fault){.keyword = keyword,
                                          .note = verdict == WRIT_PATTERN_TOO_COSTLY ? NOTE_TOO_COSTLY : NOTE_NONE});
}

static void explain_format(struct frame *frame, const struct schema_keyword *keyword)
{
    const struct schema_graph *graph = frame->explainer->graph;
    if (!graph->resources.items[graph->subschemas.items[frame->subschema].resource].assert_format)
        return;
    uint32_t format = writ_schema_format_find(keyword->key[1].text);
    if (format == SCHEMA_FORMAT_NONE)
        return;
    frame->explainer->steps -= writ_schema_format_steps(format, frame->node->length);
    if (!writ_schema_format_holds(format, frame->node->text, frame->node->length))
        writ_schema_report(frame, (struct fault){.keyword = keyword, .number = format});
}

void writ_schema_explain_assertion(struct frame *frame, const struct schema_keyword *keyword)
{
    bool string = frame->node->kind == WRIT_JSON_STRING, number = writ_json_is_number(frame->node);
    switch (keyword->id) {
    case KEYWORD_TYPE:
        explain_type(frame, keyword);
        return;
    case KEYWORD_CONST:
    case KEYWORD_ENUM:
        explain_listed(frame, keyword);
        return;
    case KEYWORD_MULTIPLE_OF:
    case KEYWORD_MAXIMUM:
    case KEYWORD_EXCLUSIVE_MAXIMUM:
    case KEYWORD_MINIMUM:
    case KEYWORD_EXCLUSIVE_MINIMUM:
        if (number)
            explain_number(frame, keyword);
        return;
    case KEYWORD_MAX_LENGTH:
    case KEYWORD_MIN_LENGTH:
        if (string)
            explain_length(frame, keyword);
        return;
    case KEYWORD_PATTERN:
        if (string)
            explain_pattern(frame, keyword);
        return;
    case KEYWORD_FORMAT:
        if (string)
            explain_format(frame, keyword);
        return;
    default:
        return; /* says nothing about instances */
    }
}
