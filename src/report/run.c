#include "report/run.h"

#include <stdlib.h>
#include <string.h>

/* --- reading --- */

struct reading {
    struct run_device *device;
    struct error *error;
};

static struct run_scenario *scenario_of(struct run_device *device, const char *name)
{
    for (size_t i = 0; i < device->count; ++i)
        if (strcmp(device->scenarios[i].name, name) == 0)
            return &device->scenarios[i];
    struct run_scenario *scenarios = realloc(device->scenarios, (device->count + 1) * sizeof *scenarios);
    if (scenarios == NULL)
        return NULL;
    device->scenarios = scenarios;
    struct run_scenario *scenario = &scenarios[device->count++];
    *scenario = (struct run_scenario){.count = 0};
    snprintf(scenario->name, sizeof scenario->name, "%s", name);
    return scenario;
}

static struct run_point *point_of(struct run_scenario *scenario, const char *id)
{
    for (size_t i = scenario->count; i > 0; --i)
        if (strcmp(scenario->points[i - 1].id, id) == 0)
            return &scenario->points[i - 1];
    struct run_point *points = realloc(scenario->points, (scenario->count + 1) * sizeof *points);
    if (points == NULL)
        return NULL;
    scenario->points = points;
    return &points[scenario->count++];
}

/* The id without sequence, and the line without groups: ".../g3#7", ".../g3-live#7". */
static void split_name(const char *name, struct run_point *point)
{
    snprintf(point->id, sizeof point->id, "%s", name);
    char *hash = strrchr(point->id, '#');
    if (hash != NULL)
        *hash = '\0';
    snprintf(point->line, sizeof point->line, "%s", point->id);
    char *slash = strrchr(point->line, '/');
    if (slash != NULL)
        *slash = '\0';
}

static void take_launch(const struct run_device *device, struct run_point *point, const struct store_launch *launch)
{
    const enum verdict verdict = launch->verdict;
    const bool surprise =
        verdict_is_surprise(verdict, point->expected, point->tolerated, device->stored.probe.loops_cut_at != 0);
    const uint64_t host_ns = launch->observation.duration_ns;
    const uint64_t device_ns = launch->observation.device_ns;
    /* Events that say that a launch took longer than from its begin to its end are not believed. */
    const uint64_t lasted_ns = device_ns != 0 && device_ns <= host_ns ? device_ns : host_ns;

    if (point->launches == 0 || (point->verdict == VERDICT_PASS && verdict != VERDICT_PASS) ||
        (surprise && !point->surprise)) {
        point->verdict = verdict;
        point->observation = launch->observation;
    }
    point->surprise = point->surprise || surprise;
    point->as_known = point->as_known || verdict_is_in(verdict, point->tolerated);
    point->launches += 1;
    point->counts[verdict] += 1;
    if (verdict == VERDICT_PASS && (point->fastest_ns == 0 || lasted_ns < point->fastest_ns))
        point->fastest_ns = lasted_ns;
    if (verdict == VERDICT_PASS && (point->fastest_host_ns == 0 || host_ns < point->fastest_host_ns))
        point->fastest_host_ns = host_ns;
}

/* What a trial's batch of launches says of its point. */
static int read_point(const struct run_device *device, const struct store_trial *stored, struct run_point *point,
                      struct error *error)
{
    const struct store_prediction *prediction = &stored->prediction;

    *point = (struct run_point){
        .groups = stored->trial.groups,
        .local_size = stored->trial.footprint.local_size,
        .resident = prediction->resident,
        .checks = stored->trial.work.checks,
        .verdict = VERDICT_NOT_RUN,
        .range = stored->trial.work.range,
        .most_items = stored->most_items,
        .multiple_items = stored->multiple_items,
        .known_failure = strcmp(prediction->known, "failure") == 0,
        .known_flake = strcmp(prediction->known, "flake") == 0,
        .batches = 1,
    };
    split_name(stored->name, point);
    if (prediction->expected[0] != '\0' && verdict_set_parse(prediction->expected, &point->expected, error) != 0)
        return -1;
    if (prediction->known_verdicts[0] != '\0' &&
        verdict_set_parse(prediction->known_verdicts, &point->tolerated, error) != 0)
        return -1;
    snprintf(point->note, sizeof point->note, "%s", stored->note);
    for (uint32_t i = 0; i < stored->count; ++i)
        take_launch(device, point, &stored->launches[i]);
    point->surprising_batches = point->surprise;
    return 0;
}

/* Of several batches the last one counts, unless an earlier one surprised: that is not undone by a better one. */
static void add_batch(struct run_point *point, const struct run_point *batch)
{
    const uint32_t batches = point->batches + 1;
    const uint32_t surprising = point->surprising_batches + batch->surprising_batches;

    if (!point->surprise || batch->surprise)
        *point = *batch;
    point->batches = batches;
    point->surprising_batches = surprising;
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct reading *reading = context;
    struct run_device *device = reading->device;
    struct run_point batch;

    device->last_trial = stored->id;
    device->trials += 1;
    device->launches += stored->count;
    struct run_scenario *scenario = scenario_of(device, stored->trial.work.scenario);
    if (scenario == NULL)
        return error_set(reading->error, STATUS_HARNESS, "no memory for a scenario of the report");
    scenario->duration_ns += stored->duration_ns;
    if (stored->trial.estimator != ESTIMATOR_WORK || !stored->ended)
        return 0;
    if (read_point(device, stored, &batch, reading->error) != 0)
        return -1;
    const size_t before = scenario->count;
    struct run_point *point = point_of(scenario, batch.id);
    if (point == NULL)
        return error_set(reading->error, STATUS_HARNESS, "no memory for a point of the report");
    if (scenario->count > before)
        *point = batch;
    else
        add_batch(point, &batch);
    return 0;
}

static int take_device(void *context, const struct store_device *stored)
{
    struct run_report *report = context;
    for (size_t i = 0; i < report->count; ++i)
        if (report->devices[i].stored.id == stored->id) {
            report->devices[i].stored.wedged = stored->wedged;
            return 0;
        }
    struct run_device *devices = realloc(report->devices, (report->count + 1) * sizeof *devices);
    if (devices == NULL)
        return -1;
    report->devices = devices;
    devices[report->count++] = (struct run_device){.stored = *stored};
    return 0;
}

int run_report_update(struct run_report *report, struct store *store, struct error *error)
{
    if (store_each_device(store, take_device, report, error) != 0)
        return -1;
    for (size_t i = 0; i < report->count; ++i) {
        struct reading reading = {&report->devices[i], error};
        if (store_each_trial(store, report->devices[i].stored.id, report->devices[i].last_trial, take_trial, &reading,
                             error) != 0)
            return -1;
    }
    return 0;
}

void run_report_fini(struct run_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        for (size_t j = 0; j < report->devices[i].count; ++j)
            free(report->devices[i].scenarios[j].points);
        free(report->devices[i].scenarios);
    }
    free(report->devices);
    *report = (struct run_report){0};
}

/* --- what it means --- */

static bool has_passed(const struct run_point *point)
{
    return point->launches > 0 && point->counts[VERDICT_PASS] == point->launches;
}

/* Neither safe nor unsafe: nothing was found out. */
static bool is_void(const struct run_point *point)
{
    return point->counts[VERDICT_UNSUPPORTED] + point->counts[VERDICT_INCOMPLETE] == point->launches;
}

/* The line's first unsafe point, and the last safe one below it. */
static void line_safety(const struct run_scenario *scenario, const char *line, const struct run_point **safe,
                        const struct run_point **unsafe)
{
    *safe = *unsafe = NULL;
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        if (strcmp(point->line, line) == 0 && !is_void(point) && !has_passed(point) &&
            (*unsafe == NULL || point->groups < (*unsafe)->groups))
            *unsafe = point;
    }
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        if (strcmp(point->line, line) == 0 && has_passed(point) &&
            (*unsafe == NULL || point->groups < (*unsafe)->groups) &&
            (*safe == NULL || point->groups > (*safe)->groups))
            *safe = point;
    }
}

/* Groups as a share of the kernel's limit, or of what else makes lines comparable. */
static double share(const struct run_point *point)
{
    if (point == NULL)
        return 0.0;
    return point->resident != 0 ? (double)point->groups / point->resident : (double)point->groups;
}

/* A line that becomes unsafe is worse than one that never does; of two such, the one with the smaller share. */
static bool is_worse(const struct run_point *safe, const struct run_point *unsafe, const struct run_safety *than)
{
    if (than->safe == NULL && than->unsafe == NULL)
        return true;
    if ((unsafe == NULL) != (than->unsafe == NULL))
        return unsafe != NULL;
    return share(safe) < share(than->safe);
}

void run_scenario_safety(const struct run_scenario *scenario, struct run_safety *safety)
{
    const struct run_point *safe, *unsafe;

    *safety = (struct run_safety){.points = (uint32_t)scenario->count};
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        safety->surprises += point->surprise && !point->known_flake;
        safety->known += (point->surprise && point->known_flake) || (point->known_failure && point->as_known);
        safety->fixed += point->known_failure && !point->as_known && !point->surprise && !is_void(point);
        safety->unpredicted += point->expected == 0;
        safety->unsupported += is_void(point);
        safety->undecided += point->counts[VERDICT_INCONCLUSIVE] > 0;
        line_safety(scenario, point->line, &safe, &unsafe);
        if (point->range.dimensions == 0 && !is_void(point) && is_worse(safe, unsafe, safety)) {
            safety->safe = safe;
            safety->unsafe = unsafe;
        }
    }
}

bool run_scenario_has_range(const struct run_scenario *scenario)
{
    return scenario->count > 0 && scenario->points[0].range.dimensions != 0;
}

static void take_faster(const struct run_point **fastest, const struct run_point *point)
{
    if (*fastest == NULL || point->fastest_ns < (*fastest)->fastest_ns)
        *fastest = point;
}

void run_line_shapes(const struct run_scenario *scenario, const char *line, struct run_shapes *shapes)
{
    *shapes = (struct run_shapes){.fastest = NULL};
    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        if (strcmp(point->line, line) != 0 || point->fastest_ns == 0)
            continue;
        take_faster(&shapes->fastest, point);
        if (shapes->slowest == NULL || point->fastest_ns > shapes->slowest->fastest_ns)
            shapes->slowest = point;
        if (point->range.local[0] == 0)
            take_faster(&shapes->chosen, point);
        else if (point->multiple_items != 0 && point->local_size % point->multiple_items == 0)
            take_faster(&shapes->preferred, point);
        if (point->range.local[0] != 0 && point->local_size == point->most_items)
            take_faster(&shapes->largest, point);
    }
}

bool run_scenario_is_mutant(const struct run_scenario *scenario)
{
    static const char prefix[] = "mutant_";
    return strncmp(scenario->name, prefix, sizeof prefix - 1) == 0;
}

bool run_scenario_is_caught(const struct run_scenario *scenario)
{
    static const enum verdict catches[] = {VERDICT_STALE,    VERDICT_WRONG,   VERDICT_STARVED,
                                           VERDICT_DEADLOCK, VERDICT_STALLED, VERDICT_LIVELOCK};

    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        if (point->resident == 0 || point->groups > point->resident)
            continue;
        for (size_t j = 0; j < sizeof catches / sizeof *catches; ++j)
            if (point->counts[catches[j]] > 0)
                return true;
    }
    return false;
}

enum status run_report_status(const struct run_report *report)
{
    bool wedged = false, surprise = false, measured = false;

    for (size_t i = 0; i < report->count; ++i) {
        wedged = wedged || report->devices[i].stored.wedged;
        for (size_t j = 0; j < report->devices[i].count; ++j) {
            struct run_safety safety;
            run_scenario_safety(&report->devices[i].scenarios[j], &safety);
            surprise = surprise || safety.surprises > 0;
            measured = measured || safety.unsupported < safety.points;
        }
    }
    if (wedged)
        return STATUS_WEDGED;
    if (surprise)
        return STATUS_SURPRISE;
    return measured ? STATUS_OK : STATUS_UNSUPPORTED;
}
