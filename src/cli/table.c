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
    bool is_broken;                       /* a row takes several lines, each further one indented */
};

static size_t sum(const struct cli_table *table, const struct layout *layout)
{
    size_t width = table->indent;
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

/* Of the last column: a word, such as a path, is never broken. */
static size_t longest_word(const struct cli_table *table)
{
    size_t longest = 0;
    for (size_t i = table->column_count - 1; i < table->cell_count; i += table->column_count)
        for (const char *at = table->cells[i].text; *at;) {
            size_t length = strcspn(at, " \n");
            size_t columns = cli_text_width(at, length);
            longest = columns > longest ? columns : longest;
            at += length + (at[length] != '\0');
        }
    return longest;
}

static void lay_out(const struct cli_terminal *terminal, const struct cli_table *table, struct layout *layout)
{
    size_t last = 0;
    *layout = (struct layout){.rest = 0};
    for (size_t i = 0; i + 1 < table->column_count; i++)
        layout->widths[i] = table->columns[i].wide;
    for (size_t i = 0; i < table->cell_count - table->cell_count % table->column_count; i++) {
        size_t column = i % table->column_count, width = width_of(&table->cells[i]);
        size_t *place = column + 1 < table->column_count ? &layout->widths[column] : &last;
        *place = width > *place ? width : *place;
    }
    if (terminal->width == 0)
        return;
    size_t wanted = last < REST_LEAST ? last : REST_LEAST, width = terminal->width;
    size_t word = table->columns[table->column_count - 1].wraps ? longest_word(table) : 0;
    wanted = word > wanted ? word : wanted;
    const struct layout whole = *layout;
    if (sum(table, layout) + wanted > width)
        shrink(table, layout, sum(table, layout) + wanted - width);
    bool broken = sum(table, layout) + wanted > width;
    if (broken)
        *layout = whole;
    layout->is_broken = broken;
    layout->rest = broken ? width - BELOW_INDENT : width - sum(table, layout);
}

static void print_spaces(FILE *stream, size_t count)
{
    for (; count > 0; count--)
        (void)fputc(' ', stream);
}

/* The text without so much of its begin that the rest has room beside a `…`. */
static const char *end_of(const char *text, size_t width)
{
    size_t whole = cli_text_width(text, strlen(text));
    while (*text && whole + 1 > width) {
        size_t length = cli_character_length(text);
        whole -= cli_text_width(text, length);
        text += length;
    }
    return text;
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* `width` columns of the cell, which has at least as many; filled up to `pad` where half a wide character is left. */
static void print_cell(const struct cli_terminal *terminal, FILE *stream, const struct cli_column *column,
                       const struct cli_cell *cell, size_t width, size_t pad)
{
    cli_style_begin(terminal, stream, cell->style);
    if (column->cut_front && width_of(cell) > width) {
        (void)fputs("…", stream);
        cli_print_cut(stream, end_of(cell->text, width), 0, pad > 0 ? pad - 1 : 0);
    } else {
        cli_print_cut(stream, cell->text, width, pad);
    }
    cli_style_end(terminal, stream, cell->style);
}

static void print_row(const struct cli_terminal *terminal, FILE *stream, const struct cli_table *table,
                      const struct layout *layout, const struct cli_cell *cells)
{
    size_t at = 0, pending = table->indent; /* spaces are printed before what follows them, so that none end a line */
    bool further = false;                   /* a line that the row was broken into: nothing lines up there */
    for (size_t i = 0; i < table->column_count; i++) {
        bool is_last = i + 1 == table->column_count;
        size_t width = width_of(&cells[i]), columns = is_last ? width : layout->widths[i];
        if (is_last && layout->rest)
            columns = lesser(columns, layout->rest);
        width = lesser(width, columns);
        if (width == 0) {
            pending += further ? 0 : columns + GAP;
            continue;
        }
        size_t before = table->columns[i].is_right && !further ? columns - width : 0;
        if (layout->is_broken) {
            width = lesser(width, terminal->width - BELOW_INDENT);
            bool is_long = is_last && (width_of(&cells[i]) > width || table->columns[i].wraps);
            if (at > 0 && (is_long || at + pending + before + width > terminal->width)) {
                (void)fputc('\n', stream);
                at = before = 0;
                pending = BELOW_INDENT;
                further = true;
            }
        }
        print_spaces(stream, pending + before);
        if (is_last && table->columns[i].wraps && terminal->width > 0) {
            cli_style_begin(terminal, stream, cells[i].style);
            cli_print_hanging(stream, cells[i].text, (unsigned)(at + pending + before), terminal->width);
            cli_style_end(terminal, stream, cells[i].style);
            return;
        }
        print_cell(terminal, stream, &table->columns[i], &cells[i], width, is_last ? 0 : width);
        at += pending + before + width;
        pending = GAP + (further ? 0 : columns - width - before);
    }
    (void)fputc('\n', stream);
}

bool cli_table_print(const struct cli_terminal *terminal, FILE *stream, const struct cli_table *table)
{
    struct layout layout;
    if (table->out_of_memory)
        return false;
    lay_out(terminal, table, &layout);
    for (size_t i = 0; i + table->column_count <= table->cell_count; i += table->column_count)
        print_row(terminal, stream, table, &layout, &table->cells[i]);
    return true;
}
