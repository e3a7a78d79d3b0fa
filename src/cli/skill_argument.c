#include "cli/skill_argument.h"

#include <string.h>

static bool is_folder(const char *text)
{
    return strchr(text, '/') || strcmp(text, ".") == 0 || strcmp(text, "..") == 0;
}

/* A folder where an id is due: its last two components are most often what was meant. */
static int fail_on_folder(const char *text, struct writ_error *error)
{
    size_t length = strlen(text);
    while (length > 1 && text[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && text[start - 1] != '/')
        start--;
    if (start == 0 || text[start] == '.' || length - start > 128 || start > 200)
        return writ_error_set(error, WRIT_USAGE,
                              "`%.100s` is a folder, but an id is due; write --skills with the folder that holds it, "
                              "then the id",
                              text);
    return writ_error_set(error, WRIT_USAGE, "`%.100s` is a folder, but an id is due; write --skills %.*s %.*s", text,
                          start > 1 ? (int)start - 1 : 1, text, (int)(length - start), text + start);
}

int cli_skill_argument_parse(const char *text, struct cli_skill_argument *ret_argument, struct writ_error *error)
{
    size_t length = strcspn(text, "@");
    *ret_argument = (struct cli_skill_argument){.range = NULL};
    if (is_folder(text))
        return fail_on_folder(text, error);
    if (length == 0 || length >= sizeof ret_argument->id)
        return writ_error_set(error, WRIT_USAGE, "`%.100s` is no skill id; an id looks like com.example.text.stats",
                              text);
    memcpy(ret_argument->id, text, length);
    if (text[length] == '\0')
        return 0;
    int result = writ_semver_range_parse(text + length + 1, &ret_argument->storage, error);
    if (result < 0) {
        error->code = WRIT_USAGE;
        return writ_error_wrap(error, "the version in `%.100s`", text);
    }
    ret_argument->range = &ret_argument->storage;
    return 0;
}

int cli_skill_open(const struct writ_catalog_options *options, const char *text, struct writ_skill **ret_skill,
                   struct writ_error *error)
{
    if (is_folder(text))
        return writ_catalog_open_folder(text, ret_skill, error);
    struct cli_skill_argument argument;
    int result = cli_skill_argument_parse(text, &argument, error);
    return result < 0 ? result : writ_catalog_find(options, argument.id, argument.range, ret_skill, error);
}

void cli_print_contract_faults(const struct cli_context *context, const struct writ_skill *skill)
{
    /* The first is in the error that was told; JSON has them all. */
    if (!skill || context->as_json || (skill->faults.count == 1 && !skill->faults.truncated))
        return;
    for (size_t i = 0; i < skill->faults.count; i++) {
        const struct writ_contract_fault *fault = &skill->faults.items[i];
        (void)fprintf(stderr, "  ");
        cli_print_safe_text(stderr, skill->folder);
        (void)fprintf(stderr, "/skill.yaml:%u:%u: ", fault->line, fault->column);
        if (fault->field[0]) {
            cli_print_safe_text(stderr, fault->field);
            (void)fprintf(stderr, ": ");
        }
        cli_print_safe_text(stderr, fault->message);
        (void)fputc('\n', stderr);
    }
    if (skill->faults.truncated)
        (void)fprintf(stderr, "  … and more\n");
}
