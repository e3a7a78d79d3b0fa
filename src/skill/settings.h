/*
 * What a person sets once for all calls: $XDG_CONFIG_HOME/writ/config.yaml.
 *
 *   version: 1
 *   color: never            # comments and order are kept by `writ config set`
 *   run.timeout-max: 2m
 *
 * A flat map of the settings below and the version of the format.  A name that is not in the table, a value out of
 * bounds and a newer version are refused with line and column: a limit that was mistyped must not be taken for one that
 * holds.  An empty file, or none, sets nothing.
 *
 * The file is held to the rule for private files: a regular file reached without a link, the caller's or root's, that
 * nobody else may write; it is made for its owner alone.  Changes are made under flock and replace the file whole.
 *
 * Threads: pure functions and reads; the struct belongs to the caller.
 */
#ifndef WRIT_SKILL_SETTINGS_H
#define WRIT_SKILL_SETTINGS_H

#include "base/buffer.h"
#include "skill/places.h"

#include <stdbool.h>

#define WRIT_SETTINGS_VERSION 1
#define WRIT_SETTINGS_BYTES_MAX ((size_t)64 << 10)
#define WRIT_SETTING_TEXT_BYTES 40

#define WRIT_SETTING_MINUTE UINT64_C(60000)
#define WRIT_SETTING_MIB (UINT64_C(1) << 20)

/* To add a setting: a row here, in the order of names, and the place that asks for it; docs/configuration.md is printed
 * from this table by tools/settings.py, and a test holds the two together.
 *
 *   id               name               type      default  choices               least            most
 *       what it does                                                             used by */
#define WRIT_SETTINGS(X)                                                                                               \
    X(AUDIT_COUNT, "audit.count", COUNT, "20", "", 0, 100000,                                                          \
      "how many of the last calls `writ audit` shows; 0 shows all", "audit")                                           \
    X(COLOR, "color", CHOICE, "auto", "auto|always|never", 0, 0,                                                       \
      "whether what is printed has colours; auto: on a terminal", "every command")                                     \
    X(PROGRESS, "progress", CHOICE, "auto", "auto|never", 0, 0,                                                        \
      "whether a line tells what takes longer than half a second; auto: on a terminal", "every command")               \
    X(RUN_MEMORY_MAX, "run.memory-max", SIZE, "none", "", 16 * WRIT_SETTING_MIB, (UINT64_C(1) << 40),                  \
      "the most memory that any skill may use, whatever its contract asks for", "run, test")                           \
    X(RUN_TIMEOUT_MAX, "run.timeout-max", DURATION, "none", "", 100, 24 * 60 * WRIT_SETTING_MINUTE,                    \
      "the longest that any skill may run, whatever its contract asks for", "run, test")                               \
    X(TIME_ZONE, "time-zone", CHOICE, "local", "local|utc", 0, 0,                                                      \
      "the clock that times are shown by; --json is always in UTC", "audit, trust")

enum writ_setting_id {
#define X(id, name, type, default_text, choices, least, most, meaning, used_by) WRIT_SETTING_##id,
    WRIT_SETTINGS(X)
#undef X
        WRIT_SETTING_COUNT
};
/* Numbers of the choices, in the order of the table. */
enum { WRIT_COLOR_AUTO, WRIT_COLOR_ALWAYS, WRIT_COLOR_NEVER };
enum { WRIT_PROGRESS_AUTO, WRIT_PROGRESS_NEVER };
enum { WRIT_TIME_ZONE_LOCAL, WRIT_TIME_ZONE_UTC };

enum writ_setting_type {
    WRIT_SETTING_TYPE_CHOICE,   /* number: which one */
    WRIT_SETTING_TYPE_COUNT,    /* a whole number */
    WRIT_SETTING_TYPE_DURATION, /* number: ms; `none` is 0 */
    WRIT_SETTING_TYPE_SIZE,     /* number: bytes; `none` is 0 */
};

struct writ_setting {
    const char *name;
    enum writ_setting_type type;
    const char *default_text;
    const char *choices; /* `auto|never`; "" for other types */
    uint64_t least, most;
    const char *meaning; /* one line, for people */
    const char *used_by; /* commands */
};
extern const struct writ_setting writ_settings_table[WRIT_SETTING_COUNT];

enum writ_setting_source {
    WRIT_SETTING_FROM_DEFAULT,
    WRIT_SETTING_FROM_FILE,
    WRIT_SETTING_FROM_ENVIRONMENT, /* set by the program, as is the next */
    WRIT_SETTING_FROM_OPTION,
};
struct writ_setting_value {
    uint64_t number;
    char text[WRIT_SETTING_TEXT_BYTES]; /* as it was written */
    enum writ_setting_source source;
};
struct writ_settings {
    struct writ_setting_value values[WRIT_SETTING_COUNT];
};

/* Every setting at its default. */
void writ_settings_init(struct writ_settings *settings);
/* The row of that name.  Error: USAGE with the nearest name. */
int writ_setting_find(const char *name, enum writ_setting_id *ret_id, struct writ_error *error) WRIT_MUST_USE;
/* Reads a value as people write it.  Error: USAGE saying what is taken. */
int writ_setting_parse(enum writ_setting_id id, const char *text, struct writ_setting_value *ret_value,
                       struct writ_error *error) WRIT_MUST_USE;

/* The text of a file put over defaults.  `path` is the error's subject.  Errors: CONFIG_INVALID with line and column;
 * INTERNAL_MEMORY. */
int writ_settings_parse(const char *text, size_t length, const char *path, struct writ_settings *ret_settings,
                        struct writ_error *error) WRIT_MUST_USE;
/* `text` with the setting at `value`, or taken out (NULL): one line changes, all others stay as they are.  That the
 * result reads as the same settings but for that one is checked.  Errors: CONFIG_INVALID, also where a value is written
 * such that it can only be changed by hand; USAGE for the value; INTERNAL_MEMORY. */
int writ_settings_edit(const char *text, size_t length, const char *path, enum writ_setting_id id, const char *value,
                       struct writ_buffer *out, struct writ_error *error) WRIT_MUST_USE;

/* What the person has set, over defaults; defaults alone when there is no file.  Errors: CONFIG_INVALID; INTERNAL_IO;
 * INTERNAL_MEMORY. */
int writ_settings_load(const struct writ_places *places, struct writ_settings *ret_settings,
                       struct writ_error *error) WRIT_MUST_USE;
/* Sets one (NULL: takes it out) in the file, which is made when it is missing.  Errors as of edit and load. */
int writ_settings_change(const struct writ_places *places, enum writ_setting_id id, const char *value,
                         bool *ret_changed, struct writ_error *error) WRIT_MUST_USE;
/* The file's path, for people.  INTERNAL_MEMORY. */
int writ_settings_path(const struct writ_places *places, struct writ_arena *arena, const char **ret_path,
                       struct writ_error *error) WRIT_MUST_USE;

#endif
