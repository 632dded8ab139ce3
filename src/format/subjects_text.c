/* Limits of kernels of the user's as text: a block for each kernel, or where there are many, a line. */
#include "core/text.h"
#include "format/escape.h"
#include "format/limits.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { LINE_COLUMNS = 79, CELL_COLUMNS = 11 };

static bool is_same_kernel(const struct subject *a, const struct subject *b)
{
    return strcmp(a->file, b->file) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

static bool is_same_size(const struct nd_range *a, const struct nd_range *b)
{
    return memcmp(a->local, b->local, sizeof a->local) == 0;
}

void subject_table_add(struct subject_table *table, const struct footprint *footprint)
{
    const struct subject *subject = &footprint->subject;
    bool known = subject->kernel[0] == '\0';

    if (subject->file[0] == '\0' || strcmp(subject->file, SUBJECT_OURS) == 0)
        return;
    table->kernels += table->kernels == 0 || !is_same_kernel(&table->last, subject);
    table->last = *subject;
    for (size_t i = 0; i < table->size_count; ++i)
        known = known || is_same_size(&table->sizes[i], &subject->shape);
    if (!known && table->size_count < SUBJECT_TABLE_SIZES)
        table->sizes[table->size_count++] = subject->shape;
}

static bool is_compact(const struct subject_table *table)
{
    return table->kernels > SUBJECT_TABLE_KERNELS;
}

static int name_columns(const struct subject_table *table)
{
    return LINE_COLUMNS - CELL_COLUMNS * (int)table->size_count;
}

void subject_table_heading(FILE *out, const struct subject_table *table)
{
    char shape[SHAPE_BYTES];

    if (!is_compact(table)) {
        fputs("     group         resident          fit   do not fit  driver     time\n"
              "     items           groups       groups       groups    says        s\n",
              out);
        return;
    }
    fprintf(out, "%-*s", name_columns(table), "resident groups, by work-items of a group");
    for (size_t i = 0; i < table->size_count; ++i) {
        nd_range_print_shape(&table->sizes[i], shape);
        fprintf(out, "%*s", CELL_COLUMNS, shape);
    }
    fputc('\n', out);
}

void limits_print_group(const struct subject *subject, char shape[SHAPE_BYTES])
{
    shape[0] = '\0';
    if (subject->kernel[0] != '\0')
        nd_range_print_shape(&subject->shape, shape);
}

void limits_print_resident(const struct limits_row *row, char text[RESIDENT_BYTES])
{
    const uint32_t resident = row->limit.resident;

    text[0] = '\0';
    if (resident != 0 && row->most != 0 && row->bound != BOUND_EXACT)
        snprintf(text, RESIDENT_BYTES, "%" PRIu32 " to %" PRIu32, resident, row->most);
    else if (resident != 0)
        snprintf(text, RESIDENT_BYTES, "%s%" PRIu32, subject_bound_words(row->bound), resident);
}

/* --- a block for each kernel --- */

/* To the right of the column of sizes. */
#define ROW_MARGIN "            "

static void print_facts(FILE *out, const char *what, const struct kernel_facts *facts)
{
    fprintf(out, "  %s%" PRIu64 " byte%s of local memory, %" PRIu64 " private, up to %" PRIu64 " work-items", what,
            facts->local_bytes, text_s(facts->local_bytes), facts->private_bytes, facts->most_items);
    if (facts->registers == REGISTERS_UNTOLD)
        fputs(", registers that the driver's log leaves out", out);
    else if (facts->registers != 0)
        fprintf(out, ", %" PRIu32 " registers", facts->registers);
    fputc('\n', out);
}

/* What the kernel occupies by what the driver says, and what was launched in its place, if that is not the same. */
static void print_subject(FILE *out, const struct limits_row *row)
{
    const struct subject *subject = &row->search.footprint.subject;
    const struct subject_facts *facts = &row->facts;

    escape_each(escape_text, out, "\n", subject->file, subject->kernel[0] != '\0' ? ": " : "", subject->kernel, "\n",
                NULL);
    if (facts->way == ENTRY_NONE)
        return;
    if (subject_bound_of(facts) == BOUND_EXACT && facts->original.registers == facts->measured.registers) {
        print_facts(out, "", &facts->original);
    } else {
        print_facts(out, "the kernel: ", &facts->original);
        print_facts(out, "measured:   ", &facts->measured);
    }
}

/* What was assumed of this size of groups, and what the driver says otherwise. */
static void print_remarks(FILE *out, const struct limits_row *row, const char *margin)
{
    char remark[LIMITS_REMARK];

    if (row->facts.sizes[0] != '\0') {
        struct text_lines lines;
        fprintf(text_lines_begin(&lines), "taken, because --arg does not say: %s", row->facts.sizes);
        text_lines_end(&lines, out, margin, ROW_MARGIN);
    }
    if (limits_row_remark(row, remark))
        text_clean_lines(out, margin, ROW_MARGIN, remark);
}

/* The row of the user's before this one, or NULL. */
static const struct limits_row *row_before(const struct limits_device *device, const struct limits_row *row)
{
    while (row > device->rows)
        if (!limits_row_is_ours(--row))
            return row;
    return NULL;
}

static void print_row(FILE *out, const struct colors *colors, const struct limits_device *device,
                      const struct limits_row *row, const struct limits_row *before)
{
    const struct subject *subject = &row->search.footprint.subject;
    const struct limit *limit = &row->limit;
    char shape[SHAPE_BYTES], resident[RESIDENT_BYTES];

    if (before == NULL || !is_same_kernel(&before->search.footprint.subject, subject))
        print_subject(out, row);
    limits_print_group(subject, shape);
    const int used = fprintf(out, "%10s", shape);
    if (!limit->measured) {
        limits_text_refusal(out, colors, device, row, used);
        print_remarks(out, row, ROW_MARGIN);
        return;
    }
    limits_print_resident(row, resident);
    text_cell(out, 16, resident[0] != '\0', "%s", resident);
    limits_text_point(out, limit->passes_at, limit->passes, limit->pass_launches);
    limits_text_point(out, limit->stalls_at, limit->stalls, limit->stall_launches);
    text_cell(out, 7, row->facts.promised_groups != 0, "%" PRIu64, row->facts.promised_groups);
    limits_text_end(out, colors, device, row);
    print_remarks(out, row, ROW_MARGIN);
}

void subject_table_ours(FILE *out, const struct colors *colors, const struct limits_device *device)
{
    const struct limits_row *before = NULL;

    for (size_t i = 0; i < device->count; ++i) {
        const struct limits_row *row = &device->rows[i];
        if (!limits_row_is_ours(row))
            continue;
        if (before == NULL)
            fputs("\ngridlock's own kernels: where one occupies no more of anything, no more groups fit of another\n",
                  out);
        print_row(out, colors, device, row, before);
        before = row;
    }
}

/* --- a line for each kernel --- */

/* To the right in so many columns. */
static void print_cell(FILE *out, const struct colors *colors, const struct limits_device *device,
                       const struct limits_row *row, int columns)
{
    static const char *const signs[BOUND_COUNT] = {"", ">=", "<=", "~"};
    const struct limit *limit = &row->limit;
    const char *mark = !limit->measured ? "" : limits_row_is_surprise(device, row) ? "!" : limit->failed > 0 ? "x" : "";
    char text[RESIDENT_BYTES];

    if (!limit->measured || limit->resident == 0)
        snprintf(text, sizeof text, "-");
    else if (row->most != 0 && row->bound != BOUND_EXACT)
        snprintf(text, sizeof text, "%" PRIu32 "-%" PRIu32, limit->resident, row->most);
    else
        snprintf(text, sizeof text, "%s%" PRIu32, signs[row->bound], limit->resident);
    fprintf(out, "%*s", columns - (int)strlen(text) - (int)strlen(mark), "");
    color_print(out, limits_text_color(colors, device, row), "%s%s", text, mark);
}

/* Sizes that have no column, and what was not measured. */
static void print_beside(FILE *out, const struct colors *colors, const struct limits_device *device,
                         const struct limits_row *row, bool has_column)
{
    const struct subject *subject = &row->search.footprint.subject;
    char shape[SHAPE_BYTES], margin[SHAPE_BYTES + 8];

    limits_print_group(subject, shape);
    if (has_column && row->limit.measured) {
        snprintf(margin, sizeof margin, "    %s  ", shape);
        print_remarks(out, row, margin);
        return;
    }
    const int used = fprintf(out, "    %s", shape);
    if (!row->limit.measured) {
        limits_text_refusal(out, colors, device, row, used);
        return;
    }
    print_cell(out, colors, device, row, CELL_COLUMNS);
    fputc('\n', out);
}

static const struct limits_row *find_size(const struct limits_row *first, const struct limits_row *end,
                                          const struct nd_range *size)
{
    for (; first < end; ++first)
        if (!limits_row_is_ours(first) && is_same_size(&first->search.footprint.subject.shape, size))
            return first;
    return NULL;
}

static bool has_column(const struct subject_table *table, const struct limits_row *row)
{
    for (size_t i = 0; i < table->size_count; ++i)
        if (is_same_size(&table->sizes[i], &row->search.footprint.subject.shape))
            return true;
    return false;
}

static void print_cells(FILE *out, const struct colors *colors, const struct limits_device *device,
                        const struct subject_table *table, const struct limits_row *first, const struct limits_row *end)
{
    char name[SUBJECT_KERNEL + 4];
    int columns = name_columns(table);

    snprintf(name, sizeof name, "  %s", first->search.footprint.subject.kernel);
    escape_text(out, name);
    if ((int)strlen(name) < columns)
        columns -= (int)strlen(name);
    else
        fputc('\n', out);
    for (size_t i = 0; i < table->size_count; ++i) {
        const struct limits_row *row = find_size(first, end, &table->sizes[i]);
        columns += CELL_COLUMNS;
        if (row == NULL)
            continue;
        print_cell(out, colors, device, row, columns);
        columns = 0;
    }
    fputc('\n', out);
}

/* The rows of one kernel, between which rows of ours may be. */
static void print_line(FILE *out, const struct colors *colors, const struct limits_device *device,
                       const struct subject_table *table, const struct limits_row *first, const struct limits_row *end)
{
    const struct subject *subject = &first->search.footprint.subject;
    const struct limits_row *before = row_before(device, first);

    if (before == NULL || strcmp(before->search.footprint.subject.file, subject->file) != 0)
        escape_each(escape_text, out, "", subject->file, "\n", NULL);
    if (subject->kernel[0] != '\0')
        print_cells(out, colors, device, table, first, end);
    for (const struct limits_row *row = first; row < end; ++row)
        if (!limits_row_is_ours(row))
            print_beside(out, colors, device, row, has_column(table, row));
}

static size_t find_end(const struct limits_device *device, size_t from)
{
    const struct subject *subject = &device->rows[from].search.footprint.subject;
    size_t at = from + 1;

    while (at < device->count && (limits_row_is_ours(&device->rows[at]) ||
                                  is_same_kernel(&device->rows[at].search.footprint.subject, subject)))
        ++at;
    return at;
}

size_t subject_table_rows(FILE *out, const struct colors *colors, const struct limits_device *device,
                          const struct subject_table *table, size_t from, bool whole)
{
    assert(device->rows != NULL || device->count == 0);
    while (from < device->count) {
        const struct limits_row *row = &device->rows[from];
        const size_t end = is_compact(table) && !limits_row_is_ours(row) ? find_end(device, from) : from + 1;
        if (end == device->count && is_compact(table) && !whole)
            break; /* more sizes of it may come */
        if (!limits_row_is_ours(row) && is_compact(table))
            print_line(out, colors, device, table, row, device->rows + end);
        else if (!limits_row_is_ours(row))
            print_row(out, colors, device, row, row_before(device, row));
        from = end;
    }
    return from;
}
