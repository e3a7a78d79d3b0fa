/* `expose`, `operations` and `signature`: what others than the program itself make use of. */
#include "skill/contract_reader.h"

static contract_read_function read_routes, read_method, read_route_path, read_documented, read_pointer;

/* ---- expose ---- */

static const struct contract_field expose_fields[] = {
    {"http", read_routes, 0, 0, 64, false, "a route, a list of routes, or a map by `METHOD /path`", "HTTP routes"},
};
const struct contract_table contract_table_expose = {"expose", expose_fields, WRIT_COUNT(expose_fields)};

#define ROUTE(member) offsetof(struct writ_contract_route, member)
static const struct contract_field route_fields[] = {
    {"method", read_method, ROUTE(method), 0, 0, true, "`GET`, `POST`, `PUT`, `PATCH` or `DELETE`", "HTTP method"},
    {"path", read_route_path, ROUTE(path), 1, 512, true, "a path such as `/v1/skills/text-extract`", "HTTP path"},
    {"auth", contract_read_token, ROUTE(auth), 1, 64, false, "such as `api_key`, `bearer_token` or `none`",
     "how a caller proves who calls"},
    {"request_schema", read_documented, 0, 0, 0, false, "an address or a schema",
     "what is sent; the input when left out"},
    {"response_schema", read_documented, 0, 0, 0, false, "an address or a schema",
     "what comes back; the output when left out"},
    {"description", read_documented, 0, 0, 0, false, "a text", "for the API's own manual"},
};
const struct contract_table contract_table_route = {"expose.http[]", route_fields, WRIT_COUNT(route_fields)};

static void read_method(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
    for (size_t i = 0; i < WRIT_COUNT(methods); i++)
        if (writ_json_is_text(node, methods[i])) {
            *(const char **)member = methods[i];
            return;
        }
    contract_fault(reader, node, "must be %s, but is `%s`", field->form, contract_excerpt(node).text);
}

static void read_route_path(struct contract_reader *reader, const struct writ_json *node, void *member,
                            const struct contract_field *field)
{
    const char *text = NULL;
    contract_read_text(reader, node, &text, field);
    if (!text)
        return;
    if (text[0] != '/' || strpbrk(text, "?# \t\r\n") || strstr(text, "//") || strstr(text, "/."))
        contract_fault(reader, node, "`%s` is no route; write such as `/v1/skills/text-extract`",
                       contract_excerpt(node).text);
    else
        *(const char **)member = text;
}

/* Stays in the route's node, where the one who documents the API finds it. */
static void read_documented(struct contract_reader *reader, const struct writ_json *node, void *member,
                            const struct contract_field *field)
{
    (void)member;
    if (node->kind != WRIT_JSON_STRING && node->kind != WRIT_JSON_OBJECT)
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
}

static void keep_route(struct contract_reader *reader, const struct writ_json *node, struct writ_contract_route *routes)
{
    size_t *count = &reader->contract->route_count;
    const struct writ_contract_route *route = &routes[*count];
    for (size_t i = 0; route->method && route->path && i < *count; i++)
        if (strcmp(routes[i].method, route->method) == 0 && strcmp(routes[i].path, route->path) == 0) {
            contract_fault(reader, node, "`%s %s` stands twice; remove one", route->method, route->path);
            return;
        }
    if (route->method && route->path)
        *count += 1;
}

/* A member of the map form: `POST /v1/skills/a: {auth: api_key}`. */
static void read_route_member(struct contract_reader *reader, const struct writ_json *key,
                              struct writ_contract_route *route)
{
    const struct writ_json *value = key + 1;
    const char *space = memchr(key->text, ' ', key->length);
    struct writ_json *parts = contract_alloc(reader, 2, sizeof *parts);
    if (!parts)
        return;
    if (!space) {
        contract_fault(reader, key, "must be a method and a path, such as `POST /v1/skills/text-extract`");
        return;
    }
    size_t length = (size_t)(space - key->text), rest = key->length - length - 1;
    const char *method = writ_arena_copy(reader->arena, key->text, length);
    if (!method) {
        reader->out_of_memory = true;
        return;
    }
    parts[0].tag = writ_json_string_tag(method, length);
    parts[0].text = method;
    parts[1].tag = writ_json_string_tag(space + 1, rest);
    parts[1].text = space + 1;
    reader->stand_in_place = key;
    reader->stand_in = &parts[0];
    read_method(reader, &parts[0], &route->method, &route_fields[0]);
    reader->stand_in = &parts[1];
    read_route_path(reader, &parts[1], &route->path, &route_fields[1]);
    reader->stand_in = reader->stand_in_place = NULL;
    if (value->kind == WRIT_JSON_NULL)
        return;
    if (value->kind != WRIT_JSON_OBJECT) {
        contract_fault(reader, value, "must be a map of fields, but is %s", contract_kind_name(value));
        return;
    }
    WRIT_JSON_EACH_MEMBER(member, value)
    {
        bool repeats = writ_json_is_text(member, "method") || writ_json_is_text(member, "path");
        if (repeats || !contract_read_member(reader, member->text, member + 1, &contract_table_route, route))
            contract_fault_below(reader, member, contract_excerpt(member).text,
                                 repeats ? "stands in the key already; remove it"
                                         : "is not a field here; known ones are `auth`, `request_schema`, "
                                           "`response_schema` and `description`");
    }
}

static void read_routes(struct contract_reader *reader, const struct writ_json *node, void *member,
                        const struct contract_field *field)
{
    struct writ_contract *contract = member;
    bool list = node->kind == WRIT_JSON_ARRAY, map = node->kind == WRIT_JSON_OBJECT;
    bool single = map && (writ_json_get(node, "method") || writ_json_get(node, "path"));
    if ((!list && !map) || node->length > field->max) {
        contract_fault(reader, node, "must be %s, at most %llu of them", field->form, (unsigned long long)field->max);
        return;
    }
    size_t room = single ? 1 : node->length;
    struct writ_contract_route *routes = contract_alloc(reader, room, sizeof *routes);
    contract->routes = routes;
    const struct writ_json *next = single ? node : writ_json_first(node);
    for (size_t i = 0; routes && i < room; i++) {
        struct contract_frame frame;
        struct writ_contract_route *route = &routes[contract->route_count];
        *route = (struct writ_contract_route){.node = map && !single ? next + 1 : next};
        contract_enter(reader, &frame, map && !single ? next->text : NULL, i);
        if (map && !single)
            read_route_member(reader, next, route);
        else
            contract_read_map(reader, next, &contract_table_route, route);
        keep_route(reader, next, routes);
        contract_leave(reader);
        next = writ_json_next(map && !single ? next + 1 : next);
    }
}

void contract_read_expose(struct contract_reader *reader, const struct writ_json *node, void *member,
                          const struct contract_field *field)
{
    (void)field;
    contract_read_map(reader, node, &contract_table_expose, member);
}

/* ---- operations ---- */

struct operation {
    const char *creates, *changes, *id, *title;
};
#define OPERATION(member) offsetof(struct operation, member)
static const struct contract_field operation_fields[] = {
    {"creates", contract_read_token, OPERATION(creates), 1, 64, false, "the name of a kind of resource",
     "this operation makes one, and its answer is the receipt"},
    {"changes", contract_read_token, OPERATION(changes), 1, 64, false, "the name of a kind of resource",
     "this operation changes one, and needs the receipt of its making"},
    {"id", read_pointer, OPERATION(id), 0, 0, false, "a JSON pointer such as `/data/id`",
     "where the resource's id stands: in the output of what creates, in the input of what changes"},
    {"title", read_pointer, OPERATION(title), 0, 0, false, "a JSON pointer such as `/data/title`",
     "where its title stands, likewise"},
};
const struct contract_table contract_table_operation = {"operations.NAME", operation_fields,
                                                        WRIT_COUNT(operation_fields)};

static void read_pointer(struct contract_reader *reader, const struct writ_json *node, void *member,
                         const struct contract_field *field)
{
    const char *text = writ_json_text(node);
    if (text && text[0] == '/' && strlen(text) == node->length)
        *(const char **)member = text;
    else
        contract_fault(reader, node, "must be %s, but is `%s`", field->form,
                       text ? contract_excerpt(node).text : contract_kind_name(node));
}

void contract_read_operations(struct contract_reader *reader, const struct writ_json *node, void *member,
                              const struct contract_field *field)
{
    struct writ_contract *contract = member;
    if (node->kind != WRIT_JSON_OBJECT) {
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
        return;
    }
    if (node->length > field->max) {
        contract_fault(reader, node, "has %u operations; at most %llu are taken", node->length,
                       (unsigned long long)field->max);
        return;
    }
    WRIT_JSON_EACH_MEMBER(key, node)
    {
        struct contract_frame frame;
        struct operation operation = {0};
        contract_enter(reader, &frame, key->text, 0);
        contract_read_map(reader, key + 1, &contract_table_operation, &operation);
        if ((key + 1)->kind == WRIT_JSON_OBJECT && !operation.creates == !operation.changes)
            contract_fault(reader, key,
                           "must say one of `creates` and `changes`: what kind of resource it makes, or "
                           "which it changes");
        else if ((operation.creates || operation.changes) && !writ_json_get(key + 1, "id"))
            contract_fault_below(reader, key, "id",
                                 "is missing; give a JSON pointer to where the resource's id stands");
        contract_leave(reader);
    }
    contract->operations = node;
}

/* `operations` is keyed by the values that the input's `operation` takes. */
void contract_check_operations(struct contract_reader *reader)
{
    const struct writ_contract *contract = reader->contract;
    if (!contract->operations || !contract->input_node)
        return;
    struct contract_frame frame;
    contract_enter(reader, &frame, "operations", 0);
    const struct writ_json *property =
        contract_schema_property(contract->input_node, contract->input_node, "operation", 9);
    const struct writ_json *known = writ_json_get(property, "enum");
    if (!property)
        contract_fault(reader, contract->operations,
                       "needs a property `operation` in the input schema, whose values are its keys; declare it");
    if (known && known->kind == WRIT_JSON_ARRAY) {
        WRIT_JSON_EACH_MEMBER(key, contract->operations)
        {
            bool found = false;
            WRIT_JSON_EACH_ITEM(item, known)
            {
                found |= writ_json_equal(item, key);
            }
            if (!found)
                contract_fault_below(reader, key, contract_excerpt(key).text,
                                     "is not among the values of the input's `operation`; name one of them");
        }
    }
    contract_leave(reader);
}

/* ---- signature ---- */

struct signature {
    const char *key, *algorithm, *value;
};
static const struct contract_field signature_fields[] = {
    {"key", contract_read_text, offsetof(struct signature, key), 1, 128, true, "the name of a key", "key that signed"},
    {"algorithm", contract_read_token, offsetof(struct signature, algorithm), 1, 64, false, "`ed25519`", "how"},
    {"value", contract_read_text, offsetof(struct signature, value), 1, 1024, false, "a text",
     "the signature, where it is not detached"},
};
const struct contract_table contract_table_signature = {"signature", signature_fields, WRIT_COUNT(signature_fields)};

void contract_read_signature(struct contract_reader *reader, const struct writ_json *node, void *member,
                             const struct contract_field *field)
{
    struct writ_contract *contract = member;
    struct signature signature = {0};
    if (node->kind == WRIT_JSON_STRING) {
        static const struct contract_field key = {.min = 1, .max = 1024, .form = "the name of a key"};
        contract_read_text(reader, node, &signature.key, &key);
    } else if (node->kind == WRIT_JSON_OBJECT) {
        contract_read_map(reader, node, &contract_table_signature, &signature);
    } else {
        contract_fault(reader, node, "must be %s, but is %s", field->form, contract_kind_name(node));
    }
    contract->signature = node;
}
