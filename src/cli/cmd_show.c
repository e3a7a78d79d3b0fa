/* `writ show ID`: a skill on one screen: what it does, wants, returns, may touch, its risks and tests. */
#include "base/descriptor.h"
#include "cli/handlers.h"
#include "cli/skill_argument.h"
#include "data/json.h"
#include "data/quantity.h"

#include <string.h>

/* What is shown of one property's type; a longer one is cut and says so. */
#define TYPE_BYTES_MAX 4096

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTION_SKILLS,
};

static void print_title(const struct cli_terminal *terminal, const char *title)
{
    (void)fputc('\n', stdout);
    cli_print_styled(terminal, stdout, CLI_BOLD, title);
    (void)fputc('\n', stdout);
}

/* `string`, `integer 0..`, `one of "a", "b"`: a property's schema in a few words. */
static void append_type(struct writ_buffer *out, const struct writ_json *schema)
{
    const struct writ_json *type = writ_json_get(schema, "type"), *choices = writ_json_get(schema, "enum");
    const struct writ_json *value = writ_json_get(schema, "default");
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, TYPE_BYTES_MAX);
    if (type && type->kind == WRIT_JSON_STRING)
        writ_buffer_append(&text, type->text, type->length);
    else if (type)
        writ_json_print(&text, type, WRIT_JSON_COMPACT);
    else
        writ_buffer_append_text(&text, choices ? "one of" : "any");
    const struct writ_json *items = writ_json_get(schema, "items");
    const char *item_type = writ_json_text(writ_json_get(items, "type"));
    if (item_type)
        writ_buffer_printf(&text, " of %s", item_type);
    if (choices) {
        writ_buffer_append_byte(&text, ' ');
        writ_json_print(&text, choices, WRIT_JSON_COMPACT);
    }
    static const char *const bounds[] = {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"};
    for (size_t i = 0; i < WRIT_COUNT(bounds); i++) {
        const struct writ_json *bound = writ_json_get(schema, bounds[i]);
        if (bound) {
            writ_buffer_printf(&text, ", %s ", bounds[i]);
            writ_json_print(&text, bound, WRIT_JSON_COMPACT);
        }
    }
    if (value) {
        writ_buffer_append_text(&text, ", default ");
        writ_json_print(&text, value, WRIT_JSON_COMPACT);
    }
    writ_buffer_append(out, writ_buffer_text(&text), text.length);
    if (text.failed)
        writ_buffer_append_text(out, " …");
}

static void print_properties(const struct cli_terminal *terminal, const struct writ_json *schema, unsigned indent)
{
    const struct writ_json *properties = writ_json_get(schema, "properties");
    if (!properties || properties->kind != WRIT_JSON_OBJECT || properties->length == 0) {
        (void)printf("%*s(not described)\n", (int)indent, "");
        return;
    }
    WRIT_JSON_EACH_MEMBER(key, properties)
    {
        const char *mark = writ_json_has_item(writ_json_get(schema, "required"), key) ? " (required)" : "";
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer type;
        writ_buffer_init(&type, 2 * TYPE_BYTES_MAX);
        append_type(&type, key + 1);
        (void)printf("%*s", (int)indent, "");
        cli_print_safe_line(stdout, key->text, key->length);
        (void)printf("%s  ", mark);
        cli_print_rest(stdout, writ_buffer_text(&type),
                       indent + cli_text_width(key->text, key->length) + strlen(mark) + 2, indent + 2, terminal->width);
        const char *description = writ_json_text(writ_json_get(key + 1, "description"));
        if (description)
            cli_print_wrapped(stdout, description, indent + 4, terminal->width ? terminal->width : 100);
    }
}

/* What a permission means for the person who grants it. */
static const char *risk_of(const struct writ_permission *permission)
{
    switch (permission->kind) {
    case WRIT_PERMISSION_FILESYSTEM_READ:
        return permission->segment_count > 0 && permission->segments[0].kind == WRIT_SEGMENT_LITERAL
                   ? "reads this place at every call"
                   : "reads what the input names, and nothing beside it";
    case WRIT_PERMISSION_FILESYSTEM_WRITE:
        return "can change or replace what is there";
    case WRIT_PERMISSION_NETWORK:
        return "can send what it reads to this host (not enforced yet: a run is refused)";
    case WRIT_PERMISSION_BINARY_RUN:
        return "runs this program of your machine, inside the sandbox";
    case WRIT_PERMISSION_CLIPBOARD_READ:
        return "sees what you copied (not enforced yet: a run is refused)";
    case WRIT_PERMISSION_CREDENTIAL:
        return "acts with this credential of yours (not enforced yet: a run is refused)";
    default:
        return "";
    }
}

static void print_permissions(const struct cli_terminal *terminal, const struct writ_contract *contract)
{
    if (contract->permission_count == 0)
        cli_print_wrapped(stdout, "nothing of this machine: no files, no programs, no network", 2, terminal->width);
    for (size_t i = 0; i < contract->permission_count; i++) {
        (void)printf("  ");
        cli_print_safe_text(stdout, contract->permissions[i].source);
        (void)fputc('\n', stdout);
        cli_print_wrapped(stdout, risk_of(&contract->permissions[i]), 6, terminal->width);
    }
}

static void print_runtime(const struct cli_terminal *terminal, const struct writ_contract *contract)
{
    const struct writ_contract_runtime *runtime = &contract->runtime;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 1024);
    writ_buffer_printf(&text, "%s%s%s, at most ", writ_language_name(runtime->language),
                       runtime->version_text ? " " : "", runtime->version_text ? runtime->version_text : "");
    writ_duration_print(&text, runtime->timeout_ms);
    writ_buffer_append_text(&text, ", ");
    writ_size_print(&text, runtime->memory_bytes);
    writ_buffer_printf(&text, " of memory, %u processes, ", runtime->processes);
    writ_size_print(&text, runtime->output_bytes);
    writ_buffer_append_text(&text, " of output");
    cli_print_wrapped(stdout, writ_buffer_text(&text), 2, terminal->width);
    for (size_t i = 0; i < contract->binary_count; i++) {
        (void)printf("  needs ");
        cli_print_safe_text(stdout, contract->binaries[i].name);
        if (contract->binaries[i].version_text) {
            (void)printf(" ");
            cli_print_safe_text(stdout, contract->binaries[i].version_text);
        }
        (void)fputc('\n', stdout);
    }
}

static void print_text(const struct cli_terminal *terminal, const struct writ_skill *skill)
{
    const struct writ_contract *contract = skill->contract;
    cli_print_styled(terminal, stdout, CLI_BOLD, contract->id);
    (void)printf(" ");
    cli_print_safe_text(stdout, contract->version_text);
    (void)printf(" - ");
    cli_print_rest(stdout, contract->name, strlen(contract->id) + strlen(contract->version_text) + 4, 2,
                   terminal->width);
    cli_print_wrapped(stdout, contract->description, 0, terminal->width ? terminal->width : 100);
    (void)printf("from ");
    cli_print_safe_text(stdout, skill->folder);
    char source[128];
    (void)snprintf(source, sizeof source, " (%s%s)", writ_source_name(skill->source),
                   skill->trusted ? "" : ", not trusted: `writ trust` it to use it");
    cli_print_rest(stdout, source, cli_text_width(skill->folder, strlen(skill->folder)) + 5, 2, terminal->width);
    print_title(terminal, "wants");
    print_properties(terminal, contract->input_node, 2);
    print_title(terminal, "returns");
    print_properties(terminal, writ_json_get(writ_json_get(contract->output_node, "properties"), "data"), 2);
    print_title(terminal, "may touch");
    print_permissions(terminal, contract);
    print_title(terminal, "runs as");
    print_runtime(terminal, contract);
    print_title(terminal, "tests");
    for (size_t i = 0; i < contract->test_count; i++) {
        (void)printf("  ");
        cli_print_rest(stdout, contract->tests[i].name, 2, 2, terminal->width);
    }
    if (contract->test_count == 0)
        (void)printf("  none in skill.yaml\n");
    bool by_id = skill->source != WRIT_SOURCE_FOLDER && skill->source != WRIT_SOURCE_OPTION;
    (void)printf("  run them: writ test ");
    cli_print_safe_text(stdout, by_id ? contract->id : skill->folder);
    (void)fputc('\n', stdout);
}

static int print_json(const struct cli_context *context, const struct writ_skill *skill)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)16 << 20);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "folder", skill->folder);
    writ_json_write_member_text(&writer, "source", writ_source_name(skill->source));
    writ_json_write_member_bool(&writer, "trusted", skill->trusted);
    writ_json_write_member_node(&writer, "contract", skill->contract->yaml.root);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

/* A skill that is not trusted may be looked at, for how else would one learn whether to trust it?  It is handed out
 * without its contract, so its folder is opened as one that is named. */
static int open_untrusted(struct writ_skill **skill, struct writ_error *error)
{
    struct writ_skill *opened = NULL;
    int result = writ_catalog_open_folder((*skill)->folder, &opened, error);
    if (opened) {
        opened->source = (*skill)->source;
        opened->trusted = false;
        writ_skill_free(*skill);
        *skill = opened;
    }
    return result;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct writ_error error;
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options catalog_options = cli_catalog_options(context, arguments, folders);
    struct writ_skill *skill = NULL;
    int status = 0;
    int result = cli_skill_open(&catalog_options, arguments->positionals[0], &skill, &error);
    if (result == WRIT_SKILL_UNTRUSTED && skill)
        result = open_untrusted(&skill, &error);
    if (result < 0) {
        status = cli_report_skill(context, &error, skill);
        writ_skill_free(skill);
        return status;
    }
    if (cli_option_is_set(arguments, "json"))
        status = print_json(context, skill);
    else
        print_text(&context->terminal, skill);
    writ_skill_free(skill);
    return status;
}

static const struct cli_example examples[] = {
    {"writ show com.example.file.text-extract", "what the skill takes, gives and may touch"},
};

const struct cli_command cli_command_show = {
    .name = "show",
    .group = CLI_GROUP_USE,
    .usage = "ID[@VERSION]|DIR",
    .summary = "what a skill does, wants, returns and may touch",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 1,
    .positionals_max = 1,
    .works_anywhere = true,
    .needs_no_settings = true,
    .handler = handle,
};
