#include "format/compare.h"
#include "format/devices.h"

static void write_point(struct json_writer *json, const struct compare_point *point)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "id", point->id);
    json_writer_text(json, "change", change_name(point->change));
    json_writer_bool(json, "publication", point->publication);
    json_writer_set(json, "before", point->naming, point->before);
    json_writer_set(json, "after", point->naming, point->after);
    json_writer_set(json, "expected", &verdict_naming, point->expected);
    json_writer_close(json, '}');
}

static void write_limit(struct json_writer *json, const struct compare_limit *limit)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "line", limit->line);
    json_writer_count(json, "before", limit->before);
    json_writer_count(json, "after", limit->after);
    json_writer_close(json, '}');
}

static void write_points(struct json_writer *json, const struct compare_device *device)
{
    json_writer_integer(json, "same", device->same);
    json_writer_open(json, "points", '[');
    for (size_t i = 0; i < device->point_count; ++i)
        write_point(json, &device->points[i]);
    json_writer_close(json, ']');
    json_writer_open(json, "limits", '[');
    for (size_t i = 0; i < device->limit_count; ++i)
        write_limit(json, &device->limits[i]);
    json_writer_close(json, ']');
}

static void write_device(struct json_writer *json, const struct compare_device *device, bool of_tests)
{
    const struct device_info *before = device->before, *after = device->after;
    const struct device_info *info = after != NULL ? after : before;

    json_writer_open(json, NULL, '{');
    json_writer_text(json, "platform", info->platform);
    json_writer_text(json, "name", info->name);
    devices_json_which(json, info);
    json_writer_text(json, "name_before", before != NULL ? before->name : NULL);
    if (before != NULL && before->number != 0)
        json_writer_integer(json, "number_before", before->number);
    json_writer_text(json, "paired_by", pairing_name(device->paired_by));
    json_writer_text(json, "driver_before", before != NULL ? before->driver_version : NULL);
    json_writer_text(json, "driver_after", after != NULL ? after->driver_version : NULL);
    if (of_tests)
        compare_progress_json(json, &device->progress);
    else
        write_points(json, device);
    json_writer_close(json, '}');
}

void compare_json(FILE *out, const struct comparison *comparison)
{
    struct json_writer json = json_writer_begin(out);

    json_writer_bool(&json, "regression", comparison_has_regression(comparison));
    json_writer_bool(&json, "complete", comparison_is_complete(comparison));
    json_writer_open(&json, "devices", '[');
    for (size_t i = 0; i < comparison->count; ++i)
        write_device(&json, &comparison->devices[i], comparison->of_tests);
    json_writer_close(&json, ']');
    json_writer_end(&json);
}
