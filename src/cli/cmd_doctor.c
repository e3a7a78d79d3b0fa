/* `writ doctor [ID]`: what this machine allows, what is degraded, what a skill lacks here, and what to do. */
#include "base/descriptor.h"
#include "cli/handlers.h"
#include "cli/skill_argument.h"
#include "data/json.h"
#include "run/needs.h"
#include "sandbox/probe.h"

#include <string.h>

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTION_SKILLS,
};

static const char *const state_names[] = {
    [WRIT_LAYER_MISSING] = "missing", [WRIT_LAYER_DEGRADED] = "degraded", [WRIT_LAYER_PRESENT] = "present"};

#define STATE_COLUMNS 10
#define INDENT 6

/* What was found, in its column where there is room beside it. */
static void print_found(const struct cli_terminal *terminal, const char *found, size_t column)
{
    bool narrow = terminal->width > 0 && terminal->width < column + 20;
    cli_print_rest(stdout, found, column, narrow ? INDENT : (unsigned)column, terminal->width);
}

static void print_advice(const struct cli_terminal *terminal, const char *title, const char *text)
{
    (void)printf("%*s%s: ", INDENT, "", title);
    cli_print_rest(stdout, text, INDENT + strlen(title) + 2, INDENT, terminal->width);
}

static void print_layers(const struct cli_terminal *terminal, const struct writ_layer *layers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct writ_layer *layer = &layers[i];
        (void)printf("  %-18s ", layer->name);
        cli_print_styled(terminal, stdout,
                         layer->state == WRIT_LAYER_PRESENT    ? CLI_GREEN
                         : layer->state == WRIT_LAYER_DEGRADED ? CLI_YELLOW
                                                               : CLI_RED,
                         state_names[layer->state]);
        (void)printf("%*s", (int)(STATE_COLUMNS - strlen(state_names[layer->state])), "");
        print_found(terminal, layer->found, 21 + STATE_COLUMNS);
        if (layer->lost[0])
            print_advice(terminal, "without it", layer->lost);
        if (layer->mend[0])
            print_advice(terminal, "what to do", layer->mend);
    }
}

static void print_needs(const struct cli_terminal *terminal, const struct writ_needs *needs)
{
    size_t name_width = 18;
    for (size_t i = 0; i < needs->count; i++) {
        size_t width = cli_text_width(needs->items[i].name, strlen(needs->items[i].name));
        name_width = width > name_width ? width : name_width;
    }
    for (size_t i = 0; i < needs->count; i++) {
        const struct writ_need *need = &needs->items[i];
        (void)printf("  ");
        cli_print_cut(stdout, need->name, 0, name_width + 1);
        cli_print_styled(terminal, stdout, need->met ? CLI_GREEN : CLI_RED, need->met ? "met       " : "lacking   ");
        print_found(terminal, need->found, name_width + 3 + STATE_COLUMNS);
        if (need->mend[0])
            print_advice(terminal, "what to do", need->mend);
    }
}

/* The settings that every call goes by: a broken file keeps all of them from running. */
static void print_settings(const struct cli_context *context)
{
    const struct writ_error *fault = &context->settings_fault;
    if (!fault->code)
        return;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer found;
    writ_buffer_init(&found, WRIT_ERROR_SUBJECT_MAX + WRIT_ERROR_MESSAGE_MAX + 32);
    if (fault->line)
        writ_buffer_printf(&found, "%s:%u:%u: ", fault->subject, fault->line, fault->column);
    writ_buffer_append_text(&found, fault->message);
    (void)printf("  %-18s ", "settings");
    cli_print_styled(&context->terminal, stdout, CLI_RED, "broken");
    (void)printf("%*s", (int)(STATE_COLUMNS - strlen("broken")), "");
    print_found(&context->terminal, writ_buffer_text(&found), 21 + STATE_COLUMNS);
    print_advice(&context->terminal, "without it", "nothing runs, for a limit that was mistyped must not seem to hold");
    print_advice(&context->terminal, "what to do", "`writ config set NAME VALUE`, or mend the file");
}

static int print_json(const struct cli_context *context, const struct writ_layer *layers, size_t count,
                      const struct writ_needs *needs, int status)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, 1 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_key(&writer, "layers");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < count; i++) {
        const struct {
            const char *key, *text;
        } members[] = {{"name", layers[i].name},
                       {"state", state_names[layers[i].state]},
                       {"found", layers[i].found},
                       {"lost", layers[i].lost},
                       {"mend", layers[i].mend}};
        writ_json_write_object(&writer);
        for (size_t j = 0; j < WRIT_COUNT(members); j++) {
            writ_json_write_member_text(&writer, members[j].key, members[j].text);
        }
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_key(&writer, "settings");
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "state", context->settings_fault.code ? "broken" : "usable");
    writ_json_write_member_text(&writer, "found",
                                context->settings_fault.code ? context->settings_fault.message : NULL);
    writ_json_write_object_end(&writer);
    writ_json_write_key(&writer, "needs");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < needs->count; i++) {
        const struct writ_need *need = &needs->items[i];
        writ_json_write_object(&writer);
        writ_json_write_member_text(&writer, "name", need->name);
        writ_json_write_member_bool(&writer, "met", need->met);
        writ_json_write_member_text(&writer, "found", need->found);
        writ_json_write_member_text(&writer, "mend", need->mend);
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, status);
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct writ_layer layers[WRIT_LAYERS_MAX];
    struct writ_needs needs = {.count = 0};
    struct writ_skill *skill = NULL;
    struct writ_error error;
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options catalog = cli_catalog_options(context, arguments, folders);
    const char *id = arguments->positional_count > 0 ? arguments->positionals[0] : NULL;
    if (id && context->places_fault.code) /* programs are looked for, and what they say is kept */
        return cli_report(context, &context->places_fault);
    if (id && cli_skill_open(&catalog, id, &skill, &error) < 0) {
        int status = cli_report_skill(context, &error, skill);
        writ_skill_free(skill);
        return status;
    }
    size_t count = writ_probe_layers(layers, WRIT_LAYERS_MAX);
    cli_progress_hold(context->progress);
    if (skill)
        writ_needs_check(skill, &context->places, &context->progress->watch, &needs);
    if (cli_progress_release(context->progress)) {
        writ_skill_free(skill);
        (void)writ_error_set(&error, WRIT_INTERRUPTED, "interrupted while looking at what the skill needs");
        return cli_report(context, &error);
    }
    bool lacking = context->settings_fault.code != WRIT_OK;
    for (size_t i = 0; i < count; i++)
        lacking = lacking || layers[i].state == WRIT_LAYER_MISSING;
    for (size_t i = 0; i < needs.count; i++)
        lacking = lacking || !needs.items[i].met;
    int status = lacking;
    if (cli_option_is_set(arguments, "json")) {
        status = print_json(context, layers, count, &needs, lacking);
    } else {
        cli_print_styled(&context->terminal, stdout, CLI_BOLD, "this machine\n");
        print_layers(&context->terminal, layers, count);
        print_settings(context);
        if (skill) {
            cli_print_styled(&context->terminal, stdout, CLI_BOLD, skill->id);
            (void)printf(" needs\n");
            print_needs(&context->terminal, &needs);
        }
    }
    writ_skill_free(skill);
    return status;
}

static const struct cli_example examples[] = {
    {"writ doctor", "which layers of the sandbox hold here"},
    {"writ doctor com.example.text.stats", "whether a skill can run here"},
};

const struct cli_command cli_command_doctor = {
    .name = "doctor",
    .group = CLI_GROUP_ANSWER_FOR,
    .usage = "[ID|DIR]",
    .summary = "what this machine allows, and what a skill lacks on it",
    .details = "Tries each layer of the sandbox for real. With a skill, also whether its interpreter and programs are "
               "installed in versions that its contract takes. Exit status 0: nothing is missing; 1: something is.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_max = 1,
    .needs_no_settings = true,
    .works_anywhere = true,
    .handler = handle,
};
