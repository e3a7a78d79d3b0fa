#include "skill/contract_reader.h"

#include "base/text.h"

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

/* ---- permissions ---- */

/* Bytes before the nth colon, or all. */
static size_t head_length(const char *text, unsigned colons)
{
    size_t length = 0;
    while (text[length] && (text[length] != ':' || --colons > 0))
        length++;
    return length;
}

/* What the head of a permission was meant to be, and how long the head is; NULL when it cannot be told. */
static const char *meant_kind(const char *text, size_t *ret_length)
{
    const char *names[WRIT_PERMISSION_KIND_COUNT];
    for (size_t i = 0; i < WRIT_COUNT(names); i++)
        names[i] = writ_permission_kind_name((enum writ_permission_kind)(i + 1));
    for (unsigned colons = 2; colons > 0; colons--) {
        char head[48];
        *ret_length = head_length(text, colons);
        if (*ret_length >= sizeof head || text[*ret_length] != ':') /* the last part is what for, and no head */
            continue;
        memcpy(head, text, *ret_length);
        head[*ret_length] = '\0';
        const char *certain = writ_certain_name(head, names, WRIT_COUNT(names));
        if (certain)
            return certain;
    }
    /* `binary:git`: the area has one verb. */
    const char *only = NULL;
    for (size_t i = 0; i < WRIT_COUNT(names); i++)
        if (strncmp(names[i], text, *ret_length) == 0 && names[i][*ret_length] == ':') {
            if (only)
                return NULL;
            only = names[i];
        }
    return only;
}

void contract_mend_permission(struct contract_reader *reader, const struct writ_json *item)
{
    const char *text = item->text + strspn(item->text, " ");
    size_t head = 0;
    const char *kind = meant_kind(text, &head);
    if (!kind || !may_mend(reader, item))
        return;
    const char *rest = text + head;
    rest += *rest == ':';
    rest += strspn(rest, " ");
    size_t length = strlen(rest);
    while (length > 0 && rest[length - 1] == ' ')
        length--;
    const char *mended =
        writ_arena_printf(&reader->faults->arena, "%s%s%.*s", kind, length > 0 ? ":" : "", (int)length, rest);
    struct writ_permission permission;
    struct writ_error error = {.code = WRIT_OK};
    if (mended && writ_permission_parse(reader->arena, mended, &permission, &error) == 0)
        contract_mend_text(reader, item, mended, true);
    reader->out_of_memory |= !mended || error.code == WRIT_INTERNAL_MEMORY;
}

void contract_mend_input_name(struct contract_reader *reader, const struct writ_json *item, const char *path,
                              const char *name)
{
    const char *dot = strrchr(path, '.');
    const char *from = writ_arena_printf(&reader->faults->arena, ".input%s", path);
    const char *to = from && dot
                         ? writ_arena_printf(&reader->faults->arena, ".input%.*s%s", (int)(dot - path) + 1, path, name)
                         : NULL;
    const char *at = to ? strstr(item->text, from) : NULL;
    if (!to)
        reader->out_of_memory |= !from || dot;
    if (!at || !may_mend(reader, item))
        return;
    const char *mended = writ_arena_printf(&reader->faults->arena, "%.*s%s%s", (int)(at - item->text), item->text, to,
                                           at + strlen(from));
    if (mended)
        contract_mend_text(reader, item, mended, true);
    else
        reader->out_of_memory = true;
}
