#include "run/ending.h"

#include "data/quantity.h"

#include <signal.h>
#include <string.h>

#define AMOUNT_BYTES 32
#define SAID_BYTES 200

static void last_line_of(const struct writ_buffer *text, char line[SAID_BYTES])
{
    size_t end = text->length;
    while (end > 0 && strchr("\r\n \t", text->data[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && text->data[start - 1] != '\n' && end - start < SAID_BYTES - 4)
        start--;
    while (start < end && ((unsigned char)text->data[start] & 0xC0) == 0x80) /* not in the middle of a character */
        start++;
    (void)snprintf(line, SAID_BYTES, "%.*s", (int)(end - start), end ? text->data + start : "");
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
static int tell_limit(enum writ_code code, const char *stopped, const char *of, struct writ_limit_hit *limit,
                      uint64_t asked, struct writ_error *error)
{
    char allowed[AMOUNT_BYTES], contract[AMOUNT_BYTES];
    print_amount(allowed, limit, limit->allowed);
    if (!asked)
        return writ_error_set(error, code,
                              "the program was stopped %s %s%s, its %s; give it less to do, or raise %s in skill.yaml",
                              stopped, allowed, of, limit->name, limit->name);
    limit->setting = code == WRIT_LIMIT_MEMORY ? "run.memory-max" : "run.timeout-max";
    print_amount(contract, limit, asked);
    return writ_error_set(error, code,
                          "the program was stopped %s %s%s, your setting %s, where its contract allows %s; "
                          "`writ config set %s VALUE` raises it",
                          stopped, allowed, of, limit->setting, contract, limit->setting);
}

static int judge_signal(const struct writ_run_result *run, const struct writ_limits *limits,
                        struct writ_limit_hit *ret_limit, struct writ_error *error)
{
    char said[SAID_BYTES], amount[AMOUNT_BYTES];
    if (run->signal_number == SIGXFSZ) {
        *ret_limit = (struct writ_limit_hit){.name = "file size", .unit = "bytes", .allowed = limits->file_bytes};
        print_amount(amount, ret_limit, limits->file_bytes);
        return writ_error_set(error, WRIT_LIMIT_DISK,
                              "the program was stopped at a file of %s, the largest that any program may write; let it "
                              "write smaller files",
                              amount);
    }
    const char *name = sigabbrev_np(run->signal_number);
    last_line_of(&run->errors, said);
    return writ_error_set(error, WRIT_PROGRAM_CRASHED, "the program was ended by signal %d (SIG%s)%s%s",
                          run->signal_number, name ? name : "RT", said[0] ? "; it said: " : "", said);
}

int writ_ending_judge(const struct writ_run_result *run, const struct writ_prepared *prepared,
                      struct writ_limit_hit *ret_limit, struct writ_error *error)
{
    const struct writ_limits *limits = &prepared->plan.limits;
    const struct writ_ceilings *asked = &prepared->lowered_from;
    char said[SAID_BYTES];
    switch (run->ending) {
    case WRIT_ENDED_EXIT:
        if (run->exit_status == 0)
            return 0;
        last_line_of(&run->errors, said);
        return writ_error_set(error, WRIT_PROGRAM_FAILED, "the program ended with exit status %d%s%s", run->exit_status,
                              said[0] ? "; it said: " : "", said);
    case WRIT_ENDED_SIGNAL:
        return judge_signal(run, limits, ret_limit, error);
    case WRIT_ENDED_TIMEOUT:
        *ret_limit = (struct writ_limit_hit){
            .name = "runtime.timeout", .unit = "ms", .allowed = limits->wall_ms, .used = run->duration_us / 1000};
        return tell_limit(WRIT_LIMIT_TIMEOUT, "after", "", ret_limit, asked->wall_ms, error);
    case WRIT_ENDED_CPU:
        /* The kernel counts processor time; what it allows is the time by the clock on each processor. */
        *ret_limit = (struct writ_limit_hit){
            .name = "runtime.timeout", .unit = "ms", .allowed = limits->wall_ms, .used = run->cpu_us / 1000};
        return tell_limit(WRIT_LIMIT_TIMEOUT, "after using more processor time than", " on each of its processors",
                          ret_limit, asked->wall_ms, error);
    case WRIT_ENDED_MEMORY:
        *ret_limit = (struct writ_limit_hit){
            .name = "runtime.memory", .unit = "bytes", .allowed = limits->memory_bytes, .used = run->memory_peak_bytes};
        return tell_limit(WRIT_LIMIT_MEMORY, "at", " of memory", ret_limit, asked->memory_bytes, error);
    case WRIT_ENDED_OUTPUT:
        *ret_limit =
            (struct writ_limit_hit){.name = "runtime.output", .unit = "bytes", .allowed = limits->output_bytes};
        return tell_limit(WRIT_LIMIT_OUTPUT, "after", " of output", ret_limit, 0, error);
    case WRIT_ENDED_INTERRUPTED:
        return writ_error_set(error, WRIT_INTERRUPTED, "the call was interrupted");
    case WRIT_ENDED_UNKNOWN:
    default:
        return writ_error_set(error, WRIT_ENDING_UNKNOWN,
                              "how the program ended could not be learnt; look at what it changed before you call it "
                              "again");
    }
}
