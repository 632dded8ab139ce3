#include "format/format.h"

#include "format/kind.h"
#include "format/limits.h"

static const char *const names[] = {"text",     "json", "jsonl",      "junit",    "tap", "csv",
                                    "markdown", "lava", "prometheus", "baseline", "html"};
report_writer *const report_writers[] = {report_write_text,     report_write_json, report_write_jsonl,
                                         report_write_junit,    report_write_tap,  report_write_csv,
                                         report_write_markdown, report_write_lava, report_write_prometheus,
                                         report_write_baseline, report_write_html};
_Static_assert(sizeof names / sizeof *names == sizeof report_writers / sizeof *report_writers, "each has a writer");
const struct naming report_formats = {.names = names, .count = sizeof names / sizeof *names};

const struct report_parts *report_parts(const struct report *report)
{
    static const struct report_parts *const parts[] = {
        [REPORT_RUN] = &run_parts,     [REPORT_LIMITS] = &limits_parts, [REPORT_PROGRESS] = &progress_parts,
        [REPORT_AUDIT] = &audit_parts, [REPORT_PROOFS] = &proof_parts,  [REPORT_WATCH] = &watch_parts};
    const bool of_subjects =
        report->kind == REPORT_LIMITS && report->limits.count > 0 && limits_is_of_subjects(&report->limits.devices[0]);
    return of_subjects ? &subject_parts : parts[report->kind];
}

int report_write_text(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < report_device_count(report); ++i) {
        if (i > 0)
            fputc('\n', out);
        report_parts(report)->text(out, report, i, style);
    }
    report_write_extents(out, report);
    return 0;
}

struct notes {
    FILE *out;
    const struct store_device *stored;
    bool begun;
};

/* Behind an empty line if it is the first; with the device's label, or of all devices. */
static FILE *begin_note(struct notes *notes, struct text_lines *lines, bool of_device)
{
    fputs(notes->begun ? "" : "\n", notes->out);
    notes->begun = true;
    FILE *line = text_lines_begin(lines);
    if (of_device)
        fprintf(line, "%s: ", DEVICE_LABEL_OF(&notes->stored->info));
    return line;
}

/* "LABEL: ...", in lines; of all devices without a label. A device that stopped working has a text of its own. */
static void write_note(void *context, const struct report_case *found)
{
    struct notes *notes = context;
    struct text_lines lines;

    if (found->note == NOTE_WEDGED)
        return;
    found->message(begin_note(notes, &lines, found->note != NOTE_DEVICES), found);
    text_lines_end(&lines, notes->out, "", "  ");
}

enum { ASSERTED_LISTED = 20 }; /* of those that do not hold, on a device */

static void write_asserted(FILE *out, const struct report *report, const struct store_device *stored)
{
    const struct asserted_counts counts = report_asserted(report, stored->id);
    size_t listed = 0;

    if (counts.all == 0)
        return;
    escape_each(escape_text, out, "\n", DEVICE_LABEL_OF(&stored->info), ": assertions: ", NULL);
    if (counts.failed == 0)
        fprintf(out, "none of %zu failed", counts.all);
    else
        fprintf(out, "%zu of %zu failed", counts.failed, counts.all);
    if (counts.undecided > 0)
        fprintf(out, ", %zu undecided", counts.undecided);
    fputc('\n', out);
    for (size_t i = 0; i < report->asserted_count && listed < ASSERTED_LISTED; ++i) {
        const struct store_asserted *asserted = &report->asserted[i];
        if (asserted->device != stored->id || (asserted->decided && !asserted->failed))
            continue;
        escape_each(escape_text, out, "  ", asserted->kind, " ", asserted->name,
                    asserted->decided ? ": " : ": undecided: ", asserted->said, "\n", NULL);
        ++listed;
    }
    if (counts.failed + counts.undecided > listed)
        fprintf(out, "  and %zu more\n", counts.failed + counts.undecided - listed);
}

static void write_strain(struct notes *notes, const struct report *report)
{
    const struct device_strain strain = strains_find(report->strains, report->strain_count, notes->stored->id);
    struct text_lines lines;

    if (!strain_made_doubtful(&strain))
        return;
    strain_print_doubt(begin_note(notes, &lines, true), &strain);
    text_lines_end(&lines, notes->out, "", "  ");
}

/* It is not in the heading, which is printed before all of it is known. */
static void write_left_out(struct notes *notes)
{
    char left_out[OPTIONAL_DESCRIBED];
    struct text_lines lines;

    optional_describe(notes->stored->probe.left_out, left_out, sizeof left_out);
    if (left_out[0] == '\0')
        return;
    fprintf(begin_note(notes, &lines, true), "left out, because the driver died of it: %s", left_out);
    text_lines_end(&lines, notes->out, "", "  ");
}

void report_write_extents(FILE *out, const struct report *report)
{
    for (size_t i = 0; report_device(report, i) != NULL; ++i)
        write_asserted(out, report, report_device(report, i));
    struct notes notes = {.out = out};

    for (size_t i = 0; i < report_suite_count(report); ++i) {
        notes.stored = report_suite_device(report, i);
        report_each_note(report, i, write_note, &notes);
        write_strain(&notes, report);
        write_left_out(&notes);
    }
}
