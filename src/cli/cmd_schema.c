/* `writ schema check`: a document against a JSON Schema. */
#include "base/descriptor.h"
#include "base/file.h"
#include "cli/handlers.h"
#include "data/schema.h"
#include "data/schema_remote.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define EXIT_INVALID 1
#define EXIT_BAD_SCHEMA 2

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
    {"remote", 0, "URL=DIR", "let $ref reach the documents in DIR under URL (repeatable)"},
    {"assert-format", 0, NULL, "check `format` instead of noting it"},
};

static bool is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

static int read_stdin(struct writ_buffer *text, struct writ_error *error)
{
    int result = writ_descriptor_read_all(STDIN_FILENO, text);
    if (result == -ENOMEM)
        return writ_error_memory(error);
    if (result == -EFBIG)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "stdin has more than %zu bytes; make the document smaller",
                              text->bytes_max);
    return result < 0 ? writ_error_io(error, -result, "stdin") : 0;
}

static int read_document(struct writ_arena *arena, const char *path, const struct writ_json **ret_document,
                         struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_JSON_BYTES_MAX);
    int result = is_stdin(path) ? read_stdin(&text, error) : writ_file_read(AT_FDCWD, path, false, &text, error);
    /* The file is the caller's, so that it cannot be read is the command line's fault. */
    if (result == WRIT_INTERNAL_IO)
        result = error->code = WRIT_USAGE;
    if (result == 0)
        result = writ_json_parse(arena, writ_buffer_text(&text), text.length, ret_document, error);
    if (result == WRIT_DATA_SYNTAX)
        (void)writ_error_at(error, is_stdin(path) ? "stdin" : path, error->line, error->column);
    return result;
}

static int register_remotes(struct writ_schema_registry *registry, struct writ_arena *arena,
                            const struct cli_arguments *arguments, struct writ_error *error)
{
    const char *remotes[CLI_VALUES_MAX];
    size_t count = cli_option_all(arguments, "remote", remotes, WRIT_COUNT(remotes));
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(remotes[i], '=');
        char *url = equals ? writ_arena_copy(arena, remotes[i], (size_t)(equals - remotes[i])) : NULL;
        if (!equals)
            return writ_error_set(error, WRIT_USAGE, "--remote takes URL=DIR, not `%s`", remotes[i]);
        if (!url)
            return writ_error_memory(error);
        int result = writ_schema_registry_add_folder(registry, url, equals + 1, arena, error);
        if (result < 0)
            return result;
    }
    return 0;
}

static int print_faults(const struct cli_context *context, const struct cli_arguments *arguments,
                        const struct writ_schema_faults *faults)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, (size_t)64 << 20);
    writ_json_writer_init(&writer, &out);
    if (!cli_option_is_set(arguments, "json")) {
        for (size_t i = 0; i < faults->count; i++) {
            const struct writ_schema_fault *fault = &faults->items[i];
            cli_print_safe_text(stdout, fault->instance_pointer[0] ? fault->instance_pointer : "(whole)");
            (void)printf(": ");
            cli_print_safe_text(stdout, fault->message);
            (void)printf(" [");
            cli_print_safe_text(stdout, fault->schema_pointer);
            (void)printf("]\n");
        }
        if (faults->truncated)
            (void)printf("… and more\n");
        return faults->count > 0 ? EXIT_INVALID : 0;
    }
    writ_json_write_object(&writer);
    writ_json_write_member_bool(&writer, "valid", faults->count == 0);
    writ_json_write_key(&writer, "faults");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < faults->count; i++) {
        const struct writ_schema_fault *fault = &faults->items[i];
        const struct {
            const char *key, *text;
        } members[] = {{"pointer", fault->instance_pointer},
                       {"schema", fault->schema_pointer},
                       {"keyword", fault->keyword},
                       {"message", fault->message},
                       {"nearest", fault->nearest}};
        writ_json_write_object(&writer);
        for (size_t j = 0; j < WRIT_COUNT(members); j++) {
            writ_json_write_member_text(&writer, members[j].key, members[j].text);
        }
        writ_json_write_object_end(&writer);
    }
    writ_json_write_array_end(&writer);
    writ_json_write_member_bool(&writer, "truncated", faults->truncated);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, faults->count > 0 ? EXIT_INVALID : 0);
}

static int check(const struct cli_context *context, const struct cli_arguments *arguments,
                 const struct writ_schema *schema, struct writ_arena *arena)
{
    const struct writ_json *document;
    struct writ_error error;
    struct writ_schema_faults faults = {.count = 0};
    if (read_document(arena, arguments->positionals[1], &document, &error) < 0) {
        /* A document that is no JSON cannot be valid. */
        int status = cli_report(context, &error);
        return error.code == WRIT_DATA_SYNTAX ? EXIT_INVALID : status;
    }
    bool valid = writ_schema_check(schema, document);
    if (!valid && writ_schema_explain(schema, document, 0, arena, &faults, &error) < 0)
        return cli_report(context, &error);
    if (!valid || cli_option_is_set(arguments, "json"))
        return print_faults(context, arguments, &faults);
    (void)printf("valid\n");
    return 0;
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct writ_schema_registry *registry = NULL;
    struct writ_schema *schema = NULL;
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *document;
    writ_arena_init(&arena, (size_t)8 << 30);
    if (is_stdin(arguments->positionals[0]) && is_stdin(arguments->positionals[1])) {
        (void)writ_error_set(&error, WRIT_USAGE, "only one of the two can come from stdin; name a file for the other");
        return cli_report(context, &error);
    }
    int result = writ_schema_registry_new(&registry, &error);
    if (result == 0)
        result = register_remotes(registry, &arena, arguments, &error);
    if (result == 0)
        result = read_document(&arena, arguments->positionals[0], &document, &error);
    if (result == 0) {
        const struct writ_schema_options schema_options = {
            .registry = registry, .assert_format = cli_option_is_set(arguments, "assert-format")};
        result = writ_schema_compile(document, &schema_options, &schema, &error);
    }
    int status;
    if (result < 0) {
        status = cli_report(context, &error);
        if (result == WRIT_SCHEMA_INVALID || result == WRIT_DATA_SYNTAX)
            status = EXIT_BAD_SCHEMA;
    } else {
        status = check(context, arguments, schema, &arena);
    }
    writ_schema_free(schema);
    writ_schema_registry_free(registry);
    writ_arena_clear(&arena);
    return status;
}

static const struct cli_example examples[] = {
    {"writ schema check schema.json document.json", "every fault of a document"},
    {"echo '{}' | writ schema check schema.json -", "a document from stdin"},
};

const struct cli_command cli_command_schema_check = {
    .name = "schema check",
    .group = CLI_GROUP_WRITE,
    .usage = "SCHEMA DOCUMENT",
    .summary = "check a document against a JSON Schema (2020-12)",
    .details =
        "Both are JSON files, or one of them - for stdin. Exit status 0: valid; 1: invalid, with every fault; 2: it "
        "could not be checked, for the "
        "schema itself is bad or a file cannot be read. Nothing is ever fetched: remote references reach only what "
        "--remote names.",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .positionals_min = 2,
    .positionals_max = 2,
    .works_anywhere = true,
    .needs_no_settings = true,
    .handler = handle,
};
