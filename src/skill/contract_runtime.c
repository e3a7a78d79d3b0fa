/* `runtime`: language and limits, as a map or as a list of `name:value`. */
#include "skill/contract_reader.h"

#include "base/text.h"
#include "skill/cut.h"

#include <fcntl.h>
#include <sys/stat.h>

#define OFFSET(member) offsetof(struct writ_contract_runtime, member)
#define KIB ((uint64_t)1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

static contract_read_function read_language, read_version, read_entry;

static const struct contract_field runtime_fields[] = {
    {"language", read_language, OFFSET(language), 0, 0, false, "`python`, `node`, `sh` or `native`",
     "what runs the entry; known from the entry's name when left out"},
    {"version", read_version, 0, 0, 0, false, "a version such as `3.11` (and below 4) or `3.9,3.12` (between)",
     "of the interpreter"},
    {"entry", read_entry, OFFSET(entry), 1, 255, false, "a path in the skill's folder",
     "program; `main.py`, `main.js`, `main.sh` or `main` when left out"},
    {"timeout", contract_read_duration, OFFSET(timeout_ms), 1, 24 * 3600 * 1000, false,
     "a time such as `30s` (the default) or `2m`", "wall time"},
    {"memory", contract_read_size, OFFSET(memory_bytes), MIB, 1024 * GIB, false,
     "a size such as `512MiB` (the default)", "memory of all its processes together"},
    {"cpu", contract_read_count, OFFSET(cpus), 1, 1024, false, "a whole number; 1 is the default",
     "processors it may keep busy"},
    {"processes", contract_read_count, OFFSET(processes), 1, 32768, false, "a whole number; 64 is the default",
     "processes and threads at one time"},
    {"output", contract_read_size, OFFSET(output_bytes), 1, GIB, false, "a size such as `10MiB` (the default)",
     "what it may write to stdout"},
    {"tmp", contract_read_size, OFFSET(tmp_bytes), 4 * KIB, 64 * GIB, false, "a size such as `64MiB` (the default)",
     "its private /tmp"},
};
const struct contract_table contract_table_runtime = {"runtime", runtime_fields, WRIT_COUNT(runtime_fields)};

/* ---- languages ---- */

static const struct {
    const char *name;
    enum writ_language language;
} languages[] = {
    /* The first of each is the one that writ prints. */
    {"native", WRIT_LANGUAGE_NATIVE}, {"python", WRIT_LANGUAGE_PYTHON},   {"node", WRIT_LANGUAGE_NODE},
    {"sh", WRIT_LANGUAGE_SH},         {"c", WRIT_LANGUAGE_NATIVE},        {"c++", WRIT_LANGUAGE_NATIVE},
    {"cpp", WRIT_LANGUAGE_NATIVE},    {"rust", WRIT_LANGUAGE_NATIVE},     {"go", WRIT_LANGUAGE_NATIVE},
    {"zig", WRIT_LANGUAGE_NATIVE},    {"python3", WRIT_LANGUAGE_PYTHON},  {"nodejs", WRIT_LANGUAGE_NODE},
    {"shell", WRIT_LANGUAGE_SH},      {"javascript", WRIT_LANGUAGE_NODE},
};

static const struct {
    enum writ_language language;
    const char *file, *suffix;
} entries[] = {
    {WRIT_LANGUAGE_PYTHON, "main.py", ".py"},
    {WRIT_LANGUAGE_NODE, "main.js", ".js"},
    {WRIT_LANGUAGE_SH, "main.sh", ".sh"},
    {WRIT_LANGUAGE_NATIVE, "main", NULL},
};

const char *writ_language_name(enum writ_language language)
{
    for (size_t i = 0; i < WRIT_COUNT(languages); i++)
        if (languages[i].language == language)
            return languages[i].name;
    return "unknown";
}

static enum writ_language language_of(const char *name)
{
    for (size_t i = 0; i < WRIT_COUNT(languages); i++)
        if (strcmp(languages[i].name, name) == 0)
            return languages[i].language;
    return 0;
}

/* `python3` is as near to `pyhton` as `python` is, but no other language. */
static void mend_language(struct contract_reader *reader, const struct writ_json *node, const char *nearest)
{
    const char *names[WRIT_COUNT(languages) + 1] = {nearest};
    size_t count = 1;
    for (size_t i = 0; i < WRIT_COUNT(languages); i++)
        if (languages[i].language != language_of(nearest))
            names[count++] = languages[i].name;
    const char *certain = writ_certain_name(node->text, names, count);
    if (certain)
        contract_mend_text(reader, node, certain, false);
}

static void read_language(struct contract_reader *reader, const struct writ_json *node, void *member,
                          const struct contract_field *field)
{
    const char *text = writ_json_text(node);
    enum writ_language language = text ? language_of(text) : 0;
    if (language) {
        *(enum writ_language *)member = language;
        return;
    }
    reader->language_faulty = true;
    const char *names[WRIT_COUNT(languages)];
    for (size_t i = 0; i < WRIT_COUNT(languages); i++)
        names[i] = languages[i].name;
    const char *nearest = text ? writ_nearest_name(text, names, WRIT_COUNT(languages)) : NULL;
    if (nearest)
        contract_fault(reader, node, "`%s` is no known language; did you mean `%s`?", contract_excerpt(node).text,
                       nearest);
    else
        contract_fault(reader, node, "`%s` is no known language; write %s (an executable of any language)",
                       contract_excerpt(node).text, field->form);
    if (nearest)
        mend_language(reader, node, nearest);
}

/* ---- version and entry ---- */

static void read_version(struct contract_reader *reader, const struct writ_json *node, void *member,
                         const struct contract_field *field)
{
    (void)field;
    struct writ_contract_runtime *runtime = member;
    contract_read_requirement(reader, node, &runtime->version_text, &runtime->version);
}

static void read_entry(struct contract_reader *reader, const struct writ_json *node, void *member,
                       const struct contract_field *field)
{
    const char *text = NULL;
    contract_read_text(reader, node, &text, field);
    if (!text) {
        reader->language_faulty = true;
        return;
    }
    for (const char *part = text;; part++) {
        size_t size = strcspn(part, "/");
        if (size == 0 || (size == 1 && part[0] == '.') || (size == 2 && part[0] == '.' && part[1] == '.')) {
            contract_fault(reader, node,
                           "must be a path inside the skill's folder, without `/` at its head, empty, `.` or `..` "
                           "parts");
            reader->language_faulty = true;
            return;
        }
        part += size;
        if (*part == '\0')
            break;
    }
    *(const char **)member = text;
}

/* ---- the list form ---- */

static void read_pair(struct contract_reader *reader, const struct writ_json *item, const char *name,
                      const struct writ_json *value)
{
    struct writ_contract_runtime *runtime = &reader->contract->runtime;
    if (contract_read_member(reader, name, value, &contract_table_runtime, runtime))
        return;
    enum writ_language language = language_of(name);
    if (language && runtime->language) {
        contract_fault(reader, item, "names a second language; one skill has one");
    } else if (language) {
        runtime->language = language;
        (void)contract_read_member(reader, "version", value, &contract_table_runtime, runtime);
    } else {
        const char *names[WRIT_COUNT(runtime_fields) + WRIT_COUNT(languages)];
        size_t count = 0;
        for (size_t i = 0; i < WRIT_COUNT(runtime_fields); i++)
            names[count++] = runtime_fields[i].name;
        for (size_t i = 0; i < WRIT_COUNT(languages); i++)
            names[count++] = languages[i].name;
        const char *nearest = writ_nearest_name(name, names, count);
        contract_fault(reader, item, "`%.*s` is neither a language nor a limit; %s%s%s", cut(name, 40), name,
                       nearest ? "did you mean `" : "write `python:3.11`, `timeout:30s`, `memory:512MiB`",
                       nearest ? nearest : "", nearest ? "`?" : "");
    }
}

/* A value that stands in a text item is given to the readers as a node of its own, at the item's place. */
static void read_text_item(struct contract_reader *reader, const struct writ_json *item)
{
    struct writ_contract_runtime *runtime = &reader->contract->runtime;
    const char *colon = memchr(item->text, ':', item->length);
    if (!colon) {
        enum writ_language language = language_of(item->text);
        if (language && !runtime->language)
            runtime->language = language;
        else if (language)
            contract_fault(reader, item, "names a second language; one skill has one");
        else
            contract_fault(reader, item,
                           "`%s` is no language and has no value; write such as `python:3.11` or `timeout:30s`",
                           contract_excerpt(item).text);
        return;
    }
    char *name = writ_arena_copy(reader->arena, item->text, (size_t)(colon - item->text));
    const char *value = colon + 1 + strspn(colon + 1, " ");
    size_t length = (size_t)(item->text + item->length - value);
    struct writ_json *node = contract_alloc(reader, 1, sizeof *node);
    if (!name || !node) {
        reader->out_of_memory = true;
        return;
    }
    node->tag = writ_json_string_tag(value, length);
    node->text = value;
    reader->stand_in = node;
    reader->stand_in_place = item;
    read_pair(reader, item, name, node);
    reader->stand_in = reader->stand_in_place = NULL;
}

static void read_list(struct contract_reader *reader, const struct writ_json *list)
{
    size_t index = 0;
    WRIT_JSON_EACH_ITEM(item, list)
    {
        struct contract_frame frame;
        contract_enter(reader, &frame, NULL, index++);
        if (item->kind == WRIT_JSON_STRING)
            read_text_item(reader, item);
        else if (item->kind == WRIT_JSON_OBJECT && item->length == 1)
            read_pair(reader, item, writ_json_first(item)->text, writ_json_first(item) + 1);
        else if (writ_json_is_number(item))
            contract_fault(reader, item,
                           "is a number without a name; put a version with a comma in quotes, such as "
                           "`\"python:3.9,3.12\"`");
        else
            contract_fault(reader, item, "must be `name:value`, but is %s", contract_kind_name(item));
        contract_leave(reader);
    }
}

void contract_read_runtime(struct contract_reader *reader, const struct writ_json *node, void *member,
                           const struct contract_field *field)
{
    struct writ_contract *contract = member;
    reader->runtime_node = node;
    if (node->kind == WRIT_JSON_ARRAY) {
        read_list(reader, node);
    } else if (node->kind == WRIT_JSON_OBJECT) {
        contract_read_map(reader, node, &contract_table_runtime, &contract->runtime);
    } else {
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
        reader->language_faulty = true;
    }
}

/* ---- language and entry from one another, or from the folder ---- */

static bool is_in_folder(const struct contract_reader *reader, const char *file)
{
    struct stat status;
    return reader->folder_fd >= 0 && fstatat(reader->folder_fd, file, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(status.st_mode);
}

static void language_from_folder(struct contract_reader *reader)
{
    struct writ_contract_runtime *runtime = &reader->contract->runtime;
    size_t found = 0;
    for (size_t i = 0; i < WRIT_COUNT(entries); i++)
        if (is_in_folder(reader, entries[i].file)) {
            found++;
            runtime->language = entries[i].language;
        }
    if (found == 0 && is_in_folder(reader, "main.c")) { /* `main` is still to be built from it */
        found++;
        runtime->language = WRIT_LANGUAGE_NATIVE;
    }
    if (found == 1)
        return;
    struct contract_frame frame;
    contract_enter(reader, &frame, "runtime", 0);
    contract_fault_below(reader, reader->runtime_node ? reader->runtime_node : reader->contract->yaml.root, "language",
                         found > 1 ? "is missing, and the folder has several programs; give `python`, `node`, `sh` or "
                                     "`native`"
                                   : "is missing, and no `main.py`, `main.js`, `main.sh`, `main` or `main.c` tells "
                                     "it; give `python`, `node`, `sh` or `native`");
    contract_leave(reader);
}

void contract_finish_runtime(struct contract_reader *reader)
{
    struct writ_contract_runtime *runtime = &reader->contract->runtime;
    if (reader->language_faulty)
        return;
    if (!runtime->language && runtime->entry) {
        const char *dot = strrchr(runtime->entry, '.');
        for (size_t i = 0; dot && i < WRIT_COUNT(entries); i++)
            if (entries[i].suffix && strcmp(dot, entries[i].suffix) == 0)
                runtime->language = entries[i].language;
        if (!runtime->language)
            runtime->language = WRIT_LANGUAGE_NATIVE;
    } else if (!runtime->language) {
        language_from_folder(reader);
    }
    for (size_t i = 0; !runtime->entry && i < WRIT_COUNT(entries); i++)
        if (entries[i].language == runtime->language)
            runtime->entry = entries[i].file;
    if (runtime->language == WRIT_LANGUAGE_NATIVE && runtime->version_text) {
        struct contract_frame frame;
        contract_enter(reader, &frame, "runtime", 0);
        contract_fault_below(reader, reader->runtime_node, "version",
                             "is for interpreters; a native program has none, so leave it out");
        contract_leave(reader);
    }
}
