#include "run/grants.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "base/text.h"
#include "data/json_pointer.h"
#include "run/never_written.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define INPUT_BYTES_MAX ((size_t)64 << 20)

/* An input value that is replaced by the absolute path it names. */
struct replacement {
    const struct writ_json *node;
    const char *path;
};
struct replacements {
    struct replacement items[WRIT_GRANTS_MAX];
    size_t count;
};

int writ_grants_check_kinds(const struct writ_contract *contract, struct writ_denial *ret_denial,
                            struct writ_error *error)
{
    for (size_t i = 0; i < contract->permission_count; i++) {
        const struct writ_permission *permission = &contract->permissions[i];
        const char *kind;
        enum writ_code code;
        switch (permission->kind) {
        case WRIT_PERMISSION_NETWORK:
            kind = "network";
            code = WRIT_NETWORK_DENIED;
            break;
        case WRIT_PERMISSION_CREDENTIAL:
            kind = "credential";
            code = WRIT_CREDENTIAL_UNAVAILABLE;
            break;
        case WRIT_PERMISSION_CLIPBOARD_READ:
            kind = "clipboard:read";
            code = WRIT_POLICY_REFUSED;
            break;
        default:
            continue;
        }
        *ret_denial = (struct writ_denial){
            .kind = kind, .what = permission->subject, .missing = "enforcement of this kind of permission"};
        (void)writ_error_set(error, code,
                             "the contract declares %s, a kind that this version of writ does not enforce yet; a skill "
                             "that needs it cannot be run",
                             permission->source);
        return writ_error_at(error, permission->source, 0, 0);
    }
    return 0;
}

static bool is_path(const struct writ_permission *permission)
{
    return permission->kind == WRIT_PERMISSION_FILESYSTEM_READ || permission->kind == WRIT_PERMISSION_FILESYSTEM_WRITE;
}

static bool has_paths(const struct writ_contract *contract)
{
    for (size_t i = 0; i < contract->permission_count; i++)
        if (is_path(&contract->permissions[i]))
            return true;
    return false;
}

bool writ_grants_need_state(const struct writ_contract *contract)
{
    for (size_t i = 0; i < contract->permission_count; i++)
        for (size_t j = 0; j < contract->permissions[i].segment_count; j++)
            if (contract->permissions[i].segments[j].kind == WRIT_SEGMENT_STATE)
                return true;
    return false;
}

/* The private folder of a skill and identity, made when a permission names it. */
static int make_state_folder(const struct writ_prepare_request *request, struct writ_arena *arena,
                             const char **ret_folder, struct writ_error *error)
{
    *ret_folder = NULL;
    if (!writ_grants_need_state(request->skill->contract))
        return 0;
    /* An identity that could act as more than one plain component would name another's folder. */
    const char *identity = request->identity_id;
    if (!identity || !identity[0] || strchr(identity, '/') || strcmp(identity, ".") == 0 || strcmp(identity, "..") == 0)
        return writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                              "the skill keeps private files for each caller, and this caller's identity cannot stand "
                              "in a path");
    const char *folder = request->state_folder;
    if (!folder)
        folder = writ_arena_printf(arena, "%s/skills/%s/%s", request->places->state, request->skill->id, identity);
    if (!folder)
        return writ_error_memory(error);
    WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
    int result = writ_folder_make(folder, 0700, &fd, error);
    if (result < 0)
        return result;
    /* Its real name, whatever links lead to it: what is granted is compared by real names. */
    char real[PATH_MAX];
    int failed = writ_descriptor_path(fd, real);
    if (failed < 0)
        return writ_error_io(error, -failed, folder);
    *ret_folder = writ_arena_copy(arena, real, strlen(real));
    return *ret_folder ? 0 : writ_error_memory(error);
}

static int too_many(struct writ_error *error)
{
    return writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                          "the input names more than %d paths; grant a folder instead of many files", WRIT_GRANTS_MAX);
}

/* The program finds the path at its absolute place, so the value that named it becomes that. */
static int remember_replacement(const struct writ_prepare_request *request, const struct writ_resolve_options *options,
                                const struct writ_expanded_path *expanded, const char *resolved_path,
                                struct writ_prepared *prepared, struct replacements *replacements,
                                struct writ_error *error)
{
    if (!expanded->input_pointer)
        return 0;
    const struct writ_json *node =
        writ_json_pointer_get(request->input, expanded->input_pointer, strlen(expanded->input_pointer));
    const char *value = writ_json_text(node);
    if (!value)
        return 0;
    if (replacements->count == WRIT_COUNT(replacements->items))
        return too_many(error);
    /* What was granted is what the program is told; only a value that is a part of it is looked up by itself. */
    const char *absolute = resolved_path;
    int result =
        strcmp(value, expanded->path) == 0 ? 0 : writ_resolve_name(options, value, &prepared->arena, &absolute, error);
    if (result < 0)
        return result;
    replacements->items[replacements->count++] = (struct replacement){node, absolute};
    return 0;
}

/* The program is told the path in JSON, which cannot carry other bytes. */
static int check_can_be_told(const char *path, struct writ_error *error)
{
    if (writ_utf8_is_valid(path, strlen(path)))
        return 0;
    (void)writ_error_set(error, WRIT_FILESYSTEM_DENIED,
                         "the path, or the folder it starts in, is not UTF-8, so that no program can be told of it; "
                         "rename it");
    return error->code;
}

/* What bounds a path: the skill's private folder when it begins there, else what its caller may name. */
static struct writ_resolve_options bounds_of(const struct writ_prepare_request *request,
                                             const struct writ_never_granted *never,
                                             const struct writ_expanded_path *expanded,
                                             const struct writ_interpolation *values)
{
    struct writ_resolve_options options = {.never = never,
                                           .working_folder = request->working_folder,
                                           .roots = request->roots,
                                           .root_count = request->root_count};
    if (expanded->in_state) {
        options.roots = &values->state_folder;
        options.root_count = 1;
        options.own_state = values->state_folder;
    }
    return options;
}

/* A place of the machine that the contract names whatever the input is part of what a skill needs to be installed. */
static bool is_not_installed(const struct writ_permission *permission, const char *path)
{
    bool is_fixed = permission->segment_count == 1 && permission->segments[0].kind == WRIT_SEGMENT_LITERAL;
    return permission->kind == WRIT_PERMISSION_FILESYSTEM_READ && is_fixed && path[0] == '/' &&
           faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
}

static int grant_path(const struct writ_prepare_request *request, const struct writ_never_granted *never,
                      const struct writ_interpolation *values, const struct writ_permission *permission,
                      const struct writ_expanded_path *expanded, struct writ_prepared *prepared,
                      struct replacements *replacements, struct writ_error *error)
{
    bool write = permission->kind == WRIT_PERMISSION_FILESYSTEM_WRITE;
    const struct writ_resolve_options options = bounds_of(request, never, expanded, values);
    if (prepared->grant_count == WRIT_GRANTS_MAX)
        return too_many(error);
    struct writ_resolved resolved;
    int result = writ_resolve_grant(&options, expanded->path, write, expanded->from_input || expanded->in_state,
                                    &prepared->arena, &resolved, error);
    if (result == 0) {
        result = check_can_be_told(resolved.path, error);
        if (result == 0 && write)
            result = writ_never_written_check(request->places, request->skill, resolved.path, error);
        if (result < 0) {
            if (resolved.created)
                writ_resolve_unmake(resolved.folder_fd, resolved.path, resolved.fd);
            writ_descriptor_close(&resolved.fd);
            writ_descriptor_close(&resolved.folder_fd);
        }
    }
    if (result == WRIT_FILESYSTEM_DENIED && is_not_installed(permission, expanded->path)) {
        (void)writ_error_set(error, WRIT_DEPENDENCY_MISSING,
                             "%.300s: is not on this machine, and the skill reads it whatever its input; install what "
                             "brings it",
                             expanded->path);
        return writ_error_at(error, expanded->path, 0, 0);
    }
    if (result == WRIT_FILESYSTEM_DENIED)
        prepared->denial = (struct writ_denial){
            .kind = writ_permission_kind_name(permission->kind), .what = expanded->path, .missing = permission->source};
    if (result < 0)
        return result;
    prepared->grants[prepared->grant_count++] = (struct writ_grant){.permission = permission,
                                                                    .path = resolved.path,
                                                                    .is_folder = resolved.is_folder,
                                                                    .write = write,
                                                                    .from_input = expanded->from_input,
                                                                    .created = resolved.created,
                                                                    .fd = resolved.fd,
                                                                    .folder_fd = resolved.folder_fd};
    return remember_replacement(request, &options, expanded, resolved.path, prepared, replacements, error);
}

static void write_replaced(struct writ_json_writer *writer, const struct writ_json *node,
                           const struct replacements *replacements)
{
    for (size_t i = 0; i < replacements->count; i++)
        if (replacements->items[i].node == node) {
            writ_json_write_text(writer, replacements->items[i].path);
            return;
        }
    if (node->kind == WRIT_JSON_ARRAY) {
        writ_json_write_array(writer);
        WRIT_JSON_EACH_ITEM(item, node)
        write_replaced(writer, item, replacements);
        writ_json_write_array_end(writer);
    } else if (node->kind == WRIT_JSON_OBJECT) {
        writ_json_write_object(writer);
        WRIT_JSON_EACH_MEMBER(key, node)
        {
            writ_json_write_key_sized(writer, key->text, key->length);
            write_replaced(writer, key + 1, replacements);
        }
        writ_json_write_object_end(writer);
    } else {
        writ_json_write_node(writer, node);
    }
}

static int write_input(const struct writ_prepare_request *request, const struct replacements *replacements,
                       struct writ_prepared *prepared, struct writ_error *error)
{
    writ_buffer_init(&prepared->input, INPUT_BYTES_MAX);
    if (replacements->count == 0) {
        writ_json_print(&prepared->input, request->input, WRIT_JSON_COMPACT);
    } else {
        struct writ_json_writer writer;
        writ_json_writer_init(&writer, &prepared->input);
        write_replaced(&writer, request->input, replacements);
    }
    writ_buffer_append_byte(&prepared->input, '\n');
    if (prepared->input.failed && prepared->input.too_large)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT,
                              "the input with its paths made absolute is larger than %zu MiB; name fewer files in it",
                              INPUT_BYTES_MAX >> 20);
    return prepared->input.failed ? writ_error_memory(error) : 0;
}

static int resolve_all(const struct writ_prepare_request *request, struct writ_prepared *prepared,
                       struct replacements *replacements, struct writ_error *error)
{
    const struct writ_contract *contract = request->skill->contract;
    struct writ_interpolation values = {.input = request->input, .identity_id = request->identity_id};
    struct writ_never_granted never;
    int result = has_paths(contract) ? writ_never_granted_fill(request->places, &prepared->arena, &never, error) : 0;
    if (result == 0)
        result = make_state_folder(request, &prepared->arena, &values.state_folder, error);
    for (size_t i = 0; result == 0 && i < contract->permission_count; i++) {
        const struct writ_permission *permission = &contract->permissions[i];
        if (!is_path(permission))
            continue;
        const struct writ_expanded_path *paths;
        size_t count;
        result = writ_permission_expand(permission, &values, &prepared->arena, &paths, &count, error);
        if (result == WRIT_FILESYSTEM_DENIED)
            prepared->denial = (struct writ_denial){.kind = writ_permission_kind_name(permission->kind),
                                                    .what = permission->source,
                                                    .missing = "an input that names a plain path"};
        for (size_t j = 0; result == 0 && j < count; j++)
            result = grant_path(request, &never, &values, permission, &paths[j], prepared, replacements, error);
    }
    return result;
}

int writ_grants_resolve(const struct writ_prepare_request *request, struct writ_prepared *prepared,
                        struct writ_error *error)
{
    struct replacements replacements = {.count = 0};
    int result = resolve_all(request, prepared, &replacements, error);
    return result < 0 ? result : write_input(request, &replacements, prepared, error);
}
