/* `writ config list|get|set|unset`: what is set once for all calls (skill/settings.h). */
#include "cli/handlers.h"
#include "cli/table.h"
#include "data/json.h"

static const struct cli_option json_options[] = {
    CLI_OPTION_JSON,
};

static const char *const source_names[] = {[WRIT_SETTING_FROM_DEFAULT] = "default",
                                           [WRIT_SETTING_FROM_FILE] = "file",
                                           [WRIT_SETTING_FROM_ENVIRONMENT] = "environment",
                                           [WRIT_SETTING_FROM_OPTION] = "option"};

static void write_setting(struct writ_json_writer *writer, enum writ_setting_id id,
                          const struct writ_setting_value *value)
{
    const struct writ_setting *setting = &writ_settings_table[id];
    const struct {
        const char *key, *text;
    } members[] = {{"name", setting->name},
                   {"value", value->text},
                   {"source", source_names[value->source]},
                   {"default", setting->default_text},
                   {"meaning", setting->meaning},
                   {"used_by", setting->used_by}};
    writ_json_write_object(writer);
    for (size_t i = 0; i < WRIT_COUNT(members); i++) {
        writ_json_write_member_text(writer, members[i].key, members[i].text);
    }
    writ_json_write_object_end(writer);
}

static int list_json(const struct cli_context *context, const char *path)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, 1 << 16);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "path", path);
    writ_json_write_key(&writer, "settings");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++)
        write_setting(&writer, (enum writ_setting_id)i, &context->settings.values[i]);
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

static int handle_list(struct cli_context *context, const struct cli_arguments *arguments)
{
    static const struct cli_column columns[] = {{.least = 0}, {.least = 6}, {.least = 0}, {.wraps = true}};
    const char *path;
    struct writ_error error = context->settings_fault;
    if (error.code || writ_settings_path(&context->places, &context->arena, &path, &error) < 0)
        return cli_report(context, &error);
    if (cli_option_is_set(arguments, "json"))
        return list_json(context, path);
    WRIT_CLEANUP(cli_table_clear) struct cli_table table;
    cli_table_init(&table, columns, WRIT_COUNT(columns));
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++) {
        const struct writ_setting_value *value = &context->settings.values[i];
        bool is_default = value->source == WRIT_SETTING_FROM_DEFAULT;
        cli_table_add(&table, writ_settings_table[i].name, CLI_BOLD);
        cli_table_add(&table, value->text, is_default ? CLI_PLAIN : CLI_GREEN);
        cli_table_add(&table, source_names[value->source], is_default ? CLI_DIM : CLI_PLAIN);
        cli_table_add(&table, writ_settings_table[i].meaning, CLI_PLAIN);
    }
    if (!cli_table_print(&context->terminal, stdout, &table)) {
        (void)writ_error_memory(&error);
        return cli_report(context, &error);
    }
    if (context->verbosity > CLI_QUIET) {
        (void)printf("set in ");
        cli_print_safe_text(stdout, path);
        (void)printf(", by `writ config set NAME VALUE`\n");
    }
    return 0;
}

static int handle_get(struct cli_context *context, const struct cli_arguments *arguments)
{
    enum writ_setting_id id;
    struct writ_error error = context->settings_fault;
    if (error.code || writ_setting_find(arguments->positionals[0], &id, &error) < 0)
        return cli_report(context, &error);
    if (!cli_option_is_set(arguments, "json")) {
        cli_print_safe_text(stdout, context->settings.values[id].text);
        (void)fputc('\n', stdout);
        return 0;
    }
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, 4096);
    writ_json_writer_init(&writer, &out);
    write_setting(&writer, id, &context->settings.values[id]);
    return cli_finish_document(context, &out, 0);
}

/* `value` NULL: takes it out. */
static int change(struct cli_context *context, const char *name, const char *value)
{
    enum writ_setting_id id;
    bool changed = false;
    struct writ_error error;
    if (writ_setting_find(name, &id, &error) < 0 ||
        writ_settings_change(&context->places, id, value, &changed, &error) < 0)
        return cli_report(context, &error);
    if (context->verbosity == CLI_QUIET)
        return 0;
    (void)printf("`%s` %s ", name, changed ? "is now" : "was already");
    cli_print_safe_text(stdout, value ? value : writ_settings_table[id].default_text);
    (void)printf("%s\n", value ? "" : ", the default");
    return 0;
}

static int handle_set(struct cli_context *context, const struct cli_arguments *arguments)
{
    return change(context, arguments->positionals[0], arguments->positionals[1]);
}

static int handle_unset(struct cli_context *context, const struct cli_arguments *arguments)
{
    return change(context, arguments->positionals[0], NULL);
}

static const struct cli_example list_examples[] = {
    {"writ config list", "every setting, what it is set to, and by what"},
};
static const struct cli_example get_examples[] = {
    {"writ config get color", "one value alone, for a script"},
};
static const struct cli_example set_examples[] = {
    {"writ config set run.timeout-max 2m", "no skill runs longer than two minutes"},
    {"writ config set time-zone utc", "times are shown in UTC"},
};
static const struct cli_example unset_examples[] = {
    {"writ config unset time-zone", "back to the default"},
};

const struct cli_command cli_command_config_list = {
    .name = "config list",
    .group = CLI_GROUP_WRIT,
    .usage = "",
    .summary = "the settings, and where each comes from",
    .details =
        "A setting comes from an option of the command line, else from the environment (NO_COLOR), else from the "
        "file config.yaml in writ's configuration folder, else it has its default.",
    .options = json_options,
    .option_count = WRIT_COUNT(json_options),
    .examples = list_examples,
    .example_count = WRIT_COUNT(list_examples),
    .needs_no_settings = true,
    .handler = handle_list,
};
const struct cli_command cli_command_config_get = {
    .name = "config get",
    .group = CLI_GROUP_WRIT,
    .usage = "SETTING",
    .summary = "the value of a setting",
    .options = json_options,
    .option_count = WRIT_COUNT(json_options),
    .examples = get_examples,
    .example_count = WRIT_COUNT(get_examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .needs_no_settings = true,
    .handler = handle_get,
};
const struct cli_command cli_command_config_set = {
    .name = "config set",
    .group = CLI_GROUP_WRIT,
    .usage = "SETTING VALUE",
    .summary = "set a setting for all calls to come",
    .details =
        "The value is checked and written to config.yaml in writ's configuration folder; what else stands there, "
        "comments too, stays as it is.",
    .examples = set_examples,
    .example_count = WRIT_COUNT(set_examples),
    .positionals_min = 2,
    .positionals_max = 2,
    .needs_no_settings = true,
    .handler = handle_set,
};
const struct cli_command cli_command_config_unset = {
    .name = "config unset",
    .group = CLI_GROUP_WRIT,
    .usage = "SETTING",
    .summary = "give a setting its default again",
    .details = "Takes its line out of config.yaml; what else stands there stays as it is.",
    .examples = unset_examples,
    .example_count = WRIT_COUNT(unset_examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .needs_no_settings = true,
    .handler = handle_unset,
};
