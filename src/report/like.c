#include "report/like.h"

#include "base/alloc.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/*
 * Which groups were resident tells how they are taken. Where these are a prefix of the ids, each with a lower id than
 * one that has started has a place; where places go through chunks, the lowest that has not ended has one.
 */
static void take_model(const struct model_like *like, const struct limits_device *measured, struct model_device *device)
{
    const enum pattern pattern = usual_pattern(measured);
    const bool ascends = pattern == PATTERN_PREFIX, chunked = pattern == PATTERN_STRIDED || pattern == PATTERN_CHUNKED;

    if ((like->said & 1u << MODEL_PART_MODEL) == 0)
        device->model = ascends ? LITMUS_LOBE : chunked ? LITMUS_HSA_OBE : LITMUS_OBE;
    if ((like->said & 1u << MODEL_PART_ORDER) == 0 && device->model != LITMUS_LOBE)
        device->order = ascends ? MODEL_ORDER_UP : chunked ? MODEL_ORDER_CHUNKED : MODEL_ORDER_MIXED;
}

static int be_like(const struct model_like *like, const struct limits_device *measured, struct model_device *device,
                   struct device_info *info, struct error *error)
{
    const struct device_info *other = &measured->stored.info;

    if (device_info_is_model(other))
        return error_set(error, STATUS_USAGE, "'%.200s' is of a model device, and tells of no other device", like->run);
    *info = (struct device_info){.kind = other->kind,
                                 .compute_units = other->compute_units,
                                 .max_local_size = other->max_local_size,
                                 .local_memory_bytes = other->local_memory_bytes};
    if (take_holdings(like, measured, &info->holdings, error) != 0)
        return -1;
    *device = like->model;
    take_model(like, measured, device);
    for (uint32_t i = 0; i < info->holdings.count; ++i)
        if (info->holdings.rows[i].resident > device->resident)
            device->resident = info->holdings.rows[i].resident;
    snprintf(device->like, sizeof device->like, "%.*s", MODEL_LIKE - 1, other->name);
    return 0;
}

/* --- the file --- */

static int read_run(const struct model_like *like, struct model_device *device, struct device_info *info,
                    struct error *error)
{
    struct report report = {0};
    struct store *store = NULL;
    int outcome = store_open(like->run, &store, error);

    if (outcome == 0)
        outcome = report_read(&report, store, error);
    if (outcome == 0 && (report.kind != REPORT_LIMITS || report.limits.count == 0))
        outcome =
            error_set(error, STATUS_USAGE, "'%.200s' has no limits: expected a run of gridlock limits", like->run);
    const struct limits_device *measured = outcome == 0 ? find_device(like, &report.limits, error) : NULL;
    if (measured != NULL)
        outcome = be_like(like, measured, device, info, error);
    else
        outcome = -1;
    report_fini(&report);
    store_close(store);
    return outcome;
}

int like_read(const char *text, struct model_device *device, struct device_info *info, struct error *error)
{
    struct model_like like = {.run = NULL};
    int outcome;

    *info = (struct device_info){.name = ""};
    if (model_like_is_named(text)) {
        outcome = model_like_parse(text, &like, error);
        if (outcome == 0)
            outcome = read_run(&like, device, info, error);
    } else {
        outcome = model_device_parse(text, device, error);
        if (outcome == 0 && device->like[0] != '\0')
            outcome = error_set(error, STATUS_USAGE, "model device \"%.80s\": name the run file: model:like:RUN", text);
    }
    model_like_fini(&like);
    if (outcome == 0)
        model_device_name(device, info->name);
    return outcome;
}
