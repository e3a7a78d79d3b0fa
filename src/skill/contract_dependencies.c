/* `dependencies`: what a skill stands on. */
#include "skill/contract_reader.h"

#define LIST_MAX 256

static contract_read_function read_binaries, read_apis, read_files, read_skills;
static contract_read_function read_binary_name, read_binary_version, read_skill_id, read_skill_version;
static contract_read_function read_endpoint, read_rate, read_mode, read_errors;

static const struct contract_field dependency_fields[] = {
    {"binaries", read_binaries, 0, 0, LIST_MAX, false, "a list of names, or a map of name and version",
     "programs that must be installed"},
    {"apis", read_apis, 0, 0, LIST_MAX, false, "a list of maps", "services it calls"},
    {"filesystem", read_files, 0, 0, LIST_MAX, false, "a list of `path` and `mode`", "files it expects"},
    {"skills", read_skills, 0, 0, LIST_MAX, false, "a list of ids, or a map of id and version", "skills it calls"},
};
const struct contract_table contract_table_dependencies = {"dependencies", dependency_fields,
                                                           WRIT_COUNT(dependency_fields)};

static const struct contract_field binary_fields[] = {
    {"name", read_binary_name, offsetof(struct writ_contract_binary, name), 0, 0, true,
     "a program's name without its folder", "as in `binary:run:NAME`"},
    {"version", read_binary_version, 0, 0, 0, false, "a version or range, such as `2.25` (and below 3)",
     "any when left out"},
};
const struct contract_table contract_table_binary = {"dependencies.binaries[]", binary_fields,
                                                     WRIT_COUNT(binary_fields)};

#define API(member) offsetof(struct writ_contract_api, member)
static const struct contract_field api_fields[] = {
    {"id", contract_read_token, API(id), 1, 64, true, "a plain name", "name of the service here"},
    {"endpoint", read_endpoint, API(endpoint), 1, 2048, true, "an `https://` address", "where it is called"},
    {"auth", contract_read_token, API(auth), 1, 64, false, "such as `bearer_token`, `api_key` or `none`",
     "how a call proves who makes it"},
    {"rate_limit", read_rate, API(rate_limit), 0, 0, false, "such as `60r/m`", "calls a second, minute, hour or day"},
    {"errors", read_errors, API(errors), 0, 0, false, "a map of error and meaning", "what its errors mean"},
};
const struct contract_table contract_table_api = {"dependencies.apis[]", api_fields, WRIT_COUNT(api_fields)};

static const struct contract_field file_fields[] = {
    {"path", contract_read_text, offsetof(struct writ_contract_file, path), 1, 4096, true, "a path", "the file"},
    {"mode", read_mode, offsetof(struct writ_contract_file, write), 0, 0, false, "`read` or `write`",
     "read when left out"},
};
const struct contract_table contract_table_file = {"dependencies.filesystem[]", file_fields, WRIT_COUNT(file_fields)};

static const struct contract_field skill_fields[] = {
    {"id", read_skill_id, offsetof(struct writ_contract_skill, id), 0, 0, true, "a skill's id", "the skill"},
    {"version", read_skill_version, 0, 0, 0, false, "a version or range", "any when left out"},
};
const struct contract_table contract_table_skill = {"dependencies.skills[]", skill_fields, WRIT_COUNT(skill_fields)};

/* ---- lists ---- */

/* Room for a list or map of at most LIST_MAX elements; NULL after a fault. */
static void *list_room(struct contract_reader *reader, const struct writ_json *node, size_t size)
{
    if (node->length <= LIST_MAX)
        return contract_alloc(reader, node->length, size);
    contract_fault(reader, node, "has %u elements; at most %d are taken", node->length, LIST_MAX);
    return NULL;
}

static bool is_list(struct contract_reader *reader, const struct writ_json *node, const struct contract_field *field)
{
    if (node->kind == WRIT_JSON_ARRAY)
        return true;
    contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
    return false;
}

/* ---- binaries ---- */

static void read_binary_name(struct contract_reader *reader, const struct writ_json *node, void *member,
                             const struct contract_field *field)
{
    const char *text = writ_json_text(node);
    if (text && strlen(text) == node->length && writ_permission_name_is_valid(text))
        *(const char **)member = text;
    else
        contract_fault(reader, node, "must be %s, but is `%s`", field ? field->form : binary_fields[0].form,
                       text ? contract_excerpt(node).text : contract_kind_name(node));
}

static void read_binary_version(struct contract_reader *reader, const struct writ_json *node, void *member,
                                const struct contract_field *field)
{
    (void)field;
    struct writ_contract_binary *binary = member;
    contract_read_requirement(reader, node, &binary->version_text, &binary->version);
}

static void keep_binary(struct contract_reader *reader, const struct writ_json *node,
                        struct writ_contract_binary *binaries)
{
    size_t *count = &reader->contract->binary_count;
    struct writ_contract_binary *binary = &binaries[*count];
    if (!binary->name)
        return;
    struct writ_yaml_place place = writ_yaml_place_of(&reader->contract->yaml, node);
    binary->line = place.line;
    binary->column = place.column;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(binaries[i].name, binary->name) == 0) {
            contract_fault(reader, node, "`%s` stands on line %u already; remove one", binary->name, binaries[i].line);
            return;
        }
    *count += 1;
}

static void read_binaries(struct contract_reader *reader, const struct writ_json *node, void *member,
                          const struct contract_field *field)
{
    struct writ_contract *contract = member;
    bool map = node->kind == WRIT_JSON_OBJECT;
    if (!map && !is_list(reader, node, field))
        return;
    struct writ_contract_binary *binaries = list_room(reader, node, sizeof *binaries);
    contract->binaries = binaries;
    const struct writ_json *next = writ_json_first(node);
    for (size_t i = 0; binaries && i < node->length; i++) {
        struct contract_frame frame;
        struct writ_contract_binary *binary = &binaries[contract->binary_count];
        contract_enter(reader, &frame, map ? next->text : NULL, i);
        *binary = (struct writ_contract_binary){0};
        if (map) {
            read_binary_name(reader, next, &binary->name, NULL);
            read_binary_version(reader, next + 1, binary, NULL);
        } else if (next->kind == WRIT_JSON_STRING) {
            read_binary_name(reader, next, &binary->name, NULL);
        } else {
            contract_read_map(reader, next, &contract_table_binary, binary);
        }
        keep_binary(reader, next, binaries);
        contract_leave(reader);
        next = writ_json_next(map ? next + 1 : next);
    }
}

/* ---- apis ---- */

static void read_endpoint(struct contract_reader *reader, const struct writ_json *node, void *member,
                          const struct contract_field *field)
{
    const char *text = NULL;
    contract_read_text(reader, node, &text, field);
    if (!text)
        return;
    const char *host = strncmp(text, "https://", 8) == 0 ? text + 8 : strncmp(text, "http://", 7) == 0 ? text + 7 : "";
    if (*host == '\0' || strchr("/:?#@ ", *host) || strpbrk(text, " \t\r\n"))
        contract_fault(reader, node, "`%s` is no address of a service; write such as `https://api.example.com/v1`",
                       contract_excerpt(node).text);
    else
        *(const char **)member = text;
}

static void read_rate(struct contract_reader *reader, const struct writ_json *node, void *member,
                      const struct contract_field *field)
{
    (void)field;
    const char *text = writ_json_text(node);
    size_t digits = text ? strspn(text, "0123456789") : 0;
    if (digits > 0 && digits < 8 && text[0] != '0' && strncmp(text + digits, "r/", 2) == 0 && text[digits + 2] &&
        strchr("smhd", text[digits + 2]) && text[digits + 3] == '\0')
        *(const char **)member = text;
    else
        contract_fault(reader, node,
                       "`%s` is no rate; write calls and a unit of time, `60r/m` (units `s`, `m`, `h`, `d`)",
                       contract_excerpt(node).text);
}

static void read_errors(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    if (node->kind == WRIT_JSON_OBJECT)
        contract_read_node(reader, node, member, field);
    else
        contract_fault(reader, node, "must be a map of error and meaning, but is %s", contract_kind_name(node));
}

static void read_apis(struct contract_reader *reader, const struct writ_json *node, void *member,
                      const struct contract_field *field)
{
    struct writ_contract *contract = member;
    if (!is_list(reader, node, field))
        return;
    struct writ_contract_api *apis = list_room(reader, node, sizeof *apis);
    contract->apis = apis;
    size_t index = 0;
    WRIT_JSON_EACH_ITEM(item, node)
    {
        if (!apis)
            return;
        struct contract_frame frame;
        contract_enter(reader, &frame, NULL, index++);
        contract_read_map(reader, item, &contract_table_api, &apis[contract->api_count++]);
        contract_leave(reader);
    }
}

/* ---- files ---- */

static void read_mode(struct contract_reader *reader, const struct writ_json *node, void *member,
                      const struct contract_field *field)
{
    if (writ_json_is_text(node, "read") || writ_json_is_text(node, "write"))
        *(bool *)member = writ_json_is_text(node, "write");
    else
        contract_fault(reader, node, "must be %s, but is `%s`", field->form, contract_excerpt(node).text);
}

static void read_files(struct contract_reader *reader, const struct writ_json *node, void *member,
                       const struct contract_field *field)
{
    struct writ_contract *contract = member;
    if (!is_list(reader, node, field))
        return;
    struct writ_contract_file *files = list_room(reader, node, sizeof *files);
    contract->files = files;
    size_t index = 0;
    WRIT_JSON_EACH_ITEM(item, node)
    {
        if (!files)
            return;
        struct contract_frame frame;
        contract_enter(reader, &frame, NULL, index++);
        struct writ_contract_file *file = &files[contract->file_count++];
        if (item->kind == WRIT_JSON_STRING)
            contract_read_text(reader, item, &file->path, &file_fields[0]);
        else
            contract_read_map(reader, item, &contract_table_file, file);
        contract_leave(reader);
    }
}

/* ---- skills ---- */

static void set_skill(struct contract_reader *reader, const struct writ_json *node, const char *id, const char *version,
                      struct writ_contract_skill *skill)
{
    struct writ_error error;
    if (writ_skill_id_check(id, &error) < 0)
        contract_fault(reader, node, "%s", error.message);
    else
        skill->id = id;
    if (version && writ_semver_requirement_parse(version, &skill->version, &error) < 0)
        contract_fault(reader, node, "%s", error.message);
    else
        skill->version_text = version;
}

static void read_skill_id(struct contract_reader *reader, const struct writ_json *node, void *member,
                          const struct contract_field *field)
{
    struct writ_contract_skill skill = {0};
    if (node->kind == WRIT_JSON_STRING && strlen(node->text) == node->length)
        set_skill(reader, node, node->text, NULL, &skill);
    else
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
    if (skill.id)
        *(const char **)member = skill.id;
}

static void read_skill_version(struct contract_reader *reader, const struct writ_json *node, void *member,
                               const struct contract_field *field)
{
    (void)field;
    struct writ_contract_skill *skill = member;
    contract_read_requirement(reader, node, &skill->version_text, &skill->version);
}

/* `com.example.a` or `com.example.a@^1.2` */
static void read_skill_text(struct contract_reader *reader, const struct writ_json *node,
                            struct writ_contract_skill *skill)
{
    const char *at = memchr(node->text, '@', node->length);
    char *id = writ_arena_copy(reader->arena, node->text, at ? (size_t)(at - node->text) : node->length);
    if (id)
        set_skill(reader, node, id, at ? at + 1 : NULL, skill);
    else
        reader->out_of_memory = true;
}

static void read_skills(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    struct writ_contract *contract = member;
    bool map = node->kind == WRIT_JSON_OBJECT;
    if (!map && !is_list(reader, node, field))
        return;
    struct writ_contract_skill *skills = list_room(reader, node, sizeof *skills);
    contract->skills = skills;
    const struct writ_json *next = writ_json_first(node);
    for (size_t i = 0; skills && i < node->length; i++) {
        struct contract_frame frame;
        struct writ_contract_skill *skill = &skills[contract->skill_count++];
        contract_enter(reader, &frame, map ? next->text : NULL, i);
        if (map) {
            read_skill_id(reader, next, &skill->id, &skill_fields[0]);
            read_skill_version(reader, next + 1, skill, NULL);
        } else if (next->kind == WRIT_JSON_STRING) {
            read_skill_text(reader, next, skill);
        } else {
            contract_read_map(reader, next, &contract_table_skill, skill);
        }
        contract_leave(reader);
        next = writ_json_next(map ? next + 1 : next);
    }
}

void contract_read_dependencies(struct contract_reader *reader, const struct writ_json *node, void *member,
                                const struct contract_field *field)
{
    (void)field;
    contract_read_map(reader, node, &contract_table_dependencies, member);
}
