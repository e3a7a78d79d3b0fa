#include "cli/form_branch.h"

#define NAME_BYTES_MAX 4096

/* `a text`, for branches that differ in their type. */
static const char *type_name(unsigned type)
{
    static const struct {
        unsigned type;
        const char *name;
    } names[] = {{CLI_TYPE_TEXT, "a text"},
                 {CLI_TYPE_BOOLEAN, "yes or no"},
                 {CLI_TYPE_LIST, "a list"},
                 {CLI_TYPE_INTEGER, "a whole number"},
                 {CLI_TYPE_INTEGER | CLI_TYPE_NUMBER, "a number"},
                 {CLI_TYPE_OBJECT, "an object"}};
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
static void append_mark(struct writ_buffer *out, const struct cli_view *view)
{
    const struct writ_json *properties = cli_view_get(view, "properties");
    if (!properties || properties->kind != WRIT_JSON_OBJECT)
        return;
    WRIT_JSON_EACH_MEMBER(key, properties)
    {
        const struct writ_json *value = writ_json_get(key + 1, "const");
        if (value && out->length == 0)
            append_value(out, value);
    }
}

static void append_required(struct writ_buffer *out, const struct cli_view *view)
{
    const struct writ_json *required = cli_view_get(view, "required");
    if (!required || required->kind != WRIT_JSON_ARRAY)
        return;
    WRIT_JSON_EACH_ITEM(name, required)
    {
        writ_buffer_append_text(out, out->length > 0 ? ", " : "with ");
        append_value(out, name);
    }
}

/* What a branch is called by somebody who has to choose. */
static void append_name(struct writ_buffer *out, const struct cli_view *view, size_t number)
{
    const char *title = cli_view_text(view, "title");
    const struct writ_json *value = cli_view_get(view, "const");
    if (title)
        writ_buffer_append_text(out, title);
    else if (value)
        append_value(out, value);
    else
        append_mark(out, view);
    if (out->length == 0)
        append_required(out, view);
    const char *type = type_name(cli_view_types(view));
    if (out->length == 0 && type)
        writ_buffer_append_text(out, type);
    if (out->length == 0)
        writ_buffer_printf(out, "choice %zu", number);
}

bool cli_branches_collect(const struct writ_json *root, const struct writ_json *list, struct writ_arena *arena,
                          struct cli_branches *ret_branches)
{
    struct cli_branches *branches = ret_branches;
    *branches = (struct cli_branches){.by_number = true, .all_constant = true};
    WRIT_JSON_EACH_ITEM(node, list)
    {
        struct cli_view view;
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer name;
        cli_view_init(&view, root);
        cli_view_add(&view, node);
        if (cli_view_types(&view) == CLI_TYPE_NULL) {
            branches->has_null = true;
            continue;
        }
        writ_buffer_init(&name, NAME_BYTES_MAX);
        append_name(&name, &view, branches->count + 1);
        const char *text = writ_arena_copy(arena, writ_buffer_text(&name), name.length);
        if (!text || (name.failed && !name.too_large))
            return false;
        const struct writ_json *value = cli_view_get(&view, "const");
        branches->by_number = branches->by_number && !(text[0] >= '0' && text[0] <= '9');
        branches->all_constant = branches->all_constant && value;
        branches->nodes[branches->count] = node;
        branches->choices[branches->count++] =
            (struct cli_choice){.text = text, .meaning = cli_view_text(&view, "description"), .value = value};
    }
    return true;
}
