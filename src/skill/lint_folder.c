/* What can be said of the folder: its program, what no package can hold, the bytes of its contract. */
#include "skill/lint_rules.h"

#include <fcntl.h>
#include <sys/stat.h>

/* ---- the bytes of skill.yaml ---- */

static void lint_byte_order_mark(struct lint *lint)
{
    const struct writ_lint_report *report = lint->report;
    if (report->source_length < 3 || memcmp(report->source, "\xEF\xBB\xBF", 3) != 0)
        return;
    const struct writ_edit edit = {.length = 3, .text = ""};
    lint_add_at(lint, WRIT_RULE_BYTE_ORDER_MARK, 1, 1, "",
                "the file begins with a byte order mark, which editors add and drop unseen; save it as UTF-8 without "
                "one");
    lint_mend_edits(lint, &edit, 1, "remove the byte order mark", false, false);
}

/* One edit from the first such line on, for there may be very many. */
static void lint_line_ends(struct lint *lint)
{
    const char *source = lint->report->source;
    size_t length = lint->report->source_length;
    const char *first = memmem(source, length, "\r\n", 2);
    if (!first)
        return;
    uint32_t line = 1, column = 1;
    for (const char *c = source; c < first; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    size_t from = (size_t)(first - source), kept = 0;
    char *text = writ_arena_alloc(&lint->report->arena, length - from);
    if (!text) {
        lint->out_of_memory = true;
        return;
    }
    for (size_t i = from; i < length; i++)
        if (source[i] != '\r') /* the reader takes none but those of line ends */
            text[kept++] = source[i];
    const struct writ_edit edit = {.offset = from, .length = length - from, .text = text, .text_length = kept};
    lint_add_at(lint, WRIT_RULE_LINE_ENDS, line, column, "",
                "lines end with CRLF, which version control may change unseen; end them with LF");
    lint_mend_edits(lint, &edit, 1, "end lines with LF", false, false);
}

void lint_source(struct lint *lint)
{
    lint_byte_order_mark(lint);
    lint_line_ends(lint);
}

/* ---- the program ---- */

static void lint_entry(struct lint *lint)
{
    const struct writ_contract_runtime *runtime = &lint->contract->runtime;
    const struct writ_json *node = writ_json_get(lint_top(lint, "runtime"), "entry");
    if (!node)
        node = lint_top(lint, "runtime");
    bool native = runtime->language == WRIT_LANGUAGE_NATIVE;
    struct stat status;
    if (fstatat(lint->skill->folder_fd, runtime->entry, &status, AT_SYMLINK_NOFOLLOW) < 0) {
        if (native && fstatat(lint->skill->folder_fd, "main.c", &status, AT_SYMLINK_NOFOLLOW) == 0)
            lint_add(lint, WRIT_RULE_ENTRY_UNBUILT, node, "runtime.entry",
                     "`%s` is not built yet; `writ test` builds it from main.c", runtime->entry);
        else
            lint_add(lint, WRIT_RULE_ENTRY_MISSING, node, "runtime.entry",
                     "`%s` is not in the folder; add the program or name it in `runtime.entry`", runtime->entry);
    } else if (S_ISREG(status.st_mode) && native && !(status.st_mode & S_IXUSR)) {
        lint_add(lint, WRIT_RULE_ENTRY_NOT_EXECUTABLE, node, "runtime.entry",
                 "`%s` cannot be executed; run `chmod +x` on it", runtime->entry);
        lint_mend_executable(lint, runtime->entry);
    } else if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        lint_add(lint, WRIT_RULE_ENTRY_MISSING, node, "runtime.entry", "`%s` is not a file; name the program itself",
                 runtime->entry);
    }
}

void lint_folder(struct lint *lint)
{
    lint_entry(lint);
    if (lint->without_digest)
        return;
    unsigned char digest[32];
    struct writ_error error;
    int result = writ_skill_digest(lint->skill->folder_fd, digest, &error);
    if (result == WRIT_INTERNAL_MEMORY)
        lint->out_of_memory = true;
    else if (result < 0)
        lint_add(lint, WRIT_RULE_FOLDER_UNPACKABLE, NULL, "", "%s", error.message);
}
