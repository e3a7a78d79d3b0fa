/* `writ audit` and `writ audit verify`: the calls that were recorded, and whether the record is whole. */
#include "audit/audit.h"
#include "base/descriptor.h"
#include "cli/handlers.h"
#include "cli/interrupt.h"

#include <string.h>

#define CALLS_SHOWN 20
#define CALLS_SHOWN_MAX 100000
#define EXIT_BROKEN 1
#define STOP 1 /* of a walk through the log: no error */

static const struct cli_option options[] = {
    {"follow", 'f', NULL, "show the last calls, then wait for further ones and show them as they end"},
    {"count", 'n', "N", "show the last N calls (20; 0: all)"},
    {"skill", 0, "ID", "only calls of this skill"},
    {"outcome", 0, "succeeded|failed|refused|unknown", "only calls that ended so"},
    {"class", 0, "CLASS", "only calls that ended with this error class"},
    {"since", 0, "TIME", "only calls since TIME (UTC, such as 2026-11-30 or 2026-11-30T12:00)"},
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
    const struct cli_terminal *terminal;
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

static const char *text_or(const struct writ_json *object, const char *key, const char *otherwise)
{
    const char *text = writ_json_text(writ_json_get(object, key));
    return text ? text : otherwise;
}

/* A call without an end has the class that says so. */
static const char *class_of(const struct writ_json *end)
{
    return end ? text_or(end, "class", "") : writ_code_class(WRIT_ENDING_UNKNOWN);
}

static bool is_wanted(const struct listing *listing, const struct entry *entry, const struct writ_json *begin,
                      const struct writ_json *end)
{
    const char *outcome = text_or(end, "outcome", "unknown");
    return (!listing->skill || strcmp(text_or(begin, "skill", ""), listing->skill) == 0) &&
           (!listing->outcome || strcmp(outcome, listing->outcome) == 0) &&
           (!listing->class_name || strcmp(class_of(end), listing->class_name) == 0) &&
           (!listing->since || strcmp(text_or(begin, "time", ""), listing->since) >= 0) &&
           (!listing->run || strncmp(entry->run, listing->run, strlen(listing->run)) == 0);
}

/* The first bytes of a stored text: whoever owns the log may have written anything there. */
static void print_begin_of(const char *text, size_t bytes_max)
{
    cli_print_safe_line(stdout, text, strnlen(text, bytes_max));
    (void)printf("  ");
}

static void print_row(const struct cli_terminal *terminal, const struct writ_json *begin, const struct writ_json *end)
{
    const char *outcome = text_or(end, "outcome", "unknown");
    int64_t duration_us = 0;
    const struct writ_json *duration = writ_json_get(end, "duration_us");
    if (duration && writ_json_is_number(duration))
        (void)!writ_json_int64(duration, &duration_us);
    print_begin_of(text_or(begin, "time", "-"), 19);
    cli_print_styled(terminal, stdout,
                     strcmp(outcome, "succeeded") == 0 ? CLI_GREEN
                     : strcmp(outcome, "failed") == 0  ? CLI_RED
                                                       : CLI_YELLOW,
                     outcome);
    (void)printf("%*s", (int)(11 - (strlen(outcome) < 10 ? strlen(outcome) : 10)), "");
    (void)printf("%8.1f ms  ", (double)duration_us / 1000);
    print_begin_of(text_or(begin, "run", "-"), 12);
    cli_print_safe_text(stdout, text_or(begin, "skill", "-"));
    const char *version = text_or(begin, "version", ""), *class_name = class_of(end);
    if (version[0])
        (void)putchar('@');
    cli_print_safe_text(stdout, version);
    if (class_name[0])
        (void)printf("  ");
    cli_print_safe_text(stdout, class_name);
    (void)putchar('\n');
}

/* Every member of one call's records, a line each. */
static void print_whole(const struct writ_json *record)
{
    WRIT_JSON_EACH_MEMBER(key, record)
    {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        writ_buffer_init(&text, WRIT_AUDIT_RECORD_BYTES_MAX * 2);
        if (key[1].kind == WRIT_JSON_STRING)
            writ_buffer_append(&text, key[1].text, key[1].length);
        else
            writ_json_print(&text, key + 1, WRIT_JSON_COMPACT);
        (void)printf("  ");
        cli_print_safe_line(stdout, key->text, key->length);
        (void)printf("%*s", key->length < 18 ? (int)(19 - key->length) : 1, "");
        cli_print_safe_line(stdout, writ_buffer_text(&text), text.length);
        (void)putchar('\n');
    }
}

static void print_entry(const struct listing *listing, const struct entry *entry)
{
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *begin = NULL, *end = NULL;
    writ_arena_init(&arena, (size_t)8 << 20);
    if (listing->as_json) {
        (void)printf("{\"begin\":%s,\"end\":%s}\n", entry->begin, entry->end ? entry->end : "null");
    } else if (writ_json_parse(&arena, entry->begin, strlen(entry->begin), &begin, &error) == 0 &&
               (!entry->end || writ_json_parse(&arena, entry->end, strlen(entry->end), &end, &error) == 0)) {
        print_row(listing->terminal, begin, end);
        if (listing->run) {
            print_whole(begin);
            if (end)
                print_whole(end);
        }
    }
    writ_arena_clear(&arena);
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
    const char *type = text_or(record->json, "type", ""), *run = text_or(record->json, "run", "");
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

static int read_count(const struct cli_arguments *arguments, struct listing *listing, struct writ_error *error)
{
    const char *text = cli_option_text(arguments, "count");
    unsigned long count = CALLS_SHOWN;
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

/* `2026-11-30`, with as much of `T12:00:00Z` behind it as one likes: compared as text, so it must look like one. */
static bool is_time(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd";
    size_t i = 0;
    for (; form[i] && text[i]; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return i >= 10 && i != 11 && form[i - 1] == 'd' && (!text[i] || strcmp(text + i, "Z") == 0 || text[i] == '.');
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
    if (listing->since && !is_time(listing->since))
        return writ_error_set(error, WRIT_USAGE,
                              "--since takes a time in UTC such as 2026-11-30 or 2026-11-30T12:00, not `%.60s`",
                              listing->since);
    return 0;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct listing listing = {.terminal = &context->terminal,
                              .skill = cli_option_text(arguments, "skill"),
                              .outcome = cli_option_text(arguments, "outcome"),
                              .class_name = cli_option_text(arguments, "class"),
                              .since = cli_option_text(arguments, "since"),
                              .run = cli_option_text(arguments, "run"),
                              .as_json = cli_option_is_set(arguments, "json"),
                              .follow = cli_option_is_set(arguments, "follow")};
    struct writ_error error;
    const char *state = context->places.state;
    int result = check_filters(&listing, &error);
    if (result == 0)
        result = read_count(arguments, &listing, &error);
    if (result == 0)
        result = writ_audit_read(state, 0, visit, &listing, &error);
    if (result == 0 && listing.follow) {
        /* What is running now is shown when it ends, so its begin is kept. */
        print_held(&listing);
        (void)fflush(stdout);
        WRIT_CLEANUP(writ_descriptor_close) int stop_fd = cli_interrupt_open();
        result = writ_audit_follow(state, listing.next_sequence, stop_fd, visit, &listing, &error);
    }
    list_open(&listing);
    print_held(&listing);
    return result < 0 ? cli_report(context, &error) : 0;
}

/* ---- verify ---- */
static const struct cli_option verify_options[] = {
    {"head", 0, "DIGEST", "a head that was kept elsewhere; it must be part of the chain"},
    CLI_OPTION_JSON,
};

static int print_verdict_json(const struct cli_context *context, const struct writ_audit_verdict *verdict, int status)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, 4096);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "intact");
    writ_json_write_bool(&writer, verdict->intact);
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {{"records", verdict->records},
                  {"segments", verdict->segments},
                  {"torn_tails", verdict->torn_tails},
                  {"unfinished", verdict->unfinished}};
    for (size_t i = 0; i < WRIT_COUNT(counts); i++) {
        writ_json_write_key(&writer, counts[i].key);
        writ_json_write_integer(&writer, (int64_t)counts[i].value);
    }
    writ_json_write_key(&writer, "head");
    writ_json_write_text(&writer, verdict->head);
    if (!verdict->intact) {
        writ_json_write_key(&writer, "bad_sequence");
        writ_json_write_integer(&writer, (int64_t)verdict->bad_sequence);
        writ_json_write_key(&writer, "reason");
        writ_json_write_text(&writer, verdict->reason);
    }
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, status);
}

static bool is_digest(const char *text)
{
    return strncmp(text, "sha256:", 7) == 0 && strspn(text + 7, "0123456789abcdef") == 64 && text[71] == '\0';
}

static int handle_verify(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct writ_audit_verdict verdict;
    struct writ_error error;
    const char *head = cli_option_text(arguments, "head");
    if (head && !is_digest(head)) {
        (void)writ_error_set(&error, WRIT_USAGE,
                             "--head takes `sha256:` and 64 digits of 0-9 and a-f, as `writ audit verify` prints it");
        return cli_report(context, &error);
    }
    if (writ_audit_verify(context->places.state, head, &verdict, &error) < 0)
        return cli_report(context, &error);
    if (cli_option_is_set(arguments, "json")) {
        return print_verdict_json(context, &verdict, verdict.intact ? 0 : EXIT_BROKEN);
    }
    (void)printf("%llu records in %llu segments, %llu unfinished calls, %llu torn tails\n",
                 (unsigned long long)verdict.records, (unsigned long long)verdict.segments,
                 (unsigned long long)verdict.unfinished, (unsigned long long)verdict.torn_tails);
    if (verdict.intact) {
        cli_print_styled(&context->terminal, stdout, CLI_GREEN, "intact");
        (void)printf(", head %s\n", verdict.head);
        return 0;
    }
    cli_print_styled(&context->terminal, stdout, CLI_RED, "broken");
    (void)printf(": ");
    cli_print_safe_text(stdout, verdict.reason);
    (void)putchar('\n');
    return EXIT_BROKEN;
}

static const struct cli_example examples[] = {
    {"writ audit -n 5", "the last five calls"},
    {"writ audit --outcome failed --since 2026-11-30", "the calls that failed since a day"},
};

const struct cli_command cli_command_audit = {
    .name = "audit",
    .group = CLI_GROUP_ANSWER_FOR,
    .usage = "",
    .summary = "the calls that were recorded",
    .details = "One line a call: when it began (UTC), how it ended, how long it took, the begin of its id, the skill, "
               "the error's "
               "class. Inputs and outputs are recorded by digest only.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .handler = handle,
};
static const struct cli_example verify_examples[] = {
    {"writ audit verify", "whether every record is as it was written"},
};

const struct cli_command cli_command_audit_verify = {
    .name = "audit verify",
    .group = CLI_GROUP_ANSWER_FOR,
    .usage = "",
    .summary = "check that no record was changed, removed or added",
    .details =
        "Each record holds the digest of the one before. The owner of the files could write the whole chain anew; only "
        "a head kept elsewhere and given as --head proves that nobody did. Exit status 0: intact; 1: broken.",
    .options = verify_options,
    .option_count = WRIT_COUNT(verify_options),
    .examples = verify_examples,
    .example_count = WRIT_COUNT(verify_examples),
    .handler = handle_verify,
};
