/* The command table and all that is printed from it; declared in command.h. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/handlers.h"
#include "cli/hints.h"
#include "run/invoke.h"

#include <string.h>

#define COMMANDS_MAX 64
#define WORD_BYTES 24
#define LEFT_BYTES_MAX 96

/* Within a group in the order in which a newcomer meets them. */
const struct cli_command *const cli_commands[] = {
    &cli_command_list,       &cli_command_show,         &cli_command_run,          &cli_command_init,
    &cli_command_test,       &cli_command_lint,         &cli_command_trust,        &cli_command_doctor,
    &cli_command_audit,      &cli_command_audit_verify, &cli_command_schema_check, &cli_command_config_list,
    &cli_command_config_get, &cli_command_config_set,   &cli_command_config_unset, &cli_command_completion,
    &cli_command_complete,   &cli_command_help,         &cli_command_version,
};
const size_t cli_command_count = WRIT_COUNT(cli_commands);

const struct cli_option cli_common_options[] = {
    {"quiet", 'q', NULL, "say only what was asked for: no notes, hints or progress"},
    {"verbose", 'v', NULL, "say more of what is done and why"},
    {"color", 0, "auto|always|never", "colour; auto: on a terminal, unless NO_COLOR is set"},
    {"help", 'h', NULL, "this text"},
};
const size_t cli_common_option_count = WRIT_COUNT(cli_common_options);

const char *const cli_group_titles[CLI_GROUP_COUNT] = {
    [CLI_GROUP_USE] = "use skills",
    [CLI_GROUP_WRITE] = "write skills",
    [CLI_GROUP_ANSWER_FOR] = "answer for them",
    [CLI_GROUP_WRIT] = "writ itself",
};

const struct cli_command *cli_command_find(int argc, char *const *argv, int *ret_words)
{
    const struct cli_command *found = NULL;
    char *const version_word = (char[]){"version"};
    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0)
        argv = &version_word, argc = 1;
    for (size_t i = 0; i < cli_command_count; i++) {
        const char *name = cli_commands[i]->name, *space = strchr(name, ' ');
        size_t first = space ? (size_t)(space - name) : strlen(name);
        if (strlen(argv[0]) != first || strncmp(argv[0], name, first) != 0)
            continue;
        if (!space && !found) {
            found = cli_commands[i];
            *ret_words = 1;
        }
        if (space && argc > 1 && strcmp(argv[1], space + 1) == 0) {
            *ret_words = 2;
            return cli_commands[i];
        }
    }
    return found;
}

static const struct cli_option *find_among(const struct cli_option *options, size_t count, const char *name,
                                           size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0)
            return &options[i];
    return NULL;
}

const struct cli_option *cli_option_find(const struct cli_command *command, const char *name, size_t length)
{
    const struct cli_option *own = find_among(command->options, command->option_count, name, length);
    return own ? own : find_among(cli_common_options, cli_common_option_count, name, length);
}

const struct cli_option *cli_option_find_letter(const struct cli_command *command, char letter)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    for (size_t i = 0; i < cli_common_option_count; i++)
        if (cli_common_options[i].letter == letter)
            return &cli_common_options[i];
    return NULL;
}

/* `list, get, set`: the second words of the commands whose first word that is; "" when there are none. */
static void list_words(const char *first, char *text, size_t bytes)
{
    size_t used = 0, length = strlen(first);
    text[0] = '\0';
    for (size_t i = 0; i < cli_command_count; i++) {
        const char *name = cli_commands[i]->name;
        if (cli_commands[i]->hidden || strncmp(name, first, length) != 0 || name[length] != ' ')
            continue;
        int written = snprintf(text + used, bytes - used, "%s%s", used ? ", " : "", name + length + 1);
        if (written < 0 || (size_t)written >= bytes - used)
            return;
        used += (size_t)written;
    }
}

static const char *find_nearest(const char *name)
{
    /* Of a command of two words the first may be the one that is misspelt. */
    char firsts[COMMANDS_MAX][WORD_BYTES];
    const char *names[2 * COMMANDS_MAX], *commands[2 * COMMANDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < cli_command_count && i < COMMANDS_MAX; i++) {
        if (cli_commands[i]->hidden)
            continue;
        commands[count] = names[count] = cli_commands[i]->name;
        count++;
        (void)snprintf(firsts[i], sizeof firsts[i], "%.*s", (int)strcspn(cli_commands[i]->name, " "),
                       cli_commands[i]->name);
        commands[count] = cli_commands[i]->name;
        names[count++] = firsts[i];
    }
    const char *nearest = writ_nearest_name(name, names, count);
    for (size_t i = 0; nearest && i < count; i++)
        if (names[i] == nearest)
            return commands[i];
    return NULL;
}

int cli_command_unknown(const char *name, struct writ_error *error)
{
    char words[128];
    list_words(name, words, sizeof words);
    if (words[0])
        return writ_error_set(error, WRIT_USAGE, "`writ %s` wants one word more: %s; `writ help` tells what each does",
                              name, words);
    const char *nearest = find_nearest(name);
    return writ_error_set(error, WRIT_USAGE, "there is no command `%s`%s%s%s; `writ help` lists them", name,
                          nearest ? " (did you mean `" : "", nearest ? nearest : "", nearest ? "`?)" : "");
}

static void print_group(const struct cli_terminal *terminal, enum cli_group group)
{
    (void)fputc('\n', stdout);
    cli_print_styled(terminal, stdout, CLI_BOLD, cli_group_titles[group]);
    (void)fputc('\n', stdout);
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i]->group == group && !cli_commands[i]->hidden)
            cli_print_item(stdout, cli_commands[i]->name, cli_commands[i]->summary, terminal->width);
}

void cli_print_overview(const struct cli_terminal *terminal)
{
    cli_print_styled(terminal, stdout, CLI_BOLD, "writ");
    (void)printf(" ");
    cli_print_hanging(stdout, "runs the programs of agent skills under their contracts.", 5, terminal->width);
    (void)printf("\nusage: writ COMMAND [OPTIONS]\n");
    for (enum cli_group group = 0; group < CLI_GROUP_COUNT; group++)
        print_group(terminal, group);
    (void)printf("\n");
    cli_print_wrapped(stdout, "`writ COMMAND --help` tells more of each.", 0, terminal->width);
}

static void print_options(const struct cli_terminal *terminal, const struct cli_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct cli_option *option = &options[i];
        char left[LEFT_BYTES_MAX];
        char letter[8] = "    ";
        if (option->letter)
            (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
        (void)snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
                       option->value ? option->value : "");
        cli_print_item(stdout, left, option->help, terminal->width);
    }
}

static void print_examples(const struct cli_terminal *terminal, const struct cli_command *command)
{
    if (command->example_count > 0)
        (void)printf("\nexamples:\n");
    for (size_t i = 0; i < command->example_count; i++) {
        (void)printf("  %s\n", command->examples[i].line);
        cli_print_wrapped(stdout, command->examples[i].meaning, 6, terminal->width);
    }
}

void cli_print_help(const struct cli_terminal *terminal, const struct cli_command *command)
{
    cli_print_styled(terminal, stdout, CLI_BOLD, "writ ");
    cli_print_styled(terminal, stdout, CLI_BOLD, command->name);
    char line[512];
    (void)printf(" - ");
    cli_print_hanging(stdout, command->summary, (unsigned)strlen(command->name) + 8, terminal->width);
    (void)snprintf(line, sizeof line, "usage: writ %s%s%s%s", command->name, command->usage[0] ? " " : "",
                   command->usage, command->option_count > 0 ? " [OPTIONS]" : "");
    (void)printf("\n");
    cli_print_wrapped(stdout, line, 0, terminal->width);
    if (command->details) {
        (void)printf("\n");
        cli_print_wrapped(stdout, command->details, 0, terminal->width);
    }
    print_examples(terminal, command);
    if (command->option_count > 0) {
        (void)printf("\noptions:\n");
        print_options(terminal, command->options, command->option_count);
    }
    (void)printf("\noptions of every command:\n");
    print_options(terminal, cli_common_options, cli_common_option_count);
}

/* False when the report could not be made. */
static bool report_json(const struct cli_context *context, const struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 1 << 20);
    const struct writ_outcome outcome = {.kind = WRIT_OUTCOME_REFUSED, .skill_version = "", .error = *error};
    if (context->command && context->command->gives_envelope)
        writ_outcome_print(&text, &outcome, WRIT_JSON_COMPACT);
    else
        writ_outcome_print_error(&text, &outcome);
    return cli_print_document(&text);
}

void cli_report_hint(const struct cli_context *context, const struct writ_error *error)
{
    const char *hint = cli_hint_of(context, error);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 4096);
    if (!hint)
        return;
    cli_hint_write(&text, context, hint);
    (void)fprintf(stderr, "      ");
    cli_print_safe_line(stderr, writ_buffer_text(&text), text.length);
    (void)fputc('\n', stderr);
}

int cli_report_error(const struct cli_context *context, const struct writ_error *error)
{
    cli_progress_hide(context->progress);
    (void)fflush(stdout);
    cli_print_styled(&context->terminal, stderr, CLI_RED, "writ: ");
    (void)fprintf(stderr, "%s: ", writ_code_class(error->code));
    if (error->subject[0] && error->line) {
        cli_print_safe_text(stderr, error->subject);
        (void)fprintf(stderr, ":%u:%u: ", error->line, error->column);
    }
    cli_print_safe_text(stderr, error->message);
    (void)fputc('\n', stderr);
    return writ_code_exit_status(error->code);
}

int cli_report(const struct cli_context *context, const struct writ_error *error)
{
    cli_progress_hide(context->progress);
    if (context->as_json && report_json(context, error))
        return writ_code_exit_status(error->code);
    int status = cli_report_error(context, error);
    cli_report_hint(context, error);
    return status;
}

int cli_finish_document(const struct cli_context *context, const struct writ_buffer *document, int status)
{
    struct writ_error error;
    if (cli_print_document(document))
        return status;
    if (document->too_large)
        (void)writ_error_set(&error, WRIT_INTERNAL_LIMIT, "what is to be printed is larger than %zu MiB; ask for less",
                             document->bytes_max >> 20);
    else
        (void)writ_error_memory(&error);
    return cli_report(context, &error);
}
