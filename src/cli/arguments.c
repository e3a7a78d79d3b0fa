/* Reading a command line by its command's row; declared in command.h. */
#include "base/text.h"
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

static int unknown_option(const struct cli_command *command, const char *token, struct writ_error *error)
{
    const char *names[CLI_OPTIONS_MAX + CLI_OPTIONS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < command->option_count && i < CLI_OPTIONS_MAX; i++)
        names[count++] = command->options[i].name;
    for (size_t i = 0; i < cli_common_option_count && i < CLI_OPTIONS_MAX; i++)
        names[count++] = cli_common_options[i].name;
    const char *nearest = writ_nearest_name(token + strspn(token, "-"), names, count);
    return writ_error_set(error, WRIT_USAGE, "`writ %s` has no option %s%s%s%s; `writ %s --help` lists them",
                          command->name, token, nearest ? " (did you mean --" : "", nearest ? nearest : "",
                          nearest ? "?)" : "", command->name);
}

static int add_value(struct cli_arguments *arguments, const struct cli_option *option, const char *text,
                     struct writ_error *error)
{
    if (arguments->value_count == CLI_VALUES_MAX)
        return writ_error_set(error, WRIT_USAGE, "more than %d options are given; leave some out", CLI_VALUES_MAX);
    arguments->values[arguments->value_count++] = (struct cli_value){option, text};
    return 0;
}

static int add_rest(struct cli_arguments *arguments, const char *token, struct writ_error *error)
{
    if (arguments->rest_count == CLI_REST_MAX)
        return writ_error_set(error, WRIT_USAGE, "more than %d flags are given; use --input", CLI_REST_MAX);
    arguments->rest[arguments->rest_count++] = token;
    return 0;
}

static int add_positional(struct cli_arguments *arguments, const char *token, struct writ_error *error)
{
    const struct cli_command *command = arguments->command;
    if (command->takes_rest && arguments->positional_count > 0)
        return add_rest(arguments, token, error);
    if (arguments->positional_count >= command->positionals_max || arguments->positional_count == CLI_POSITIONALS_MAX)
        return writ_error_set(error, WRIT_USAGE, "`writ %s` takes no %sargument `%s`; usage: writ %s%s%s",
                              command->name, command->positionals_max > 0 ? "further " : "", token, command->name,
                              command->usage[0] ? " " : "", command->usage);
    arguments->positionals[arguments->positional_count++] = token;
    return 0;
}

/* Reads one token that begins with a dash; `*index` moves on when it takes the next one as its value. */
static int read_option(struct cli_arguments *arguments, int argc, char *const *argv, int *index,
                       struct writ_error *error)
{
    const struct cli_command *command = arguments->command;
    const char *token = argv[*index];
    const struct cli_option *option;
    const char *value = NULL;
    if (token[1] == '-') {
        size_t length = strcspn(token + 2, "=");
        option = cli_option_find(command, token + 2, length);
        value = token[2 + length] == '=' ? token + 2 + length + 1 : NULL;
    } else {
        option = cli_option_find_letter(command, token[1]);
        value = option && option->value && token[2] ? token + 2 : NULL;
        if (option && !option->value && token[2])
            option = NULL;
    }
    if (!option && command->takes_rest && arguments->positional_count > 0)
        return add_rest(arguments, token, error);
    if (!option && command->takes_rest)
        return writ_error_set(error, WRIT_USAGE, "name the skill before its flags: writ %s %s", command->name,
                              command->usage);
    if (!option)
        return unknown_option(command, token, error);
    if (!option->value && value)
        return writ_error_set(error, WRIT_USAGE, "--%s takes no value; write it alone", option->name);
    if (option->value && !value) {
        if (*index + 1 >= argc)
            return writ_error_set(error, WRIT_USAGE, "--%s needs a value: --%s %s", option->name, option->name,
                                  option->value);
        value = argv[++*index];
    }
    return add_value(arguments, option, value, error);
}

int cli_arguments_parse(const struct cli_command *command, int argc, char *const *argv,
                        struct cli_arguments *ret_arguments, struct writ_error *error)
{
    struct cli_arguments *arguments = ret_arguments;
    *arguments = (struct cli_arguments){.command = command};
    bool only_positionals = false;
    for (int i = 0; i < argc; i++) {
        const char *token = argv[i];
        int result;
        if (!only_positionals && strcmp(token, "--") == 0) {
            only_positionals = true;
            continue;
        }
        if (!only_positionals && token[0] == '-' && token[1])
            result = read_option(arguments, argc, argv, &i, error);
        else
            result = add_positional(arguments, token, error);
        if (result < 0)
            return result;
    }
    if (arguments->positional_count < command->positionals_min)
        return writ_error_set(error, WRIT_USAGE, "an argument is missing: writ %s %s; `writ %s --help` tells more",
                              command->name, command->usage, command->name);
    return 0;
}

static bool is_named(const struct cli_value *value, const char *name)
{
    return strcmp(value->option->name, name) == 0;
}

const char *cli_option_text(const struct cli_arguments *arguments, const char *name)
{
    for (size_t i = arguments->value_count; i > 0; i--)
        if (is_named(&arguments->values[i - 1], name))
            return arguments->values[i - 1].text;
    return NULL;
}

bool cli_option_is_set(const struct cli_arguments *arguments, const char *name)
{
    for (size_t i = 0; i < arguments->value_count; i++)
        if (is_named(&arguments->values[i], name))
            return true;
    return false;
}

size_t cli_option_all(const struct cli_arguments *arguments, const char *name, const char **texts, size_t texts_max)
{
    size_t count = 0;
    for (size_t i = 0; i < arguments->value_count && count < texts_max; i++)
        if (is_named(&arguments->values[i], name))
            texts[count++] = arguments->values[i].text;
    return count;
}

struct writ_catalog_options cli_catalog_options(const struct cli_context *context,
                                                const struct cli_arguments *arguments,
                                                const char *folders[CLI_VALUES_MAX])
{
    size_t count = cli_option_all(arguments, "skills", folders, CLI_VALUES_MAX);
    return (struct writ_catalog_options){.places = &context->places,
                                         .skill_folders = folders,
                                         .skill_folder_count = count,
                                         .watch = &context->progress->watch};
}

struct writ_ceilings cli_ceilings(const struct cli_context *context)
{
    return (struct writ_ceilings){.wall_ms = context->settings.values[WRIT_SETTING_RUN_TIMEOUT_MAX].number,
                                  .memory_bytes = context->settings.values[WRIT_SETTING_RUN_MEMORY_MAX].number};
}
