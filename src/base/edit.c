#include "base/edit.h"

#include <stdlib.h>

bool writ_edits_meet(const struct writ_edit *one, const struct writ_edit *other)
{
    size_t one_end = one->offset + one->length, other_end = other->offset + other->length;
    if (one->length == 0 || other->length == 0)
        return one->offset <= other_end && other->offset <= one_end;
    return one->offset < other_end && other->offset < one_end;
}

void writ_edits_apply(struct writ_buffer *out, const char *text, size_t length, const struct writ_edit *edits,
                      size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const struct writ_edit *edit = &edits[i];
        if (edit->offset < at || edit->offset > length || edit->length > length - edit->offset)
            abort();
        writ_buffer_append(out, text + at, edit->offset - at);
        writ_buffer_append(out, edit->text, edit->text_length);
        at = edit->offset + edit->length;
    }
    writ_buffer_append(out, text + at, length - at);
}
