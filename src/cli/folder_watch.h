/*
 * Watching a folder for changes, for commands that go on by themselves (`writ test --watch`).
 *
 * Theory.  What counts is a comparison of two looks at the folder: path, kind, inode, size and time of each entry.
 * inotify only says when to look again; each look begins with fresh marks on every folder, set before it is listed, so
 * that nothing falls between.  So it makes no difference how an editor saves (over the file, by a rename, in several
 * steps), whether the kernel's queue overflowed, or whether the whole folder was replaced by another.  Where no marks
 * are to be had (no inotify left, network and foreign file systems, a folder that is gone) it looks by the clock.
 *
 * Passed over: what version control, byte code and editors keep beside the files; and `main` of a folder with a main.c,
 * which writ builds itself.  Beyond 1,000 folders, 20,000 entries or 32 levels nothing is looked at.
 *
 * Threads: one thread at a time.
 */
#ifndef WRIT_CLI_FOLDER_WATCH_H
#define WRIT_CLI_FOLDER_WATCH_H

#include "base/error.h"

#include <stdbool.h>

#define CLI_WATCH_CHANGES_MAX 100
#define CLI_WATCH_QUIET_MS 100   /* changes that follow each other sooner are one */
#define CLI_WATCH_SETTLE_MS 2000 /* but not for longer than this */

enum cli_change_kind { CLI_CHANGED, CLI_ADDED, CLI_REMOVED };
struct cli_change {
    enum cli_change_kind kind;
    const char *path; /* below the folder; "" the folder itself; as long as the watch is not asked again */
};
struct cli_changes {
    struct cli_change items[CLI_WATCH_CHANGES_MAX];
    size_t count, total; /* total: with those for which there was no room */
};

struct cli_folder_watch;

/* Takes a first look.  `folder` is absolute and need not be there.  Errors: INTERNAL_IO, INTERNAL_MEMORY. */
int cli_folder_watch_new(const char *folder, struct cli_folder_watch **ret_watch,
                         struct writ_error *error) WRIT_MUST_USE;
/* NULL is fine. */
void cli_folder_watch_free(struct cli_folder_watch *watch);
/* The folder that it was made for. */
const char *cli_folder_watch_folder(const struct cli_folder_watch *watch) WRIT_PURE;
/* True when there was more to look at than it does. */
bool cli_folder_watch_is_cut(const struct cli_folder_watch *watch) WRIT_PURE;

enum cli_folder_watch_end { CLI_WATCH_CHANGE, CLI_WATCH_CANCELLED, CLI_WATCH_READER_GONE };
/* Waits until something has changed since the last look and then came to rest; `changed[i]` says what of watches[i].
 * Ends too when `cancel_fd` becomes readable (-1: never), and when nobody can read stdout any more.  At most 64
 * watches. */
int cli_folder_watch_wait(struct cli_folder_watch *const *watches, size_t count, int cancel_fd,
                          struct cli_changes *changed, enum cli_folder_watch_end *ret_end,
                          struct writ_error *error) WRIT_MUST_USE;

#endif
