#include "report/compare_seen.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of which no trial has ended says nothing. */
static void see_point(struct seen_device *device, const char *id, const struct seen_point *seen)
{
    if (seen->seen == 0)
        return;
    GROW(device->points, device->count);
    device->points[device->count] = *seen;
    device->points[device->count++].id = xstrdup(id);
}

static void see_batches(struct seen_device *device, const char *id, const struct batches *batches,
                        struct seen_point seen)
{
    seen.seen = batches->seen;
    seen.expected = batches->expected;
    seen.surprise = batches->surprise;
    see_point(device, id, &seen);
}

/* Its fault was put there: all is well as long as it is noticed. */
static bool is_seeded(const char *scenario)
{
    return strncmp(scenario, "mutant_", 7) == 0 || strncmp(scenario, "cause_", 6) == 0;
}

static void see_scenario(struct seen_device *device, const struct run_scenario *scenario)
{
    char id[RUN_ID_BYTES];

    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        run_point_id(point, id);
        const struct seen_point seen = {.line = point->line,
                                        .naming = &verdict_naming,
                                        .resident = point->batches.resident,
                                        .groups = point->groups,
                                        .predicted = run_point_is_predicted(point),
                                        .publication = scenario->publication,
                                        .seeded = is_seeded(scenario->name)};
        see_batches(device, id, &point->batches, seen);
    }
}

/* One that was broken off says nothing. */
static void see_row(struct seen_device *device, const struct limits_device *of, const struct limits_row *row)
{
    char occupied[240], id[RUN_ID_BYTES];
    const enum verdict outcome = row->limit.measured ? VERDICT_PASS : limits_row_refusal(row);

    limits_row_name(of, row, occupied, sizeof occupied);
    snprintf(id, sizeof id, "limits/%s", occupied);
    const struct seen_point seen = {.naming = &verdict_naming,
                                    .seen = outcome != VERDICT_INCOMPLETE ? UINT32_C(1) << outcome : 0,
                                    .surprise = limits_row_is_surprise(of, row),
                                    .resident = row->limit.resident};
    see_point(device, id, &seen);
}

/* An amount that is more than was promised, or of which nothing was, is no limit that may not be lower. */
static void see_promise(struct seen_device *device, const struct audit_row *row)
{
    const bool is_limit =
        row->promise->unit[0] != '\0' && (row->keeping == KEEPING_KEPT || row->keeping == KEEPING_BROKEN);
    const uint64_t amount = is_limit ? row->finding.measured : 0;
    char id[RUN_ID_BYTES];

    snprintf(id, sizeof id, "audit/%s", row->promise->name);
    const struct seen_point seen = {.naming = &keeping_naming,
                                    .resident = amount < UINT32_MAX ? (uint32_t)amount : UINT32_MAX};
    see_batches(device, id, &row->batches, seen);
}

static void see_proof(struct seen_device *device, const struct proof_row *row)
{
    const struct seen_point seen = {.naming = &proof_verdict_naming};
    char id[RUN_ID_BYTES];

    trial_point_id(&row->trial, id, sizeof id);
    see_batches(device, id, &row->batches, seen);
}

static void see_sighting(struct seen_device *device, const struct watches_row *row)
{
    const struct seen_point seen = {.naming = &watch_verdict_naming};

    see_batches(device, row->name, &row->batches, seen);
}

const char *seen_line_of(const struct seen_point *point)
{
    return point->line != NULL ? point->line : point->id;
}

static int compare_ids(const void *a, const void *b)
{
    const struct seen_point *one = a, *other = b;
    const int order = strcmp(seen_line_of(one), seen_line_of(other));
    return order != 0 ? order : strcmp(one->id, other->id);
}

void seen_read(struct seen_device *device, const struct report *report, size_t index)
{
    for (size_t i = 0; report->run.count > 0 && i < report->run.devices[index].count; ++i)
        see_scenario(device, &report->run.devices[index].scenarios[i]);
    const struct limits_device *limits = report->limits.count > 0 ? &report->limits.devices[index] : NULL;
    for (size_t i = 0; limits != NULL && i < limits->count; ++i)
        see_row(device, limits, &limits->rows[i]);
    for (size_t i = 0; report->audit.count > 0 && i < report->audit.devices[index].count; ++i)
        see_promise(device, &report->audit.devices[index].rows[i]);
    for (size_t i = 0; report->proofs.count > 0 && i < report->proofs.devices[index].count; ++i)
        see_proof(device, &report->proofs.devices[index].rows[i]);
    for (size_t i = 0; report->watches.count > 0 && i < report->watches.devices[index].count; ++i)
        see_sighting(device, &report->watches.devices[index].rows[i]);
    if (device->count > 0)
        qsort(device->points, device->count, sizeof *device->points, compare_ids);
}

void seen_fini(struct seen_device *device)
{
    for (size_t i = 0; i < device->count; ++i)
        free(device->points[i].id);
    free(device->points);
}

struct seen_line seen_line_at(const struct seen_device *device, size_t at)
{
    struct seen_line line = {.points = &device->points[at]};

    for (; at < device->count && strcmp(seen_line_of(&device->points[at]), seen_line_of(line.points)) == 0; ++at) {
        line.count += 1;
        if (device->points[at].resident > line.resident)
            line.resident = device->points[at].resident;
    }
    return line;
}
