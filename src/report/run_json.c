#include "report/devices.h"
#include "report/json.h"
#include "report/run.h"

static json_t *expected_array(verdict_set expected)
{
    json_t *array = json_array();
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (verdict_is_in((enum verdict)verdict, expected))
            json_array_append_new(array, json_string(verdict_name((enum verdict)verdict)));
    return array;
}

static json_t *counts_object(const struct run_point *point)
{
    json_t *object = json_object();
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (point->counts[verdict] > 0)
            json_object_set_new(object, verdict_name((enum verdict)verdict), json_integer(point->counts[verdict]));
    return object;
}

/* What was seen in the launch that gave the point its verdict. */
static json_t *seen_object(const struct observation *seen)
{
    json_t *object = json_object();
    json_object_set_new(object, "started", json_known(seen->board_read, seen->started));
    json_object_set_new(object, "waiting", json_known(seen->board_read, seen->waiting));
    json_object_set_new(object, "done", json_known(seen->board_read, seen->done));
    json_object_set_new(object, "witnesses", json_known(seen->board_read, seen->witnesses));
    json_object_set_new(
        object, "never_started",
        json_known(seen->waitfor.never_started != WAITFOR_NOBODY && seen->board_read, seen->waitfor.never_started));
    json_object_set_new(
        object, "circle_at",
        json_known(seen->waitfor.circle_at != WAITFOR_NOBODY && seen->board_read, seen->waitfor.circle_at));
    json_object_set_new(object, "checked", json_known(seen->board_read, seen->checked));
    json_object_set_new(object, "stale", json_known(seen->board_read, seen->stale));
    json_object_set_new(object, "wrong", json_known(seen->board_read, seen->wrong));
    json_object_set_new(object, "differing", json_known(seen->board_read, seen->differing));
    return object;
}

/* The shape that was asked for, and how the range was divided; null: it was launched over groups. */
static json_t *range_object(const struct run_point *point)
{
    char shape[SHAPE_BYTES];
    json_t *object, *global = json_array(), *took = json_array();

    if (point->range.dimensions == 0) {
        json_decref(global);
        json_decref(took);
        return json_null();
    }
    object = json_object();
    nd_range_print_shape(&point->range, shape);
    for (uint32_t i = 0; i < point->range.dimensions; ++i) {
        json_array_append_new(global, json_integer((json_int_t)point->range.global[i]));
        json_array_append_new(took, json_integer(point->observation.shape[i]));
    }
    json_object_set_new(object, "shape", json_string(shape));
    json_object_set_new(object, "global", global);
    json_object_set_new(object, "first_group", took);
    json_object_set_new(object, "launched_groups", json_count(point->observation.launched));
    return object;
}

static json_t *point_object(const struct run_point *point)
{
    json_t *object = json_object();
    json_object_set_new(object, "id", json_text(point->id));
    json_object_set_new(object, "groups", json_integer(point->groups));
    json_object_set_new(object, "local_size", json_integer(point->local_size));
    json_object_set_new(object, "resident", json_count(point->resident));
    json_object_set_new(object, "expected", point->expected != 0 ? expected_array(point->expected) : json_null());
    json_object_set_new(object, "verdict", json_string(verdict_name(point->verdict)));
    json_object_set_new(object, "surprise", json_boolean(point->surprise));
    json_object_set_new(object, "known",
                        point->known_failure ? json_string("failure")
                        : point->known_flake ? json_string("flake")
                                             : json_null());
    json_object_set_new(object, "batches", json_integer(point->batches));
    json_object_set_new(object, "surprising_batches", json_integer(point->surprising_batches));
    json_object_set_new(object, "launches", json_integer(point->launches));
    json_object_set_new(object, "verdicts", counts_object(point));
    json_object_set_new(object, "seen", seen_object(&point->observation));
    json_object_set_new(object, "fastest_ns", json_count(point->fastest_ns));
    json_object_set_new(object, "fastest_host_ns", json_count(point->fastest_host_ns));
    json_object_set_new(object, "range", range_object(point));
    json_object_set_new(object, "kernel_max_local_size", json_count(point->most_items));
    json_object_set_new(object, "kernel_preferred_multiple", json_count(point->multiple_items));
    json_object_set_new(object, "note", json_text(point->note));
    return object;
}

static json_t *scenario_object(const struct run_scenario *scenario)
{
    struct run_safety safety;
    json_t *object = json_object();
    json_t *points = json_array();

    run_scenario_safety(scenario, &safety);
    json_object_set_new(object, "name", json_text(scenario->name));
    json_object_set_new(object, "safe_groups", json_count(safety.safe != NULL ? safety.safe->groups : 0));
    json_object_set_new(object, "safe_groups_resident", json_count(safety.safe != NULL ? safety.safe->resident : 0));
    json_object_set_new(object, "unsafe_groups", json_count(safety.unsafe != NULL ? safety.unsafe->groups : 0));
    json_object_set_new(object, "unsafe_verdict",
                        safety.unsafe != NULL ? json_string(verdict_name(safety.unsafe->verdict)) : json_null());
    json_object_set_new(object, "mutant_caught",
                        run_scenario_is_mutant(scenario) ? json_boolean(run_scenario_is_caught(scenario))
                                                         : json_null());
    json_object_set_new(object, "surprises", json_integer(safety.surprises));
    json_object_set_new(object, "unpredicted", json_integer(safety.unpredicted));
    json_object_set_new(object, "unsupported", json_integer(safety.unsupported));
    for (size_t i = 0; i < scenario->count; ++i)
        json_array_append_new(points, point_object(&scenario->points[i]));
    json_object_set_new(object, "points", points);
    json_object_set_new(object, "duration_ns", json_integer((json_int_t)scenario->duration_ns));
    return object;
}

static json_t *device_object(const struct run_device *device)
{
    json_t *object = json_object();
    json_t *scenarios = json_array();

    devices_json_describe(object, &device->stored.info, &device->stored.probe);
    json_object_set_new(object, "wedged", json_boolean(device->stored.wedged));
    json_object_set_new(object, "trials", json_integer(device->trials));
    json_object_set_new(object, "launches", json_integer((json_int_t)device->launches));
    for (size_t i = 0; i < device->count; ++i)
        json_array_append_new(scenarios, scenario_object(&device->scenarios[i]));
    json_object_set_new(object, "scenarios", scenarios);
    return object;
}

int run_json(FILE *out, const struct run_report *report, struct error *error)
{
    json_t *root = json_object();
    json_t *devices = json_array();

    json_object_set_new(root, "schema_version", json_string(JSON_SCHEMA_VERSION));
    for (size_t i = 0; i < report->count; ++i)
        json_array_append_new(devices, device_object(&report->devices[i]));
    json_object_set_new(root, "devices", devices);
    return json_write(out, root, error);
}
