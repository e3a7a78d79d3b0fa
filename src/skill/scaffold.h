/*
 * A new skill that works as it is: its files, filled in from templates/ (S4.1, S4.2, S4.10).
 *
 * The skill counts the lines and words of a text file, whatever its description promises: a program that runs is a
 * better start than an empty one.  What is filled in is checked as a contract and by lint before anything is written,
 * so that a skill that comes out of this has neither errors nor warnings.
 *
 * Names (C3): a folder that bears an id keeps it; SKILL.md's `name` is then the id's last parts.  Any other folder
 * bears SKILL.md's `name`, and the id is `com.example.NAME` unless one is given.
 *
 * Threads: re-entrant.
 */
#ifndef WRIT_SKILL_SCAFFOLD_H
#define WRIT_SKILL_SCAFFOLD_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

#define WRIT_SCAFFOLD_FILES_MAX 16
#define WRIT_SCAFFOLD_NAME_BYTES_MAX 64 /* of the open standard */

struct writ_scaffold_wish {
    const char *language;    /* one of writ_scaffold_language() */
    const char *folder_name; /* that the skill's folder will bear */
    /* NULL: the template's own.  Line ends and tabs become spaces; other control characters are refused. */
    const char *id, *description, *author, *license;
};

struct writ_scaffold_file {
    const char *path; /* below the skill's folder; at most one folder in it */
    const char *text;
    size_t length;
    bool executable;
};
struct writ_scaffold {
    struct writ_arena arena; /* owns all below */
    const char *language, *id, *name, *title;
    const char *program; /* path of the source: `main.py` */
    bool id_is_made_up;  /* com.example stands for a domain of the author's */
    struct writ_scaffold_file files[WRIT_SCAFFOLD_FILES_MAX];
    size_t file_count;
};

/* The languages, in the order in which a newcomer is asked: their name on the command line and for people.  False at
 * the end. */
bool writ_scaffold_language(size_t index, const char **ret_name, const char **ret_title);

/* Fills in the files; free with writ_scaffold_clear.  Errors: USAGE naming what was wished for and the mend;
 * INTERNAL_MEMORY. */
int writ_scaffold_fill(const struct writ_scaffold_wish *wish, struct writ_scaffold *ret_scaffold,
                       struct writ_error *error) WRIT_MUST_USE;
/* Safe on a zeroed struct. */
void writ_scaffold_clear(struct writ_scaffold *scaffold);

#endif
