#include "form/view.h"

#include "data/json_pointer.h"

#include <string.h>

#define FRAGMENT_BYTES_MAX 1024

void writ_form_view_init(struct writ_form_view *view, const struct writ_json *root)
{
    *view = (struct writ_form_view){.root = root};
}

/* ---- following ---- */

static int hex_digit(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                                          : -1;
}

/* A pointer in a URI's fragment has its odd characters as %XX. */
static size_t decode_fragment(const struct writ_json *reference, char fragment[FRAGMENT_BYTES_MAX])
{
    size_t length = 0;
    for (size_t i = 1; i < reference->length && length < FRAGMENT_BYTES_MAX - 1; i++) {
        const char *at = reference->text + i;
        int high = at[0] == '%' ? hex_digit(at[1]) : -1, low = high >= 0 ? hex_digit(at[2]) : -1;
        fragment[length++] = low >= 0 ? (char)(high * 16 + low) : at[0];
        i += low >= 0 ? 2 : 0;
    }
    fragment[length] = '\0';
    return length;
}

/* Every value of the document in turn: nodes lie in document order, keys among them. */
static const struct writ_json *find_anchor(const struct writ_json *root, const char *name)
{
    for (const struct writ_json *node = root, *end = writ_json_next(root); node < end; node++)
        if (node->kind == WRIT_JSON_OBJECT && (writ_json_is_text(writ_json_get(node, "$anchor"), name) ||
                                               writ_json_is_text(writ_json_get(node, "$dynamicAnchor"), name)))
            return node;
    return NULL;
}

static const struct writ_json *follow(const struct writ_json *root, const struct writ_json *reference)
{
    char fragment[FRAGMENT_BYTES_MAX];
    if (!reference || reference->kind != WRIT_JSON_STRING || reference->text[0] != '#')
        return NULL;
    size_t length = decode_fragment(reference, fragment);
    if (length > 0 && fragment[0] != '/')
        return find_anchor(root, fragment);
    return writ_json_pointer_get(root, fragment, length);
}

/* Depth is bounded by the count of parts: a schema that is there already is not added again. */
static void add_part(struct writ_form_view *view, const struct writ_json *schema)
{
    if (!schema || schema->kind != WRIT_JSON_OBJECT || view->part_count == WRIT_FORM_VIEW_PARTS_MAX)
        return;
    for (size_t i = 0; i < view->part_count; i++)
        if (view->parts[i] == schema)
            return;
    view->parts[view->part_count++] = schema;
    add_part(view, follow(view->root, writ_json_get(schema, "$ref")));
    add_part(view, follow(view->root, writ_json_get(schema, "$dynamicRef")));
    const struct writ_json *all = writ_json_get(schema, "allOf");
    if (all && all->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(item, all)
        {
            add_part(view, item);
        }
}

void writ_form_view_add(struct writ_form_view *view, const struct writ_json *schema)
{
    if (view->top_count < WRIT_FORM_VIEW_TOPS_MAX)
        view->tops[view->top_count++] = schema;
    add_part(view, schema);
}

/* ---- asking ---- */

const struct writ_json *writ_form_view_get(const struct writ_form_view *view, const char *keyword)
{
    const struct writ_json *value = NULL;
    for (size_t i = 0; !value && i < view->part_count; i++)
        value = writ_json_get(view->parts[i], keyword);
    return value;
}

const char *writ_form_view_text(const struct writ_form_view *view, const char *keyword)
{
    return writ_json_text(writ_form_view_get(view, keyword));
}

static unsigned type_named(const struct writ_json *name)
{
    static const struct {
        const char *name;
        unsigned type;
    } types[] = {{"null", WRIT_FORM_TYPE_NULL},       {"boolean", WRIT_FORM_TYPE_BOOLEAN},
                 {"integer", WRIT_FORM_TYPE_INTEGER}, {"number", WRIT_FORM_TYPE_NUMBER | WRIT_FORM_TYPE_INTEGER},
                 {"string", WRIT_FORM_TYPE_TEXT},     {"array", WRIT_FORM_TYPE_LIST},
                 {"object", WRIT_FORM_TYPE_OBJECT}};
    for (size_t i = 0; i < WRIT_COUNT(types); i++)
        if (writ_json_is_text(name, types[i].name))
            return types[i].type;
    return 0;
}

static unsigned types_of(const struct writ_json *type)
{
    unsigned types = 0;
    if (type->kind != WRIT_JSON_ARRAY)
        return type_named(type);
    WRIT_JSON_EACH_ITEM(item, type)
    {
        types |= type_named(item);
    }
    return types;
}

/* These keywords hold for one type alone, so whoever writes one means that type. */
static unsigned guess_types(const struct writ_form_view *view)
{
    static const struct {
        const char *keyword;
        unsigned type;
    } signs[] = {{"properties", WRIT_FORM_TYPE_OBJECT},
                 {"required", WRIT_FORM_TYPE_OBJECT},
                 {"additionalProperties", WRIT_FORM_TYPE_OBJECT},
                 {"items", WRIT_FORM_TYPE_LIST},
                 {"prefixItems", WRIT_FORM_TYPE_LIST},
                 {"minItems", WRIT_FORM_TYPE_LIST},
                 {"maxItems", WRIT_FORM_TYPE_LIST},
                 {"pattern", WRIT_FORM_TYPE_TEXT},
                 {"format", WRIT_FORM_TYPE_TEXT},
                 {"minLength", WRIT_FORM_TYPE_TEXT},
                 {"maxLength", WRIT_FORM_TYPE_TEXT},
                 {"minimum", WRIT_FORM_TYPE_NUMBER | WRIT_FORM_TYPE_INTEGER},
                 {"maximum", WRIT_FORM_TYPE_NUMBER | WRIT_FORM_TYPE_INTEGER},
                 {"multipleOf", WRIT_FORM_TYPE_NUMBER | WRIT_FORM_TYPE_INTEGER}};
    unsigned types = 0;
    for (size_t i = 0; i < WRIT_COUNT(signs); i++)
        if (writ_form_view_get(view, signs[i].keyword))
            types |= signs[i].type;
    return types ? types : WRIT_FORM_TYPE_ANY;
}

unsigned writ_form_view_types(const struct writ_form_view *view)
{
    unsigned types = WRIT_FORM_TYPE_ANY;
    bool told = false;
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *type = writ_json_get(view->parts[i], "type");
        if (type)
            types &= types_of(type);
        told = told || type;
    }
    return told ? types : guess_types(view);
}

static bool lists(const struct writ_json *names, const struct writ_json *name)
{
    if (names && names->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(item, names)
        {
            if (writ_json_equal(item, name))
                return true;
        }
    return false;
}

bool writ_form_view_requires(const struct writ_form_view *view, const struct writ_json *name,
                             const struct writ_json *beside)
{
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *dependent = writ_json_get(view->parts[i], "dependentRequired");
        if (lists(writ_json_get(view->parts[i], "required"), name))
            return true;
        if (dependent && dependent->kind == WRIT_JSON_OBJECT)
            WRIT_JSON_EACH_MEMBER(key, dependent)
            {
                if (writ_json_get_sized(beside, key->text, key->length) && lists(key + 1, name))
                    return true;
            }
    }
    return false;
}

bool writ_form_view_property(const struct writ_form_view *view, const struct writ_json *name,
                             struct writ_form_view *ret_view)
{
    writ_form_view_init(ret_view, view->root);
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *schema =
            writ_json_get_sized(writ_json_get(view->parts[i], "properties"), name->text, name->length);
        if (schema)
            writ_form_view_add(ret_view, schema);
    }
    return ret_view->top_count > 0;
}

void writ_form_view_element(const struct writ_form_view *view, size_t index, struct writ_form_view *ret_view)
{
    writ_form_view_init(ret_view, view->root);
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *places = writ_json_get(view->parts[i], "prefixItems");
        bool has_place = places && places->kind == WRIT_JSON_ARRAY && index < places->length;
        const struct writ_json *schema =
            has_place ? writ_json_at(places, index) : writ_json_get(view->parts[i], "items");
        if (schema)
            writ_form_view_add(ret_view, schema);
    }
}

size_t writ_form_view_count(const struct writ_form_view *view, const char *keyword, size_t fallback)
{
    const struct writ_json *value = writ_form_view_get(view, keyword);
    int64_t count;
    if (!value || !writ_json_is_number(value) || !writ_json_int64(value, &count) || count < 0)
        return fallback;
    return (size_t)count;
}

bool writ_form_view_is_secret(const struct writ_form_view *view)
{
    for (size_t i = 0; i < view->part_count; i++)
        if (writ_json_is_true(writ_json_get(view->parts[i], "writeOnly")) ||
            writ_json_is_text(writ_json_get(view->parts[i], "format"), "password"))
            return true;
    return false;
}
