/* `writ list`: every skill that can be found, where it comes from, what is wrong with it. */
#include "cli/handlers.h"
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
            writ_json_write_key(&writer, members[j].key);
            writ_json_write_text(&writer, members[j].text);
        }
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_key(&writer, "truncated");
    writ_json_write_bool(&writer, catalog->truncated);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

static void print_table(const struct cli_terminal *terminal, const struct writ_catalog *catalog)
{
    size_t id_width = 2, version_width = 7;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct writ_skill *skill = catalog->skills[i];
        size_t width = cli_text_width(skill->id, strlen(skill->id));
        id_width = width > id_width ? width : id_width;
        width = strlen(version_of(skill));
        version_width = width > version_width ? width : version_width;
    }
    size_t used = id_width + version_width + 9 + 9 + 8;
    /* Where the description has no room beside, it goes below. */
    bool below = terminal->width > 0 && terminal->width < used + 30;
    size_t left = !terminal->width ? 0 : below ? terminal->width - 4 : terminal->width - used;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct writ_skill *skill = catalog->skills[i];
        cli_print_cut(stdout, skill->id, 0, below ? 0 : id_width + 2);
        (void)fputs(below ? "  " : "", stdout);
        cli_print_cut(stdout, version_of(skill), 0, below ? 0 : version_width + 2);
        (void)fputs(below ? "  " : "", stdout);
        cli_print_cut(stdout, writ_source_name(skill->source), 0, below ? 0 : 9 + 2);
        (void)fputs(below ? "  " : "", stdout);
        const char *state = state_of(skill);
        cli_print_styled(terminal, stdout,
                         skill->fault.code    ? CLI_RED
                         : !skill->trusted    ? CLI_YELLOW
                         : skill->shadowed_by ? CLI_DIM
                                              : CLI_GREEN,
                         state);
        if (below)
            (void)printf("\n    ");
        else
            (void)printf("%*s", (int)(11 - strlen(state)), "");
        cli_print_cut(stdout, skill->fault.code ? skill->fault.message : skill->contract->description, left, 0);
        (void)fputc('\n', stdout);
    }
    if (catalog->truncated)
        (void)fprintf(stderr, "writ: a source holds more folders than are listed (2000)\n");
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options catalog_options = cli_catalog_options(context, arguments, folders);
    struct writ_catalog catalog;
    struct writ_error error;
    if (writ_catalog_list(&catalog_options, &catalog, &error) < 0)
        return cli_report(context, &error);
    int status = 0;
    if (cli_option_is_set(arguments, "json"))
        status = print_json(context, &catalog);
    else if (catalog.count == 0)
        (void)printf("no skills are found; `writ list --help` tells where they are looked for\n");
    else
        print_table(&context->terminal, &catalog);
    writ_catalog_clear(&catalog);
    return status;
}

static const struct cli_example examples[] = {
    {"writ list", "every skill that is found, and where"},
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
        "others are shown as shadowed.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .handler = handle,
};
