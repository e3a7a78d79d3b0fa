/*
 * One run from plan to result: begin, prepare, hand over, supervise.  See enter.c for how the child works.
 */
#include "sandbox/sandbox.h"

#include "sandbox/begin.h"
#include "sandbox/prepare.h"
#include "sandbox/supervise.h"

#include <errno.h>

#ifdef WRIT_SANDBOX_TRACE
extern uint64_t writ_sandbox_trace_ns[WRIT_TRACE_COUNT]; /* of the benchmark */
#endif

/* What the child could not do. */
static int explain_failure(const struct writ_enter *enter, struct writ_error *error)
{
    const char *about =
        enter->failed_mount < enter->mount_count ? enter->mounts[enter->failed_mount].mount->path : NULL;
    if (enter->failed_step == WRIT_STEP_EXEC) {
        about = enter->plan->program;
        if (enter->failed_errno == ENOENT || enter->failed_errno == ENOEXEC || enter->failed_errno == ELIBBAD)
            return writ_error_set_errno(error, WRIT_DEPENDENCY_MISSING, enter->failed_errno,
                                        "%s cannot be executed: it, its interpreter or its dynamic linker is not in "
                                        "the sandbox, or is for another kind of machine",
                                        about);
    }
    if (enter->failed_step == WRIT_STEP_WORKING_FOLDER)
        about = enter->plan->working_folder;
    return writ_step_error(error, enter->failed_step, enter->failed_errno, about);
}

static int run_in(struct writ_begun *begun, const struct writ_plan *plan, const struct writ_sandbox_options *options,
                  struct writ_run_result *result, struct writ_error *error)
{
    struct writ_enter *enter = begun->enter;
    struct writ_supervision supervision = {.plan = plan,
                                           .begun = begun,
                                           .watch = options->watch,
                                           .what = options->what,
                                           .about = options->about,
                                           .spare = options->spare,
                                           .started_ns = writ_enter_now_ns()};
    writ_enter_trace(enter, WRIT_TRACE_PREPARING);
    int answer = writ_prepare(plan, enter, error);
    if (answer < 0)
        return answer;
    writ_supervise_feed(&supervision); /* a small input is in the pipe before the program exists */
    writ_enter_trace(enter, WRIT_TRACE_PREPARED);
    answer = writ_begun_go(begun);
    writ_prepare_clear(enter);
    if (answer < 0 && __atomic_load_n(&enter->failed_step, __ATOMIC_ACQUIRE) != WRIT_STEP_NONE)
        return explain_failure(enter, error); /* the child died before it could take anything */
    if (answer < 0)
        return writ_step_error(error, WRIT_STEP_MOUNT, -answer, NULL);
    answer = writ_supervise(&supervision, result, error);
    writ_enter_trace(enter, WRIT_TRACE_ENDED);
#ifdef WRIT_SANDBOX_TRACE
    memcpy(writ_sandbox_trace_ns, enter->trace_ns, sizeof writ_sandbox_trace_ns);
#endif
    if (answer == 0 && enter->failed_step != WRIT_STEP_NONE &&
        (result->ending == WRIT_ENDED_EXIT || result->ending == WRIT_ENDED_SIGNAL))
        return explain_failure(enter, error);
    if (answer == 0 && !enter->exec_ns && result->ending == WRIT_ENDED_TIMEOUT)
        return writ_error_set(error, WRIT_INTERNAL_SANDBOX,
                              "the sandbox was not ready within the %llu ms that the program may run; the machine is "
                              "overloaded, or the limit too small",
                              (unsigned long long)plan->limits.wall_ms);
    if (answer == 0 && enter->exec_ns)
        result->setup_us = (enter->exec_ns - supervision.started_ns) / 1000u;
    return answer;
}

static void result_init(struct writ_run_result *result, const struct writ_plan *plan)
{
    *result = (struct writ_run_result){0};
    writ_buffer_init(&result->output, plan->limits.output_bytes < SIZE_MAX ? plan->limits.output_bytes : SIZE_MAX);
    writ_buffer_init(&result->errors, plan->limits.stderr_bytes < SIZE_MAX ? plan->limits.stderr_bytes : SIZE_MAX);
}

static void free_begun(struct writ_begun **begun)
{
    writ_begun_free(*begun);
}

/* Takes what was begun ahead, when it can still be used. */
static struct writ_begun *take_spare(struct writ_sandbox_spare *spare)
{
    struct writ_begun *begun = spare ? spare->begun : NULL;
    if (!begun)
        return NULL;
    spare->begun = NULL;
    if (writ_begun_is_usable(begun))
        return begun;
    writ_begun_free(begun);
    return NULL;
}

int writ_sandbox_run(const struct writ_plan *plan, const struct writ_sandbox_options *options,
                     struct writ_run_result *ret_result, struct writ_error *error)
{
    result_init(ret_result, plan);
    WRIT_CLEANUP(free_begun) struct writ_begun *begun = take_spare(options->spare);
    if (begun) {
        int result = run_in(begun, plan, options, ret_result, error);
        if (result == 0 || begun->enter->failed_step == WRIT_STEP_NONE || begun->enter->failed_step == WRIT_STEP_EXEC)
            return result;
        /* The machine may have changed since it was begun (a mount that it does not know); nothing has run. */
        writ_run_result_clear(ret_result);
        result_init(ret_result, plan);
        writ_begun_free(begun);
        begun = NULL;
    }
    int result = writ_begun_new(&begun, error);
    return result < 0 ? result : run_in(begun, plan, options, ret_result, error);
}

int writ_sandbox_begin(struct writ_sandbox_spare *spare, struct writ_error *error)
{
    if (spare->begun && writ_begun_is_usable(spare->begun))
        return 0;
    writ_sandbox_spare_clear(spare);
    return writ_begun_new(&spare->begun, error);
}

void writ_sandbox_spare_clear(struct writ_sandbox_spare *spare)
{
    writ_begun_free(spare->begun);
    spare->begun = NULL;
}

void writ_run_result_clear(struct writ_run_result *result)
{
    writ_buffer_clear(&result->output);
    writ_buffer_clear(&result->errors);
    *result = (struct writ_run_result){0};
}
