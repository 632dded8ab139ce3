#include "format/compare.h"
#include "format/json.h"

static json_t *verdict_array(verdict_set set)
{
    json_t *array = json_array();
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (verdict_is_in((enum verdict)verdict, set))
            json_array_append_new(array, json_string(verdict_name((enum verdict)verdict)));
    return array;
}

static json_t *point_object(const struct compare_point *point)
{
    json_t *object = json_object();
    json_object_set_new(object, "id", json_text(point->id));
    json_object_set_new(object, "change", json_string(change_name(point->change)));
    json_object_set_new(object, "publication", json_boolean(point->publication));
    json_object_set_new(object, "before", verdict_array(point->before));
    json_object_set_new(object, "after", verdict_array(point->after));
    json_object_set_new(object, "expected", verdict_array(point->expected));
    return object;
}

static json_t *device_object(const struct compare_device *device)
{
    const struct device_info *info = device->in_after ? &device->after : &device->before;
    json_t *object = json_object(), *points = json_array(), *limits = json_array();

    for (size_t i = 0; i < device->point_count; ++i)
        json_array_append_new(points, point_object(&device->points[i]));
    for (size_t i = 0; i < device->limit_count; ++i) {
        json_t *limit = json_object();
        json_object_set_new(limit, "line", json_text(device->limits[i].line));
        json_object_set_new(limit, "before", json_count(device->limits[i].before));
        json_object_set_new(limit, "after", json_count(device->limits[i].after));
        json_array_append_new(limits, limit);
    }
    json_object_set_new(object, "platform", json_text(info->platform));
    json_object_set_new(object, "name", json_text(info->name));
    json_object_set_new(object, "driver_before",
                        device->in_before ? json_text(device->before.driver_version) : json_null());
    json_object_set_new(object, "driver_after",
                        device->in_after ? json_text(device->after.driver_version) : json_null());
    json_object_set_new(object, "same", json_integer((json_int_t)device->same));
    json_object_set_new(object, "points", points);
    json_object_set_new(object, "limits", limits);
    return object;
}

int compare_json(FILE *out, const struct comparison *comparison, struct error *error)
{
    json_t *object = json_object(), *devices = json_array();

    for (size_t i = 0; i < comparison->count; ++i)
        json_array_append_new(devices, device_object(&comparison->devices[i]));
    json_object_set_new(object, "schema_version", json_string(JSON_SCHEMA_VERSION));
    json_object_set_new(object, "regression", json_boolean(comparison_has_regression(comparison)));
    json_object_set_new(object, "devices", devices);
    return json_write(out, object, error);
}
