/* The envelope that every caller gets back; declared in run/invoke.h. */
#include "data/json.h"
#include "run/invoke.h"

static void write_faults(struct writ_json_writer *writer, const struct writ_schema_faults *faults)
{
    writ_json_write_key(writer, "faults");
    writ_json_write_array(writer);
    for (size_t i = 0; i < faults->count; i++) {
        const struct writ_schema_fault *fault = &faults->items[i];
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "pointer", fault->instance_pointer);
        writ_json_write_member_text(writer, "schema", fault->schema_pointer);
        writ_json_write_member_text(writer, "message", fault->message);
        if (fault->nearest) {
            writ_json_write_member_text(writer, "nearest", fault->nearest);
        }
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
    if (faults->truncated) {
        writ_json_write_member_bool(writer, "truncated", true);
    }
}

static void write_contract_faults(struct writ_json_writer *writer, const struct writ_contract_faults *faults)
{
    writ_json_write_key(writer, "faults");
    writ_json_write_array(writer);
    for (size_t i = 0; i < faults->count; i++) {
        const struct writ_contract_fault *fault = &faults->items[i];
        writ_json_write_object(writer);
        writ_json_write_member_integer(writer, "line", fault->line);
        writ_json_write_member_integer(writer, "column", fault->column);
        writ_json_write_member_text(writer, "field", fault->field);
        writ_json_write_member_text(writer, "message", fault->message);
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
}

/* Which limit, how much it allows, how much was used as far as known, and who set it. */
static void write_limit(struct writ_json_writer *writer, const struct writ_limit_hit *limit)
{
    writ_json_write_key(writer, "limit");
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "name", limit->name);
    writ_json_write_member_text(writer, "unit", limit->unit);
    writ_json_write_member_integer(writer, "allowed", (int64_t)limit->allowed);
    if (limit->used > 0) {
        writ_json_write_member_integer(writer, "used", (int64_t)limit->used);
    }
    writ_json_write_member_text(writer, "set_by", limit->setting ? limit->setting : "contract");
    writ_json_write_object_end(writer);
}

static void write_details(struct writ_json_writer *writer, const struct writ_outcome *outcome)
{
    const struct writ_error *error = &outcome->error;
    writ_json_write_key(writer, "details");
    writ_json_write_object(writer);
    if (error->subject[0]) {
        writ_json_write_member_text(writer, "subject", error->subject);
    }
    if (error->line) {
        writ_json_write_member_integer(writer, "line", error->line);
        writ_json_write_member_integer(writer, "column", error->column);
    }
    if (outcome->faults.count > 0)
        write_faults(writer, &outcome->faults);
    else if (error->code == WRIT_CONTRACT_INVALID && outcome->skill && outcome->skill->faults.count > 0)
        write_contract_faults(writer, &outcome->skill->faults);
    if (outcome->limit.name)
        write_limit(writer, &outcome->limit);
    if (error->code == WRIT_PROGRAM_FAILED) {
        writ_json_write_member_integer(writer, "exit_status", outcome->exit_status);
    }
    if (error->code == WRIT_PROGRAM_CRASHED) {
        writ_json_write_member_integer(writer, "signal", outcome->signal_number);
    }
    if (outcome->errors.length > 0) {
        writ_json_write_key(writer, "stderr");
        writ_json_write_text_sized(writer, outcome->errors.data, outcome->errors.length);
        if (outcome->errors_dropped > 0) {
            writ_json_write_member_integer(writer, "stderr_bytes_dropped", (int64_t)outcome->errors_dropped);
        }
    }
    writ_json_write_object_end(writer);
}

static void write_error(struct writ_json_writer *writer, const struct writ_outcome *outcome)
{
    writ_json_write_key(writer, "error");
    if (outcome->error.code == WRIT_OK) {
        writ_json_write_null(writer);
        return;
    }
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "class", writ_code_class(outcome->error.code));
    writ_json_write_member_text(writer, "message", outcome->error.message);
    write_details(writer, outcome);
    writ_json_write_object_end(writer);
}

static void write_denials(struct writ_json_writer *writer, const struct writ_denial *denial)
{
    writ_json_write_key(writer, "denials");
    writ_json_write_array(writer);
    if (denial->kind) {
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "kind", denial->kind);
        writ_json_write_member_text(writer, "what", denial->what);
        writ_json_write_member_text(writer, "missing", denial->missing);
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
}

void writ_outcome_print(struct writ_buffer *out, const struct writ_outcome *outcome, enum writ_json_style style)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer compact;
    struct writ_json_writer writer;
    writ_buffer_init(&compact, (size_t)1 << 30);
    writ_json_writer_init(&writer, style == WRIT_JSON_COMPACT ? out : &compact);
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "outcome", writ_outcome_name(outcome->kind));
    writ_json_write_key(&writer, "output");
    if (outcome->output)
        writ_json_write_node(&writer, outcome->output);
    else
        writ_json_write_null(&writer);
    write_error(&writer, outcome);
    write_denials(&writer, &outcome->denial);
    writ_json_write_key(&writer, "run");
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "id", outcome->run_id[0] ? outcome->run_id : NULL);
    writ_json_write_member_text(&writer, "skill", outcome->skill_id);
    writ_json_write_member_text(&writer, "version", outcome->skill_version[0] ? outcome->skill_version : NULL);
    writ_json_write_member_double(&writer, "duration_ms", (double)(outcome->duration_us / 10) / 100);
    writ_json_write_member_integer(&writer, "memory_peak_bytes", (int64_t)outcome->memory_peak_bytes);
    writ_json_write_object_end(&writer);
    writ_json_write_object_end(&writer);
    if (style == WRIT_JSON_COMPACT)
        return;
    /* Indenting is the printer's affair: the compact text is read back and printed. */
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *root;
    writ_arena_init(&arena, (size_t)1 << 30);
    if (!compact.failed && writ_json_parse(&arena, writ_buffer_text(&compact), compact.length, &root, &error) == 0)
        writ_json_print(out, root, style);
    else
        out->failed = true;
    writ_arena_clear(&arena);
}

void writ_outcome_print_error(struct writ_buffer *out, const struct writ_outcome *outcome)
{
    struct writ_json_writer writer;
    writ_json_writer_init(&writer, out);
    writ_json_write_object(&writer);
    write_error(&writer, outcome);
    writ_json_write_object_end(&writer);
}
