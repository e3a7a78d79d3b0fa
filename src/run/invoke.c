#include "run/invoke.h"

#include "audit/audit.h"
#include "base/descriptor.h"
#include "run/ending.h"
#include "run/leftovers.h"
#include "run/prepare.h"
#include "run/record.h"
#include "run/ungranted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define OUTCOME_ARENA_BYTES ((size_t)512 << 20)
#define INPUT_BYTES_MAX ((size_t)16 << 20)
#define FAULTS_MAX 20
#define RUN_ID_MS_MAX UINT64_C(0xFFFFFFFFFFFF) /* until the year 10889; what a clock says beyond has no order */

/* What a call holds while it goes through the steps. */
struct progress {
    const struct writ_call *call;
    struct writ_outcome *outcome;
    const struct writ_skill *skill;
    const struct writ_json *input;
    struct writ_audit *audit;
    struct writ_prepared *prepared;
    unsigned char digest[WRIT_DIGEST_BYTES];
    bool has_digest, began;
};

const char *writ_outcome_name(enum writ_outcome_kind kind)
{
    switch (kind) {
    case WRIT_OUTCOME_SUCCEEDED:
        return "succeeded";
    case WRIT_OUTCOME_FAILED:
        return "failed";
    case WRIT_OUTCOME_UNKNOWN:
        return "unknown";
    case WRIT_OUTCOME_REFUSED:
    default:
        return "refused";
    }
}

/* Sortable by time: 12 hex digits of milliseconds, 20 random ones. */
static int make_run_id(char run_id[40], struct writ_error *error)
{
    struct timespec now;
    unsigned char random[10];
    (void)clock_gettime(CLOCK_REALTIME, &now);
    ssize_t got = getrandom(random, sizeof random, 0);
    if (got != (ssize_t)sizeof random)
        return writ_error_set_errno(error, WRIT_INTERNAL_IO, got < 0 ? errno : EIO, "the kernel gave no random bytes");
    uint64_t ms = ((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000) & RUN_ID_MS_MAX;
    int used = snprintf(run_id, 40, "%012llx", (unsigned long long)ms);
    for (size_t i = 0; i < sizeof random; i++)
        used += snprintf(run_id + used, 40 - (size_t)used, "%02x", random[i]);
    return 0;
}

/* ---- 1, 2: find and trust ---- */
/* A skill that the caller brings is held to what the catalog would have held it to. */
static int check_brought(const struct writ_skill *skill, struct writ_error *error)
{
    if (skill->fault.code) {
        *error = skill->fault;
        return error->code;
    }
    if (!skill->trusted)
        return writ_error_set(error, WRIT_SKILL_UNTRUSTED,
                              "`%s` has not been trusted; look at it, then run `writ trust %s`", skill->folder,
                              skill->folder);
    if (!skill->contract || skill->folder_fd < 0)
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "`%s` was only listed; open the skill to run it",
                              skill->folder);
    return 0;
}

static int find_skill(struct progress *progress)
{
    const struct writ_call *call = progress->call;
    struct writ_outcome *outcome = progress->outcome;
    int result = 0;
    progress->skill = call->skill;
    if (!progress->skill) {
        result = call->folder
                     ? writ_catalog_open_folder(call->folder, &outcome->skill, &outcome->error)
                     : writ_catalog_find(call->catalog, call->id, call->version, &outcome->skill, &outcome->error);
        progress->skill = outcome->skill;
    } else {
        result = check_brought(progress->skill, &outcome->error);
    }
    outcome->skill_id = progress->skill ? progress->skill->id : outcome->skill_id;
    if (progress->skill && progress->skill->contract)
        outcome->skill_version = progress->skill->contract->version_text;
    if (result < 0)
        return result;
    result = writ_skill_digest_cached(progress->skill->folder_fd, call->catalog->places->cache, call->watch,
                                      progress->digest, &outcome->error);
    progress->has_digest = result == 0;
    return result;
}

/* ---- 3: check the input ---- */
/* The error for a document whose faults are in outcome->faults. */
static int tell_faults(struct writ_outcome *outcome, enum writ_code code, const char *what)
{
    const struct writ_schema_faults *faults = &outcome->faults;
    if (faults->count == 1) {
        const struct writ_schema_fault *fault = &faults->items[0];
        bool goes_on = strncmp(fault->message, "must ", 5) == 0; /* a sentence that has its subject in front */
        return writ_error_set(&outcome->error, code, "%s%s%s%s %s", what, fault->instance_pointer[0] ? " at " : "",
                              fault->instance_pointer, goes_on ? "" : ":", fault->message);
    }
    return writ_error_set(&outcome->error, code, "%s has %zu%s faults against its schema", what, faults->count,
                          faults->truncated ? " or more" : "");
}

/* Syntax errors of a document become the document's own class and keep their place. */
static int not_json(struct writ_outcome *outcome, enum writ_code code, const char *what)
{
    struct writ_error *error = &outcome->error;
    if (error->code != WRIT_DATA_SYNTAX && error->code != WRIT_INTERNAL_LIMIT)
        return error->code;
    error->code = code;
    return writ_error_wrap(error, "%s is not one JSON document (line %u, column %u)", what, error->line, error->column);
}

static int check_input(struct progress *progress)
{
    const struct writ_call *call = progress->call;
    struct writ_outcome *outcome = progress->outcome;
    const struct writ_contract *contract = progress->skill->contract;
    if (call->input_length > INPUT_BYTES_MAX)
        return writ_error_set(&outcome->error, WRIT_INPUT_INVALID,
                              "the input is larger than %zu MiB; name a file in it", INPUT_BYTES_MAX >> 20);
    if (writ_json_parse(&outcome->arena, call->input, call->input_length, &progress->input, &outcome->error) < 0)
        return not_json(outcome, WRIT_INPUT_INVALID, "the input");
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer filled;
    writ_buffer_init(&filled, 2 * INPUT_BYTES_MAX);
    int result = writ_contract_apply_defaults(contract, progress->input, &filled, &outcome->error);
    if (result == 0)
        result = writ_json_parse(&outcome->arena, writ_buffer_text(&filled), filled.length, &progress->input,
                                 &outcome->error);
    if (result < 0)
        return result;
    if (writ_schema_check(contract->input, progress->input))
        return 0;
    result = writ_schema_explain(contract->input, progress->input, FAULTS_MAX, &outcome->arena, &outcome->faults,
                                 &outcome->error);
    return result < 0 ? result : tell_faults(outcome, WRIT_INPUT_INVALID, "the input");
}

/* ---- 4, 5: decide and plan ---- */
static int decide_and_plan(struct progress *progress)
{
    const struct writ_call *call = progress->call;
    const struct writ_prepare_request request = {.skill = progress->skill,
                                                 .places = call->catalog->places,
                                                 .input = progress->input,
                                                 .working_folder = call->working_folder,
                                                 .roots = call->roots,
                                                 .root_count = call->root_count,
                                                 .identity_id = call->identity_id,
                                                 .state_folder = call->state_folder,
                                                 .ceilings = call->ceilings,
                                                 .watch = call->watch};
    int result = writ_call_prepare(&request, &progress->prepared, &progress->outcome->error);
    if (result < 0 && progress->prepared && progress->prepared->denial.kind) {
        /* The denial outlives the prepared call: its strings go to the outcome's arena. */
        const struct writ_denial *denial = &progress->prepared->denial;
        struct writ_arena *arena = &progress->outcome->arena;
        progress->outcome->denial =
            (struct writ_denial){.kind = denial->kind,
                                 .what = writ_arena_copy(arena, denial->what, strlen(denial->what)),
                                 .missing = writ_arena_copy(arena, denial->missing, strlen(denial->missing))};
        if (!progress->outcome->denial.what || !progress->outcome->denial.missing)
            progress->outcome->denial = (struct writ_denial){.kind = NULL};
    }
    return result;
}

/* ---- 8: check the output ---- */
/* Words for people in front of the document or behind it are the usual slip. */
static int output_not_json(struct writ_outcome *outcome, const struct writ_buffer *text)
{
    struct writ_error *error = &outcome->error;
    int result = not_json(outcome, WRIT_OUTPUT_INVALID, "the program's output");
    const char *first = writ_buffer_text(text), *last = first + text->length - 1;
    first += strspn(first, " \t\r\n");
    while (last > first && strchr(" \t\r\n", *last))
        last--;
    bool has_words = strchr(first, '{') && (*first != '{' || *last != '}');
    if (result != WRIT_OUTPUT_INVALID || !has_words)
        return result;
    const struct writ_error told = *error;
    (void)writ_error_set(error, WRIT_OUTPUT_INVALID, "%s; print what is for people to standard error", told.message);
    return writ_error_at(error, told.subject, told.line, told.column);
}

static int check_output(struct progress *progress, const struct writ_buffer *text)
{
    struct writ_outcome *outcome = progress->outcome;
    const struct writ_contract *contract = progress->skill->contract;
    const struct writ_json *output;
    if (text->length == 0)
        return writ_error_set(&outcome->error, WRIT_OUTPUT_INVALID,
                              "the program printed nothing; it must print one JSON document on stdout");
    if (writ_json_parse(&outcome->arena, writ_buffer_text(text), text->length, &output, &outcome->error) < 0)
        return output_not_json(outcome, text);
    int result = writ_contract_check_output(contract, output, &outcome->arena, &outcome->faults, &outcome->error);
    if (result < 0)
        return result;
    if (outcome->faults.count > 0)
        return tell_faults(outcome, WRIT_OUTPUT_INVALID, "the program's output");
    outcome->output = output;
    const struct writ_json *success = writ_json_get(output, "success");
    if (success && success->kind == WRIT_JSON_FALSE) {
        const char *message = writ_json_text(writ_json_get(output, "error"));
        return writ_error_set(&outcome->error, WRIT_PROGRAM_REPORTED, "%s",
                              message ? message : "success is false; `error` holds no text");
    }
    return 0;
}

/* What was left behind overrules success, for it could harm whoever comes next; how else the program ended stays what
 * it was, with this told as well. */
static int tell_leftovers(struct writ_outcome *outcome, struct writ_error *left)
{
    const struct writ_error ended = outcome->error;
    if (ended.code != WRIT_OK) {
        (void)writ_error_wrap(left, "%s", ended.message);
        left->code = ended.code;
    }
    outcome->error = *left;
    return left->code;
}

/* ---- 6, 7: enter and supervise ---- */
static int run_program(struct progress *progress)
{
    struct writ_outcome *outcome = progress->outcome;
    struct writ_prepared *prepared = progress->prepared;
    const struct writ_sandbox_options options = {
        .watch = progress->call->watch, .what = "running", .about = outcome->skill_id, .spare = progress->call->spare};
    struct writ_leftovers_start started;
    writ_leftovers_begin(&started);
    struct writ_run_result run;
    int result = writ_sandbox_run(&prepared->plan, &options, &run, &outcome->error);
    if (result == 0) {
        outcome->kind = WRIT_OUTCOME_FAILED;
        outcome->duration_us = run.duration_us;
        outcome->setup_us = run.setup_us;
        outcome->cpu_us = run.cpu_us;
        outcome->memory_peak_bytes = run.memory_peak_bytes;
        outcome->limits_held_by = run.limits_held_by;
        outcome->errors_dropped = run.errors_dropped;
        outcome->exit_status = run.ending == WRIT_ENDED_EXIT ? run.exit_status : 0;
        result = writ_ending_judge(&run, prepared, &outcome->limit, &outcome->error);
        if (result == WRIT_PROGRAM_CRASHED)
            outcome->signal_number = run.signal_number;
        if (result == WRIT_ENDING_UNKNOWN)
            outcome->kind = WRIT_OUTCOME_UNKNOWN;
        outcome->errors = run.errors;
        run.errors = (struct writ_buffer){.data = NULL};
        if (result == 0)
            result = check_output(progress, &run.output);
        struct writ_error left;
        if (writ_leftovers_check(prepared, &started, &outcome->arena, &outcome->denial, &left) < 0)
            result = tell_leftovers(outcome, &left);
        if (result == 0)
            outcome->kind = WRIT_OUTCOME_SUCCEEDED;
        else if (result == WRIT_PROGRAM_REPORTED || result == WRIT_PROGRAM_FAILED)
            outcome->advice =
                writ_ungranted_advice(prepared, progress->skill->folder, progress->input, outcome->error.message,
                                      writ_buffer_text(&outcome->errors), &outcome->arena);
    }
    writ_run_result_clear(&run);
    return result;
}

/* ---- 9: record ---- */
static int record_begin(struct progress *progress)
{
    const struct writ_call *call = progress->call;
    const struct writ_record_begin begin = {.run_id = progress->outcome->run_id,
                                            .caller = call->caller,
                                            .identity_id = call->identity_id,
                                            .skill_id = progress->outcome->skill_id,
                                            .skill_version = progress->outcome->skill_version,
                                            .source =
                                                progress->skill ? writ_source_name(progress->skill->source) : NULL,
                                            .folder = progress->skill ? progress->skill->folder : NULL,
                                            .digest = progress->has_digest ? progress->digest : NULL,
                                            .input = call->input,
                                            .input_length = call->input_length,
                                            .prepared = progress->prepared};
    struct writ_error error;
    int result = writ_record_append_begin(progress->audit, &begin, &error);
    progress->began = result == 0;
    if (result < 0)
        progress->outcome->error = error;
    return result;
}

/* Without an end record the call reads `outcome:unknown`; a begin that could not be written has no end. */
static void record_end(struct progress *progress)
{
    struct writ_outcome *outcome = progress->outcome;
    if (!progress->began && outcome->kind == WRIT_OUTCOME_REFUSED && progress->audit &&
        outcome->error.code != WRIT_INTERNAL_AUDIT) {
        struct writ_error refused = outcome->error;
        if (record_begin(progress) < 0)
            return;
        outcome->error = refused;
    }
    if (!progress->began)
        return;
    const struct writ_record_end end = {.run_id = outcome->run_id,
                                        .outcome = writ_outcome_name(outcome->kind),
                                        .error = outcome->error.code ? &outcome->error : NULL,
                                        .denial = outcome->denial.kind ? &outcome->denial : NULL,
                                        .output = outcome->output,
                                        .exit_status = outcome->exit_status,
                                        .signal_number = outcome->signal_number,
                                        .duration_us = outcome->duration_us,
                                        .setup_us = outcome->setup_us,
                                        .cpu_us = outcome->cpu_us,
                                        .memory_peak_bytes = outcome->memory_peak_bytes,
                                        .limits_held_by = outcome->limits_held_by};
    /* What was done must be recorded, however long it takes: who watches is told, and cannot end this. */
    const struct writ_watch *watch = progress->call->watch;
    const struct writ_watch telling = {
        .cancel_fd = -1, .tick = watch ? watch->tick : NULL, .context = watch ? watch->context : NULL};
    writ_audit_set_watch(progress->audit, &telling);
    struct writ_error error;
    int result = writ_record_append_end(progress->audit, &end, &error);
    writ_audit_set_watch(progress->audit, NULL);
    if (result < 0) {
        /* What happened can no longer be proved: that is what the caller must hear. */
        outcome->error = error;
        outcome->kind = outcome->kind == WRIT_OUTCOME_REFUSED ? WRIT_OUTCOME_REFUSED : WRIT_OUTCOME_UNKNOWN;
        outcome->output = NULL;
    }
}

static int go_through_steps(struct progress *progress)
{
    const struct writ_call *call = progress->call;
    int result = 0;
    if (!call->explain_only)
        result = writ_audit_open(call->catalog->places->state, &progress->audit, &progress->outcome->error);
    if (progress->audit)
        writ_audit_set_watch(progress->audit, call->watch);
    if (result == 0)
        result = find_skill(progress);
    if (result == 0)
        result = check_input(progress);
    if (result == 0)
        result = decide_and_plan(progress);
    if (result < 0 || call->explain_only)
        return result;
    /* Here is the last moment at which nothing was done yet. */
    const struct writ_activity activity = {.what = "preparing", .about = progress->outcome->skill_id};
    result = writ_watch_check(call->watch, &activity, &progress->outcome->error);
    if (result == 0)
        result = record_begin(progress);
    return result < 0 ? result : run_program(progress);
}

int writ_invoke(const struct writ_call *call, struct writ_outcome *ret_outcome)
{
    struct writ_outcome *outcome = ret_outcome;
    *outcome = (struct writ_outcome){.kind = WRIT_OUTCOME_REFUSED,
                                     .skill_id = call->folder ? NULL : call->id,
                                     .skill_version = "",
                                     .limits_held_by = ""};
    writ_arena_init(&outcome->arena, OUTCOME_ARENA_BYTES);
    struct progress progress = {.call = call, .outcome = outcome};
    /* What was tried on the way and did not matter must not count as how it ended. */
    if (make_run_id(outcome->run_id, &outcome->error) == 0 && go_through_steps(&progress) == 0)
        outcome->error.code = WRIT_OK;
    record_end(&progress);
    if (call->explain_only && outcome->error.code == WRIT_OK)
        outcome->prepared = progress.prepared;
    else
        writ_prepared_free(progress.prepared, outcome->kind == WRIT_OUTCOME_SUCCEEDED);
    writ_audit_close(progress.audit);
    return outcome->error.code;
}

void writ_outcome_clear(struct writ_outcome *outcome)
{
    writ_prepared_free(outcome->prepared, false);
    outcome->prepared = NULL;
    writ_skill_free(outcome->skill);
    outcome->skill = NULL;
    writ_buffer_clear(&outcome->errors);
    writ_arena_clear(&outcome->arena);
}
