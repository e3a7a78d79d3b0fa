/*
 * Tables that fit: columns as wide as what stands in them, on a terminal no wider than it; whole in a pipe.
 *
 * A table is filled cell by cell and printed once.  On a terminal columns that may shrink are cut with `…`, the widest
 * first; when even that leaves the last column no room, each row is broken into several lines.  Cells are safe text,
 * kept by the caller until the table was printed.
 */
#ifndef WRIT_CLI_TABLE_H
#define WRIT_CLI_TABLE_H

#include "cli/terminal.h"

#define CLI_TABLE_COLUMNS_MAX 8

struct cli_column {
    size_t least;   /* may be cut down to this many columns of the terminal; 0: never cut */
    size_t wide;    /* is at least that wide: for rows that are printed one by one */
    bool is_right;  /* numbers end at one place */
    bool wraps;     /* the last one: goes on in further lines instead of being cut */
    bool cut_front; /* its end tells more than its begin: `…text.stats@1.0.0` */
};
struct cli_cell {
    const char *text;
    enum cli_style style;
};
struct cli_table {
    struct cli_column columns[CLI_TABLE_COLUMNS_MAX];
    size_t column_count;
    size_t indent;          /* spaces before each row */
    struct cli_cell *cells; /* row by row */
    size_t cell_count, capacity;
    bool out_of_memory;
};

/* The last column takes the rest of the line and is cut there. */
void cli_table_init(struct cli_table *table, const struct cli_column *columns, size_t count);
/* Usable with WRIT_CLEANUP. */
void cli_table_clear(struct cli_table *table);
/* The next cell; rows follow from their number.  NULL is an empty one. */
void cli_table_add(struct cli_table *table, const char *text, enum cli_style style);
/* Prints to stdout or, for tests, another stream.  False when memory was out while it was filled; nothing is printed
 * then. */
bool cli_table_print(const struct cli_terminal *terminal, FILE *stream, const struct cli_table *table) WRIT_MUST_USE;

#endif
