#include "cli/hints.h"

#include <string.h>

enum when {
    ALWAYS,
    WITH_PLACE, /* where the error has a line and a column */
    VERBOSE
};

static const struct {
    enum writ_code code;
    enum when when;
    const char *text;
} hints[] = {
    {WRIT_USAGE, VERBOSE, "`writ COMMAND --help` tells what it takes, with examples"},
    {WRIT_INPUT_INVALID, ALWAYS, "`writ run ID --help` lists the fields of the input and what each takes"},
    {WRIT_OUTPUT_INVALID, ALWAYS, "a fault of the skill, for its author: `writ test ID` shows it again"},
    {WRIT_CONTRACT_INVALID, ALWAYS, "`writ lint ID` shows every fault of the contract and mends some"},
    {WRIT_SKILL_NOT_FOUND, ALWAYS,
     "`writ list` shows the skills that are found; --skills DIR looks in one more folder"},
    {WRIT_SKILL_UNTRUSTED, ALWAYS, "`writ show ID` tells what it does and may touch; `writ trust DIR` lets it be used"},
    {WRIT_DEPENDENCY_MISSING, ALWAYS, "`writ doctor ID` shows all that the skill needs of this machine"},
    {WRIT_DEPENDENCY_VERSION, ALWAYS, "`writ doctor ID` shows all that the skill needs of this machine"},
    {WRIT_FILESYSTEM_DENIED, VERBOSE, "`writ show ID` tells what the skill may touch"},
    {WRIT_NETWORK_DENIED, VERBOSE, "`writ show ID` tells what the skill may touch"},
    {WRIT_NETWORK_UNRESOLVED, ALWAYS, "`writ show ID` tells which hosts the skill asks"},
    {WRIT_NETWORK_UNREACHABLE, ALWAYS, "`writ show ID` tells which hosts the skill asks"},
    {WRIT_NETWORK_TLS, ALWAYS, "`writ show ID` tells which hosts the skill asks"},
    {WRIT_BINARY_DENIED, VERBOSE, "`writ show ID` tells which programs the skill may run"},
    {WRIT_CREDENTIAL_UNAVAILABLE, VERBOSE, "`writ show ID` tells which credentials the skill asks for"},
    {WRIT_LIMIT_TIMEOUT, VERBOSE, "`writ show ID` tells the limits that its contract sets"},
    {WRIT_LIMIT_MEMORY, VERBOSE, "`writ show ID` tells the limits that its contract sets"},
    {WRIT_LIMIT_PROCESSES, VERBOSE, "`writ show ID` tells the limits that its contract sets"},
    {WRIT_LIMIT_OUTPUT, VERBOSE, "`writ show ID` tells the limits that its contract sets"},
    {WRIT_LIMIT_DISK, VERBOSE, "`writ show ID` tells the limits that its contract sets"},
    {WRIT_LIMIT_RATE, VERBOSE, "`writ show ID` tells the limits that its contract sets"},
    {WRIT_PROGRAM_REPORTED, VERBOSE, "the sentence is the program's own; `writ show ID` tells what it expects"},
    {WRIT_PROGRAM_FAILED, ALWAYS,
     "a file that was not granted looks missing to the program; `writ run ID --explain`, with the same input, shows "
     "what it is given"},
    {WRIT_PROGRAM_CRASHED, ALWAYS, "a fault of the program, for its author: `writ test ID` runs its own tests"},
    {WRIT_TRUST_SIGNATURE, ALWAYS, "`writ show ID` tells where the skill comes from"},
    {WRIT_TRUST_DIGEST, ALWAYS, "`writ lint ID` shows what else in the folder is in the way"},
    {WRIT_POLICY_REFUSED, VERBOSE, "`writ show ID` tells what the skill asks for"},
    {WRIT_POLICY_ASK, ALWAYS, "`writ show ID` tells what the skill asks for"},
    {WRIT_ENDING_UNKNOWN, ALWAYS, "`writ audit -n 1` shows what is on record of the call"},
    {WRIT_INTERNAL_MEMORY, ALWAYS, "end other programs, or raise what `ulimit -v` shows"},
    {WRIT_INTERNAL_IO, VERBOSE, "`writ version` tells where writ keeps its files"},
    {WRIT_INTERNAL_SANDBOX, ALWAYS, "`writ doctor` shows what this machine's kernel allows"},
    {WRIT_INTERNAL_AUDIT, VERBOSE, "no call is made without a record; `writ version` tells where it is kept"},
    {WRIT_INTERNAL_LIMIT, VERBOSE, "the message names the limit; pass less at once"},
    {WRIT_INTERRUPTED, VERBOSE, "nothing goes on; call again when you like"},
    {WRIT_SCHEMA_INVALID, VERBOSE, "`writ schema check --help` tells which schemas are understood"},
    {WRIT_DATA_SYNTAX, VERBOSE, "the place is where reading stopped; the slip is there or just before"},
    {WRIT_CONFIG_INVALID, WITH_PLACE,
     "`writ config set NAME VALUE` sets a value anew, `writ config unset NAME` takes it out"},
};

/* A word that a shell takes as it is. */
static bool is_plain(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/@+-";
    return text[0] && strspn(text, plain) == strlen(text);
}

/* The skill that this command line names, as its first argument; NULL: none, or none that can be written down so. */
static const char *skill_of(const struct cli_context *context)
{
    const struct cli_arguments *arguments = context->arguments;
    if (!arguments || arguments->positional_count != 1 || !strstr(arguments->command->usage, "ID"))
        return NULL;
    return is_plain(arguments->positionals[0]) ? arguments->positionals[0] : NULL;
}

const char *cli_hint_of(const struct cli_context *context, const struct writ_error *error)
{
    if (context->verbosity == CLI_QUIET || strstr(error->message, "`writ ") || strstr(error->message, "run `"))
        return NULL;
    /* Whoever named a folder is not helped by the list of ids. */
    const char *skill = skill_of(context);
    bool is_folder = strstr(error->message, "folder") || (skill && strchr(skill, '/'));
    if (error->code == WRIT_SKILL_NOT_FOUND && is_folder)
        return NULL;
    for (size_t i = 0; i < WRIT_COUNT(hints); i++) {
        bool is_due = hints[i].when == ALWAYS || (hints[i].when == WITH_PLACE && error->line > 0);
        if (hints[i].code == error->code && (is_due || context->verbosity == CLI_VERBOSE))
            return hints[i].text;
    }
    return NULL;
}

/* The command that a hint's text names at `writ NAME ID`. */
static bool takes_skills(const char *name, size_t length)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (strlen(cli_commands[i]->name) == length && memcmp(cli_commands[i]->name, name, length) == 0)
            return cli_option_find(cli_commands[i], "skills", strlen("skills")) != NULL;
    return false;
}

static void write_skill(struct writ_buffer *out, const struct cli_context *context, bool with_folders)
{
    const char *folders[CLI_VALUES_MAX];
    const char *skill = skill_of(context);
    bool known = skill && cli_option_find(context->arguments->command, "skills", strlen("skills"));
    size_t count = known && with_folders ? cli_option_all(context->arguments, "skills", folders, CLI_VALUES_MAX) : 0;
    for (size_t i = 0; i < count; i++)
        if (is_plain(folders[i]))
            writ_buffer_printf(out, "--skills %s ", folders[i]);
    writ_buffer_append_text(out, skill ? skill : "ID");
}

void cli_hint_write(struct writ_buffer *out, const struct cli_context *context, const char *hint)
{
    const char *command = NULL; /* the last one that was named */
    for (const char *at = hint; *at;) {
        size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        bool is_word = length > 0 && (at == hint || at[-1] == ' ') && strchr(" `", at[length]);
        if (strncmp(at, "`writ ", 6) == 0)
            command = at + 6;
        if (is_word && length == 2 && memcmp(at, "ID", 2) == 0 && command)
            write_skill(out, context, takes_skills(command, strcspn(command, " ")));
        else if (is_word && length == 7 && memcmp(at, "COMMAND", 7) == 0 && context->command)
            writ_buffer_append_text(out, context->command->name);
        else
            writ_buffer_append(out, at, length ? length : 1);
        at += length ? length : 1;
    }
}
