/* `writ audit verify`: whether the record of calls is whole. */
#include "audit/audit.h"
#include "cli/handlers.h"

#include <string.h>

#define EXIT_BROKEN 1

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
    writ_json_write_member_bool(&writer, "intact", verdict->intact);
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {{"records", verdict->records},
                  {"segments", verdict->segments},
                  {"torn_tails", verdict->torn_tails},
                  {"unfinished", verdict->unfinished}};
    for (size_t i = 0; i < WRIT_COUNT(counts); i++) {
        writ_json_write_member_integer(&writer, counts[i].key, (int64_t)counts[i].value);
    }
    writ_json_write_member_text(&writer, "head", verdict->head);
    if (!verdict->intact) {
        writ_json_write_member_integer(&writer, "bad_sequence", (int64_t)verdict->bad_sequence);
        writ_json_write_member_text(&writer, "reason", verdict->reason);
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
    int result = writ_audit_verify(context->places.state, head, &context->progress->watch, &verdict, &error);
    cli_progress_hide(context->progress);
    if (result < 0)
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
