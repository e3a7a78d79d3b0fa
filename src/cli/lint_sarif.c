/*
 * SARIF 2.1.0, in the part that viewers of code read: one run with the table of rules, and a result a finding with its
 * place and its fix.
 *
 * Places: a file is named relative to the folder in which writ was called (%SRCROOT%), which is a repository's root
 * when a check of changes calls it; a skill elsewhere has an absolute address.  Columns count characters, not bytes.
 * The entry's executable bits are a change of no text, so that fix is left out; unsafe fixes are there only when they
 * were asked for, since what reads this cannot know that a person has to look at them.
 */
#include "cli/lint_output.h"
#include "data/json.h"

#include <string.h>

struct position {
    size_t line, column;
};

/* {"text": …} */
static void write_message(struct writ_json_writer *writer, const char *key, const char *text)
{
    writ_json_write_key(writer, key);
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "text", text);
    writ_json_write_object_end(writer);
}

/* ---- places ---- */

static bool has_mark(const struct writ_lint_report *report)
{
    return report->source_length >= 3 && memcmp(report->source, "\xEF\xBB\xBF", 3) == 0;
}

static struct position position_at(const struct writ_lint_report *report, size_t offset)
{
    struct position position = {1, 1};
    for (size_t i = has_mark(report) ? 3 : 0; i < offset && i < report->source_length; i++) {
        unsigned char byte = (unsigned char)report->source[i];
        if (byte == '\n') {
            position.line++;
            position.column = 1;
        } else if ((byte & 0xC0) != 0x80) {
            position.column++;
        }
    }
    return position;
}

/* Offset of a line and a column in bytes. */
static size_t offset_at(const struct writ_lint_report *report, uint32_t line, uint32_t column)
{
    size_t offset = has_mark(report) ? 3 : 0;
    for (; line > 1; line--) {
        const char *end = memchr(report->source + offset, '\n', report->source_length - offset);
        if (!end)
            break;
        offset = (size_t)(end - report->source) + 1;
    }
    offset += column > 0 ? column - 1 : 0;
    return offset < report->source_length ? offset : report->source_length;
}

static void write_region(struct writ_json_writer *writer, const char *key, struct position start,
                         const struct position *end)
{
    writ_json_write_key(writer, key);
    writ_json_write_object(writer);
    writ_json_write_member_integer(writer, "startLine", (int64_t)start.line);
    writ_json_write_member_integer(writer, "startColumn", (int64_t)start.column);
    if (end) {
        writ_json_write_member_integer(writer, "endLine", (int64_t)end->line);
        writ_json_write_member_integer(writer, "endColumn", (int64_t)end->column);
    }
    writ_json_write_object_end(writer);
}

/* The columns of other files than the contract are not known in characters: their line is enough. */
static void write_finding_region(struct writ_json_writer *writer, const struct writ_lint_report *report,
                                 const struct writ_lint_finding *finding)
{
    if (finding->line == 0)
        return;
    if (!report->source || strcmp(finding->file, "skill.yaml") != 0) {
        writ_json_write_key(writer, "region");
        writ_json_write_object(writer);
        writ_json_write_member_integer(writer, "startLine", (int64_t)finding->line);
        writ_json_write_object_end(writer);
        return;
    }
    struct position start = position_at(report, offset_at(report, finding->line, finding->column));
    struct position end = position_at(report, (size_t)finding->offset + finding->length);
    write_region(writer, "region", start, finding->length > 0 ? &end : NULL);
}

/* What stands in an address as it is; all other bytes are written %XX. */
static void print_address(struct writ_buffer *out, const char *path)
{
    for (const char *c = path; *c; c++)
        if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("-._~/", *c))
            writ_buffer_append_byte(out, *c);
        else
            writ_buffer_printf(out, "%%%02X", (unsigned char)*c);
}

static void write_artifact(struct writ_json_writer *writer, const struct cli_lint_result *result, const char *file)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer address;
    writ_buffer_init(&address, 65536);
    bool absolute = result->shown[0] == '/';
    if (absolute)
        writ_buffer_append_text(&address, "file://");
    print_address(&address, result->shown);
    if (result->shown[0])
        writ_buffer_append_byte(&address, '/');
    print_address(&address, file);
    writer->out->failed |= address.failed;
    writ_json_write_key(writer, "artifactLocation");
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "uri", writ_buffer_text(&address));
    if (!absolute)
        writ_json_write_member_text(writer, "uriBaseId", "%SRCROOT%");
    writ_json_write_object_end(writer);
}

static void write_location(struct writ_json_writer *writer, const struct cli_lint_result *result,
                           const struct writ_lint_finding *finding)
{
    writ_json_write_key(writer, "locations");
    writ_json_write_array(writer);
    writ_json_write_object(writer);
    writ_json_write_key(writer, "physicalLocation");
    writ_json_write_object(writer);
    write_artifact(writer, result, finding->file);
    write_finding_region(writer, &result->report, finding);
    writ_json_write_object_end(writer);
    if (finding->field[0]) {
        writ_json_write_key(writer, "logicalLocations");
        writ_json_write_array(writer);
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "fullyQualifiedName", finding->field);
        writ_json_write_object_end(writer);
        writ_json_write_array_end(writer);
    }
    writ_json_write_object_end(writer);
    writ_json_write_array_end(writer);
}

/* ---- fixes ---- */

static void write_replacement(struct writ_json_writer *writer, const struct writ_lint_report *report,
                              const struct writ_edit *edit)
{
    struct position start = position_at(report, edit->offset), end = position_at(report, edit->offset + edit->length);
    writ_json_write_object(writer);
    write_region(writer, "deletedRegion", start, &end);
    if (edit->text_length > 0) {
        writ_json_write_key(writer, "insertedContent");
        writ_json_write_object(writer);
        writ_json_write_key(writer, "text");
        writ_json_write_text_sized(writer, edit->text, edit->text_length);
        writ_json_write_object_end(writer);
    }
    writ_json_write_object_end(writer);
}

static void write_fixes(struct writ_json_writer *writer, const struct cli_lint_run *run,
                        const struct cli_lint_result *result, const struct writ_fix *fix)
{
    if (!fix || fix->edit_count == 0 || (fix->is_unsafe && !run->with_unsafe))
        return;
    /* Lines and columns do not reach the byte order mark. */
    if (fix->edits[0].offset == 0 && has_mark(&result->report))
        return;
    writ_json_write_key(writer, "fixes");
    writ_json_write_array(writer);
    writ_json_write_object(writer);
    write_message(writer, "description", fix->title);
    writ_json_write_key(writer, "artifactChanges");
    writ_json_write_array(writer);
    writ_json_write_object(writer);
    write_artifact(writer, result, "skill.yaml");
    writ_json_write_key(writer, "replacements");
    writ_json_write_array(writer);
    for (size_t i = 0; i < fix->edit_count; i++)
        write_replacement(writer, &result->report, &fix->edits[i]);
    writ_json_write_array_end(writer);
    writ_json_write_object_end(writer);
    writ_json_write_array_end(writer);
    writ_json_write_object_end(writer);
    writ_json_write_array_end(writer);
}

/* ---- the document ---- */

static void write_results(struct writ_json_writer *writer, const struct cli_lint_run *run)
{
    writ_json_write_key(writer, "results");
    writ_json_write_array(writer);
    for (size_t i = 0; i < run->count; i++) {
        const struct cli_lint_result *result = &run->items[i];
        for (size_t j = 0; j < result->report.count; j++) {
            const struct writ_lint_finding *finding = &result->report.items[j];
            if (finding->severity > run->least)
                continue;
            writ_json_write_object(writer);
            writ_json_write_member_text(writer, "ruleId", finding->rule);
            writ_json_write_member_integer(writer, "ruleIndex", (int64_t)finding->rule_id);
            writ_json_write_member_text(writer, "level", writ_lint_severity_name(finding->severity));
            WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer message;
            writ_buffer_init(&message, 65536);
            writ_buffer_printf(&message, "%s%s%s", finding->field, finding->field[0] ? ": " : "", finding->message);
            writer->out->failed |= message.failed;
            write_message(writer, "message", writ_buffer_text(&message));
            write_location(writer, result, finding);
            write_fixes(writer, run, result, finding->fix);
            writ_json_write_object_end(writer);
        }
    }
    writ_json_write_array_end(writer);
}

static void write_rules(struct writ_json_writer *writer)
{
    writ_json_write_key(writer, "rules");
    writ_json_write_array(writer);
    for (size_t i = 0; i < WRIT_LINT_RULE_COUNT; i++) {
        const struct writ_lint_rule *rule = writ_lint_rule((enum writ_lint_rule_id)i);
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "id", rule->name);
        write_message(writer, "shortDescription", rule->summary);
        write_message(writer, "help", rule->help);
        writ_json_write_key(writer, "defaultConfiguration");
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "level", writ_lint_severity_name(rule->severity));
        writ_json_write_object_end(writer);
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
}

static void write_tool(struct writ_json_writer *writer)
{
    writ_json_write_key(writer, "tool");
    writ_json_write_object(writer);
    writ_json_write_key(writer, "driver");
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "name", "writ");
    writ_json_write_member_text(writer, "version", WRIT_VERSION);
    write_rules(writer);
    writ_json_write_object_end(writer);
    writ_json_write_object_end(writer);
}

/* What a report left out must not look like health. */
static void write_invocation(struct writ_json_writer *writer, const struct cli_lint_run *run)
{
    writ_json_write_key(writer, "invocations");
    writ_json_write_array(writer);
    writ_json_write_object(writer);
    writ_json_write_member_bool(writer, "executionSuccessful", true);
    bool truncated = false;
    for (size_t i = 0; i < run->count; i++)
        truncated |= run->items[i].report.truncated;
    if (truncated) {
        writ_json_write_key(writer, "toolExecutionNotifications");
        writ_json_write_array(writer);
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "level", "warning");
        write_message(writer, "message", "There are more findings than were reported.");
        writ_json_write_object_end(writer);
        writ_json_write_array_end(writer);
    }
    writ_json_write_object_end(writer);
    writ_json_write_array_end(writer);
}

void cli_lint_print_sarif(const struct cli_lint_run *run, struct writ_buffer *out)
{
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, out);
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    writ_json_write_member_text(&writer, "version", "2.1.0");
    writ_json_write_key(&writer, "runs");
    writ_json_write_array(&writer);
    writ_json_write_object(&writer);
    write_tool(&writer);
    write_invocation(&writer, run);
    writ_json_write_key(&writer, "originalUriBaseIds");
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "%SRCROOT%");
    writ_json_write_object(&writer);
    write_message(&writer, "description", "The folder in which writ lint was called.");
    writ_json_write_object_end(&writer);
    writ_json_write_object_end(&writer);
    writ_json_write_member_text(&writer, "columnKind", "unicodeCodePoints");
    write_results(&writer, run);
    writ_json_write_object_end(&writer);
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
}
