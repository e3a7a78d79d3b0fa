#include "skill/lint.h"

#include "skill/closed_places.h"
#include "skill/contract_reader.h"
#include "skill/cut.h"
#include "skill/lint_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

#define REPORT_ARENA_BYTES_MAX ((size_t)64 << 20)

const char *writ_lint_severity_name(enum writ_lint_severity severity)
{
    static const char *const names[] = {"unknown", "error", "warning", "note"};
    return severity >= WRIT_LINT_ERROR && severity <= WRIT_LINT_NOTE ? names[severity] : names[0];
}

void writ_lint_report_clear(struct writ_lint_report *report)
{
    writ_arena_clear(&report->arena);
    *report = (struct writ_lint_report){0};
}

/* ---- findings ---- */

static void add_at(struct lint *lint, enum writ_lint_severity severity, const char *rule, uint32_t line,
                   uint32_t column, const char *field, const char *message)
{
    struct writ_lint_report *report = lint->report;
    /* Counted even when there is no room: a report that is cut must not look clean. */
    report->error_count += severity == WRIT_LINT_ERROR;
    report->warning_count += severity == WRIT_LINT_WARNING;
    if (report->count == WRIT_LINT_FINDINGS_MAX) {
        report->truncated = true;
        return;
    }
    if (!report->items)
        report->items = writ_arena_zalloc(&report->arena, WRIT_LINT_FINDINGS_MAX, sizeof *report->items);
    const char *field_copy = writ_arena_copy(&report->arena, field, strlen(field));
    const char *message_copy = writ_arena_copy(&report->arena, message, strlen(message));
    if (!report->items || !field_copy || !message_copy) {
        lint->out_of_memory = true;
        return;
    }
    report->items[report->count++] = (struct writ_lint_finding){.severity = severity,
                                                                .rule = rule,
                                                                .file = "skill.yaml",
                                                                .line = line,
                                                                .column = column,
                                                                .field = field_copy,
                                                                .message = message_copy};
}

void lint_add(struct lint *lint, enum writ_lint_severity severity, const char *rule, const struct writ_json *node,
              const char *field, const char *format, ...)
{
    char message[WRIT_ERROR_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    message[cut(message, sizeof message - 2)] = '\0';
    va_end(arguments);
    struct writ_yaml_place place = {0, 0};
    if (node)
        place = writ_yaml_place_of(&lint->contract->yaml, node);
    add_at(lint, severity, rule, place.line, place.column, field, message);
}

/* ---- what the contract says of itself ---- */

static const struct writ_json *top(const struct lint *lint, const char *name)
{
    const struct writ_json *node = writ_json_get(lint->contract->yaml.root, name);
    return node ? node : lint->contract->yaml.root;
}

static void lint_identity(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    if (lint_is_vague(contract->description, contract->name))
        lint_add(lint, WRIT_LINT_ERROR, "description-vague", top(lint, "description"), "description",
                 "says too little to choose by; say what it takes and what it returns, as in `Returns the current "
                 "temperature, humidity and wind of a named city`");
    if (!contract->author[0])
        lint_add(lint, WRIT_LINT_WARNING, "author-missing", contract->yaml.root, "author",
                 "is missing; say who answers for the skill");
    if (!contract->license[0])
        lint_add(lint, WRIT_LINT_WARNING, "license-missing", contract->yaml.root, "license",
                 "is missing; without one nobody else may use the skill");
    if (!contract->permissions_declared)
        lint_add(lint, WRIT_LINT_WARNING, "permissions-undeclared", contract->yaml.root, "permissions",
                 "is missing; write `permissions: []` when the program touches nothing");
}

/* ---- permissions and dependencies ---- */

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

/* What every run would refuse, as far as the name alone tells it.  Returns the severity, 0 when there is nothing. */
static enum writ_lint_severity closed_place(const struct writ_permission *permission, const char **ret_rule,
                                            char *ret_message, size_t message_bytes)
{
    if (permission->segment_count == 0 || permission->segments[0].kind != WRIT_SEGMENT_LITERAL)
        return 0;
    const char *path = permission->segments[0].text;
    bool more = permission->segment_count > 1;
    const char *place = writ_never_granted_by_name(path, more);
    if (place) {
        *ret_rule = "permission-never-granted";
        (void)snprintf(ret_message, message_bytes,
                       "`%s` holds accounts, keys or what belongs to the kernel, which no skill is ever granted: every "
                       "run will be refused; remove it",
                       place);
        return WRIT_LINT_ERROR;
    }
    if (permission->kind == WRIT_PERMISSION_FILESYSTEM_WRITE)
        place = writ_never_written_by_name(path, more);
    if (!place)
        return 0;
    *ret_rule = "permission-never-written";
    (void)snprintf(ret_message, message_bytes,
                   "`%s` holds what runs outside of any sandbox, which no skill may ever write; write to a path from "
                   "the input or below `${{ .state }}`",
                   place);
    return WRIT_LINT_WARNING;
}

static void lint_permissions(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    for (size_t i = 0; i < contract->permission_count; i++) {
        const struct writ_permission *permission = &contract->permissions[i];
        char field[48], message[WRIT_ERROR_MESSAGE_MAX];
        (void)snprintf(field, sizeof field, "permissions[%zu]", i);
        const char *rule = NULL;
        enum writ_lint_severity severity = closed_place(permission, &rule, message, sizeof message);
        if (severity) {
            add_at(lint, severity, rule, permission->line, permission->column, field, message);
            continue;
        }
        severity = WRIT_LINT_WARNING;
        if (!writ_permission_kind_is_enforced(permission->kind)) {
            severity = WRIT_LINT_NOTE;
            rule = "permission-not-enforced";
            (void)snprintf(message, sizeof message, "`%s` is not enforced yet: a run will be refused",
                           writ_permission_kind_name(permission->kind));
        } else if (permission->segment_count > 0 && is_wide(permission->subject)) {
            rule = "permission-wide";
            (void)snprintf(message, sizeof message, "grants all of `%s`; name the files or the folder that are needed",
                           permission->subject);
        } else if (permission->kind == WRIT_PERMISSION_BINARY_RUN && contract->binary_count > 0 &&
                   !declares_binary(contract, permission->subject)) {
            rule = "binary-undeclared";
            (void)snprintf(message, sizeof message,
                           "may run `%s`, which `dependencies.binaries` does not name; add it with its version",
                           permission->subject);
        }
        if (rule)
            add_at(lint, severity, rule, permission->line, permission->column, field, message);
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

static void lint_dependencies(struct lint *lint)
{
    const struct writ_contract *contract = lint->contract;
    const struct writ_json *dependencies = top(lint, "dependencies");
    const struct writ_json *apis = writ_json_get(dependencies, "apis"),
                           *files = writ_json_get(dependencies, "filesystem");
    char field[64];
    for (size_t i = 0; i < contract->binary_count; i++) {
        const struct writ_contract_binary *binary = &contract->binaries[i];
        char message[256];
        (void)snprintf(field, sizeof field, "dependencies.binaries[%zu]", i);
        (void)snprintf(message, sizeof message, "`%s` is depended on, but may not be run; add `binary:run:%s`",
                       binary->name, binary->name);
        if (!permits_binary(contract, binary->name))
            add_at(lint, WRIT_LINT_WARNING, "binary-not-permitted", binary->line, binary->column, field, message);
    }
    for (size_t i = 0; i < contract->api_count; i++) {
        (void)snprintf(field, sizeof field, "dependencies.apis[%zu]", i);
        if (!permits_endpoint(contract, contract->apis[i].endpoint))
            lint_add(lint, WRIT_LINT_WARNING, "api-without-network", writ_json_at(apis, i), field,
                     "`%s` is called at an origin that no `network:` permission names; add it", contract->apis[i].id);
    }
    for (size_t i = 0; i < contract->file_count; i++) {
        const struct writ_contract_file *file = &contract->files[i];
        (void)snprintf(field, sizeof field, "dependencies.filesystem[%zu]", i);
        if (!permits_kind(contract, WRIT_PERMISSION_FILESYSTEM_WRITE,
                          file->write ? WRIT_PERMISSION_FILESYSTEM_WRITE : WRIT_PERMISSION_FILESYSTEM_READ))
            lint_add(lint, WRIT_LINT_WARNING, "file-not-permitted", writ_json_at(files, i), field,
                     "`%.*s` is depended on, but no permission may %s any file; add `filesystem:%s:PATH`",
                     cut(file->path, 200), file->path, file->write ? "write" : "read", file->write ? "write" : "read");
    }
}

/* ---- the folder ---- */

void lint_folder(struct lint *lint)
{
    const struct writ_contract_runtime *runtime = &lint->contract->runtime;
    struct stat status;
    if (fstatat(lint->skill->folder_fd, runtime->entry, &status, AT_SYMLINK_NOFOLLOW) < 0) {
        bool source = runtime->language == WRIT_LANGUAGE_NATIVE &&
                      fstatat(lint->skill->folder_fd, "main.c", &status, AT_SYMLINK_NOFOLLOW) == 0;
        lint_add(lint, source ? WRIT_LINT_NOTE : WRIT_LINT_ERROR, source ? "entry-unbuilt" : "entry-missing",
                 top(lint, "runtime"), "runtime.entry",
                 source ? "`%s` is not built yet; `writ test` builds it from main.c"
                        : "`%s` is not in the folder; add the program or name it in `runtime.entry`",
                 runtime->entry);
    } else if (S_ISREG(status.st_mode) && runtime->language == WRIT_LANGUAGE_NATIVE && !(status.st_mode & S_IXUSR)) {
        lint_add(lint, WRIT_LINT_ERROR, "entry-not-executable", top(lint, "runtime"), "runtime.entry",
                 "`%s` cannot be executed; run `chmod +x` on it", runtime->entry);
    } else if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        lint_add(lint, WRIT_LINT_ERROR, "entry-missing", top(lint, "runtime"), "runtime.entry",
                 "`%s` is not a file; name the program itself", runtime->entry);
    }
    unsigned char digest[32];
    struct writ_error error;
    int result = writ_skill_digest(lint->skill->folder_fd, digest, &error);
    if (result == WRIT_INTERNAL_MEMORY)
        lint->out_of_memory = true;
    else if (result < 0)
        lint_add(lint, WRIT_LINT_ERROR, "folder-unpackable", NULL, "", "%s", error.message);
}

/* ---- the whole ---- */

static void lint_faults(struct lint *lint)
{
    const struct writ_skill *skill = lint->skill;
    for (size_t i = 0; i < skill->faults.count; i++) {
        const struct writ_contract_fault *fault = &skill->faults.items[i];
        add_at(lint, WRIT_LINT_ERROR, "contract", fault->line, fault->column, fault->field, fault->message);
    }
    lint->report->truncated = skill->faults.truncated;
    if (skill->faults.count == 0)
        add_at(lint, WRIT_LINT_ERROR, "contract", 0, 0, "",
               skill->fault.code != WRIT_OK ? skill->fault.message : "the contract was not read");
}

int writ_lint_skill(const struct writ_skill *skill, struct writ_lint_report *ret_report, struct writ_error *error)
{
    struct writ_lint_report report = {0};
    struct lint lint = {.skill = skill, .contract = skill->contract, .report = &report, .error = error};
    writ_arena_init(&report.arena, REPORT_ARENA_BYTES_MAX);
    if (!skill->contract) {
        lint_faults(&lint);
    } else {
        lint_identity(&lint);
        lint_schemas(&lint);
        lint_keywords(&lint);
        lint_permissions(&lint);
        lint_dependencies(&lint);
        lint_tests(&lint);
        if (skill->folder_fd >= 0)
            lint_folder(&lint);
    }
    if (lint.out_of_memory) {
        writ_lint_report_clear(&report);
        return writ_error_memory(error);
    }
    *ret_report = report;
    return 0;
}
