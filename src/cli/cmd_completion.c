/* `writ completion SHELL`, what a shell is to source, and `writ complete`, which that asks at each tab. */
#include "cli/completion.h"
#include "cli/handlers.h"

#include <string.h>

#define ANSWER_BYTES_MAX ((size_t)1 << 20)

static int handle_completion(struct cli_context *context, const struct cli_arguments *arguments)
{
    static const struct {
        const char *shell, *script;
    } scripts[] = {{"bash", cli_completion_bash}, {"zsh", cli_completion_zsh}, {"fish", cli_completion_fish}};
    for (size_t i = 0; i < WRIT_COUNT(scripts); i++)
        if (strcmp(arguments->positionals[0], scripts[i].shell) == 0) {
            (void)fputs(scripts[i].script, stdout);
            return 0;
        }
    struct writ_error error;
    (void)writ_error_set(&error, WRIT_USAGE, "there is completion for bash, zsh and fish, not for `%.40s`",
                         arguments->positionals[0]);
    return cli_report(context, &error);
}

static int handle_complete(struct cli_context *context, const struct cli_arguments *arguments)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer answer;
    writ_buffer_init(&answer, ANSWER_BYTES_MAX);
    cli_complete(context, arguments->positionals, arguments->positional_count, &answer);
    (void)fwrite(writ_buffer_text(&answer), 1, answer.length, stdout);
    return 0;
}

static const struct cli_example examples[] = {
    {"source <(writ completion bash)", "for this shell; put the line into ~/.bashrc to keep it"},
    {"writ completion fish >~/.config/fish/completions/writ.fish", "for every fish from now on"},
};

const struct cli_command cli_command_completion = {
    .name = "completion",
    .group = CLI_GROUP_WRIT,
    .usage = "bash|zsh|fish",
    .summary = "what makes a shell complete commands, ids and fields",
    .details =
        "Prints a script for the shell to source. An installed writ has put it where the shells look already. For "
        "zsh, save it as `_writ` in a folder of $fpath.",
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .works_anywhere = true,
    .needs_no_settings = true,
    .handler = handle_completion,
};
const struct cli_command cli_command_complete = {
    .name = "complete",
    .group = CLI_GROUP_WRIT,
    .usage = "-- WORD...",
    .summary = "the answers that completion scripts ask for",
    .hidden = true,
    .positionals_min = 1,
    .positionals_max = CLI_POSITIONALS_MAX,
    .needs_no_settings = true,
    .handler = handle_complete,
};
