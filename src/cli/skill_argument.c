#include "cli/skill_argument.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static bool is_folder(const char *text)
{
    return strchr(text, '/') || strcmp(text, ".") == 0 || strcmp(text, "..") == 0;
}

static bool has_contract(const char *folder)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/skill.yaml", folder);
    return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
}

int cli_skill_explain_missing(const char *text, struct writ_error *error)
{
    if (error->code != WRIT_SKILL_NOT_FOUND || is_folder(text) || !has_contract(text))
        return error->code;
    return writ_error_set(error, WRIT_SKILL_NOT_FOUND,
                          "no source has a skill `%.130s`; for the folder of that name here write ./%.130s", text,
                          text);
}

int cli_skill_argument_parse(const char *text, struct cli_skill_argument *ret_argument, struct writ_error *error)
{
    size_t length = strcspn(text, "@");
    struct writ_error ignored;
    *ret_argument = (struct cli_skill_argument){.range = NULL};
    if (is_folder(text)) {
        ret_argument->folder = text;
        return 0;
    }
    if (writ_skill_id_check(text, &ignored) < 0 && has_contract(text))
        return writ_error_set(error, WRIT_USAGE, "`%.100s` is no skill id; for the folder of that name write ./%.100s",
                              text, text);
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
    struct cli_skill_argument argument;
    int result = cli_skill_argument_parse(text, &argument, error);
    if (result < 0)
        return result;
    if (!argument.folder && !options->places->config)
        return writ_places_unknown(error);
    result = argument.folder ? writ_catalog_open_folder(argument.folder, ret_skill, error)
                             : writ_catalog_find(options, argument.id, argument.range, ret_skill, error);
    if (options->watch)
        cli_progress_hide(options->watch->context); /* every watch of commands is a progress (progress.h) */
    return result < 0 ? cli_skill_explain_missing(text, error) : 0;
}

void cli_print_contract_faults(const struct cli_context *context, const struct writ_skill *skill)
{
    /* The first is in the error that was told, with the folder; JSON has them all. */
    if (!skill || context->as_json)
        return;
    for (size_t i = 1; i < skill->faults.count; i++) {
        const struct writ_contract_fault *fault = &skill->faults.items[i];
        (void)fprintf(stderr, "  skill.yaml:%u:%u: ", fault->line, fault->column);
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

int cli_report_skill(const struct cli_context *context, const struct writ_error *error, const struct writ_skill *skill)
{
    if (context->as_json)
        return cli_report(context, error);
    int status = cli_report_error(context, error);
    cli_print_contract_faults(context, skill);
    cli_report_hint(context, error);
    return status;
}
