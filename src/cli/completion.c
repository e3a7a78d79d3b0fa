#include "cli/completion.h"

#include "base/text.h"
#include "cli/placeholder.h"
#include "cli/run_flags.h"
#include "cli/skill_argument.h"

#include <string.h>

#define CANDIDATE_BYTES_MAX 1024
#define MEANING_BYTES_MAX 160

/* What is known of the line when the word at its end is reached. */
struct line {
    const struct cli_context *context;
    const struct cli_command *command;
    const char *word;   /* the one being written */
    const char *prefix; /* what stands before its value: `--input=`, else "" */
    size_t prefix_length;
    struct cli_arguments given;    /* what precedes the word, as far as it was understood */
    const struct cli_option *open; /* an option that waits for its value; NULL: none */
    const char *open_flag;         /* a flag of the skill that does, without dashes; NULL: none */
    size_t open_flag_length;
    const struct writ_contract *contract; /* while its flags are visited */
    bool only_values;                     /* `--` was given */
    bool files, folders;
    struct writ_buffer *candidates;
};

/* What a line, a shell or a terminal would obey is no word. */
static bool is_offerable(const char *text, size_t length)
{
    bool safe = length > 0 && length <= CANDIDATE_BYTES_MAX;
    size_t columns;
    for (size_t at = 0; safe && at < length; at += cli_character(text + at, length - at, &columns, &safe))
        if (text[at] == '\n' || text[at] == '\t')
            return false;
    return safe;
}

/* The meaning's first line, cut: no shell has room for more.  Shells print it as it comes. */
static void append_meaning(struct writ_buffer *out, const char *meaning)
{
    size_t length = strcspn(meaning, "\n"), kept = length;
    if (length > MEANING_BYTES_MAX)
        kept = writ_utf8_valid_length(meaning, MEANING_BYTES_MAX);
    for (size_t at = 0; at < kept;) {
        size_t columns;
        bool safe;
        size_t used = cli_character(meaning + at, kept - at, &columns, &safe);
        if (safe && meaning[at] != '\t')
            writ_buffer_append(out, meaning + at, used);
        else
            writ_buffer_append_byte(out, ' ');
        at += used;
    }
    if (kept < length)
        writ_buffer_append_text(out, "…");
}

static void offer_sized(struct line *line, const char *lead, const char *text, size_t length, const char *meaning)
{
    const char *typed = line->word + line->prefix_length;
    size_t lead_length = strlen(lead), typed_length = strlen(typed);
    char whole[CANDIDATE_BYTES_MAX + 8];
    if (!is_offerable(text, length) || lead_length > 7)
        return;
    memcpy(whole, lead, lead_length);
    memcpy(whole + lead_length, text, length);
    length += lead_length;
    if (typed_length > length || memcmp(whole, typed, typed_length) != 0)
        return;
    struct writ_buffer *out = line->candidates;
    size_t before = out->length;
    writ_buffer_append(out, line->prefix, line->prefix_length);
    writ_buffer_append(out, whole, length);
    writ_buffer_append_byte(out, '\t');
    append_meaning(out, meaning ? meaning : "");
    writ_buffer_append_byte(out, '\n');
    if (out->failed)
        out->length = before;
}

static void offer(struct line *line, const char *lead, const char *text, const char *meaning)
{
    offer_sized(line, lead, text, strlen(text), meaning);
}

static void offer_options(struct line *line, const struct cli_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        offer(line, "--", options[i].name, options[i].help);
}

/* Names of commands; of those with two words the one that is due at `index`. */
static void offer_commands(struct line *line, const char *first, size_t index)
{
    const char *before = "";
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct cli_command *command = cli_commands[i];
        size_t length = strcspn(command->name, " ");
        const char *second = command->name[length] ? command->name + length + 1 : NULL;
        if (command->hidden)
            continue;
        if (index == 1 && second && strlen(first) == length && memcmp(first, command->name, length) == 0)
            offer(line, "", second, command->summary);
        bool repeated = strncmp(before, command->name, length) == 0 && (before[length] == ' ' || !before[length]);
        if (index == 0 && !repeated)
            offer_sized(line, "", command->name, length, command->summary);
        before = command->name;
    }
}

static void offer_skills(struct line *line, bool with_versions)
{
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options options = cli_catalog_options(line->context, &line->given, folders);
    const char *typed = line->word + line->prefix_length, *at = with_versions ? strchr(typed, '@') : NULL;
    struct writ_catalog catalog;
    struct writ_error error;
    if (writ_catalog_list(&options, &catalog, &error) < 0)
        return;
    for (size_t i = 0; i < catalog.count; i++) {
        const struct writ_skill *skill = catalog.skills[i];
        if (!skill->trusted || skill->fault.code || skill->shadowed_by)
            continue;
        char versioned[WRIT_SKILL_ID_BYTES_MAX + 80];
        (void)snprintf(versioned, sizeof versioned, "%s@%s", skill->id, skill->contract->version_text);
        bool again = i > 0 && strcmp(catalog.skills[i - 1]->id, skill->id) == 0;
        if (at || !again)
            offer(line, "", at ? versioned : skill->id, skill->contract->name);
    }
    writ_catalog_clear(&catalog);
}

static void offer_words(struct line *line, const char *text)
{
    const char *cursor = NULL, *word;
    size_t length;
    while (cli_placeholder_next_word(text, &cursor, &word, &length))
        offer_sized(line, "", word, length, "");
}

/* `text`: a value's words in a usage or an option. */
static void offer_value(struct line *line, const char *text)
{
    unsigned offers = cli_placeholder_offers(text);
    line->files = line->files || (offers & CLI_OFFER_FILE);
    line->folders = line->folders || (offers & CLI_OFFER_FOLDER);
    if (offers & CLI_OFFER_SKILL)
        offer_skills(line, offers & CLI_OFFER_VERSION);
    if (offers & CLI_OFFER_COMMAND)
        offer_commands(line, "", 0);
    if (offers & CLI_OFFER_WORDS)
        offer_words(line, text);
    if (offers & CLI_OFFER_SETTING)
        for (size_t i = 0; i < WRIT_SETTING_COUNT; i++)
            offer(line, "", writ_settings_table[i].name, writ_settings_table[i].meaning);
    if (offers & CLI_OFFER_CLASS)
        for (int i = 0; i < WRIT_CODE_COUNT; i++)
            offer(line, "", writ_code_class((enum writ_code)(-1 - i)), writ_code_meaning((enum writ_code)(-1 - i)));
}

/* ---- a skill's own flags ---- */

static void offer_flag(void *context, const struct cli_run_flag *flag)
{
    struct line *line = context;
    const char *description = writ_json_text(writ_json_get(flag->schema, "description"));
    offer(line, "--", flag->name, description);
    if (flag->is_switch && !strchr(flag->name, '.') && strncmp(line->word, "--n", 3) == 0)
        offer(line, "--no-", flag->name, description);
}

/* `file_path` and `file-path` are one flag. */
static bool is_open_flag(const struct line *line, const char *name)
{
    if (!line->open_flag || strlen(name) != line->open_flag_length)
        return false;
    for (size_t i = 0; i < line->open_flag_length; i++)
        if (line->open_flag[i] != name[i] && !(line->open_flag[i] == '_' && name[i] == '-'))
            return false;
    return true;
}

static void offer_flag_value(void *context, const struct cli_run_flag *flag)
{
    struct line *line = context;
    if (!is_open_flag(line, flag->name))
        return;
    const struct writ_json *schema = flag->repeats ? writ_json_get(flag->schema, "items") : flag->schema;
    const struct writ_json *choices = writ_json_get(schema, "enum");
    if (choices && choices->kind == WRIT_JSON_ARRAY)
        WRIT_JSON_EACH_ITEM(choice, choices)
        {
            WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
            writ_buffer_init(&text, CANDIDATE_BYTES_MAX);
            if (choice->kind == WRIT_JSON_STRING)
                writ_buffer_append(&text, choice->text, choice->length);
            else
                writ_json_print(&text, choice, WRIT_JSON_COMPACT);
            if (!text.failed)
                offer_sized(line, "", writ_buffer_text(&text), text.length, "");
        }
    if (flag->is_switch) {
        offer(line, "", "true", "");
        offer(line, "", "false", "");
    }
    line->files =
        line->files || writ_permissions_name_input(line->contract->permissions, line->contract->permission_count,
                                                   flag->pointer, strlen(flag->pointer));
}

static void visit_flags(struct line *line, cli_run_flag_visit *visit)
{
    struct writ_error error;
    const char *folders[CLI_VALUES_MAX];
    const struct writ_catalog_options options = cli_catalog_options(line->context, &line->given, folders);
    struct writ_skill *skill = NULL;
    if (cli_skill_open(&options, line->given.positionals[0], &skill, &error) == 0) {
        line->contract = skill->contract;
        (void)cli_run_flags_each(skill->contract->input_node, visit, line);
        line->contract = NULL;
    }
    writ_skill_free(skill);
}

/* A switch waits for no value, and neither does its `no-`. */
static void close_switch(void *context, const struct cli_run_flag *flag)
{
    struct line *line = context;
    struct line negated = *line;
    if (line->open_flag && line->open_flag_length > 3 && strncmp(line->open_flag, "no-", 3) == 0) {
        negated.open_flag += 3;
        negated.open_flag_length -= 3;
    }
    if (flag->is_switch && (is_open_flag(line, flag->name) || is_open_flag(&negated, flag->name)))
        line->open_flag = NULL;
}

/* ---- the line ---- */

static bool has_skill(const struct line *line)
{
    return line->command->takes_rest && line->given.positional_count > 0;
}

static void read_option_word(struct line *line, const char *word, bool is_last)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1), *value = NULL;
    size_t length = is_long ? strcspn(name, "=") : 1;
    const struct cli_option *option = line->only_values ? NULL
                                      : is_long         ? cli_option_find(line->command, name, length)
                                                        : cli_option_find_letter(line->command, *name);
    if (name[length])
        value = is_long ? name + length + 1 : name + 1;
    if (option && option->value && !value) {
        line->open = option;
    } else if (option && line->given.value_count < CLI_VALUES_MAX) {
        line->given.values[line->given.value_count++] = (struct cli_value){option, value};
    } else if (!option && has_skill(line) && is_long && !value && is_last) {
        line->open_flag = name;
        line->open_flag_length = length;
        visit_flags(line, close_switch);
    }
}

/* One word before the one being written. */
static void read_word(struct line *line, const char *word, bool is_last)
{
    struct cli_arguments *given = &line->given;
    if (line->open) {
        if (given->value_count < CLI_VALUES_MAX)
            given->values[given->value_count++] = (struct cli_value){line->open, word};
        line->open = NULL;
    } else if (!line->only_values && strcmp(word, "--") == 0) {
        line->only_values = true;
    } else if (word[0] == '-' && word[1] && (!line->only_values || has_skill(line))) {
        read_option_word(line, word, is_last);
    } else if (given->positional_count < CLI_POSITIONALS_MAX && !has_skill(line)) {
        given->positionals[given->positional_count++] = word;
    }
}

/* `--name=` before the cursor: what follows is the value of that option or flag. */
static void open_joined(struct line *line)
{
    size_t length = strcspn(line->word, "=");
    if (strncmp(line->word, "--", 2) != 0 || !line->word[length] || line->open)
        return;
    line->prefix = line->word;
    line->prefix_length = length + 1;
    const struct cli_option *option =
        line->only_values ? NULL : cli_option_find(line->command, line->word + 2, length - 2);
    if (option && option->value)
        line->open = option;
    if (!option && has_skill(line)) {
        line->open_flag = line->word + 2;
        line->open_flag_length = length - 2;
    }
}

static void offer_at_word(struct line *line)
{
    size_t length;
    const char *usage = cli_usage_positional(line->command->usage, line->given.positional_count, &length);
    if (line->open) {
        offer_value(line, line->open->value);
    } else if (line->open_flag) {
        visit_flags(line, offer_flag_value);
    } else if (line->word[0] == '-' || has_skill(line)) {
        if (has_skill(line))
            visit_flags(line, offer_flag);
        if (!line->only_values && line->word[0] == '-') {
            offer_options(line, line->command->options, line->command->option_count);
            offer_options(line, cli_common_options, cli_common_option_count);
        }
    } else if (usage) {
        offer_value(line, usage);
    }
}

/* Reads the words up to the last.  How many belong to the command's name goes to `*ret_words`. */
static const struct cli_command *find_command(const char *const *words, size_t count, size_t *ret_words)
{
    int used = 0;
    const struct cli_command *command =
        count > 0 ? cli_command_find((int)count, (char *const *)(uintptr_t)words, &used) : NULL;
    *ret_words = (size_t)used;
    return command;
}

void cli_complete(const struct cli_context *context, const char *const *words, size_t count, struct writ_buffer *out)
{
    static const struct cli_command none = {.name = "", .usage = ""};
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer candidates;
    writ_buffer_init(&candidates, out->bytes_max / 2);
    struct line line = {.context = context, .command = &none, .prefix = "", .candidates = &candidates};
    size_t at = 0, used;
    line.word = words[count - 1];
    while (at + 1 < count && (words[at][0] == '-' || line.open)) {
        read_word(&line, words[at], false);
        at++;
    }
    const struct cli_command *found = line.open ? NULL : find_command(words + at, count - 1 - at, &used);
    if (found) {
        line.command = found;
        for (size_t i = at + used; i + 1 < count; i++)
            read_word(&line, words[i], i + 2 == count);
        open_joined(&line);
        if (at + 2 == count)
            offer_commands(&line, words[at], 1);
        offer_at_word(&line);
    } else if (line.open || line.word[0] == '-') {
        open_joined(&line);
        offer_at_word(&line);
    } else if (at + 2 >= count) {
        offer_commands(&line, at + 2 == count ? words[at] : "", at + 2 == count);
    }
    writ_buffer_append_text(out, line.files ? "files\n" : line.folders ? "folders\n" : "words\n");
    writ_buffer_append(out, writ_buffer_text(&candidates), candidates.length);
}
