/* Faults of the keywords about objects and arrays. */
#include "data/schema_equal.h"
#include "data/schema_explain.h"

static const struct writ_json *member_of(const struct frame *frame, const struct writ_json *name)
{
    frame->explainer->steps -= frame->node->length / 8;
    return writ_json_get_sized(frame->node, name->text, name->length);
}

static bool matches(struct frame *frame, const struct schema_keyword *patterns, uint32_t i, const struct writ_json *key)
{
    const struct writ_pattern *pattern = schema_pattern(frame->explainer->graph, patterns, i);
    enum writ_pattern_verdict verdict =
        writ_pattern_search_counted(pattern, key->text, key->length, &frame->explainer->steps);
    frame->explainer->steps--;
    if (verdict == WRIT_PATTERN_TOO_COSTLY)
        writ_schema_report(frame, (struct fault){.keyword = patterns, .node = key + 1, .note = NOTE_TOO_COSTLY});
    return verdict == WRIT_PATTERN_FOUND;
}

/* A member whose schema is simply false is reported as not allowed, at the keyword that says so. */
static void apply_member(struct frame *frame, const struct schema_keyword *keyword, uint32_t i,
                         const struct writ_json *key)
{
    if (is_false_child(frame, keyword, i))
        writ_schema_report(
            frame,
            (struct fault){.keyword = keyword, .node = key + 1, .detail = key, .number = i, .note = NOTE_FORBIDDEN});
    else
        (void)writ_schema_apply_child(frame, keyword, i, key + 1);
}

static void explain_properties(struct frame *frame, const struct schema_keyword *keyword)
{
    uint32_t at = 0;
    WRIT_JSON_EACH_MEMBER(key, frame->node)
    {
        uint32_t i = 0;
        WRIT_JSON_EACH_MEMBER(name, keyword->key + 1)
        {
            if ((name->tag & WRIT_JSON_TAG_MASK) == (key->tag & WRIT_JSON_TAG_MASK) &&
                memcmp(name->text, key->text, key->length) == 0) {
                apply_member(frame, keyword, i, key);
                frame_mark(frame, at);
                break;
            }
            i++;
        }
        frame->explainer->steps -= keyword->child_count / 8;
        at++;
    }
}

static void explain_pattern_properties(struct frame *frame, const struct schema_keyword *keyword)
{
    uint32_t at = 0;
    WRIT_JSON_EACH_MEMBER(key, frame->node)
    {
        for (uint32_t i = 0; i < keyword->child_count; i++) {
            if (!matches(frame, keyword, i, key))
                continue;
            apply_member(frame, keyword, i, key);
            frame_mark(frame, at);
        }
        at++;
    }
}

static void explain_additional(struct frame *frame, const struct schema_keyword *keyword)
{
    const struct schema_keyword *properties = frame_keyword(frame, KEYWORD_PROPERTIES);
    const struct schema_keyword *patterns = frame_keyword(frame, KEYWORD_PATTERN_PROPERTIES);
    uint32_t at = 0;
    WRIT_JSON_EACH_MEMBER(key, frame->node)
    {
        bool known = properties && writ_json_get_sized(properties->key + 1, key->text, key->length);
        for (uint32_t i = 0; patterns && i < patterns->child_count && !known; i++)
            known = matches(frame, patterns, i, key);
        frame->explainer->steps -= properties ? properties->child_count / 8 : 0;
        if (!known) {
            apply_member(frame, keyword, 0, key);
            frame_mark(frame, at);
        }
        at++;
    }
}

static void explain_unevaluated(struct frame *frame, const struct schema_keyword *keyword)
{
    bool object = frame->node->kind == WRIT_JSON_OBJECT;
    uint32_t at = 0;
    for (const struct writ_json *child = frame->node + 1, *end = frame->node + frame->node->skip; child < end; at++) {
        const struct writ_json *value = object ? child + 1 : child;
        if (frame->marks && !frame_is_marked(frame, at)) {
            if (object)
                apply_member(frame, keyword, 0, child);
            else if (is_false_child(frame, keyword, 0))
                writ_schema_report(
                    frame, (struct fault){.keyword = keyword, .node = value, .number = at, .note = NOTE_FORBIDDEN});
            else
                (void)writ_schema_apply_child(frame, keyword, 0, value);
            frame_mark(frame, at);
        }
        child = writ_json_next(value);
    }
}

static void explain_dependent_schemas(struct frame *frame, const struct schema_keyword *keyword)
{
    uint32_t i = 0;
    WRIT_JSON_EACH_MEMBER(name, keyword->key + 1)
    {
        if (member_of(frame, name) && !writ_schema_apply_in_place(frame, keyword, i)) {
            frame->valid = false;
            frame->in_place_failed = true;
        }
        i++;
    }
}

static void explain_property_names(struct frame *frame, const struct schema_keyword *keyword)
{
    frame->explainer->names++;
    WRIT_JSON_EACH_MEMBER(key, frame->node)
    {
        (void)writ_schema_apply_child(frame, keyword, 0, key);
    }
    frame->explainer->names--;
}

static void explain_required(struct frame *frame, const struct schema_keyword *keyword)
{
    WRIT_JSON_EACH_ITEM(name, keyword->key + 1)
    {
        if (!member_of(frame, name))
            writ_schema_report(frame, (struct fault){.keyword = keyword, .detail = name});
    }
}

static void explain_dependent_required(struct frame *frame, const struct schema_keyword *keyword)
{
    WRIT_JSON_EACH_MEMBER(name, keyword->key + 1)
    {
        if (!member_of(frame, name))
            continue;
        uint32_t at = 0;
        WRIT_JSON_EACH_ITEM(needed, name + 1)
        {
            if (!member_of(frame, needed))
                writ_schema_report(frame, (struct fault){.keyword = keyword, .detail = name, .number = at});
            at++;
        }
    }
}

void writ_schema_explain_object(struct frame *frame, const struct schema_keyword *keyword)
{
    uint32_t length = frame->node->length, limit;
    frame->explainer->steps -= length;
    switch (keyword->id) {
    case KEYWORD_PROPERTIES:
        explain_properties(frame, keyword);
        return;
    case KEYWORD_PATTERN_PROPERTIES:
        explain_pattern_properties(frame, keyword);
        return;
    case KEYWORD_ADDITIONAL_PROPERTIES:
        explain_additional(frame, keyword);
        return;
    case KEYWORD_UNEVALUATED_PROPERTIES:
        explain_unevaluated(frame, keyword);
        return;
    case KEYWORD_DEPENDENT_SCHEMAS:
        explain_dependent_schemas(frame, keyword);
        return;
    case KEYWORD_PROPERTY_NAMES:
        explain_property_names(frame, keyword);
        return;
    case KEYWORD_REQUIRED:
        explain_required(frame, keyword);
        return;
    case KEYWORD_DEPENDENT_REQUIRED:
        explain_dependent_required(frame, keyword);
        return;
    default:
        limit = writ_schema_count(keyword->key + 1);
        if (keyword->id == KEYWORD_MAX_PROPERTIES ? length > limit : length < limit)
            writ_schema_report(frame, (struct fault){.keyword = keyword});
        return;
    }
}

/* ---- arrays ---- */

static void explain_items(struct frame *frame, const struct schema_keyword *keyword)
{
    const struct schema_keyword *prefix = frame_keyword(frame, KEYWORD_PREFIX_ITEMS);
    bool is_prefix = keyword->id == KEYWORD_PREFIX_ITEMS;
    uint32_t first = is_prefix || !prefix ? 0 : prefix->child_count, at = 0;
    WRIT_JSON_EACH_ITEM(item, frame->node)
    {
        uint32_t i = is_prefix ? at : 0;
        if (at >= first && i < keyword->child_count) {
            if (is_false_child(frame, keyword, i))
                writ_schema_report(
                    frame, (struct fault){.keyword = keyword, .node = item, .number = at, .note = NOTE_FORBIDDEN});
            else
                (void)writ_schema_apply_child(frame, keyword, i, item);
            frame_mark(frame, at);
        }
        at++;
    }
}

static void explain_contains(struct frame *frame, const struct schema_keyword *keyword)
{
    const struct schema_keyword *min = frame_keyword(frame, KEYWORD_MIN_CONTAINS);
    const struct schema_keyword *max = frame_keyword(frame, KEYWORD_MAX_CONTAINS);
    uint32_t least = min ? writ_schema_count(min->key + 1) : 1;
    uint32_t most = max ? writ_schema_count(max->key + 1) : UINT32_MAX;
    uint32_t held = 0, at = 0;
    bool valid = frame->valid;
    WRIT_JSON_EACH_ITEM(item, frame->node)
    {
        /* Items that do not hold are no faults. */
        size_t before = frame->explainer->faults.count;
        if (writ_schema_apply_child(frame, keyword, 0, item)) {
            held++;
            frame_mark(frame, at);
        }
        frame->explainer->faults.count = before;
        at++;
    }
    frame->valid = valid;
    if (held < least)
        writ_schema_report(frame, (struct fault){.keyword = keyword, .number = held, .other = least});
    else if (held > most)
        writ_schema_report(frame, (struct fault){.keyword = max, .number = held, .other = most, .note = NOTE_TOO_MANY});
}

/* The first two items that are equal. */
static void explain_unique(struct frame *frame, const struct schema_keyword *keyword)
{
    if (keyword->key[1].kind != WRIT_JSON_TRUE || writ_schema_is_unique(frame->node, &frame->explainer->steps))
        return;
    uint32_t at = 0;
    WRIT_JSON_EACH_ITEM(item, frame->node)
    {
        uint32_t earlier = 0;
        for (const struct writ_json *other = frame->node + 1; other < item; other = writ_json_next(other), earlier++) {
            if (writ_schema_equal(item, other, &frame->explainer->steps)) {
                writ_schema_report(frame, (struct fault){.keyword = keyword, .number = earlier, .other = at});
                return;
            }
            if (frame->explainer->steps < 0) {
                frame->explainer->stopped = true;
                return;
            }
        }
        at++;
    }
}

void writ_schema_explain_array(struct frame *frame, const struct schema_keyword *keyword)
{
    uint32_t length = frame->node->length, limit;
    frame->explainer->steps -= length;
    switch (keyword->id) {
    case KEYWORD_PREFIX_ITEMS:
    case KEYWORD_ITEMS:
        explain_items(frame, keyword);
        return;
    case KEYWORD_CONTAINS:
        explain_contains(frame, keyword);
        return;
    case KEYWORD_UNIQUE_ITEMS:
        explain_unique(frame, keyword);
        return;
    case KEYWORD_UNEVALUATED_ITEMS:
        explain_unevaluated(frame, keyword);
        return;
    default:
        limit = writ_schema_count(keyword->key + 1);
        if (keyword->id == KEYWORD_MAX_ITEMS ? length > limit : length < limit)
            writ_schema_report(frame, (struct fault){.keyword = keyword});
        return;
    }
}
