/*
 * Folders of schemas as remote documents: what `--remote URL=DIR` gives a check.
 */
#ifndef WRIT_DATA_SCHEMA_REMOTE_H
#define WRIT_DATA_SCHEMA_REMOTE_H

#include "data/schema.h"

#define WRIT_SCHEMA_FOLDER_DEPTH_MAX 16
#define WRIT_SCHEMA_FOLDER_FILES_MAX 10000
#define WRIT_SCHEMA_FOLDER_FILE_BYTES_MAX ((size_t)16 << 20)

/* Registers every file `*.json` below `folder` under `url`/its path in the folder (percent-encoded where needed).
 * Hidden entries and symbolic links are passed over.  The documents live in `arena`, which must outlive the registry.
 * Errors: INTERNAL_IO, INTERNAL_LIMIT, INTERNAL_MEMORY; DATA_SYNTAX and SCHEMA_INVALID with the file as subject. */
int writ_schema_registry_add_folder(struct writ_schema_registry *registry, const char *url, const char *folder,
                                    struct writ_arena *arena, struct writ_error *error) WRIT_MUST_USE;

#endif
