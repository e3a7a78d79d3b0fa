/*
 * Tables that fit: columns as wide as what stands in them, on a terminal no wider than it; whole in a pipe.
 *
 * A table is filled cell by cell and printed once.  On a terminal columns that may shrink are cut with `…`, the widest
 * first; when even that leaves the last column no room, it goes below its row, indented.  Cells are safe text, kept by
 * the caller until the table was printed.
 */
#ifndef WRIT_CLI_TABLE_H
#define WRIT_CLI_TABLE_H

#include "cli/terminal.h"

#define CLI_TABLE_COLUMNS_MAX 8

struct cli_column {
    size_t least;  /* may be cut down to this many columns of the terminal; 0: never cut */
    bool is_right; /* numbers end at one place */
};
struct cli_cell {
    const char *text;
    enum cli_style style;
};
struct cli_table {
    struct cli_column columns[CLI_TABLE_COLUMNS_MAX];
    size_t column_count;
    struct cli_cell *cells; /* row by row */
    size_t cell_count, capacity;
    bool out_of_memory;
};

/* The last column takes the rest of the line and is cut, or wrapped below its row. */
void cli_table_init(struct cli_table *table, const struct cli_column *columns, size_t count);
/* Usable with WRIT_CLEANUP. */
void cli_table_clear(struct cli_table *table);
/* The next cell; rows follow from their number.  NULL is an empty one. */
void cli_table_add(struct cli_table *table, const char *text, enum cli_style style);
/* False when memory was out while it was filled; nothing is printed then. */
bool cli_table_print(const struct cli_terminal *terminal, const struct cli_table *table) WRIT_MUST_USE;

#endif
