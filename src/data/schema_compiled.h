/*
 * What a compiled schema consists of.  Private to schema*.c and to tests that count steps.
 */
#ifndef WRIT_DATA_SCHEMA_COMPILED_H
#define WRIT_DATA_SCHEMA_COMPILED_H

#include "data/schema_graph.h"
#include "data/schema_program.h"

struct writ_schema {
    struct writ_arena arena; /* graph and program */
    struct schema_graph graph;
    struct schema_program program;
};

#endif
