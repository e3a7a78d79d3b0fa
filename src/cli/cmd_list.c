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

/* Columns of the table; where the description has no room beside, it goes below. */
struct layout {
    size_t id_width, version_width, description_width; /* of the description 0: whole */
    bool below;
};
#define SOURCE_WIDTH 9
#define STATE_WIDTH 9
#define DESCRIPTION_WIDTH_MIN 30

static struct layout lay_out(const struct cli_terminal *terminal, const struct writ_catalog *catalog)
{
    struct layout layout = {.id_width = 2, .version_width = 7};
    for (size_t i = 0; i < catalog->count; i++) {
        const struct writ_skill *skill = catalog->skills[i];
        size_t id = cli_text_width(skill->id, strlen(skill->id)), version = strlen(version_of(skill));
        layout.id_width = id > layout.id_width ? id : layout.id_width;
        layout.version_width = version > layout.version_width ? version : layout.version_width;
    }
    size_t used = layout.id_width + layout.version_width + SOURCE_WIDTH + STATE_WIDTH + 8;
    layout.below = terminal->width > 0 && terminal->width < used + DESCRIPTION_WIDTH_MIN;
    layout.description_width = !terminal->width ? 0 : layout.below ? terminal->width - 4 : terminal->width - used;
    return layout;
}

/* A column: its text and two spaces, padded to its width where the columns stand below each other. */
static void print_column(const struct layout *layout, const char *text, size_t width)
{
    cli_print_cut(stdout, text, 0, layout->below ? 0 : width);
    (void)fputs("  ", stdout);
}

static void print_row(const struct cli_terminal *terminal, const struct layout *layout, const struct writ_skill *skill)
{
    print_column(layout, skill->id, layout->id_width);
    print_column(layout, version_of(skill), layout->version_width);
    print_column(layout, writ_source_name(skill->source), SOURCE_WIDTH);
    const char *state = state_of(skill);
    cli_print_styled(terminal, stdout,
                     skill->fault.code    ? CLI_RED
                     : !skill->trusted    ? CLI_YELLOW
                     : skill->shadowed_by ? CLI_DIM
                                          : CLI_GREEN,
                     state);
    if (layout->below)
        (void)printf("\n    ");
    else
        (void)printf("%*s", (int)(STATE_WIDTH + 2 - strlen(state)), "");
    cli_print_cut(stdout, skill->fault.code ? skill->fault.message : skill->contract->description,
                  layout->description_width, 0);
    (void)fputc('\n', stdout);
}

/* Where it lies, and which copy wins over it. */
static void print_places(const struct writ_skill *skill)
{
    (void)fputs("    ", stdout);
    cli_print_cut(stdout, skill->folder, 0, 0);
    if (skill->shadowed_by) {
        (void)fputs("\n    shadowed by ", stdout);
        cli_print_cut(stdout, skill->shadowed_by, 0, 0);
    }
    (void)fputc('\n', stdout);
}

static void print_table(const struct cli_context *context, const struct writ_catalog *catalog)
{
    const struct layout layout = lay_out(&context->terminal, catalog);
    for (size_t i = 0; i < catalog->count; i++) {
        print_row(&context->terminal, &layout, catalog->skills[i]);
        if (context->verbosity == CLI_VERBOSE)
            print_places(catalog->skills[i]);
    }
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
        print_table(context, &catalog);
    if (catalog.truncated && context->verbosity > CLI_QUIET && !context->as_json)
        (void)fprintf(stderr, "writ: a source holds more folders than are listed (%d)\n", WRIT_CATALOG_FOLDERS_MAX);
    writ_catalog_clear(&catalog);
    return status;
}

static const struct cli_example examples[] = {
    {"writ list", "every skill that is found, and where"},
    {"writ list -v", "and in which folder each lies"},
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
        "others are shown as shadowed. -v also shows the folders, -q only the ids of those that can be used.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .handler = handle,
};
