/*
 * Where the catalog looks, inside src/skill only: the list of sources, opening one folder of one, and judging it.
 */
#ifndef WRIT_SKILL_CATALOG_SOURCES_H
#define WRIT_SKILL_CATALOG_SOURCES_H

#include "skill/catalog.h"

#include <dirent.h>

struct catalog_source {
    enum writ_source_kind kind;
    const char *path; /* absolute, perhaps not there */
};
struct catalog_sources {
    struct catalog_source items[96];
    size_t count;
};
/* Fills the list, highest first. More than 64 `--skills`, and an empty one, are refused (USAGE). */
int catalog_sources_fill(const struct writ_catalog_options *options, struct writ_arena *arena,
                         struct catalog_sources *ret_sources, struct writ_error *error) WRIT_MUST_USE;
/* Opens a source's folder; -1 in *ret_fd when it is not there, which is an error only for `--skills`. */
int catalog_source_open(const struct catalog_source *source, int *ret_fd, struct writ_error *error) WRIT_MUST_USE;

/* Opens folder `name` of a source without following a link.  -1 in *ret_fd when there is none; a link is an error. */
int catalog_folder_open(const struct catalog_source *source, int source_fd, const char *name, int *ret_fd,
                        struct writ_error *error) WRIT_MUST_USE;
/* Tells whether the folder holds anything of that name.  Error: INTERNAL_IO when the kernel would not say, for what
 * cannot be looked at is not thereby absent. */
int catalog_folder_holds(int folder_fd, const char *name, bool *ret_holds, struct writ_error *error) WRIT_MUST_USE;
/* Tells whether the folder's SKILL.md gives `folder_name` as its `name` (C3): by the look of its head alone, for the
 * whole reading of a manifest is not the catalog's.  One that cannot be used gives none.  Error: INTERNAL_IO. */
int catalog_manifest_names(int folder_fd, const char *folder_name, bool *ret_names,
                           struct writ_error *error) WRIT_MUST_USE;
/* Refuses what others could change, by the rule of the source's kind.  `name` NULL: the folder itself. */
int catalog_check_owner(enum writ_source_kind kind, int folder_fd, const char *name, const char *shown_path,
                        struct writ_error *error) WRIT_MUST_USE;
/* The absolute path that a descriptor stands for, links resolved, in `arena`. */
int catalog_path_of(int fd, struct writ_arena *arena, const char **ret_path, struct writ_error *error) WRIT_MUST_USE;

/* A new skill of this source; takes nothing. */
struct writ_skill *catalog_skill_new(const struct catalog_source *source, const char *folder, const char *name);
/* Gives the opened skill the real paths of its folder and of its source's, wherever links or `..` led: they are what is
 * mounted, trusted, and kept from being written.  `name` is the folder's below the source: no link is in it. */
int catalog_skill_place(struct writ_skill *skill, const char *name, struct writ_error *error) WRIT_MUST_USE;
/* Which name a folder must bear. */
enum catalog_naming {
    CATALOG_NAMED_BY_ID,
    CATALOG_NAMED_BY_MANIFEST, /* it holds a SKILL.md, and its name has no dot: that one's `name` (C3) */
    CATALOG_NAMED_BY_VERSION,  /* what was installed: not looked at here */
};
/* Reads the contract in skill->folder_fd, whose folder bears `folder_name`.  On an error `skill->fault` holds it too.
 * Judges the owner of skill.yaml before and of the entry after reading. */
int catalog_skill_load(struct writ_skill *skill, enum catalog_naming naming, const char *folder_name,
                       struct writ_error *error) WRIT_MUST_USE;
/* Keeps the error as the skill's fault and drops the contract; returns its code. */
int catalog_skill_blame(struct writ_skill *skill, struct writ_error *error);

/* Reads the next name that is neither `.` nor `..`; NULL with errno 0 at the end or once `*seen` is past the bound (see
 * truncated), NULL with errno when the folder could not be read to its end. */
const char *catalog_next_name(DIR *folder, size_t *seen, bool *truncated);
/* A second stream on the same folder; NULL with errno. */
DIR *catalog_folder_stream(int folder_fd);
void catalog_stream_close(DIR **folder);

/* The names in an installed skill's folder that are versions, best first for an unversioned call. */
struct catalog_versions {
    struct writ_semver *items; /* heap */
    size_t count;
};
int catalog_versions_read(int folder_fd, struct catalog_versions *ret_versions, struct writ_error *error) WRIT_MUST_USE;
void catalog_versions_clear(struct catalog_versions *versions);
/* `1.2.0-rc.1+b5` */
#define CATALOG_VERSION_TEXT_BYTES 328
void catalog_version_print(const struct writ_semver *version, char ret_text[CATALOG_VERSION_TEXT_BYTES]);

#endif
