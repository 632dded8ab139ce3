#include "format/audit.h"

#include "format/kind.h"

/* What concerns the reader most comes first. */
static const enum keeping order[KEEPING_COUNT] = {KEEPING_BROKEN, KEEPING_UNDECIDED, KEEPING_EXCEEDED,
                                                  KEEPING_KEPT,   KEEPING_SILENT,    KEEPING_NOT_OFFERED};

/* There are amounts. */
static bool is_measured(const struct audit_row *row)
{
    return row->keeping != KEEPING_UNDECIDED && row->keeping != KEEPING_NOT_OFFERED;
}

/* What there is to say beside the amounts. */
static void print_sentences(FILE *out, const struct audit_row *row)
{
    const struct finding *finding = &row->finding;

    if (row->incomplete)
        fputs("It was begun, and did not end. ", out);
    if (finding->fails > 0 && finding->tries > 1)
        fprintf(out, "%" PRIu32 " of %" PRIu32 " times it was not as promised. ", finding->fails, finding->tries);
    fputs(finding->text, out);
    if (row->note[0] == '\0')
        return;
    fputs(finding->text[0] != '\0' ? " " : "", out);
    fputs(row->keeping == KEEPING_KEPT || row->keeping == KEEPING_EXCEEDED ? "More than that: " : "", out);
    text_clean(out, row->note);
    fputc('.', out);
}

void audit_text_finding(FILE *out, const struct audit_row *row)
{
    char promised[64], measured[64];

    finding_print_amount(row->promise, row->finding.promised, promised, sizeof promised);
    finding_print_amount(row->promise, row->finding.measured, measured, sizeof measured);
    if (is_measured(row) && !row->promise->silent)
        fprintf(out, "Promised: %s; measured: %s. ", promised, measured);
    else if (is_measured(row))
        fprintf(out, "Measured: %s. ", measured);
    print_sentences(out, row);
}

static bool is_worth_a_word(const struct audit_row *row)
{
    const bool is_plain = row->keeping == KEEPING_KEPT || row->keeping == KEEPING_NOT_OFFERED;

    return row->note[0] != '\0' || row->incomplete ||
           (!is_plain && (row->finding.text[0] != '\0' || row->finding.fails > 0));
}

static const char margin[] = "            "; /* of what is said below a row */

static void print_row(FILE *out, const struct text_style *style, const struct audit_row *row)
{
    const char *color = row->keeping == KEEPING_BROKEN      ? style->colors->surprise
                        : row->keeping == KEEPING_UNDECIDED ? style->colors->undecided
                                                            : "";
    char promised[64] = "-", measured[64] = "-";

    if (is_measured(row) && !row->promise->silent)
        finding_print_amount(row->promise, row->finding.promised, promised, sizeof promised);
    if (is_measured(row) && (row->verdict == VERDICT_PASS || row->finding.measured > 0))
        finding_print_amount(row->promise, row->finding.measured, measured, sizeof measured);
    color_begin(out, color);
    fprintf(out, "%-12s", keeping_name(row->keeping));
    color_end(out, color);
    fprintf(out, "%-26s %-19s %s\n", row->promise->name, promised, measured);
    if (!is_worth_a_word(row))
        return;
    struct text_lines lines;
    print_sentences(text_lines_begin(&lines, out), row);
    text_lines_end(&lines, out, margin, margin);
}

void audit_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct audit_device *device = &report->audit.devices[number];

    text_device(out, &device->stored.info);
    fprintf(out, "\n%-12s%-26s %-19s %s\n", "outcome", "promise", "promised", "measured");
    for (int i = 0; i < KEEPING_COUNT; ++i)
        for (size_t j = 0; j < device->count; ++j)
            if (device->rows[j].keeping == order[i])
                print_row(out, style, &device->rows[j]);
    fprintf(out, "\n%zu promises:", device->count);
    for (int i = 0; i < KEEPING_COUNT; ++i)
        fprintf(out, "%s %zu %s", i > 0 ? "," : "", device->kept[order[i]], keeping_name(order[i]));
    fputc('\n', out);
}
