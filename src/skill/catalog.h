/*
 * The catalog: every folder with a skill, its source, its shadowing, whether it is trusted (S3.2, C4, S4.7).
 *
 * Sources, highest first: `--skills DIR` folders; the project's `.writ/skills`, `.agents/skills`, clients' folders; the
 * user's config/skills, `~/.agents/skills`, clients' folders; installed data/skills/ID/VERSION/; shipped.  The project's
 * root is found by walking up from the working directory to `.writ`, `.git` or `.agents`; never past $HOME or /.
 * A broken copy in a higher source is an error, never a reason to fall to a lower one.  An untrusted project's skills
 * shadow nothing.
 */
#ifndef WRIT_SKILL_CATALOG_H
#define WRIT_SKILL_CATALOG_H

#include "skill/contract.h"
#include "skill/places.h"

enum writ_source_kind {
    WRIT_SOURCE_OPTION = 1, /* --skills DIR: naming it is trusting it, for that call */
    WRIT_SOURCE_PROJECT,
    WRIT_SOURCE_USER,
    WRIT_SOURCE_INSTALLED,
    WRIT_SOURCE_SHIPPED,
    WRIT_SOURCE_FOLDER, /* a skill's folder named directly (`writ test DIR`) */
};
const char *writ_source_name(enum writ_source_kind kind) WRIT_PURE;

struct writ_catalog_options {
    const struct writ_places *places;
    const char *const *skill_folders; /* --skills, in order */
    size_t skill_folder_count;
};

/* One skill folder that was found.  Owned by the caller through writ_skill_free. */
struct writ_skill {
    struct writ_arena arena;
    enum writ_source_kind source;
    const char *source_folder; /* the folder it was found in */
    const char *folder;        /* absolute path of the skill's folder */
    int folder_fd;
    const char *id;
    bool trusted;
    struct writ_contract *contract; /* NULL while not loaded, or when it has faults */
    struct writ_contract_faults faults;
    struct writ_error fault; /* code != 0: the contract could not be used, and why */
    const char *shadowed_by; /* folder of the copy that wins, or NULL (list only) */
};
void writ_skill_free(struct writ_skill *skill);

/* Finds and loads one skill for a call.  `version` may be NULL (highest installed wins among installed ones; a local
 * source has the one version it has).  Errors: SKILL_NOT_FOUND (with nearest ids), SKILL_UNTRUSTED (names the folder and
 * `writ trust`), CONTRACT_INVALID (`ret_skill` is then set too, so that the faults can be shown). */
int writ_catalog_find(const struct writ_catalog_options *options, const char *id,
                      const struct writ_semver_range *version, struct writ_skill **ret_skill, struct writ_error *error)
    WRIT_MUST_USE;
/* Loads the skill in a folder named directly, trusted because it was named. */
int writ_catalog_open_folder(const char *folder, struct writ_skill **ret_skill, struct writ_error *error) WRIT_MUST_USE;

struct writ_catalog {
    struct writ_skill **skills; /* by id, then by precedence; shadowed and faulty ones included */
    size_t count;
    bool truncated; /* more than 2000 folders in one source */
};
int writ_catalog_list(const struct writ_catalog_options *options, struct writ_catalog *ret_catalog,
                      struct writ_error *error) WRIT_MUST_USE;
void writ_catalog_clear(struct writ_catalog *catalog);

/* ---- trust of local folders: config/trust.json, {"version":1,"folders":[{"path","added"}]}, written atomically ---- */
int writ_trust_has(const struct writ_places *places, const char *folder, bool *ret_trusted, struct writ_error *error)
    WRIT_MUST_USE;
/* `folder` is made absolute and resolved.  Adding twice is fine; removing what is not there says so with `ret_changed`. */
int writ_trust_change(const struct writ_places *places, const char *folder, bool add, bool *ret_changed,
                      struct writ_error *error) WRIT_MUST_USE;

/* ---- digest of a skill's folder (interfaces "Digest and signature"): sorted list of path, executable bit, size and
 * SHA-256 of every regular file except .writ/signature.json.  Refused: links, other kinds of files, more than 10,000
 * files, more than 1 GiB.  Ignored: nothing. ---- */
int writ_skill_digest(int folder_fd, unsigned char ret_digest[32], struct writ_error *error) WRIT_MUST_USE;

#endif
