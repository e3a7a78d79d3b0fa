/* `writ list`: every skill that can be found, where it comes from, what is wrong with it. */
#include "cli/handlers.h"
#include "cli/table.h"
#include "data/json.h"

#include <string.h>

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTION_SKILLS,
};

static const char *state_of(const struct writ_skill *skill)
{
    if (skill->fault.code)
        return "broken";
    if (!skill->trusted)
        return "untrusted";
    return skill->shadowed_by ? "shadowed" : "ready";
}

static const char *version_of(const struct writ_skill *skill)
{
    return skill->contract ? skill->contract->version_text : "-";
}

static int print_json(const struct cli_context *context, const struct writ_catalog *catalog)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)64 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "skills");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < catalog->count; i++) {
        const struct writ_skill *skill = catalog->skills[i];
        const struct {
            const char *key, *text;
        } members[] = {{"id", skill->id},
                       {"version", skill->contract ? skill->contract->version_text : NULL},
                       {"name", skill->contract ? skill->contract->name : NULL},
                       {"description", skill->contract ? skill->contract->description : NULL},
                       {"source", writ_source_name(skill->source)},
                       {"folder", skill->folder},
                       {"state", state_of(skill)},
                       {"shadowed_by", skill->shadowed_by},
                       {"fault", skill->fault.code ? skill->fault.message : NULL}};
        writ_json_write_object(&writer);
        for (size_t j = 0; j < WRIT_COUNT(members); j++) {
            writ_json_write_member_text(&writer, members[j].key, members[j].text);
        }
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_member_bool(&writer, "truncated", catalog->truncated);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

/* What is shown last of a skill: what it does or why it cannot be used; with -v where it lies, and what wins over it.
 */
static const char *last_cell(struct cli_context *context, const struct writ_skill *skill)
{
    if (context->verbosity < CLI_VERBOSE)
        return skill->fault.code ? skill->fault.message : skill->contract->description;
    return skill->shadowed_by
               ? writ_arena_printf(&context->arena, "%s, shadowed by %s", skill->folder, skill->shadowed_by)
               : skill->folder;
}

static int print_table(struct cli_context *context, const struct writ_catalog *catalog)
{
    static const struct cli_column columns[] = {{.least = 0}, {.least = 0}, {.least = 0}, {.least = 0}, {.least = 30}};
    WRIT_CLEANUP(cli_table_clear) struct cli_table table;
    cli_table_init(&table, columns, WRIT_COUNT(columns));
    for (size_t i = 0; i < catalog->count; i++) {
        const struct writ_skill *skill = catalog->skills[i];
        cli_table_add(&table, skill->id, CLI_PLAIN);
        cli_table_add(&table, version_of(skill), CLI_PLAIN);
        cli_table_add(&table, writ_source_name(skill->source), CLI_PLAIN);
        cli_table_add(&table, state_of(skill),
                      skill->fault.code    ? CLI_RED
                      : !skill->trusted    ? CLI_YELLOW
                      : skill->shadowed_by ? CLI_DIM
                                           : CLI_GREEN);
        cli_table_add(&table, last_cell(context, skill), CLI_PLAIN);
    }
    struct writ_error error;
    if (cli_table_print(&context->terminal, stdout, &table))
        return 0;
    (void)writ_error_memory(&error);
    return cli_report(context, &error);
}

/* The ids of those that can be used, one a line. */
static void print_ids(const struct writ_catalog *catalog)
{
    const char *before = "";
    for (size_t i = 0; i < catalog->count; i++) {
        const struct writ_skill *skill = catalog->skills[i];
        if (strcmp(state_of(skill), "ready") != 0 || strcmp(skill->id, before) == 0)
            continue;
        (void)printf("%s\n", skill->id);
        before = skill->id;
    }
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options catalog_options = cli_catalog_options(context, arguments, folders);
    struct writ_catalog catalog;
    struct writ_error error;
    int result = writ_catalog_list(&catalog_options, &catalog, &error);
    cli_progress_hide(context->progress);
    if (result < 0)
        return cli_report(context, &error);
    int status = 0;
    if (cli_option_is_set(arguments, "json"))
        status = print_json(context, &catalog);
    else if (context->verbosity == CLI_QUIET)
        print_ids(&catalog);
    else if (catalog.count == 0)
        (void)printf("no skills are found; `writ list --help` tells where they are looked for\n");
    else
        status = print_table(context, &catalog);
    if (catalog.truncated && context->verbosity > CLI_QUIET && !context->as_json)
        (void)fprintf(stderr, "writ: a source holds more folders than are listed (%d)\n", WRIT_CATALOG_FOLDERS_MAX);
    writ_catalog_clear(&catalog);
    return status;
}

static const struct cli_example examples[] = {
    {"writ list", "every skill that is found, and where"},
    {"writ list -v", "in which folder each lies"},
    {"writ list --skills my-skills --json", "those of a folder too, for a program"},
};

const struct cli_command cli_command_list = {
    .name = "list",
    .group = CLI_GROUP_USE,
    .usage = "",
    .summary = "the skills that are found, and where",
    .details =
        "Skills are looked for in --skills folders, the project's .writ/skills, .agents/skills and clients' folders, "
        "the user's own, the installed ones, and those shipped with writ; the first that has an id wins and the "
        "others are shown as shadowed. -v shows their folders, -q only the ids of those that can be used.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .handler = handle,
};
