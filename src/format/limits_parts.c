/* Limits of devices, as each format shows them. */
#include "format/kind.h"
#include "format/limits.h"

static void write_csv(struct csv *csv, const struct report_case *found)
{
    const struct limits_row *row = found->limit;
    const struct limit *limit = &row->limit;

    csv_number(csv, limit->footprint.local_size);
    csv_number(csv, limit->footprint.local_memory_bytes);
    csv_number(csv, limit->footprint.private_bytes);
    csv_text(csv, limit->measured ? "true" : "false");
    csv_text(csv, limit->measured ? "" : verdict_name(limits_row_refusal(row)));
    csv_count(csv, limit->resident);
    csv_count(csv, limit->counted);
    csv_count(csv, limit->passes_at);
    csv_count(csv, limit->passes);
    csv_count(csv, limit->pass_launches);
    csv_count(csv, limit->stalls_at);
    csv_count(csv, limit->stalls);
    csv_count(csv, limit->stall_launches);
    csv_count(csv, limit->discovery_max);
    csv_text(csv, !limit->measured ? "" : limit->agree ? "true" : "false");
    csv_text(csv, !limit->measured ? "" : limit->monotone ? "true" : "false");
    csv_count(csv, limit->duration_ns);
}

/* --- Markdown --- */

static void write_count(FILE *out, uint32_t count)
{
    if (count != 0)
        fprintf(out, " %" PRIu32 " |", count);
    else
        fputs(" - |", out);
}

/* Of a kernel of the user's, what it occupies by its driver. */
static void write_subject(FILE *out, const struct limits_row *row)
{
    const struct subject *subject = &row->limit.footprint.subject;
    char shape[SHAPE_BYTES];

    limits_print_group(subject, shape);
    escape_each(escape_markdown, out, "| ", subject->file, ": ", subject->kernel, NULL);
    fprintf(out, " %s | %" PRIu64 " | %" PRIu64 " |", shape, row->facts.original.local_bytes,
            row->facts.original.private_bytes);
}

static void write_limit(FILE *out, const struct limits_row *row)
{
    const struct limit *limit = &row->limit;
    char resident[RESIDENT_BYTES];

    if (limit->footprint.subject.file[0] != '\0')
        write_subject(out, row);
    else
        fprintf(out, "| %" PRIu32 " | %" PRIu64 " | %" PRIu32 " |", limit->footprint.local_size,
                limit->footprint.local_memory_bytes, limit->footprint.private_bytes);
    limits_print_resident(row, resident);
    fprintf(out, " %s |", resident[0] != '\0' ? resident : "-");
    write_count(out, limit->passes_at);
    write_count(out, limit->stalls_at);
    fprintf(out, " %s", limit->measured ? limiter_name(row->limited_by) : verdict_name(limits_row_refusal(row)));
    if (limit->failed > 0)
        fprintf(out, ", %" PRIu32 " launch%s failed", limit->failed, limit->failed == 1 ? "" : "es");
    fputs(" |\n", out);
}

static void write_markdown(FILE *out, const struct report *report, size_t number)
{
    const struct limits_device *device = &report->limits.devices[number];

    fprintf(out,
            "| work-items | local memory | private | resident groups | %s | limited by |\n"
            "|---:|---:|---:|---:|---:|---:|---|\n",
            limits_is_of_subjects(device) ? "fit | do not fit" : "passes at | stalls at");
    for (size_t i = 0; i < device->count; ++i)
        write_limit(out, &device->rows[i]);
    if (device->safest >= 0)
        fprintf(out, "\nsafe groups: **%" PRIu32 "**\n", device->rows[device->safest].limit.passes_at);
    fputc('\n', out);
}

/* --- Prometheus --- */

static void write_labels(FILE *out, const struct footprint *footprint)
{
    const struct subject *subject = &footprint->subject;
    char shape[SHAPE_BYTES];

    if (subject->file[0] != '\0') {
        limits_print_group(subject, shape);
        prometheus_label(out, ",source", subject->file);
        prometheus_label(out, ",kernel", subject->kernel);
        prometheus_label(out, ",build_options", subject->options);
        prometheus_label(out, ",group", shape);
        return;
    }
    fprintf(out, ",local_size=\"%" PRIu32 "\",local_memory_bytes=\"%" PRIu64 "\",private_bytes=\"%" PRIu32 "\"",
            footprint->local_size, footprint->local_memory_bytes, footprint->private_bytes);
}

/* What is told of each footprint where it is not 0; the last only if a launch failed. */
static const char *const gauges[][2] = {
    {"gridlock_resident_groups", "Work-groups proved to be resident together."},
    {"gridlock_barrier_passes_groups", "Most work-groups over which a barrier of gridlock's passed."},
    {"gridlock_barrier_stalls_groups", "Fewest work-groups over which a barrier of gridlock's stalled."},
    {"gridlock_failed_launches", "Launches that neither passed nor stalled."},
};

static void write_footprints(FILE *out, const struct report *report, int gauge)
{
    prometheus_head(out, gauges[gauge][0], "gauge", gauges[gauge][1]);
    for (size_t i = 0; i < report->limits.count; ++i)
        for (size_t j = 0; j < report->limits.devices[i].count; ++j) {
            const struct limit *limit = &report->limits.devices[i].rows[j].limit;
            const uint32_t counts[] = {limit->resident, limit->passes_at, limit->stalls_at, limit->failed};
            if (counts[gauge] == 0)
                continue;
            prometheus_begin(out, report, i, gauges[gauge][0]);
            write_labels(out, &limit->footprint);
            prometheus_end(out, counts[gauge]);
        }
}

static bool has_failures(const struct report *report)
{
    for (size_t i = 0; i < report->limits.count; ++i)
        for (size_t j = 0; j < report->limits.devices[i].count; ++j)
            if (report->limits.devices[i].rows[j].limit.failed > 0)
                return true;
    return false;
}

static void write_safe_groups(FILE *out, const struct report *report)
{
    bool any = false;

    for (size_t i = 0; i < report->limits.count; ++i) {
        const struct limits_device *device = &report->limits.devices[i];
        if (device->safest < 0)
            continue;
        if (!any)
            prometheus_head(out, "gridlock_safe_groups", "gauge",
                            "Most work-groups over which a barrier passed with every footprint.");
        any = true;
        prometheus_sample(out, report, i, "gridlock_safe_groups", device->rows[device->safest].limit.passes_at);
    }
}

static void write_prometheus(FILE *out, const struct report *report)
{
    write_safe_groups(out, report);
    for (int gauge = 0; gauge < (has_failures(report) ? 4 : 3); ++gauge)
        write_footprints(out, report, gauge);
}

/* --- cases --- */

static void judge_measured(const struct limit *limit, struct report_case *found)
{
    if (!limit->agree || !limit->monotone) {
        found->type = limit->agree ? "not-monotone" : "estimators-disagree";
        found->result = RESULT_FAIL;
    } else if (limit->fails) {
        found->type = verdict_name(limit->failure);
        found->result = verdict_is_failure_of_the_device(limit->failure) ? RESULT_ERROR : RESULT_FAIL;
    } else {
        found->type = "measured";
        found->result = RESULT_PASS;
    }
}

/* The case's result, and its type. */
static void judge_limit(const struct limits_device *device, const struct limits_row *row, struct report_case *found)
{
    const enum verdict refusal = limits_row_refusal(row);

    found->told = row->limit.failed > 0;
    if (row->limit.measured) {
        judge_measured(&row->limit, found);
        return;
    }
    found->type = verdict_name(refusal);
    if (refusal == VERDICT_INCOMPLETE || refusal == VERDICT_INCONCLUSIVE)
        found->result = RESULT_UNKNOWN;
    else if (!limits_row_is_surprise(device, row))
        found->result = RESULT_SKIP;
    else
        found->result = verdict_is_failure_of_the_device(refusal) ? RESULT_ERROR : RESULT_FAIL;
}

static void write_message(FILE *out, const struct report_case *found)
{
    limits_text_evidence(out, found->limit);
}

static void each_case(const struct report *report, size_t number, case_taker *take, void *context)
{
    const struct limits_device *device = &report->limits.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        const struct limits_row *row = &device->rows[i];
        struct report_case found = {
            .suite = "limits",
            .measured = row->limit.resident,
            .unit = "groups",
            .duration_ns = row->limit.duration_ns,
            .limit = row,
            .message = write_message,
        };
        limits_row_name(device, row, found.name, sizeof found.name);
        judge_limit(device, row, &found);
        take(context, &found);
    }
}

/* --- kernels of the user's --- */

static void write_subject_csv(struct csv *csv, const struct report_case *found)
{
    const struct subject *subject = &found->limit->search.footprint.subject;
    char shape[SHAPE_BYTES];

    limits_print_group(subject, shape);
    csv_text(csv, subject->file);
    csv_text(csv, subject->kernel);
    csv_text(csv, subject->options);
    csv_text(csv, shape);
    csv_text(csv, found->limit->limit.measured ? subject_bound_name(found->limit->bound) : "");
    csv_count(csv, found->limit->most);
    csv_count(csv, found->limit->facts.promised_groups);
    write_csv(csv, found);
}

#define COLUMNS                                                                                                        \
    "local_size,local_memory_bytes,private_bytes,measured,not_measured_verdict,resident,census,passes_"                \
    "at,passes,launches_at_passes_at,stalls_at,stalls,launches_at_stalls_at,discovery_max,estimators_"                 \
    "agree,monotone,duration_ns"

const struct report_parts limits_parts = {
    .text = limits_text,
    .json_device = limits_json_device,
    .json_list = "limits",
    .json = limits_json,
    .csv_columns = COLUMNS,
    .csv = write_csv,
    .markdown = write_markdown,
    .prometheus = write_prometheus,
    .each_case = each_case,
};

const struct report_parts subject_parts = {
    .text = limits_text,
    .json_device = limits_json_device,
    .json_list = "limits",
    .json = limits_json,
    .csv_columns = "source,kernel,build_options,group,bound,at_most,promised_groups," COLUMNS,
    .csv = write_subject_csv,
    .markdown = write_markdown,
    .prometheus = write_prometheus,
    .each_case = each_case,
};
