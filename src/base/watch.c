#include "base/watch.h"

#include <poll.h>

int writ_watch_check(const struct writ_watch *watch, const struct writ_activity *activity, struct writ_error *error)
{
    writ_watch_tell(watch, activity);
    struct pollfd wanted = {.fd = writ_watch_descriptor(watch), .events = POLLIN};
    if (wanted.fd < 0 || poll(&wanted, 1, 0) <= 0)
        return 0;
    return writ_error_set(error, WRIT_INTERRUPTED, "interrupted while %s%s%s", activity->what,
                          activity->about ? " " : "", activity->about ? activity->about : "");
}
