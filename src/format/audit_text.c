#include "core/text.h"

#include "format/escape.h"
#include "format/kind.h"

#include <string.h>

enum { MANY = 100 };

/* What concerns the reader most comes first. */
static const enum keeping order[KEEPING_COUNT] = {KEEPING_BROKEN, KEEPING_UNDECIDED, KEEPING_EXCEEDED,
                                                  KEEPING_KEPT,   KEEPING_SILENT,    KEEPING_NOT_OFFERED};

/* Sentences, with a blank between them. */
struct sentences {
    FILE *out;
    bool begun;
};

static FILE *next_sentence(struct sentences *sentences)
{
    if (sentences->begun)
        fputc(' ', sentences->out);
    sentences->begun = true;
    return sentences->out;
}

/* How often it was tried is worth a word. */
static bool is_of_many(const struct audit_row *row)
{
    return row->keeping == KEEPING_KEPT && row->finding.text[0] == '\0' && row->finding.tries >= MANY;
}

/* What there is to say beside the amounts. */
static void print_sentences(struct sentences *sentences, const struct audit_row *row)
{
    const struct finding *finding = &row->finding;
    char left_out[OPTIONAL_WORDS];

    if (row->incomplete)
        fputs("It was begun, and did not end.", next_sentence(sentences));
    if (audit_row_is_known(row))
        fputs(row->known == KNOWN_AS_FAILURE ? "This is known." : "This is known to happen at times.",
              next_sentence(sentences));
    if (audit_row_is_mended(row))
        fputs("It was known to be broken.", next_sentence(sentences));
    if (finding->fails > 0 && finding->tries > 1)
        fprintf(next_sentence(sentences), "%" PRIu32 " of %" PRIu32 " times it was not %s.", finding->fails,
                finding->tries, row->promise->silent ? "so" : "as promised");
    if (is_of_many(row))
        fprintf(next_sentence(sentences), "It was tried %" PRIu32 " times.", finding->tries);
    if (finding->text[0] != '\0')
        fputs(finding->text, next_sentence(sentences));
    if (row->note[0] != '\0') {
        FILE *out = next_sentence(sentences);
        fputs(row->keeping == KEEPING_KEPT || row->keeping == KEEPING_EXCEEDED ? "More than that: " : "What failed: ",
              out);
        escape_text(out, row->note);
        fputs(row->note[strlen(row->note) - 1] == '.' ? "" : ".", out);
    }
    if (row->left_out != 0) {
        optional_say(row->left_out, left_out);
        fprintf(next_sentence(sentences), "It was measured without %s, of which the driver died.", left_out);
    }
    if (row->quoted[0] != '\0')
        escape_text(next_sentence(sentences), row->quoted);
}

void audit_text_finding(FILE *out, const struct audit_row *row)
{
    struct sentences sentences = {out, false};
    char promised[64], measured[64] = "nothing";

    finding_print_amount(row->promise, row->finding.promised, promised, sizeof promised);
    if (audit_row_is_measured(row))
        finding_print_amount(row->promise, row->finding.measured, measured, sizeof measured);
    if (audit_row_is_offered(row) && !row->promise->silent)
        fprintf(next_sentence(&sentences), "Promised: %s; measured: %s.", promised, measured);
    else if (audit_row_is_measured(row))
        fprintf(next_sentence(&sentences), "Measured: %s.", measured);
    print_sentences(&sentences, row);
}

static bool is_worth_a_word(const struct audit_row *row)
{
    const bool is_plain = row->keeping == KEEPING_KEPT || row->keeping == KEEPING_NOT_OFFERED;

    return is_of_many(row) || (row->promise->of_cuda && row->keeping == KEEPING_KEPT && row->finding.text[0] != '\0') ||
           row->note[0] != '\0' || row->quoted[0] != '\0' || row->left_out != 0 || row->incomplete ||
           audit_row_is_known(row) || audit_row_is_mended(row) ||
           (!is_plain && (row->finding.text[0] != '\0' || row->finding.fails > 0));
}

static const char margin[] = "            "; /* of what is said below a row */

static void print_row(FILE *out, const struct text_style *style, const struct audit_row *row)
{
    const char *color = audit_row_is_known(row)             ? ""
                        : row->keeping == KEEPING_BROKEN    ? style->colors->surprise
                        : row->keeping == KEEPING_UNDECIDED ? style->colors->undecided
                                                            : "";
    char promised[64] = "-", measured[64] = "-";

    if (audit_row_is_offered(row) && !row->promise->silent)
        finding_print_amount(row->promise, row->finding.promised, promised, sizeof promised);
    if (audit_row_is_measured(row))
        finding_print_amount(row->promise, row->finding.measured, measured, sizeof measured);
    color_begin(out, color);
    fprintf(out, "%-12s", keeping_name(row->keeping));
    color_end(out, color);
    fprintf(out, "%-26s %-19s %s\n", row->promise->name, promised, measured);
    if (!is_worth_a_word(row))
        return;
    struct text_lines lines;
    struct sentences sentences = {text_lines_begin(&lines), false};
    print_sentences(&sentences, row);
    text_lines_end(&lines, out, margin, margin);
}

void audit_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct audit_device *device = &report->audit.devices[number];

    text_device_lines(out, "", "  ", &device->stored.info);
    fprintf(out, "\n%-12s%-26s %-19s %s\n", "outcome", "promise", "promised", "measured");
    for (int i = 0; i < KEEPING_COUNT; ++i)
        for (size_t j = 0; j < device->count; ++j)
            if (device->rows[j].keeping == order[i])
                print_row(out, style, &device->rows[j]);
    fputc('\n', out);
    struct text_lines lines;
    FILE *summary = text_lines_begin(&lines);
    fprintf(summary, "%zu promise%s:", device->count, text_s(device->count));
    for (int i = 0; i < KEEPING_COUNT; ++i)
        fprintf(summary, "%s %zu %s", i > 0 ? "," : "", device->kept[order[i]], keeping_name(order[i]));
    text_lines_end(&lines, out, "", "  ");
    if (device->stored.wedged)
        fputs("wedged: the device stopped working; the rest was not run\n", out);
    if (device->known > 0 || device->mended > 0)
        fprintf(out, "known failures: %zu failed again, %zu did not\n", device->known, device->mended);
    for (size_t i = 0; i < device->count; ++i)
        if (audit_row_is_mended(&device->rows[i]))
            fprintf(out, "    did not fail: audit/%s\n", device->rows[i].promise->name);
}
