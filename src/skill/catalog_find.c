#include "skill/catalog.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "base/text.h"
#include "skill/catalog_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

/*
 * Finding one skill.  The sources are asked from the highest down, each by opening the folder of that name: a source
 * that has it costs two system calls, one that is not there costs one.  Only where a source has no such folder are its
 * other folders looked at, for one that bears its SKILL.md's name (no id: it has no dot) and holds that id.  An
 * untrusted project is remembered and passed over.
 */

#define SKILL_ARENA_BYTES_MAX ((size_t)64 << 10)

/* ---- one skill ---- */

struct writ_skill *catalog_skill_new(const struct catalog_source *source, const char *folder, const char *name)
{
    struct writ_skill *skill = calloc(1, sizeof *skill);
    if (!skill)
        return NULL;
    writ_arena_init(&skill->arena, SKILL_ARENA_BYTES_MAX);
    writ_contract_faults_init(&skill->faults);
    skill->folder_fd = -1;
    skill->source = source->kind;
    skill->source_folder = writ_arena_copy(&skill->arena, source->path, strlen(source->path));
    skill->folder = writ_arena_copy(&skill->arena, folder, strlen(folder));
    skill->id = writ_arena_copy(&skill->arena, name, strlen(name));
    skill->trusted = source->kind != WRIT_SOURCE_PROJECT;
    if (skill->source_folder && skill->folder && skill->id)
        return skill;
    writ_skill_free(skill);
    return NULL;
}

void writ_skill_free(struct writ_skill *skill)
{
    if (!skill)
        return;
    writ_descriptor_close(&skill->folder_fd);
    writ_contract_free(skill->contract);
    writ_contract_faults_clear(&skill->faults);
    writ_arena_clear(&skill->arena);
    free(skill);
}

static void free_skill(struct writ_skill **skill)
{
    writ_skill_free(*skill);
}

int catalog_skill_place(struct writ_skill *skill, const char *name, struct writ_error *error)
{
    const char *folder;
    int result = catalog_path_of(skill->folder_fd, &skill->arena, &folder, error);
    if (result < 0)
        return result;
    size_t length = strlen(folder), below = strlen(name) + 1;
    const char *source = length > below ? writ_arena_copy(&skill->arena, folder, length - below) : "/";
    if (!source)
        return writ_error_memory(error);
    skill->folder = folder;
    skill->source_folder = source;
    return 0;
}

/* C3: with a SKILL.md beside the contract the folder bears that one's name, or the id. */
static int check_manifest_name(const struct writ_skill *skill, const char *folder_name, struct writ_error *error)
{
    bool names = false;
    int result = catalog_manifest_names(skill->folder_fd, folder_name, &names, error);
    if (result < 0 || names)
        return result;
    return writ_error_set(
        error, WRIT_CONTRACT_INVALID,
        "the folder `%.128s` bears neither the `name` in its SKILL.md nor the id `%.128s`; rename it, "
        "or write `name: %.128s` in SKILL.md",
        folder_name, skill->id, folder_name);
}

int catalog_skill_load(struct writ_skill *skill, enum catalog_naming naming, const char *folder_name,
                       struct writ_error *error)
{
    const char *must_equal = naming == CATALOG_NAMED_BY_ID ? folder_name : NULL;
    if (must_equal) {
        skill->expected_id = writ_arena_copy(&skill->arena, must_equal, strlen(must_equal));
        if (!skill->expected_id)
            return writ_error_memory(error);
    }
    int result = catalog_check_owner(skill->source, skill->folder_fd, NULL, skill->folder, error);
    if (result == 0)
        result = catalog_check_owner(skill->source, skill->folder_fd, "skill.yaml", skill->folder, error);
    if (result == 0)
        result =
            writ_contract_load(skill->folder_fd, skill->folder, must_equal, &skill->contract, &skill->faults, error);
    if (result == 0) {
        skill->id = skill->contract->id;
        result =
            catalog_check_owner(skill->source, skill->folder_fd, skill->contract->runtime.entry, skill->folder, error);
    }
    if (result == 0 && naming == CATALOG_NAMED_BY_MANIFEST)
        result = check_manifest_name(skill, folder_name, error);
    if (result == 0)
        return 0;
    return catalog_skill_blame(skill, error);
}

int catalog_skill_blame(struct writ_skill *skill, struct writ_error *error)
{
    skill->fault = *error;
    if (skill->contract && skill->id == skill->contract->id) {
        skill->id = writ_arena_copy(&skill->arena, skill->id, strlen(skill->id));
        if (!skill->id)
            skill->id = "";
    }
    writ_contract_free(skill->contract);
    skill->contract = NULL;
    return error->code;
}

/* ---- the search ---- */

struct search {
    const struct writ_catalog_options *options;
    const char *id;
    const struct writ_semver_range *version; /* NULL: any */
    struct writ_arena arena;
    struct writ_skill *found;     /* or the faulty one */
    struct writ_skill *untrusted; /* the highest that was passed over */
    struct writ_buffer passed;    /* versions that do not satisfy, for the message */
    struct writ_error *error;
};

static void clear_search(struct search *search)
{
    writ_skill_free(search->found);
    writ_skill_free(search->untrusted);
    writ_buffer_clear(&search->passed);
    writ_arena_clear(&search->arena);
}

static int check_trust(struct search *search, struct writ_skill *skill)
{
    if (skill->source != WRIT_SOURCE_PROJECT)
        return 0;
    return writ_trust_has(search->options->places, skill->folder, &skill->trusted, search->error);
}

static void note_passed(struct search *search, const struct writ_semver *version, const char *folder)
{
    char text[CATALOG_VERSION_TEXT_BYTES];
    catalog_version_print(version, text);
    writ_buffer_printf(&search->passed, "%s%s (%s)", search->passed.length ? ", " : "", text, folder);
}

/* Takes over `folder_fd`.  Returns 1 when this is the one, 0 to look on, or an error with search->found set to blame.
 */
static int consider(struct search *search, const struct catalog_source *source, int source_fd, int *folder_fd,
                    const char *name, enum catalog_naming naming)
{
    const char *folder = writ_arena_printf(&search->arena, "%s/%s", source->path, name);
    WRIT_CLEANUP(free_skill)
    struct writ_skill *skill = folder ? catalog_skill_new(source, folder, search->id) : NULL;
    if (!skill)
        return writ_error_memory(search->error);
    skill->folder_fd = writ_descriptor_take(folder_fd);
    int result = catalog_skill_place(skill, name, search->error);
    if (result == 0)
        result = check_trust(search, skill);
    if (result < 0)
        return result;
    if (!skill->trusted) {
        if (!search->untrusted) {
            search->untrusted = skill;
            skill = NULL;
        }
        return 0;
    }
    result = catalog_check_owner(source->kind, source_fd, NULL, source->path, search->error);
    if (result == 0)
        result = catalog_skill_load(skill, naming, name, search->error);
    if (result == WRIT_SKILL_NOT_FOUND)
        /* A folder by that name without a contract is a broken copy: the lower ones are not what was meant. */
        (void)writ_error_set(search->error, WRIT_CONTRACT_INVALID,
                             "`%s` bears the skill's name, but has no skill.yaml; add one, or move the folder away",
                             folder);
    if (result < 0)
        result = catalog_skill_blame(skill, search->error);
    if (result == 0 && search->version && search->version->count > 0 &&
        !writ_semver_satisfies(&skill->contract->version, search->version)) {
        note_passed(search, &skill->contract->version, folder);
        return 0;
    }
    search->found = skill;
    skill = NULL;
    return result < 0 ? result : 1;
}

/* True when the text declares this id at its top level, by its look alone: the full reading follows. */
static bool declares_id(const char *text, const char *id)
{
    size_t length = strlen(id);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "id:", 3) != 0)
            continue;
        const char *value = line + 3 + strspn(line + 3, " \t");
        char quote = *value == '"' || *value == '\'' ? *value++ : '\0';
        if (strncmp(value, id, length) == 0 &&
            (quote ? value[length] == quote : strchr(" \t\r\n", value[length]) != NULL))
            return true;
    }
    return false;
}

/* A skill.yaml that no call could use declares nothing; one that the kernel fails to read might. */
static int folder_declares(int folder_fd, const char *id, bool *ret_declares, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_YAML_BYTES_MAX);
    int result = writ_file_read(folder_fd, "skill.yaml", true, &text, error);
    bool unusable = result == WRIT_INTERNAL_LIMIT ||
                    (result == WRIT_INTERNAL_IO &&
                     (error->sys_errno == 0 || error->sys_errno == ENOENT || error->sys_errno == EISDIR ||
                      error->sys_errno == ELOOP || error->sys_errno == EACCES));
    *ret_declares = result == 0 && declares_id(writ_buffer_text(&text), id);
    return unusable ? 0 : result;
}

/* Opens folder `name` when it holds a SKILL.md and a contract of the id that is looked for; else -1 in `*ret_fd`. */
static int open_declaring(struct search *search, int source_fd, const char *name, int *ret_fd, bool *ret_named)
{
    *ret_fd = -1;
    WRIT_CLEANUP(writ_descriptor_close)
    int fd = openat(source_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EACCES))
        return 0; /* no folder, or none that can be used */
    if (fd < 0)
        return writ_error_io(search->error, errno, name);
    bool contract = false, manifest = false, declares = false;
    int result = catalog_folder_holds(fd, "skill.yaml", &contract, search->error);
    if (result == 0 && contract)
        result = catalog_folder_holds(fd, "SKILL.md", &manifest, search->error);
    if (result == 0 && manifest)
        result = folder_declares(fd, search->id, &declares, search->error);
    if (result == 0 && declares)
        result = catalog_manifest_names(fd, name, ret_named, search->error);
    if (result == 0 && declares)
        *ret_fd = writ_descriptor_take(&fd);
    return result;
}

/* C3: a folder that has a SKILL.md too may bear that one's name.  Such a name has no dot, so ids cost nothing here. One
 * that bears another name is a broken copy, and told of when there is no sound one; of several always the same. */
static int look_among_names(struct search *search, const struct catalog_source *source, int source_fd)
{
    WRIT_CLEANUP(catalog_stream_close) DIR *stream = catalog_folder_stream(source_fd);
    if (!stream)
        return writ_error_io(search->error, errno, source->path);
    size_t seen = 0;
    bool truncated = false;
    char misnamed[NAME_MAX + 1] = "";
    WRIT_CLEANUP(writ_descriptor_close) int misnamed_fd = -1;
    for (const char *name; (name = catalog_next_name(stream, &seen, &truncated)) != NULL;) {
        if (strchr(name, '.'))
            continue;
        WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
        bool named = false;
        int result = open_declaring(search, source_fd, name, &fd, &named);
        if (result == 0 && fd >= 0 && named)
            result = consider(search, source, source_fd, &fd, name, CATALOG_NAMED_BY_MANIFEST);
        if (result != 0)
            return result;
        if (fd < 0 || named || (misnamed[0] && strcmp(name, misnamed) > 0))
            continue;
        (void)snprintf(misnamed, sizeof misnamed, "%s", name);
        writ_descriptor_close(&misnamed_fd);
        misnamed_fd = writ_descriptor_take(&fd);
    }
    if (errno)
        return writ_error_io(search->error, errno, source->path);
    return misnamed_fd < 0 ? 0 : consider(search, source, source_fd, &misnamed_fd, misnamed, CATALOG_NAMED_BY_MANIFEST);
}

static int look_in_installed(struct search *search, const struct catalog_source *source, int source_fd, int folder_fd)
{
    WRIT_CLEANUP(catalog_versions_clear) struct catalog_versions versions = {0};
    int result = catalog_check_owner(source->kind, source_fd, NULL, source->path, search->error);
    if (result == 0)
        result = catalog_versions_read(folder_fd, &versions, search->error);
    for (size_t i = 0; result == 0 && i < versions.count; i++) {
        const struct writ_semver *version = &versions.items[i];
        if (search->version && search->version->count > 0 && !writ_semver_satisfies(version, search->version)) {
            note_passed(search, version, "installed");
            continue;
        }
        char text[CATALOG_VERSION_TEXT_BYTES], name[WRIT_SKILL_ID_BYTES_MAX + CATALOG_VERSION_TEXT_BYTES + 2];
        catalog_version_print(version, text);
        (void)snprintf(name, sizeof name, "%s/%s", search->id, text);
        WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
        result = catalog_folder_open(source, folder_fd, text, &fd, search->error);
        if (result == 0 && fd >= 0)
            result = consider(search, source, folder_fd, &fd, name, CATALOG_NAMED_BY_VERSION);
        if (result <= 0 || !search->found)
            continue;
        const struct writ_contract *contract = search->found->contract;
        if (strcmp(contract->id, search->id) != 0 || strcmp(contract->version_text, text) != 0) {
            (void)writ_error_set(search->error, WRIT_CONTRACT_INVALID,
                                 "`%s` holds version %s of `%s`; install the skill again", search->found->folder,
                                 contract->version_text, contract->id);
            result = catalog_skill_blame(search->found, search->error);
        }
    }
    return result;
}

static int look_in(struct search *search, const struct catalog_source *source)
{
    WRIT_CLEANUP(writ_descriptor_close) int source_fd = -1;
    int result = catalog_source_open(source, &source_fd, search->error);
    if (result < 0 || source_fd < 0)
        return result;
    WRIT_CLEANUP(writ_descriptor_close) int fd = -1;
    result = catalog_folder_open(source, source_fd, search->id, &fd, search->error);
    if (result < 0)
        return result;
    if (source->kind == WRIT_SOURCE_INSTALLED)
        return fd >= 0 ? look_in_installed(search, source, source_fd, fd) : 0;
    return fd >= 0 ? consider(search, source, source_fd, &fd, search->id, CATALOG_NAMED_BY_ID)
                   : look_among_names(search, source, source_fd);
}

/* ---- not found ---- */

struct candidates {
    const char *names[4096];
    size_t count;
};

static int gather(struct search *search, const struct catalog_source *source, struct candidates *candidates)
{
    struct writ_error unused;
    WRIT_CLEANUP(writ_descriptor_close) int source_fd = -1;
    if (catalog_source_open(source, &source_fd, &unused) < 0 || source_fd < 0)
        return 0;
    WRIT_CLEANUP(catalog_stream_close) DIR *stream = catalog_folder_stream(source_fd);
    size_t seen = 0;
    bool truncated = false;
    for (const char *name; stream && (name = catalog_next_name(stream, &seen, &truncated)) != NULL;) {
        if (candidates->count == WRIT_COUNT(candidates->names) || writ_skill_id_check(name, &unused) < 0)
            continue;
        const char *copy = writ_arena_copy(&search->arena, name, strlen(name));
        if (!copy)
            return writ_error_memory(search->error);
        candidates->names[candidates->count++] = copy;
    }
    return 0;
}

/* `text-extract` is most likely meant for `com.example.file.text-extract`. */
static const char *by_last_part(const struct candidates *candidates, const char *wanted)
{
    size_t length = strlen(wanted);
    for (size_t i = 0; i < candidates->count; i++) {
        size_t whole = strlen(candidates->names[i]);
        if (whole > length && candidates->names[i][whole - length - 1] == '.' &&
            strcmp(candidates->names[i] + whole - length, wanted) == 0)
            return candidates->names[i];
    }
    return NULL;
}

static int fail_not_found(struct search *search, const struct catalog_sources *sources)
{
    if (search->passed.length > 0)
        return writ_error_set(search->error, WRIT_SKILL_NOT_FOUND,
                              "`%s` is here in version %s only, which is not what was asked for; leave out `@` and "
                              "what follows to take that one",
                              search->id, writ_buffer_text(&search->passed));
    struct candidates *candidates = writ_arena_zalloc(&search->arena, 1, sizeof *candidates);
    if (!candidates)
        return writ_error_memory(search->error);
    for (size_t i = 0; i < sources->count; i++) {
        int result = gather(search, &sources->items[i], candidates);
        if (result < 0)
            return result;
    }
    /* Without /proc not even the shipped ones can be looked for. */
    if (writ_proc_check(search->error) < 0)
        return search->error->code;
    const char *nearest = by_last_part(candidates, search->id);
    if (!nearest)
        nearest = writ_nearest_name(search->id, candidates->names, candidates->count);
    return writ_error_set(search->error, WRIT_SKILL_NOT_FOUND, "no source has a skill `%.128s`%s%s%s", search->id,
                          nearest ? "; did you mean `" : "; `writ list` shows those that are there",
                          nearest ? nearest : "", nearest ? "`?" : "");
}

int writ_catalog_find(const struct writ_catalog_options *options, const char *id,
                      const struct writ_semver_range *version, struct writ_skill **ret_skill, struct writ_error *error)
{
    WRIT_CLEANUP(clear_search)
    struct search search = {.options = options, .id = id, .version = version, .error = error};
    writ_arena_init(&search.arena, (size_t)2 << 20);
    writ_buffer_init(&search.passed, 512);
    struct catalog_sources sources;
    struct writ_error unused;
    int result = catalog_sources_fill(options, &search.arena, &sources, error);
    /* What is no id is never handed to the file system. */
    bool is_id = writ_skill_id_check(id, &unused) == 0;
    for (size_t i = 0; result == 0 && is_id && i < sources.count; i++)
        result = look_in(&search, &sources.items[i]);
    if (result == 0 && search.untrusted) {
        result = writ_error_set(error, WRIT_SKILL_UNTRUSTED,
                                "`%s` is in a project that has not been trusted; look at it, then run `writ trust %s`",
                                search.untrusted->folder, search.untrusted->folder);
        search.untrusted->fault = *error;
        search.found = search.untrusted;
        search.untrusted = NULL;
    } else if (result == 0) {
        return fail_not_found(&search, &sources);
    }
    if (search.found && (result >= 0 || result == WRIT_CONTRACT_INVALID || result == WRIT_SKILL_UNTRUSTED)) {
        *ret_skill = search.found;
        search.found = NULL;
    }
    return result < 0 ? result : 0;
}

/* ---- a folder named directly ---- */

int writ_catalog_open_folder(const char *folder, struct writ_skill **ret_skill, struct writ_error *error)
{
    WRIT_CLEANUP(writ_descriptor_close) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return writ_error_set(error, WRIT_SKILL_NOT_FOUND, "there is no folder `%s`", folder);
    if (fd < 0)
        return writ_error_io(error, errno, folder);
    struct writ_arena arena;
    writ_arena_init(&arena, SKILL_ARENA_BYTES_MAX);
    const char *path;
    int result = catalog_path_of(fd, &arena, &path, error);
    WRIT_CLEANUP(free_skill) struct writ_skill *skill = NULL;
    if (result == 0) {
        const char *name = strrchr(path, '/') + 1;
        struct catalog_source source = {WRIT_SOURCE_FOLDER, path};
        skill = catalog_skill_new(&source, path, name);
    }
    writ_arena_clear(&arena);
    if (result < 0)
        return result;
    if (!skill)
        return writ_error_memory(error);
    skill->folder_fd = writ_descriptor_take(&fd);
    bool manifest = false;
    result = catalog_folder_holds(skill->folder_fd, "SKILL.md", &manifest, error);
    if (result < 0)
        return result;
    enum catalog_naming naming = manifest && !strchr(skill->id, '.') ? CATALOG_NAMED_BY_MANIFEST : CATALOG_NAMED_BY_ID;
    const char *name = strrchr(skill->folder, '/') + 1; /* skill->id will be the contract's */
    result = catalog_skill_load(skill, naming, name, error);
    if (result == 0 || result == WRIT_CONTRACT_INVALID || result == WRIT_SKILL_UNTRUSTED) {
        *ret_skill = skill;
        skill = NULL;
    }
    return result;
}
