/* `writ help` and `writ version`. */
#include "cli/handlers.h"
#include "data/json.h"
#include "sandbox/probe.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <sodium/version.h>
#include <yaml.h>

static const struct cli_option version_options[] = {
    CLI_OPTION_JSON,
};

static int handle_help(struct cli_context *context, const struct cli_arguments *arguments)
{
    if (arguments->positional_count == 0) {
        cli_print_overview(&context->terminal);
        return 0;
    }
    int words = 0;
    const struct cli_command *command =
        cli_command_find((int)arguments->positional_count, (char *const *)(uintptr_t)arguments->positionals, &words);
    if (command) {
        cli_print_help(&context->terminal, command);
        return 0;
    }
    struct writ_error error;
    const char *nearest = cli_command_nearest(arguments->positionals[0]);
    (void)writ_error_set(&error, WRIT_USAGE, "there is no command `%s`%s%s%s; `writ help` lists them",
                         arguments->positionals[0], nearest ? " (did you mean `" : "", nearest ? nearest : "",
                         nearest ? "`?)" : "");
    return cli_report(context, &error);
}

static int handle_version(struct cli_context *context, const struct cli_arguments *arguments)
{
    char pcre2[64];
    (void)pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    if (!cli_option_is_set(arguments, "json")) {
        (void)printf("writ %s\nlibyaml %s, PCRE2 %s, libsodium %s\n", WRIT_VERSION, yaml_get_version_string(), pcre2,
                     sodium_version_string());
        return 0;
    }
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, 4096);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    const struct {
        const char *key, *text;
    } members[] = {{"writ", WRIT_VERSION},
                   {"libyaml", yaml_get_version_string()},
                   {"pcre2", pcre2},
                   {"libsodium", sodium_version_string()}};
    for (size_t i = 0; i < WRIT_COUNT(members); i++) {
        writ_json_write_key(&writer, members[i].key);
        writ_json_write_text(&writer, members[i].text);
    }
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

const struct cli_command cli_command_help = {
    .name = "help",
    .usage = "[COMMAND]",
    .summary = "the commands, or one of them",
    .positionals_max = 2,
    .handler = handle_help,
};
const struct cli_command cli_command_version = {
    .name = "version",
    .usage = "",
    .summary = "the version of writ and of what it is built with",
    .options = version_options,
    .option_count = WRIT_COUNT(version_options),
    .handler = handle_version,
};
