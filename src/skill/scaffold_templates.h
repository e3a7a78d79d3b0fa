/*
 * The files of templates/ as data, inside src/skill only; made by tools/embed_templates.py when writ is built.
 */
#ifndef WRIT_SKILL_SCAFFOLD_TEMPLATES_H
#define WRIT_SKILL_SCAFFOLD_TEMPLATES_H

#include "base/macros.h"

#include <stdbool.h>

struct scaffold_template {
    const char *path; /* below the skill's folder */
    bool executable;
    const char *text; /* `@name@` and `@form:name@` are filled in */
    size_t length;
};
struct scaffold_language {
    const char *name;
    const struct scaffold_template *files; /* by path */
    size_t count;
};
extern const struct scaffold_language scaffold_languages[];
extern const size_t scaffold_language_count;

#endif
