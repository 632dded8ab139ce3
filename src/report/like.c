#include "report/like.h"

#include "base/alloc.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked of a run file, and what becomes of that. */
struct reading {
    const struct model_like *like;
    struct store *store;
    struct model_device *device;
    struct device_info *info;
};

/* --- which device --- */

static const struct limits_device *find_device(const struct model_like *like, const struct limits_report *limits,
                                               struct error *error)
{
    const struct limits_device *found = NULL;
    size_t matches = 0;

    for (size_t i = 0; i < limits->count; ++i) {
        if (like->device[0] != '\0' && !device_info_matches(&limits->devices[i].stored.info, like->device))
            continue;
        found = &limits->devices[i];
        matches += 1;
    }
    if (matches == 1)
        return found;
    if (matches == 0)
        error_set(error, STATUS_USAGE, "no device of '%.200s' matches \"%.80s\"", like->run, like->device);
    else
        error_set(error, STATUS_USAGE, "'%.200s' has limits of %zu devices: choose one, as by ,device=%.80s", like->run,
                  matches, DEVICE_LABEL_OF(&found->stored.info));
    return NULL;
}

/* --- what it is like --- */

static int take_holdings(const struct model_like *like, const struct limits_device *measured, struct holdings *holdings,
                         struct error *error)
{
    struct limit *limits = xcalloc(measured->count + 1, sizeof *limits);

    for (size_t i = 0; i < measured->count; ++i)
        limits[i] = measured->rows[i].limit;
    limiter_fit(limits, limits_is_of_subjects(measured) ? 0 : measured->count, &measured->stored.info, holdings);
    free(limits);
    if (holdings->count > 0)
        return 0;
    return error_set(error, STATUS_USAGE, "'%.200s' has no footprint that was measured on %s", like->run,
                     DEVICE_LABEL_OF(&measured->stored.info));
}

/* --- kernels by themselves --- */

static int take_kernel(void *context, const struct store_trial *stored)
{
    const struct trial *trial = &stored->trial;

    if (trial->work.kernel[0] != '\0' && stored->prediction.resident > 0)
        holdings_add_kernel(context, trial->work.kernel, trial->footprint.local_size, stored->prediction.resident);
    return 0;
}

/* Of the device with this name; how it was found, and by which driver, is its own matter. */
static int read_kernels(struct store *store, const char *name, struct holdings *holdings, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found, outcome = 0;

    while (outcome == 0 && (found = store_next_device(store, &stored, error)) != 0) {
        const struct store_walk walk = {.device = stored.id, .quick = true, .take = take_kernel, .context = holdings};
        if (found < 0)
            return -1;
        if (strcmp(stored.info.name, name) == 0)
            outcome = store_each_trial(store, &walk, error);
    }
    return outcome;
}

static int take_kernels(const struct reading *reading, const struct device_info *other, struct error *error)
{
    const char *path = reading->like->kernels;
    struct holdings *holdings = &reading->info->holdings;
    struct store *store = NULL;

    if (path == NULL)
        return 0;
    int outcome = store_open(path, &store, error);
    if (outcome == 0)
        outcome = read_kernels(store, other->name, holdings, error);
    store_close(store);
    if (outcome == 0 && holdings->kernel_count == 0)
        outcome = error_set(error, STATUS_USAGE,
                            "'%.200s' has no kernel that was counted on %s: expected a run of gridlock run", path,
                            DEVICE_LABEL_OF(other));
    return outcome;
}

/* --- in which order --- */

/* What most footprints showed: of one, a late group may have been counted in place of another. */
static enum pattern usual_pattern(const struct limits_device *measured)
{
    size_t seen[PATTERN_COUNT] = {0};
    enum pattern usual = PATTERN_UNKNOWN;

    for (size_t i = 0; i < measured->count; ++i)
        seen[measured->rows[i].residency.pattern] += 1;
    seen[PATTERN_UNKNOWN] = 0;
    for (enum pattern pattern = 0; pattern < PATTERN_COUNT; ++pattern)
        if (seen[pattern] > seen[usual])
            usual = pattern;
    return usual;
}

/* Launches of a barrier in which one group alone had no place: the last one, or another. */
struct left_out {
    size_t last, other;
};

static int take_barrier(void *context, const struct store_trial *stored)
{
    struct left_out *left = context;

    for (uint32_t i = 0; stored->trial.kind == TRIAL_BARRIER && i < stored->count; ++i) {
        const struct observation *seen = &stored->launches[i].observation;
        if (seen->started + 1 != seen->groups || seen->waitfor.never_started == WAITFOR_NOBODY)
            continue;
        if (seen->waitfor.never_started + 1 == seen->groups)
            left->last += 1;
        else
            left->other += 1;
    }
    return 0;
}

/* Where there is one group more than places, only shares that are rounded up have two groups. */
static int find_shares(struct store *store, const struct limits_device *measured, enum model_order *order,
                       struct error *error)
{
    struct left_out left = {0};
    const struct store_walk walk = {
        .device = measured->stored.id, .quick = true, .take = take_barrier, .context = &left};
    const int outcome = store_each_trial(store, &walk, error);

    *order = left.last > left.other ? MODEL_ORDER_SPLIT : MODEL_ORDER_CHUNKED;
    return outcome;
}

/*
 * Which groups were resident tells how they are taken. Where these are a prefix of the ids, each with a lower id than
 * one that has started has a place; where places go through chunks, the lowest that has not ended has one.
 */
static int take_model(const struct reading *reading, const struct limits_device *measured, struct error *error)
{
    const enum pattern pattern = usual_pattern(measured);
    const bool ascends = pattern == PATTERN_PREFIX, chunked = pattern == PATTERN_STRIDED || pattern == PATTERN_CHUNKED;
    const unsigned said = reading->like->said;
    struct model_device *device = reading->device;

    if ((said & 1u << MODEL_PART_MODEL) == 0)
        device->model = ascends ? LITMUS_LOBE : chunked ? LITMUS_HSA_OBE : LITMUS_OBE;
    if ((said & 1u << MODEL_PART_ORDER) != 0 || device->model == LITMUS_LOBE)
        return 0;
    device->order = ascends ? MODEL_ORDER_UP : MODEL_ORDER_MIXED;
    return chunked ? find_shares(reading->store, measured, &device->order, error) : 0;
}

static int be_like(const struct reading *reading, const struct limits_device *measured, struct error *error)
{
    const struct model_like *like = reading->like;
    const struct device_info *other = &measured->stored.info;
    struct model_device *device = reading->device;
    struct device_info *info = reading->info;

    if (device_info_is_model(other))
        return error_set(error, STATUS_USAGE, "'%.200s' is of a model device, and tells of no other device", like->run);
    *info = (struct device_info){.kind = other->kind,
                                 .compute_units = other->compute_units,
                                 .max_local_size = other->max_local_size,
                                 .local_memory_bytes = other->local_memory_bytes};
    *device = like->model;
    if (take_holdings(like, measured, &info->holdings, error) != 0 || take_model(reading, measured, error) != 0 ||
        take_kernels(reading, other, error) != 0)
        return -1;
    for (uint32_t i = 0; i < info->holdings.count; ++i)
        if (info->holdings.rows[i].resident > device->resident)
            device->resident = info->holdings.rows[i].resident;
    snprintf(device->like, sizeof device->like, "%.*s", MODEL_LIKE - 1, other->name);
    return 0;
}

/* --- the file --- */

static int read_report(const struct reading *reading, struct error *error)
{
    const struct model_like *like = reading->like;
    struct report report = {0};
    int outcome = report_read(&report, reading->store, error);

    if (outcome == 0 && (report.kind != REPORT_LIMITS || report.limits.count == 0))
        outcome =
            error_set(error, STATUS_USAGE, "'%.200s' has no limits: expected a run of gridlock limits", like->run);
    const struct limits_device *measured = outcome == 0 ? find_device(like, &report.limits, error) : NULL;
    outcome = measured != NULL ? be_like(reading, measured, error) : -1;
    report_fini(&report);
    return outcome;
}

static int read_run(const char *text, struct model_device *device, struct device_info *info, struct error *error)
{
    struct model_like like;
    struct reading reading = {.like = &like, .device = device, .info = info};
    int outcome = model_like_parse(text, &like, error);

    if (outcome == 0)
        outcome = store_open(like.run, &reading.store, error);
    if (outcome == 0)
        outcome = read_report(&reading, error);
    store_close(reading.store);
    model_like_fini(&like);
    return outcome;
}

static int read_name(const char *text, struct model_device *device, struct error *error)
{
    if (model_device_parse(text, device, error) != 0)
        return -1;
    if (device->like[0] == '\0')
        return 0;
    return error_set(error, STATUS_USAGE, "model device \"%.80s\": name the run file: model:like:RUN", text);
}

int like_read(const char *text, struct model_device *device, struct device_info *info, struct error *error)
{
    *info = (struct device_info){.name = ""};
    if ((model_like_is_named(text) ? read_run(text, device, info, error) : read_name(text, device, error)) != 0)
        return -1;
    model_device_name(device, info->name);
    return 0;
}
