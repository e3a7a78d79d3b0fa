/* `writ help`. */
#include "cli/handlers.h"
#include "cli/placeholder.h"
#include "data/json.h"

static void write_options(struct writ_json_writer *writer, const char *key, const struct cli_option *list, size_t count)
{
    writ_json_write_key(writer, key);
    writ_json_write_array(writer);
    for (size_t i = 0; i < count; i++) {
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "name", list[i].name);
        writ_json_write_member_text(writer, "letter", list[i].letter ? (const char[]){list[i].letter, 0} : NULL);
        writ_json_write_member_text(writer, "value", list[i].value);
        writ_json_write_member_text(writer, "help", list[i].help);
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
}

static void write_command(struct writ_json_writer *writer, const struct cli_command *command)
{
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "name", command->name);
    writ_json_write_member_text(writer, "group", cli_group_titles[command->group]);
    writ_json_write_member_text(writer, "usage", command->usage);
    writ_json_write_member_text(writer, "summary", command->summary);
    writ_json_write_member_text(writer, "details", command->details);
    writ_json_write_key(writer, "examples");
    writ_json_write_array(writer);
    for (size_t i = 0; i < command->example_count; i++) {
        writ_json_write_object(writer);
        writ_json_write_member_text(writer, "line", command->examples[i].line);
        writ_json_write_member_text(writer, "meaning", command->examples[i].meaning);
        writ_json_write_object_end(writer);
    }
    writ_json_write_array_end(writer);
    write_options(writer, "options", command->options, command->option_count);
    writ_json_write_object_end(writer);
}

/* The whole table: the manual is printed from it (tools/manual.py). */
static int print_table(const struct cli_context *context)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "commands");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < cli_command_count; i++)
        if (!cli_commands[i]->hidden)
            write_command(&writer, cli_commands[i]);
    writ_json_write_array_end(&writer);
    write_options(&writer, "common_options", cli_common_options, cli_common_option_count);
    writ_json_write_key(&writer, "placeholders");
    writ_json_write_object(&writer);
    for (size_t i = 0; i < cli_placeholder_count; i++)
        writ_json_write_member_text(&writer, cli_placeholders[i].word, cli_placeholders[i].meaning);
    writ_json_write_object_end(&writer);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

static const struct cli_option help_options[] = {
    {"json", 0, NULL, "print all commands, options and examples as JSON"},
};

static int handle_help(struct cli_context *context, const struct cli_arguments *arguments)
{
    if (cli_option_is_set(arguments, "json"))
        return print_table(context);
    if (arguments->positional_count == 0) {
        cli_print_overview(&context->terminal);
        return 0;
    }
    int words = 0;
    const struct cli_command *command =
        cli_command_find((int)arguments->positional_count, (char *const *)(uintptr_t)arguments->positionals, &words);
    if (command && (size_t)words == arguments->positional_count) {
        cli_print_help(&context->terminal, command);
        return 0;
    }
    struct writ_error error;
    if (command)
        (void)writ_error_set(&error, WRIT_USAGE, "there is no command `%s %s`; `writ help` lists them", command->name,
                             arguments->positionals[words]);
    else
        (void)cli_command_unknown(arguments->positionals[0], &error);
    return cli_report(context, &error);
}

static const struct cli_example help_examples[] = {
    {"writ help run", "all about one command"},
    {"writ help --json", "all about all of them, for a program"},
};

const struct cli_command cli_command_help = {
    .name = "help",
    .group = CLI_GROUP_WRIT,
    .usage = "[COMMAND]",
    .summary = "the commands, or one of them",
    .options = help_options,
    .option_count = WRIT_COUNT(help_options),
    .examples = help_examples,
    .example_count = WRIT_COUNT(help_examples),
    .positionals_max = 2,
    .works_anywhere = true,
    .needs_no_settings = true,
    .handler = handle_help,
};
