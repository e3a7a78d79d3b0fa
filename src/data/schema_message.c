/* Sentences for faults: what is wrong and how to mend it. */
#include "data/schema_explain.h"

#include "base/text.h"
#include "data/json_pointer.h"
#include "data/schema_format.h"

#define MESSAGE_BYTES_MAX ((size_t)1 << 16)
#define VALUE_BYTES_SHOWN 80u
#define VALUES_SHOWN 12
#define NAMES_COMPARED_MAX 400

/* ---- parts of sentences ---- */

static void say_cut_text(struct writ_buffer *out, const char *text, size_t length)
{
    size_t shown = length;
    if (length > VALUE_BYTES_SHOWN) {
        shown = VALUE_BYTES_SHOWN;
        while (shown > 0 && ((uint8_t)text[shown] & 0xC0) == 0x80)
            shown--;
    }
    writ_json_print_string(out, text, shown);
    if (shown < length)
        writ_buffer_append_text(out, " (cut)");
}

static void say_count(struct writ_buffer *out, uint32_t count, const char *one, const char *many)
{
    writ_buffer_printf(out, "%u %s", count, count == 1 ? one : many);
}

/* A value as it would be named: `the string "a"`, `3`, `an object`. */
static void say_value(struct writ_buffer *out, const struct writ_json *value)
{
    switch ((enum writ_json_kind)value->kind) {
    case WRIT_JSON_STRING:
        say_cut_text(out, value->text, value->length);
        return;
    case WRIT_JSON_DECIMAL:
        if (value->length > VALUE_BYTES_SHOWN)
            writ_buffer_printf(out, "%.*s... (%u digits)", (int)VALUE_BYTES_SHOWN, value->text, value->length);
        else
            writ_json_print(out, value, WRIT_JSON_COMPACT);
        return;
    case WRIT_JSON_ARRAY:
        writ_buffer_append_text(out, "an array of ");
        say_count(out, value->length, "item", "items");
        return;
    case WRIT_JSON_OBJECT:
        writ_buffer_append_text(out, "an object of ");
        say_count(out, value->length, "property", "properties");
        return;
    default:
        writ_json_print(out, value, WRIT_JSON_COMPACT);
        return;
    }
}

static const char *kind_name(const struct writ_json *node)
{
    switch ((enum writ_json_kind)node->kind) {
    case WRIT_JSON_STRING:
        return "the string ";
    case WRIT_JSON_INTEGER:
    case WRIT_JSON_DECIMAL:
        return "the number ";
    default:
        return "";
    }
}

/* The kinds of a type list, joined: `a string, a number or null`; integers alone come as `integral`. */
static void say_kinds(struct writ_buffer *out, uint32_t kinds, uint32_t integral)
{
    struct {
        bool wanted;
        const char *name;
    } const parts[] = {
        {kinds & KIND_BIT(WRIT_JSON_STRING), "a string"},
        {kinds & KINDS_NUMBER, "a number"},
        {!(kinds & KINDS_NUMBER) && integral, "an integer"},
        {(kinds & KINDS_BOOLEAN) == KINDS_BOOLEAN, "true or false"},
        {kinds & KIND_BIT(WRIT_JSON_OBJECT), "an object"},
        {kinds & KIND_BIT(WRIT_JSON_ARRAY), "an array"},
        {kinds & KIND_BIT(WRIT_JSON_NULL), "null"},
    };
    size_t total = 0, said = 0;
    for (size_t i = 0; i < WRIT_COUNT(parts); i++)
        total += parts[i].wanted;
    for (size_t i = 0; i < WRIT_COUNT(parts); i++) {
        if (!parts[i].wanted)
            continue;
        writ_buffer_append_text(out, said == 0 ? "" : said + 1 == total ? " or " : ", ");
        writ_buffer_append_text(out, parts[i].name);
        said++;
    }
}

/* The first values of some const and enum keywords. */
static void say_listed(struct writ_buffer *out, const struct schema_keyword *const *lists, uint32_t count)
{
    uint32_t said = 0, total = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool list = lists[i]->id == KEYWORD_ENUM;
        const struct writ_json *value = list ? lists[i]->key + 2 : lists[i]->key + 1;
        uint32_t values = list ? lists[i]->key[1].length : 1;
        for (uint32_t k = 0; k < values; k++, value = writ_json_next(value), total++) {
            if (said == VALUES_SHOWN)
                continue;
            writ_buffer_append_text(out, said++ ? ", " : "");
            say_value(out, value);
        }
    }
    if (total > said)
        writ_buffer_printf(out, " or %u more", total - said);
}

static void say_but_is(struct writ_buffer *out, const struct writ_json *node)
{
    writ_buffer_append_text(out, ", but is ");
    writ_buffer_append_text(out, kind_name(node));
    say_value(out, node);
}

/* ---- nearest names ---- */

struct names {
    const char *items[NAMES_COMPARED_MAX];
    size_t count;
    unsigned visits;                /* subschemas looked at: a hint is not worth a long search */
    const struct writ_json *object; /* names that it already has are no suggestion */
};

static void add_property_names(struct names *names, const struct schema_keyword *properties)
{
    WRIT_JSON_EACH_MEMBER(key, properties->key + 1)
    {
        if (names->count < NAMES_COMPARED_MAX && !writ_json_get_sized(names->object, key->text, key->length))
            names->items[names->count++] = key->text;
    }
}

/* Names under `properties` of the subschema and of what it applies in place. */
static void gather_names(const struct explainer *explainer, uint32_t subschema, unsigned depth, struct names *names)
{
    const struct schema_graph *graph = explainer->graph;
    const struct subschema *at = &graph->subschemas.items[subschema];
    if (++names->visits > NAMES_COMPARED_MAX)
        return;
    for (uint32_t k = at->keyword_first; k < at->keyword_first + at->keyword_count; k++) {
        const struct schema_keyword *keyword = &graph->keywords.items[k];
        if (keyword->id == KEYWORD_PROPERTIES)
            add_property_names(names, keyword);
        bool in_place = keyword->id == KEYWORD_REF || keyword->id == KEYWORD_DYNAMIC_REF ||
                        keyword->id == KEYWORD_ALL_OF || keyword->id == KEYWORD_ANY_OF ||
                        keyword->id == KEYWORD_ONE_OF || keyword->id == KEYWORD_IF || keyword->id == KEYWORD_THEN ||
                        keyword->id == KEYWORD_ELSE;
        for (uint32_t i = 0; in_place && depth > 0 && i < keyword->child_count; i++)
            gather_names(explainer, schema_child(graph, keyword, i), depth - 1, names);
    }
}

/* For a name that is not allowed: one that is. */
static const char *nearest_allowed(const struct explainer *explainer, const struct fault *fault)
{
    /* The object that holds the member: found by its key, which is fault->detail. */
    struct names names = {.count = 0};
    const struct writ_json *object = explainer->root;
    for (const struct writ_json *at = explainer->root; at;) {
        /* Go down to the innermost container around the key. */
        const struct writ_json *inner = NULL;
        object = at;
        bool is_object = at->kind == WRIT_JSON_OBJECT;
        for (const struct writ_json *child = at + 1, *end = at + at->skip; child < end;) {
            const struct writ_json *value = is_object ? child + 1 : child;
            if (writ_json_is_container(value) && fault->detail > value && fault->detail < value + value->skip) {
                inner = value;
                break;
            }
            child = writ_json_next(value);
        }
        at = inner;
    }
    names.object = object;
    gather_names(explainer, fault->subschema, fault->keyword->id == KEYWORD_UNEVALUATED_PROPERTIES ? 3 : 0, &names);
    return names.count ? writ_nearest_name(fault->detail->text, names.items, names.count) : NULL;
}

/* For a name that is missing: one that the object has and that nobody asked for. */
static const char *nearest_present(const struct explainer *explainer, const struct fault *fault, const char *missing)
{
    const struct schema_keyword *properties = schema_keyword_of(explainer->graph, fault->subschema, KEYWORD_PROPERTIES);
    struct names names = {.count = 0};
    WRIT_JSON_EACH_MEMBER(key, fault->node)
    {
        bool known = properties && writ_json_get_sized(properties->key + 1, key->text, key->length);
        if (!known && names.count < NAMES_COMPARED_MAX)
            names.items[names.count++] = key->text;
    }
    return names.count ? writ_nearest_name(missing, names.items, names.count) : NULL;
}

/* For a string that is none of those listed: one that is. */
static const char *nearest_listed(const struct writ_json *node, const struct schema_keyword *const *lists,
                                  uint32_t count)
{
    struct names names = {.count = 0};
    if (node->kind != WRIT_JSON_STRING)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        bool list = lists[i]->id == KEYWORD_ENUM;
        const struct writ_json *value = list ? lists[i]->key + 2 : lists[i]->key + 1;
        uint32_t values = list ? lists[i]->key[1].length : 1;
        for (uint32_t k = 0; k < values; k++, value = writ_json_next(value)) {
            if (value->kind == WRIT_JSON_STRING && names.count < NAMES_COMPARED_MAX)
                names.items[names.count++] = value->text;
        }
    }
    return names.count ? writ_nearest_name(node->text, names.items, names.count) : NULL;
}

/* ---- sentences by keyword ---- */

static void say_limit(struct writ_buffer *out, const char *bound, const struct schema_keyword *keyword, const char *one,
                      const char *many, uint32_t found)
{
    const struct writ_json *limit = keyword->key + 1;
    writ_buffer_printf(out, "must have %s ", bound);
    say_value(out, limit);
    writ_buffer_printf(out, " %s, but has %u", writ_schema_count(limit) == 1 ? one : many, found);
}

static void say_number(struct writ_buffer *out, const struct fault *fault, const char *relation)
{
    writ_buffer_printf(out, "must be %s ", relation);
    say_value(out, fault->keyword->key + 1);
    writ_buffer_append_text(out, ", but is ");
    say_value(out, fault->node);
}

static void say_assertion(struct writ_buffer *out, const struct fault *fault)
{
    const struct schema_keyword *keyword = fault->keyword;
    switch (keyword->id) {
    case KEYWORD_TYPE: {
        struct schema_types types = writ_schema_types(keyword->key + 1);
        writ_buffer_append_text(out, "must be ");
        say_kinds(out, types.kinds & ~(types.integral_only ? (uint32_t)KINDS_NUMBER : 0u), types.integral_only);
        say_but_is(out, fault->node);
        return;
    }
    case KEYWORD_CONST:
    case KEYWORD_ENUM:
        writ_buffer_append_text(out, keyword->id == KEYWORD_ENUM && keyword->key[1].length != 1 ? "must be one of "
                                                                                                : "must be ");
        say_listed(out, &keyword, 1);
        say_but_is(out, fault->node);
        return;
    case KEYWORD_MULTIPLE_OF:
        say_number(out, fault, "a multiple of");
        return;
    case KEYWORD_MAXIMUM:
        say_number(out, fault, "at most");
        return;
    case KEYWORD_EXCLUSIVE_MAXIMUM:
        say_number(out, fault, "less than");
        return;
    case KEYWORD_MINIMUM:
        say_number(out, fault, "at least");
        return;
    case KEYWORD_EXCLUSIVE_MINIMUM:
        say_number(out, fault, "greater than");
        return;
    case KEYWORD_MAX_LENGTH:
        say_limit(out, "at most", keyword, "character", "characters", fault->number);
        return;
    case KEYWORD_MIN_LENGTH:
        say_limit(out, "at least", keyword, "character", "characters", fault->number);
        return;
    case KEYWORD_FORMAT:
        writ_buffer_printf(out, "must be %s", writ_schema_format_example(fault->number));
        say_but_is(out, fault->node);
        return;
    default:
        writ_buffer_append_text(out, "must match the pattern ");
        writ_buffer_append(out, keyword->key[1].text, keyword->key[1].length);
        say_but_is(out, fault->node);
        return;
    }
}

static void say_array(struct writ_buffer *out, const struct fault *fault)
{
    const struct schema_keyword *keyword = fault->keyword;
    switch (keyword->id) {
    case KEYWORD_MAX_ITEMS:
        say_limit(out, "at most", keyword, "item", "items", fault->node->length);
        return;
    case KEYWORD_MIN_ITEMS:
        say_limit(out, "at least", keyword, "item", "items", fault->node->length);
        return;
    case KEYWORD_UNIQUE_ITEMS:
        writ_buffer_printf(out, "items %u and %u are equal, but each must be different", fault->number, fault->other);
        return;
    case KEYWORD_CONTAINS:
    case KEYWORD_MAX_CONTAINS:
        writ_buffer_printf(out, "must contain at %s ", fault->note == NOTE_TOO_MANY ? "most" : "least");
        say_count(out, fault->other, "item", "items");
        writ_buffer_printf(out, " of the kind that `contains` describes, but contains %u", fault->number);
        return;
    default: /* items, prefixItems, unevaluatedItems that are false */
        if (fault->number == 0)
            writ_buffer_append_text(out, "no item is allowed here");
        else
            writ_buffer_printf(out, "item %u is not allowed: only the first %u may be there", fault->number,
                               fault->number);
        return;
    }
}

static void say_object(struct writ_buffer *out, const struct fault *fault, const char *nearest)
{
    const struct schema_keyword *keyword = fault->keyword;
    switch (keyword->id) {
    case KEYWORD_MAX_PROPERTIES:
        say_limit(out, "at most", keyword, "property", "properties", fault->node->length);
        return;
    case KEYWORD_MIN_PROPERTIES:
        say_limit(out, "at least", keyword, "property", "properties", fault->node->length);
        return;
    case KEYWORD_REQUIRED:
        writ_buffer_append_text(out, "the property ");
        say_cut_text(out, fault->detail->text, fault->detail->length);
        writ_buffer_append_text(out, " is missing");
        break;
    case KEYWORD_DEPENDENT_REQUIRED: {
        const struct writ_json *needed = writ_json_at(fault->detail + 1, fault->number);
        writ_buffer_append_text(out, "the property ");
        say_cut_text(out, needed->text, needed->length);
        writ_buffer_append_text(out, " is missing: it must be there when ");
        say_cut_text(out, fault->detail->text, fault->detail->length);
        writ_buffer_append_text(out, " is");
        break;
    }
    default: /* properties, patternProperties, additionalProperties, unevaluatedProperties that are false */
        writ_buffer_append_text(out, "the property ");
        say_cut_text(out, fault->detail->text, fault->detail->length);
        writ_buffer_append_text(out, keyword->id == KEYWORD_PROPERTIES || keyword->id == KEYWORD_PATTERN_PROPERTIES
                                         ? " must not be there"
                                         : " is not known here");
        break;
    }
    if (!nearest)
        return;
    bool missing = keyword->id == KEYWORD_REQUIRED || keyword->id == KEYWORD_DEPENDENT_REQUIRED;
    writ_buffer_append_text(out, missing ? "; there is " : "; did you mean ");
    say_cut_text(out, nearest, strlen(nearest));
    writ_buffer_append_text(out, missing ? " (a slip of the pen?)" : "?");
}

static void say_alternatives(struct writ_buffer *out, const struct fault *fault)
{
    uint32_t count = fault->keyword->child_count;
    switch (fault->note) {
    case NOTE_TYPES:
        writ_buffer_append_text(out, "must be ");
        say_kinds(out, fault->number, fault->other);
        say_but_is(out, fault->node);
        return;
    case NOTE_VALUES:
        writ_buffer_append_text(out, "must be one of ");
        say_listed(out, fault->lists, fault->number);
        say_but_is(out, fault->node);
        return;
    case NOTE_SEVERAL:
        writ_buffer_printf(out,
                           "must satisfy exactly one of the %u alternatives, but satisfies number %u and number %u "
                           "(counted from 0)",
                           count, fault->number, fault->other);
        return;
    default:
        writ_buffer_append_text(out, "satisfies none of the ");
        say_count(out, count, "alternative", "alternatives");
        if (count > 1)
            writ_buffer_printf(out, "; the nearest is number %u (counted from 0), whose faults follow", fault->number);
        return;
    }
}

static bool is_about_object(enum schema_keyword_id id)
{
    switch (id) {
    case KEYWORD_MAX_PROPERTIES:
    case KEYWORD_MIN_PROPERTIES:
    case KEYWORD_REQUIRED:
    case KEYWORD_DEPENDENT_REQUIRED:
    case KEYWORD_PROPERTIES:
    case KEYWORD_PATTERN_PROPERTIES:
    case KEYWORD_ADDITIONAL_PROPERTIES:
    case KEYWORD_UNEVALUATED_PROPERTIES:
        return true;
    default:
        return false;
    }
}

static bool is_about_array(enum schema_keyword_id id)
{
    switch (id) {
    case KEYWORD_MAX_ITEMS:
    case KEYWORD_MIN_ITEMS:
    case KEYWORD_UNIQUE_ITEMS:
    case KEYWORD_CONTAINS:
    case KEYWORD_MAX_CONTAINS:
    case KEYWORD_ITEMS:
    case KEYWORD_PREFIX_ITEMS:
    case KEYWORD_UNEVALUATED_ITEMS:
        return true;
    default:
        return false;
    }
}

static const char *find_nearest(const struct explainer *explainer, const struct fault *fault)
{
    if (fault->of_name || !fault->keyword)
        return NULL;
    switch (fault->keyword->id) {
    case KEYWORD_ADDITIONAL_PROPERTIES:
    case KEYWORD_UNEVALUATED_PROPERTIES:
        return nearest_allowed(explainer, fault);
    case KEYWORD_REQUIRED:
        return nearest_present(explainer, fault, fault->detail->text);
    case KEYWORD_DEPENDENT_REQUIRED:
        return nearest_present(explainer, fault, writ_json_at(fault->detail + 1, fault->number)->text);
    case KEYWORD_ENUM:
    case KEYWORD_CONST:
        return nearest_listed(fault->node, &fault->keyword, 1);
    case KEYWORD_ANY_OF:
    case KEYWORD_ONE_OF:
        return fault->note == NOTE_VALUES ? nearest_listed(fault->node, fault->lists, fault->number) : NULL;
    default:
        return NULL;
    }
}

static void say_fault(struct writ_buffer *out, const struct fault *fault, const char *nearest)
{
    if (fault->of_name) {
        writ_buffer_append_text(out, "the name ");
        say_cut_text(out, fault->node->text, fault->node->length);
        writ_buffer_append_text(out, " of a property: ");
    }
    if (!fault->keyword) {
        writ_buffer_append_text(out, "nothing is allowed here: the schema is false");
    } else if (fault->note == NOTE_TOO_COSTLY) {
        writ_buffer_append_text(out, "a pattern takes too long on this text: it was given up (simplify the pattern)");
    } else if (fault->keyword->id == KEYWORD_ANY_OF || fault->keyword->id == KEYWORD_ONE_OF) {
        say_alternatives(out, fault);
        if (nearest) {
            writ_buffer_append_text(out, "; did you mean ");
            say_cut_text(out, nearest, strlen(nearest));
            writ_buffer_append_byte(out, '?');
        }
    } else if (fault->keyword->id == KEYWORD_NOT) {
        writ_buffer_append_text(out, "must not be what `not` describes");
    } else if (is_about_object(fault->keyword->id)) {
        say_object(out, fault, nearest);
    } else if (is_about_array(fault->keyword->id)) {
        say_array(out, fault);
    } else {
        say_assertion(out, fault);
        if (nearest) {
            writ_buffer_append_text(out, "; did you mean ");
            say_cut_text(out, nearest, strlen(nearest));
            writ_buffer_append_byte(out, '?');
        }
    }
}

/* ---- the public form ---- */

static const char *keep(struct writ_arena *arena, struct writ_buffer *buffer)
{
    const char *kept = buffer->failed ? NULL : writ_arena_copy(arena, writ_buffer_text(buffer), buffer->length);
    writ_buffer_clear(buffer);
    return kept;
}

bool writ_schema_render_fault(const struct explainer *explainer, const struct fault *fault, struct writ_arena *arena,
                              struct writ_schema_fault *ret_fault)
{
    const struct schema_graph *graph = explainer->graph;
    const struct subschema *subschema = &graph->subschemas.items[fault->subschema];
    const char *nearest = find_nearest(explainer, fault);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, MESSAGE_BYTES_MAX + (size_t)2 * WRIT_JSON_BYTES_MAX);
    writ_json_pointer_to(&buffer, explainer->root, fault->node);
    ret_fault->instance_pointer = keep(arena, &buffer);
    writ_schema_place_print(graph, subschema->resource, fault->keyword ? fault->keyword->key + 1 : subschema->node,
                            &buffer);
    ret_fault->schema_pointer = keep(arena, &buffer);
    say_fault(&buffer, fault, nearest);
    ret_fault->message = keep(arena, &buffer);
    ret_fault->keyword = fault->keyword ? writ_schema_keyword_name(fault->keyword->id) : "false";
    ret_fault->nearest = nearest ? writ_arena_copy(arena, nearest, strlen(nearest)) : NULL;
    return ret_fault->instance_pointer && ret_fault->schema_pointer && ret_fault->message &&
           (!nearest || ret_fault->nearest);
}
