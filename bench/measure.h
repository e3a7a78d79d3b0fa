/*
 * What the benchmarks share: a clock, medians with spread, and one shape of table row.
 *
 * Contenders are measured in turns, a round at a time, so that whatever else the machine does falls on all of them; a
 * row gives the median of the rounds and, as spread, the span from the tenth to the ninetieth percentile.
 */
#ifndef WRIT_BENCH_MEASURE_H
#define WRIT_BENCH_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MEASURE_ROUNDS_MAX 1000

struct measure {
    const char *name;
    size_t count;
    double ms[MEASURE_ROUNDS_MAX];
};

static inline double measure_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline void measure_add(struct measure *measure, double ms)
{
    if (measure->count < MEASURE_ROUNDS_MAX)
        measure->ms[measure->count++] = ms;
}

static inline int measure_compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Sorts the rounds; `percent` of them lie at or below the result. */
static inline double measure_percentile(struct measure *measure, unsigned percent)
{
    if (measure->count == 0)
        return 0;
    qsort(measure->ms, measure->count, sizeof *measure->ms, measure_compare);
    return measure->ms[(measure->count - 1) * percent / 100];
}

static inline void measure_print_head(const char *title)
{
    printf("%-44s %10s %21s %9s  %s\n", title, "median ms", "p10 .. p90 ms", "MB/s", "against the first");
}

/* `bytes` 0 leaves the rate out; `base` is what the row is compared with, or NULL. */
static inline void measure_print_row(struct measure *measure, double bytes, struct measure *base)
{
    double median = measure_percentile(measure, 50);
    printf("%-44s %10.3f %9.3f .. %8.3f ", measure->name, median, measure_percentile(measure, 10),
           measure_percentile(measure, 90));
    if (bytes > 0)
        printf("%9.0f  ", bytes / median / 1e3);
    else
        printf("%9s  ", "");
    if (base) {
        double other = measure_percentile(base, 50);
        printf(other >= median ? "%.1f times faster\n" : "%.2f times as long\n",
               other >= median ? other / median : median / other);
    } else {
        printf("-\n");
    }
}

#endif
