#include "sandbox/step.h"

static const struct {
    const char *doing, *mend;
} steps[WRIT_STEP_COUNT] = {
#define X(name, doing, mend) {doing, mend},
    WRIT_STEPS(X)
#undef X
};

int writ_step_error(struct writ_error *error, enum writ_step step, int sys_errno, const char *about)
{
    char answer[128];
    /* The GNU strerror_r: the text may be elsewhere than in the buffer. */
    const char *text = strerror_r(sys_errno, answer, sizeof answer);
    (void)writ_error_set(error, WRIT_INTERNAL_SANDBOX, "%s%s%s: %s (%s)", steps[step].doing, about ? " " : "",
                         about ? about : "", text, steps[step].mend);
    error->sys_errno = sys_errno;
    return error->code;
}
