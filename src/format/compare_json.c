#include "format/compare.h"
#include "format/devices.h"
#include "format/progress.h"
#include "litmus/form.h"

static void write_point(struct json_writer *json, const struct compare_point *point)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "id", point->id);
    json_writer_text(json, "change", change_name(point->change));
    json_writer_bool(json, "publication", point->publication);
    json_writer_bool(json, "follows", point->cause != COMPARE_NO_CAUSE);
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

static void write_counts(struct json_writer *json, const struct compare_counts *counts)
{
    json_writer_open(json, "counts", '{');
    json_writer_integer(json, "worse", counts->worse);
    json_writer_integer(json, "better", counts->better);
    json_writer_integer(json, "changed", counts->changed);
    json_writer_integer(json, "same", counts->same);
    json_writer_integer(json, "missing", counts->missing);
    json_writer_integer(json, "new", counts->new);
    json_writer_integer(json, "follow", counts->follow);
    json_writer_close(json, '}');
}

static void write_cause(struct json_writer *json, const struct compare_cause *cause)
{
    json_writer_open(json, NULL, '{');
    json_writer_count(json, "before", cause->before);
    json_writer_count(json, "after", cause->after);
    json_writer_integer(json, "limits", cause->limits);
    json_writer_integer(json, "points", cause->points);
    json_writer_close(json, '}');
}

static void write_points(struct json_writer *json, const struct compare_device *device)
{
    const struct compare_counts counts = compare_count(device);

    write_counts(json, &counts);
    json_writer_integer(json, "same", device->same);
    json_writer_open(json, "causes", '[');
    for (size_t i = 0; i < device->cause_count; ++i)
        write_cause(json, &device->causes[i]);
    json_writer_close(json, ']');
    json_writer_open(json, "points", '[');
    for (size_t i = 0; i < device->point_count; ++i)
        write_point(json, &device->points[i]);
    json_writer_close(json, ']');
    json_writer_open(json, "limits", '[');
    for (size_t i = 0; i < device->limit_count; ++i)
        write_limit(json, &device->limits[i]);
    json_writer_close(json, ']');
}

/* --- of litmus tests --- */

/* Of the tests that are in both runs. */
static void write_seen(struct json_writer *json, const char *name, const struct events_seen *sample)
{
    json_writer_open(json, name, '{');
    json_writer_integer(json, "launches", sample->launches);
    json_writer_integer(json, "refuting", sample->events);
    json_writer_close(json, '}');
}

static void write_model(struct json_writer *json, const struct compare_progress_device *device, enum litmus_model model,
                        enum litmus_fairness fairness)
{
    const struct litmus_standing *before = &device->before->classification.standings[model][fairness];
    const struct litmus_standing *after = &device->after->classification.standings[model][fairness];
    static const char *const changes[] = {
        [MODEL_SAME] = "none", [MODEL_BROKEN] = "regression", [MODEL_KEPT] = "fix", [MODEL_BY_CHANCE] = "chance"};
    const bool broken = litmus_is_broken(after);
    char program[LITMUS_TEXT];

    litmus_text(&after->reason.program, program);
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "model", litmus_model_name(model));
    json_writer_text(json, "fairness", litmus_fairness_name(fairness));
    json_writer_text(json, "change", changes[compare_model(device, model, fairness)]);
    json_writer_text(json, "before", progress_standing_word(before));
    json_writer_text(json, "after", progress_standing_word(after));
    write_seen(json, "seen_before", &device->seen_before[model][fairness]);
    write_seen(json, "seen_after", &device->seen_after[model][fairness]);
    json_writer_text(json, "program", broken ? program : NULL);
    json_writer_text(json, "mapping", broken ? mapping_name(after->reason.mapping.kind) : NULL);
    json_writer_close(json, '}');
}

static void write_models(struct json_writer *json, const struct compare_progress_device *device)
{
    const bool in_both = device->before != NULL && device->after != NULL;

    json_writer_open(json, "models", '[');
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            if (in_both && compare_model(device, model, fairness) != MODEL_SAME)
                write_model(json, device, model, fairness);
    json_writer_close(json, ']');
}

static void write_tests(struct json_writer *json, const struct compare_progress_device *device)
{
    json_writer_open(json, "tests", '[');
    for (size_t i = 0; i < device->test_count; ++i) {
        const struct compare_test *test = &device->tests[i];
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "program", test->program);
        json_writer_text(json, "mapping", mapping_name(test->mapping.kind));
        json_writer_integer(json, "seed", test->mapping.seed);
        json_writer_text(json, "engine", engine_name(test->engine));
        json_writer_integer(json, "local_size", test->local_size);
        json_writer_bool(json, "guarded", test->guarded);
        json_writer_text(json, "before", test->stalls ? "ended" : "stalled");
        json_writer_text(json, "after", test->stalls ? "stalled" : "ended");
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

/* 0 is written as null: none was found, or it is not in the run. */
static void write_start_limit(struct json_writer *json, const char *name, const struct progress_device *device)
{
    json_writer_open(json, name, '{');
    json_writer_count(json, "passes", device != NULL ? limit_search_passes(&device->limit) : 0);
    json_writer_count(json, "stalls", device != NULL ? limit_search_result(&device->limit) : 0);
    json_writer_close(json, '}');
}

static void write_progress(struct json_writer *json, const struct compare_progress_device *device)
{
    json_writer_text(json, "level", level_name(device->level));
    json_writer_integer(json, "same", device->same);
    json_writer_integer(json, "undecided", device->undecided);
    json_writer_integer(json, "only_before", device->only_before);
    json_writer_integer(json, "only_after", device->only_after);
    write_models(json, device);
    write_start_limit(json, "limit_before", device->before);
    write_start_limit(json, "limit_after", device->after);
    write_tests(json, device);
}

/* --- all --- */

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
        write_progress(json, &device->progress);
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
