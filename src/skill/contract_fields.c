/* The fields at the top of a contract, and the small ones among their readers. */
#include "base/text.h"
#include "skill/contract_reader.h"

#include <ctype.h>
#include <stdio.h>

#define OFFSET(member) offsetof(struct writ_contract, member)

static contract_read_function read_id, read_version, read_tags, read_permissions, read_action;

static const struct contract_field top_fields[] = {
    {"id", read_id, OFFSET(id), 1, 128, true, "a reverse-DNS name such as `com.example.file.text-extract`",
     "name of the skill in every place; equal to its folder's name"},
    {"name", contract_read_text, OFFSET(name), 1, 128, true, "a short text", "name for people"},
    {"description", contract_read_text, OFFSET(description), 1, 1024, true, "one sentence",
     "what it takes and what it returns"},
    {"version", read_version, OFFSET(version_text), 1, 128, true, "a semantic version such as `1.0.0`",
     "major for incompatible schemas, minor for additions, patch for the rest"},
    {"author", contract_read_text, OFFSET(author), 1, 256, false, "a text", "who answers for it"},
    {"license", contract_read_text, OFFSET(license), 1, 128, false, "an SPDX name such as `MIT`", "its licence"},
    {"tags", read_tags, 0, 0, 32, false, "a list of plain names", "words to find it by"},
    {"input", contract_read_schema, OFFSET(input_node), 0, 0, true, "a JSON Schema of `type: object`",
     "schema of the document on the program's stdin"},
    {"output", contract_read_schema, OFFSET(output_node), 0, 0, true,
     "a JSON Schema that requires `success` and `data`", "schema of the document on the program's stdout"},
    {"permissions", read_permissions, 0, 0, 256, false, "a list of permissions; `[]` when there are none",
     "all that the program may touch"},
    {"runtime", contract_read_runtime, 0, 0, 0, false, "a map or a list such as `[python:3.11, timeout:30s]`",
     "language and limits"},
    {"dependencies", contract_read_dependencies, 0, 0, 0, false, "a map", "what it stands on"},
    {"expose", contract_read_expose, 0, 0, 0, false, "a map", "where it can be called from outside"},
    {"toolset", contract_read_token, OFFSET(toolset), 1, 64, false, "a plain name", "group in the capability catalog"},
    {"action", read_action, OFFSET(action), 0, 0, false, "`read`, `write` or `admin`", "level within the toolset"},
    {"operations", contract_read_operations, 0, 0, 256, false, "a map by the input's `operation`",
     "which operations create or change a resource"},
    {"test", contract_read_tests, 0, 0, 0, false, "a map or a list of maps", "calls with what must come out"},
    {"signature", contract_read_signature, 0, 0, 0, false, "the name of a key, or a map with `key`",
     "key that signed the package"},
};
const struct contract_table contract_table_top = {"", top_fields, WRIT_COUNT(top_fields)};

/* ---- the id ---- */

int writ_skill_id_check(const char *id, struct writ_error *error)
{
    size_t length = strlen(id), dots = 0;
    if (length == 0 || length > WRIT_SKILL_ID_BYTES_MAX)
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "an id has 1 to %d bytes; write a shorter one",
                              WRIT_SKILL_ID_BYTES_MAX);
    for (size_t i = 0; i < length; i++) {
        char c = id[i], before = i ? id[i - 1] : '.', after = id[i + 1] ? id[i + 1] : '.';
        bool letter = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
        if (c >= 'A' && c <= 'Z')
            return writ_error_set(error, WRIT_CONTRACT_INVALID, "an id is in lower case; write `%c` as `%c`", c,
                                  c - 'A' + 'a');
        if (c == '_')
            return writ_error_set(error, WRIT_CONTRACT_INVALID, "an id holds no `_`; write `-`");
        if (!letter && !digit && c != '-' && c != '.')
            return writ_error_set(error, WRIT_CONTRACT_INVALID, "an id holds only a-z, 0-9, `-` and `.`");
        if ((c == '.' && before == '.') || (c == '.' && after == '.') || (c == '-' && (before == '.' || after == '.')))
            return writ_error_set(error, WRIT_CONTRACT_INVALID,
                                  "each part of an id begins and ends with a letter or digit");
        dots += c == '.';
    }
    if (id[0] < 'a' || id[0] > 'z')
        return writ_error_set(error, WRIT_CONTRACT_INVALID, "an id begins with a letter");
    if (dots == 0)
        return writ_error_set(error, WRIT_CONTRACT_INVALID,
                              "an id is a reverse-DNS name of two parts or more; write `com.example.%s` with a domain "
                              "of yours",
                              id);
    return 0;
}

/* The folder's name is what the id must be; where the two differ in letters only a name was not yet an id. */
static void mend_id(struct contract_reader *reader, const struct writ_json *node)
{
    struct writ_error unused;
    const char *name = reader->folder_name;
    if (!name || writ_skill_id_check(name, &unused) < 0)
        return;
    bool same = strlen(name) == node->length;
    for (size_t i = 0; same && i < node->length; i++)
        same = name[i] == (node->text[i] == '_' ? '-' : (char)tolower((unsigned char)node->text[i]));
    contract_mend_text(reader, node, name, !same);
}

static void read_id(struct contract_reader *reader, const struct writ_json *node, void *member,
                    const struct contract_field *field)
{
    (void)field;
    struct writ_error error;
    if (node->kind != WRIT_JSON_STRING)
        contract_fault(reader, node, "must be a text, but is %s", contract_kind_name(node));
    else if (strlen(node->text) != node->length)
        contract_fault(reader, node, "holds a NUL character; remove it");
    else if (writ_skill_id_check(node->text, &error) < 0) {
        contract_fault(reader, node, "%s", error.message);
        mend_id(reader, node);
    } else
        *(const char **)member = node->text;
}

/* ---- version, tags, action ---- */

/* `1.0` and `v2`: nothing is lost when they are written out. */
static bool is_short_version(const char *text)
{
    const char *numbers = text + (text[0] == 'v' || text[0] == 'V');
    size_t dots = 0;
    for (const char *c = numbers; *c; c++) {
        if ((*c < '0' || *c > '9') && *c != '.')
            return false;
        dots += *c == '.';
    }
    return dots <= 2;
}

static void read_version(struct contract_reader *reader, const struct writ_json *node, void *member,
                         const struct contract_field *field)
{
    (void)field;
    const char *text = contract_scalar_text(reader, node);
    if (!text)
        return;
    struct writ_error error;
    struct writ_semver guess;
    if (writ_semver_parse(text, &reader->contract->version, &error) == 0)
        *(const char **)member = text;
    else if (strlen(text) <= 64 && writ_semver_scan(text, &guess)) {
        char mend[72];
        (void)snprintf(mend, sizeof mend, "%llu.%llu.%llu", (unsigned long long)guess.major,
                       (unsigned long long)guess.minor, (unsigned long long)guess.patch);
        contract_fault(reader, node, "`%s` is no semantic version; write `%s`", text, mend);
        if (is_short_version(text))
            contract_mend_value(reader, node, mend, false);
    } else
        contract_fault(reader, node, "%s", error.message);
}

static void read_tags(struct contract_reader *reader, const struct writ_json *node, void *member,
                      const struct contract_field *field)
{
    (void)field;
    struct writ_contract *contract = member;
    if (node->kind != WRIT_JSON_ARRAY) {
        contract_fault(reader, node, "must be a list, but is %s; write `[%s]`", contract_kind_name(node),
                       contract_excerpt(node).text);
        contract_mend_list(reader, node);
        return;
    }
    if (node->length > field->max) {
        contract_fault(reader, node, "has %u tags; at most %llu are taken", node->length,
                       (unsigned long long)field->max);
        return;
    }
    const char **tags = contract_alloc(reader, node->length, sizeof *tags);
    if (!tags)
        return;
    size_t index = 0, count = 0;
    WRIT_JSON_EACH_ITEM(item, node)
    {
        struct contract_frame frame;
        contract_enter(reader, &frame, NULL, index++);
        static const struct contract_field tag = {.min = 1, .max = 64, .required = true, .form = "a word"};
        contract_read_text(reader, item, &tags[count], &tag);
        count += tags[count] != NULL;
        contract_leave(reader);
    }
    contract->tags = tags;
    contract->tag_count = count;
}

static void read_action(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    static const char *const actions[] = {"read", "write", "admin"};
    for (size_t i = 0; i < WRIT_COUNT(actions); i++)
        if (writ_json_is_text(node, actions[i])) {
            *(const char **)member = actions[i];
            return;
        }
    contract_fault(reader, node, "must be %s, but is `%s`", field->form, contract_excerpt(node).text);
}

/* ---- permissions ---- */

static void fault_on_map_item(struct contract_reader *reader, const struct writ_json *item)
{
    /* `- binary:run: git`, with a space after the second colon, is a map to YAML. */
    const struct writ_json *key = item->length == 1 ? writ_json_first(item) : NULL;
    if (key && (key + 1)->kind == WRIT_JSON_STRING) {
        contract_fault(reader, item, "is a map, but a permission is a text; write `%s:%s` without the space",
                       contract_excerpt(key).text, contract_excerpt(key + 1).text);
        char text[256];
        int length = snprintf(text, sizeof text, "%s:%s", key->text, (key + 1)->text);
        if (length < (int)sizeof text)
            contract_mend_text(reader, item, text, true);
    } else
        contract_fault(reader, item, "is a map, but a permission is a text such as `filesystem:read:/usr/share/dict`");
}

static void read_permission(struct contract_reader *reader, const struct writ_json *list, const struct writ_json *item,
                            struct writ_permission *permissions, size_t *count)
{
    if (item->kind == WRIT_JSON_OBJECT) {
        fault_on_map_item(reader, item);
        return;
    }
    if (item->kind != WRIT_JSON_STRING || strlen(item->text) != item->length) {
        contract_fault(reader, item, "must be a text such as `binary:run:git`, but is %s", contract_kind_name(item));
        return;
    }
    struct writ_error error;
    struct writ_permission *permission = &permissions[*count];
    if (writ_permission_parse(reader->arena, item->text, permission, &error) < 0) {
        if (error.code == WRIT_INTERNAL_MEMORY) {
            reader->out_of_memory = true;
        } else {
            contract_fault(reader, item, "%s", error.message);
            contract_mend_permission(reader, item);
        }
        return;
    }
    struct writ_yaml_place place = writ_yaml_place_of(&reader->contract->yaml, item);
    permission->line = place.line;
    permission->column = place.column;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(permissions[i].source, permission->source) == 0) {
            contract_fault(reader, item, "repeats the permission of line %u; remove one", permissions[i].line);
            contract_mend_remove(reader, list, item);
            return;
        }
    *count += 1;
}

static void read_permissions(struct contract_reader *reader, const struct writ_json *node, void *member,
                             const struct contract_field *field)
{
    struct writ_contract *contract = member;
    if (node->kind != WRIT_JSON_ARRAY) {
        contract_fault(reader, node, "must be a list, but is %s; write each permission after a `-`",
                       contract_kind_name(node));
        contract_mend_list(reader, node);
        return;
    }
    if (node->length > field->max) {
        contract_fault(reader, node, "has %u permissions; at most %llu are taken", node->length,
                       (unsigned long long)field->max);
        return;
    }
    struct writ_permission *permissions = contract_alloc(reader, node->length, sizeof *permissions);
    if (!permissions)
        return;
    size_t index = 0;
    WRIT_JSON_EACH_ITEM(item, node)
    {
        struct contract_frame frame;
        contract_enter(reader, &frame, NULL, index++);
        read_permission(reader, node, item, permissions, &contract->permission_count);
        contract_leave(reader);
    }
    contract->permissions = permissions;
    contract->permissions_declared = true;
}

/* ---- the manual ---- */

static const struct contract_table *const all_tables[] = {
    &contract_table_top,       &contract_table_runtime,   &contract_table_dependencies, &contract_table_binary,
    &contract_table_api,       &contract_table_file,      &contract_table_skill,        &contract_table_expose,
    &contract_table_route,     &contract_table_operation, &contract_table_test,         &contract_table_expected_error,
    &contract_table_signature,
};

void writ_contract_print_fields(struct writ_buffer *out)
{
    for (size_t t = 0; t < WRIT_COUNT(all_tables); t++)
        for (size_t i = 0; i < all_tables[t]->count; i++) {
            const struct contract_field *field = &all_tables[t]->fields[i];
            writ_buffer_printf(out, "%s%s%s\t%s\t%s\t%s\n", all_tables[t]->path, all_tables[t]->path[0] ? "." : "",
                               field->name, field->required ? "required" : "optional", field->form, field->help);
        }
}
