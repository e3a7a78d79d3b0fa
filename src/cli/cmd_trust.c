/* `writ trust`: which local folders' skills may be used (interfaces "Trust before there are signatures"). */
#include "cli/handlers.h"
#include "cli/table.h"
#include "cli/when.h"
#include "data/json.h"

#include <unistd.h>

static const struct cli_option options[] = {
    {"remove", 0, NULL, "stop trusting DIR"},
    {"list", 'l', NULL, "show the folders that are trusted, and since when"},
    CLI_OPTION_JSON,
};

/* ---- --list ---- */

static int list_json(const struct cli_context *context, const struct writ_trusted_folder *folders, size_t count)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)16 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "folders");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < count; i++) {
        writ_json_write_object(&writer);
        writ_json_write_member_text(&writer, "path", folders[i].path);
        writ_json_write_member_text(&writer, "added", folders[i].added[0] ? folders[i].added : NULL);
        writ_json_write_member_bool(&writer, "is_there", access(folders[i].path, F_OK) == 0);
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

static int list_table(struct cli_context *context, const struct writ_trusted_folder *folders, size_t count,
                      struct writ_error *error)
{
    static const struct cli_column columns[] = {{.least = 20, .cut_front = true}, {.least = 0}, {.least = 0}};
    WRIT_CLEANUP(cli_table_clear) struct cli_table table;
    struct cli_clock clock;
    cli_clock_init(&clock, context);
    cli_table_init(&table, columns, WRIT_COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        char when[CLI_WHEN_BYTES] = "";
        if (folders[i].added[0])
            cli_when_print(&clock, folders[i].added, when);
        const char *since = writ_arena_printf(&context->arena, "%s%s", when[0] ? "since " : "", when);
        if (!since)
            return writ_error_memory(error);
        bool is_there = access(folders[i].path, F_OK) == 0;
        cli_table_add(&table, folders[i].path, CLI_PLAIN);
        cli_table_add(&table, since, CLI_PLAIN);
        cli_table_add(&table, is_there ? "" : "is gone", CLI_YELLOW);
    }
    if (!cli_table_print(&context->terminal, stdout, &table))
        return writ_error_memory(error);
    if (count == 0 && context->terminal.out_is_terminal && context->verbosity > CLI_QUIET)
        (void)printf("no folder is trusted; `writ trust DIR` trusts one\n");
    return 0;
}

static int list(struct cli_context *context, bool as_json)
{
    const struct writ_trusted_folder *folders;
    size_t count;
    struct writ_error error;
    if (writ_trust_list(&context->places, &context->arena, &folders, &count, &error) < 0)
        return cli_report(context, &error);
    if (as_json)
        return list_json(context, folders, count);
    return list_table(context, folders, count, &error) < 0 ? cli_report(context, &error) : 0;
}

/* ---- adding, removing ---- */

static int tell_json(const struct cli_context *context, const char *folder, bool trusted, bool changed)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "folder", folder);
    writ_json_write_member_bool(&writer, "trusted", trusted);
    writ_json_write_member_bool(&writer, "changed", changed);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

static int change(struct cli_context *context, const char *folder, bool add, bool as_json)
{
    bool changed = false;
    struct writ_error error;
    if (writ_trust_change(&context->places, folder, add, &changed, &error) < 0)
        return cli_report(context, &error);
    if (as_json)
        return tell_json(context, folder, add, changed);
    (void)printf("skills in ");
    cli_print_safe_text(stdout, folder);
    if (add)
        (void)printf(changed ? " are trusted now\n" : " were trusted already\n");
    else
        (void)printf(changed ? " are no longer trusted\n" : " were not trusted\n");
    return 0;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    bool lists = cli_option_is_set(arguments, "list"), removes = cli_option_is_set(arguments, "remove");
    bool as_json = cli_option_is_set(arguments, "json"), named = arguments->positional_count > 0;
    struct writ_error error;
    if (lists && (removes || named))
        (void)writ_error_set(&error, WRIT_USAGE, "--list stands alone; to %s a folder write `writ trust %sDIR`",
                             removes ? "remove" : "trust", removes ? "--remove " : "");
    else if (!lists && !named)
        (void)writ_error_set(&error, WRIT_USAGE,
                             "name the folder: `writ trust DIR`; `writ trust --list` shows those that are trusted");
    else
        return lists ? list(context, as_json) : change(context, arguments->positionals[0], !removes, as_json);
    return cli_report(context, &error);
}

static const struct cli_example examples[] = {
    {"writ trust my-skills", "let the skills in a folder be used"},
    {"writ trust --remove my-skills", "no longer"},
    {"writ trust --list", "the folders that are trusted"},
};

const struct cli_command cli_command_trust = {
    .name = "trust",
    .group = CLI_GROUP_ANSWER_FOR,
    .usage = "[DIR]",
    .summary = "trust the skills of a project or folder",
    .details =
        "Skills of a project are used only after its folder is trusted, for whoever can put files there chooses what "
        "they do. Your own skills and those shipped with writ are trusted; a folder named by --skills is trusted "
        "for that call.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_max = 1,
    .handler = handle,
};
