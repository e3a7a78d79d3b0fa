#include "form/secret.h"

#include "data/json_pointer.h"

/* Pairs of a schema and a value. */
#define STEPS_MAX 100000

struct search {
    const struct writ_json *root;
    struct writ_buffer *pointer;
    size_t list_length; /* of the pointer to the list whose element the value is; SIZE_MAX: it is none */
    size_t steps;
    writ_form_secret_visit *visit;
    void *context;
};

bool writ_form_is_compound(const struct writ_json *value)
{
    return value->kind == WRIT_JSON_OBJECT || value->kind == WRIT_JSON_ARRAY;
}

bool writ_form_schema_has_secrets(const struct writ_json *root)
{
    for (const struct writ_json *node = root, *end = writ_json_next(root); node < end; node++)
        if (node->kind == WRIT_JSON_OBJECT && (writ_json_is_true(writ_json_get(node, "writeOnly")) ||
                                               writ_json_is_text(writ_json_get(node, "format"), "password")))
            return true;
    return false;
}

static void search_value(struct search *search, const struct writ_form_view *view, const struct writ_json *value);

static void search_schema(struct search *search, const struct writ_json *schema, const struct writ_json *value)
{
    struct writ_form_view view;
    if (!schema || schema->kind != WRIT_JSON_OBJECT)
        return;
    writ_form_view_init(&view, search->root);
    writ_form_view_add(&view, schema);
    search_value(search, &view, value);
}

/* Schemas of the same value that may apply. */
static void search_branches(struct search *search, const struct writ_json *part, const struct writ_json *value)
{
    static const char *const lists[] = {"oneOf", "anyOf", "allOf"};
    static const char *const single[] = {"if", "then", "else"};
    for (size_t i = 0; i < WRIT_COUNT(lists); i++) {
        const struct writ_json *list = writ_json_get(part, lists[i]);
        if (list && list->kind == WRIT_JSON_ARRAY)
            WRIT_JSON_EACH_ITEM(item, list)
            {
                search_schema(search, item, value);
            }
    }
    for (size_t i = 0; i < WRIT_COUNT(single); i++)
        search_schema(search, writ_json_get(part, single[i]), value);
    const struct writ_json *dependent = writ_json_get(part, "dependentSchemas");
    if (dependent && dependent->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(key, dependent)
        {
            search_schema(search, key + 1, value);
        }
}

static void search_undeclared(struct search *search, const struct writ_json *part, const struct writ_json *value)
{
    const struct writ_json *patterns = writ_json_get(part, "patternProperties");
    if (patterns && patterns->kind == WRIT_JSON_OBJECT)
        WRIT_JSON_EACH_MEMBER(pattern, patterns)
        {
            search_schema(search, pattern + 1, value);
        }
    search_schema(search, writ_json_get(part, "additionalProperties"), value);
    search_schema(search, writ_json_get(part, "unevaluatedProperties"), value);
}

static void search_members(struct search *search, const struct writ_json *part, const struct writ_json *object)
{
    const struct writ_json *properties = writ_json_get(part, "properties");
    size_t length = search->pointer->length;
    WRIT_JSON_EACH_MEMBER(key, object)
    {
        writ_json_pointer_append(search->pointer, key->text, key->length);
        search->list_length = SIZE_MAX;
        search_schema(search, writ_json_get_sized(properties, key->text, key->length), key + 1);
        search_undeclared(search, part, key + 1);
        writ_buffer_truncate(search->pointer, length);
    }
}

static void search_elements(struct search *search, const struct writ_json *part, const struct writ_json *list)
{
    static const char *const each[] = {"items", "contains", "unevaluatedItems"};
    const struct writ_json *places = writ_json_get(part, "prefixItems");
    const struct writ_json *schemas[WRIT_COUNT(each)];
    size_t length = search->pointer->length, index = 0, count = 0;
    for (size_t i = 0; i < WRIT_COUNT(each); i++)
        if ((schemas[count] = writ_json_get(part, each[i])))
            count++;
    if (count == 0 && !places)
        return;
    WRIT_JSON_EACH_ITEM(item, list)
    {
        writ_json_pointer_append_index(search->pointer, index);
        search->list_length = length;
        if (places && places->kind == WRIT_JSON_ARRAY && index < places->length)
            search_schema(search, writ_json_at(places, index), item);
        for (size_t i = 0; i < count; i++)
            search_schema(search, schemas[i], item);
        writ_buffer_truncate(search->pointer, length);
        index++;
    }
}

/* Depth is bounded by the value's, and for one value by the count of schemas: none applies itself to the same value. */
static void search_value(struct search *search, const struct writ_form_view *view, const struct writ_json *value)
{
    size_t list_length = search->list_length;
    if (search->steps == STEPS_MAX)
        return;
    search->steps++;
    if (writ_form_view_is_secret(view)) {
        size_t length = list_length < SIZE_MAX ? list_length : search->pointer->length;
        search->visit(search->context, writ_buffer_text(search->pointer), length);
        return;
    }
    for (size_t i = 0; i < view->part_count; i++) {
        search_branches(search, view->parts[i], value);
        if (value->kind == WRIT_JSON_OBJECT)
            search_members(search, view->parts[i], value);
        else if (value->kind == WRIT_JSON_ARRAY)
            search_elements(search, view->parts[i], value);
        search->list_length = list_length;
    }
}

void writ_form_secrets_find(const struct writ_form_view *view, const struct writ_json *value,
                            struct writ_buffer *pointer, writ_form_secret_visit *visit, void *context)
{
    struct search search = {
        .root = view->root, .pointer = pointer, .list_length = SIZE_MAX, .visit = visit, .context = context};
    search_value(&search, view, value);
    /* What was not looked at to its end is hidden whole. */
    if (search.steps == STEPS_MAX)
        visit(context, writ_buffer_text(pointer), pointer->length);
}
