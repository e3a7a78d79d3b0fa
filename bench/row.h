/*
 * One row of the table that `make bench` prints.
 *
 * A benchmark measures writ and a peer in turns, round by round, and hands both lists of rounds over unsorted: the
 * ratio of a row is the median of the rounds' own ratios (ours to the peer's), so that what the machine does in one
 * round falls on both sides.  The row goes to stdout as one line of tab-separated fields that bench/run.py reads:
 *
 *   bench  name  unit  ours median p10 p90  peer  its median p10 p90  ratio  goal
 *
 * `goal` is the largest ratio that is wanted: 3.0 for "at most three times as long", 1.0 / 15 for "15 times as fast";
 * 0 for none.  Whatever else a benchmark prints is shown only by `bench/run.py --verbose`.
 */
#ifndef WRIT_BENCH_ROW_H
#define WRIT_BENCH_ROW_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row_spread {
    double median, p10, p90;
};

static inline int row_compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static inline struct row_spread row_spread_of(const double *rounds, size_t count)
{
    double *sorted = malloc((count ? count : 1) * sizeof *sorted);
    if (!sorted || count == 0)
        abort();
    memcpy(sorted, rounds, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, row_compare);
    struct row_spread spread = {.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
                                .p10 = sorted[(count - 1) / 10],
                                .p90 = sorted[count - 1 - (count - 1) / 10]};
    free(sorted);
    return spread;
}

/* `ours` and `peer` hold `count` rounds in `unit`; round i of both was measured side by side. */
static inline void row_print(const char *name, const char *unit, const double *ours, const char *peer_name,
                             const double *peer, size_t count, double goal)
{
    double *ratios = malloc((count ? count : 1) * sizeof *ratios);
    if (!ratios)
        abort();
    for (size_t i = 0; i < count; i++)
        ratios[i] = ours[i] / peer[i];
    struct row_spread own = row_spread_of(ours, count), other = row_spread_of(peer, count);
    (void)printf("bench\t%s\t%s\t%.6g\t%.6g\t%.6g\t%s\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", name, unit, own.median, own.p10,
                 own.p90, peer_name, other.median, other.p10, other.p90, row_spread_of(ratios, count).median, goal);
    free(ratios);
}

#endif
