#include "cli/test_round.h"

#include "base/text.h"
#include "cli/skill_argument.h"
#include "cli/when.h"
#include "data/json.h"
#include "run/build_native.h"
#include "run/self_test.h"

#include <string.h>
#include <time.h>

#define DOCUMENT_BYTES_MAX ((size_t)64 << 20)
#define FAILURES_BYTES_MAX ((size_t)256 << 10)
#define NAMES_SHOWN_MAX 3

struct round {
    struct cli_context *context;
    const struct cli_test_plan *plan;
    struct writ_json_writer *writer; /* NULL: for people */
    const struct writ_skill *skill;  /* whose tests run */
    size_t skills, passed, failed, not_tested;
    int status;
    bool built, is_headed; /* of `skill`: its main was built; its heading is printed */
    bool interrupted;
    bool is_named;             /* the one test was found */
    struct writ_error unnamed; /* why it was not, of the first skill */
    struct writ_buffer failures;
};

/* Several documents in one, or lines of documents: then a failure is a part of it, not the whole. */
static bool is_compound(const struct cli_test_plan *plan)
{
    return plan->count > 1 || plan->is_watched;
}

/* ---- one test ---- */

static void write_test(struct writ_json_writer *writer, const struct writ_self_test_result *result)
{
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "name", result->name);
    writ_json_write_member_bool(writer, "passed", result->passed);
    writ_json_write_member_double(writer, "duration_ms", (double)(result->duration_us / 10) / 100);
    writ_json_write_member_text(writer, "difference", result->difference);
    writ_json_write_object_end(writer);
}

static void tell_skill(struct round *round)
{
    round->is_headed = true;
    cli_print_styled(&round->context->terminal, stdout, CLI_BOLD, round->skill->id);
    (void)printf(" %s%s\n", round->skill->contract->version_text, round->built ? " (main built from main.c)" : "");
    (void)fflush(stdout);
}

static void tell_test(void *context, const struct writ_self_test_result *result)
{
    struct round *round = context;
    const struct cli_terminal *terminal = &round->context->terminal;
    if (!result->passed && round->plan->count > 1)
        writ_buffer_printf(&round->failures, "%s: %s\n", round->skill->id, result->name);
    if (round->writer) {
        write_test(round->writer, result);
        return;
    }
    cli_progress_hide(round->context->progress);
    if (!round->is_headed) /* of several skills only those that have the one test */
        tell_skill(round);
    (void)printf("  ");
    cli_print_styled(terminal, stdout, result->passed ? CLI_GREEN : CLI_RED, result->passed ? "pass" : "FAIL");
    (void)printf("  ");
    cli_print_safe_text(stdout, result->name);
    (void)fputc('\n', stdout);
    if (result->difference) {
        (void)printf("        ");
        cli_print_safe_text(stdout, result->difference);
        (void)fputc('\n', stdout);
    }
    (void)fflush(stdout);
}

/* ---- one skill ---- */

static void write_counts(struct writ_json_writer *writer, size_t passed, size_t failed)
{
    writ_json_write_member_integer(writer, "passed", (int64_t)passed);
    writ_json_write_member_integer(writer, "failed", (int64_t)failed);
}

static void tell_not_tested(struct round *round, const char *argument, const struct writ_skill *skill,
                            const struct writ_error *error)
{
    round->interrupted = round->interrupted || error->code == WRIT_INTERRUPTED;
    if (round->interrupted && round->plan->is_watched)
        return;
    round->not_tested++;
    int status = writ_code_exit_status(error->code);
    if (round->writer && is_compound(round->plan)) {
        struct writ_json_writer *writer = round->writer;
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "skill", skill ? skill->id : argument);
        writ_json_write_key(writer, "error");
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "class", writ_code_class(error->code));
        writ_json_write_member_text(writer, "message", error->message);
        writ_json_write_object_end(writer);
        writ_json_write_object_end(writer);
    } else {
        status = cli_report_skill(round->context, error, skill);
    }
    round->status = round->status > 1 ? round->status : status;
}

static int run_tests(struct round *round, struct writ_self_test_summary *summary, struct writ_error *error)
{
    const struct writ_self_test_options options = {.catalog = round->plan->catalog,
                                                   .skill = round->skill,
                                                   .identity_id = round->context->identity_id,
                                                   .ceilings = cli_ceilings(round->context),
                                                   .only = round->plan->only,
                                                   .watch = &round->context->progress->watch,
                                                   .report = tell_test,
                                                   .context = round};
    int result = writ_self_test_run(&options, summary, error);
    cli_progress_hide(round->context->progress);
    return result;
}

static void count_skill(struct round *round, const struct writ_self_test_summary *summary)
{
    round->skills++;
    round->is_named = true;
    round->passed += summary->passed;
    round->failed += summary->failed;
    bool fails = summary->failed > 0 || summary->passed == 0;
    round->status = round->status ? round->status : fails;
    if (summary->passed + summary->failed == 0 && !round->writer)
        (void)fprintf(stderr, "writ: %s has no tests; add `test:` to its skill.yaml\n", round->skill->id);
}

/* The tests of one loaded skill.  A document of it that could not be finished is taken back. */
static int test_skill(struct round *round, struct writ_error *error)
{
    struct writ_self_test_summary summary = {0, 0};
    bool built = false;
    int result =
        writ_build_native(round->skill, &round->context->places, &round->context->progress->watch, &built, error);
    cli_progress_hide(round->context->progress);
    if (result < 0)
        return result;
    if (!round->writer) {
        round->built = built;
        if (!round->plan->only)
            tell_skill(round);
        result = run_tests(round, &summary, error);
        if (result == 0 && round->plan->count == 1)
            (void)printf("%zu passed, %zu failed\n", summary.passed, summary.failed);
    } else {
        struct writ_json_writer *writer = round->writer;
        const struct writ_json_writer before = *writer;
        size_t length = writer->out->length;
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "skill", round->skill->id);
        writ_json_write_key(writer, "tests");
        writ_json_write_array(writer);
        result = run_tests(round, &summary, error);
        writ_json_write_array_end(writer);
        write_counts(writer, summary.passed, summary.failed);
        writ_json_write_object_end(writer);
        if (result < 0) {
            *writer = before;
            writ_buffer_truncate(writer->out, length);
        }
    }
    if (result == 0)
        count_skill(round, &summary);
    return result;
}

static void test_target(struct round *round, const struct cli_test_target *target)
{
    struct writ_skill *skill = NULL;
    struct writ_error error;
    int result = cli_skill_open(round->plan->catalog, target->argument, &skill, &error);
    round->skill = skill;
    round->built = round->is_headed = false;
    bool opened = result == 0;
    if (opened)
        result = test_skill(round, &error);
    bool is_unnamed = opened && result == WRIT_USAGE && round->plan->only;
    if (is_unnamed && round->unnamed.code == WRIT_OK)
        round->unnamed = error;
    else if (result < 0 && !is_unnamed)
        tell_not_tested(round, target->argument, skill, &error);
    round->skill = NULL;
    writ_skill_free(skill);
}

/* ---- the round ---- */

static const char *verb_of(enum cli_change_kind kind)
{
    return kind == CLI_ADDED ? "added" : kind == CLI_REMOVED ? "removed" : "changed";
}

/* `--- 14:03:22  main.py changed, tests/b.yaml added and 2 more`: the day is the reader's own, the hour in their zone.
 */
static void tell_changes(const struct round *round)
{
    char clock[16] = "";
    struct cli_clock zone;
    struct tm local;
    cli_clock_init(&zone, round->context);
    time_t now = (time_t)zone.now;
    if (zone.utc ? gmtime_r(&now, &local) : localtime_r(&now, &local))
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &local);
    const struct cli_terminal *terminal = &round->context->terminal;
    size_t shown = 0, total = 0;
    cli_print_styled(terminal, stdout, CLI_DIM, terminal->out_is_terminal ? "\n--- " : "--- ");
    cli_print_styled(terminal, stdout, CLI_DIM, clock);
    (void)printf("  ");
    for (size_t i = 0; i < round->plan->count; i++) {
        const struct cli_test_target *target = &round->plan->targets[i];
        const struct cli_changes *since = target->since;
        total += since ? since->total : 0;
        for (size_t j = 0; since && j < since->count && shown < NAMES_SHOWN_MAX; j++, shown++) {
            const char *path = since->items[j].path;
            const char *folder = strrchr(cli_folder_watch_folder(target->watch), '/') + 1;
            (void)printf(shown ? ", " : "");
            if (round->plan->count > 1 || !path[0])
                cli_print_cut(stdout, folder, 0, 0);
            (void)printf(round->plan->count > 1 && path[0] ? "/" : "");
            cli_print_cut(stdout, path, 0, 0);
            (void)printf(" %s", verb_of(since->items[j].kind));
        }
    }
    if (total > shown)
        (void)printf(" and %zu more", total - shown);
    (void)fputc('\n', stdout);
    (void)fflush(stdout);
}

static void write_changes(struct writ_json_writer *writer, const struct cli_test_plan *plan)
{
    writ_json_write_key(writer, "changed");
    writ_json_write_array(writer);
    for (size_t i = 0; i < plan->count; i++) {
        const struct cli_changes *since = plan->targets[i].since;
        for (size_t j = 0; since && j < since->count; j++) {
            WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer path;
            writ_buffer_init(&path, 64 << 10);
            const char *below = since->items[j].path;
            writ_buffer_printf(&path, "%s%s%s", cli_folder_watch_folder(plan->targets[i].watch), below[0] ? "/" : "",
                               below);
            writ_json_write_object(writer);
            writ_json_write_member_text(writer, "path", writ_buffer_text(&path));
            writ_json_write_member_text(writer, "what", verb_of(since->items[j].kind));
            writ_json_write_object_end(writer);
        }
    }
    writ_json_write_array_end(writer);
}

static void begin_document(struct writ_json_writer *writer, const struct cli_test_plan *plan, size_t number)
{
    writ_json_write_object(writer);
    if (plan->is_watched) {
        struct timespec now = {0};
        char time[WRIT_TIME_TEXT_BYTES];
        (void)clock_gettime(CLOCK_REALTIME, &now);
        writ_time_print(&now, time);
        writ_json_write_member_integer(writer, "round", (int64_t)number);
        writ_json_write_member_text(writer, "time", time);
        write_changes(writer, plan);
    }
    writ_json_write_key(writer, "skills");
    writ_json_write_array(writer);
}

static void end_document(struct round *round)
{
    struct writ_json_writer *writer = round->writer;
    writ_json_write_array_end(writer);
    write_counts(writer, round->passed, round->failed);
    writ_json_write_member_integer(writer, "not_tested", (int64_t)round->not_tested);
    writ_json_write_object_end(writer);
}

/* What came out of several skills, the failures by name once more: they may stand far above. */
static void tell_summary(const struct round *round)
{
    const struct cli_terminal *terminal = &round->context->terminal;
    (void)printf("%zu skill%s: %zu passed, %zu failed", round->skills, round->skills == 1 ? "" : "s", round->passed,
                 round->failed);
    if (round->not_tested > 0)
        (void)printf(", %zu could not be tested", round->not_tested);
    (void)fputc('\n', stdout);
    for (const char *line = writ_buffer_text(&round->failures); *line;) {
        size_t length = strcspn(line, "\n");
        (void)printf("  ");
        cli_print_styled(terminal, stdout, CLI_RED, "FAIL");
        (void)printf("  ");
        cli_print_safe(stdout, line, length);
        (void)fputc('\n', stdout);
        line += length + (line[length] == '\n');
    }
}

int cli_test_round(struct cli_context *context, const struct cli_test_plan *plan, size_t number, bool *ret_interrupted)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    struct round round = {.context = context, .plan = plan, .writer = context->as_json ? &writer : NULL};
    writ_buffer_init(&out, DOCUMENT_BYTES_MAX);
    writ_buffer_init(&round.failures, FAILURES_BYTES_MAX);
    writ_json_writer_init(&writer, &out);
    if (round.writer && is_compound(plan))
        begin_document(&writer, plan, number);
    else if (!round.writer && number > 1)
        tell_changes(&round);
    for (size_t i = 0; i < plan->count && !round.interrupted; i++)
        if (plan->targets[i].is_due)
            test_target(&round, &plan->targets[i]);
    bool is_unnamed = !round.is_named && round.unnamed.code != WRIT_OK && !round.interrupted;
    if (is_unnamed && plan->count > 1)
        (void)writ_error_set(&round.unnamed, WRIT_USAGE,
                             "none of the skills has a test `%.200s`; `writ test` without --only names them",
                             plan->only);
    if (is_unnamed)
        tell_not_tested(&round, plan->targets[0].argument, NULL, &round.unnamed);
    *ret_interrupted = round.interrupted;
    if (round.writer && is_compound(plan))
        end_document(&round);
    /* Whoever watches has ended it; what a round has told by itself is told. */
    bool is_told = (round.interrupted && plan->is_watched) || (round.writer && !is_compound(plan) && round.skills == 0);
    if (round.writer && !is_told)
        round.status = cli_finish_document(context, &out, round.status);
    else if (!round.writer && plan->count > 1 && !round.interrupted && !is_unnamed)
        tell_summary(&round);
    writ_buffer_clear(&round.failures);
    (void)fflush(stdout);
    return round.status;
}
