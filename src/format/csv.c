/* CSV (RFC 4180): one row a case (format/case.h), with the columns of its kind of run. */
#include "format/format.h"
#include "format/kind.h"

#include <string.h>

struct csv {
    FILE *out;
    const struct report_parts *parts;
    bool begun; /* the row has a cell */
    const struct device_info *info;
};

void csv_text(struct csv *csv, const char *text)
{
    if (csv->begun)
        fputc(',', csv->out);
    csv->begun = true;
    escape_csv(csv->out, text);
}

void csv_number(struct csv *csv, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    csv_text(csv, digits);
}

void csv_known(struct csv *csv, bool known, uint64_t value)
{
    if (known)
        csv_number(csv, value);
    else
        csv_text(csv, "");
}

void csv_count(struct csv *csv, uint64_t value)
{
    csv_known(csv, value != 0, value);
}

static void end_row(struct csv *csv)
{
    fputs("\r\n", csv->out);
    csv->begun = false;
}

static void write_case(void *context, const struct report_case *found)
{
    struct csv *csv = context;

    if (found->aside && found->result == RESULT_PASS)
        return;
    csv_text(csv, DEVICE_LABEL_OF(csv->info));
    csv_text(csv, csv->info->platform);
    csv_text(csv, csv->info->driver_version);
    if (found->note == NOTE_NONE)
        csv->parts->csv(csv, found);
    else /* it has no cells of its kind */
        for (const char *at = csv->parts->csv_columns; at != NULL; at = strchr(at + 1, ','))
            csv_text(csv, "");
    csv_text(csv, "");
    if (!found->plain)
        report_case_write(csv->out, found, escape_csv);
    end_row(csv);
}

int report_write_csv(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct csv csv = {.out = out, .parts = report_parts(report)};

    (void)style;
    (void)error;
    fprintf(out, "device,platform,driver_version,%s,evidence", csv.parts->csv_columns);
    end_row(&csv);
    for (size_t i = 0; i < report_suite_count(report); ++i) {
        csv.info = &report_suite_device(report, i)->info;
        report_each_case(report, i, write_case, &csv);
    }
    return 0;
}
