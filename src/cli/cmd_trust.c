/* `writ trust`: which local folders' skills may be used (interfaces "Trust before there are signatures"). */
#include "cli/handlers.h"

static const struct cli_option options[] = {
    {"remove", 0, NULL, "stop trusting DIR"},
};

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    bool add = !cli_option_is_set(arguments, "remove"), changed = false;
    const char *folder = arguments->positionals[0];
    struct writ_error error;
    if (writ_trust_change(&context->places, folder, add, &changed, &error) < 0)
        return cli_report(context, &error);
    (void)printf("skills in ");
    cli_print_safe_text(stdout, folder);
    if (add)
        (void)printf(changed ? " are trusted now\n" : " were trusted already\n");
    else
        (void)printf(changed ? " are no longer trusted\n" : " were not trusted\n");
    return 0;
}

static const struct cli_example examples[] = {
    {"writ trust my-skills", "let the skills in a folder be used"},
    {"writ trust --remove my-skills", "no longer"},
};

const struct cli_command cli_command_trust = {
    .name = "trust",
    .group = CLI_GROUP_ANSWER_FOR,
    .usage = "DIR",
    .summary = "trust the skills of a project or folder",
    .details =
        "Skills of a project are used only after its folder is trusted, for whoever can put files there chooses what "
        "they do. Your own skills and those shipped with writ are trusted; a folder named by --skills is trusted "
        "for that call.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .handler = handle,
};
