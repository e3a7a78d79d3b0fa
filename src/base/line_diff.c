#include "base/line_diff.h"

#include <stdlib.h>
#include <string.h>

/*
 * Equal lines at both ends are left aside; what is between is compared by the table of longest common subsequences,
 * when it is small enough.  Each line of either text then is kept or changed, and hunks are the changed lines with
 * three kept ones around them.
 */

#define CONTEXT 3
#define CELLS_MAX ((size_t)1 << 21) /* of the table, two bytes each */

struct lines {
    const char **starts; /* count + 1: the last is the end */
    bool *changed;
    size_t count;
};

static void lines_clear(struct lines *lines)
{
    free(lines->starts);
    free(lines->changed);
}

static bool split(const char *text, size_t length, struct lines *lines)
{
    size_t count = length > 0 && text[length - 1] != '\n';
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    lines->starts = calloc(count + 1, sizeof *lines->starts);
    lines->changed = calloc(count + 1, sizeof *lines->changed);
    if (!lines->starts || !lines->changed)
        return false;
    lines->count = count;
    const char *next = text;
    for (size_t i = 0; i < count; i++) {
        lines->starts[i] = next;
        const char *end = memchr(next, '\n', (size_t)(text + length - next));
        next = end ? end + 1 : text + length;
    }
    lines->starts[count] = next;
    return true;
}

static bool are_equal(const struct lines *old, size_t i, const struct lines *new, size_t j)
{
    size_t length = (size_t)(old->starts[i + 1] - old->starts[i]);
    return length == (size_t)(new->starts[j + 1] - new->starts[j]) &&
           memcmp(old->starts[i], new->starts[j], length) == 0;
}

/* Marks what changed in old[from..old_to) and new[from..new_to). */
static bool compare(struct lines *old, size_t old_to, struct lines *new, size_t new_to, size_t from)
{
    size_t rows = old_to - from, columns = new_to - from, cells;
    if (WRIT_MUL_OVERFLOWS(rows + 1, columns + 1, &cells) || cells > CELLS_MAX || rows >= UINT16_MAX ||
        columns >= UINT16_MAX) {
        memset(old->changed + from, 1, rows);
        memset(new->changed + from, 1, columns);
        return true;
    }
    uint16_t *table = calloc(cells, sizeof *table); /* [i][j]: longest of old[i..] and new[j..] */
    if (!table)
        return false;
    size_t width = columns + 1;
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;) {
            uint16_t below = table[(i + 1) * width + j], right = table[i * width + j + 1];
            table[i * width + j] = are_equal(old, from + i, new, from + j)
                                       ? (uint16_t)(table[(i + 1) * width + j + 1] + 1)
                                       : (below > right ? below : right);
        }
    size_t i = 0, j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && are_equal(old, from + i, new, from + j)) {
            i++;
            j++;
        } else if (j >= columns || (i < rows && table[(i + 1) * width + j] >= table[i * width + j + 1])) {
            old->changed[from + i++] = true;
        } else {
            new->changed[from + j++] = true;
        }
    }
    free(table);
    return true;
}

static void print_line(struct writ_buffer *out, char mark, const struct lines *lines, size_t i)
{
    size_t length = (size_t)(lines->starts[i + 1] - lines->starts[i]);
    writ_buffer_append_byte(out, mark);
    writ_buffer_append(out, lines->starts[i], length);
    if (length == 0 || lines->starts[i][length - 1] != '\n')
        writ_buffer_append_text(out, "\n\\ No newline at end of file\n");
}

/* Kept lines stand in both texts in one order, so that skipping the changed ones of both leads from one to the next. */
static void skip_changed(const struct lines *old, size_t *i, const struct lines *new, size_t *j)
{
    while (*i < old->count && old->changed[*i])
        (*i)++;
    while (*j < new->count &&new->changed[*j])
        (*j)++;
}

static bool is_change(const struct lines *old, size_t i, const struct lines *new, size_t j)
{
    return (i < old->count && old->changed[i]) || (j < new->count &&new->changed[j]);
}

/* From a change at old[i], new[j]: where the hunk around it ends. */
static void find_end(const struct lines *old, size_t *i, const struct lines *new, size_t *j)
{
    for (;;) {
        skip_changed(old, i, new, j);
        size_t kept = 0;
        while (kept < (size_t)2 * CONTEXT && *i + kept < old->count && !is_change(old, *i + kept, new, *j + kept))
            kept++;
        if (!is_change(old, *i + kept, new, *j + kept)) {
            kept = kept > CONTEXT ? CONTEXT : kept;
            *i += kept;
            *j += kept;
            return;
        }
        *i += kept;
        *j += kept;
    }
}

static void print_hunk(struct writ_buffer *out, const struct lines *old, size_t i, size_t old_end,
                       const struct lines *new, size_t j, size_t new_end)
{
    /* An empty side is named by the line before it. */
    writ_buffer_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", i + (old_end > i), old_end - i, j + (new_end > j),
                       new_end - j);
    while (i < old_end || j < new_end) {
        while (i < old_end && old->changed[i])
            print_line(out, '-', old, i++);
        while (j < new_end && new->changed[j])
            print_line(out, '+', new, j++);
        while (i < old_end && j < new_end && !is_change(old, i, new, j)) {
            print_line(out, ' ', old, i++);
            j++;
        }
    }
}

static void print_hunks(struct writ_buffer *out, const struct lines *old, const struct lines *new)
{
    size_t i = 0, j = 0;
    while (i < old->count || j < new->count) {
        if (!is_change(old, i, new, j)) {
            i++;
            j++;
            continue;
        }
        size_t old_end = i, new_end = j;
        size_t before = 0;
        while (before < CONTEXT && before < i && before < j && !is_change(old, i - before - 1, new, j - before - 1))
            before++;
        find_end(old, &old_end, new, &new_end);
        print_hunk(out, old, i - before, old_end, new, j - before, new_end);
        i = old_end;
        j = new_end;
    }
}

void writ_line_diff_print(struct writ_buffer *out, const char *name, const char *old_text, size_t old_length,
                          const char *new_text, size_t new_length)
{
    if (old_length == new_length && memcmp(old_text, new_text, old_length) == 0)
        return;
    WRIT_CLEANUP(lines_clear) struct lines old = {.count = 0};
    WRIT_CLEANUP(lines_clear) struct lines new = {.count = 0};
    if (!split(old_text, old_length, &old) || !split(new_text, new_length, &new)) {
        out->failed = true;
        return;
    }
    size_t from = 0, old_to = old.count, new_to = new.count;
    while (from < old_to && from < new_to && are_equal(&old, from, &new, from))
        from++;
    while (old_to > from && new_to > from && are_equal(&old, old_to - 1, &new, new_to - 1)) {
        old_to--;
        new_to--;
    }
    if (!compare(&old, old_to, &new, new_to, from)) {
        out->failed = true;
        return;
    }
    writ_buffer_printf(out, "--- %s\n+++ %s\n", name, name);
    print_hunks(out, &old, &new);
}
