#include "form/branch.h"

#define NAME_BYTES_MAX 4096

/* `a text`, for branches that differ in their type. */
static const char *type_name(unsigned type)
{
    static const struct {
        unsigned type;
        const char *name;
    } names[] = {{WRIT_FORM_TYPE_TEXT, "a text"},
                 {WRIT_FORM_TYPE_BOOLEAN, "yes or no"},
                 {WRIT_FORM_TYPE_LIST, "a list"},
                 {WRIT_FORM_TYPE_INTEGER, "a whole number"},
                 {WRIT_FORM_TYPE_INTEGER | WRIT_FORM_TYPE_NUMBER, "a number"},
                 {WRIT_FORM_TYPE_OBJECT, "an object"}};
    for (size_t i = 0; i < WRIT_COUNT(names); i++)
        if (names[i].type == type)
            return names[i].name;
    return NULL;
}

static void append_value(struct writ_buffer *out, const struct writ_json *value)
{
    if (value->kind == WRIT_JSON_STRING)
        writ_buffer_append(out, value->text, value->length);
    else
        writ_json_print(out, value, WRIT_JSON_COMPACT);
}

/* The value that tells objects of this branch from those of the others. */
static void append_mark(struct writ_buffer *out, const struct writ_form_view *view)
{
    const struct writ_json *properties = writ_form_view_get(view, "properties");
    if (!properties || properties->kind != WRIT_JSON_OBJECT)
        return;
    WRIT_JSON_EACH_MEMBER(key, properties)
    {
        const struct writ_json *value = writ_json_get(key + 1, "const");
        if (value && out->length == 0)
            append_value(out, value);
    }
}

static void append_required(struct writ_buffer *out, const struct writ_form_view *view)
{
    const struct writ_json *required = writ_form_view_get(view, "required");
    if (!required || required->kind != WRIT_JSON_ARRAY)
        return;
    WRIT_JSON_EACH_ITEM(name, required)
    {
        writ_buffer_append_text(out, out->length > 0 ? ", " : "with ");
        append_value(out, name);
    }
}

/* What a branch is called by somebody who has to choose. */
static void append_name(struct writ_buffer *out, const struct writ_form_view *view, size_t number)
{
    const char *title = writ_form_view_text(view, "title");
    const struct writ_json *value = writ_form_view_get(view, "const");
    if (title)
        writ_buffer_append_text(out, title);
    else if (value)
        append_value(out, value);
    else
        append_mark(out, view);
    if (out->length == 0)
        append_required(out, view);
    const char *type = type_name(writ_form_view_types(view));
    if (out->length == 0 && type)
        writ_buffer_append_text(out, type);
    if (out->length == 0)
        writ_buffer_printf(out, "choice %zu", number);
}

bool writ_form_branches_collect(const struct writ_json *root, const struct writ_json *list, struct writ_arena *arena,
                                struct writ_form_branches *ret_branches)
{
    struct writ_form_branches *branches = ret_branches;
    *branches = (struct writ_form_branches){.by_number = true, .all_constant = true};
    WRIT_JSON_EACH_ITEM(node, list)
    {
        struct writ_form_view view;
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer name;
        writ_buffer_init(&name, NAME_BYTES_MAX);
        writ_form_view_init(&view, root);
        writ_form_view_add(&view, node);
        if (writ_form_view_types(&view) == WRIT_FORM_TYPE_NULL) {
            branches->has_null = true;
            continue;
        }
        append_name(&name, &view, branches->count + 1);
        const char *text = writ_arena_copy(arena, writ_buffer_text(&name), name.length);
        if (!text || (name.failed && !name.too_large))
            return false;
        const struct writ_json *value = writ_form_view_get(&view, "const");
        branches->by_number = branches->by_number && !(text[0] >= '0' && text[0] <= '9');
        branches->all_constant = branches->all_constant && value;
        branches->nodes[branches->count] = node;
        branches->choices[branches->count++] = (struct writ_form_choice){
            .text = text, .meaning = writ_form_view_text(&view, "description"), .value = value};
    }
    return true;
}
