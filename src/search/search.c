#include "search/search.h"

enum {
    CENSUS_GROUPS_PER_UNIT = 64, /* more than any device known to us holds on a compute unit */
    CENSUS_LONGER = 8,           /* factor of a repeated census's first time */
    CENSUS_TRIALS = 3,           /* with all groups launched that it needs */
    DISCOVERY_REPEATS = 3,
    POINT_ATTEMPTS = 2,  /* trials at one point, should the first end early */
    GAP_CONFIRMS = 4,    /* times that a stall must stand: the most that a gap of another trial counts */
    REPEATED_TRIALS = 3, /* of a footprint: where each launch fails, it need not be seen at each group count */
    SEARCH_MAX_GROUPS = 1 << 16,
    ROUNDS = 3, /* barriers in one launch: the third meets what the first two left behind */
};

static uint32_t at_most(uint32_t bound, uint64_t value)
{
    return value < bound ? (uint32_t)value : bound;
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
    const bool proves = probe->channel == CHANNEL_PROOF;
    const uint64_t ms = 1000000;

    *settings = (struct search_device){
        .compute_units = info->compute_units,
        .max_groups = SEARCH_MAX_GROUPS,
        .loops_cut_at = at_most(UINT32_MAX, probe->loops_cut_at),
        .suspect_ns = gpu ? 1 * ms : 5 * ms,
        .confirm_ns = gpu ? 10 * ms : 50 * ms,
        .close_ns = proves ? 0
                    : gpu  ? ms / 2
                           : 2 * ms,
    };
}

void search_init(struct search *search, const struct search_options *options, const struct search_device *device,
                 const struct footprint *footprint)
{
    *search = (struct search){.options = *options, .device = *device, .footprint = *footprint};
    search->census_groups =
        at_most(device->max_groups, (uint64_t)CENSUS_GROUPS_PER_UNIT * most(device->compute_units, 1));
    search->census_done = !options->estimators[TRIAL_CENSUS];
    search->discovery_done = !options->estimators[TRIAL_DISCOVERY];
}

/* --- the next trial --- */

static struct point *find_point(struct search *search, uint32_t groups)
{
    for (uint32_t i = 0; i < search->point_count; ++i)
        if (search->points[i].groups == groups)
            return &search->points[i];
    return NULL;
}

/* The time is longer each time that the census is repeated because it counted too few. */
static uint64_t closing_ns(const struct search *search)
{
    uint64_t close_ns = search->device.close_ns;
    for (uint32_t i = 0; i < search->census_trials; ++i)
        close_ns *= CENSUS_LONGER;
    return close_ns;
}

uint64_t search_gap_told_ns(uint64_t gap_ns, uint64_t confirm_ns)
{
    return gap_ns < GAP_CONFIRMS * confirm_ns ? gap_ns : GAP_CONFIRMS * confirm_ns;
}

static void fill(const struct search *search, struct trial *trial, enum trial_kind kind, uint32_t groups,
                 uint32_t repeats)
{
    *trial = (struct trial){
        .footprint = search->footprint,
        .kind = kind,
        .groups = groups,
        .rounds = ROUNDS,
        .repeats = repeats,
        .gap_ns = search_gap_told_ns(search->gap_ns, search->device.confirm_ns),
        .proven_groups = at_most(groups, search_most_proven(search)),
        .suspect_ns = search->device.suspect_ns,
        .confirm_ns = search->device.confirm_ns,
        .close_ns = closing_ns(search),
        .live = search->options.live && kind == TRIAL_BARRIER,
    };
}

static bool barrier_trial(struct search *search, struct trial *trial, uint32_t groups, uint32_t repeats, bool locate)
{
    fill(search, trial, TRIAL_BARRIER, groups, repeats);
    trial->enough_stalls = locate ? 1 : 0;
    return true;
}

static uint32_t decided(const struct point *point)
{
    return point->launches - point->failures.failed;
}

/* The trial in which a launch failed, if it is to be repeated, with the launches that are missing. */
static bool pending_barrier(struct search *search, struct trial *trial)
{
    for (uint32_t i = 0; i < search->point_count; ++i) {
        const struct point *point = &search->points[i];
        const uint32_t missing = point->wanted > decided(point) ? point->wanted - decided(point) : 1;
        if (point->failures.pending)
            return barrier_trial(search, trial, point->groups, missing, point->enough_stalls != 0);
    }
    return false;
}

/* Away from the census while everything passes: one group more, then twice as far each time. */
static uint32_t gallop(const struct search *search, uint32_t passes_at)
{
    const uint32_t start = most(search->counted, 1);
    const uint32_t step = passes_at <= start ? 1 : 2 * (passes_at - start);
    return at_most(search->device.max_groups, (uint64_t)passes_at + step);
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
    const struct point *failure = search_smallest_failure(search);
    const struct point *pass = search_largest_pass(search, failure);

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
    if (decided(failure) < repeats && failure->attempts < POINT_ATTEMPTS && failure->failures.in_a_row < 2)
        return barrier_trial(search, trial, failure->groups, repeats - decided(failure), false);
    return search->device.loops_cut_at == 0 && around_limit(search, trial, pass->groups);
}

static bool next_given(struct search *search, struct trial *trial)
{
    const struct search_options *options = &search->options;
    return search->given_next < options->given_count &&
           barrier_trial(search, trial, options->given[search->given_next], options->repeats, false);
}

bool search_next(struct search *search, struct trial *trial)
{
    const bool searching = search->options.given_count == 0;
    if (search->refused)
        return false;
    if (!search->census_done || search->census_failures.pending) {
        fill(search, trial, TRIAL_CENSUS, search->census_groups, CENSUS_LAUNCHES);
        return true;
    }
    if (!search->discovery_done) {
        fill(search, trial, TRIAL_DISCOVERY, search->census_groups, DISCOVERY_REPEATS);
        return true;
    }
    if (search->options.estimators[TRIAL_BARRIER] &&
        (pending_barrier(search, trial) || (searching ? next_barrier(search, trial) : next_given(search, trial))))
        return true;
    if (search->options.estimators[TRIAL_CENSUS] && search->counted < search_most_proven(search) &&
        search->census_trials < CENSUS_TRIALS) {
        const uint32_t groups = most(search->census_groups, 2 * search_most_proven(search));
        fill(search, trial, TRIAL_CENSUS, at_most(search->device.max_groups, groups), CENSUS_LAUNCHES);
        return true;
    }
    return false;
}

/* --- what a trial showed --- */

/* A device that cuts loops is known to cut them, and fuses are short there. An interruption is the user's doing. */
static bool is_failure(const struct search *search, enum verdict verdict)
{
    if (search->device.loops_cut_at != 0 && (verdict == VERDICT_CUT || verdict == VERDICT_INCONCLUSIVE))
        return false;
    return verdict != VERDICT_PASS && !verdict_is_stall(verdict) && verdict != VERDICT_INCOMPLETE &&
           verdict != VERDICT_UNSUPPORTED;
}

static void take_failures(struct search *search, struct failures *failures, const struct trial *trial,
                          const struct observation *observations, uint32_t count)
{
    const uint32_t before = failures->failed;

    failures->kind = trial->kind;
    failures->groups = trial->groups;
    failures->launches += count;
    for (uint32_t i = 0; i < count; ++i) {
        const enum verdict verdict = verdict_judge(trial, &observations[i]);
        if (!is_failure(search, verdict))
            continue;
        failures->failed += 1;
        failures->verdict = verdict;
    }
    failures->in_a_row = failures->failed > before ? failures->in_a_row + 1 : 0;
    failures->pending = failures->in_a_row == 1 && search->repeated < REPEATED_TRIALS;
    search->repeated += failures->pending;
}

static void take_census(struct search *search, const struct trial *trial, const struct observation *observations,
                        uint32_t count)
{
    struct census census;
    take_failures(search, &search->census_failures, trial, observations, count);
    census_init(&census, trial->close_ns);
    for (uint32_t i = 0; i < count; ++i)
        if (verdict_judge(trial, &observations[i]) == VERDICT_PASS)
            census_take(&census, observations[i].counted, observations[i].gap_ns);
    search->counted = most(search->counted, census.best);
    search->census_groups = trial->groups;
    if (search->census_failures.pending)
        return;
    if (census.launches == 0) {
        search->census_trials += 1;
        search->census_done = true;
        return;
    }
    if (census.best == trial->groups && trial->groups < search->device.max_groups) {
        /* All that were launched were resident: there may be room for more. */
        search->census_groups = at_most(search->device.max_groups, (uint64_t)trial->groups * 4);
        return;
    }
    search->census_exact = census_settled(&census);
    search->census_trials += 1;
    /* A device with room for fewer groups than it has units is rare, and one that is busy is not. */
    search->census_done = search->counted >= search->device.compute_units || search->census_trials > 1 ||
                          search->device.loops_cut_at != 0;
}

static void take_discovery(struct search *search, const struct trial *trial, const struct observation *observations,
                           uint32_t count)
{
    take_failures(search, &search->discovery_failures, trial, observations, count);
    search->discovery_done = !search->discovery_failures.pending;
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
    if (point == NULL && search->point_count >= SEARCH_POINTS)
        return;
    if (point == NULL) {
        point = &search->points[search->point_count++];
        *point = (struct point){.groups = trial->groups, .worst = VERDICT_PASS};
    }
    if (!point->failures.pending) {
        point->attempts += 1;
        point->wanted = decided(point) + trial->repeats;
        point->enough_stalls = trial->enough_stalls;
    }
    take_failures(search, &point->failures, trial, observations, count);
    for (uint32_t i = 0; i < count; ++i) {
        enum verdict verdict = verdict_judge(trial, &observations[i]);
        if (verdict == VERDICT_PASS || (search->device.loops_cut_at == 0 && search->options.given_count == 0))
            search->proven = most(search->proven, search_proven(trial, &observations[i]));
        point->launches += 1;
        point->passes += verdict == VERDICT_PASS;
        point->stalls += verdict_is_stall(verdict);
        if (verdict != VERDICT_PASS)
            point->worst = verdict;
    }
    search->given_next += search->options.given_count > 0 && !point->failures.pending;
}

/* A footprint whose first trial was refused, or whose census never ended well, is not measured. */
static bool refuses(const struct search *search, const struct trial *trial, enum verdict verdict)
{
    if (verdict == VERDICT_INCOMPLETE)
        return true;
    if (verdict == VERDICT_UNSUPPORTED || verdict == VERDICT_BUILD_FAILED)
        return search_most_proven(search) == 0;
    return trial->kind == TRIAL_CENSUS && search->counted == 0 && verdict != VERDICT_PASS &&
           !search->census_failures.pending;
}

void search_take(struct search *search, const struct trial *trial, const struct observation *observations,
                 uint32_t count, uint64_t duration_ns)
{
    static void (*const take[ESTIMATOR_COUNT])(struct search *, const struct trial *, const struct observation *,
                                               uint32_t) = {
        [TRIAL_CENSUS] = take_census, [TRIAL_DISCOVERY] = take_discovery, [TRIAL_BARRIER] = take_barrier};

    search->duration_ns += duration_ns;
    for (uint32_t i = 0; i < count; ++i)
        if (observations[i].gap_ns > search->gap_ns)
            search->gap_ns = observations[i].gap_ns;
    if ((int)trial->kind < ESTIMATOR_COUNT) /* the search asks for no others */
        take[trial->kind](search, trial, observations, count);
    enum verdict last = count > 0 ? verdict_judge(trial, &observations[count - 1]) : VERDICT_NOT_RUN;
    if (refuses(search, trial, last)) {
        search->refused = true;
        search->refusal = last;
    }
}
