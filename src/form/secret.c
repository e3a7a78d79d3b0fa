#include "form/secret.h"

#include "data/json_pointer.h"

/* Pairs of a schema and a value. */
#define STEPS_MAX 100000
#define TOKEN_BYTES_MAX ((size_t)64 << 10)

struct search {
    const struct writ_json *root;
    struct writ_buffer *pointer;
    const char *rest, *rest_end; /* of a place that is looked for without a value; NULL: there is a value */
    size_t list_length;          /* of the pointer to the list whose element the value is; SIZE_MAX: it is none */
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

/* ---- a place ---- */

/* Reads the token that `rest` begins with; NULL when there is none. */
static const char *next_token(const struct search *search, struct writ_buffer *token)
{
    const char *at = search->rest;
    if (at == search->rest_end || *at != '/')
        return NULL;
    for (at++; at < search->rest_end && *at != '/'; at++) {
        bool escaped = *at == '~' && at + 1 < search->rest_end;
        at += escaped;
        writ_buffer_append_byte(token, escaped ? *at == '1' ? '/' : '~' : *at);
    }
    return at;
}

static void search_place(struct search *search, const struct writ_json *part)
{
    static const char *const each[] = {"items", "contains", "unevaluatedItems"};
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer token;
    writ_buffer_init(&token, TOKEN_BYTES_MAX);
    const char *before = search->rest, *after = next_token(search, &token);
    if (!after)
        return;
    if (token.failed) {
        search->steps = STEPS_MAX;
        return;
    }
    search->rest = after;
    search_schema(search, writ_json_get_sized(writ_json_get(part, "properties"), token.data, token.length), NULL);
    search_undeclared(search, part, NULL);
    const struct writ_json *places = writ_json_get(part, "prefixItems");
    if (places && places->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(schema, places)
        {
            search_schema(search, schema, NULL);
        }
    for (size_t i = 0; i < WRIT_COUNT(each); i++)
        search_schema(search, writ_json_get(part, each[i]), NULL);
    search->rest = before;
}

/* ---- a value or a place ---- */

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
        if (!value)
            search_place(search, view->parts[i]);
        else if (value->kind == WRIT_JSON_OBJECT)
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

static void note_found(void *context, const char *pointer, size_t length)
{
    bool *found = context;
    (void)pointer;
    (void)length;
    *found = true;
}

bool writ_form_place_is_secret(const struct writ_form_view *view, const char *pointer, size_t length)
{
    bool found = false;
    struct writ_buffer unused;
    writ_buffer_init(&unused, 1);
    struct search search = {.root = view->root,
                            .pointer = &unused,
                            .rest = pointer,
                            .rest_end = pointer + length,
                            .list_length = SIZE_MAX,
                            .visit = note_found,
                            .context = &found};
    search_value(&search, view, NULL);
    return found || search.steps == STEPS_MAX;
}
