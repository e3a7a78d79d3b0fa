#include "cli/table.h"

#include <string.h>

#define GAP 2
#define BELOW_INDENT 4
#define REST_LEAST 24 /* columns that the last one needs to stand beside the others */

void cli_table_init(struct cli_table *table, const struct cli_column *columns, size_t count)
{
    *table = (struct cli_table){.column_count = count < CLI_TABLE_COLUMNS_MAX ? count : CLI_TABLE_COLUMNS_MAX};
    for (size_t i = 0; i < table->column_count; i++)
        table->columns[i] = columns[i];
}

void cli_table_clear(struct cli_table *table)
{
    free(table->cells);
    table->cells = NULL;
    table->cell_count = table->capacity = 0;
}

void cli_table_add(struct cli_table *table, const char *text, enum cli_style style)
{
    if (table->cell_count == table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 64;
        struct cli_cell *cells = reallocarray(table->cells, capacity, sizeof *cells);
        if (!cells) {
            table->out_of_memory = true;
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    table->cells[table->cell_count++] = (struct cli_cell){text ? text : "", style};
}

static size_t width_of(const struct cli_cell *cell)
{
    return cli_text_width(cell->text, strlen(cell->text));
}

/* How the table is laid out on a line. */
struct layout {
    size_t widths[CLI_TABLE_COLUMNS_MAX]; /* of all but the last */
    size_t rest;                          /* for the last; 0: no limit */
    bool below;
};

static size_t sum(const struct cli_table *table, const struct layout *layout)
{
    size_t width = 0;
    for (size_t i = 0; i + 1 < table->column_count; i++)
        width += layout->widths[i] + GAP;
    return width;
}

/* Takes from the columns that may shrink, always from the one that has most to give, until `excess` is gone. */
static void shrink(const struct cli_table *table, struct layout *layout, size_t excess)
{
    for (; excess > 0; excess--) {
        size_t widest = table->column_count;
        for (size_t i = 0; i + 1 < table->column_count; i++) {
            bool can = table->columns[i].least > 0 && layout->widths[i] > table->columns[i].least;
            if (can && (widest == table->column_count || layout->widths[i] > layout->widths[widest]))
                widest = i;
        }
        if (widest == table->column_count)
            return;
        layout->widths[widest]--;
    }
}

static void lay_out(const struct cli_terminal *terminal, const struct cli_table *table, struct layout *layout)
{
    size_t last = 0;
    *layout = (struct layout){.rest = 0};
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t column = i % table->column_count, width = width_of(&table->cells[i]);
        size_t *place = column + 1 < table->column_count ? &layout->widths[column] : &last;
        *place = width > *place ? width : *place;
    }
    if (terminal->width == 0)
        return;
    size_t wanted = last < REST_LEAST ? last : REST_LEAST, width = terminal->width;
    if (sum(table, layout) + wanted > width)
        shrink(table, layout, sum(table, layout) + wanted - width);
    layout->below = sum(table, layout) + wanted > width;
    layout->rest = width - (layout->below ? BELOW_INDENT : sum(table, layout));
}

static void print_spaces(size_t count)
{
    for (; count > 0; count--)
        (void)fputc(' ', stdout);
}

static void print_cell(const struct cli_terminal *terminal, const struct cli_cell *cell, size_t width, size_t pad)
{
    cli_style_begin(terminal, stdout, cell->style);
    cli_print_cut(stdout, cell->text, width, pad);
    cli_style_end(terminal, stdout, cell->style);
}

static void print_row(const struct cli_terminal *terminal, const struct cli_table *table, const struct layout *layout,
                      const struct cli_cell *cells)
{
    size_t last = table->column_count - 1;
    bool has_last = cells[last].text[0] != '\0';
    for (size_t i = 0; i < last; i++) {
        /* No spaces at the end of a line that has nothing more. */
        bool ends = i + 1 == last && (layout->below || !has_last);
        size_t columns = layout->widths[i], width = width_of(&cells[i]);
        if (table->columns[i].is_right && width < columns)
            print_spaces(columns - width);
        print_cell(terminal, &cells[i], columns, ends || table->columns[i].is_right ? 0 : columns);
        if (!ends)
            print_spaces(GAP);
    }
    if (has_last && layout->below) {
        (void)fputc('\n', stdout);
        print_spaces(BELOW_INDENT);
    }
    print_cell(terminal, &cells[last], layout->rest, 0);
    (void)fputc('\n', stdout);
}

bool cli_table_print(const struct cli_terminal *terminal, const struct cli_table *table)
{
    struct layout layout;
    if (table->out_of_memory)
        return false;
    lay_out(terminal, table, &layout);
    for (size_t i = 0; i + table->column_count <= table->cell_count; i += table->column_count)
        print_row(terminal, table, &layout, &table->cells[i]);
    return true;
}
