#include "core/footprint_name.h"
#include "core/text.h"
#include "format/escape.h"
#include "format/limits.h"

#include "format/kind.h"

#include <string.h>

void limits_text_heading(FILE *out, const struct limits_device *device, const struct subject_table *table)
{
    const struct store_device *stored = &device->stored;

    text_device_lines(out, "", "  ", &stored->info);
    text_probe(out, &stored->info, &stored->probe, "dialect");
    fputs("\n\n", out);
    if (table->kernels > 0)
        subject_table_heading(out, table);
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

void limits_text_refusal(FILE *out, const struct colors *colors, const struct limits_device *device,
                         const struct limits_row *row, int used)
{
    struct text_lines lines;
    const char *color = limits_row_refusal(row) == VERDICT_INCONCLUSIVE ? colors->undecided
                        : limits_row_is_surprise(device, row)           ? colors->surprise
                                                                        : "";
    fprintf(text_lines_begin(&lines), "%s%s%s", verdict_name(limits_row_refusal(row)), row->note[0] != '\0' ? ": " : "",
            row->note);
    lines.used = used;
    lines.open = true;
    color_begin(out, color);
    text_lines_end(&lines, out, "  ", "            ");
    color_end(out, color);
    fputc('\n', out);
}

const char *limits_text_color(const struct colors *colors, const struct limits_device *device,
                              const struct limits_row *row)
{
    if (limits_row_is_surprise(device, row))
        return colors->surprise;
    return row->limit.failed > 0 ? colors->undecided : "";
}

void limits_text_end(FILE *out, const struct colors *colors, const struct limits_device *device,
                     const struct limits_row *row)
{
    const struct limit *limit = &row->limit;

    fprintf(out, " %8.2f", (double)limit->duration_ns / 1e9);
    color_print(out, limits_text_color(colors, device, row), "%s%s%s", limit->agree ? "" : " !",
                limit->monotone ? "" : " ~", limit->failed > 0 ? " x" : "");
    fputc('\n', out);
}

void limits_text_point(FILE *out, uint32_t groups, uint32_t count, uint32_t launches)
{
    text_cell(out, 12, groups != 0, "%" PRIu32 " %" PRIu32 "/%" PRIu32, groups, count, launches);
}

/* A row of the table of footprints. */
static void print_row(FILE *out, const struct colors *colors, const struct limits_device *device,
                      const struct limits_row *row)
{
    const struct limit *limit = &row->limit;

    print_footprint(out, &limit->footprint);
    if (!limit->measured) {
        limits_text_refusal(out, colors, device, row, 26);
        return;
    }
    text_cell(out, 9, limit->resident != 0, "%" PRIu32, limit->resident);
    limits_text_point(out, limit->passes_at, limit->passes, limit->pass_launches);
    limits_text_point(out, limit->stalls_at, limit->stalls, limit->stall_launches);
    text_cell(out, 6, limit->discovery_runs > 0, "%.1f", limit->discovery_mean);
    limits_text_end(out, colors, device, row);
}

static void print_point_name(FILE *out, const struct footprint *footprint)
{
    char name[FOOTPRINT_NAME];

    if (footprint->subject.file[0] == '\0') {
        print_footprint(out, footprint);
        return;
    }
    footprint_name(footprint, name);
    escape_each(escape_text, out, "", name, ":", NULL);
}

/* The points that were tried at given group counts (--groups), instead of rows. */
static void print_points(FILE *out, const struct colors *colors, const struct limits_row *row)
{
    for (uint32_t i = 0; i < row->search.point_count; ++i) {
        const struct point *point = &row->search.points[i];
        print_point_name(out, &row->search.footprint);
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

size_t limits_text_rows(FILE *out, const struct colors *colors, const struct limits_device *device,
                        const struct subject_table *table, size_t from, bool whole)
{
    if (table->kernels > 0)
        return subject_table_rows(out, colors, device, table, from, whole);
    for (; from < device->count; ++from)
        if (device->stored.options.given_count > 0)
            print_points(out, colors, &device->rows[from]);
        else
            print_row(out, colors, device, &device->rows[from]);
    return from;
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
        fprintf(out, "bound        %s, 0 of %" PRIu32 " stalled: < %.0f %% with 95 %% confidence\n",
                limits_is_of_subjects(device) ? "with as many as fit" : "at passes_at", fewest,
                100.0 * bound_none_seen(fewest));
}

/* "a barrier of 2 groups" */
static void print_launched(FILE *out, const struct failures *failures)
{
    if (failures->kind == TRIAL_BARRIER)
        fprintf(out, "a barrier of %" PRIu32 " group%s", failures->groups, text_s(failures->groups));
    else
        fputs(failures->kind == TRIAL_CENSUS ? "the census" : "discovery", out);
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
            limit->monotone         ? ""
            : limit->stalls_at != 0 ? "; a barrier passed above the first stall"
                                    : "; a barrier passed with more groups than one that did not");
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
        const char *color = limits_text_color(colors, device, &device->rows[i]);
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

/* What the rows of kernels of the user's say, and what they do not. */
static void print_fit(FILE *out, const struct limits_device *device)
{
    bool any = false;

    for (size_t i = 0; i < device->count; ++i)
        any = any || device->rows[i].limit.measured;
    if (!any)
        return;
    fputs("fit          groups that are resident together, on an otherwise idle device: a\n"
          "             barrier in front of the kernel passes. The kernel itself did not\n"
          "             run; whether its groups may wait for each other is another\n"
          "             question, asked by a scenario\n",
          out);
}

static void print_safe(FILE *out, const struct limits_device *device)
{
    const uint64_t cut_at = device->stored.probe.loops_cut_at;

    if (cut_at == 0 && limits_is_of_subjects(device)) {
        print_fit(out, device);
        return;
    }
    if (cut_at == 0 && !limits_came_to_an_end(device))
        return;
    fputs("safe_groups  ", out);
    if (cut_at != 0)
        fprintf(out,
                "none: the driver ends a loop after %" PRIu64 " iterations even if it still waits,\n"
                "             so no wait between groups is safe\n",
                cut_at);
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
    subject_table_ours(out, colors, device);
    fputc('\n', out);
    if (device->stored.wedged)
        fputs("wedged       the device stopped working; the rest was not run\n", out);
    print_incomplete(out, device);
    if (device->stored.options.given_count == 0) {
        if (!limits_is_of_subjects(device))
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
    struct subject_table table = {0};

    for (size_t i = 0; i < device->count; ++i)
        subject_table_add(&table, &device->rows[i].search.footprint);
    limits_text_heading(out, device, &table);
    limits_text_rows(out, style->colors, device, &table, 0, true);
    for (size_t i = 0; style->verbose && device->stored.options.given_count == 0 && i < device->count; ++i)
        print_points(out, style->colors, &device->rows[i]);
    limits_text_summary(out, style->colors, device);
}
