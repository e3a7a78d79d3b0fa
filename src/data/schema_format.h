/*
 * The formats that can be asserted.  Private to schema*.c.
 *
 * Asserted: date-time, date, time, duration, email, hostname, ipv4, ipv6, uri, uri-reference, uuid, json-pointer,
 * relative-json-pointer, regex.  Always annotations only: idn-email, idn-hostname, iri, iri-reference, uri-template,
 * and every name that the specification does not know.
 */
#ifndef WRIT_DATA_SCHEMA_FORMAT_H
#define WRIT_DATA_SCHEMA_FORMAT_H

#include "base/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHEMA_FORMAT_NONE UINT32_MAX

/* The number of a format that can be asserted, or SCHEMA_FORMAT_NONE. */
uint32_t writ_schema_format_find(const char *name);
/* What such a check costs, in steps of schema_check.h. */
int64_t writ_schema_format_steps(uint32_t format, size_t length) WRIT_PURE;
bool writ_schema_format_holds(uint32_t format, const char *text, size_t length);
/* What a text of the format looks like, for messages: `a date such as 2026-11-30`. */
const char *writ_schema_format_example(uint32_t format);

#endif
