#include "skill/lint_rules.h"

#include <stdlib.h>

/*
 * Theory of operation.  Fixes are edits of the text that was judged, so they hold for that text alone: a pass makes as
 * many of them as do not meet, in memory, and judges what came out from the beginning.  What is not better is not kept;
 * then the fixes of the pass are tried one by one, and one that is no better alone is put aside for good.  Passes end
 * when a text has no fix left that was not put aside.
 *
 * Better means: the findings that were fixed are gone, and
 *   - a document that was read is still read, and a contract that was judged still is;
 *   - where both were judged whole, no error and no warning is there that was not there before;
 *   - where a contract has faults, none stands at a fix's own place, unless the fix made known what was hidden before;
 *   - after safe fixes, no permission is there that was not written before.
 * Findings are compared by rule, field and message, but for indices of lists in the one and for numbers in the other:
 * lines and items move.
 */

#define PASSES_MAX 200
#define FIXES_ARENA_BYTES_MAX ((size_t)64 << 20)
#define TEXT_BYTES_MAX WRIT_YAML_BYTES_MAX

struct fixing {
    const struct writ_skill *skill;
    bool with_unsafe;
    struct writ_lint_fixes fixes;
    struct writ_lint_report report; /* of the text as it is now */
    struct writ_buffer text;
    size_t aside[WRIT_LINT_FINDINGS_MAX]; /* hashes of fixes that were no better */
    size_t aside_count;
    struct writ_error *error;
};

/* A choice among the fixes of one report, by index, and their edits in order. */
struct choice {
    size_t findings[WRIT_LINT_FINDINGS_MAX];
    size_t count;
    struct writ_edit *edits;
    bool *reveals; /* by edit: what is found there was hidden before */
    size_t edit_count, edit_capacity;
    bool has_unsafe;
};

static void choice_clear(struct choice *choice)
{
    free(choice->edits);
    free(choice->reveals);
}

static bool choice_grow(struct choice *choice, size_t more)
{
    if (choice->edit_count + more <= choice->edit_capacity)
        return true;
    size_t capacity = 2 * (choice->edit_capacity + more);
    struct writ_edit *edits = reallocarray(choice->edits, capacity, sizeof *edits);
    if (edits)
        choice->edits = edits;
    bool *reveals = edits ? reallocarray(choice->reveals, capacity, sizeof *reveals) : NULL;
    if (!reveals)
        return false;
    choice->reveals = reveals;
    choice->edit_capacity = capacity;
    return true;
}

/* ---- choosing ---- */

static size_t hash_text(size_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash * 31;
}

static size_t hash_fix(const struct writ_lint_finding *finding)
{
    size_t hash = hash_text(14695981039346656037u, finding->rule);
    hash = hash_text(hash_text(hash, finding->field), finding->message);
    return hash_text(hash, finding->fix->title);
}

static bool is_aside(const struct fixing *fixing, const struct writ_lint_finding *finding)
{
    size_t hash = hash_fix(finding);
    for (size_t i = 0; i < fixing->aside_count; i++)
        if (fixing->aside[i] == hash)
            return true;
    return false;
}

static bool is_wanted(const struct fixing *fixing, const struct writ_lint_finding *finding)
{
    const struct writ_fix *fix = finding->fix;
    return fix && fix->edit_count > 0 && (fixing->with_unsafe || !fix->is_unsafe) && !is_aside(fixing, finding);
}

/* Keeps the edits in order.  False when one of them meets another that was chosen before. */
static bool choose_edits(struct choice *choice, const struct writ_fix *fix, bool *ret_out_of_memory)
{
    for (size_t i = 0; i < fix->edit_count; i++)
        for (size_t j = 0; j < choice->edit_count; j++)
            if (writ_edits_meet(&fix->edits[i], &choice->edits[j]))
                return false;
    if (!choice_grow(choice, fix->edit_count)) {
        *ret_out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < fix->edit_count; i++) {
        size_t to = choice->edit_count++;
        for (; to > 0 && choice->edits[to - 1].offset > fix->edits[i].offset; to--) {
            choice->edits[to] = choice->edits[to - 1];
            choice->reveals[to] = choice->reveals[to - 1];
        }
        choice->edits[to] = fix->edits[i];
        choice->reveals[to] = fix->reveals;
    }
    return true;
}

/* Chooses the fix of the finding `only`, or with `only` SIZE_MAX every one that can be made beside the others. */
static int choose(const struct fixing *fixing, size_t only, struct choice *choice)
{
    bool out_of_memory = false;
    choice->count = choice->edit_count = 0;
    choice->has_unsafe = false;
    for (size_t i = 0; i < fixing->report.count && !out_of_memory; i++) {
        const struct writ_lint_finding *finding = &fixing->report.items[i];
        if ((only != SIZE_MAX && only != i) || !is_wanted(fixing, finding) ||
            !choose_edits(choice, finding->fix, &out_of_memory))
            continue;
        choice->findings[choice->count++] = i;
        choice->has_unsafe |= finding->fix->is_unsafe;
    }
    return out_of_memory ? writ_error_memory(fixing->error) : 0;
}

/* ---- judging ---- */

/* Equal but for numbers; with `only_indices` but for those behind `[`. */
static bool is_alike(const char *a, const char *b, bool only_indices)
{
    bool skip = !only_indices;
    for (;;) {
        size_t digits_a = skip ? strspn(a, "0123456789") : 0, digits_b = skip ? strspn(b, "0123456789") : 0;
        if ((digits_a > 0) != (digits_b > 0))
            return false;
        a += digits_a;
        b += digits_b;
        if (*a != *b)
            return false;
        if (*a == '\0')
            return true;
        skip = !only_indices || *a == '[';
        a++;
        b++;
    }
}

static bool is_same_finding(const struct writ_lint_finding *a, const struct writ_lint_finding *b)
{
    return a->rule_id == b->rule_id && strcmp(a->file, b->file) == 0 && is_alike(a->field, b->field, true) &&
           is_alike(a->message, b->message, false);
}

static size_t count_alike(const struct writ_lint_report *report, const struct writ_lint_finding *finding)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += is_same_finding(&report->items[i], finding);
    return count;
}

/* True when each fixed finding is gone: fewer of its like are left, by as many as were fixed. */
static bool are_gone(const struct writ_lint_report *old, const struct writ_lint_report *new,
                     const struct choice *choice)
{
    for (size_t i = 0; i < choice->count; i++) {
        const struct writ_lint_finding *fixed = &old->items[choice->findings[i]];
        size_t alike = 0;
        for (size_t j = 0; j < choice->count; j++)
            alike += is_same_finding(&old->items[choice->findings[j]], fixed);
        if (count_alike(new, fixed) + alike > count_alike(old, fixed))
            return false;
    }
    return true;
}

/* Marks the lines of the new text that edits have written: what is new there is their own doing, unless it was hidden
 * before.  False when memory is out. */
static bool mark_lines(const char *text, size_t length, const struct choice *choice, bool **ret_marks)
{
    size_t lines = 2, line = 1, at = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    bool *marks = calloc(lines, sizeof *marks); /* by line, which are from 1 */
    if (!marks)
        return false;
    const char *next = text;
    for (size_t i = 0; i < choice->edit_count; i++) {
        const struct writ_edit *edit = &choice->edits[i];
        const char *start = next + (edit->offset - at), *end = start + edit->text_length;
        for (; next < start; next++)
            line += *next == '\n';
        marks[line] |= !choice->reveals[i];
        for (; next < end; next++)
            if (*next == '\n')
                marks[++line] |= !choice->reveals[i];
        at = edit->offset + edit->length;
    }
    *ret_marks = marks;
    return true;
}

/* Whether findings are there that were not, other than notes, and that the fixes have to answer for. */
static int brings_findings(const struct fixing *fixing, const struct writ_lint_report *new,
                           const struct writ_buffer *text, const struct choice *choice, bool *ret_brings)
{
    const struct writ_lint_report *old = &fixing->report;
    bool *marks = NULL;
    if (!mark_lines(writ_buffer_text(text), text->length, choice, &marks))
        return writ_error_memory(fixing->error);
    for (size_t i = 0; i < new->count && !*ret_brings; i++) {
        const struct writ_lint_finding *finding = &new->items[i];
        if (finding->severity != WRIT_LINT_NOTE && count_alike(new, finding) > count_alike(old, finding))
            *ret_brings = old->stage == WRIT_LINT_JUDGED || marks[finding->line];
    }
    free(marks);
    return 0;
}

/* ---- permissions ---- */

static const struct writ_json *permissions_of(struct writ_arena *arena, const char *text, size_t length,
                                              bool *ret_out_of_memory)
{
    struct writ_yaml yaml;
    struct writ_error error;
    if (writ_yaml_parse(arena, text, length, &yaml, &error) < 0) {
        *ret_out_of_memory |= error.code == WRIT_INTERNAL_MEMORY;
        return NULL;
    }
    const struct writ_json *list = writ_json_get(yaml.root, "permissions");
    return list && list->kind == WRIT_JSON_ARRAY ? list : NULL;
}

static bool holds(const struct writ_json *list, const struct writ_json *item)
{
    WRIT_JSON_EACH_ITEM(other, list)
    {
        if (writ_json_equal(other, item))
            return true;
    }
    return false;
}

/* True when the new text gives a permission that the old one did not give; where the old one could not be read, one
 * that was not written in it word for word. */
static int gives_more(const struct fixing *fixing, const struct writ_buffer *new, bool *ret_more)
{
    struct writ_arena arena;
    bool out_of_memory = false;
    writ_arena_init(&arena, FIXES_ARENA_BYTES_MAX);
    const struct writ_buffer *old = &fixing->text;
    const struct writ_json *after = permissions_of(&arena, writ_buffer_text(new), new->length, &out_of_memory);
    const struct writ_json *before = permissions_of(&arena, writ_buffer_text(old), old->length, &out_of_memory);
    *ret_more = false;
    if (after)
        WRIT_JSON_EACH_ITEM(item, after)
        {
            bool written = item->kind == WRIT_JSON_STRING &&
                           memmem(writ_buffer_text(old), old->length, item->text, item->length) != NULL;
            *ret_more |= before ? !holds(before, item) : !written && fixing->report.stage != WRIT_LINT_JUDGED;
        }
    if (after && !before && fixing->report.stage == WRIT_LINT_JUDGED)
        *ret_more = after->length > 0; /* there were none at all */
    writ_arena_clear(&arena);
    return out_of_memory ? writ_error_memory(fixing->error) : 0;
}

/* ---- passes ---- */

/* Among more findings than a report holds, only their number can be compared, where it is known. */
static bool are_fewer(const struct writ_lint_report *old, const struct writ_lint_report *new)
{
    return old->stage != WRIT_LINT_JUDGED ||
           (new->error_count <= old->error_count &&new->error_count + new->warning_count <
            old->error_count + old->warning_count);
}

static int is_better(const struct fixing *fixing, const struct choice *choice, const struct writ_lint_report *new,
                     const struct writ_buffer *text, bool *ret_better)
{
    const struct writ_lint_report *old = &fixing->report;
    bool worse = new->stage < old->stage;
    int result = 0;
    if (new->stage == old->stage && old->stage == WRIT_LINT_UNREADABLE)
        worse = new->items[0].line <= old->items[0].line; /* the one fault there is must stand farther on */
    else if (new->stage == old->stage && old->truncated)
        worse = !are_fewer(old, new);
    else if (new->stage == old->stage && !are_gone(old, new, choice))
        worse = true;
    else if (new->stage == old->stage)
        result = brings_findings(fixing, new, text, choice, &worse);
    if (result == 0 && !worse && !choice->has_unsafe)
        result = gives_more(fixing, text, &worse);
    *ret_better = !worse;
    return result;
}

static int note_fixed(struct fixing *fixing, const struct writ_lint_finding *finding)
{
    struct writ_lint_fixes *fixes = &fixing->fixes;
    struct writ_arena *arena = &fixes->arena;
    if (fixes->count == WRIT_LINT_FINDINGS_MAX)
        return 0;
    if (!fixes->items)
        fixes->items = writ_arena_zalloc(arena, WRIT_LINT_FINDINGS_MAX, sizeof *fixes->items);
    const char *field = writ_arena_copy(arena, finding->field, strlen(finding->field));
    const char *title = writ_arena_copy(arena, finding->fix->title, strlen(finding->fix->title));
    if (!fixes->items || !field || !title)
        return writ_error_memory(fixing->error);
    fixes->items[fixes->count++] = (struct writ_lint_fixed){.rule = finding->rule,
                                                            .field = field,
                                                            .title = title,
                                                            .line = finding->line,
                                                            .column = finding->column,
                                                            .is_unsafe = finding->fix->is_unsafe};
    return 0;
}

/* Takes over the text and the report. */
static int keep(struct fixing *fixing, const struct choice *choice, struct writ_buffer *text,
                struct writ_lint_report *report)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < choice->count; i++)
        result = note_fixed(fixing, &fixing->report.items[choice->findings[i]]);
    struct writ_buffer old_text = fixing->text;
    struct writ_lint_report old_report = fixing->report;
    fixing->text = *text;
    fixing->report = *report;
    *text = old_text;
    *report = old_report;
    return result;
}

/* Makes the chosen fixes; keeps what came out when it is better. */
static int try_choice(struct fixing *fixing, const struct choice *choice, bool *ret_kept)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    struct writ_lint_report report = {0};
    writ_buffer_init(&text, TEXT_BYTES_MAX);
    writ_edits_apply(&text, writ_buffer_text(&fixing->text), fixing->text.length, choice->edits, choice->edit_count);
    *ret_kept = false;
    if (text.failed)
        return text.too_large ? 0 : writ_error_memory(fixing->error);
    int result = lint_bytes(fixing->skill, writ_buffer_text(&text), text.length, true, &report, fixing->error);
    bool better = false;
    if (result == 0)
        result = is_better(fixing, choice, &report, &text, &better);
    if (result == 0 && better) {
        result = keep(fixing, choice, &text, &report);
        *ret_kept = true;
    }
    writ_lint_report_clear(&report);
    return result;
}

/* Looks among the fixes that could not be made together for one that is better alone. */
static int try_each(struct fixing *fixing, bool *ret_kept)
{
    WRIT_CLEANUP(choice_clear) struct choice choice = {.count = 0};
    for (size_t i = 0; i < fixing->report.count; i++) {
        int result = choose(fixing, i, &choice);
        if (result == 0 && choice.count > 0)
            result = try_choice(fixing, &choice, ret_kept);
        if (result < 0 || *ret_kept)
            return result;
        if (choice.count == 0)
            continue;
        if (fixing->aside_count == WRIT_LINT_FINDINGS_MAX)
            return 0; /* nobody slips so often: what could not be noted would be tried in every pass */
        fixing->aside[fixing->aside_count++] = hash_fix(&fixing->report.items[i]);
    }
    return 0;
}

static int fix_text(struct fixing *fixing)
{
    WRIT_CLEANUP(choice_clear) struct choice choice = {.count = 0};
    for (unsigned pass = 0; pass < PASSES_MAX; pass++) {
        bool kept = false;
        int result = choose(fixing, SIZE_MAX, &choice);
        if (result < 0 || choice.count == 0)
            return result;
        result = try_choice(fixing, &choice, &kept);
        if (result == 0 && !kept)
            result = try_each(fixing, &kept);
        if (result < 0 || !kept)
            return result;
    }
    return 0;
}

/* The finding that only the folder's own change mends is taken out of the report. */
static int fix_entry(struct fixing *fixing)
{
    struct writ_lint_report *report = &fixing->report;
    for (size_t i = 0; i < report->count; i++) {
        const struct writ_lint_finding *finding = &report->items[i];
        if (!finding->fix || !finding->fix->makes_executable || (finding->fix->is_unsafe && !fixing->with_unsafe))
            continue;
        const char *name = finding->fix->makes_executable;
        fixing->fixes.makes_executable = writ_arena_copy(&fixing->fixes.arena, name, strlen(name));
        if (!fixing->fixes.makes_executable)
            return writ_error_memory(fixing->error);
        int result = note_fixed(fixing, finding);
        report->error_count -= finding->severity == WRIT_LINT_ERROR;
        memmove(&report->items[i], &report->items[i + 1], (--report->count - i) * sizeof *report->items);
        return result;
    }
    return 0;
}

/* ---- the whole ---- */

static int fix_source(struct fixing *fixing, const char *source, size_t length)
{
    struct writ_lint_fixes *fixes = &fixing->fixes;
    writ_buffer_append(&fixing->text, source, length);
    fixes->before = writ_arena_copy(&fixes->arena, source, length);
    fixes->before_length = length;
    if (fixing->text.failed || !fixes->before)
        return writ_error_memory(fixing->error);
    int result = lint_bytes(fixing->skill, source, length, true, &fixing->report, fixing->error);
    if (result == 0)
        result = fix_text(fixing);
    if (result < 0)
        return result;
    fixes->after = writ_arena_copy(&fixes->arena, writ_buffer_text(&fixing->text), fixing->text.length);
    fixes->after_length = fixing->text.length;
    if (!fixes->after)
        return writ_error_memory(fixing->error);
    /* Once more, with what takes long. */
    writ_lint_report_clear(&fixing->report);
    result = lint_bytes(fixing->skill, fixes->after, fixes->after_length, false, &fixing->report, fixing->error);
    return result < 0 ? result : fix_entry(fixing);
}

int writ_lint_fix(const struct writ_skill *skill, bool with_unsafe, struct writ_lint_fixes *ret_fixes,
                  struct writ_lint_report *ret_report, struct writ_error *error)
{
    struct fixing *fixing = calloc(1, sizeof *fixing);
    if (!fixing)
        return writ_error_memory(error);
    fixing->skill = skill;
    fixing->with_unsafe = with_unsafe;
    fixing->error = error;
    writ_arena_init(&fixing->fixes.arena, FIXES_ARENA_BYTES_MAX);
    writ_buffer_init(&fixing->text, TEXT_BYTES_MAX);
    const struct writ_contract *contract = skill->contract;
    const char *source = contract ? contract->source : skill->faults.source;
    int result = source ? fix_source(fixing, source, contract ? contract->source_length : skill->faults.source_length)
                        : writ_lint_skill(skill, &fixing->report, error);
    if (result == 0) {
        *ret_fixes = fixing->fixes;
        *ret_report = fixing->report;
    } else {
        writ_lint_fixes_clear(&fixing->fixes);
        writ_lint_report_clear(&fixing->report);
    }
    writ_buffer_clear(&fixing->text);
    free(fixing);
    return result;
}

void writ_lint_fixes_clear(struct writ_lint_fixes *fixes)
{
    writ_arena_clear(&fixes->arena);
    *fixes = (struct writ_lint_fixes){0};
}
