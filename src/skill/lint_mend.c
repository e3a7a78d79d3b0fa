/* The mends of lint's own findings, as fixes. */
#include "skill/lint_rules.h"

#include "skill/contract_reader.h"
#include "skill/cut.h"

void lint_mend_edits(struct lint *lint, const struct writ_edit *edits, size_t count, const char *title, bool is_unsafe,
                     bool reveals)
{
    if (!lint->last)
        return;
    struct writ_arena *arena = &lint->report->arena;
    struct writ_fix *fix = writ_arena_zalloc(arena, 1, sizeof *fix);
    struct writ_edit *copies = writ_arena_zalloc(arena, count, sizeof *copies);
    if (!fix || !copies || !title) {
        lint->out_of_memory = true;
        return;
    }
    memcpy(copies, edits, count * sizeof *copies);
    *fix = (struct writ_fix){
        .title = title, .is_unsafe = is_unsafe, .edits = copies, .edit_count = count, .reveals = reveals};
    lint->last->fix = fix;
}

void lint_mend_executable(struct lint *lint, const char *entry)
{
    struct writ_arena *arena = &lint->report->arena;
    struct writ_fix *fix = writ_arena_zalloc(arena, 1, sizeof *fix);
    const char *name = writ_arena_copy(arena, entry, strlen(entry));
    const char *title = writ_arena_printf(arena, "make `%s` executable", entry);
    if (!lint->last)
        return;
    if (!fix || !name || !title) {
        lint->out_of_memory = true;
        return;
    }
    *fix = (struct writ_fix){.title = title, .makes_executable = name};
    lint->last->fix = fix;
}

static const char *title_of(struct lint *lint, const char *verb, const char *text)
{
    int length = cut(text, 80);
    return writ_arena_printf(&lint->report->arena, "%s `%.*s%s`", verb, length, text, text[length] ? "..." : "");
}

void lint_mend_text(struct lint *lint, const struct writ_json *scalar, const char *text)
{
    struct writ_edit edit;
    if (writ_yaml_edit_text(&lint->editor, scalar, text, &edit))
        lint_mend_edits(lint, &edit, 1, title_of(lint, "write", text), false, false);
}

void lint_mend_member(struct lint *lint, const struct writ_json *map, const struct writ_json *before, const char *name,
                      const char *yaml, bool is_unsafe)
{
    struct writ_edit edit;
    if (map->kind == WRIT_JSON_OBJECT && writ_yaml_edit_member(&lint->editor, map, before, name, yaml, &edit)) {
        const char *member = writ_arena_printf(&lint->report->arena, "%s: %s", name, yaml);
        lint_mend_edits(lint, &edit, 1, member ? title_of(lint, "add", member) : NULL, is_unsafe, false);
    }
}

void lint_mend_top(struct lint *lint, const char *name, const char *yaml, bool is_unsafe)
{
    const struct contract_table *table = &contract_table_top;
    const struct writ_json *root = lint->contract->yaml.root, *before = NULL;
    size_t i = 0;
    while (i < table->count && strcmp(table->fields[i].name, name) != 0)
        i++;
    for (i++; i < table->count && !before; i++)
        WRIT_JSON_EACH_MEMBER(key, root)
        {
            if (writ_json_is_text(key, table->fields[i].name))
                before = key;
        }
    lint_mend_member(lint, root, before, name, yaml, is_unsafe);
}

void lint_mend_item(struct lint *lint, const struct writ_json *list, const char *text, bool is_unsafe)
{
    struct writ_edit edit;
    if (list->kind == WRIT_JSON_ARRAY && writ_yaml_edit_item(&lint->editor, list, text, &edit))
        lint_mend_edits(lint, &edit, 1, title_of(lint, "add", text), is_unsafe, false);
}

void lint_mend_permission(struct lint *lint, const char *permission)
{
    const struct writ_json *list = writ_json_get(lint->contract->yaml.root, "permissions");
    if (list) {
        lint_mend_item(lint, list, permission, true);
        return;
    }
    const char *item = writ_yaml_edit_print(&lint->editor, permission);
    const char *items = item ? writ_arena_printf(&lint->report->arena, "[%s]", item) : NULL;
    if (items)
        lint_mend_top(lint, "permissions", items, true);
    else
        lint->out_of_memory = true;
}
