#include "core/text.h"
#include "format/escape.h"
#include "format/limits.h"

#include "format/kind.h"

#include <string.h>

bool limits_text_is_of_subjects(const struct limits_device *device)
{
    return device->count > 0 && device->rows[0].search.footprint.subject.file[0] != '\0';
}

void limits_text_heading(FILE *out, const struct limits_device *device, bool of_subjects)
{
    const struct store_device *stored = &device->stored;

    text_device_lines(out, "", "  ", &stored->info);
    text_probe(out, &stored->info, &stored->probe, "dialect");
    fputs("\n\n", out);
    if (of_subjects)
        fputs("     group         resident    passes at    stalls at  driver     time\n"
              "     items           groups       groups       groups    says        s\n",
              out);
    else if (stored->options.given_count == 0)
        fputs("  size  local mem  private  resident    passes at    stalls at  found     time\n"
              " items      bytes    bytes    groups       groups       groups              s\n",
              out);
    else
        fputs("  size  local mem  private\n items      bytes    bytes\n", out);
}

static void print_footprint(FILE *out, const struct footprint *footprint)
{
    fprintf(out, "%6" PRIu32 " %10" PRIu64 " %8" PRIu32, footprint->local_size, footprint->local_memory_bytes,
            footprint->private_bytes);
}

/* Why it was not measured. */
static void print_refusal(FILE *out, const struct colors *colors, const struct limits_device *device,
                          const struct limits_row *row)
{
    const char *color = limits_row_refusal(row) == VERDICT_INCONCLUSIVE ? colors->undecided
                        : limits_row_is_surprise(device, row)           ? colors->surprise
                                                                        : "";
    fputs("  ", out);
    color_begin(out, color);
    limits_text_evidence(out, row);
    color_end(out, color);
    fputc('\n', out);
}

/* Red if it is a surprise, yellow if a launch failed and did so no more when it was repeated. */
static const char *color_of(const struct colors *colors, const struct limits_device *device,
                            const struct limits_row *row)
{
    if (limits_row_is_surprise(device, row))
        return colors->surprise;
    return row->limit.failed > 0 ? colors->undecided : "";
}

static void print_facts(FILE *out, const char *what, const struct kernel_facts *facts)
{
    fprintf(out, "  %s%" PRIu64 " byte%s of local memory, %" PRIu64 " private, up to %" PRIu64 " work-items", what,
            facts->local_bytes, text_s(facts->local_bytes), facts->private_bytes, facts->most_items);
    if (facts->registers != 0)
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
    if (subject_bound_of(facts) == BOUND_EXACT) {
        print_facts(out, "", &facts->original);
    } else {
        print_facts(out, "the kernel: ", &facts->original);
        print_facts(out, "measured:   ", &facts->measured);
    }
    if (facts->sizes[0] != '\0')
        escape_each(escape_text, out, "  taken, because --arg does not say: ", facts->sizes, "\n", NULL);
}

/* The row's footprint; a kernel of the user's has a line of its own above its rows. */
static void print_name(FILE *out, const struct limits_device *device, const struct limits_row *row)
{
    const struct subject *subject = &row->search.footprint.subject, *before = &row[-1].search.footprint.subject;
    char shape[SHAPE_BYTES];

    if (subject->file[0] == '\0') {
        print_footprint(out, &row->limit.footprint);
        return;
    }
    if (row == device->rows || strcmp(before->file, subject->file) != 0 || strcmp(before->kernel, subject->kernel) != 0)
        print_subject(out, row);
    nd_range_print_shape(&subject->shape, shape);
    fprintf(out, "%10s", shape);
}

/* "132 20/20": groups, and of how many launches. */
static void print_point(FILE *out, uint32_t groups, uint32_t count, uint32_t launches)
{
    text_cell(out, 12, groups != 0, "%" PRIu32 " %" PRIu32 "/%" PRIu32, groups, count, launches);
}

void limits_text_row(FILE *out, const struct colors *colors, const struct limits_device *device,
                     const struct limits_row *row)
{
    const struct limit *limit = &row->limit;
    const bool of_subject = limit->footprint.subject.file[0] != '\0';
    const char *bound = of_subject ? subject_bound_words(subject_bound_of(&row->facts)) : "";

    print_name(out, device, row);
    if (!limit->measured) {
        print_refusal(out, colors, device, row);
        return;
    }
    text_cell(out, of_subject ? 16 : 9, limit->resident != 0, "%s%" PRIu32, bound, limit->resident);
    print_point(out, limit->passes_at, limit->passes, limit->pass_launches);
    print_point(out, limit->stalls_at, limit->stalls, limit->stall_launches);
    if (of_subject)
        text_cell(out, 7, row->facts.promised_groups != 0, "%" PRIu64, row->facts.promised_groups);
    else
        text_cell(out, 6, limit->discovery_runs > 0, "%.1f", limit->discovery_mean);
    fprintf(out, " %8.2f", (double)limit->duration_ns / 1e9);
    color_print(out, color_of(colors, device, row), "%s%s%s", limit->agree ? "" : " !", limit->monotone ? "" : " ~",
                limit->failed > 0 ? " x" : "");
    fputc('\n', out);
}

void limits_text_points(FILE *out, const struct colors *colors, const struct limits_row *row)
{
    for (uint32_t i = 0; i < row->search.point_count; ++i) {
        const struct point *point = &row->search.points[i];
        print_footprint(out, &row->search.footprint);
        fprintf(out, "  %" PRIu32 " group%s: %" PRIu32 " of %" PRIu32 " passed", point->groups, text_s(point->groups),
                point->passes, point->launches);
        if (point->passes < point->launches) {
            const char *color = point->worst == VERDICT_INCONCLUSIVE ? colors->undecided : "";
            fputs(", otherwise ", out);
            color_print(out, color, "%s", verdict_name(point->worst));
        }
        fputc('\n', out);
    }
}

/* --- summary --- */

static void print_limiters(FILE *out, const struct limits_device *device)
{
    size_t measured = 0;
    for (size_t i = 0; i < device->count; ++i)
        measured += device->rows[i].limit.measured;
    if (measured == 1) {
        fputs("limited by   unknown: one footprint does not show it\n", out);
        return;
    }
    for (enum limiter limiter = LIMITER_UNKNOWN; limiter <= LIMITER_CPU_THREADS; ++limiter) {
        size_t rows = 0;
        for (size_t i = 0; i < device->count; ++i)
            rows += device->rows[i].limit.measured && device->rows[i].limited_by == limiter;
        if (rows > 0)
            fprintf(out, "limited by   %s: %zu of %zu footprints\n", limiter_name(limiter), rows, measured);
    }
}

/* The groups of the first row: the sweep's shape seldom changes from one to the next. */
static void print_resident_ids(FILE *out, const struct limits_device *device)
{
    enum { SHOWN = 8 };
    for (size_t i = 0; i < device->count; ++i) {
        const struct residency *residency = &device->rows[i].residency;
        if (residency->count == 0)
            continue;
        fprintf(out, "resident ids %s, started in %s order: ", pattern_name(residency->pattern),
                start_order_name(residency->order));
        for (uint32_t id = 0; id < residency->count && id < SHOWN; ++id)
            fprintf(out, "%s%" PRIu32, id > 0 ? ", " : "", residency->ids[id]);
        fprintf(out, "%s (size %" PRIu32 ")\n", residency->count > SHOWN ? ", ..." : "",
                device->rows[i].limit.footprint.local_size);
        return;
    }
}

static void print_bound(FILE *out, const struct limits_device *device)
{
    uint32_t fewest = UINT32_MAX;
    if (device->stored.probe.loops_cut_at != 0)
        return; /* a launch that did not stall there may have been cut */
    for (size_t i = 0; i < device->count; ++i) {
        const struct limit *limit = &device->rows[i].limit;
        if (limit->passes_at > 0 && limit->passes == limit->pass_launches && limit->pass_launches < fewest)
            fewest = limit->pass_launches;
    }
    if (fewest != UINT32_MAX)
        fprintf(out, "bound        at passes_at, 0 of %" PRIu32 " stalled: < %.0f %% with 95 %% confidence\n", fewest,
                100.0 * bound_none_seen(fewest));
}

/* "a barrier of 2 groups" */
static void print_launched(FILE *out, const struct failures *failures)
{
    if (failures->act == ACT_BARRIER)
        fprintf(out, "a barrier of %" PRIu32 " group%s", failures->groups, text_s(failures->groups));
    else
        fputs(failures->act == ACT_CENSUS ? "the census" : "discovery", out);
}

/* "; crash in 1 of 21 launches of a barrier of 2 groups, in none when repeated" */
static void print_failures(FILE *out, const struct limits_row *row)
{
    size_t at = 0;

    for (const struct failures *f = search_failures(&row->search, &at); f != NULL;
         f = search_failures(&row->search, &at)) {
        fprintf(out, "; %s in %" PRIu32 " of %" PRIu32 " launches of ", verdict_name(f->verdict), f->failed,
                f->launches);
        print_launched(out, f);
        fputs(f->in_a_row == 0 ? ", in none when repeated" : "", out);
    }
}

void limits_text_evidence(FILE *out, const struct limits_row *row)
{
    const struct limit *limit = &row->limit;

    if (!limit->measured) {
        fprintf(out, "%s%s", verdict_name(limits_row_refusal(row)), row->note[0] != '\0' ? ": " : "");
        escape_text(out, row->note);
        return;
    }
    fprintf(out, "census counted %" PRIu32 ", barrier passes at %" PRIu32 ", discovery found %" PRIu32 "%s",
            limit->counted, limit->passes_at, limit->discovery_max,
            limit->monotone ? "" : "; a barrier passed above the first stall");
    print_failures(out, row);
}

static void print_mark(FILE *out, const struct footprint *footprint)
{
    char shape[SHAPE_BYTES];

    if (footprint->subject.file[0] == '\0') {
        fprintf(out, "size %" PRIu32 ", local memory %" PRIu64 ", private %" PRIu32 ": ", footprint->local_size,
                footprint->local_memory_bytes, footprint->private_bytes);
        return;
    }
    nd_range_print_shape(&footprint->subject.shape, shape);
    escape_each(escape_text, out, "", footprint->subject.file, ": ", footprint->subject.kernel, NULL);
    fprintf(out, ", %s work-items: ", shape);
}

/* Rows that are marked, but for those that say by themselves why they were not measured. */
static void print_marked(FILE *out, const struct colors *colors, const struct limits_device *device)
{
    for (size_t i = 0; i < device->count; ++i) {
        const struct limit *limit = &device->rows[i].limit;
        const bool doubtful = limits_row_is_surprise(device, &device->rows[i]);
        const char *color = color_of(colors, device, &device->rows[i]);
        if (!limit->measured || (!doubtful && limit->failed == 0))
            continue;
        color_begin(out, color);
        fprintf(out, "%c ", doubtful ? '!' : 'x');
        print_mark(out, &limit->footprint);
        limits_text_evidence(out, &device->rows[i]);
        color_end(out, color);
        fputc('\n', out);
    }
}

static size_t count_passing_at(const struct limits_device *device, uint32_t groups)
{
    size_t count = 0;
    for (size_t i = 0; i < device->count; ++i)
        count += device->rows[i].limit.measured && device->rows[i].limit.passes_at == groups;
    return count;
}

/* "32 (16 x 2 compute units)", and the footprint that sets it. */
static void print_safest(FILE *out, const struct limits_device *device)
{
    const struct limit *limit = &device->rows[device->safest].limit;
    const uint32_t units = device->stored.info.compute_units;
    const size_t others = count_passing_at(device, limit->passes_at) - 1;

    fprintf(out, "%" PRIu32, limit->passes_at);
    if (units > 0)
        fprintf(out, " (%.4g x %" PRIu32 " compute unit%s)", (double)limit->passes_at / units, units, text_s(units));
    fprintf(out,
            " on an otherwise idle device,\n             set by size %" PRIu32 ", local memory %" PRIu64
            ", private %" PRIu32,
            limit->footprint.local_size, limit->footprint.local_memory_bytes, limit->footprint.private_bytes);
    if (others > 0)
        fprintf(out, " (and %zu more)", others);
    fputc('\n', out);
}

static void print_safe(FILE *out, const struct limits_device *device)
{
    const uint64_t cut_at = device->stored.probe.loops_cut_at;

    fputs("safe_groups  ", out);
    if (cut_at != 0)
        fprintf(out,
                "none: the driver ends a loop after %" PRIu64 " iterations even if it still waits,\n"
                "             so no wait between groups is safe\n",
                cut_at);
    else if (limits_text_is_of_subjects(device))
        fputs("of each kernel as many as it passes at, on an otherwise idle device\n", out);
    else if (device->safest < 0)
        fputs("none: no barrier passed\n", out);
    else
        print_safest(out, device);
}

static void print_incomplete(FILE *out, const struct limits_device *device)
{
    size_t incomplete = 0;
    for (size_t i = 0; i < device->count; ++i)
        incomplete += device->rows[i].incomplete;
    if (incomplete > 0)
        fprintf(out, "incomplete   %zu of %zu footprints: a trial began but did not end\n", incomplete, device->count);
}

void limits_text_summary(FILE *out, const struct colors *colors, const struct limits_device *device)
{
    fputc('\n', out);
    if (device->stored.wedged)
        fputs("wedged       the device stopped working; the rest was not run\n", out);
    print_incomplete(out, device);
    if (device->stored.options.given_count == 0) {
        if (!limits_text_is_of_subjects(device))
            print_limiters(out, device);
        print_resident_ids(out, device);
        print_bound(out, device);
        print_marked(out, colors, device);
        print_safe(out, device);
    }
}

void limits_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct limits_device *device = &report->limits.devices[number];
    const bool given = device->stored.options.given_count > 0;

    limits_text_heading(out, device, limits_text_is_of_subjects(device));
    for (size_t i = 0; i < device->count; ++i) {
        if (!given)
            limits_text_row(out, style->colors, device, &device->rows[i]);
        if (given || style->verbose)
            limits_text_points(out, style->colors, &device->rows[i]);
    }
    limits_text_summary(out, style->colors, device);
}
