#include "sandbox/step.h"

#include <errno.h>

static const struct {
    const char *doing, *mend;
} steps[WRIT_STEP_COUNT] = {
#define X(name, doing, mend) {doing, mend},
    WRIT_STEPS(X)
#undef X
};

/* Some answers have one cause, whatever was being done. */
static const char *mend_of(enum writ_step step, int sys_errno)
{
    if (sys_errno == EMFILE)
        return "raise the limit of open files (ulimit -n)";
    if (sys_errno == ENFILE)
        return "the machine has no open files left (sysctl fs.file-max); try again";
    if (sys_errno == EAGAIN && (step == WRIT_STEP_CLONE || step == WRIT_STEP_IDMAP || step == WRIT_STEP_START))
        return "raise the limit of processes (ulimit -u; in a container or a service also its own), or let fewer run";
    return steps[step].mend;
}

int writ_step_error(struct writ_error *error, enum writ_step step, int sys_errno, const char *about)
{
    char answer[128];
    /* The GNU strerror_r: the text may be elsewhere than in the buffer. */
    const char *text = strerror_r(sys_errno, answer, sizeof answer);
    (void)writ_error_set(error, WRIT_INTERNAL_SANDBOX, "%s%s%s: %s (%s)", steps[step].doing, about ? " " : "",
                         about ? about : "", text, mend_of(step, sys_errno));
    error->sys_errno = sys_errno;
    return error->code;
}
