/* `writ audit`: the calls that were recorded. */
#include "audit/audit.h"
#include "base/descriptor.h"
#include "cli/audit_rows.h"
#include "cli/handlers.h"
#include "cli/interrupt.h"

#include <string.h>

#define CALLS_SHOWN_MAX 100000
#define RECORDS_TOLD 1000 /* between two words to the watch */
#define STOP 1            /* of a walk through the log: no error */

static const struct cli_option options[] = {
    {"follow", 'f', NULL, "show the last calls, then wait for further ones and show them as they end"},
    {"count", 'n', "N", "show the last N calls (0: all; by default what the setting audit.count says, 20)"},
    {"skill", 0, "ID", "only calls of this skill"},
    {"outcome", 0, "succeeded|failed|refused|unknown", "only calls that ended so"},
    {"class", 0, "CLASS", "only calls that ended with this error class"},
    {"since", 0, "TIME", "only calls since TIME: 2026-11-30, 2026-11-30T12:00, 14:03, today, or 2h and 7d ago"},
    {"run", 0, "RUN", "only the call whose id begins with ID, with all that was recorded of it"},
    CLI_OPTION_JSON,
};

/* One call: its begin record and, once there, its end; both as stored. */
struct entry {
    struct entry *next;
    char *begin, *end;
    char run[48];
};
struct listing {
    struct cli_audit_rows *rows;
    struct cli_progress *progress;
    uint64_t next_sequence; /* after the last record that was seen */
    const char *skill, *outcome, *class_name, *since, *run;
    bool as_json, follow;
    struct entry *open;  /* begins whose end was not seen, newest first */
    struct entry **last; /* ring of the last `count` finished calls; NULL: print at once */
    size_t count, position, held;
};

static void free_entry(struct entry *entry)
{
    if (!entry)
        return;
    free(entry->begin);
    free(entry->end);
    free(entry);
}

/* A call without an end has the class that says so. */
static const char *class_of(const struct writ_json *end)
{
    return end ? writ_json_text_or(end, "class", "") : writ_code_class(WRIT_ENDING_UNKNOWN);
}

static bool is_wanted(const struct listing *listing, const struct entry *entry, const struct writ_json *begin,
                      const struct writ_json *end)
{
    const char *outcome = writ_json_text_or(end, "outcome", "unknown");
    return (!listing->skill || strcmp(writ_json_text_or(begin, "skill", ""), listing->skill) == 0) &&
           (!listing->outcome || strcmp(outcome, listing->outcome) == 0) &&
           (!listing->class_name || strcmp(class_of(end), listing->class_name) == 0) &&
           (!listing->since || strcmp(writ_json_text_or(begin, "time", ""), listing->since) >= 0) &&
           (!listing->run || strncmp(entry->run, listing->run, strlen(listing->run)) == 0);
}

static void print_entry(struct listing *listing, const struct entry *entry)
{
    if (!listing->as_json) {
        cli_audit_rows_add(listing->rows, entry->begin, entry->end);
        return;
    }
    const char *const parts[] = {"{\"begin\":", entry->begin, ",\"end\":", entry->end ? entry->end : "null", "}\n"};
    for (size_t i = 0; i < WRIT_COUNT(parts); i++)
        if (listing->rows->terminal->out_is_terminal)
            cli_print_safe(stdout, parts[i], strlen(parts[i]));
        else
            (void)fputs(parts[i], stdout);
}

/* A finished call is printed at once, or held in the ring of the last ones. Takes the entry over. */
static void finish_entry(struct listing *listing, struct entry *entry)
{
    if (!listing->last) {
        print_entry(listing, entry);
        (void)fflush(stdout);
        free_entry(entry);
        return;
    }
    free_entry(listing->last[listing->position]);
    listing->last[listing->position] = entry;
    listing->position = (listing->position + 1) % listing->count;
    listing->held += listing->held < listing->count;
}

static void print_held(struct listing *listing)
{
    if (!listing->last)
        return;
    size_t start = listing->held < listing->count ? 0 : listing->position;
    for (size_t i = 0; i < listing->held; i++) {
        size_t at = (start + i) % listing->count;
        print_entry(listing, listing->last[at]);
        free_entry(listing->last[at]);
    }
    free(listing->last);
    listing->last = NULL;
}

static int visit_begin(struct listing *listing, const struct writ_audit_record *record, const char *run,
                       struct writ_error *error)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (entry)
        entry->begin = strndup(record->line, record->length);
    if (!entry || !entry->begin) {
        free_entry(entry);
        return writ_error_memory(error);
    }
    (void)snprintf(entry->run, sizeof entry->run, "%s", run);
    entry->next = listing->open;
    listing->open = entry;
    return 0;
}

static int visit_end(struct listing *listing, const struct writ_audit_record *record, const char *run,
                     struct writ_error *error)
{
    struct entry **link = &listing->open;
    while (*link && strcmp((*link)->run, run) != 0)
        link = &(*link)->next;
    struct entry *entry = *link;
    if (!entry)
        return 0; /* its begin lies before what is shown */
    *link = entry->next;
    entry->end = strndup(record->line, record->length);
    if (!entry->end) {
        free_entry(entry);
        return writ_error_memory(error);
    }
    struct writ_arena arena;
    const struct writ_json *begin;
    writ_arena_init(&arena, (size_t)4 << 20);
    struct writ_error ignored;
    bool wanted = writ_json_parse(&arena, entry->begin, strlen(entry->begin), &begin, &ignored) == 0 &&
                  is_wanted(listing, entry, begin, record->json);
    writ_arena_clear(&arena);
    if (wanted)
        finish_entry(listing, entry);
    else
        free_entry(entry);
    return 0;
}

static int visit(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    struct listing *listing = context;
    listing->next_sequence = record->sequence + 1;
    if (listing->last && record->sequence % RECORDS_TOLD == 0)
        writ_watch_tell(&listing->progress->watch, &(struct writ_activity){.what = "reading the audit"});
    const char *type = writ_json_text_or(record->json, "type", ""), *run = writ_json_text_or(record->json, "run", "");
    int result = 0;
    if (strcmp(type, "begin") == 0)
        result = visit_begin(listing, record, run, error);
    else if (strcmp(type, "end") == 0)
        result = visit_end(listing, record, run, error);
    /* Once nobody reads what is printed, there is nothing to wait for. */
    return result == 0 && ferror(stdout) ? STOP : result;
}

/* What began and has no end: still running, or cut off; either way its outcome is not known. */
static void list_open(struct listing *listing)
{
    struct entry *oldest_first = NULL;
    while (listing->open) {
        struct entry *entry = listing->open;
        listing->open = entry->next;
        entry->next = oldest_first;
        oldest_first = entry;
    }
    while (oldest_first) {
        struct entry *entry = oldest_first;
        oldest_first = entry->next;
        struct writ_arena arena;
        struct writ_error ignored;
        const struct writ_json *begin;
        writ_arena_init(&arena, (size_t)4 << 20);
        bool wanted = !listing->follow &&
                      writ_json_parse(&arena, entry->begin, strlen(entry->begin), &begin, &ignored) == 0 &&
                      is_wanted(listing, entry, begin, NULL);
        writ_arena_clear(&arena);
        if (wanted)
            finish_entry(listing, entry);
        else
            free_entry(entry);
    }
}

static int read_count(const struct cli_context *context, const struct cli_arguments *arguments, struct listing *listing,
                      struct writ_error *error)
{
    const char *text = cli_option_text(arguments, "count");
    uint64_t count = context->settings.values[WRIT_SETTING_AUDIT_COUNT].number;
    char *end = NULL;
    if (text) {
        count = strtoul(text, &end, 10);
        if (text[0] < '0' || text[0] > '9' || *end || count > CALLS_SHOWN_MAX)
            return writ_error_set(error, WRIT_USAGE, "--count takes a number from 0 to %d, not `%s`", CALLS_SHOWN_MAX,
                                  text);
    }
    if (count == 0)
        return 0;
    listing->count = count;
    listing->last = calloc(count, sizeof *listing->last);
    return listing->last ? 0 : writ_error_memory(error);
}

static bool is_class(const char *text)
{
#define X(name, class_name, exit_status, meaning)                                                                      \
    if (strcmp(text, class_name) == 0)                                                                                 \
        return true;
    WRIT_CODES(X)
#undef X
    return false;
}

/* A filter that nothing can pass is a slip, not a question. */
static int check_filters(const struct listing *listing, struct writ_error *error)
{
    static const char *const outcomes[] = {"succeeded", "failed", "refused", "unknown"};
    bool known = !listing->outcome;
    for (size_t i = 0; i < WRIT_COUNT(outcomes); i++)
        known = known || strcmp(listing->outcome, outcomes[i]) == 0;
    if (!known)
        return writ_error_set(error, WRIT_USAGE, "--outcome takes succeeded, failed, refused or unknown, not `%.60s`",
                              listing->outcome);
    if (listing->class_name && !is_class(listing->class_name))
        return writ_error_set(error, WRIT_USAGE,
                              "--class takes a class of error such as input:invalid or limit:timeout, not `%.60s`",
                              listing->class_name);
    return 0;
}

/* Nothing at all wants a word for a person, or it looks as if something went wrong; a program counts lines. */
static void print_none(const struct cli_context *context, const struct listing *listing)
{
    bool filtered = listing->skill || listing->outcome || listing->class_name || listing->since || listing->run;
    if (listing->rows->count > 0 || listing->as_json || listing->follow || !context->terminal.out_is_terminal ||
        context->verbosity == CLI_QUIET)
        return;
    (void)printf(filtered ? "no call that was recorded is such\n"
                          : "no calls are recorded yet; `writ run ID` makes one\n");
}

static int list(struct cli_context *context, struct listing *listing, struct writ_error *error)
{
    const char *state = context->places.state;
    int result = writ_audit_read(state, 0, visit, listing, error);
    cli_progress_hide(listing->progress);
    if (result == 0 && listing->follow) {
        int stop_fd = cli_interrupt_open();
        /* What is running now is shown when it ends, so its begin is kept. */
        print_held(listing);
        (void)fflush(stdout);
        result = writ_audit_follow(state, listing->next_sequence, stop_fd, visit, listing, error);
        (void)cli_interrupt_close(&stop_fd);
    }
    list_open(listing);
    print_held(listing);
    if (result >= 0)
        result = cli_audit_rows_print(listing->rows, error);
    if (result >= 0)
        print_none(context, listing);
    return result;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    WRIT_CLEANUP(cli_audit_rows_clear) struct cli_audit_rows rows;
    struct listing listing = {.rows = &rows,
                              .progress = context->progress,
                              .skill = cli_option_text(arguments, "skill"),
                              .outcome = cli_option_text(arguments, "outcome"),
                              .class_name = cli_option_text(arguments, "class"),
                              .since = cli_option_text(arguments, "since"),
                              .run = cli_option_text(arguments, "run"),
                              .as_json = cli_option_is_set(arguments, "json"),
                              .follow = cli_option_is_set(arguments, "follow")};
    struct writ_error error;
    char since[WRIT_TIME_TEXT_BYTES];
    int result = check_filters(&listing, &error);
    if (result == 0)
        result = read_count(context, arguments, &listing, &error);
    cli_audit_rows_init(&rows, context, listing.last && !listing.follow && !listing.run, listing.run != NULL);
    if (result == 0 && listing.since) {
        result = cli_when_parse(&rows.clock, listing.since, since, &error);
        listing.since = since;
    }
    if (result == 0)
        result = list(context, &listing, &error);
    free(listing.last);
    return result < 0 ? cli_report(context, &error) : 0;
}

static const struct cli_example examples[] = {
    {"writ audit -n 5", "the last five calls"},
    {"writ audit --outcome failed --since 7d", "the calls that failed in the last seven days"},
};

const struct cli_command cli_command_audit = {
    .name = "audit",
    .group = CLI_GROUP_ANSWER_FOR,
    .usage = "",
    .summary = "the calls that were recorded",
    .details = "One line a call: when it began, how it ended, how long it ran, the begin of its id, the skill, the "
               "error's class. Times are local unless the setting time-zone says utc, and --since takes them so; a Z "
               "at its end means UTC. --json has the exact times, in UTC. Inputs and outputs are recorded by digest "
               "only.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .handler = handle,
};
