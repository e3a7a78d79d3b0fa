/*
 * Small changes to the text of a YAML document that leave everything else of it, comments too, byte for byte.
 *
 * Each function makes one edit (base/edit.h) for the bytes that the document was read from, and changes nothing itself.
 * It answers false where the place does not allow it without touching something else; the bytes after the edit are for
 * the caller to read again before they are kept.
 * Threads: an editor belongs to one thread at a time.
 */
#ifndef WRIT_DATA_YAML_EDIT_H
#define WRIT_DATA_YAML_EDIT_H

#include "base/edit.h"
#include "data/yaml.h"

struct writ_yaml_editor {
    const struct writ_yaml *yaml;
    const char *bytes; /* what was parsed */
    size_t length;
    struct writ_arena *arena; /* the edits' texts live here */
    bool out_of_memory;       /* an edit could not be made for want of memory */
};

/* The value of a scalar becomes the string `text`, in the quotation marks that it has, in some where it needs them. */
bool writ_yaml_edit_text(struct writ_yaml_editor *editor, const struct writ_json *scalar, const char *text,
                         struct writ_edit *ret_edit) WRIT_MUST_USE;
/* A value on one line becomes `yaml`, a value written within one line. */
bool writ_yaml_edit_value(struct writ_yaml_editor *editor, const struct writ_json *node, const char *yaml,
                          struct writ_edit *ret_edit) WRIT_MUST_USE;
/* A plain scalar on one line gets quotation marks, so that it is a text. */
bool writ_yaml_edit_quote(struct writ_yaml_editor *editor, const struct writ_json *scalar,
                          struct writ_edit *ret_edit) WRIT_MUST_USE;
/* Adds the member `name` (a plain word) with the value `yaml` to a map: before the member with the key `before` and the
 * comment lines above it, or behind the last one when that is NULL. */
bool writ_yaml_edit_member(struct writ_yaml_editor *editor, const struct writ_json *map, const struct writ_json *before,
                           const char *name, const char *yaml, struct writ_edit *ret_edit) WRIT_MUST_USE;
/* Adds the text as the last item of a list. */
bool writ_yaml_edit_item(struct writ_yaml_editor *editor, const struct writ_json *list, const char *text,
                         struct writ_edit *ret_edit) WRIT_MUST_USE;
/* Removes an item that is not the only one; false where a comment would go with it. */
bool writ_yaml_edit_remove(struct writ_yaml_editor *editor, const struct writ_json *list, const struct writ_json *item,
                           struct writ_edit *ret_edit) WRIT_MUST_USE;

/* The string as a value within one line, plain where every reader takes it so, else quoted; in the editor's arena, NULL
 * marks the editor. */
const char *writ_yaml_edit_print(struct writ_yaml_editor *editor, const char *text) WRIT_MUST_USE;

#endif
