/* JSON Lines: one object a line, with its type; first the runs, then each device, followed by what was found on it. */
#include "format/format.h"
#include "format/limits.h"
#include "format/progress.h"
#include "format/run.h"

static void open_line(struct json_writer *json, const char *type)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "schema_version", JSON_SCHEMA_VERSION);
    json_writer_text(json, "type", type);
}

static void close_line(struct json_writer *json)
{
    json_writer_end(json);
}

static void write_head(struct json_writer *json, const struct report *report, const struct report_head *head)
{
    static const char *const kinds[] = {
        [REPORT_RUN] = "run", [REPORT_LIMITS] = "limits", [REPORT_PROGRESS] = "progress"};

    open_line(json, "run");
    json_writer_text(json, "of", kinds[report->kind]);
    json_writer_text(json, "uuid", head->uuid);
    json_writer_text(json, "tool_version", head->tool_version);
    json_writer_text(json, "command_line", head->command_line);
    json_writer_text(json, "host", head->host);
    json_writer_integer(json, "started_ms", head->started_ms > 0 ? (uint64_t)head->started_ms : 0);
    close_line(json);
}

static void write_run(struct json_writer *json, const struct run_device *device, size_t number)
{
    open_line(json, "device");
    json_writer_integer(json, "device", number);
    run_json_device(json, device);
    close_line(json);
    for (size_t i = 0; i < device->count; ++i) {
        const struct run_scenario *scenario = &device->scenarios[i];
        open_line(json, "scenario");
        json_writer_integer(json, "device", number);
        run_json_scenario(json, scenario);
        close_line(json);
        for (size_t j = 0; j < scenario->count; ++j) {
            open_line(json, "point");
            json_writer_integer(json, "device", number);
            json_writer_text(json, "scenario", scenario->name);
            run_json_point(json, &scenario->points[j]);
            json_writer_integer(json, "duration_ns", scenario->points[j].duration_ns);
            close_line(json);
        }
    }
}

static void write_limits(struct json_writer *json, const struct limits_device *device, size_t number)
{
    open_line(json, "device");
    json_writer_integer(json, "device", number);
    limits_json_device(json, device);
    close_line(json);
    for (size_t i = 0; i < device->count; ++i) {
        open_line(json, "limit");
        json_writer_integer(json, "device", number);
        limits_json_row(json, &device->rows[i]);
        close_line(json);
    }
}

static void write_progress(struct json_writer *json, const struct report *report, size_t number)
{
    const struct progress_device *device = &report->progress.devices[number];

    open_line(json, "device");
    json_writer_integer(json, "device", number);
    progress_json_device(json, device);
    close_line(json);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            open_line(json, "model");
            json_writer_integer(json, "device", number);
            json_writer_bool(json, "expected", report->expectation.models[model][fairness]);
            progress_json_standing(json, &device->classification, model, fairness);
            close_line(json);
        }
}

int report_write_jsonl(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct json_writer json = {.out = out};

    (void)style;
    (void)error;
    for (size_t i = 0; i < report->head_count; ++i)
        write_head(&json, report, &report->heads[i]);
    for (size_t i = 0; i < report_device_count(report); ++i)
        if (report->kind == REPORT_LIMITS)
            write_limits(&json, &report->limits.devices[i], i);
        else if (report->kind == REPORT_PROGRESS)
            write_progress(&json, report, i);
        else
            write_run(&json, &report->run.devices[i], i);
    return 0;
}
