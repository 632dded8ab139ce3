/* For the textfile collector of Prometheus' node exporter. All samples of a metric stand together. */
#include "format/escape.h"
#include "format/format.h"

#include <inttypes.h>

static void head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void label(FILE *out, const char *name, const char *value)
{
    fprintf(out, "%s=\"", name);
    escape_label(out, value);
    fputc('"', out);
}

/* name{device="...",...: the labels that tell devices apart. */
static void begin_sample(FILE *out, const struct report *report, size_t device, const char *name)
{
    const struct device_info *info = &report_device(report, device)->info;

    fprintf(out, "%s{", name);
    label(out, "device", info->name);
    fputc(',', out);
    label(out, "platform", info->platform);
    fputc(',', out);
    label(out, "driver", info->driver_version);
    fprintf(out, ",ordinal=\"%zu\"", report_device_ordinal(report, device));
}

static void end_sample(FILE *out, uint64_t value)
{
    fprintf(out, "} %" PRIu64 "\n", value);
}

/* --- the run --- */

static void write_started(FILE *out, const struct report *report)
{
    head(out, "gridlock_run_started_timestamp_seconds", "gauge", "When the run was begun.");
    for (size_t i = 0; i < report->head_count; ++i) {
        const struct report_head *run = &report->heads[i];
        fputs("gridlock_run_started_timestamp_seconds{", out);
        label(out, "uuid", run->uuid);
        fputc(',', out);
        label(out, "version", run->tool_version);
        fputs("} ", out);
        escape_decimal(out, (double)run->started_ms / 1000.0, 3);
        fputc('\n', out);
    }
}

static void write_devices(FILE *out, const struct report *report)
{
    head(out, "gridlock_compute_units", "gauge", "Compute units of the device.");
    for (size_t i = 0; i < report_device_count(report); ++i) {
        begin_sample(out, report, i, "gridlock_compute_units");
        end_sample(out, report_device(report, i)->info.compute_units);
    }
    head(out, "gridlock_device_wedged", "gauge", "1 if the device stopped working during the run.");
    for (size_t i = 0; i < report_device_count(report); ++i) {
        begin_sample(out, report, i, "gridlock_device_wedged");
        end_sample(out, report_device(report, i)->wedged);
    }
}

/* --- scenarios --- */

enum safety_metric { SAFE_GROUPS, RESIDENT_GROUPS, UNSAFE_GROUPS };

static void write_safety(FILE *out, const struct report *report, const char *name, const char *help,
                         enum safety_metric metric)
{
    head(out, name, "gauge", help);
    for (size_t i = 0; i < report->run.count; ++i)
        for (size_t j = 0; j < report->run.devices[i].count; ++j) {
            const struct run_scenario *scenario = &report->run.devices[i].scenarios[j];
            struct run_safety safety;
            run_scenario_safety(scenario, &safety);
            const struct run_point *point = metric == UNSAFE_GROUPS ? safety.unsafe : safety.safe;
            if (point == NULL || (metric == RESIDENT_GROUPS && point->batches.resident == 0))
                continue;
            begin_sample(out, report, i, name);
            fputc(',', out);
            label(out, "scenario", scenario->name);
            end_sample(out, metric == RESIDENT_GROUPS ? point->batches.resident : point->groups);
        }
}

enum { EXPECTED, SURPRISE, KNOWN, UNPREDICTED, EXPECTATIONS };
static int outcome_of(const struct run_point *point)
{
    if (point->batches.surprise ? point->known_flake : point->known_failure && point->batches.as_known)
        return KNOWN;
    if (point->batches.surprise)
        return SURPRISE;
    return point->batches.expected != 0 ? EXPECTED : UNPREDICTED;
}

typedef uint64_t point_counts[VERDICT_COUNT][EXPECTATIONS];

static void write_counts(FILE *out, const struct report *report, size_t device, const char *scenario,
                         point_counts counts)
{
    static const char *const names[] = {"expected", "surprise", "known", "unpredicted"};

    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        for (int i = 0; i < EXPECTATIONS; ++i) {
            if (counts[verdict][i] == 0)
                continue;
            begin_sample(out, report, device, "gridlock_points_total");
            fputc(',', out);
            label(out, "scenario", scenario);
            fprintf(out, ",verdict=\"%s\",outcome=\"%s\"", verdict_name((enum verdict)verdict), names[i]);
            end_sample(out, counts[verdict][i]);
        }
}

static void write_points(FILE *out, const struct report *report)
{
    head(out, "gridlock_points_total", "counter", "Points of scenarios, by what they came to.");
    for (size_t i = 0; i < report->run.count; ++i)
        for (size_t j = 0; j < report->run.devices[i].count; ++j) {
            const struct run_scenario *scenario = &report->run.devices[i].scenarios[j];
            point_counts counts = {{0}};
            for (size_t k = 0; k < scenario->count; ++k) {
                const struct run_point *point = &scenario->points[k];
                counts[point->batches.verdict][outcome_of(point)] += 1;
            }
            write_counts(out, report, i, scenario->name, counts);
        }
}

/* --- limits --- */

static void write_footprints(FILE *out, const struct report *report, const char *name, const char *help,
                             uint32_t (*value)(const struct limit *limit))
{
    head(out, name, "gauge", help);
    for (size_t i = 0; i < report->limits.count; ++i)
        for (size_t j = 0; j < report->limits.devices[i].count; ++j) {
            const struct limit *limit = &report->limits.devices[i].rows[j].limit;
            if (value(limit) == 0)
                continue;
            begin_sample(out, report, i, name);
            fprintf(out, ",local_size=\"%" PRIu32 "\",local_memory_bytes=\"%" PRIu64 "\",private_bytes=\"%" PRIu32 "\"",
                    limit->footprint.local_size, limit->footprint.local_memory_bytes, limit->footprint.private_bytes);
            end_sample(out, value(limit));
        }
}

static uint32_t resident(const struct limit *limit)
{
    return limit->resident;
}

static uint32_t passes_at(const struct limit *limit)
{
    return limit->passes_at;
}

static uint32_t stalls_at(const struct limit *limit)
{
    return limit->stalls_at;
}

static uint32_t failed(const struct limit *limit)
{
    return limit->failed;
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
    head(out, "gridlock_safe_groups", "gauge", "Most work-groups over which a barrier passed with every footprint.");
    for (size_t i = 0; i < report->limits.count; ++i) {
        const struct limits_device *device = &report->limits.devices[i];
        if (device->safest < 0)
            continue;
        begin_sample(out, report, i, "gridlock_safe_groups");
        end_sample(out, device->rows[device->safest].limit.passes_at);
    }
}

/* --- progress --- */

/* Calls `write` for each model and fairness of each device. */
static void each_standing(FILE *out, const struct report *report,
                          void (*write)(FILE *out, const struct report *report, size_t device, enum litmus_model model,
                                        enum litmus_fairness fairness))
{
    for (size_t i = 0; i < report->progress.count; ++i)
        for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
            for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
                write(out, report, i, model, fairness);
}

static void begin_standing(FILE *out, const struct report *report, size_t device, const char *name,
                           enum litmus_model model, enum litmus_fairness fairness)
{
    begin_sample(out, report, device, name);
    fprintf(out, ",model=\"%s\",fairness=\"%s\"", litmus_model_name(model), litmus_fairness_name(fairness));
}

static void write_broken(FILE *out, const struct report *report, size_t device, enum litmus_model model,
                         enum litmus_fairness fairness)
{
    const struct litmus_standing *standing =
        &report->progress.devices[device].classification.standings[model][fairness];

    if (standing->guaranteed == 0 && !litmus_is_broken(standing))
        return;
    begin_standing(out, report, device, "gridlock_model_broken", model, fairness);
    end_sample(out, litmus_is_broken(standing));
}

static void write_tests(FILE *out, const struct report *report, size_t device, enum litmus_model model,
                        enum litmus_fairness fairness)
{
    static const char *const outcomes[] = {"ended", "stalled", "undecided"};

    const struct litmus_standing *standing =
        &report->progress.devices[device].classification.standings[model][fairness];

    for (int i = 0; i < 3; ++i) {
        begin_standing(out, report, device, "gridlock_model_tests", model, fairness);
        fprintf(out, ",outcome=\"%s\"", outcomes[i]);
        end_sample(out, i == 0 ? standing->ended : i == 1 ? standing->refuting : standing->undecided);
    }
}

/* Of all tests, not only of those that it guarantees. */
static void write_states(FILE *out, const struct report *report, size_t device, enum litmus_model model,
                         enum litmus_fairness fairness)
{
    const struct litmus_standing *standing =
        &report->progress.devices[device].classification.standings[model][fairness];

    for (int confirmed = 0; confirmed < 2; ++confirmed) {
        begin_standing(out, report, device, "gridlock_model_states", model, fairness);
        fprintf(out, ",confirmed=\"%d\"", confirmed);
        end_sample(out, confirmed ? standing->states : standing->doubtful);
    }
}

static void write_models(FILE *out, const struct report *report)
{
    head(out, "gridlock_model_broken", "gauge", "1 if the device was seen to break the model of progress.");
    each_standing(out, report, write_broken);
    head(out, "gridlock_model_tests", "gauge", "Litmus tests that the model guarantees to end, by what they came to.");
    each_standing(out, report, write_tests);
    head(out, "gridlock_model_states", "gauge",
         "Litmus tests that stalled in a state that the model does not allow, by whether the stall was confirmed.");
    each_standing(out, report, write_states);
}

static uint64_t missing_blocks(const struct progress_device *device)
{
    return device->missing;
}

static uint64_t disagreements(const struct progress_device *device)
{
    return device->disagreement_count;
}

static uint64_t blocking_groups(const struct progress_device *device)
{
    return limit_search_result(&device->limit);
}

static void write_each(FILE *out, const struct report *report, const char *name, const char *help,
                       uint64_t (*value)(const struct progress_device *device), bool zero)
{
    head(out, name, "gauge", help);
    for (size_t i = 0; i < report->progress.count; ++i) {
        const uint64_t count = value(&report->progress.devices[i]);
        if (count == 0 && !zero)
            continue;
        begin_sample(out, report, i, name);
        end_sample(out, count);
    }
}

static void write_troubles(FILE *out, const struct report *report)
{
    write_each(out, report, "gridlock_blocks_missing", "Blocks of litmus tests that did not come to their end.",
               missing_blocks, true);
    write_each(out, report, "gridlock_engine_disagreements", "Litmus tests about which the engines disagree.",
               disagreements, true);
    write_each(out, report, "gridlock_blocking_groups",
               "Fewest work-groups that wait for later ones and keep these from starting.", blocking_groups, false);
}

int report_write_prometheus(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)style;
    (void)error;
    write_started(out, report);
    write_devices(out, report);
    if (report->kind == REPORT_PROGRESS) {
        write_models(out, report);
        write_troubles(out, report);
        return 0;
    }
    if (report->kind == REPORT_LIMITS) {
        write_safe_groups(out, report);
        write_footprints(out, report, "gridlock_resident_groups", "Work-groups proved to be resident together.",
                         resident);
        write_footprints(out, report, "gridlock_barrier_passes_groups", "Most work-groups over which a barrier passed.",
                         passes_at);
        write_footprints(out, report, "gridlock_barrier_stalls_groups",
                         "Fewest work-groups over which a barrier stalled.", stalls_at);
        if (has_failures(report))
            write_footprints(out, report, "gridlock_failed_launches", "Launches that neither passed nor stalled.",
                             failed);
        return 0;
    }
    write_safety(out, report, "gridlock_safe_groups", "Most work-groups up to which all launches of a scenario passed.",
                 SAFE_GROUPS);
    write_safety(out, report, "gridlock_unsafe_groups", "Fewest work-groups at which a launch did not pass.",
                 UNSAFE_GROUPS);
    write_safety(out, report, "gridlock_resident_groups", "Work-groups that are resident together in that kernel.",
                 RESIDENT_GROUPS);
    write_points(out, report);
    return 0;
}
