/* Folders and skills for tests, below one temporary folder that goes with everything in it. */
#ifndef WRIT_TESTS_SKILL_FOLDERS_H
#define WRIT_TESTS_SKILL_FOLDERS_H

#include "base/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* All paths below are relative to the temporary folder. */
extern char folders_root[64]; /* absolute, resolved */

int folders_set_up(void **state);
int folders_tear_down(void **state);

/* `root/path` in one of a few static places. */
const char *folders_path(const char *path);
/* Makes the folder and those above it. */
void folders_make(const char *path);
/* Makes the file and the folders above it. */
void folders_write(const char *path, const char *text);
void folders_link(const char *path, const char *target);
void folders_mode(const char *path, mode_t mode);
void folders_remove(const char *path);
int folders_open(const char *path);

/* Makes FOLDER with a small, sound skill of that id and version in it. */
void folders_skill(const char *folder, const char *id, const char *version);

#endif
