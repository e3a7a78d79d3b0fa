/* Permissions that are too much, and dependencies that permissions do not match. */
#include "skill/lint_rules.h"

#include "skill/closed_places.h"
#include "skill/cut.h"

static bool is_wide(const char *path)
{
    static const char *const wide[] = {
        "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/media", "/mnt",       "/opt",     "/proc",    "/root",
        "/run", "/sbin", "/srv", "/sys", "/tmp",  "/usr", "/var",   "/usr/share", "/usr/lib", "/usr/bin",
    };
    for (size_t i = 0; i < WRIT_COUNT(wide); i++)
        if (strcmp(path, wide[i]) == 0)
            return true;
    return false;
}

static bool permits_binary(const struct writ_contract *contract, const char *name)
{
    for (size_t i = 0; i < contract->permission_count; i++)
        if (contract->permissions[i].kind == WRIT_PERMISSION_BINARY_RUN &&
            strcmp(contract->permissions[i].subject, name) == 0)
            return true;
    return false;
}

static bool declares_binary(const struct writ_contract *contract, const char *name)
{
    for (size_t i = 0; i < contract->binary_count; i++)
        if (strcmp(contract->binaries[i].name, name) == 0)
            return true;
    return false;
}

/* What every run would refuse, as far as the name alone tells it.  WRIT_LINT_RULE_COUNT when there is nothing. */
static enum writ_lint_rule_id closed_place(const struct writ_permission *permission, char *ret_message,
                                           size_t message_bytes)
{
    if (permission->segment_count == 0 || permission->segments[0].kind != WRIT_SEGMENT_LITERAL)
        return WRIT_LINT_RULE_COUNT;
    const char *path = permission->segments[0].text;
    bool more = permission->segment_count > 1;
    const char *place = writ_never_granted_by_name(path, more);
    if (place) {
        (void)snprintf(ret_message, message_bytes,
                       "`%s` holds accounts, keys or what belongs to the kernel, which no skill is ever granted: every "
                       "run will be refused; remove it",
                       place);
        return WRIT_RULE_PERMISSION_NEVER_GRANTED;
    }
    if (permission->kind == WRIT_PERMISSION_FILESYSTEM_WRITE)
        place = writ_never_written_by_name(path, more);
    if (!place)
        return WRIT_LINT_RULE_COUNT;
    (void)snprintf(ret_message, message_bytes,
                   "`%s` holds what runs outside of any sandbox, which no skill may ever write; write to a path from "
                   "the input or below `${{ .state }}`",
                   place);
    return WRIT_RULE_PERMISSION_NEVER_WRITTEN;
}

/* `binary:run:NAME` without a dependency of that name.  A map of names and versions is left to a person. */
static void mend_undeclared(struct lint *lint, const char *name)
{
    const struct writ_json *binaries = writ_json_get(lint_top(lint, "dependencies"), "binaries");
    if (binaries)
        lint_mend_item(lint, binaries, name, false);
}

void lint_permissions(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    const struct writ_json *list = writ_json_get(contract->yaml.root, "permissions");
    for (size_t i = 0; i < contract->permission_count; i++) {
        const struct writ_permission *permission = &contract->permissions[i];
        const struct writ_json *node = writ_json_at(list, i);
        char field[48], message[WRIT_ERROR_MESSAGE_MAX];
        (void)snprintf(field, sizeof field, "permissions[%zu]", i);
        enum writ_lint_rule_id rule = closed_place(permission, message, sizeof message);
        if (rule != WRIT_LINT_RULE_COUNT) {
            lint_add(lint, rule, node, field, "%s", message);
        } else if (!writ_permission_kind_is_enforced(permission->kind)) {
            lint_add(lint, WRIT_RULE_PERMISSION_NOT_ENFORCED, node, field,
                     "`%s` is not enforced yet: a run will be refused", writ_permission_kind_name(permission->kind));
        } else if (permission->segment_count > 0 && is_wide(permission->subject)) {
            lint_add(lint, WRIT_RULE_PERMISSION_WIDE, node, field,
                     "grants all of `%s`; name the files or the folder that are needed", permission->subject);
        } else if (permission->kind == WRIT_PERMISSION_BINARY_RUN && contract->binary_count > 0 &&
                   !declares_binary(contract, permission->subject)) {
            lint_add(lint, WRIT_RULE_BINARY_UNDECLARED, node, field,
                     "may run `%s`, which `dependencies.binaries` does not name; add it with its version",
                     permission->subject);
            mend_undeclared(lint, permission->subject);
        }
    }
}

static bool permits_kind(const struct writ_contract *contract, enum writ_permission_kind one,
                         enum writ_permission_kind other)
{
    for (size_t i = 0; i < contract->permission_count; i++)
        if (contract->permissions[i].kind == one || contract->permissions[i].kind == other)
            return true;
    return false;
}

/* True when a network permission is the origin of the address. */
static bool permits_endpoint(const struct writ_contract *contract, const char *endpoint)
{
    for (size_t i = 0; i < contract->permission_count; i++) {
        const char *origin = contract->permissions[i].subject;
        size_t length = strlen(origin);
        if (contract->permissions[i].kind == WRIT_PERMISSION_NETWORK && strncasecmp(endpoint, origin, length) == 0 &&
            (endpoint[length] == '\0' || strchr("/?#", endpoint[length])))
            return true;
    }
    return false;
}

static void mend_network(struct lint *lint, const char *endpoint)
{
    const char *host = strstr(endpoint, "://");
    if (!host)
        return;
    int length = (int)(host - endpoint) + 3 + (int)strcspn(host + 3, "/?#");
    const char *permission = writ_arena_printf(&lint->report->arena, "network:%.*s", length, endpoint);
    if (permission)
        lint_mend_permission(lint, permission);
    else
        lint->out_of_memory = true;
}

static void lint_apis(struct lint *lint, const struct writ_json *apis)
{
    const struct writ_contract *contract = lint->contract;
    for (size_t i = 0; i < contract->api_count; i++) {
        char field[64];
        (void)snprintf(field, sizeof field, "dependencies.apis[%zu]", i);
        if (permits_endpoint(contract, contract->apis[i].endpoint))
            continue;
        lint_add(lint, WRIT_RULE_API_WITHOUT_NETWORK, writ_json_at(apis, i), field,
                 "`%s` is called at an origin that no `network:` permission names; add it", contract->apis[i].id);
        mend_network(lint, contract->apis[i].endpoint);
    }
}

static void lint_files(struct lint *lint, const struct writ_json *files)
{
    const struct writ_contract *contract = lint->contract;
    for (size_t i = 0; i < contract->file_count; i++) {
        const struct writ_contract_file *file = &contract->files[i];
        const char *verb = file->write ? "write" : "read";
        char field[64];
        (void)snprintf(field, sizeof field, "dependencies.filesystem[%zu]", i);
        if (permits_kind(contract, WRIT_PERMISSION_FILESYSTEM_WRITE,
                         file->write ? WRIT_PERMISSION_FILESYSTEM_WRITE : WRIT_PERMISSION_FILESYSTEM_READ))
            continue;
        lint_add(lint, WRIT_RULE_FILE_NOT_PERMITTED, writ_json_at(files, i), field,
                 "`%.*s` is depended on, but no permission may %s any file; add `filesystem:%s:PATH`",
                 cut(file->path, 200), file->path, verb, verb);
        const char *permission = writ_arena_printf(&lint->report->arena, "filesystem:%s:%s", verb, file->path);
        if (permission)
            lint_mend_permission(lint, permission);
        else
            lint->out_of_memory = true;
    }
}

/* The key of a map or the item of a list at this index. */
static const struct writ_json *child_at(const struct writ_json *container, size_t index)
{
    const struct writ_json *child = writ_json_first(container);
    for (; index > 0; index--)
        child = writ_json_next(container->kind == WRIT_JSON_OBJECT ? child + 1 : child);
    return child;
}

void lint_dependencies(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    const struct writ_json *dependencies = lint_top(lint, "dependencies");
    const struct writ_json *binaries = writ_json_get(dependencies, "binaries");
    for (size_t i = 0; i < contract->binary_count; i++) {
        const char *name = contract->binaries[i].name;
        if (permits_binary(contract, name))
            continue;
        char field[64], permission[96];
        (void)snprintf(field, sizeof field, "dependencies.binaries[%zu]", i);
        (void)snprintf(permission, sizeof permission, "binary:run:%s", name);
        lint_add(lint, WRIT_RULE_BINARY_NOT_PERMITTED, child_at(binaries, i), field,
                 "`%s` is depended on, but may not be run; add `%s`", name, permission);
        lint_mend_permission(lint, permission);
    }
    lint_apis(lint, writ_json_get(dependencies, "apis"));
    lint_files(lint, writ_json_get(dependencies, "filesystem"));
}
