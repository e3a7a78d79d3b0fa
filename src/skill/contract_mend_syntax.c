/*
 * Mends of what is no YAML.  There is no document yet, so the line of the fault is read as text: a value that cannot
 * stand without quotation marks gets them, a permission with `${{ }}` within brackets, and a number that is a key.
 * Whether that was all is seen when the document is read again.
 */
#include "skill/contract_mend_syntax.h"

#include "base/text.h"

struct line {
    const char *bytes; /* of the whole document */
    size_t length;
    size_t start, end; /* of the line, without its comment and its end */
};

struct quoting {
    struct writ_arena *arena;
    struct writ_edit edits[WRIT_FIX_EDITS_MAX];
    size_t count;
    bool out_of_memory;
};

static bool find_line(struct line *line, unsigned number)
{
    line->start = 0;
    for (; number > 1; number--) {
        const char *end = memchr(line->bytes + line->start, '\n', line->length - line->start);
        if (!end)
            return false;
        line->start = (size_t)(end - line->bytes) + 1;
    }
    const char *end = memchr(line->bytes + line->start, '\n', line->length - line->start);
    line->end = end ? (size_t)(end - line->bytes) : line->length;
    if (line->end > line->start && line->bytes[line->end - 1] == '\r')
        line->end--;
    return line->end - line->start <= 1024;
}

/* A comment is no text that anything was meant by. */
static void leave_comment_out(struct line *line)
{
    for (size_t at = line->start; at < line->end; at++)
        if (line->bytes[at] == '#' && (at == line->start || strchr(" \t", line->bytes[at - 1])))
            line->end = at;
}

static size_t skip_spaces(const struct line *line, size_t at)
{
    while (at < line->end && line->bytes[at] == ' ')
        at++;
    return at;
}

static bool begins_at(const struct line *line, size_t at, const char *text)
{
    size_t length = strlen(text);
    return at <= line->end && length <= line->end - at && memcmp(line->bytes + at, text, length) == 0;
}

/* Puts bytes `from` to `to` of the document in single quotation marks. */
static void add_quotes(struct quoting *quoting, const struct line *line, size_t from, size_t to)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text = {.bytes_max = 4096};
    writ_buffer_append_byte(&text, '\'');
    for (size_t i = from; i < to; i++) {
        if (line->bytes[i] == '\'')
            writ_buffer_append_byte(&text, '\'');
        writ_buffer_append_byte(&text, line->bytes[i]);
    }
    writ_buffer_append_byte(&text, '\'');
    const char *copy = text.failed ? NULL : writ_arena_copy(quoting->arena, writ_buffer_text(&text), text.length);
    if (!copy) {
        quoting->out_of_memory = true;
        return;
    }
    if (quoting->count < WRIT_FIX_EDITS_MAX)
        quoting->edits[quoting->count++] =
            (struct writ_edit){.offset = from, .length = to - from, .text = copy, .text_length = text.length};
}

/* ---- `[filesystem:read:${{ .input.file }}]` ---- */

/* Where the value around `at` begins and ends: between commas and brackets, and not before `floor`.  False where
 * quotation marks are, or a list has ended. */
static bool find_item(const struct line *line, size_t floor, size_t at, size_t *ret_from, size_t *ret_to)
{
    size_t from = at, to = at;
    while (from > floor && !strchr("[,", line->bytes[from - 1])) {
        from--;
        if (strchr("'\"]", line->bytes[from]))
            return false;
    }
    while (to < line->end && !begins_at(line, to, "}}"))
        to++;
    while (to < line->end && !strchr(",]", line->bytes[to])) {
        if (strchr("'\"", line->bytes[to]))
            return false;
        to++;
    }
    from = skip_spaces(line, from);
    while (to > from && line->bytes[to - 1] == ' ')
        to--;
    *ret_from = from;
    *ret_to = to;
    return to > at;
}

static void quote_items(struct quoting *quoting, const struct line *line)
{
    size_t floor = line->start; /* behind the last item */
    for (size_t at = line->start; at < line->end; at++) {
        size_t from, to;
        if (!begins_at(line, at, "${{") || !find_item(line, floor, at, &from, &to))
            continue;
        add_quotes(quoting, line, from, to);
        at = floor = to;
    }
}

/* ---- `description: Reads: a file` ---- */

static bool is_key_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_-$.", c) != NULL;
}

/* Where the value of the line begins, behind its dashes and its key. */
static size_t find_value(const struct line *line)
{
    size_t at = skip_spaces(line, line->start);
    while (begins_at(line, at, "- "))
        at = skip_spaces(line, at + 2);
    size_t key = at;
    while (key < line->end && line->bytes[key] && is_key_byte(line->bytes[key]))
        key++;
    return key > at && begins_at(line, key, ": ") ? skip_spaces(line, key + 2) : at;
}

static size_t indentation(const struct line *line)
{
    return skip_spaces(line, line->start) - line->start;
}

/* True when the value goes on: the next line that is not empty stands further in. */
static bool goes_on(const struct line *line)
{
    struct line next = *line;
    do {
        const char *end = memchr(next.bytes + next.start, '\n', next.length - next.start);
        if (!end)
            return false;
        next.start = (size_t)(end - next.bytes) + 1;
        end = memchr(next.bytes + next.start, '\n', next.length - next.start);
        next.end = end ? (size_t)(end - next.bytes) : next.length;
    } while (next.start < next.length && skip_spaces(&next, next.start) == next.end);
    return indentation(&next) > indentation(line) && next.bytes[skip_spaces(&next, next.start)] != '#';
}

static void quote_value(struct quoting *quoting, const struct line *line)
{
    size_t from = find_value(line), to = line->end;
    while (to > from && strchr(" \t", line->bytes[to - 1]))
        to--;
    if (to == from || goes_on(line))
        return;
    char first = line->bytes[from];
    bool has_space = memchr(line->bytes + from, ' ', to - from) != NULL;
    bool has_colon = memmem(line->bytes + from, to - from, ": ", 2) != NULL || line->bytes[to - 1] == ':';
    bool cannot_begin = strchr("@`%", first) || (first == '*' && has_space);
    bool may_begin = !strchr("'\"[]{}|>&!*?#,-", first);
    if (cannot_begin || (may_begin && has_colon && from > skip_spaces(line, line->start)))
        add_quotes(quoting, line, from, to);
}

/* ---- `404: not found` ---- */

static bool quote_key(struct quoting *quoting, const struct line *line, unsigned column)
{
    size_t from = line->start + (column > 0 ? column - 1 : 0), to = from;
    while (to < line->end && ((line->bytes[to] >= '0' && line->bytes[to] <= '9') || line->bytes[to] == '.'))
        to++;
    if (to == from || (!begins_at(line, to, ": ") && !(begins_at(line, to, ":") && to + 1 == line->end)))
        return false;
    add_quotes(quoting, line, from, to);
    return true;
}

const struct writ_fix *contract_mend_syntax(const char *bytes, size_t length, unsigned number, unsigned column,
                                            struct writ_arena *arena, bool *ret_out_of_memory)
{
    size_t mark_length = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    struct line line = {.bytes = bytes, .length = length};
    struct quoting quoting = {.arena = arena};
    if (!find_line(&line, number) || !writ_utf8_is_valid(bytes, length) ||
        memchr(bytes + line.start, '\0', line.end - line.start))
        return NULL;
    if (number == 1)
        line.start += mark_length; /* columns do not count it */
    leave_comment_out(&line);
    if (!quote_key(&quoting, &line, column))
        quote_items(&quoting, &line);
    if (quoting.count == 0)
        quote_value(&quoting, &line);
    struct writ_fix *fix = NULL;
    if (quoting.count > 0) {
        fix = writ_arena_zalloc(arena, 1, sizeof *fix);
        struct writ_edit *edits = writ_arena_zalloc(arena, quoting.count, sizeof *edits);
        quoting.out_of_memory |= !fix || !edits;
        if (fix && edits) {
            memcpy(edits, quoting.edits, quoting.count * sizeof *edits);
            *fix = (struct writ_fix){.title = "put it in quotation marks", .edits = edits, .edit_count = quoting.count};
        }
    }
    *ret_out_of_memory |= quoting.out_of_memory;
    return fix;
}
