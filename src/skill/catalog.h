/*
 * The catalog: every folder with a skill, its source, its shadowing, whether it is trusted (S3.2, C3, C4, S4.7).
 *
 * Sources, highest first: `--skills DIR` folders; the project's `.writ/skills`, `.agents/skills`, clients' folders; the
 * user's config/skills, `~/.agents/skills`, clients' folders; installed data/skills/ID/VERSION/; shipped.  The
 * project's root is found by walking up from the working directory to `.writ`, `.git` or `.agents`, and where none of
 * them is, to the nearest client's folder of skills (`.claude/skills`); $HOME and / are none.
 *
 * A folder is named by the id in its skill.yaml; one that holds a SKILL.md as well may bear that one's `name` instead,
 * which has no dot.  A folder with a SKILL.md alone is no skill with a contract, and is passed over here.
 *
 * A broken copy in a higher source is an error, never a reason to fall to a lower one.  An untrusted project's skills
 * shadow nothing.  Refused, as SKILL_UNTRUSTED with the mend: a skill's folder that is a symbolic link; in the user's
 * and the installed sources what belongs to anyone but the caller or root; there and in projects a folder, skill.yaml
 * or entry that others than its owner may write (a group whose number is the owner's counts as the owner's own).
 *
 * Threads: re-entrant; a found skill is one thread's until it is only read.
 */
#ifndef WRIT_SKILL_CATALOG_H
#define WRIT_SKILL_CATALOG_H

#include "base/watch.h"
#include "skill/contract.h"
#include "skill/places.h"

#define WRIT_CATALOG_FOLDERS_MAX 2000 /* looked at in one source */

enum writ_source_kind {
    WRIT_SOURCE_OPTION = 1, /* --skills DIR: naming it is trusting it, for that call */
    WRIT_SOURCE_PROJECT,
    WRIT_SOURCE_USER,
    WRIT_SOURCE_INSTALLED,
    WRIT_SOURCE_SHIPPED,
    WRIT_SOURCE_FOLDER, /* a skill's folder named directly (`writ test DIR`) */
};
/* `--skills`, `project`, `user`, `installed`, `shipped`, `folder` */
const char *writ_source_name(enum writ_source_kind kind) WRIT_PURE;

struct writ_catalog_options {
    const struct writ_places *places;
    const char *const *skill_folders; /* --skills, in order; relative ones from the working directory */
    size_t skill_folder_count;
    const struct writ_watch *watch; /* while folders are looked at; NULL: nobody */
};

/* One skill folder that was found.  Owned by the caller through writ_skill_free. */
struct writ_skill {
    struct writ_arena arena;
    enum writ_source_kind source;
    const char *source_folder; /* the folder it was found in */
    const char *folder;        /* absolute path of the skill's folder, without links once it was opened */
    int folder_fd;             /* readable and close-on-exec; -1 in a list */
    const char *id;            /* of the contract; of the folder while the contract cannot be used */
    const char *expected_id;   /* what the contract's id was to equal; NULL: anything */
    bool trusted;
    struct writ_contract *contract; /* NULL when it has faults, or was not read because it is not trusted */
    struct writ_contract_faults faults;
    struct writ_error fault; /* code != 0: the skill could not be used, and why */
    const char *shadowed_by; /* folder of the copy that wins, or NULL (list only; lives as long as the catalog) */
};
void writ_skill_free(struct writ_skill *skill);

/* Finds and loads one skill for a call.  `version` may be NULL (highest installed wins among installed ones, releases
 * before prereleases; a local source has the one version it has, and is passed over when that does not satisfy).
 * Errors: SKILL_NOT_FOUND (with the nearest id, or the versions that are there), SKILL_UNTRUSTED (names the folder and
 * `writ trust`), CONTRACT_INVALID.  With the last two `ret_skill` is set too, when a folder is to blame, so that the
 * caller can show the faults or ask for trust; its `contract` is then NULL. */
int writ_catalog_find(const struct writ_catalog_options *options, const char *id,
                      const struct writ_semver_range *version, struct writ_skill **ret_skill,
                      struct writ_error *error) WRIT_MUST_USE;
/* Loads the skill in a folder named directly, trusted because it was named.  Relative to the process's own directory.
 * Errors as above; SKILL_NOT_FOUND when there is no such folder or no skill.yaml in it. */
int writ_catalog_open_folder(const char *folder, struct writ_skill **ret_skill, struct writ_error *error) WRIT_MUST_USE;

struct writ_catalog {
    struct writ_skill **skills; /* by id, then by precedence; shadowed and faulty ones included */
    size_t count;
    bool truncated; /* more than WRIT_CATALOG_FOLDERS_MAX folders in one source */
};
/* Several installed versions stand side by side and shadow one another not; a local copy shadows all of them. */
int writ_catalog_list(const struct writ_catalog_options *options, struct writ_catalog *ret_catalog,
                      struct writ_error *error) WRIT_MUST_USE;
void writ_catalog_clear(struct writ_catalog *catalog);

/* The project's root for a working directory, in `arena`; NULL in *ret_root when there is none. */
int writ_project_root(const struct writ_places *places, struct writ_arena *arena, const char **ret_root,
                      struct writ_error *error) WRIT_MUST_USE;

/* ---- trust of local folders: config/trust.json, {"version":1,"folders":[{"path","added"}]}, written atomically under
 * a lock.  Trusting a folder trusts what lies below it.  A trust.json that others may write is refused. ---- */
/* `folder` is an absolute, resolved path. */
int writ_trust_has(const struct writ_places *places, const char *folder, bool *ret_trusted,
                   struct writ_error *error) WRIT_MUST_USE;
/* `folder` is made absolute (from the working directory) and resolved; one that is gone can still be removed.  Adding
 * twice is fine; `ret_changed` says whether anything changed.  Refused (USAGE): `/`, the home folder itself, what is no
 * folder, and a folder that everyone may write. */
int writ_trust_change(const struct writ_places *places, const char *folder, bool add, bool *ret_changed,
                      struct writ_error *error) WRIT_MUST_USE;

struct writ_trusted_folder {
    const char *path;
    const char *added; /* when, as writ_time_print writes it; "" when that is not known */
};
/* All of them, in the order in which they were trusted; lives in `arena`. */
int writ_trust_list(const struct writ_places *places, struct writ_arena *arena,
                    const struct writ_trusted_folder **ret_folders, size_t *ret_count,
                    struct writ_error *error) WRIT_MUST_USE;

/* ---- digest of a skill's folder (interfaces "Digest and signature") ----
 *
 * SHA-256 over: the 20 bytes "writ skill digest 1\n"; the number of files; then for each file, sorted by the bytes of
 * its path: the path's length, the path (below the folder, `/` between parts), one byte 1 when the owner may execute it
 * else 0, its size, the 32 bytes of its SHA-256.  Numbers are 8 bytes, most significant first, so no two folders encode
 * alike whatever their names hold.  Files are all regular files except .writ/signature.json; empty folders do not
 * count.
 *
 * Refused with TRUST_DIGEST: links, other kinds of files, a file that changes meanwhile; with INTERNAL_LIMIT: more than
 * 10,000 files or folders, 1 GiB, 32 levels.  Ignored: nothing. */
int writ_skill_digest(int folder_fd, unsigned char ret_digest[32], struct writ_error *error) WRIT_MUST_USE;
/* As above, reading no file while none changed since the last time, by device, inode, mode, size and times, where these
 * tell of every change: files on ext2 to ext4 and btrfs that nobody has open for writing, the caller's or root's.
 * `cache_folder` is a private folder of the caller, made when it is missing; that it cannot be used is no error.
 * An entry is one of its format, whole, or none. */
int writ_skill_digest_cached(int folder_fd, const char *cache_folder, const struct writ_watch *watch,
                             unsigned char ret_digest[32], struct writ_error *error) WRIT_MUST_USE;

#endif
