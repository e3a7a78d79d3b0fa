/*
 * Fixes of whatever contract: what comes out can be read when what went in could, is judged as far, gives by safe fixes
 * no permission that was not written, keeps every line of comment, and has nothing left to fix.
 */
#include "base/text.h"
#include "skill/lint.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

/* Edits lie in the source, in order and apart, and say what they are. */
static void check_report(const struct writ_lint_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct writ_lint_finding *finding = &report->items[i];
        const struct writ_fix *fix = finding->fix;
        demand(finding->offset <= report->source_length && finding->length <= report->source_length - finding->offset);
        demand(finding->severity == writ_lint_rule(finding->rule_id)->severity);
        if (!fix)
            continue;
        demand(report->source && writ_utf8_is_valid(fix->title, strlen(fix->title)));
        demand(strcmp(writ_lint_rule(finding->rule_id)->fix, "never") != 0);
        demand(fix->edit_count > 0 && fix->edit_count <= WRIT_FIX_EDITS_MAX);
        size_t at = 0;
        for (size_t j = 0; j < fix->edit_count; j++) {
            demand(fix->edits[j].offset >= at);
            at = fix->edits[j].offset + fix->edits[j].length;
            demand(at <= report->source_length);
        }
    }
}

static const struct writ_json *permissions_of(struct writ_arena *arena, const char *text, size_t length)
{
    struct writ_yaml yaml;
    struct writ_error error;
    if (writ_yaml_parse(arena, text, length, &yaml, &error) < 0)
        return NULL;
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

static void check_permissions(const struct writ_lint_fixes *fixes)
{
    struct writ_arena arena;
    writ_arena_init(&arena, (size_t)64 << 20);
    const struct writ_json *before = permissions_of(&arena, fixes->before, fixes->before_length);
    const struct writ_json *after = permissions_of(&arena, fixes->after, fixes->after_length);
    if (after)
        WRIT_JSON_EACH_ITEM(item, after)
        {
            if (before) /* a text may go over several lines: what it says is compared, not how */
                demand(holds(before, item));
            else if (item->kind == WRIT_JSON_STRING && !memchr(item->text, '\'', item->length))
                /* Quotation marks in it are written otherwise within quotation marks. */
                demand(memmem(fixes->before, fixes->before_length, item->text, item->length) != NULL);
        }
    writ_arena_clear(&arena);
}

/* Each line of the text that is nothing but a comment, without its end. */
static void check_comments(const struct writ_lint_fixes *fixes)
{
    const char *end = fixes->before + fixes->before_length;
    for (const char *line = fixes->before; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((next ? next : end) - line), blanks = 0;
        while (blanks < length && line[blanks] == ' ')
            blanks++;
        while (length > 0 && line[length - 1] == '\r')
            length--;
        if (blanks < length && line[blanks] == '#')
            demand(memmem(fixes->after, fixes->after_length, line, length) != NULL);
        line = next ? next + 1 : end;
    }
}

static enum writ_lint_stage fix(const char *text, size_t length, bool with_unsafe, unsigned depth)
{
    struct writ_skill skill = {.folder_fd = -1, .folder = "/skills/com.example.a", .id = ""};
    struct writ_lint_fixes fixes;
    struct writ_lint_report before, after;
    struct writ_error error;
    writ_contract_faults_init(&skill.faults);
    int result = writ_contract_parse(text, length, "skill.yaml", NULL, &skill.contract, &skill.faults, &error);
    demand(result == 0 || result == WRIT_CONTRACT_INVALID);
    demand(writ_lint_skill(&skill, &before, &error) == 0);
    check_report(&before);
    demand(writ_lint_fix(&skill, with_unsafe, &fixes, &after, &error) == 0);
    check_report(&after);
    demand(after.stage >= before.stage);
    if (before.stage == WRIT_LINT_JUDGED)
        demand(after.error_count <= before.error_count && after.warning_count <= before.warning_count);
    if (fixes.before) {
        demand(fixes.before_length == length && memcmp(fixes.before, text, length) == 0);
        demand(fixes.count > 0 || (fixes.after_length == length && memcmp(fixes.after, text, length) == 0));
        if (!with_unsafe)
            check_permissions(&fixes);
        check_comments(&fixes);
        /* Once more, and nothing is left to do; after very many fixes there may be. */
        if (depth == 0 && fixes.count > 0 && fixes.count < 200 && !after.truncated)
            demand(fix(fixes.after, fixes.after_length, with_unsafe, 1) == after.stage);
        demand(depth == 0 || fixes.count == 0);
    }
    enum writ_lint_stage stage = after.stage;
    writ_lint_report_clear(&before);
    writ_lint_report_clear(&after);
    writ_lint_fixes_clear(&fixes);
    writ_contract_free(skill.contract);
    writ_contract_faults_clear(&skill.faults);
    return stage;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length > 20000) /* what is longer is slow, and no other */
        return 0;
    (void)fix((const char *)bytes, length, false, 0);
    (void)fix((const char *)bytes, length, true, 0);
    return 0;
}
