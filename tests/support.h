/* What every cmocka test includes: the headers that cmocka wants first, in its order. */
#ifndef WRIT_TESTS_SUPPORT_H
#define WRIT_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
