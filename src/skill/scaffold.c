#include "skill/scaffold.h"

#include "base/text.h"
#include "data/yaml.h"
#include "skill/lint.h"
#include "skill/scaffold_templates.h"

#include <string.h>

#define ARENA_BYTES_MAX ((size_t)1 << 20)
#define FILE_BYTES_MAX ((size_t)128 << 10)
#define DESCRIPTION_BYTES_MAX 800 /* the open standard's 1024, less what says when */
#define FIELD_BYTES_MAX 128

static const struct {
    const char *name, *title;
} titles[] = {{"python", "Python"}, {"node", "Node.js"}, {"sh", "POSIX shell"}, {"c", "C"}};

bool writ_scaffold_language(size_t index, const char **ret_name, const char **ret_title)
{
    if (index >= scaffold_language_count)
        return false;
    *ret_name = *ret_title = scaffold_languages[index].name;
    for (size_t i = 0; i < WRIT_COUNT(titles); i++)
        if (strcmp(titles[i].name, *ret_name) == 0)
            *ret_title = titles[i].title;
    return true;
}

void writ_scaffold_clear(struct writ_scaffold *scaffold)
{
    writ_arena_clear(&scaffold->arena);
    scaffold->file_count = 0;
}

static const struct scaffold_language *find_language(const char *name, struct writ_error *error)
{
    const char *names[16];
    size_t count = 0;
    for (size_t i = 0; i < scaffold_language_count && i < WRIT_COUNT(names); i++) {
        if (strcmp(scaffold_languages[i].name, name) == 0)
            return &scaffold_languages[i];
        names[count++] = scaffold_languages[i].name;
    }
    const char *nearest = writ_nearest_name(name, names, count);
    (void)writ_error_set(error, WRIT_USAGE, "--language takes python, node, sh or c, not `%.40s`%s%s%s", name,
                         nearest ? "; did you mean `" : "", nearest ? nearest : "", nearest ? "`?" : "");
    return NULL;
}

/* ---- what was wished for ---- */

/* Line ends of all kinds, and characters that turn the direction of writing or that readers of YAML take differently.
 */
static bool is_unfit(const char *at)
{
    unsigned char c = (unsigned char)at[0], second = (unsigned char)at[1];
    if (c < 0x20 || c == 0x7F || (c == 0xC2 && second < 0xA0))
        return true;
    if (c == 0xE2 && second == 0x80)
        return ((unsigned char)at[2] >= 0xA8 && (unsigned char)at[2] <= 0xAE);
    return (c == 0xE2 && second == 0x81 && (unsigned char)at[2] >= 0xA6 && (unsigned char)at[2] <= 0xA9) ||
           (c == 0xEF && second == 0xBB && (unsigned char)at[2] == 0xBF) ||
           (c == 0xEF && second == 0xBF && (unsigned char)at[2] >= 0xBE);
}

/* A field as one line without space around it. */
static int take_text(struct writ_arena *arena, const char *option, const char *text, size_t bytes_max,
                     const char **ret_text, struct writ_error *error)
{
    if (!writ_utf8_is_valid(text, strlen(text)))
        return writ_error_set(error, WRIT_USAGE, "--%s is not UTF-8; write it in UTF-8", option);
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    if (length == 0)
        return writ_error_set(error, WRIT_USAGE, "--%s is empty; give it a text, or leave it out", option);
    if (length > bytes_max)
        return writ_error_set(error, WRIT_USAGE, "--%s has %zu bytes; at most %zu are taken", option, length,
                              bytes_max);
    char *copy = writ_arena_copy(arena, text, length);
    if (!copy)
        return writ_error_memory(error);
    for (char *at = copy; *at; at++) {
        if (strchr("\t\r\n", *at))
            *at = ' ';
        if (is_unfit(at))
            return writ_error_set(error, WRIT_USAGE, "--%s holds a control character; remove it", option);
    }
    *ret_text = copy;
    return 0;
}

/* The open standard's rule for the name in SKILL.md. */
static bool is_standard_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > WRIT_SCAFFOLD_NAME_BYTES_MAX || name[0] == '-' || name[length - 1] == '-')
        return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length && !strstr(name, "--");
}

/* A name that would do, made from one that does not; "" when nothing is left of it.  `dotted`: it is to be an id. */
static void suggest_name(const char *name, bool dotted, char ret_name[WRIT_SCAFFOLD_NAME_BYTES_MAX + 1])
{
    size_t length = 0;
    for (; *name && length < WRIT_SCAFFOLD_NAME_BYTES_MAX; name++) {
        char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
        bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (fits)
            ret_name[length++] = c;
        else if (length > 0 && !strchr("-.", ret_name[length - 1]))
            ret_name[length++] = dotted && c == '.' ? '.' : '-';
    }
    while (length > 0 && ret_name[length - 1] == '-')
        length--;
    ret_name[length] = '\0';
}

static int refuse_folder_name(const char *name, struct writ_error *error)
{
    char better[WRIT_SCAFFOLD_NAME_BYTES_MAX + 1];
    struct writ_error unused;
    suggest_name(name, true, better);
    if (writ_skill_id_check(better, &unused) < 0)
        suggest_name(name, false, better);
    return writ_error_set(error, WRIT_USAGE,
                          "`%.128s` cannot be the name of a skill's folder, which has a-z, 0-9 and single `-` inside, "
                          "at most %d of them, or is an id; call it `%s`",
                          name, WRIT_SCAFFOLD_NAME_BYTES_MAX, better[0] ? better : "my-skill");
}

/* `com.example.file.text-extract` is `file-text-extract`; of an id with two parts the last one. */
static int name_of_id(struct writ_scaffold *scaffold, struct writ_error *error)
{
    const char *rest = strchr(scaffold->id, '.') + 1, *second = strchr(rest, '.');
    rest = second ? second + 1 : rest;
    char name[WRIT_SCAFFOLD_NAME_BYTES_MAX + 1];
    suggest_name(rest, false, name);
    scaffold->name = writ_arena_copy(&scaffold->arena, name, strlen(name));
    return scaffold->name ? 0 : writ_error_memory(error);
}

static int settle_names(const struct writ_scaffold_wish *wish, struct writ_scaffold *scaffold, struct writ_error *error)
{
    const char *folder = wish->folder_name;
    struct writ_error reason;
    bool folder_is_id = writ_skill_id_check(folder, &reason) == 0;
    if (!folder_is_id && !is_standard_name(folder))
        return refuse_folder_name(folder, error);
    if (wish->id && writ_skill_id_check(wish->id, &reason) < 0)
        return writ_error_set(error, WRIT_USAGE, "--id `%.128s`: %s", wish->id, reason.message);
    if (wish->id && folder_is_id && strcmp(wish->id, folder) != 0)
        return writ_error_set(
            error, WRIT_USAGE,
            "the folder bears the id `%s`, but --id says `%s`; make them the same, or give the folder "
            "a name without dots",
            folder, wish->id);
    const char *id = wish->id ? wish->id : folder;
    scaffold->id_is_made_up = !wish->id && !folder_is_id;
    scaffold->id = scaffold->id_is_made_up ? writ_arena_printf(&scaffold->arena, "com.example.%s", folder)
                                           : writ_arena_copy(&scaffold->arena, id, strlen(id));
    if (!scaffold->id)
        return writ_error_memory(error);
    if (folder_is_id)
        return name_of_id(scaffold, error);
    scaffold->name = writ_arena_copy(&scaffold->arena, folder, strlen(folder));
    return scaffold->name ? 0 : writ_error_memory(error);
}

static int make_title(struct writ_scaffold *scaffold, struct writ_error *error)
{
    char *title = writ_arena_copy(&scaffold->arena, scaffold->name, strlen(scaffold->name));
    if (!title)
        return writ_error_memory(error);
    for (char *at = title; *at; at++)
        if (*at == '-')
            *at = ' ';
    if (title[0] >= 'a' && title[0] <= 'z')
        title[0] = (char)(title[0] - 'a' + 'A');
    scaffold->title = title;
    return 0;
}

/* ---- filling in ---- */

struct fields {
    const char *id, *skill, *title, *description, *author, *license;
    const char *when, *triggers; /* of SKILL.md */
};

/* What SKILL.md says beyond what the skill does: when it is to be used. */
static int say_when(struct writ_scaffold *scaffold, bool own_description, struct fields *fields,
                    struct writ_error *error)
{
    const char *what = fields->description;
    size_t length = strlen(what);
    bool says_when = strcasestr(what, "when") || strstr(what, "时");
    bool is_chinese = false;
    for (const char *at = what; *at; at++)
        is_chinese = is_chinese || ((unsigned char)*at >= 0xE4 && (unsigned char)*at <= 0xE9);
    bool ended = strchr(".!?", what[length - 1]) ||
                 (length > 3 && (strcmp(what + length - 3, "。") == 0 || strcmp(what + length - 3, "！") == 0));
    const char *when = !own_description ? " Use when someone asks how many lines or words a text file has."
                       : says_when      ? ""
                       : is_chinese     ? "当用户要做这件事时使用。"
                                        : " Use when someone asks for this.";
    fields->when = writ_arena_printf(&scaffold->arena, "%s%s%s", what,
                                     ended || !when[0] ? ""
                                     : is_chinese      ? "。"
                                                       : ".",
                                     when);
    fields->triggers = "count lines; count words; how many lines; how many words";
    if (own_description) {
        char *words = writ_arena_copy(&scaffold->arena, scaffold->title, strlen(scaffold->title));
        if (words && words[0] >= 'A' && words[0] <= 'Z')
            words[0] = (char)(words[0] - 'A' + 'a');
        fields->triggers = words ? writ_arena_printf(&scaffold->arena, "%s; use %s", words, words) : NULL;
    }
    return fields->when && fields->triggers ? 0 : writ_error_memory(error);
}

static int take_fields(const struct writ_scaffold_wish *wish, struct writ_scaffold *scaffold, struct fields *fields,
                       struct writ_error *error)
{
    *fields = (struct fields){.id = scaffold->id,
                              .skill = scaffold->name,
                              .title = scaffold->title,
                              .description = "Counts the lines and words of a text file.",
                              .author = "You",
                              .license = "MIT"};
    const struct {
        const char *option, *wished;
        size_t bytes_max;
        const char **place;
    } rows[] = {{"description", wish->description, DESCRIPTION_BYTES_MAX, &fields->description},
                {"author", wish->author, FIELD_BYTES_MAX, &fields->author},
                {"license", wish->license, FIELD_BYTES_MAX, &fields->license}};
    for (size_t i = 0; i < WRIT_COUNT(rows); i++) {
        int result = rows[i].wished ? take_text(&scaffold->arena, rows[i].option, rows[i].wished, rows[i].bytes_max,
                                                rows[i].place, error)
                                    : 0;
        if (result < 0)
            return result;
    }
    return say_when(scaffold, wish->description != NULL, fields, error);
}

/* True when YAML takes the text as it stands for that text, behind `key: `. */
static bool is_plain_in_yaml(const char *text)
{
    static const char *const words[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
    for (size_t i = 0; i < WRIT_COUNT(words); i++)
        if (strcasecmp(text, words[i]) == 0)
            return false;
    for (const char *at = text; *at; at++) {
        bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || ((unsigned char)*at & 0x80);
        if (!letter && (at == text || (!(*at >= '0' && *at <= '9') && !strchr(" ,.;()'_/+-", *at))))
            return false;
    }
    return true;
}

static void print_markdown(struct writ_buffer *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        if (strchr("\\`*_[]<>&", *at) || (at == text && strchr("#>+-=~|", *at)))
            writ_buffer_append_byte(out, '\\');
        writ_buffer_append_byte(out, *at);
    }
}

static const char *field_text(const struct fields *fields, const char *name, size_t length)
{
    const struct {
        const char *name, *text;
    } rows[] = {{"id", fields->id},         {"skill", fields->skill},
                {"title", fields->title},   {"description", fields->description},
                {"author", fields->author}, {"license", fields->license},
                {"when", fields->when},     {"triggers", fields->triggers}};
    for (size_t i = 0; i < WRIT_COUNT(rows); i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
            return rows[i].text;
    return NULL;
}

/* Prints the field that begins at `at`, an `@`; returns what follows its last `@`, or NULL when this is no field. */
static const char *print_field(struct writ_buffer *out, const char *at, const struct fields *fields)
{
    const char *end = at + 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz:");
    const char *colon = memchr(at + 1, ':', (size_t)(end - at - 1)), *name = colon ? colon + 1 : at + 1;
    const char *text = *end == '@' ? field_text(fields, name, (size_t)(end - name)) : NULL;
    if (!text)
        return NULL;
    if (!colon)
        writ_buffer_append_text(out, text);
    else if (strncmp(at, "@markdown:", strlen("@markdown:")) == 0)
        print_markdown(out, text);
    else if (is_plain_in_yaml(text))
        writ_buffer_append_text(out, text);
    else
        writ_json_print_string(out, text, strlen(text)); /* what JSON quotes, YAML reads alike */
    return end + 1;
}

static int fill_file(const struct scaffold_template *template, const struct fields *fields, struct writ_arena *arena,
                     struct writ_scaffold_file *ret_file, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init(&out, FILE_BYTES_MAX);
    for (const char *at = template->text, *end = at + template->length; at < end;) {
        const char *next = memchr(at, '@', (size_t)(end - at));
        writ_buffer_append(&out, at, (size_t)((next ? next : end) - at));
        at = next ? print_field(&out, next, fields) : end;
        if (!at) {
            writ_buffer_append_byte(&out, '@');
            at = next + 1;
        }
    }
    const char *text = out.failed ? NULL : writ_arena_copy(arena, writ_buffer_text(&out), out.length);
    if (!text)
        return writ_error_memory(error);
    *ret_file = (struct writ_scaffold_file){
        .path = template->path, .text = text, .length = out.length, .executable = template->executable};
    return 0;
}

/* ---- judging what came out ---- */

static void free_contract(struct writ_contract **contract)
{
    writ_contract_free(*contract);
}

/* What is wrong came with an option of that name: all else is the templates' own. */
static int refuse_field(const char *field, const char *message, struct writ_error *error)
{
    return writ_error_set(error, WRIT_USAGE, "--%s %s", field, message);
}

/* The contract as `writ lint` would judge it. */
static int judge_contract(const struct writ_scaffold_file *file, struct writ_error *error)
{
    WRIT_CLEANUP(free_contract) struct writ_contract *contract = NULL;
    WRIT_CLEANUP(writ_contract_faults_clear) struct writ_contract_faults faults;
    writ_contract_faults_init(&faults);
    int result = writ_contract_parse(file->text, file->length, file->path, NULL, &contract, &faults, error);
    if (result == WRIT_CONTRACT_INVALID && faults.count > 0)
        return refuse_field(faults.items[0].field, faults.items[0].message, error);
    if (result < 0)
        return result;
    const struct writ_skill skill = {
        .folder = "", .folder_fd = -1, .id = contract->id, .trusted = true, .contract = contract};
    struct writ_lint_report report = {0};
    result = writ_lint_skill(&skill, &report, error);
    for (size_t i = 0; result == 0 && i < report.count; i++)
        if (report.items[i].severity != WRIT_LINT_NOTE)
            result = refuse_field(report.items[i].field, report.items[i].message, error);
    writ_lint_report_clear(&report);
    return result;
}

int writ_scaffold_fill(const struct writ_scaffold_wish *wish, struct writ_scaffold *ret_scaffold,
                       struct writ_error *error)
{
    WRIT_CLEANUP(writ_scaffold_clear) struct writ_scaffold scaffold = {.file_count = 0};
    writ_arena_init(&scaffold.arena, ARENA_BYTES_MAX);
    const struct scaffold_language *language = find_language(wish->language, error);
    if (!language)
        return error->code;
    struct fields fields;
    int result = settle_names(wish, &scaffold, error);
    if (result == 0)
        result = make_title(&scaffold, error);
    if (result == 0)
        result = take_fields(wish, &scaffold, &fields, error);
    scaffold.language = language->name;
    for (size_t i = 0; result == 0 && i < language->count && i < WRIT_SCAFFOLD_FILES_MAX; i++) {
        struct writ_scaffold_file *file = &scaffold.files[scaffold.file_count++];
        result = fill_file(&language->files[i], &fields, &scaffold.arena, file, error);
        if (result == 0 && strncmp(file->path, "main.", 5) == 0)
            scaffold.program = file->path;
        if (result == 0 && strcmp(file->path, "skill.yaml") == 0)
            result = judge_contract(file, error);
    }
    if (result < 0)
        return result;
    *ret_scaffold = scaffold;
    scaffold = (struct writ_scaffold){.file_count = 0};
    return 0;
}
