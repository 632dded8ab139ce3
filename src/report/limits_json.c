#include "core/bound.h"
#include "report/devices.h"
#include "report/json.h"
#include "report/limits.h"

static json_t *barrier_object(const struct limits_row *row)
{
    const struct limit *limit = &row->limit;
    json_t *object = json_object();

    json_object_set_new(object, "passes_at", json_count(limit->passes_at));
    json_object_set_new(object, "passes", json_known(limit->passes_at != 0, limit->passes));
    json_object_set_new(object, "launches_at_passes_at", json_known(limit->passes_at != 0, limit->pass_launches));
    json_object_set_new(object, "stalls_at", json_count(limit->stalls_at));
    json_object_set_new(object, "stalls", json_known(limit->stalls_at != 0, limit->stalls));
    json_object_set_new(object, "launches_at_stalls_at", json_known(limit->stalls_at != 0, limit->stall_launches));
    json_object_set_new(object, "stalls_at_reason", json_text(limit->no_stall));
    json_object_set_new(object, "stall_rate_bound_95",
                        limit->passes_at != 0 && limit->passes == limit->pass_launches
                            ? json_real(bound_none_seen(limit->pass_launches))
                            : json_null());
    json_object_set_new(object, "monotone", json_boolean(limit->monotone));
    return object;
}

static json_t *points_array(const struct limits_row *row)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < row->search.point_count; ++i) {
        const struct point *point = &row->search.points[i];
        json_t *object = json_object();
        json_object_set_new(object, "groups", json_integer(point->groups));
        json_object_set_new(object, "launches", json_integer(point->launches));
        json_object_set_new(object, "passes", json_integer(point->passes));
        json_object_set_new(object, "stalls", json_integer(point->stalls));
        json_object_set_new(object, "verdict", json_string(verdict_name(point->worst)));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *resident_ids_object(const struct residency *residency)
{
    json_t *object = json_object();
    json_t *ids = json_array();

    if (residency->count == 0) {
        json_decref(object);
        json_decref(ids);
        return json_null();
    }
    for (uint32_t i = 0; i < residency->count; ++i)
        json_array_append_new(ids, json_integer(residency->ids[i]));
    json_object_set_new(object, "pattern", json_string(pattern_name(residency->pattern)));
    json_object_set_new(object, "start_order", json_string(start_order_name(residency->order)));
    json_object_set_new(object, "ids", ids);
    return object;
}

static json_t *discovery_object(const struct limit *limit)
{
    if (limit->discovery_runs == 0)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "max", json_integer(limit->discovery_max));
    json_object_set_new(object, "mean", json_real(limit->discovery_mean));
    json_object_set_new(object, "launches", json_integer(limit->discovery_runs));
    return object;
}

static json_t *limit_object(const struct limits_row *row)
{
    const struct limit *limit = &row->limit;
    json_t *object = json_object();

    json_object_set_new(object, "local_size", json_integer(limit->footprint.local_size));
    json_object_set_new(object, "local_memory_bytes", json_integer((json_int_t)limit->footprint.local_memory_bytes));
    json_object_set_new(object, "private_bytes", json_integer(limit->footprint.private_bytes));
    json_object_set_new(object, "measured", json_boolean(limit->measured));
    json_object_set_new(object, "not_measured_verdict",
                        limit->measured ? json_null() : json_string(verdict_name(limit->refusal)));
    json_object_set_new(object, "note", json_text(row->note));
    json_object_set_new(object, "resident", json_count(limit->resident));
    json_object_set_new(object, "census", json_count(limit->counted));
    json_object_set_new(object, "census_settled", json_boolean(limit->census_exact));
    json_object_set_new(object, "barrier", barrier_object(row));
    json_object_set_new(object, "points", points_array(row));
    json_object_set_new(object, "resident_ids", resident_ids_object(&row->residency));
    json_object_set_new(object, "limited_by",
                        limit->measured ? json_string(limiter_name(row->limited_by)) : json_null());
    json_object_set_new(object, "discovery", discovery_object(limit));
    json_object_set_new(object, "estimators_agree", json_boolean(limit->agree));
    json_object_set_new(object, "longest_gap_ns", json_count(limit->gap_ns));
    json_object_set_new(object, "duration_ns", json_integer((json_int_t)limit->duration_ns));
    return object;
}

static json_t *device_object(const struct limits_device *device)
{
    json_t *object = json_object();
    json_t *limits = json_array();

    devices_json_describe(object, &device->stored.info, &device->stored.probe);
    json_object_set_new(object, "wedged", json_boolean(device->stored.wedged));
    json_object_set_new(object, "safe_groups",
                        device->safest < 0 ? json_null() : json_integer(device->rows[device->safest].limit.passes_at));
    json_object_set_new(object, "safe_groups_footprint", json_known(device->safest >= 0, (uint64_t)device->safest));
    json_object_set_new(object, "safe_groups_reason",
                        device->safest >= 0 ? json_string("on an otherwise idle device")
                        : device->stored.probe.loops_cut_at != 0
                            ? json_string("the driver ends loops that still wait, so no wait between groups is safe")
                            : json_string("no barrier passed"));
    for (size_t i = 0; i < device->count; ++i)
        json_array_append_new(limits, limit_object(&device->rows[i]));
    json_object_set_new(object, "limits", limits);
    return object;
}

int limits_json(FILE *out, const struct limits_report *report, struct error *error)
{
    json_t *root = json_object();
    json_t *devices = json_array();

    json_object_set_new(root, "schema_version", json_string(JSON_SCHEMA_VERSION));
    for (size_t i = 0; i < report->count; ++i)
        json_array_append_new(devices, device_object(&report->devices[i]));
    json_object_set_new(root, "devices", devices);
    return json_write(out, root, error);
}
