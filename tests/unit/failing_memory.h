/*
 * The nth allocation fails.  A test that is linked with failing_memory_dep has the allocator wrapped; all allocations
 * of the test itself count too.
 *
 * Threads: one.
 */
#ifndef WRIT_TESTS_UNIT_FAILING_MEMORY_H
#define WRIT_TESTS_UNIT_FAILING_MEMORY_H

#include <stdbool.h>

enum memory_failure {
    MEMORY_FAILS_ONCE,
    MEMORY_FAILS_FROM_THERE, /* and so does every later one */
};

/* Counts from here on; the nth fails with ENOMEM, 0: none. */
void memory_fail(unsigned nth, enum memory_failure failure);
/* Nothing fails, and nothing is counted, any more. */
void memory_suffice(void);
/* How many were asked for between the two, and whether one of them failed. */
unsigned memory_asked(void);
bool memory_failed(void);

#endif
