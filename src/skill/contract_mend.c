#include "skill/contract_reader.h"

#include "skill/cut.h"

#define VALUE_BYTES_MAX 1024 /* a longer value is no slip of the pen */

/* ---- attaching ---- */

static bool may_mend(const struct contract_reader *reader, const struct writ_json *node)
{
    const struct writ_yaml *yaml = reader->editor.yaml;
    return reader->last_fault && yaml && node >= yaml->root && node < writ_json_next(yaml->root) &&
           writ_yaml_span_of(yaml, node).length <= VALUE_BYTES_MAX;
}

static void attach(struct contract_reader *reader, const struct writ_edit *edit, const char *title, bool is_unsafe,
                   bool reveals)
{
    struct writ_fix *fix = writ_arena_zalloc(&reader->faults->arena, 1, sizeof *fix);
    struct writ_edit *edits = writ_arena_zalloc(&reader->faults->arena, 1, sizeof *edits);
    if (!fix || !edits || !title) {
        reader->out_of_memory = true;
        return;
    }
    *edits = *edit;
    *fix =
        (struct writ_fix){.title = title, .is_unsafe = is_unsafe, .edits = edits, .edit_count = 1, .reveals = reveals};
    reader->last_fault->fix = fix;
}

/* `write `TEXT``, a long text cut. */
static const char *title_of(struct contract_reader *reader, const char *verb, const char *text)
{
    int length = cut(text, 60);
    return writ_arena_printf(&reader->faults->arena, "%s `%.*s%s`", verb, length, text, text[length] ? "..." : "");
}

void contract_mend_text(struct contract_reader *reader, const struct writ_json *scalar, const char *text,
                        bool is_unsafe)
{
    struct writ_edit edit;
    if (may_mend(reader, scalar) && writ_yaml_edit_text(&reader->editor, scalar, text, &edit))
        attach(reader, &edit, title_of(reader, "write", text), is_unsafe, false);
}

void contract_mend_value(struct contract_reader *reader, const struct writ_json *node, const char *yaml, bool is_unsafe)
{
    struct writ_edit edit;
    if (may_mend(reader, node) && writ_yaml_edit_value(&reader->editor, node, yaml, &edit))
        attach(reader, &edit, title_of(reader, "write", yaml), is_unsafe, false);
}

void contract_mend_list(struct contract_reader *reader, const struct writ_json *scalar)
{
    if (scalar->kind != WRIT_JSON_STRING || !may_mend(reader, scalar) || strlen(scalar->text) != scalar->length)
        return;
    const char *item = writ_yaml_edit_print(&reader->editor, scalar->text);
    const char *list = item ? writ_arena_printf(&reader->faults->arena, "[%s]", item) : NULL;
    if (list)
        contract_mend_value(reader, scalar, list, false);
    else
        reader->out_of_memory = true;
}

void contract_mend_quote(struct contract_reader *reader, const struct writ_json *scalar)
{
    struct writ_edit edit;
    if (may_mend(reader, scalar) && writ_yaml_edit_quote(&reader->editor, scalar, &edit))
        attach(reader, &edit, title_of(reader, "write", edit.text), false, false);
}

void contract_mend_key(struct contract_reader *reader, const struct writ_json *map, const struct writ_json *key,
                       const char *name)
{
    struct writ_edit edit;
    if (writ_json_get(map, name) || !may_mend(reader, key) || !writ_yaml_edit_text(&reader->editor, key, name, &edit))
        return;
    attach(reader, &edit, title_of(reader, "write", name), false, true);
}

void contract_mend_member(struct contract_reader *reader, const struct writ_json *map, const char *before,
                          const char *name, const char *yaml)
{
    struct writ_edit edit;
    const struct writ_json *next = NULL;
    if (map->kind != WRIT_JSON_OBJECT || !reader->last_fault || !reader->editor.yaml)
        return;
    WRIT_JSON_EACH_MEMBER(key, map)
    {
        if (writ_json_is_text(key, before))
            next = key;
    }
    if (writ_yaml_edit_member(&reader->editor, map, next, name, yaml, &edit))
        attach(reader, &edit, writ_arena_printf(&reader->faults->arena, "add `%s: %s`", name, yaml), false, false);
}

void contract_mend_remove(struct contract_reader *reader, const struct writ_json *list, const struct writ_json *item)
{
    struct writ_edit edit;
    if (may_mend(reader, item) && writ_yaml_edit_remove(&reader->editor, list, item, &edit))
        attach(reader, &edit, "remove it", false, false);
}
