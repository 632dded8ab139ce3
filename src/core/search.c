#include "core/search.h"

#include <string.h>

enum {
    CENSUS_GROUPS_PER_UNIT = 64, /* more than any device known to us holds on a compute unit */
    CENSUS_LONGER = 8,           /* factor of a repeated census's first time */
    CENSUS_TRIALS = 2,           /* with all groups launched that it needs */
    DISCOVERY_REPEATS = 3,
    POINT_ATTEMPTS = 2, /* trials at one point, should the first end early */
    SEARCH_MAX_GROUPS = 1 << 16,
    ROUNDS = 3, /* barriers in one launch: the third meets what the first two left behind */
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void search_device_init(struct search_device *settings, const struct device_info *info,
                        const struct device_probe *probe)
{
    /* A CPU's threads are preempted for whole time slices; a GPU's groups are not. */
    const bool gpu = info->kind == DEVICE_GPU;
    const uint64_t ms = 1000000;

    *settings = (struct search_device){
        .compute_units = info->compute_units,
        .max_groups = SEARCH_MAX_GROUPS,
        .loops_cut_at = probe->loops_cut_at < UINT32_MAX ? (uint32_t)probe->loops_cut_at : UINT32_MAX,
        .suspect_ns = gpu ? 1 * ms : 5 * ms,
        .confirm_ns = gpu ? 10 * ms : 50 * ms,
        .close_ns = gpu ? ms / 2 : 2 * ms,
    };
}

void search_init(struct search *search, const struct search_options *options, const struct search_device *device,
                 const struct footprint *footprint)
{
    *search = (struct search){.options = *options, .device = *device, .footprint = *footprint};
    uint64_t groups = (uint64_t)CENSUS_GROUPS_PER_UNIT * most(device->compute_units, 1);
    search->census_groups = groups < device->max_groups ? (uint32_t)groups : device->max_groups;
    search->census_done = !options->estimators[ESTIMATOR_CENSUS];
    search->discovery_done = !options->estimators[ESTIMATOR_DISCOVERY];
}

/* --- what the points say --- */

static struct point *find_point(struct search *search, uint32_t groups)
{
    for (uint32_t i = 0; i < search->point_count; ++i)
        if (search->points[i].groups == groups)
            return &search->points[i];
    return NULL;
}

static bool passed(const struct search *search, const struct point *point)
{
    if (search->device.loops_cut_at != 0)
        return point->passes > 0; /* a failure refutes nothing there: the wait may have been cut */
    return point->passes > 0 && point->passes == point->launches;
}

/* The smallest group count that did not pass, or NULL. */
static const struct point *smallest_failure(const struct search *search)
{
    const struct point *found = NULL;
    for (uint32_t i = 0; i < search->point_count; ++i) {
        const struct point *point = &search->points[i];
        if (!passed(search, point) && (found == NULL || point->groups < found->groups))
            found = point;
    }
    return found;
}

/* The largest group count that passed below `failure` (NULL: at all), or NULL. */
static const struct point *largest_pass(const struct search *search, const struct point *failure)
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

/* One launch in which all groups passed a barrier proves that they were resident together. */
static uint32_t most_proven(const struct search *search)
{
    uint32_t proven = search->counted;
    for (uint32_t i = 0; i < search->point_count; ++i)
        if (search->points[i].passes > 0)
            proven = most(proven, search->points[i].groups);
    return proven;
}

/* --- the next trial --- */

static void fill(const struct search *search, struct trial *trial, enum estimator estimator, uint32_t groups,
                 uint32_t repeats)
{
    *trial = (struct trial){
        .footprint = search->footprint,
        .estimator = estimator,
        .groups = groups,
        .rounds = ROUNDS,
        .repeats = repeats,
        .gap_ns = search->gap_ns,
        .proven_groups = least(groups, most_proven(search)),
        .suspect_ns = search->device.suspect_ns,
        .confirm_ns = search->device.confirm_ns,
        .close_ns = search->device.close_ns * (search->census_trials > 0 ? CENSUS_LONGER : 1),
        .live = search->options.live && estimator == ESTIMATOR_BARRIER,
    };
}

static bool barrier_trial(struct search *search, struct trial *trial, uint32_t groups, uint32_t repeats, bool locate)
{
    fill(search, trial, ESTIMATOR_BARRIER, groups, repeats);
    trial->enough_stalls = locate ? 1 : 0;
    return true;
}

/* Away from the census while everything passes: one group more, then twice as far each time. */
static uint32_t gallop(const struct search *search, uint32_t passes_at)
{
    uint32_t start = most(search->counted, 1);
    uint64_t further = passes_at <= start ? (uint64_t)passes_at + 1 : (uint64_t)passes_at + 2 * (passes_at - start);
    return further < search->device.max_groups ? (uint32_t)further : search->device.max_groups;
}

static bool around_limit(struct search *search, struct trial *trial, uint32_t limit)
{
    uint32_t few = most(search->options.repeats / 4, 1);
    if (limit > 1 && find_point(search, limit - 1) == NULL)
        return barrier_trial(search, trial, limit - 1, few, false);
    if (limit <= search->device.max_groups / 2 && find_point(search, 2 * limit) == NULL)
        return barrier_trial(search, trial, 2 * limit, few, false);
    return false;
}

static bool next_barrier(struct search *search, struct trial *trial)
{
    const uint32_t repeats = search->options.repeats;
    const struct point *failure = smallest_failure(search);
    const struct point *pass = largest_pass(search, failure);

    if (search->point_count >= SEARCH_POINTS)
        return false;
    if (failure == NULL && pass == NULL)
        return barrier_trial(search, trial, most(search->counted, 1), repeats, false);
    if (failure == NULL)
        return pass->groups < search->device.max_groups &&
               barrier_trial(search, trial, gallop(search, pass->groups), repeats, pass->groups > search->counted);
    if (pass == NULL && failure->groups == 1)
        return false;
    if (pass == NULL)
        return barrier_trial(search, trial, search->point_count == 1 ? failure->groups - 1 : failure->groups / 2,
                             repeats, false);
    if (failure->groups - pass->groups > 1)
        return barrier_trial(search, trial, pass->groups + (failure->groups - pass->groups) / 2, repeats, true);
    if (failure->launches < repeats && failure->attempts < POINT_ATTEMPTS)
        return barrier_trial(search, trial, failure->groups, repeats - failure->launches, false);
    return search->device.loops_cut_at == 0 && around_limit(search, trial, pass->groups);
}

static bool next_given(struct search *search, struct trial *trial)
{
    if (search->given_next >= search->options.given_count)
        return false;
    return barrier_trial(search, trial, search->options.given[search->given_next], search->options.repeats, false);
}

bool search_next(struct search *search, struct trial *trial)
{
    const bool searching = search->options.given_count == 0;
    if (search->refused)
        return false;
    if (!search->census_done) {
        fill(search, trial, ESTIMATOR_CENSUS, search->census_groups, CENSUS_LAUNCHES);
        return true;
    }
    if (!search->discovery_done) {
        fill(search, trial, ESTIMATOR_DISCOVERY, search->census_groups, DISCOVERY_REPEATS);
        return true;
    }
    if (search->options.estimators[ESTIMATOR_BARRIER]) {
        if (searching ? next_barrier(search, trial) : next_given(search, trial))
            return true;
    }
    if (search->options.estimators[ESTIMATOR_CENSUS] && search->counted < most_proven(search) &&
        search->census_trials < CENSUS_TRIALS) {
        const uint32_t groups = most(search->census_groups, 2 * most_proven(search));
        fill(search, trial, ESTIMATOR_CENSUS, least(groups, search->device.max_groups), CENSUS_LAUNCHES);
        return true;
    }
    return false;
}

/* --- what a trial showed --- */

static void take_census(struct search *search, const struct trial *trial, const struct observation *observations,
                        uint32_t count)
{
    struct census census;
    census_init(&census, trial->close_ns);
    for (uint32_t i = 0; i < count; ++i)
        if (verdict_judge(trial, &observations[i]) == VERDICT_PASS)
            census_take(&census, observations[i].counted, observations[i].gap_ns);
    if (census.launches == 0) {
        search->census_trials += 1;
        search->census_done = true;
        return;
    }
    search->counted = most(search->counted, census.best);
    if (census.best == trial->groups && trial->groups < search->device.max_groups) {
        /* All that were launched were resident: there may be room for more. */
        uint64_t groups = (uint64_t)trial->groups * 4;
        search->census_groups = groups < search->device.max_groups ? (uint32_t)groups : search->device.max_groups;
        return;
    }
    search->census_exact = census_settled(&census);
    search->census_trials += 1;
    search->census_done = true;
}

static void take_discovery(struct search *search, const struct trial *trial, const struct observation *observations,
                           uint32_t count)
{
    search->discovery_done = true;
    for (uint32_t i = 0; i < count; ++i) {
        if (verdict_judge(trial, &observations[i]) != VERDICT_PASS)
            continue;
        search->discovery_runs += 1;
        search->discovery_sum += observations[i].counted;
        search->discovery_max = most(search->discovery_max, observations[i].counted);
    }
}

static void take_barrier(struct search *search, const struct trial *trial, const struct observation *observations,
                         uint32_t count)
{
    /* An interruption is the user's doing, and nothing that the device showed. */
    const bool interrupted = count > 0 && observations[count - 1].outcome == OUTCOME_INTERRUPTED;
    count -= interrupted;
    if (interrupted && count == 0)
        return;
    struct point *point = find_point(search, trial->groups);
    if (point == NULL) {
        if (search->point_count >= SEARCH_POINTS)
            return;
        point = &search->points[search->point_count++];
        *point = (struct point){.groups = trial->groups, .worst = VERDICT_PASS};
    }
    point->attempts += 1;
    for (uint32_t i = 0; i < count; ++i) {
        enum verdict verdict = verdict_judge(trial, &observations[i]);
        point->launches += 1;
        point->passes += verdict == VERDICT_PASS;
        point->stalls += verdict_is_stall(verdict);
        if (verdict != VERDICT_PASS)
            point->worst = verdict;
    }
    search->given_next += search->options.given_count > 0;
}

/* A footprint whose first trial was refused, or whose census never ended well, is not measured. */
static bool refuses(const struct search *search, const struct trial *trial, enum verdict verdict)
{
    if (verdict == VERDICT_INCOMPLETE)
        return true;
    if (verdict == VERDICT_UNSUPPORTED || verdict == VERDICT_BUILD_FAILED)
        return most_proven(search) == 0;
    return trial->estimator == ESTIMATOR_CENSUS && search->counted == 0 && verdict != VERDICT_PASS;
}

void search_take(struct search *search, const struct trial *trial, const struct observation *observations,
                 uint32_t count, uint64_t duration_ns)
{
    search->duration_ns += duration_ns;
    for (uint32_t i = 0; i < count; ++i)
        if (observations[i].gap_ns > search->gap_ns)
            search->gap_ns = observations[i].gap_ns;
    switch (trial->estimator) {
    case ESTIMATOR_CENSUS:
        take_census(search, trial, observations, count);
        break;
    case ESTIMATOR_DISCOVERY:
        take_discovery(search, trial, observations, count);
        break;
    case ESTIMATOR_BARRIER:
        take_barrier(search, trial, observations, count);
        break;
    case ESTIMATOR_WORK:
    case ESTIMATOR_PROGRESS:
        break; /* the search never asks for them */
    }
    enum verdict last = count > 0 ? verdict_judge(trial, &observations[count - 1]) : VERDICT_NOT_RUN;
    if (refuses(search, trial, last)) {
        search->refused = true;
        search->refusal = last;
    }
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
    if (!search->options.estimators[ESTIMATOR_BARRIER])
        return "not asked for";
    if (search->device.loops_cut_at != 0)
        return "the driver ends loops that still wait, so nothing can be seen to stall";
    if (failure == NULL && search->options.given_count > 0)
        return "none of the given group counts stalled";
    if (failure == NULL)
        return "no stall at any group count tried";
    return "a failure was seen, but not a confirmed stall";
}

void search_limit(const struct search *search, struct limit *limit)
{
    const struct point *failure = smallest_failure(search);
    const struct point *pass = largest_pass(search, failure);

    *limit = (struct limit){
        .footprint = search->footprint,
        .counted = search->counted,
        .resident = most_proven(search),
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
    if (search->counted > 0)
        limit->agree = limit->agree && limit->resident == search->counted;
    if (search->options.given_count == 0 && search->counted > 0 && limit->stalls_at != 0)
        limit->agree = limit->agree && limit->passes_at == search->counted;
}

bool limit_is_surprise(const struct limit *limit, bool loops_cut)
{
    if (limit->measured)
        return !limit->agree || !limit->monotone;
    return limit->refusal != VERDICT_PASS && limit->refusal != VERDICT_UNSUPPORTED &&
           limit->refusal != VERDICT_INCOMPLETE && !(limit->refusal == VERDICT_CUT && loops_cut);
}
