#include "search/search.h"

#include <math.h>

/* --- what the points say --- */

static bool passed(const struct search *search, const struct point *point)
{
    if (search->device.loops_cut_at != 0)
        return point->passes > 0; /* a failure refutes nothing there: the wait may have been cut */
    return point->passes > 0 && point->passes + point->failures.failed == point->launches &&
           point->failures.in_a_row == 0;
}

const struct point *search_smallest_failure(const struct search *search)
{
    const struct point *found = NULL;
    for (uint32_t i = 0; i < search->point_count; ++i) {
        const struct point *point = &search->points[i];
        if (!passed(search, point) && (found == NULL || point->groups < found->groups))
            found = point;
    }
    return found;
}

const struct point *search_largest_pass(const struct search *search, const struct point *failure)
{
    const struct point *found = NULL;
    for (uint32_t i = 0; i < search->point_count; ++i) {
        const struct point *point = &search->points[i];
        if (passed(search, point) && (failure == NULL || point->groups < failure->groups) &&
            (found == NULL || point->groups > found->groups))
            found = point;
    }
    return found;
}

uint32_t search_proven(const struct trial *trial, const struct observation *observation)
{
    const enum verdict verdict = verdict_judge(trial, observation);
    if (verdict == VERDICT_PASS && trial->kind == TRIAL_BARRIER)
        return trial->groups;
    return verdict_is_stall(verdict) ? observation->waiting : 0;
}

uint32_t search_most_proven(const struct search *search)
{
    return search->counted > search->proven ? search->counted : search->proven;
}

/* --- the row --- */

static bool is_monotone(const struct search *search, const struct point *failure)
{
    for (uint32_t i = 0; i < search->point_count; ++i)
        if (failure != NULL && search->points[i].groups > failure->groups && search->points[i].passes > 0)
            return false;
    return true;
}

static const char *why_no_stall(const struct search *search, const struct point *failure)
{
    if (!search->options.estimators[TRIAL_BARRIER])
        return "not asked for";
    if (search->device.loops_cut_at != 0)
        return "the driver ends loops that still wait, so no stall can be seen";
    if (failure == NULL && search->options.given_count > 0)
        return "none of the given group counts stalled";
    if (failure == NULL)
        return "no stall at any group count tried";
    return "a launch failed, but no stall was confirmed";
}

const struct failures *search_failures(const struct search *search, size_t *at)
{
    while (*at < (size_t)search->point_count + 2) {
        const size_t i = (*at)++;
        const struct failures *failures = i == 0   ? &search->census_failures
                                          : i == 1 ? &search->discovery_failures
                                                   : &search->points[i - 2].failures;
        if (failures->failed > 0)
            return failures;
    }
    return NULL;
}

void search_limit(const struct search *search, struct limit *limit)
{
    size_t at = 0;
    const struct point *failure = search_smallest_failure(search);
    const struct point *pass = search_largest_pass(search, failure);

    *limit = (struct limit){
        .footprint = search->footprint,
        .counted = search->counted,
        .resident = search_most_proven(search),
        .census_exact = search->census_exact,
        .discovery_max = search->discovery_max,
        .discovery_runs = search->discovery_runs,
        .discovery_mean = search->discovery_runs ? (double)search->discovery_sum / search->discovery_runs : 0.0,
        .refusal = search->refusal,
        .monotone = is_monotone(search, failure),
        .gap_ns = search->gap_ns,
        .duration_ns = search->duration_ns,
    };
    if (pass != NULL) {
        limit->passes_at = pass->groups;
        limit->passes = pass->passes;
        limit->pass_launches = pass->launches;
    }
    if (failure != NULL && failure->stalls > 0) {
        limit->stalls_at = failure->groups;
        limit->stalls = failure->stalls;
        limit->stall_launches = failure->launches;
    } else {
        limit->no_stall = why_no_stall(search, failure);
    }
    limit->measured =
        !search->refused && (search->counted > 0 || search->point_count > 0 || search->discovery_runs > 0);
    limit->agree = limit->resident == 0 || search->discovery_max <= limit->resident;
    if (search->counted > 0 && search->device.loops_cut_at == 0) /* else it counts those that came before the end */
        limit->agree = limit->agree && limit->resident == search->counted;
    if (search->options.given_count == 0 && search->counted > 0 && limit->stalls_at != 0)
        limit->agree = limit->agree && limit->passes_at == search->counted;
    for (const struct failures *f = search_failures(search, &at); f != NULL; f = search_failures(search, &at)) {
        limit->failed += f->failed;
        limit->fails = limit->fails || f->in_a_row > 0;
        if (f->in_a_row > 0)
            limit->failure = f->verdict;
    }
}

bool limit_is_surprise(const struct limit *limit, bool loops_cut)
{
    if (limit->measured)
        return !limit->agree || !limit->monotone || limit->fails;
    return limit->refusal != VERDICT_PASS && limit->refusal != VERDICT_UNSUPPORTED &&
           limit->refusal != VERDICT_INCOMPLETE && !(limit->refusal == VERDICT_CUT && loops_cut);
}

double bound_none_seen(uint32_t launches)
{
    return launches == 0 ? 1.0 : 1.0 - pow(0.05, 1.0 / launches);
}
