#include "run/ending.h"

#include "data/quantity.h"

#include <signal.h>
#include <string.h>

#define AMOUNT_BYTES 32

static void last_line_of(const struct writ_buffer *text, char *line, size_t bytes)
{
    size_t end = text->length;
    while (end > 0 && strchr("\r\n \t", text->data[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && text->data[start - 1] != '\n' && end - start < bytes - 4)
        start--;
    while (start < end && ((unsigned char)text->data[start] & 0xC0) == 0x80) /* not in the middle of a character */
        start++;
    (void)snprintf(line, bytes, "%.*s", (int)(end - start), end ? text->data + start : "");
    for (char *at = line; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            *at = '?';
}

/* `256 MB`, `1 min 30 s`: as the contract would say it. */
static void print_amount(char text[AMOUNT_BYTES], const struct writ_limit_hit *limit, uint64_t amount)
{
    struct writ_buffer buffer;
    writ_buffer_init(&buffer, AMOUNT_BYTES - 1);
    (strcmp(limit->unit, "ms") == 0 ? writ_duration_print : writ_size_print)(&buffer, amount);
    (void)snprintf(text, AMOUNT_BYTES, "%s", writ_buffer_text(&buffer));
    writ_buffer_clear(&buffer);
}

/* `the program was stopped …`; `asked` is what the contract allows where a setting of the person holds, else 0. */
static int tell_limit(struct writ_outcome *outcome, enum writ_code code, const char *stopped, const char *of,
                      const struct writ_limit_hit *limit, uint64_t asked)
{
    char allowed[AMOUNT_BYTES], contract[AMOUNT_BYTES];
    outcome->limit = *limit;
    print_amount(allowed, limit, limit->allowed);
    if (!asked)
        return writ_error_set(&outcome->error, code,
                              "the program was stopped %s %s%s, its %s; give it less to do, or "
                              "raise %s in skill.yaml",
                              stopped, allowed, of, limit->name, limit->name);
    outcome->limit.setting = code == WRIT_LIMIT_MEMORY ? "run.memory-max" : "run.timeout-max";
    print_amount(contract, limit, asked);
    return writ_error_set(&outcome->error, code,
                          "the program was stopped %s %s%s, your setting %s, where its contract allows %s; "
                          "`writ config set %s VALUE` raises it",
                          stopped, allowed, of, outcome->limit.setting, contract, outcome->limit.setting);
}

static int judge_signal(struct writ_outcome *outcome, const struct writ_run_result *run,
                        const struct writ_limits *limits)
{
    char said[200], amount[AMOUNT_BYTES];
    last_line_of(&run->errors, said, sizeof said);
    if (run->signal_number == SIGXFSZ) {
        outcome->limit = (struct writ_limit_hit){.name = "file size", .unit = "bytes", .allowed = limits->file_bytes};
        print_amount(amount, &outcome->limit, limits->file_bytes);
        return writ_error_set(&outcome->error, WRIT_LIMIT_DISK,
                              "the program was stopped at a file of %s, the largest that any program may write; let it "
                              "write smaller files",
                              amount);
    }
    const char *name = sigabbrev_np(run->signal_number);
    outcome->signal_number = run->signal_number;
    return writ_error_set(&outcome->error, WRIT_PROGRAM_CRASHED, "the program was ended by signal %d (SIG%s)%s%s",
                          run->signal_number, name ? name : "RT", said[0] ? "; it said: " : "", said);
}

/* The kernel counts processor time; what it allows is the time by the clock on each processor. */
static int judge_cpu(struct writ_outcome *outcome, const struct writ_limits *limits)
{
    char amount[AMOUNT_BYTES];
    outcome->limit = (struct writ_limit_hit){
        .name = "runtime.timeout", .unit = "ms", .allowed = limits->wall_ms, .used = outcome->cpu_us / 1000};
    print_amount(amount, &outcome->limit, limits->wall_ms);
    return writ_error_set(
        &outcome->error, WRIT_LIMIT_TIMEOUT,
        "the program used more processor time than %s on each of its processors, its runtime.timeout; "
        "give it less to do, or raise runtime.timeout in skill.yaml",
        amount);
}

int writ_ending_judge(struct writ_outcome *outcome, const struct writ_run_result *run,
                      const struct writ_prepared *prepared)
{
    const struct writ_limits *limits = &prepared->plan.limits;
    const struct writ_ceilings *asked = &prepared->lowered_from;
    struct writ_error *error = &outcome->error;
    char said[200];
    switch (run->ending) {
    case WRIT_ENDED_EXIT:
        outcome->exit_status = run->exit_status;
        if (run->exit_status == 0)
            return 0;
        last_line_of(&run->errors, said, sizeof said);
        return writ_error_set(error, WRIT_PROGRAM_FAILED, "the program ended with exit status %d%s%s", run->exit_status,
                              said[0] ? "; it said: " : "", said);
    case WRIT_ENDED_SIGNAL:
        return judge_signal(outcome, run, limits);
    case WRIT_ENDED_TIMEOUT:
        return tell_limit(
            outcome, WRIT_LIMIT_TIMEOUT, "after", "",
            &(struct writ_limit_hit){
                .name = "runtime.timeout", .unit = "ms", .allowed = limits->wall_ms, .used = run->duration_us / 1000},
            asked->wall_ms);
    case WRIT_ENDED_CPU:
        return judge_cpu(outcome, limits);
    case WRIT_ENDED_MEMORY:
        return tell_limit(outcome, WRIT_LIMIT_MEMORY, "at", " of memory",
                          &(struct writ_limit_hit){.name = "runtime.memory",
                                                   .unit = "bytes",
                                                   .allowed = limits->memory_bytes,
                                                   .used = run->memory_peak_bytes},
                          asked->memory_bytes);
    case WRIT_ENDED_OUTPUT:
        return tell_limit(
            outcome, WRIT_LIMIT_OUTPUT, "after", " of output",
            &(struct writ_limit_hit){.name = "runtime.output", .unit = "bytes", .allowed = limits->output_bytes}, 0);
    case WRIT_ENDED_INTERRUPTED:
        return writ_error_set(error, WRIT_INTERRUPTED, "the call was interrupted");
    case WRIT_ENDED_UNKNOWN:
    default:
        outcome->kind = WRIT_OUTCOME_UNKNOWN;
        return writ_error_set(error, WRIT_ENDING_UNKNOWN, "how the program ended could not be learnt");
    }
}
