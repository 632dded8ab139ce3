#include "format/kind.h"
#include "format/limits.h"

static void write_barrier(struct json_writer *json, const struct limit *limit)
{
    const bool passed = limit->passes_at != 0, stalled = limit->stalls_at != 0;

    json_writer_open(json, "barrier", '{');
    json_writer_count(json, "passes_at", limit->passes_at);
    json_writer_known(json, "passes", passed, limit->passes);
    json_writer_known(json, "launches_at_passes_at", passed, limit->pass_launches);
    json_writer_count(json, "stalls_at", limit->stalls_at);
    json_writer_known(json, "stalls", stalled, limit->stalls);
    json_writer_known(json, "launches_at_stalls_at", stalled, limit->stall_launches);
    json_writer_text(json, "stalls_at_reason", limit->no_stall);
    if (passed && limit->passes == limit->pass_launches)
        json_writer_real(json, "stall_rate_bound_95", bound_none_seen(limit->pass_launches));
    else
        json_writer_null(json, "stall_rate_bound_95");
    json_writer_bool(json, "monotone", limit->monotone);
    json_writer_close(json, '}');
}

static void write_points(struct json_writer *json, const struct search *search)
{
    json_writer_open(json, "points", '[');
    for (uint32_t i = 0; i < search->point_count; ++i) {
        const struct point *point = &search->points[i];
        json_writer_open(json, NULL, '{');
        json_writer_integer(json, "groups", point->groups);
        json_writer_integer(json, "launches", point->launches);
        json_writer_integer(json, "passes", point->passes);
        json_writer_integer(json, "stalls", point->stalls);
        json_writer_text(json, "verdict", verdict_name(point->worst));
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

/* Only if there are any. */
static void write_failures(struct json_writer *json, const struct search *search)
{
    size_t at = 0;
    const struct failures *failures = search_failures(search, &at);

    if (failures == NULL)
        return;
    json_writer_open(json, "failures", '[');
    for (; failures != NULL; failures = search_failures(search, &at)) {
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "estimator", trial_kind_name(failures->kind));
        json_writer_integer(json, "groups", failures->groups);
        json_writer_integer(json, "launches", failures->launches);
        json_writer_integer(json, "failed", failures->failed);
        json_writer_text(json, "verdict", verdict_name(failures->verdict));
        json_writer_bool(json, "fails_again", failures->in_a_row > 0);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_resident_ids(struct json_writer *json, const struct residency *residency)
{
    if (!json_writer_open_known(json, "resident_ids", residency->count > 0))
        return;
    json_writer_text(json, "pattern", pattern_name(residency->pattern));
    json_writer_text(json, "start_order", start_order_name(residency->order));
    json_writer_open(json, "ranges", '[');
    for (uint32_t i = 0; i < residency->range_count; ++i) {
        json_writer_open_line(json, NULL, '[');
        json_writer_integer(json, NULL, residency->ranges[i].first);
        json_writer_integer(json, NULL, residency->ranges[i].last);
        json_writer_close_line(json, ']');
    }
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

static void write_discovery(struct json_writer *json, const struct limit *limit)
{
    if (!json_writer_open_known(json, "discovery", limit->discovery_runs > 0))
        return;
    json_writer_integer(json, "max", limit->discovery_max);
    json_writer_real(json, "mean", limit->discovery_mean);
    json_writer_integer(json, "launches", limit->discovery_runs);
    json_writer_close(json, '}');
}

static void write_facts(struct json_writer *json, const char *name, const struct kernel_facts *facts)
{
    json_writer_open(json, name, '{');
    json_writer_integer(json, "local_memory_bytes", facts->local_bytes);
    json_writer_integer(json, "private_memory_bytes", facts->private_bytes);
    json_writer_integer(json, "max_local_size", facts->most_items);
    json_writer_count(json, "registers", facts->registers == REGISTERS_UNTOLD ? 0 : facts->registers);
    json_writer_close(json, '}');
}

/* Nothing, of another footprint. */
static void write_subject(struct json_writer *json, const struct limits_row *row)
{
    const struct subject *subject = &row->search.footprint.subject;
    const struct subject_facts *facts = &row->facts;
    char shape[SHAPE_BYTES], remark[LIMITS_REMARK];

    if (subject->file[0] == '\0')
        return;
    limits_print_group(subject, shape);
    json_writer_open(json, "kernel", '{');
    json_writer_text(json, "source", subject->file);
    json_writer_text(json, "name", subject->kernel);
    json_writer_text(json, "build_options", subject->options);
    json_writer_text(json, "group", shape);
    json_writer_text(json, "local_arguments", subject->locals);
    json_writer_text(json, "local_arguments_taken", facts->sizes);
    json_writer_text(json, "remark", limits_row_remark(row, remark) ? remark : NULL);
    json_writer_count(json, "promised_groups", facts->promised_groups);
    json_writer_text(json, "bound", row->limit.measured ? subject_bound_name(row->bound) : NULL);
    json_writer_count(json, "at_most", row->most);
    json_writer_text(json, "entry", facts->way == ENTRY_NONE ? NULL : entry_way_name(facts->way));
    if (facts->way != ENTRY_NONE) {
        write_facts(json, "original", &facts->original);
        write_facts(json, "launched", &facts->measured);
    }
    json_writer_close(json, '}');
}

static void write_row(struct json_writer *json, const struct limits_row *row)
{
    const struct limit *limit = &row->limit;

    json_writer_integer(json, "local_size", limit->footprint.local_size);
    json_writer_integer(json, "local_memory_bytes", limit->footprint.local_memory_bytes);
    json_writer_integer(json, "private_bytes", limit->footprint.private_bytes);
    write_subject(json, row);
    json_writer_set(json, "left_out", &optional_naming, row->left_out);
    json_writer_bool(json, "measured", limit->measured);
    json_writer_text(json, "not_measured_verdict", limit->measured ? NULL : verdict_name(limits_row_refusal(row)));
    json_writer_text(json, "note", row->note);
    json_writer_count(json, "resident", limit->resident);
    json_writer_count(json, "census", limit->counted);
    json_writer_bool(json, "census_settled", limit->census_exact);
    write_barrier(json, limit);
    write_points(json, &row->search);
    write_failures(json, &row->search);
    write_resident_ids(json, &row->residency);
    json_writer_text(json, "limited_by", limit->measured ? limiter_name(row->limited_by) : NULL);
    write_discovery(json, limit);
    json_writer_bool(json, "estimators_agree", limit->agree);
    json_writer_bool(json, "incomplete", row->incomplete);
    json_writer_count(json, "longest_gap_ns", limit->gap_ns);
    json_writer_integer(json, "duration_ns", limit->duration_ns);
}

static const char *safe_reason(const struct limits_device *device)
{
    if (device->safest >= 0)
        return "on an otherwise idle device";
    if (device->stored.probe.loops_cut_at != 0)
        return "the driver ends loops that still wait, so no wait between groups is safe";
    if (limits_is_of_subjects(device))
        return "how many groups fit does not tell whether those of a kernel may wait";
    return limits_came_to_an_end(device) ? "no barrier passed" : "nothing was measured";
}

void limits_json_device(struct json_writer *json, const struct report *report, size_t number)
{
    const struct limits_device *device = &report->limits.devices[number];
    const bool safe = device->safest >= 0;

    json_writer_known(json, "safe_groups", safe, safe ? device->rows[device->safest].limit.passes_at : 0);
    json_writer_known(json, "safe_groups_footprint", safe, safe ? (uint64_t)device->safest : 0);
    json_writer_text(json, "safe_groups_reason", safe_reason(device));
}

void limits_json(struct rows *rows, const struct report *report, size_t number)
{
    const struct limits_device *device = &report->limits.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        rows_open(rows, "limit");
        write_row(&rows->json, &device->rows[i]);
        rows_close(rows);
    }
}
