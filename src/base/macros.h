/* Compiler attributes and small checked helpers used everywhere.  Freestanding: includes nothing of writ. */
#ifndef WRIT_BASE_MACROS_H
#define WRIT_BASE_MACROS_H

#include <stddef.h>
#include <stdint.h>

#define WRIT_MUST_USE __attribute__((warn_unused_result))
#define WRIT_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#define WRIT_PURE __attribute__((pure))
#define WRIT_LIKELY(x) __builtin_expect(!!(x), 1)
#define WRIT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define WRIT_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Runs `function(&variable)` when the variable leaves scope.  Never used in an installed header. */
#define WRIT_CLEANUP(function) __attribute__((cleanup(function)))

/* Checked size arithmetic: true when the result does not fit (the result is then not to be used). */
#define WRIT_ADD_OVERFLOWS(a, b, result) __builtin_add_overflow((a), (b), (result))
#define WRIT_MUL_OVERFLOWS(a, b, result) __builtin_mul_overflow((a), (b), (result))

#endif
