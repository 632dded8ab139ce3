#include "format/compare.h"
#include "format/json_writer.h"

static void write_point(struct json_writer *json, const struct compare_point *point)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "id", point->id);
    json_writer_text(json, "change", change_name(point->change));
    json_writer_bool(json, "publication", point->publication);
    json_writer_set(json, "before", &verdict_naming, point->before);
    json_writer_set(json, "after", &verdict_naming, point->after);
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

static void write_device(struct json_writer *json, const struct compare_device *device)
{
    const struct device_info *info = device->in_after ? &device->after : &device->before;

    json_writer_open(json, NULL, '{');
    json_writer_text(json, "platform", info->platform);
    json_writer_text(json, "name", info->name);
    json_writer_text(json, "name_before", device->in_before ? device->before.name : NULL);
    json_writer_text(json, "paired_by", pairing_name(device->paired_by));
    json_writer_text(json, "driver_before", device->in_before ? device->before.driver_version : NULL);
    json_writer_text(json, "driver_after", device->in_after ? device->after.driver_version : NULL);
    json_writer_integer(json, "same", device->same);
    json_writer_open(json, "points", '[');
    for (size_t i = 0; i < device->point_count; ++i)
        write_point(json, &device->points[i]);
    json_writer_close(json, ']');
    json_writer_open(json, "limits", '[');
    for (size_t i = 0; i < device->limit_count; ++i)
        write_limit(json, &device->limits[i]);
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

void compare_json(FILE *out, const struct comparison *comparison)
{
    struct json_writer json = json_writer_begin(out);

    json_writer_bool(&json, "regression", comparison_has_regression(comparison));
    json_writer_open(&json, "devices", '[');
    for (size_t i = 0; i < comparison->count; ++i)
        write_device(&json, &comparison->devices[i]);
    json_writer_close(&json, ']');
    json_writer_end(&json);
}
